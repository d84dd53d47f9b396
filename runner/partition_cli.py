"""The verbs that look after partitions of the benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.display import display
from runner.adapters.folders import write_folder
from runner.adapters.store import write_once
from runner.errors import Findings
from runner.shell import ROOT, Json, print_lines, print_text, tools
from runner.workflows.partition import WORKPLAN, check, new
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
        many = len(report.findings)
        raise Findings(f"{' and '.join(map(str, given))}: {many} finding{'s' if many > 1 else ''}.")


@partition.command("new")
def partition_new(
    folder: Annotated[Path, typer.Argument(help="The new folder.")],
    beside: Annotated[Path, typer.Option(help="The development half.")] = DEVELOPMENT,
    name: Annotated[str | None, typer.Option(help="What the partition is called; else as the folder.")] = None,
    corpus: CorpusFolder = ROOT / "images/corpus",
    audit: Audit = ROOT / "manifests/safety_audit.jsonl",
) -> None:
    """An empty hidden half, its free groups, the work it takes. Example: `./bench run partition new DIR`"""
    kit = tools()
    files = new(name or folder.resolve().name, kit.partition_sources(beside), kit.corpus(corpus, audit))
    write_folder(folder, {file: [data] for file, data in files.items()})
    print_lines([f"{len(files)} files in {folder}: begin with {folder / WORKPLAN}"])
