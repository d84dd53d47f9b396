"""The models layer as a folder, and copies of it to damage."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from runner.cli import tools

MODEL = "all-MiniLM-L6-v2"


@cache
def models_folder() -> Path:
    """What MAMBO_MODELS names in the image."""
    return tools().models()


def copied(to: Path) -> Path:
    """A models folder of one's own."""
    shutil.copytree(models_folder(), to)
    return to
