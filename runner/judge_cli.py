"""The verbs of the judging chain: from what systems showed to a released judgement set."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.folders import write_folder
from runner.adapters.host import SystemClock
from runner.adapters.sheets import LABELLING, given_in_csv, given_in_export, given_in_jsonl, to_csv, to_tasks
from runner.adapters.showings import read_systems
from runner.adapters.store import write_once
from runner.counts import counted
from runner.documents import to_lines
from runner.errors import Interrupted, UsageError
from runner.retrieval.judgements import Role
from runner.retrieval.partitions import QUERIES
from runner.retrieval.questions import Questions, read_questions
from runner.retrieval.sheets import Draw, Sheet
from runner.shell import ROOT, print_lines, print_text, source, tell, tools
from runner.workflows.judge import (
    SHEET,
    SHEET_CARD,
    STROKES,
    Answers,
    Proposals,
    collect,
    deal,
    finished_acts,
    given_in_strokes,
    open_sheet,
    pool,
    pool_files,
    resume,
    sheet_files,
    slug,
)
from runner.workflows.judging_screens import (
    merge_screen,
)
from runner.workflows.merge import Acts, merge_acts, merge_files

judge = typer.Typer(no_args_is_help=True, help="The judging chain: pool, sheets, acts, final grades, a new set.")

DEVELOPMENT = ROOT / "manifests/benchmarks/search-v1/development"

Queries = Annotated[Path, typer.Option(help="The queries.")]
CorpusFolder = Annotated[Path, typer.Option(help="The corpus folder.")]
SHOWN = "What systems showed: result folders, run files of `measure` (.jsonl), TREC runs (any other)."
Shown = Annotated[list[Path] | None, typer.Argument(help=SHOWN)]
OnlySystems = Annotated[list[str] | None, typer.Option("--system", help="Only this system of the results.")]
NewFolder = Annotated[Path, typer.Option("--to", help="The new folder.")]
SheetFolder = Annotated[Path, typer.Argument(help="A folder that `judge sheets` made.")]
ActFiles = Annotated[list[Path], typer.Argument(help="Files of acts.")]

#: The forms that a sheet is dealt in beside its own, by file name.
FORMS = {"sheet.csv": to_csv, "label-studio.json": to_tasks, "label-studio.xml": lambda _rows: LABELLING}


@judge.command("pool")
def pool_(
    to: NewFolder,
    shown: Shown = None,
    system: OnlySystems = None,
    pairs: Annotated[list[Path] | None, typer.Option(help="Gold or hard negatives by hand; may be repeated.")] = None,
    judged: Annotated[list[Path] | None, typer.Option(help="Acts whose pairs are left out; may be repeated.")] = None,
    queries: Queries = DEVELOPMENT / QUERIES,
    corpus: CorpusFolder = ROOT / "images/corpus",
) -> None:
    """The pairs to judge: every system's top 10 and those by hand.

    Example: `./bench run judge pool results/RUN --pairs gold.jsonl --to judging/pool`
    """
    questions = questions_of(queries, corpus)
    systems = read_systems(shown or (), system or (), questions.known, tell)
    found = pool(Proposals(systems, [source(p) for p in pairs or ()], [source(p) for p in judged or ()]), questions)
    write_folder(to, pool_files(found))
    queries_of = {pair.query_id for pair in found}
    print_lines([f"{counted(len(found), 'pair')} of {counted(len(queries_of), 'query', 'queries')} in {to}"])


@judge.command()
def sheets(
    pairs: Annotated[Path, typer.Argument(help="pool.jsonl, or disputed.jsonl for a third annotator.")],
    to: NewFolder,
    first: Annotated[str | None, typer.Option(help="human:NAME or machine:NAME.")] = None,
    second: Annotated[str | None, typer.Option(help="Another one.")] = None,
    third: Annotated[str | None, typer.Option(help="Another one, for what the two differ on.")] = None,
    seed: Annotated[int, typer.Option(help="The lots are drawn from it; recorded in each sheet.")] = 1,
    queries: Queries = DEVELOPMENT / QUERIES,
    corpus: CorpusFolder = ROOT / "images/corpus",
) -> None:
    """A blind sheet for each annotator.

    Example: `./bench run judge sheets judging/pool/pool.jsonl --first human:ana --second human:ben --to judging/sheets`
    """
    named = zip(Role, (first, second, third), strict=True)
    draws = [Draw(annotator_named(name), role, seed) for role, name in named if name is not None]
    if not draws:
        raise UsageError("nobody is named.", advice="Give --first, --second or --third.")
    dealt = deal(source(pairs), questions_of(queries, corpus), draws)
    folders = {slug(sheet.card.role, sheet.card.annotator): sheet for sheet in dealt}
    write_folder(
        to,
        {
            f"{folder}/{name}": data
            for folder, sheet in folders.items()
            for name, data in sheet_files(sheet, FORMS).items()
        },
    )
    print_lines(
        f"{counted(sheet.card.rows, 'pair')} for {sheet.card.annotator} in {to / folder}"
        for folder, sheet in folders.items()
    )


def annotator_named(name: str) -> str:
    """An annotator's name as sheets and acts carry it, or UsageError."""
    if not re.fullmatch(r"(human|machine):[^\x00-\x1f]{1,80}", name):
        raise UsageError(f"{name!r} is no annotator.", advice="Write human:NAME or machine:NAME, at most 80 signs.")
    return name


