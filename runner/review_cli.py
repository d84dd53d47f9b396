"""The verb that makes the review page of a result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.folders import write_folder
from runner.adapters.review.player import fetch_player
from runner.adapters.store import FinishedResult
from runner.shell import print_lines, tools
from runner.workflows.names import MANIFEST, need
from runner.workflows.review.facts import Ground
from runner.workflows.review.page import review

reviewing = typer.Typer()


@reviewing.command("review")
def review_(
    results: Annotated[Path, typer.Argument(help="A folder below results/.", show_default=False)],
    to: Annotated[Path | None, typer.Option(help="The new folder; else the result's name with `.review`.")] = None,
) -> None:
    """A page to watch every request of a result, offline. Example: `./bench run review results/RUN --to out/review`"""
    kit, folder = tools(), FinishedResult(results)
    kept = {name: folder.read(name) for name in folder.names() if name == MANIFEST}
    inputs = kit.inputs_of(need(kept, MANIFEST))
    place = to or results.with_name(f"{results.name}.review")
    ground = Ground.of(inputs.partition, inputs.corpus)
    files = review(folder, ground, fetch_player(kit.cache), kit.progress)
    write_folder(place, {name: [data] for name, data in files.items()})
    print_lines([f"{place / 'index.html'}: open it in a browser"])
