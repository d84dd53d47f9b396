"""The verbs that look after partitions of the benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.age import checkout_identity, load_identity, seal
from runner.adapters.bundles import pack, unpack
from runner.adapters.display import display
from runner.adapters.folders import write_folder
from runner.adapters.formats import name_of, read_bytes
from runner.adapters.store import write_once
from runner.errors import Findings
from runner.shell import AGE_KEY, ROOT, Identity, Json, print_lines, print_text, tools
from runner.workflows.partition import WORKPLAN, check, new
from runner.workflows.partition_screen import partition_screen
from runner.workflows.sealing import about, opened, to_seal

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


@partition.command("seal")
def partition_seal(
    folder: Annotated[Path, typer.Argument(help="The hidden partition in the clear.")],
    to: Annotated[Path, typer.Option(help="The new sealed file.")],
    recipient: Annotated[
        list[str] | None,
        typer.Option(help="Whose key opens it, `age1...`; may be repeated. Else the key of this checkout, made now."),
    ] = None,
    corpus: CorpusFolder = ROOT / "images/corpus",
    audit: Audit = ROOT / "manifests/safety_audit.jsonl",
) -> None:
    """A hidden partition as one age file. Example: `./bench run partition seal HIDDEN --to hidden.age`"""
    kit = tools()
    recipients = recipient or [checkout_identity(AGE_KEY).recipient]
    files = to_seal(kit.partition_sources(folder), kit.corpus(corpus, audit), recipients)
    write_once(to, seal(pack(files), recipients))
    print_lines([*about(files), *(f"sealed for {each}" for each in recipients), to])


@partition.command("open")
def partition_open(
    sealed: Annotated[Path, typer.Argument(help="The sealed file.")],
    to: Annotated[Path, typer.Option(help="The new folder, for its owner alone.")],
    identity: Identity = AGE_KEY,
) -> None:
    """A sealed partition in the clear. Example: `./bench run partition open hidden.age --to HIDDEN`"""
    where = name_of(sealed)
    files = unpack(load_identity(identity).unseal(read_bytes(sealed), where), where)
    found = opened(files, where)
    write_folder(to, {name: [source.data] for name, source in found.files.sources.items()}, mode=0o700)
    print_lines([*about(files), to])