@judge.command()
def annotate(
    sheet: SheetFolder,
    previews: Annotated[Path | None, typer.Option(help="The folder of previews/; else they are drawn once.")] = None,
) -> None:
    """Answer a sheet in this terminal; stop and go on at any time.

    Example: `./bench run judge annotate judging/sheets/first-human-ana`
    """
    # Here, because no other verb should wait until a terminal application is loaded.
    from runner.adapters.annotator import Annotator
    from runner.adapters.strokes import open_strokes

    dealt = opened(sheet)
    with open_strokes(sheet / STROKES) as log:
        pictures = previews or tools().previews()
        app = Annotator(dealt, resume(dealt, log.source), pictures, keep=log.add, now=SystemClock().now)
        app.run()
    if app.return_code:
        raise Interrupted("Stopped. Every answer is kept; the same command goes on from here.")


@judge.command("collect")
def collect_(
    sheet: SheetFolder,
    pairs: Annotated[Path, typer.Argument(help="The pool.jsonl or disputed.jsonl that it was dealt from.")],
    to: Annotated[Path, typer.Option(help="The new file of acts.")],
    answers: Annotated[
        Path | None,
        typer.Option("--from", help="A filled-in .csv, sheet .jsonl, or Label Studio .json; else the annotator's log."),
    ] = None,
    *,
    partial: Annotated[bool, typer.Option(help="Take an unfinished sheet.")] = False,
) -> None:
    """An annotator's acts from whatever form the answers have.

    Example: `./bench run judge collect judging/sheets/first-human-ana judging/pool/pool.jsonl --to judging/ana.jsonl`
    """
    dealt = opened(sheet)
    path = answers or sheet / STROKES
    readers = {".csv": given_in_csv, ".json": given_in_export, ".jsonl": given_in_jsonl}
    if path.name != STROKES and path.suffix not in readers:
        raise UsageError(f"--from {path}: is neither .csv, .json nor .jsonl.")
    read = given_in_strokes if path.name == STROKES else readers[path.suffix]
    found = collect(dealt, source(pairs), Answers(source(path), read, SystemClock().now()))
    write_once(to, to_lines(found.acts if partial else finished_acts(found)))
    print_lines(f"{pair}: {note}" for pair, note in found.notes.items())
    print_lines([f"{counted(len(found.acts), 'act')} in {to}, {counted(len(found.missing), 'pair')} without an answer"])


@judge.command()
def merge(
    acts: ActFiles,
    to: NewFolder,
    before: Annotated[Path | None, typer.Option(help="The judgements that these are added to.")] = None,
    targets: Annotated[Path | None, typer.Option(help="Exact targets, adjudicated apart.")] = None,
    queries: Queries = DEVELOPMENT / QUERIES,
    corpus: CorpusFolder = ROOT / "images/corpus",
) -> None:
    """Bring acts together; what a third must decide goes into disputed.jsonl.

    Example: `./bench run judge merge judging/ana.jsonl judging/ben.jsonl --to judging/merged`
    """
    # Millions of acts may come, and all live to the end: a collector would only walk through them again and again.
    gc.disable()
    given = Acts(source(before) if before else None, [source(path) for path in acts])
    found = merge_acts(given, questions_of(queries, corpus), source(targets) if targets else None)
    write_folder(to, merge_files(found))
    print_text(merge_screen(found.report, to))


def questions_of(queries: Path, corpus: Path) -> Questions:
    """The queries and items at hand."""
    return read_questions(source(queries), source(corpus / "items.jsonl"))


def opened(folder: Path) -> Sheet:
    """The sheet in a folder."""
    return open_sheet(source(folder / SHEET_CARD), source(folder / SHEET))
