"""Published scorecards in the order of their runs, and which of them can still stand beside the newest (D32)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runner.documents import Document, Source
from runner.provenance.card import Standing
from runner.provenance.versions import VersionTuple, differences
from runner.retrieval.estimates import Rounded
from runner.retrieval.gates import Verdict
from runner.workflows.cards import Kept, read_card


class PastRow(Document):
    """One row of one published card. `stale` names the facts in which it differs from the newest row of its benchmark.

    A stale row is no baseline: its system has to be run again before it is compared.
    """

    run_id: str
    system: str
    standing: Standing
    status: Verdict
    score: Rounded
    uncapped: Rounded
    versions: VersionTuple
    stale: tuple[str, ...]


class History(Document):
    """`history --json`: rows from the oldest run to the newest."""

    rows: tuple[PastRow, ...]


def history(sources: Iterable[Source]) -> History:
    """The rows of the cards in `sources`; run ids begin with the time of the run, so their order is that of time."""
    kept: list[Kept] = []
    for source in sources:
        card = read_card(source)
        kept += [Kept(source.where, card, *pair) for pair in zip(card.systems, card.versions, strict=True)]
    kept.sort(key=lambda one: one.card.run_id)
    newest = {one.versions.benchmark: one.versions for one in kept}
    return History(rows=tuple(_row(one, newest[one.versions.benchmark]) for one in kept))


def _row(kept: Kept, newest: VersionTuple) -> PastRow:
    stale = tuple(line.partition(":")[0] for line in differences(kept.versions, newest))
    return PastRow(
        run_id=kept.card.run_id,
        system=kept.row.system,
        standing=kept.card.standing,
        status=kept.row.status,
        score=kept.row.score,
        uncapped=kept.row.uncapped,
        versions=kept.versions,
        stale=stale,
    )


def history_screen(found: History) -> str:
    """A line a row; a change of score, corpus, partition or judgement version gets a line of its own."""
    lines: list[str] = []
    width = max((len(row.run_id) for row in found.rows), default=0)
    known: VersionTuple | None = None
    for row in found.rows:
        if known is None or differences(row.versions, known):
            lines += _heading(row.versions)
        known = row.versions
        stale = f"  STALE: other {', '.join(row.stale)} than the newest" if row.stale else ""
        figures = f"{row.status:<5}{row.score:>8.2f}  uncapped {row.uncapped:>6.2f}"
        lines.append(f"  {row.run_id:<{width}}  {row.system:<12}{figures}  {row.standing}{stale}")
    return "\n".join(lines) if lines else "no published card"


def _heading(versions: VersionTuple) -> Sequence[str]:
    facts = ("benchmark", "score", "corpus", "partition", "judgement_set")
    shown = (f"{name.replace('_', ' ')} {_short(getattr(versions, name))}" for name in facts)
    return [", ".join(shown)]


def _short(value: str) -> str:
    return value[:19] if value.startswith("sha256:") else value
