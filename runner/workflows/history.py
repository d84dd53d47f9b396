"""Published scorecards in the order of their runs, and which of them can still stand beside the newest (D32)."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence

from runner.documents import Digest, Document, Source
from runner.provenance.card import Standing, against
from runner.provenance.sealed import Retirement
from runner.provenance.versions import VersionTuple, differences
from runner.retrieval.estimates import Interval, Rounded
from runner.retrieval.gates import Verdict
from runner.workflows.cards import Kept, read_card
from runner.workflows.summary import wrapped


class PastRow(Document):
    """One row of one published card. `stale` names the facts in which it differs from the newest row of its benchmark
    and its partition's name: a run on the development partition makes no hidden one stale.

    A stale row, or one whose partition was `retired`, is no baseline: its system has to be run again before it is
    compared. `interval` is that of the uncapped score; `against` says why the row fails, if it does.
    """

    run_id: str
    system: str
    standing: Standing
    status: Verdict
    score: Rounded
    uncapped: Rounded
    interval: Interval
    components: dict[str, Rounded]
    gates: dict[str, Verdict]
    against: str
    partition: str
    versions: VersionTuple
    stale: tuple[str, ...]
    retired: bool


class History(Document):
    """`history --json`: rows from the oldest run to the newest."""

    rows: tuple[PastRow, ...]


def history(sources: Iterable[Source], retired: Iterable[Retirement] = ()) -> History:
    """The rows of the cards in `sources`; run ids begin with the time of the run, so their order is that of time.
    Those on a partition that was `retired` are stale."""
    kept: list[Kept] = []
    for source in sources:
        card = read_card(source)
        kept += [Kept(source.where, card, *pair) for pair in zip(card.systems, card.versions, strict=True)]
    kept.sort(key=lambda one: one.card.run_id)
    newest = {_line(one): one.versions for one in kept}
    over = {one.partition for one in retired}
    return History(rows=tuple(_row(one, newest[_line(one)], over) for one in kept))


def _line(kept: Kept) -> tuple[str, str]:
    """Rows of one benchmark and one partition, whatever its version, follow each other."""
    return kept.versions.benchmark, kept.card.partition.name


def _row(kept: Kept, newest: VersionTuple, retired: Container[Digest]) -> PastRow:
    stale = tuple(line.partition(":")[0] for line in differences(kept.versions, newest))
    return PastRow(
        run_id=kept.card.run_id,
        system=kept.row.system,
        standing=kept.card.standing,
        status=kept.row.status,
        score=kept.row.score,
        uncapped=kept.row.uncapped,
        interval=kept.row.uncertainty.uncapped,
        components={name: part.value for name, part in kept.row.components},
        gates={gate.name: gate.verdict for gate in kept.row.gates},
        against=against(kept.row),
        retired=kept.versions.partition in retired,
        partition=f"{kept.card.partition.name} {kept.card.partition.version}",
        versions=kept.versions,
        stale=stale,
    )


def history_screen(found: History) -> str:
    """Each row with its parts and what stands against it; a change of version gets a line of its own."""
    lines: list[str] = []
    width = max((len(row.run_id) for row in found.rows), default=0)
    known: VersionTuple | None = None
    for row in found.rows:
        if known is None or differences(row.versions, known):
            lines += _heading(row)
        known = row.versions
        stale = f"  STALE: other {', '.join(row.stale)} than the newest" if row.stale else ""
        stale += "  STALE: its partition was retired" if row.retired else ""
        figures = f"{row.status:<5}{row.score:>8.2f}  uncapped {row.uncapped:>6.2f} {_between(row.interval)}"
        lines.append(f"  {row.run_id:<{width}}  {row.system:<12}{figures}  {row.standing}{stale}")
        lines.append("    " + "  ".join([*_parts(row.components), _gates(row.gates.values())]))
        lines += [wrapped(f"against it: {row.against}", "    ")] if row.against else []
    return "\n".join(lines) if lines else "no published card"


def _heading(row: PastRow) -> Sequence[str]:
    facts = ("benchmark", "score", "corpus", "partition", "judgement_set")
    shown = (f"{name.replace('_', ' ')} {_short(getattr(row.versions, name))}" for name in facts)
    return [f"{row.partition}: {', '.join(shown)}"]


def _parts(components: Mapping[str, float]) -> Iterable[str]:
    return (f"{name} {value:.3f}" for name, value in components.items())


def _gates(verdicts: Collection[Verdict]) -> str:
    passed = sum(verdict is Verdict.PASS for verdict in verdicts)
    return f"{passed} of {len(verdicts)} gates passed"


def _between(interval: Interval) -> str:
    return f"[{interval.low:.2f}, {interval.high:.2f}]"


def _short(value: str) -> str:
    return value[:19] if value.startswith("sha256:") else value
