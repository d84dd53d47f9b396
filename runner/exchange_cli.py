"""The verbs that hand files to other tools and take theirs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from runner.adapters.folders import write_folder
from runner.adapters.foreign import OBSERVATIONS, Holding, beir_sources, holding, trec_sources
from runner.counts import counted
from runner.documents import Document
from runner.errors import UsageError
from runner.retrieval.exchange.lines import Ids
from runner.retrieval.items import Item
from runner.retrieval.partition_check import admit
from runner.retrieval.partitions import parse_partition
from runner.retrieval.topics import Topic
from runner.shell import ROOT, Json, print_lines, print_text, source, tell, tools
from runner.workflows.exchange import (
    Exchanged,
    TopicForm,
    export_beir,
    export_result,
    export_run,
    export_trec,
    import_beir,
    import_trec,
)

D = TypeVar("D", bound=Document)

exchange = typer.Typer()


class Format(StrEnum):
    """Whose files."""

    TREC = "trec"
    BEIR = "beir"


FormatOption = Annotated[Format, typer.Option("--format", help="Whose files.")]
NewFolder = Annotated[Path, typer.Option("--to", help="The new folder.")]


@exchange.command("export")
def export(
    what: Annotated[Path, typer.Argument(help="A partition, a result, or a run file of `measure`.")],
    to: NewFolder,
    form: FormatOption,
    corpus: Annotated[Path, typer.Option(help="The corpus of the partition.")] = ROOT / "images/corpus",
    audit: Annotated[Path, typer.Option(help="Its safety audit.")] = ROOT / "manifests/safety_audit.jsonl",
    topics: Annotated[TopicForm, typer.Option(help="How TREC topics are written.")] = TopicForm.CLASSIC,
    *,
    json: Json = False,
) -> None:
    """Files for other tools, and what they cannot hold. Example: `./bench run export RUN --format trec --to DIR`"""
    kind = holding(what)
    if kind is not Holding.PARTITION and form is not Format.TREC:
        raise UsageError(f"--format {form}: {what} is {kind}, and BEIR keeps no runs.", advice="Use --format trec.")
    if kind is Holding.RESULT:
        made = export_result(source(what / OBSERVATIONS))
    elif kind is Holding.RUN:
        made = export_run(source(what), what.stem)
    else:
        kit = tools()
        held = kit.corpus(corpus, audit)
        partition = admit(parse_partition(kit.partition_sources(what)), held)
        made = export_trec(partition, held, topics) if form is Format.TREC else export_beir(partition, held)
    keep(made, to, json=json)


@exchange.command("import")
def import_(
    what: Annotated[list[Path], typer.Argument(help="TREC topics, qrels, runs or folders of them; or a BEIR folder.")],
    to: NewFolder,
    form: FormatOption,
    queries: Annotated[Path | None, typer.Option(help="queries.jsonl: no other query may be named.")] = None,
    corpus: Annotated[Path | None, typer.Option(help="A corpus folder: no other item may be named.")] = None,
    *,
    json: Json = False,
) -> None:
    """Other tools' files as `measure` takes them. Example: `./bench run import DIR --format trec --to NEW`"""
    ids = known(queries, corpus)
    if form is Format.TREC:
        made = import_trec(trec_sources(what), ids)
    elif len(what) == 1:
        made = import_beir(beir_sources(what[0]), ids)
    else:
        raise UsageError("--format beir: takes one folder.", advice="Import each on its own.")
    keep(made, to, json=json)


def known(queries: Path | None, corpus: Path | None) -> Ids:
    """The ids in the files that were named; any where none was."""
    return Ids(
        {topic.query_id: None for topic in parsed(queries, Topic)} if queries else None,
        {item.doc_id: None for item in parsed(corpus / "items.jsonl", Item)} if corpus else None,
    )


def parsed(path: Path, kind: type[D]) -> tuple[D, ...]:
    """The documents in a file, one a line."""
    where, data = source(path)
    return kind.parse_lines(data, where)


def keep(made: Exchanged, to: Path, *, json: bool) -> None:
    """Write the files, and say what they are and what they lack."""
    write_folder(to, {name: [data] for name, data in made.files.items()})
    for remark in made.remarks:
        tell(remark)
    report = made.report()
    if json:
        print_text(report.pretty().decode())
    else:
        print_lines(f"{to / name}  {counted(size, 'byte')}" for name, size in report.files.items())
