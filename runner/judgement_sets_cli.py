"""The verbs of the judging chain that look at judgement sets: agreement, coverage, a release, runs scored under it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.archives import open_result
from runner.adapters.folders import read_folder, write_folder
from runner.adapters.host import SystemClock
from runner.adapters.showings import read_systems
from runner.adapters.store import write_once
from runner.documents import to_lines
from runner.judge_cli import DEVELOPMENT, SHOWN, ActFiles, CorpusFolder, NewFolder, OnlySystems, Queries, questions_of
from runner.retrieval.agreement import agree
from runner.retrieval.coverage import Collection, cover
from runner.retrieval.orders import orders
from runner.retrieval.partition_check import admit
from runner.retrieval.partitions import JUDGEMENTS, QUERIES, TARGETS, parse_partition
from runner.shell import ROOT, Json, print_text, source, tell, tools
from runner.workflows.judging_screens import agreement_screen, coverage_screen, release_screen, rescored_screen
from runner.workflows.merge import Acts, merge_acts
from runner.workflows.rejudge import Ground, rescore_under
from runner.workflows.release import Draft, Intent, release

sets = typer.Typer(no_args_is_help=True)

Audit = Annotated[Path, typer.Option(help="Its safety audit.")]
PartitionFolder = Annotated[Path, typer.Option(help="The partition.")]


@sets.command()
def agreement(
    acts: ActFiles,
    shown: Annotated[list[Path] | None, typer.Option("--shown", help=SHOWN)] = None,
    queries: Queries = DEVELOPMENT / QUERIES,
    corpus: CorpusFolder = ROOT / "images/corpus",
    audit: Audit = ROOT / "manifests/safety_audit.jsonl",
    *,
    json: Json = False,
) -> None:
    """How far two annotators agree, and whether either alone would reorder the systems.

    Example: `./bench run judge agreement judging/ana.jsonl judging/ben.jsonl --shown results/RUN`
    """
    questions = questions_of(queries, corpus)
    merged = merge_acts(Acts(None, [source(path) for path in acts]), questions, None).merged
    topics = tuple(questions.topics.values())
    systems = read_systems(shown or (), (), questions.known, tell)
    serving = tools().corpus(corpus, audit).serving if systems else frozenset()
    report = agree(merged, topics, orders(systems, topics, merged, serving) if systems else ())
    print_text(report.pretty().decode() if json else agreement_screen(report))


@sets.command()
def coverage(
    shown: Annotated[list[Path], typer.Argument(help=SHOWN)],
    system: OnlySystems = None,
    partition: PartitionFolder = DEVELOPMENT,
    corpus: CorpusFolder = ROOT / "images/corpus",
    audit: Audit = ROOT / "manifests/safety_audit.jsonl",
    to: Annotated[Path | None, typer.Option(help="A new file for the pairs to judge next.")] = None,
    *,
    json: Json = False,
) -> None:
    """What is judged, how far the rest could move Q and the gates, and what to judge next.

    Example: `./bench run judge coverage results/RUN`
    """
    kit = tools()
    held = kit.corpus(corpus, audit)
    admitted = admit(parse_partition(kit.partition_sources(partition)), held)
    systems = read_systems(shown, system or (), questions_of(partition / QUERIES, corpus).known, tell)
    report = cover(systems, Collection(admitted.topics, admitted.qrels, held.serving))
    if to is not None:
        write_once(to, to_lines(report.to_judge))
    print_text(report.pretty().decode() if json else coverage_screen(report))


@sets.command("release")
def release_(
    merged: Annotated[Path, typer.Argument(help="The folder that `judge merge` made.")],
    to: NewFolder,
    reason: Annotated[str, typer.Option(help="Why there is a new set.")],
    partition: PartitionFolder = DEVELOPMENT,
    targets: Annotated[Path | None, typer.Option(help="Exact targets; else the partition's own.")] = None,
    version: Annotated[str | None, typer.Option(help="The version of the new partition; else as it was.")] = None,
    corpus: CorpusFolder = ROOT / "images/corpus",
    audit: Audit = ROOT / "manifests/safety_audit.jsonl",
) -> None:
    """A partition with the new judgement set, beside the one it follows.

    Example: `./bench run judge release judging/merged --reason "second annotator" --to judging/development`
    """
    held = tools().corpus(corpus, audit)
    draft = Draft(read_folder(partition), source(merged / JUDGEMENTS), source(targets or partition / TARGETS))
    released = release(draft, held, Intent(reason, SystemClock().now(), version))
    write_folder(to, {name: [data] for name, data in released.files.items()})
    print_text(release_screen(released.judgement_set, released.findings, to))


@sets.command()
def rescore(
    results: Annotated[list[Path], typer.Argument(help="Results: every system of each, or none.")],
    to: NewFolder,
    partition: PartitionFolder = DEVELOPMENT,
) -> None:
    """Finished runs under another judgement set; what was kept stays as it is.

    Example: `./bench run judge rescore results/RUN --partition judging/development --to judging/rescored`
    """
    kit = tools()
    ground = Ground(kit.inputs_of, parse_partition(kit.partition_sources(partition)))
    found = rescore_under([open_result(path) for path in results], ground, SystemClock().now(), kit.progress)
    write_folder(to, {name: data for one in found for name, data in one.files.items()})
    print_text(rescored_screen([one.note for one in found], to))
