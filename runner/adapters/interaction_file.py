"""Deletes a file of interaction events, and no other."""

from __future__ import annotations

from pathlib import Path

from runner.adapters.formats import read_bytes
from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.interaction_events import parse_event


def delete_interactions(path: Path) -> None:
    """Removes `path`; BadInput where its first line is no interaction event, so that a slip deletes nothing else."""
    first = read_bytes(path).partition(b"\n")[0]
    if first:
        try:
            parse_event(Source(f"{path}:1", first))
        except BadInput as error:
            raise BadInput(f"{path}: not deleted, as it holds no interaction events. {error.what}") from None
    path.unlink()
