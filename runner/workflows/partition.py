"""Looks after partitions: checks one or two against their corpus, and begins a hidden half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runner.counts import counted
from runner.documents import Document, Source, to_lines
from runner.errors import UsageError
from runner.ports import TextModel
from runner.retrieval.certificate import Certificate, certify, look_at
from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import Finding, unchecked
from runner.retrieval.partition_check import admit
from runner.retrieval.partitions import PartitionFiles, parse_partition
from runner.retrieval.prompts import Meaning
from runner.retrieval.scaffold import FREE, free_lines, scaffold
from runner.retrieval.workplan import workplan

WORKPLAN = "WORKPLAN.md"


class PartitionReport(Document):
    """What `partition check` saw: all that is wrong, what is worth a look, and the certificate that says so.

    Files are named as they were given here, and within their partition in the certificate.
    """

    findings: tuple[Finding, ...]
    listed: tuple[Finding, ...]
    certificate: Certificate


def check(
    partitions: Sequence[Mapping[str, Source]], corpus: Corpus, model: TextModel | None = None
) -> PartitionReport:
    """The report on partitions (their files by name); BadInput where a file cannot even be read."""
    if not 1 <= len(partitions) <= 2:
        raise UsageError(
            f"{counted(len(partitions), 'partition was', 'partitions were')} given.",
            advice="Give one, or the two halves.",
        )
    files = [parse_partition(sources) for sources in partitions]
    meaning = _meaning(files, model) if model else None
    subjects = [unchecked(each, corpus) for each in files]
    lines = look_at(subjects, meaning)
    return PartitionReport(
        findings=tuple(finding for line in lines for finding in line.findings),
        listed=tuple(finding for line in lines for finding in line.listed),
        certificate=certify(subjects, lines, meaning),
    )


def new(name: str, beside: Mapping[str, Source], corpus: Corpus) -> Mapping[str, bytes]:
    """The files of an empty hidden half `name`; BadInput where the partition beside it is not sound on this corpus."""
    other = unchecked(admit(parse_partition(beside), corpus).files, corpus)
    if name == other.files.card.name:
        raise UsageError(f"{name} is the name of the partition beside it.", advice="Give the new one another --name.")
    free = free_lines(other)
    return {
        **scaffold(name, corpus),
        FREE: to_lines(free),
        WORKPLAN: workplan(name, other, free).encode(),
    }


def _meaning(partitions: Sequence[PartitionFiles], model: TextModel) -> Meaning:
    texts = sorted({topic.text for files in partitions for topic in files.topics})
    return Meaning(model.digest, dict(zip(texts, model.vectors(texts), strict=True)))
