"""Releases merged acts as a judgement set of its own, in a partition that follows another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from runner.counts import counted
from runner.documents import Source, digest, spoken
from runner.errors import BadInput
from runner.retrieval.acts import read_acts
from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import Finding, unchecked
from runner.retrieval.integrity import INTEGRITY
from runner.retrieval.judgement_sets import JUDGEMENT_SET, JudgementSet, Versions, changes
from runner.retrieval.lists import Known
from runner.retrieval.merging import merge, report
from runner.retrieval.partition_check import counts_of, look
from runner.retrieval.partitions import (
    CARD,
    FILES,
    JUDGEMENTS,
    QRELS,
    QUERIES,
    TARGETS,
    PartitionCard,
    parse_partition,
)
from runner.retrieval.topics import Topic
from runner.workflows.merge import qrels_bytes, whole


class Draft(NamedTuple):
    """What a set is made of: the files of the partition it is for, all acts, and the exact targets."""

    partition: Mapping[str, bytes]
    judgements: Source
    targets: Source


class Intent(NamedTuple):
    """Why and when a set is released, and the version that its partition is given (null: as it was)."""

    reason: str
    at: str
    version: str | None


class Released(NamedTuple):
    """A released set: the files of its partition, and what `partition check` has to say of them."""

    judgement_set: JudgementSet
    files: Mapping[str, bytes]
    findings: tuple[Finding, ...]


def release(draft: Draft, corpus: Corpus, intent: Intent) -> Released:
    """The partition with these acts and targets in place of its own; all else stays as it was.

    BadInput where the acts do not begin with the partition's own, a pair waits for a third annotator, nothing is new,
    or the outcome could not be scored.
    """
    intent = intent._replace(reason=spoken("--reason", intent.reason))
    versions = _versions(draft, corpus)
    files = {
        **draft.partition,
        JUDGEMENTS: draft.judgements.data,
        TARGETS: draft.targets.data,
        QRELS: b"".join(qrels_bytes(versions.after)),
    }
    if all(files[name] == draft.partition.get(name) for name in (JUDGEMENTS, TARGETS)):
        raise BadInput(f"{draft.judgements.where}: holds nothing new.", advice="There is no new set to release.")
    kept = _judgement_set(draft, files, versions, corpus, intent)
    files[JUDGEMENT_SET] = kept.pretty()
    files[CARD] = _card(files, corpus, intent.version)
    parsed = parse_partition(_sources(files))
    against = look(parsed, corpus, INTEGRITY)
    if against:
        raise BadInput(f"{against[0]}.", advice="A set that cannot be scored is not released.")
    return Released(kept, files, look(parsed, corpus))


def _versions(draft: Draft, corpus: Corpus) -> Versions:
    own = whole(draft.partition.get(JUDGEMENTS, b""))
    judgements = draft.judgements
    if not judgements.data.startswith(own):
        what = f"{judgements.where}: does not begin with the acts of the partition."
        raise BadInput(what, advice="Merge with --before; acts are kept for ever.")
    topics = Topic.parse_lines(draft.partition.get(QUERIES, b""), QUERIES)
    known = Known(frozenset(topic.query_id for topic in topics), frozenset(corpus.items))
    before, after = (merge(read_acts(each), (), known) for each in (Source(JUDGEMENTS, own), judgements))
    if after.disputed:
        pair = after.disputed[0]
        what = f"{judgements.where}: {pair.query_id} {pair.doc_id} waits for a third annotator"
        raise BadInput(
            f"{what} ({counted(len(after.disputed), 'such pair')}).", advice="Deal disputed.jsonl to a third."
        )
    return Versions(before, after)


def _judgement_set(
    draft: Draft, files: Mapping[str, bytes], versions: Versions, corpus: Corpus, intent: Intent
) -> JudgementSet:
    counts = report(versions.after, ())
    parent = draft.partition.get(JUDGEMENTS)
    return JudgementSet(
        format="mambomeme/judgement-set/v1",
        judgements=digest(files[JUDGEMENTS]),
        parent=digest(parent) if parent else None,
        qrels=digest(files[QRELS]),
        exact_targets=digest(files[TARGETS]),
        queries=digest(files[QUERIES]),
        corpus=corpus.digest,
        released_at=intent.at,
        reason=intent.reason,
        acts=sum(counts.annotators.values()),
        pairs=counts.pairs,
        rules=counts.rules,
        annotators=counts.annotators,
        changes=tuple(changes(versions)),
    )


def _card(files: Mapping[str, bytes], corpus: Corpus, version: str | None) -> bytes:
    """partition.json with the digests and counts of the files as they are now."""
    before = PartitionCard.parse(files[CARD], CARD)
    pinned = (before.files.keys() | {*FILES[1:], QRELS, JUDGEMENT_SET}) & files.keys()
    card = before.model_copy(
        update={
            "version": version or before.version,
            "files": {name: digest(files[name]) for name in sorted(pinned)},
        }
    )
    found = counts_of(unchecked(parse_partition(_sources({**files, CARD: card.pretty()})), corpus))
    counts = {name: found.get(name, count) for name, count in before.counts.items()}
    return card.model_copy(update={"counts": counts}).pretty()


def _sources(files: Mapping[str, bytes]) -> Mapping[str, Source]:
    return {name: Source(name, data) for name, data in files.items()}
