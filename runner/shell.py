"""What every verb of the command line shares: the checkout's tools, files as sources, results on standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated
from unicodedata import category

import typer

from runner.adapters.age import Identity as Key
from runner.adapters.age import load_identity
from runner.adapters.formats import name_of, read_bytes
from runner.adapters.passphrase import passphrase
from runner.adapters.progress import SteadyConsole
from runner.documents import OBEYED, Source
from runner.tools import Tools

ROOT = Path(__file__).resolve().parents[1]

talk = SteadyConsole(stderr=True)

#: The key that opens what this checkout sealed.
AGE_KEY = ROOT / ".keys/partition.age-key"
Identity = Annotated[Path, typer.Option("--identity", help="The file of the age key, encrypted or not.")]
HiddenKey = Annotated[
    Path | None, typer.Option("--identity", help="The age key, encrypted or not, for all of a hidden run's result.")
]

Json = Annotated[bool, typer.Option("--json", help="For programs.")]


def tools() -> Tools:
    """The tools of this checkout; the environment may move its cache, and its locks for a build that cannot count."""
    cache = Path(os.environ.get("MAMBO_CACHE", ROOT / ".cache")).absolute()
    locks = Path(os.environ.get("MAMBO_LOCKS", ROOT / "images/locks")).absolute()
    return Tools(ROOT, cache, locks, talk)


def age_key(path: Path) -> Key:
    """The age key in a file; the passphrase of an encrypted one is asked for."""
    return load_identity(path, passphrase)


def hidden_key(path: Path | None) -> Key | None:
    """As `age_key`, where a file was named."""
    return age_key(path) if path else None


def source(path: Path) -> Source:
    """A file as the parsers take it, under a name that is one line."""
    return Source(name_of(path), read_bytes(path))


def tell(line: object) -> None:
    """A line of talk, on standard error."""
    sys.stderr.write(f"{visible(str(line))}\n")


def visible(text: str) -> str:
    """`text` with every sign spelled out that a terminal would obey, or that would turn the order of what is read.

    A name of a file may hold such; ends of lines are the message's own.
    """
    return "".join(sign if sign == "\n" or category(sign) not in OBEYED else ascii(sign)[1:-1] for sign in text)


def print_text(text: str) -> None:
    """Results go to standard output as they are."""
    sys.stdout.write(text.rstrip("\n") + "\n")


def print_lines(lines: Iterable[object]) -> None:
    """Results, one a line."""
    for line in lines:
        sys.stdout.write(f"{visible(str(line))}\n")
