"""Sets two scorecards side by side, where that is allowed (D32)."""

from __future__ import annotations

from collections.abc import Iterator

from runner.counts import counted
from runner.documents import Document, Source
from runner.errors import BadInput, Findings
from runner.provenance.card import against
from runner.provenance.kept_card import unlike
from runner.provenance.versions import differences
from runner.retrieval.estimates import Rounded
from runner.retrieval.gates import Verdict
from runner.retrieval.latency import TimeSummary, milliseconds
from runner.retrieval.moved import Changed, moves
from runner.retrieval.paired import Pair, pair
from runner.workflows.cards import ADVICE, Compared, Kept, open_card, shared_names
from runner.workflows.summary import wrapped

_SHOWN = 15


class Outcome(Document):
    """How one of the two rows ended; `against` says why it fails, if it does."""

    status: Verdict
    score: Rounded
    against: str


class Comparison(Document):
    """`compare --json`: the first row less the second, queries gained, lost and tied, and facts that differ but may."""

    one: str
    other: str
    one_outcome: Outcome
    other_outcome: Outcome
    pair: Pair
    gained: tuple[Changed, ...]
    lost: tuple[Changed, ...]
    tied: int
    one_ui: TimeSummary
    other_ui: TimeSummary
    also_differ: tuple[str, ...]


def compare(one: Source, other: Source, names: tuple[str | None, str | None]) -> Comparison:
    """The row of card `one` less that of card `other`; Findings, naming each fact, where they may not be compared."""
    (first, samples), (second, samples_other) = _rows(one, other, names)
    forbidding = differences(first.versions, second.versions)
    if forbidding:
        what = f"{first.where} and {second.where} are not comparable (D32):\n" + "\n".join(map(_indented, forbidding))
        raise Findings(what)
    labels = (f"{first.row.system} of {first.card.run_id}", f"{second.row.system} of {second.card.run_id}")
    _refuse_other_queries(first, second)
    found = pair("one", "other", {"one": samples, "other": samples_other}).model_copy(
        update={"one": labels[0], "other": labels[1]}
    )
    moved = moves(second.row.queries, first.row.queries)
    return Comparison(
        one=labels[0],
        other=labels[1],
        one_outcome=_outcome(first),
        other_outcome=_outcome(second),
        pair=found,
        gained=moved.gained,
        lost=moved.lost,
        tied=moved.tied,
        one_ui=first.row.performance.ui,
        other_ui=second.row.performance.ui,
        also_differ=tuple(_also(first, second)),
    )


def _rows(one: Source, other: Source, names: tuple[str | None, str | None]) -> tuple[Compared, Compared]:
    """The rows asked for; else the one system that both cards have, or the only row of each."""
    first, second = open_card(one), open_card(other)
    shared = shared_names([first, second])
    common = shared[0] if len(shared) == 1 else None
    return first.row(names[0] or common), second.row(names[1] or common)


def _refuse_other_queries(first: Kept, second: Kept) -> None:
    """Cards of one partition have the same queries."""
    for fault in unlike(first.row.queries, second.row.queries):
        what = f"{second.where}: void beside {first.where}: {fault}, though both name one partition."
        raise BadInput(what, advice=ADVICE)


def _outcome(kept: Kept) -> Outcome:
    return Outcome(status=kept.row.status, score=kept.row.score, against=against(kept.row))


def _indented(line: str) -> str:
    return f"  {line}"


def _also(first: Kept, second: Kept) -> Iterator[str]:
    one, other = (kept.versions.model_dump(mode="json") for kept in (first, second))
    yield from (name for name in one if one[name] != other[name])


def comparison_screen(found: Comparison) -> str:
    """How each row ended, the differences, then the queries that moved."""
    lines = [found.one, *_ended(found.one_outcome), f"less {found.other}", *_ended(found.other_outcome)]
    lines += ["", f"  {'':<20}{'one':>10}{'other':>10}{'one less other':>16}"]
    for each in found.pair.differences:
        low, high = each.interval.low, each.interval.high
        told = "" if low <= 0 <= high else "  *"
        shown = f"{each.one:>10.4f}{each.other:>10.4f}{each.value:>+16.4f}"
        lines.append(f"  {each.figure:<20}{shown}  [{low:+.4f}, {high:+.4f}]{told}")
    lines += ["  * the paired 95 % interval leaves 0 out", ""]
    one, other = found.one_ui, found.other_ui
    lines.append(f"  submit to render p95 {milliseconds(one.p95_ns)} and {milliseconds(other.p95_ns)} ms")
    for what, queries in (("gained", found.gained), ("lost", found.lost)):
        lines += ["", f"  {counted(len(queries), 'query', 'queries')} {what}", *map(_query, queries[:_SHOWN])]
        if len(queries) > _SHOWN:
            lines.append(f"    and {len(queries) - _SHOWN} more (--json has them all)")
    lines += ["", f"  {counted(found.tied, 'query', 'queries')} tied"]
    if found.also_differ:
        lines += ["", f"  also differing: {', '.join(found.also_differ)}"]
    return "\n".join(lines)


def _ended(found: Outcome) -> Iterator[str]:
    yield f"  {found.status} {found.score:.2f} of 100"
    if found.against:
        yield wrapped(f"against it: {found.against}", "  ")


def _query(each: Changed) -> str:
    return f"    {each.query_id:<20}{each.slice:<10}{each.figure:<14}{each.before:.4f} -> {each.after:.4f}"
