"""The verbs for people at the bundled terminal UI: open it, report on what they did there."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.display import display
from runner.adapters.formats import read_document
from runner.adapters.image.workshop import BUNDLED
from runner.adapters.interaction_file import delete_interactions
from runner.documents import canonical_bytes
from runner.errors import BenchError, UsageError
from runner.provenance.manifest import SystemManifest
from runner.shell import ROOT, Json, print_lines, print_text, source, tell, tools
from runner.tools import Tools
from runner.workflows.accept import DefaultSystem
from runner.workflows.interactions import interactions_screen, report_interactions

people = typer.Typer()


@people.command()
def tui(
    system: Annotated[
        str | None, typer.Option(help="A system of manifests/systems; else that of manifests/default-system.json.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Record what is done with results in this file.")] = None,
    interleave: Annotated[Path | None, typer.Option(help="Another configuration, or system manifest.")] = None,
    label: Annotated[str, typer.Option(help="A slice to record beside each event.")] = "",
    *,
    with_text: Annotated[bool, typer.Option("--with-text", help="Record the queries, too.")] = False,
) -> None:
    """The bundled system's terminal UI, for your own hands. Example: `./bench run tui --record events.jsonl`"""
    kit = tools()
    answering = default_environment() if system is None else environment_of(bundled_system(system))
    with kit.progress.step("preparing the system"):
        _, folder = kit.prepared_system()
    environment = {
        **answering,
        "MAMBO_CORPUS": str(corpus_with_previews(kit)),
        "MAMBO_MODELS": str(kit.models()),
        "PYTHONDONTWRITEBYTECODE": "1",
        **({"MAMBO_INTERACTIONS": str(record.absolute())} if record else {}),
        **({"MAMBO_INTERACTIONS_TEXT": "1"} if with_text else {}),
        **({"MAMBO_INTERACTIONS_SLICE": label} if label else {}),
        **(interleaved(answering, interleave) if interleave else {}),
    }
    os.chdir(folder)
    # In this very process, so that whoever ends it ends the UI.
    os.execve(sys.executable, [sys.executable, "-m", "mambomeme"], {**os.environ, **environment})


def default_environment() -> dict[str, str]:
    """That of the system that `accept --apply` has set, or that was shipped with, unless a configuration was given."""
    if "MAMBO_CONFIGURATION" in os.environ:
        return {}
    return environment_of(bundled_system(read_document(ROOT / "manifests/default-system.json", DefaultSystem).system))


def interleaved(answering: Mapping[str, str], other: Path) -> dict[str, str]:
    """What sets another system beside the one that answers; the screen names both, not which result is whose."""
    name = answering.get("MAMBO_NAME", "your own")
    return {"MAMBO_INTERLEAVE": str(other.absolute()), "MAMBO_NAME": f"{name} and {other.stem}, interleaved"}


def bundled_system(name: str) -> SystemManifest:
    """The configuration of the bundled engine that is called `name`."""
    path = ROOT / f"manifests/systems/{name}.json"
    found = read_document(path, SystemManifest) if path.exists() else None
    if found is None or found.folder != BUNDLED:
        what = f"--system {name}: no manifest in manifests/systems gives the bundled engine that name."
        raise UsageError(what, advice="bm25, dense and hybrid are there.")
    return found


def environment_of(system: SystemManifest) -> dict[str, str]:
    """What makes the bundled program that system, and says so on its screen."""
    return {"MAMBO_CONFIGURATION": canonical_bytes(system.configuration).decode(), "MAMBO_NAME": system.name}


def corpus_with_previews(kit: Tools) -> Path:
    """The corpus with its pictures, drawn now if they were not before; without them where they cannot be had."""
    try:
        return kit.previews()
    except BenchError as error:
        tell(f"without pictures: {error}")
        return ROOT / "images/corpus"


@people.command("interactions")
def interactions(
    file: Annotated[Path, typer.Argument(help="The events that a terminal UI has recorded.")],
    *,
    json: Json = False,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the file instead.")] = False,
) -> None:
    """How people used the ranked list; no part of the score. Example: `./bench run interactions events.jsonl`"""
    if delete:
        delete_interactions(file)
        print_lines([f"{file}: deleted"])
        return
    report = report_interactions(source(file), tools().retrievers())
    if json:
        print_text(report.pretty().decode())
    else:
        display(interactions_screen(report))
