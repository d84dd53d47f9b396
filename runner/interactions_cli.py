"""The verbs for people at the bundled terminal UI: open it, report on what they did there."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.display import display
from runner.adapters.formats import read_document
from runner.adapters.interaction_file import delete_interactions
from runner.documents import canonical_bytes
from runner.errors import BenchError
from runner.provenance.manifest import SystemManifest
from runner.shell import ROOT, Json, print_lines, print_text, source, tell, tools
from runner.tools import Tools
from runner.workflows.accept import DefaultSystem
from runner.workflows.interactions import interactions_screen, report_interactions

people = typer.Typer()


@people.command()
def tui(
    record: Annotated[Path | None, typer.Option(help="Record what is done with results in this file.")] = None,
    interleave: Annotated[Path | None, typer.Option(help="Another configuration, or system manifest.")] = None,
    label: Annotated[str, typer.Option(help="A slice to record beside each event.")] = "",
    *,
    with_text: Annotated[bool, typer.Option("--with-text", help="Record the queries, too.")] = False,
) -> None:
    """The bundled system's terminal UI, for your own hands. Example: `./bench run tui --record events.jsonl`"""
    kit = tools()
    with kit.progress.step("preparing the system"):
        _, folder = kit.prepared_system()
    environment = {
        "MAMBO_CONFIGURATION": default_configuration(),
        **os.environ,
        "MAMBO_CORPUS": str(corpus_with_previews(kit)),
        "MAMBO_MODELS": str(kit.models()),
        "PYTHONDONTWRITEBYTECODE": "1",
        **({"MAMBO_INTERACTIONS": str(record.absolute())} if record else {}),
        **({"MAMBO_INTERACTIONS_TEXT": "1"} if with_text else {}),
        **({"MAMBO_INTERACTIONS_SLICE": label} if label else {}),
        **({"MAMBO_INTERLEAVE": str(interleave.absolute())} if interleave else {}),
    }
    os.chdir(folder)
    # In this very process, so that whoever ends it ends the UI.
    os.execve(sys.executable, [sys.executable, "-m", "mambomeme"], environment)


def default_configuration() -> str:
    """The configuration of the system that `accept --apply` has set, or that was shipped with."""
    default = read_document(ROOT / "manifests/default-system.json", DefaultSystem)
    manifest = read_document(ROOT / f"manifests/systems/{default.system}.json", SystemManifest)
    return canonical_bytes(manifest.configuration).decode()


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
    report = report_interactions(source(file))
    if json:
        print_text(report.pretty().decode())
    else:
        display(interactions_screen(report))
