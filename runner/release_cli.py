"""The verb for people who change what the bundled system answers from: its own command for releases."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from runner.shell import ROOT, tools

releases = typer.Typer()


@releases.command()
def release(
    word: Annotated[str, typer.Argument(help="build, publish, rollback or current.")],
    folder: Annotated[Path | None, typer.Argument(help="The folder of a release.")] = None,
    place: Annotated[
        Path | None, typer.Option("--in", envvar="MAMBO_RELEASES", help="The folder of published releases.")
    ] = None,
    corpus: Annotated[Path, typer.Option(envvar="MAMBO_CORPUS", help="What to build from.")] = ROOT / "images/corpus",
) -> None:
    """Build, publish or roll back a release of the index. Example: `./bench run release build out/release`"""
    kit = tools()
    _, system = kit.prepared_system()
    environment = {
        **os.environ,
        "MAMBO_CORPUS": str(corpus.absolute()),
        "MAMBO_MODELS": str(kit.models()),
        "MAMBO_RELEASES": str(place.absolute()) if place else "",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    words = [word] if folder is None else [word, str(folder.absolute())]
    os.chdir(system)
    os.execve(sys.executable, [sys.executable, "-m", "mambomeme.releases", *words], environment)
