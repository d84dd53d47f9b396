"""Resolves the locks anew and says what moved."""

from __future__ import annotations

from pathlib import Path

from runner.ports import Workshop
from runner.provenance.locks import Moved, moved


def relock(workshop: Workshop, to: Path | None = None) -> tuple[Moved, ...]:
    """Write the locks as they resolve today over the present ones, or into the folder `to`; what moved."""
    old, new = workshop.locks(), workshop.resolve()
    workshop.keep_locks(new, to)
    return moved(old, new)
