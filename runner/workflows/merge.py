"""Merges the acts of annotators into those of a set, and gives what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from runner.documents import Source, to_lines
from runner.errors import BadInput
from runner.retrieval.acts import Act, read_acts
from runner.retrieval.merging import Merged, MergeReport, check_targets, merge, qrel_line, report
from runner.retrieval.partitions import JUDGEMENTS, QRELS
from runner.retrieval.questions import Questions
from runner.workflows.judge import Files

DISPUTED, MERGE = "disputed.jsonl", "merge.json"


class Acts(NamedTuple):
    """The acts of a set, as its file has them, and the files of those to be added to it."""

    before: Source | None
    added: Sequence[Source]


class MergedActs(NamedTuple):
    """Merged acts, with the bytes that they begin with and the report on them."""

    merged: Merged
    before: bytes
    report: MergeReport


def merge_acts(acts: Acts, questions: Questions, targets: Source | None) -> MergedActs:
    """The acts brought together; nothing that stood before is changed or left out."""
    for source in acts.added:
        if not source.data.strip():
            raise BadInput(f"{source.where}: holds no act.", advice="Name the file of an annotator's acts.")
    before = acts.before or Source(JUDGEMENTS, b"")
    known = questions.known
    merged = merge(read_acts(before), chain.from_iterable(map(read_acts, acts.added)), known)
    notes = check_targets(targets, questions.topics, merged, known) if targets else ()
    return MergedActs(merged, whole(before.data), report(merged, tuple(notes)))


def merge_files(found: MergedActs) -> Files:
    """All acts, the final grades that are decided, the pairs that a third must decide, and the report."""
    return {
        JUDGEMENTS: chain([found.before], _lines(found.merged.added)),
        QRELS: qrels_bytes(found.merged),
        DISPUTED: [to_lines(found.merged.disputed)],
        MERGE: [found.report.pretty()],
    }


def qrels_bytes(merged: Merged) -> Iterator[bytes]:
    """qrels.jsonl, line by line."""
    return (qrel_line(qrel) + b"\n" for qrel in merged.qrels())


def whole(data: bytes) -> bytes:
    """Lines to which others can be added: the last one ends."""
    return data if data.endswith(b"\n") or not data else data + b"\n"


def _lines(acts: Iterable[Act]) -> Iterator[bytes]:
    return (act.canonical() + b"\n" for act in acts)
