"""The verbs that run the benchmark: official, quick."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from runner.adapters.display import display
from runner.adapters.formats import name_of
from runner.adapters.scratch import scratch
from runner.adapters.sealed_store import Vault
from runner.errors import BadInput, UsageError
from runner.hidden import hidden_inputs, open_sealed, private_stage, vault
from runner.provenance.inputs import Inputs
from runner.provenance.tries import NONCE
from runner.shell import AGE_KEY, ROOT, Identity, age_key, print_lines, tell, tools
from runner.terminal.profile import Profile
from runner.tools import Tools
from runner.workflows.hush import hushed
from runner.workflows.official import Desk, Finished, Stage, official, shortfalls
from runner.workflows.summary import final_screen, hidden_screen

runs = typer.Typer()

Results = Annotated[Path, typer.Option("--to", help="The folder that results go into.")]
Systems = Annotated[list[str] | None, typer.Option("--system", help="Only this system; may be repeated.")]
Partition = Annotated[
    Path | None, typer.Option(help="A sealed partition, or the folder of an open one, in place of the manifest's.")
]


def _nonce(text: str | None) -> str | None:
    if text is not None and not re.fullmatch(NONCE, text):
        raise UsageError(f"--nonce {text!r} is no nonce.", advice="Give what `nonce` printed: 32 digits, 0-9 and a-f.")
    return text


GivenNonce = Annotated[
    str | None, typer.Option("--nonce", help="What a witness gave out for this run.", callback=_nonce)
]

TRUSTING = "The system runs as you: it can read your files, the age key and what you sealed too. Use one you trust."


class Asked(NamedTuple):
    """What a run is asked to score: the manifest, the partition in place of its own, the key, which systems, and the
    terminal in place of the manifest's."""

    manifest: Path
    partition: Path | None
    identity: Path
    systems: list[str] | None
    terminal: Profile | None = None


class Ready(NamedTuple):
    """Inputs in memory, and where evidence is sealed; null: the partition is open."""

    inputs: Inputs
    vault: Vault | None


@runs.command("official")
def official_(
    manifest: Annotated[Path, typer.Argument(help="The run manifest.", readable=False)] = ROOT
    / "manifests/official.json",
    partition: Partition = None,
    identity: Identity = AGE_KEY,
    system: Systems = None,
    to: Results = ROOT / "results",
    nonce: GivenNonce = None,
    *,
    only_check: Annotated[bool, typer.Option("--check", help="Only say what would keep the card provisional.")] = False,
) -> None:
    """The whole run: build, drive, observe, score, seal. Example: `./bench run official --system bm25`"""
    kit = tools()
    ready = _ready(kit, Asked(manifest, partition, identity, system), to)
    stage = kit.container_stage(ready.inputs, to, ready.vault)
    if only_check:
        known = shortfalls(ready.inputs, stage, kit.checkout, kit.offered())
        print_lines(known or ["nothing known before the run keeps the card provisional"])
        return
    _run(ready, stage, kit.desk(to)._replace(nonce=nonce))


@runs.command()
def quick(
    manifest: Annotated[Path, typer.Argument(help="The run manifest.", readable=False)] = ROOT / "manifests/quick.json",
    partition: Partition = None,
    identity: Identity = AGE_KEY,
    system: Systems = None,
    to: Results = ROOT / "results",
    terminal: Annotated[
        Profile | None, typer.Option(help="The terminal that the UI is on, in place of the manifest's.")
    ] = None,
    nonce: GivenNonce = None,
) -> None:
    """The same path as a plain process, without Docker; never eligible. Example: `./bench quick`"""
    kit = tools()
    ready = _ready(kit, Asked(manifest, partition, identity, system, terminal), to)
    with scratch() as place:
        if ready.vault is None:
            stage = kit.plain_stage(ready.inputs, place)
        else:
            tell(TRUSTING)
            stage = private_stage(kit, ready.inputs, place, ready.vault)
        _run(ready, stage, kit.desk(to)._replace(nonce=nonce))


def _ready(kit: Tools, asked: Asked, to: Path) -> Ready:
    """Everything that is asked for, read; a sealed partition nowhere but in memory."""
    if asked.partition is None:
        return Ready(_chosen(kit.inputs(asked.manifest), asked), None)
    if asked.partition.is_dir():
        return Ready(_chosen(kit.inputs_on(asked.manifest, asked.partition), asked), None)
    if not asked.partition.exists():
        raise BadInput(f"{name_of(asked.partition)}: no such partition.", advice="Name a sealed file, or a folder.")
    key = age_key(asked.identity)
    sealed = open_sealed(kit, asked.partition, key)
    with hushed(name_of(asked.partition), lambda _name, _data: False):
        inputs = hidden_inputs(kit, asked.manifest, sealed.files)
    return Ready(_chosen(inputs, asked), vault(to, sealed))


def _chosen(inputs: Inputs, asked: Asked) -> Inputs:
    return inputs.only(asked.systems).on_terminal(asked.terminal)


def _run(ready: Ready, stage: Stage, desk: Desk) -> None:
    """Run, and show the one last screen."""
    if ready.vault is None:
        done = official(ready.inputs, stage, desk)
        display(final_screen(done.card, _place(done)))
        return
    with hushed(f"the hidden run on {ready.inputs.partition.card.name}", ready.vault.note):
        done = official(ready.inputs, stage, desk._replace(store=ready.vault))
    display(hidden_screen(done.card, _place(done)))


def _place(done: Finished) -> Path:
    return done.path.relative_to(Path.cwd()) if done.path.is_relative_to(Path.cwd()) else done.path
