"""The command line: parse, build the tools, call one workflow, print."""

from __future__ import annotations

import errno
import gc
import sys
from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.archives import log_beside, open_result
from runner.adapters.display import display
from runner.adapters.folders import outside_results
from runner.adapters.host import SystemClock
from runner.adapters.image.workshop import BUNDLED
from runner.adapters.inputs import repin
from runner.adapters.retired import retired_in
from runner.adapters.signals import end_as_interrupt
from runner.adapters.store import write_once
from runner.cards_cli import cards
from runner.cast_cli import cast
from runner.conform_cli import trying
from runner.corpus_cli import corpus
from runner.counts import counted
from runner.documents import pretty_bytes
from runner.errors import MAKE_ROOM, BadInput, BenchError, Findings, Interrupted, Unavailable, UsageError
from runner.exchange_cli import exchange
from runner.hidden import here
from runner.interactions_cli import people
from runner.judge_cli import judge
from runner.judgement_sets_cli import sets
from runner.keys_cli import RootId, TrustFile, keys, known_trust, trust_verbs, witnessing
from runner.partition_cli import partition
from runner.provenance.journal import read_log
from runner.publish_cli import publishing
from runner.release_cli import releases
from runner.reproduce_cli import reproducing
from runner.review_cli import reviewing
from runner.run_cli import runs
from runner.shell import ROOT, HiddenKey, Json, hidden_key, print_lines, print_text, source, tell, tools, visible
from runner.workflows.build import build_and_pin, require_pinned
from runner.workflows.image import export_image, import_image
from runner.workflows.measure import measure, report
from runner.workflows.picture import draw
from runner.workflows.relock import relock
from runner.workflows.summary import measures_table, verified_screen
from runner.workflows.verify import Against, rescore, verify

ABOUT = "Scores ranked meme search, and checks scores. README.md says which verb is for whom; each has `--help`."

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode="markdown", help=ABOUT)
image = typer.Typer(no_args_is_help=True, help="Pinned images as files, so that a score outlives the mirrors.")
app.add_typer(image, name="image")
app.add_typer(runs)
app.add_typer(partition, name="partition")
app.add_typer(corpus, name="corpus")
judge.add_typer(sets)
app.add_typer(judge, name="judge")
app.add_typer(exchange)
app.add_typer(people)
app.add_typer(releases)
app.add_typer(cards)
app.add_typer(cast, name="cast")
app.add_typer(reviewing)
app.add_typer(reproducing)
app.add_typer(trying)
app.add_typer(keys, name="keys")
app.add_typer(trust_verbs, name="trust")
app.add_typer(witnessing)
app.add_typer(publishing)


@app.command()
def build(
    *,
    pin: Annotated[bool, typer.Option(help="Write the ids of this image into images/pins.json.")] = False,
    require: Annotated[bool, typer.Option("--require-pinned", help="Fail unless it is the pinned image.")] = False,
    json: Json = False,
) -> None:
    """The image alone, loaded into the engine. Example: `./bench run build --json`"""
    kit = tools()
    built = build_and_pin(kit.workshop(), kit.images, kit.progress) if pin else kit.build()
    ref = require_pinned(built) if require else built.image
    if json:
        print_text(pretty_bytes({**ref.model_dump(mode="json"), "size": ref.size, "unpinned": built.unpinned}).decode())
        return
    print_lines([f"{ref.tag}  {ref.image}  {ref.size / 1e6:.0f} MB"])
    print_lines(f"{layer.name:<8}{layer.diff_id}  {layer.size / 1e6:.1f} MB" for layer in ref.layers)
    print_lines(built.unpinned or ["as pinned"])


@app.command()
def lock(
    system: Annotated[str, typer.Option(help="For the image with the system in this folder.")] = BUNDLED,
) -> None:
    """Pin packages, wheels and art as they resolve today; says what moved. Example: `./bench run lock`"""
    moves = relock(tools().workshop(system))
    print_lines([f"{m.lock}  {m.name}  {m.old or 'new'} -> {m.new or 'gone'}" for m in moves] or ["nothing moved"])


@app.command()
def pin(
    manifests: Annotated[list[Path] | None, typer.Argument(help="Run manifests.")] = None,
) -> None:
    """Write today's digests into run manifests; says what changed. Example: `./bench run pin`"""
    for path in manifests or [ROOT / "manifests/official.json", ROOT / "manifests/quick.json"]:
        print_lines(repin(ROOT, path) or [f"{path.name}: as pinned"])


@app.command()
def score(results: Path, identity: HiddenKey = None) -> None:
    """Recompute a kept result from its raw records. Example: `./bench run score results/RUN`"""
    kit = tools()
    found = rescore(open_result(results), here(kit, hidden_key(identity)), kit.progress)
    print_lines(found or ["every number follows from the raw records"])
    if found:
        raise Findings(f"{results}: differs from its raw records in {counted(len(found), 'place')}.")


