"""Reads and checks the files that enter a run; every error names the file."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from runner.documents import Document, digest
from runner.errors import BadInput

D = TypeVar("D", bound=Document)


def name_of(path: Path) -> str:
    """How messages name a file: on one line, whatever it is called."""
    return str(path).replace("\n", "\\n")


def read_bytes(path: Path) -> bytes:
    """The bytes of a file that must be there."""
    name = name_of(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BadInput(f"{name}: no such file.", advice="Restore it, or mend the path that names it.") from None
    except OSError as error:
        raise BadInput(f"{name}: cannot be read: {error.strerror}.") from None


def read_pinned(path: Path, expected: str) -> bytes:
    """The bytes of a file whose digest must be `expected`."""
    data = read_bytes(path)
    found = digest(data)
    if found != expected:
        raise BadInput(
            f"{path}: expected {expected}, found {found}.",
            advice="Restore the pinned file, or re-pin it with `./bench run pin`.",
        )
    return data


def read_document(path: Path, kind: type[D]) -> D:
    """The document in a file."""
    return kind.parse(read_bytes(path), str(path))
