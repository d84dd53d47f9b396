"""Scores finished runs again under another judgement set: every system of every run, or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from runner.documents import Digest, Document, digest
from runner.errors import BadInput
from runner.ports import Progress, ResultFolder
from runner.provenance.card import Scorecard, Standing
from runner.provenance.card_markdown import render
from runner.retrieval.certificate import Certificate, certificate_of
from runner.retrieval.estimates import Rounded
from runner.retrieval.partition_check import admit
from runner.retrieval.partitions import QUERIES, Partition, PartitionFiles
from runner.retrieval.scorecard import SystemRow
from runner.retrieval.topics import Topic
from runner.workflows.examine import Examined, Load, examine
from runner.workflows.judge import Files
from runner.workflows.names import CARD, CARD_TEXT, CERTIFICATE
from runner.workflows.rescore import score_run

RESCORED = "rescored.json"


class RescoredSystem(Document):
    """A system before and after."""

    system: str
    score_before: Rounded
    score: Rounded
    q_before: Rounded
    q: Rounded
    status_before: str
    status: str


class Rescored(Document):
    """`rescored.json`: which run was scored again, under what instead of what, and what that did to each system.

    `card` is the digest of the scorecard that was kept; it stays as it is.
    """

    format: Literal["mambomeme/rescored/v1"]
    run_id: str
    card: Digest
    judgement_set_before: Digest
    judgement_set: Digest
    partition_before: Digest
    partition: Digest
    at: str
    systems: tuple[RescoredSystem, ...]


class Again(NamedTuple):
    """One run, scored again."""

    note: Rescored
    card: Scorecard
    certificate: Certificate

    @property
    def files(self) -> Files:
        """What is kept of it, below a folder named after the run."""
        files = {
            RESCORED: self.note.pretty(),
            CERTIFICATE: self.certificate.pretty(),
            CARD: self.card.pretty(),
            CARD_TEXT: render(self.card).encode(),
        }
        return {f"{self.note.run_id}/{name}": [data] for name, data in files.items()}


class Ground(NamedTuple):
    """How the inputs of a run are found, and the files of the partition that it is scored under now."""

    load: Load
    partition: PartitionFiles


def rescore_under(runs: Sequence[ResultFolder], ground: Ground, at: str, progress: Progress) -> tuple[Again, ...]:
    """Every run under the partition in `ground`, whose queries must be those that were asked.

    BadInput if queries or corpus differ; Findings or CannotDecide if any run cannot be examined. Then nothing is scored
    at all, since a score under one set is not compared with one under another (D32).
    """
    found = [_again(folder, ground, at, progress) for folder in runs]
    if len({one.note.run_id for one in found}) < len(found):
        raise BadInput("a run is named twice.", advice="Name each result once.")
    return tuple(found)


def _again(folder: ResultFolder, ground: Ground, at: str, progress: Progress) -> Again:
    files = {name: folder.read(name) for name in folder.names()}
    examined = examine(files, ground.load, progress)
    partition = admit(ground.partition, examined.inputs.corpus)
    _refuse_other_queries(examined.inputs.partition, partition)
    lock = examined.lock.model_copy(
        update={"partition": partition.digest, "judgement_set": partition.judgement_set},
    )
    inputs = examined.inputs._replace(partition=partition)
    certificate = certificate_of(partition, inputs.corpus)
    scored = score_run(inputs, lock, examined.records, certificate)
    reason = f"rescored under judgement set {partition.judgement_set}; the run was scored under another"
    card = scored.model_copy(update={"standing": Standing.PROVISIONAL, "reasons": (reason, *scored.reasons)})
    return Again(_note(examined, files, card, at), card, certificate)


def _refuse_other_queries(before: Partition, after: Partition) -> None:
    """Labels may differ, and what is said about a query; what was asked, and how it is counted, may not."""
    asked, found = ([_as_counted(topic) for topic in each.topics] for each in (before, after))
    if asked != found:
        differing = next(
            (one for one, other in zip_longest(found, asked) if one != other and one is not None), asked[-1]
        )
        what = f"{after.files.place(QUERIES)}: {differing[0]} is not as it was when it was asked."
        raise BadInput(what, advice="Other queries make another partition: run it.")


def _as_counted(topic: Topic) -> tuple[object, ...]:
    return topic.query_id, topic.text, topic.slice, topic.family, topic.safety_flag, topic.multi_cue_flag


def _note(examined: Examined, files: Mapping[str, bytes], card: Scorecard, at: str) -> Rescored:
    before, after = examined.lock, card.versions[0]
    return Rescored(
        format="mambomeme/rescored/v1",
        run_id=before.run_id,
        card=digest(files[CARD]) if CARD in files else digest(examined.card.pretty()),
        judgement_set_before=before.judgement_set,
        judgement_set=after.judgement_set,
        partition_before=before.partition,
        partition=after.partition,
        at=at,
        systems=tuple(_systems(examined.card.systems, card.systems)),
    )


def _systems(before: Sequence[SystemRow], after: Sequence[SystemRow]) -> Iterator[RescoredSystem]:
    for old, new in zip(before, after, strict=True):
        yield RescoredSystem(
            system=new.system,
            score_before=old.score,
            score=new.score,
            q_before=old.components.Q.value,
            q=new.components.Q.value,
            status_before=old.status.value,
            status=new.status.value,
        )
