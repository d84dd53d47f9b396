"""The semantic-search decision of a run that has BM25, dense and hybrid (D30)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from runner.documents import Document, Source
from runner.errors import CannotDecide
from runner.provenance.acceptance import Acceptance, Heading, Term, decide
from runner.workflows.cards import read_card
from runner.workflows.summary import wrapped


class DefaultSystem(Document):
    """`manifests/default-system.json`: what `./bench run tui` opens; `run_id` is null until a run decided."""

    format: Literal["mambomeme/default-system/v1"]
    system: str
    run_id: str | None


def accept(source: Source) -> Acceptance:
    """What the rule says of the card in `source`."""
    return decide(read_card(source), source.where)


def default_of(found: Acceptance, where: str) -> DefaultSystem:
    """The default system that a decision names; CannotDecide for a rehearsal."""
    if found.heading is not Heading.DECISION:
        what = f"{where}: is a rehearsal on {found.partition}, not a decision, so the default system stays."
        raise CannotDecide(what, advice="Only a run on a hidden partition decides.")
    return DefaultSystem(format="mambomeme/default-system/v1", system=found.ships, run_id=found.run_id)


def acceptance_screen(found: Acceptance) -> str:
    """The outcome first, then each term."""
    lines = [wrapped(found.sentence, ""), "", f"hybrid less bm25, {found.run_id}, {found.partition}", ""]
    lines += [*(line for term in found.terms for line in _term(term)), "", f"{found.standing}"]
    return "\n".join(lines + [wrapped(reason, "  - ") for reason in found.reasons])


def _term(term: Term) -> Iterator[str]:
    shown = ""
    if term.value is not None and term.interval is not None:
        shown = f"{term.value:+.6f} [{term.interval.low:+.6f}, {term.interval.high:+.6f}]"
    yield f"  {term.verdict:<6}{term.name:<18}{shown}"
    yield wrapped(f"wanted {term.rule}; {term.detail}", " " * 8)
