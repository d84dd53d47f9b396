"""The verb that tries somebody's system against the contract."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.scratch import scratch
from runner.counts import counted
from runner.errors import Findings
from runner.shell import ROOT, Json, print_lines, print_text, tell, tools
from runner.workflows.conform import Ground, conform
from runner.workflows.summary import conformity_screen

trying = typer.Typer()

UNNAMED = (
    "no manifest in manifests/systems names it, so it is tried with an empty configuration. "
    "Give one with --configuration FILE, or write the manifest."
)


@trying.command("conform")
def conform_(
    folder: Annotated[Path, typer.Argument(help="The folder with system.json.", metavar="SYSTEM_DIR")],
    configuration: Annotated[
        Path | None, typer.Option(help="A JSON file; else that of the system manifest that names the folder.")
    ] = None,
    *,
    json: Json = False,
) -> None:
    """Does a system keep the contract? Tries it as a plain process. Example: `./bench run conform systems/tiny`"""
    kit = tools()
    system, inputs = kit.system(folder, configuration), kit.inputs(ROOT / "manifests/quick.json")
    if configuration is None and kit.named(folder) is None:
        tell(f"{folder}: {UNNAMED}")
    with scratch() as place, tempfile.TemporaryDirectory() as records:
        seat = kit.plain_seat(system.manifest.folder, place)
        found = conform(system, inputs, Ground(seat, Path(records), kit.progress))
    if json:
        print_text(found.pretty().decode())
    else:
        print_lines([conformity_screen(found)])
    if found.findings:
        raise Findings(f"{folder}: does not keep the contract in {counted(len(found.findings), 'place')}.")
