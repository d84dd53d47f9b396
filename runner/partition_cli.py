"""The verbs that look after partitions of the benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.display import display
from runner.adapters.store import write_once
from runner.errors import Findings
from runner.shell import ROOT, Json, print_text, tools
from runner.workflows.partition import check
from runner.workflows.partition_screen import partition_screen

partition = typer.Typer(no_args_is_help=True, help="Partitions of the benchmark.")

DEVELOPMENT = ROOT / "manifests/benchmarks/search-v1/development"

Folders = Annotated[list[Path] | None, typer.Argument(help="One partition, or both halves.", show_default=False)]
CorpusFolder = Annotated[Path, typer.Option("--corpus", help="The corpus folder.")]
Audit = Annotated[Path, typer.Option("--audit", help="Its safety audit.")]


@partition.command("check")
def partition_check(
    folders: Folders = None,
    corpus: CorpusFolder = ROOT / "images/corpus",
    audit: Audit = ROOT / "manifests/safety_audit.jsonl",
    certificate: Annotated[Path | None, typer.Option(help="The new file for the certificate.")] = None,
    *,
    json: Json = False,
) -> None:
    """Sizes, ids, families, leaks, audits, targets and judgements. Example: `./bench run partition check DIR`"""
    kit = tools()
    given = folders or [DEVELOPMENT]
    report = check([kit.partition_sources(folder) for folder in given], kit.corpus(corpus, audit))
    if certificate is not None:
        write_once(certificate, report.certificate.pretty())
    if json:
        print_text(report.pretty().decode())
    else:
        display(partition_screen(report))
    if report.findings:
        raise Findings(f"{', '.join(map(str, given))}: {len(report.findings)} findings.")
