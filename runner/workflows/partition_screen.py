"""Puts what `partition check` saw on a screen of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from runner.counts import counted
from runner.retrieval.certificate import CertifiedPartition, CheckLine
from runner.workflows.partition import PartitionReport


def partition_screen(report: PartitionReport) -> str:
    """Who was checked against what; each check with its figures; every finding; what is worth a look."""
    certificate = report.certificate
    corpus = certificate.corpus
    lines = [
        *map(_partition, certificate.partitions),
        f"corpus {corpus.corpus}: {counted(corpus.items, 'item')}, {corpus.serving} serving, "
        f"{counted(corpus.groups, 'group')}, {corpus.groups_free} free",
        "",
        *_checks(certificate.checks),
        "",
        counted(len(report.findings), "finding"),
        *(f"  {finding.check}: {finding}" for finding in report.findings),
        f"{len(report.listed)} worth a look",
        *(f"  {finding.check}: {finding}" for finding in report.listed),
    ]
    return "\n".join(lines)


def _partition(partition: CertifiedPartition) -> str:
    counts = partition.counts
    return (
        f"{partition.name} {partition.version} ({partition.kind}): {counted(counts['queries'], 'query', 'queries')} in "
        f"{counted(counts['families'], 'family', 'families')}, {counted(counts['judgements'], 'act')}"
    )


def _checks(lines: tuple[CheckLine, ...]) -> Iterator[str]:
    """One line a check, under the names of what was checked."""
    partitions: tuple[str, ...] = ()
    for line in lines:
        if line.partitions != partitions and len({each.partitions for each in lines}) > 1:
            yield f"{' and '.join(line.partitions)}:"
        partitions = line.partitions
        figures = ", ".join(f"{name} {value:g}" for name, value in line.figures.items())
        yield f"  {line.outcome:<12}  {line.check:<18}{line.reason or figures}"
