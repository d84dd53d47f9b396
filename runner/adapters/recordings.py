"""Reads recordings that anybody may have made."""

from __future__ import annotations

from pathlib import Path

from runner.adapters.formats import name_of
from runner.documents import Source
from runner.errors import BadInput
from runner.terminal.asciicast.findings import MOST_BYTES


def recording(path: Path) -> Source:
    """A file's bytes, no more than one above what is looked at."""
    name = name_of(path)
    try:
        with path.open("rb") as file:
            return Source(name, file.read(MOST_BYTES + 1))
    except FileNotFoundError:
        raise BadInput(f"{name}: no such file.", advice="Name a recording, as in results/RUN/casts.") from None
    except OSError as error:
        raise BadInput(f"{name}: cannot be read: {error.strerror}.") from None