@app.command("verify")
def verify_(
    results: Path,
    trust: TrustFile = ROOT / ".keys/trust.json",
    root: RootId = None,
    log: Annotated[
        Path | None,
        typer.Option(help="The steward's log of runs; else `log.jsonl` beside the result, if the run stands in it."),
    ] = None,
    identity: HiddenKey = None,
    retired: Annotated[Path | None, typer.Option(help="The newest `retired.jsonl`; else this checkout's.")] = None,
) -> None:
    """Signatures, digests, raw log, screens, numbers. Example: `./bench run verify results/RUN --trust trust.json`"""
    kit, now = tools(), SystemClock().now()
    known, _ = known_trust(trust, root, now)
    logs = (log, None if log else log_beside(results))
    against = Against(known, now, *(read_log(source(path)) if path else None for path in logs))
    at_hand = here(kit, hidden_key(identity))
    if retired is not None:
        at_hand = at_hand._replace(retired=retired_in(source(retired)))
    found = verify(open_result(results), against, at_hand, kit.progress)
    display(verified_screen(found, known, root))


@app.command()
def picture(
    results: Path,
    query: Annotated[str, typer.Argument(help="A query id.")],
    to: Annotated[Path, typer.Option(help="The new SVG file.")],
    system: Annotated[str, typer.Option(help="Whose screen.")] = "bm25",
) -> None:
    """What a query's done frame looked like. Example: `./bench run picture results/RUN d-entity-01 --to cena.svg`"""
    outside_results(to)
    write_once(to, draw(open_result(results), system, query).encode())
    print_lines([f"{to}: the first measured done frame of {query}, as {system} drew it"])


@app.command("measure")
def measure_(
    judgements: Annotated[Path, typer.Option(help="Grades, one pair a line; or TREC or BEIR qrels.")],
    run: Annotated[Path, typer.Option(help="Lists, one request a line; or a TREC run.")],
    targets: Annotated[Path | None, typer.Option(help="Exact targets.")] = None,
    *,
    json: Json = False,
) -> None:
    """Measures of any run against any judgements. Example: `./bench run measure --judgements q.jsonl --run r.jsonl`"""
    # Millions of ids and no cycles: a collector would walk them again and again.
    gc.disable()
    found = measure(source(judgements), source(run), source(targets) if targets else None, tell=tell)
    print_text(report(found).pretty().decode() if json else measures_table(found.summary()))


@image.command("export")
def image_export(to: Path, name: Annotated[str | None, typer.Argument(help="Id or tag.")] = None) -> None:
    """Write an image to a new file. Example: `./bench run image export mambomeme.tar.zst`"""
    kit = tools()
    ref = export_image(name or kit.build().image.tag, to, kit.workshop(), kit.images, kit.progress)
    print_lines([f"{ref.image}  {to}"])


@image.command("import")
def image_import(archive: Path) -> None:
    """Load the image in a file, every digest checked. Example: `./bench run image import mambomeme.tar.zst`"""
    kit = tools()
    built = import_image(archive, kit.workshop(), kit.images, kit.progress)
    print_lines([f"{built.image.image}  {built.image.tag}", *(built.unpinned or ["as pinned"])])


#: What a path itself is at fault for, on any machine; and what is wrong with none.
_NO_SUCH_PLACE, _NO_ROOM = {errno.ENAMETOOLONG}, {errno.ENOSPC, errno.EDQUOT}


def main() -> None:
    """Run the command line; the only place where an error becomes an exit status."""
    end_as_interrupt()
    try:
        status = app(prog_name="./bench run", standalone_mode=False)
    except BenchError as error:
        fail(error)
    except typer.TyperException as error:
        what = f"{str(error).rstrip('.?')}." if str(error) else "No verb was given."
        fail(UsageError(what, advice="`--help` shows an example."))
    except (KeyboardInterrupt, typer.Abort):
        status = Interrupted.exit_status
    except OSError as error:
        what = f"{error.filename}: {error.strerror}." if error.filename else f"{error}."
        kind = BadInput if error.errno in _NO_SUCH_PLACE else Unavailable
        fail(kind(what, advice=MAKE_ROOM if error.errno in _NO_ROOM else "Mend that, or name another place."))
    if status == Interrupted.exit_status:  # as the library returns it, too
        fail(Interrupted("Stopped. What was kept so far is in the unfinished result."))
    sys.exit(status or 0)


def fail(error: BenchError) -> None:
    """One line on standard error, and the error's exit status."""
    sys.stderr.write(f"bench: {visible(str(error))}\n")
    sys.exit(error.exit_status)
