"""The verbs on recordings of a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.recordings import recording
from runner.adapters.store import write_once
from runner.counts import counted
from runner.documents import pretty_bytes
from runner.errors import Findings
from runner.shell import Json, print_lines, print_text
from runner.workflows.recordings import draw_moment, finding_lines, look_over, save, take_out

cast = typer.Typer(no_args_is_help=True, help="Recordings of a terminal (asciicast versions 1, 2 and 3).")

File = Annotated[Path, typer.Argument(help="A recording.", show_default=False)]
New = Annotated[Path, typer.Option("--to", help="The new file.")]


@cast.command("lint")
def lint_(file: File, *, json: Json = False) -> None:
    """What is wrong with a recording, by line, and what it carries. Example: `./bench run cast lint FILE`"""
    source = recording(file)
    found = look_over(source)
    if json:
        print_text(pretty_bytes([{**one._asdict(), "rule": str(one.rule)} for one in found]).decode())
    else:
        told = [one._replace(deed="") for one in found]
        print_lines([*finding_lines(source.where, told)] or [f"{source.where}: nothing found"])
    if found:
        raise Findings(f"{source.where}: {counted(len(found), 'finding')}.", advice="`cast salvage` mends the form.")


@cast.command("salvage")
def salvage_(file: File, to: New) -> None:
    """Keep every good event of a damaged recording. Example: `./bench run cast salvage FILE --to NEW`"""
    source = recording(file)
    data, saved = save(source)
    write_once(to, data)
    print_lines([*finding_lines(source.where, saved.account), f"{to}: {counted(saved.events, 'event')}"])
    if saved.account:
        raise Findings(f"{source.where}: {counted(len(saved.account), 'finding')}, each with what became of it.")


@cast.command("redact")
def redact_(
    file: File,
    to: New,
    word: Annotated[list[str] | None, typer.Option(help="A word to take out; may be repeated.")] = None,
) -> None:
    """Take words and secrets out of what was shown. Example: `./bench run cast redact FILE --word cena --to NEW`"""
    source = recording(file)
    data, done = take_out(source, word or [])
    write_once(to, data)
    print_lines(
        [
            *finding_lines(source.where, done.findings),
            f"{to}: {counted(done.screens, 'screen')} showed something to hide",
        ]
    )


@cast.command("still")
def still_(file: File, at: Annotated[str, typer.Option(help="Seconds from the start.")], to: New) -> None:
    """One moment of a recording as SVG. Example: `./bench run cast still FILE --at 1.502345 --to screen.svg`"""
    write_once(to, draw_moment(recording(file), at).encode())
    print_lines([f"{to}: the screen at {at} seconds"])
