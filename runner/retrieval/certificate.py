"""The certificate of a partition, or of two: each check with its figures and verdict, and what could not be checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Literal, NamedTuple, Protocol

from runner.documents import Digest, Document, digest
from runner.errors import BadInput
from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import Finding, Halves, Seen, UncheckedPartition, unchecked
from runner.retrieval.halves import APART, group_use
from runner.retrieval.partition_check import CHECKS, counts_of
from runner.retrieval.partitions import CARD, JUDGEMENTS, Kind, Partition
from runner.retrieval.prompts import THRESHOLDS, Meaning, Pair, Thresholds, across, meant_alike, within
from runner.retrieval.words import STEMMER


class Outcome(StrEnum):
    """How a check ended."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_COMPUTED = "NOT COMPUTED"


class CheckLine(Document):
    """One check of one partition, or of two: what must hold, how much was looked at, and what came of it.

    `findings` are wrong, `listed` worth a look. `reason` says why a check could not be computed.
    """

    check: str
    rule: str
    partitions: tuple[str, ...]
    figures: dict[str, int | float]
    outcome: Outcome
    reason: str | None
    findings: tuple[Finding, ...]
    listed: tuple[Finding, ...]


class CertifiedPartition(Document):
    """What was checked."""

    name: str
    version: str
    kind: Kind
    partition: Digest
    judgement_set: Digest
    counts: dict[str, int]


class CertifiedCorpus(Document):
    """What it was checked against, and how many of its groups none of the partitions uses."""

    corpus: Digest
    items: int
    serving: int
    groups: int
    groups_free: int


class Certificate(Document):
    """`certificate.json`. Equal partitions and corpus give equal bytes; files are named within their partition.

    Where it passes, it holds no word of a query, a label or an item: ids and figures alone.
    """

    format: Literal["mambomeme/certificate/v1"]
    outcome: Outcome
    partitions: tuple[CertifiedPartition, ...]
    corpus: CertifiedCorpus
    thresholds: Thresholds
    stemmer: str
    text_model: Digest | None
    checks: tuple[CheckLine, ...]


class Stated(Protocol):
    """What has a name and a rule."""

    @property
    def name(self) -> str: ...

    @property
    def rule(self) -> str: ...


class Rule(NamedTuple):
    """A check that is looked at in its own way."""

    name: str
    rule: str


MEANING = Rule("prompt meanings", "No prompt means nearly the same as one of another family.")


def look_at(partitions: Sequence[UncheckedPartition], meaning: Meaning | None) -> tuple[CheckLine, ...]:
    """Every check of one partition or of two; files are named as they were given."""
    alone = [line for partition in partitions for line in _alone(partition, meaning)]
    pairs = [Halves(*pair) for pair in combinations(partitions, 2)]
    together = [line for halves in pairs for line in _together(halves, meaning)]
    return (*alone, *(together or _for_want_of_another(partitions)))


def certify(
    partitions: Sequence[UncheckedPartition], lines: Iterable[CheckLine], meaning: Meaning | None
) -> Certificate:
    """The certificate of what `look_at` saw; BadInput where two partitions have one name."""
    names = [partition.files.card.name for partition in partitions]
    if len(set(names)) < len(names):
        raise BadInput(f"{partitions[-1].files.place(CARD)}: name: {names[-1]} is that of the other partition, too.")
    checks = tuple(_renamed(line, dict(_names(partitions))) for line in lines)
    failed = any(line.outcome is Outcome.FAIL for line in checks)
    return Certificate(
        format="mambomeme/certificate/v1",
        outcome=Outcome.FAIL if failed else Outcome.PASS,
        partitions=tuple(map(_partition, partitions)),
        corpus=_corpus(partitions),
        thresholds=THRESHOLDS,
        stemmer=STEMMER,
        text_model=meaning.model if meaning else None,
        checks=checks,
    )


def certificate_of(partition: Partition, corpus: Corpus) -> Certificate:
    """The certificate of one admitted partition by itself, without a text model."""
    alone = [unchecked(partition.files, corpus)]
    return certify(alone, look_at(alone, None), None)


def shortcomings(certificate: Certificate) -> str:
    """How many findings there are of which check, in words; empty if none."""
    failed = Counter(finding.check for line in certificate.checks for finding in line.findings)
    return ", ".join(f"{check} {many}" for check, many in failed.items())


def _alone(partition: UncheckedPartition, meaning: Meaning | None) -> Iterator[CheckLine]:
    names = (partition.files.card.name,)
    for each in CHECKS:
        yield _seen(each, names, each.see(partition))
    yield _meant(names, within(partition), meaning)


def _together(halves: Halves, meaning: Meaning | None) -> Iterator[CheckLine]:
    names = tuple(half.files.card.name for half in halves)
    for each in APART:
        yield _seen(each, names, each.see(halves))
    yield _meant(names, across(halves), meaning)


def _for_want_of_another(partitions: Sequence[UncheckedPartition]) -> Iterator[CheckLine]:
    names = tuple(partition.files.card.name for partition in partitions)
    for each in APART:
        yield _not_computed(each, names, "needs the other partition beside this one")


def _meant(names: tuple[str, ...], pairs: Iterable[Pair], meaning: Meaning | None) -> CheckLine:
    if meaning is None:
        return _not_computed(MEANING, names, "no text model is at hand")
    return _seen(MEANING, names, meant_alike(pairs, meaning).by(MEANING.name))


def _seen(what: Stated, names: tuple[str, ...], seen: Seen) -> CheckLine:
    return CheckLine(
        check=what.name,
        rule=what.rule,
        partitions=names,
        figures=dict(seen.figures),
        outcome=Outcome.FAIL if seen.findings else Outcome.PASS,
        reason=None,
        findings=seen.findings,
        listed=seen.listed,
    )


def _not_computed(what: Stated, names: tuple[str, ...], reason: str) -> CheckLine:
    return CheckLine(
        check=what.name,
        rule=what.rule,
        partitions=names,
        figures={},
        outcome=Outcome.NOT_COMPUTED,
        reason=reason,
        findings=(),
        listed=(),
    )


def _names(partitions: Iterable[UncheckedPartition]) -> Iterator[tuple[str, str]]:
    """The place of each file, and its name in the certificate, which is the same on every machine."""
    for partition in partitions:
        for name, source in partition.files.sources.items():
            yield source.where, f"{partition.files.card.name}/{name}"


def _renamed(line: CheckLine, names: Mapping[str, str]) -> CheckLine:
    findings, listed = (
        tuple(finding.model_copy(update={"file": names[finding.file]}) for finding in each)
        for each in (line.findings, line.listed)
    )
    return line.model_copy(update={"findings": findings, "listed": listed})


def _partition(partition: UncheckedPartition) -> CertifiedPartition:
    files = partition.files
    return CertifiedPartition(
        name=files.card.name,
        version=files.card.version,
        kind=files.card.kind,
        partition=files.digest,
        judgement_set=digest(files.sources[JUDGEMENTS].data),
        counts=dict(counts_of(partition)),
    )


def _corpus(partitions: Sequence[UncheckedPartition]) -> CertifiedCorpus:
    corpus, use = partitions[0].corpus, group_use(partitions).figures
    return CertifiedCorpus(
        corpus=corpus.digest,
        items=len(corpus.items),
        serving=len(corpus.serving),
        groups=int(use["groups"]),
        groups_free=int(use["free"]),
    )
