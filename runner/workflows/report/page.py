"""The scorecard as one page that needs nothing else: `scorecard.html`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from runner.provenance.acceptance import decide, lacking
from runner.provenance.card import Scorecard, against
from runner.provenance.instrument_table import instrument_rows
from runner.retrieval.diagnostics import SHARES
from runner.retrieval.gates import Verdict
from runner.retrieval.moved import Moves, moves
from runner.retrieval.paired import Pair
from runner.retrieval.partitions import Kind
from runner.retrieval.score import Components
from runner.terminal.shown import shown_form
from runner.workflows.report import quality_figures
from runner.workflows.report.commands import commands
from runner.workflows.report.difference_figure import differences
from runner.workflows.report.facts import setting_facts, version_facts
from runner.workflows.report.latency_figure import latency, lettered
from runner.workflows.report.queries import answered_queries
from runner.workflows.report.spread_figure import bootstrap
from runner.workflows.report.traces import Ground, Trace
from runner.workflows.report.words import FILTERS


def card_page(card: Scorecard, ground: Ground, traces: Sequence[Trace]) -> bytes:
    """The page of `card`, with a trace for each of its rows; equal arguments, equal bytes."""
    page = _environment().get_template("card.html.j2")
    return page.render(
        card=card,
        rows=card.systems,
        names=[row.system for row in card.systems],
        parts=Components._fields,
        titles={manifest.name: manifest.title for manifest in ground.manifests},
        hidden=card.partition.kind is Kind.HIDDEN,
        figures={
            "slices": quality_figures.slices(card),
            "gates": quality_figures.gates(card),
            "latency": latency(card, traces),
            "bootstrap": bootstrap(card),
            "differences": [differences(pair) for pair in card.pairs],
        },
        moves=[_moves(card, pair) for pair in card.pairs],
        floors=lettered(card.floors),
        checks=[row for one in card.instrument for row in instrument_rows(one)],
        acceptance=None if lacking(card) else decide(card, card.run_id),
        queries=answered_queries(card, ground, traces),
        facts=version_facts(card.versions),
        settings=setting_facts(ground.manifests),
        commands=commands(card),
    ).encode()


def _moves(card: Scorecard, pair: Pair) -> Moves:
    queries = {row.system: row.queries for row in card.systems}
    return moves(queries[pair.other], queries[pair.one])


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
    found.globals |= {"against": against, "passes": Verdict.PASS, "shares": SHARES}
    return found


def _visible(value: object) -> object:
    return value if hasattr(value, "__html__") else shown_form(str(value))
