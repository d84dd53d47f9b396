"""The verbs that look after the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.counts import counted
from runner.errors import Findings
from runner.retrieval.corpus_check import Dependents
from runner.retrieval.partitions import CARD, parse_partition
from runner.shell import ROOT, Json, print_lines, print_text, source, tools
from runner.workflows.corpus import check

corpus = typer.Typer(no_args_is_help=True, help="The frozen corpus.")


@corpus.callback()
def _more_verbs_follow() -> None:
    """Keep `check` a verb of its own."""


@corpus.command("check")
def corpus_check(
    folder: Annotated[Path, typer.Argument(help="The corpus folder.")] = ROOT / "images/corpus",
    audit: Annotated[Path, typer.Option(help="Its safety audit.")] = ROOT / "manifests/safety_audit.jsonl",
    partitions: Annotated[Path, typer.Option(help="Partitions lie in or below it.")] = ROOT / "manifests/benchmarks",
    *,
    json: Json = False,
) -> None:
    """Whether it is the pinned one, and which audits and judgements it voids. Example: `./bench run corpus check`"""
    kit = tools()
    found = [parse_partition(kit.partition_sources(card.parent)) for card in sorted(partitions.rglob(CARD))]
    report = check(kit.corpus_files(folder), Dependents(source(audit), tuple(found)))
    if json:
        print_text(report.pretty().decode())
    else:
        print_lines(report.findings or [f"{report.corpus} is the pinned corpus, and voids nothing"])
    if report.findings:
        raise Findings(f"{folder}: {counted(len(report.findings), 'finding')}.")
