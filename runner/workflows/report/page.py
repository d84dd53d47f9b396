"""The scorecard as one page that needs nothing else: `scorecard.html`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from runner.provenance.acceptance import decide, lacking
from runner.provenance.card import Scorecard, against
from runner.provenance.versions import VersionTuple
from runner.retrieval.gates import Verdict
from runner.retrieval.partitions import Kind
from runner.terminal.shown import shown_form
from runner.workflows.report import quality_figures
from runner.workflows.report.commands import commands
from runner.workflows.report.difference_figure import differences
from runner.workflows.report.latency_figure import latency, lettered
from runner.workflows.report.queries import answered_queries
from runner.workflows.report.spread_figure import bootstrap
from runner.workflows.report.traces import Ground, Trace
from runner.workflows.report.words import FILTERS

PARTS = ("Q", "E", "C", "S", "L", "R")


class Fact(NamedTuple):
    """One line of the versions: a value for each system, or one for all of them."""

    name: str
    values: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether all systems share it."""
        return len(set(self.values)) == 1

    @property
    def package(self) -> bool:
        """Whether it is a package of the runner's environment, of which there are many."""
        return self.name.startswith("runtime: package ")


def card_page(card: Scorecard, ground: Ground, traces: Sequence[Trace]) -> bytes:
    """The page of `card`, with a trace for each of its rows; equal arguments, equal bytes."""
    page = _environment().get_template("card.html.j2")
    return page.render(
        card=card,
        rows=card.systems,
        names=[row.system for row in card.systems],
        parts=PARTS,
        titles=ground.titles,
        hidden=card.partition.kind is Kind.HIDDEN,
        figures={
            "slices": quality_figures.slices(card),
            "gates": quality_figures.gates(card),
            "latency": latency(card, traces),
            "bootstrap": bootstrap(card),
            "differences": [differences(pair) for pair in card.pairs],
        },
        floors=lettered(card.floors),
        acceptance=None if lacking(card) else decide(card, card.run_id),
        queries=answered_queries(card, ground, traces),
        facts=_facts(card.versions),
        commands=commands(card),
    ).encode()


@cache
def _environment() -> Environment:
    """Everything that is not markup of ours is escaped, and shown without what could steer or hide."""
    found = Environment(
        loader=PackageLoader("runner.workflows.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= FILTERS
    found.globals |= {"against": against, "passes": Verdict.PASS}
    return found


def _visible(value: object) -> object:
    return value if hasattr(value, "__html__") else shown_form(str(value))


def _facts(versions: Sequence[VersionTuple]) -> Sequence[Fact]:
    tables = [dict(_named(version)) for version in versions]
    names = dict.fromkeys(name for table in tables for name in table)
    return [Fact(name, tuple(table.get(name, "none") for table in tables)) for name in names]


def _named(version: VersionTuple) -> Iterator[tuple[str, str]]:
    for name, value in version.model_dump(mode="json", exclude={"system"}).items():
        if isinstance(value, Mapping):
            yield from ((f"{name}: {key}", str(each)) for key, each in sorted(value.items()))
        else:
            yield name.replace("_", " "), "none" if value is None else str(value)
