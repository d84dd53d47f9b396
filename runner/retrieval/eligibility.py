"""Why a card is provisional, as far as partition, corpus and rows can tell (D31)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from runner.counts import counted
from runner.retrieval.corpora import Corpus
from runner.retrieval.partitions import Kind, Partition
from runner.retrieval.scorecard import SystemRow
from runner.retrieval.sizes import shortfalls

HUMAN = "human:"


def partition_reasons(partition: Partition, corpus: Corpus) -> Iterator[str]:
    """What the labels lack."""
    if partition.card.kind is not Kind.HIDDEN:
        yield f"the partition is the {partition.card.kind} one, not a hidden one"
    short = shortfalls(partition.files)
    if short:
        yield f"the partition is below full size: {', '.join(short)}"
    makers = {
        "judgements": [act.annotator for act in partition.files.judgements],
        "exact targets": [row.adjudicated_by for row in partition.files.targets],
        "no-match audits": [name for row in partition.files.audits for name in row.inspectors],
    }
    say = _counted if partition.card.kind is Kind.HIDDEN else _named
    for what, names in makers.items():
        yield from _made_by(what, names, say)
    yield from _made_by("the safety audit", corpus.auditors, _named)
    single = sum(qrel.rule == "single" for pairs in partition.qrels.values() for qrel in pairs.values())
    if single:
        yield f"{counted(single, 'pair was', 'pairs were')} judged by one annotator only"
    yield from _own(partition)


def _own(partition: Partition) -> Iterator[str]:
    """What its card says of a partition; of a hidden one only how much that is, since the words may say a query."""
    own = partition.card.provisional
    if partition.card.kind is not Kind.HIDDEN:
        yield from own
    elif own:
        yield f"its card gives {counted(len(own), 'reason')} of its own"


def row_reasons(rows: Sequence[SystemRow]) -> Iterator[str]:
    """What the run of a system lacks."""
    for row in rows:
        judged = row.diagnostics.judged
        if judged.part < judged.whole:
            unjudged = f"{judged.whole - judged.part} of {counted(judged.whole, 'result')} shown"
            yield f"{row.system}: judged@10 is below 100 %, unjudged {unjudged}"
        if not row.stability.stable:
            yield f"{row.system}: the run was unstable: {'; '.join(row.stability.reasons)}"


def _made_by(what: str, names: Iterable[str], say: Callable[[list[str]], str]) -> Iterator[str]:
    makers = set(names)
    if not makers:
        yield f"{what}: made by nobody"
    others = sorted(name for name in makers if not is_human(name))
    if others:
        yield f"{what}: not all made by humans ({say(others)})"


def _named(names: list[str]) -> str:
    return ", ".join(names)


def _counted(names: list[str]) -> str:
    """Of a hidden partition no word is published, not even a name."""
    return counted(len(names), "other")


def is_human(name: str) -> bool:
    """Whether `name` names a human: the word alone names nobody."""
    return name.startswith(HUMAN) and bool(name.removeprefix(HUMAN).strip())
