"""The verb that makes the review page of a result."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.archives import open_result, result_name
from runner.adapters.folders import write_folder
from runner.adapters.review.player import fetch_player
from runner.adapters.store import OpenedResult
from runner.errors import UsageError
from runner.hidden import here
from runner.ports import ResultFolder
from runner.provenance.sealed import is_hidden
from runner.shell import HiddenKey, hidden_key, print_lines, tools
from runner.tools import Tools
from runner.workflows.examine import Load
from runner.workflows.hush import HIDDEN, hushed
from runner.workflows.names import MANIFEST, need
from runner.workflows.review.facts import Ground
from runner.workflows.review.page import review
from runner.workflows.verify_hidden import Unseal, of_hidden_run, unsealed

reviewing = typer.Typer()

LAYS_OPEN = "shows the hidden partition in the clear"
SHOWS = f"it {LAYS_OPEN}, to its owner alone: delete it when you are done"


@reviewing.command("review")
def review_(
    results: Annotated[Path, typer.Argument(help="A folder below results/, or an archive of one.", show_default=False)],
    to: Annotated[
        Path | None, typer.Option(help="The new folder; else the result's name with `.review`, but for a hidden run.")
    ] = None,
    identity: HiddenKey = None,
) -> None:
    """A page to watch every request of a result, offline. Example: `./bench run review results/RUN --to out/review`"""
    results = Path(os.path.abspath(results))  # noqa: PTH100 - `.` and `..` have no name to write beside
    kit, folder = tools(), open_result(results)
    manifest = need({name: folder.read(name) for name in folder.names() if name == MANIFEST}, MANIFEST)
    hidden = of_hidden_run({MANIFEST: manifest})
    place = to or (None if hidden else results.with_name(f"{result_name(results)}.review"))
    if place is None:
        what = f"{results}: the review of a hidden run {LAYS_OPEN}."
        raise UsageError(what, advice="Name a new folder for it with --to, outside the checkout.")
    if hidden:
        files = _of_hidden(kit, folder, here(kit, hidden_key(identity)).unseal)
    else:
        files = _pages(kit, folder, kit.inputs_of)
    write_folder(place, {name: [data] for name, data in files.items()}, mode=0o700 if hidden else 0o755)
    print_lines([f"{place / 'index.html'}: open it in a browser", *([SHOWS] if hidden else [])])


def _of_hidden(kit: Tools, folder: ResultFolder, unseal: Unseal) -> dict[str, bytes]:
    """The review of a hidden run, from its sealed files or from what `partition open` made of them."""
    files = {name: folder.read(name) for name in folder.names()}
    inner = unsealed(files, unseal)
    with hushed(HIDDEN) if is_hidden(files) else nullcontext():
        return _pages(kit, OpenedResult(inner.files), inner.load)


def _pages(kit: Tools, folder: ResultFolder, load: Load) -> dict[str, bytes]:
    inputs = load(folder.read(MANIFEST))
    ground = Ground.of(inputs.partition, inputs.corpus)
    return review(folder, ground, fetch_player(kit.cache), kit.progress)
