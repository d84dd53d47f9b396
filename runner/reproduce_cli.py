"""The verb that runs a result again: reproduce."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.archives import ENDING as ARCHIVED
from runner.adapters.archives import open_result
from runner.adapters.display import display
from runner.adapters.host import SystemClock
from runner.adapters.scratch import scratch
from runner.adapters.store import replace, write_once
from runner.errors import Findings
from runner.hidden import here
from runner.keys_cli import RootId, TrustFile, known_trust
from runner.provenance.manifest import RunManifest
from runner.provenance.reproduction import Outcome, ReproducedRun
from runner.provenance.signatures import open_reproduction
from runner.provenance.trust import Trust
from runner.run_cli import Results
from runner.shell import ROOT, Json, print_text, source, tools
from runner.tools import HARDWARE, SPREAD, Tools
from runner.workflows.names import MANIFEST
from runner.workflows.original import Original, read_original
from runner.workflows.repeat import Side, read_side
from runner.workflows.reproduce import Reproduction, hold_statement, reproduce
from runner.workflows.reproduction_screen import checked_screen, reproduction_screen
from runner.workflows.spread import host_spread, spread_screen
from runner.workflows.verify import open_signed

reproducing = typer.Typer()

#: What a statement is called, behind the second run's name.
ENDING = ".reproduction.dsse.json"
NOT_AT_HAND = "the second result was not at hand: what it showed is the signer's word"


@reproducing.command("reproduce")
def reproduce_(
    results: Annotated[Path, typer.Argument(help="A result, its archive, or the manifest in it.")],
    trust: TrustFile = ROOT / ".keys/trust.json",
    root: RootId = None,
    archive: Annotated[list[Path] | None, typer.Option(help="An image as a file; may be repeated.")] = None,
    to: Results = ROOT / "results",
    check: Annotated[Path | None, typer.Option(metavar="STATEMENT", help="Run nothing: check what was signed.")] = None,
    again: Annotated[Path | None, typer.Option(help="With --check: the second result, where it is not beside.")] = None,
    *,
    json: Json = False,
) -> None:
    """Run a result again, compare, sign what came out. Example: `./bench run reproduce results/RUN --trust T.json`"""
    kit, now = tools(), SystemClock().now()
    folder = results.parent if results.name == MANIFEST else results
    known, _ = known_trust(trust, root, now)
    if check is not None:
        said, screen = _check(folder, check, again, (known, now))
    else:
        original = read_original(open_result(folder), known, now, here(kit, None))
        made = _run(kit, original, archive or (), to)
        said, screen = made.run, _kept(made, to)
    if json:
        print_text(said.pretty().decode())
    else:
        display(screen)
    if said.equality.outcome is not Outcome.REPRODUCED:
        raise Findings(f"{folder}: not reproduced by {said.again.run_id}.")


@reproducing.command("spread")
def spread_(
    results: Annotated[list[Path], typer.Argument(help="Five results or more, of one manifest on one host.")],
    trust: TrustFile = ROOT / ".keys/trust.json",
    root: RootId = None,
    to: Annotated[Path | None, typer.Option(help="The file; else beside the hardware profile.")] = None,
) -> None:
    """How far times lie apart on one host, for `reproduce`. Example: `./bench run spread results/2*-official-*`"""
    now = SystemClock().now()
    known, _ = known_trust(trust, root, now)
    found = host_spread([_signed_side(path, known, now) for path in results])
    profile = RunManifest.parse(open_result(results[0]).read(MANIFEST), MANIFEST).hardware.path
    place = to or ROOT / HARDWARE / f"{Path(profile).stem}{SPREAD}"
    replace(place, found.pretty())
    display(f"{spread_screen(found)}\n\n{place}")


def _signed_side(path: Path, trust: Trust, now: str) -> Side:
    """The requests of a result, once every file in it was held against its signature."""
    folder = open_result(path)
    open_signed(folder, trust, now)
    return read_side(folder)


def _run(kit: Tools, original: Original, archives: Sequence[Path], to: Path) -> Reproduction:
    """In the images that are locked; a plain process where there are none."""
    if any(one.image is not None for one in original.lock.systems):
        return reproduce(original, kit.locked_stage(original, archives, to), kit.desk(to), open_result, kit.spreads())
    with scratch() as place:
        stage = kit.plain_stage(original.inputs, place)
        return reproduce(original, stage, kit.desk(to), open_result, kit.spreads())


def _kept(made: Reproduction, to: Path) -> str:
    """Keep the statement beside the second result, and say where."""
    place = to / f"{made.path.name}{ENDING}"
    write_once(place, made.envelope)
    return f"{reproduction_screen(made.run)}\n\n  second run  {made.path}\n  statement   {place}"


def _check(folder: Path, statement: Path, again: Path | None, by: tuple[Trust, str]) -> tuple[ReproducedRun, str]:
    """Hold a statement against the results it is about; what it says, also as a screen."""
    signed = open_reproduction(source(statement).data, source(statement).where, *by)
    run = signed.statement.predicate
    second = again or statement.parent / run.again.run_id
    if again is None and not second.is_dir():
        second = second.with_name(f"{second.name}{ARCHIVED}")
    there = second.exists() or again is not None
    hold_statement(signed, read_side(open_result(folder)), read_side(open_result(second)) if there else None)
    notes = signed.notes if there else (*signed.notes, NOT_AT_HAND)
    return run, checked_screen(run, signed.signers, notes)
