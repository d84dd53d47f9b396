"""The verbs that look after partitions of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.age import Identity as Key
from runner.adapters.age import checkout_identity, seal
from runner.adapters.archives import is_archive, open_result
from runner.adapters.bundles import pack, unpack
from runner.adapters.cards import published
from runner.adapters.display import display
from runner.adapters.folders import write_folder
from runner.adapters.formats import name_of, read_bytes
from runner.adapters.host import SystemClock
from runner.adapters.passphrase import new_passphrase, passphrase
from runner.adapters.retired import RETIRED, add_retired, read_retired
from runner.adapters.sealed_store import unsealed
from runner.adapters.store import write_once
from runner.counts import counted
from runner.documents import Source
from runner.errors import BadInput, Findings
from runner.provenance.sealed import is_hidden
from runner.shell import AGE_KEY, ROOT, Identity, Json, age_key, print_lines, print_text, tools
from runner.workflows.partition import WORKPLAN, check, new
from runner.workflows.partition_screen import partition_screen
from runner.workflows.retire import past_cards, retire, retirement_lines
from runner.workflows.sealing import about, opened, sealable, to_seal
from runner.workflows.verify_hidden import inner_files

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
        raise Findings(f"{' and '.join(map(str, given))}: {counted(len(report.findings), 'finding')}.")


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
    print_lines([f"{counted(len(files), 'file')} in {folder}: begin with {folder / WORKPLAN}"])


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
    whole = sealable(kit.partition_sources(folder), kit.corpus(corpus, audit))
    recipients = recipient or [checkout_identity(AGE_KEY, passphrase, new_passphrase).recipient]
    files = to_seal(whole, recipients)
    write_once(to, seal(pack(files), recipients))
    left = sorted({path.name for path in folder.iterdir()} - files.keys())
    out = [f"left out, since the card does not pin it: {name}" for name in left]
    print_lines([*about(files), *out, *(f"sealed for {each}" for each in recipients), to])


@partition.command("open")
def partition_open(
    sealed: Annotated[Path, typer.Argument(help="The sealed file, or the folder of a hidden run's result.")],
    to: Annotated[Path, typer.Option(help="The new folder, for its owner alone.")],
    identity: Identity = AGE_KEY,
) -> None:
    """What is sealed, in the clear. Example: `./bench run partition open hidden.age --to HIDDEN`"""
    key = age_key(identity)
    files = _result(sealed, key) if sealed.is_dir() or is_archive(sealed) else _partition(sealed, key)
    write_folder(to, {name: [data] for name, data in files.items()}, mode=0o700)
    print_lines([f"{counted(len(files), 'file')} in {to}"])


@partition.command("retire")
def partition_retire(
    given: Annotated[Path, typer.Argument(metavar="PARTITION", help="The sealed file, or the folder in the clear.")],
    reason: Annotated[str, typer.Option(help="How it was exposed; anyone may read this.")],
    identity: Identity = AGE_KEY,
    results: Annotated[Path, typer.Option(help="The folder of past results.")] = ROOT / "results",
) -> None:
    """End a hidden version that was exposed. Example: `./bench run partition retire hidden.age --reason "shown"`"""
    sources = tools().partition_sources(given) if given.is_dir() else _sources(given, age_key(identity))
    past = past_cards(
        sorted(path for path in results.iterdir() if path.is_dir() or is_archive(path)) if results.is_dir() else (),
        lambda place: published([place]),
    )
    found = retire(sources, reason, SystemClock().now(), known=read_retired(ROOT), cards=past.cards)
    add_retired(ROOT, found)
    print_lines([*retirement_lines(found, past.unread), f"{RETIRED}: commit it, so that every checkout knows"])


def _partition(sealed: Path, key: Key) -> dict[str, bytes]:
    return {name: source.data for name, source in _sources(sealed, key).items()}


def _sources(sealed: Path, key: Key) -> Mapping[str, Source]:
    where = name_of(sealed)
    return opened(unpack(key.unseal(read_bytes(sealed), where), where), where).files.sources


def _result(folder: Path, key: Key) -> dict[str, bytes]:
    """The files of a hidden run's result as any other's are, and the partition."""
    result = open_result(folder)
    files = {name: result.read(name) for name in result.names()}
    if not is_hidden(files):
        raise BadInput(f"{name_of(folder)}: nothing is sealed in it.", advice="Name the result of a hidden run.")
    inside = unsealed(files, key)
    return {**inside, **inner_files(files, inside)}
