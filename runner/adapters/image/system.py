"""Makes the system layer: a search system's folder, after its own preparation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from runner.adapters.formats import read_document
from runner.adapters.image.sources import file_node, project_files, source_files
from runner.adapters.image.tree import Hashing, Tree
from runner.errors import BadInput
from runner.provenance.manifest import SystemCard

_TOP = "opt/system"


class Surroundings(NamedTuple):
    """What a system is prepared with: the folders of corpus and models, and one that keeps for the next time what
    takes long to make."""

    corpus: Path
    models: Path
    cache: Path


def system_tree(folder: Path, surroundings: Surroundings, bundled: Path) -> Tree:
    """The files of the system in `folder` (see `system_files`), prepared with `surroundings`.

    What prepares runs on this machine, where the labels are (D8): BadInput where another system than the one in
    `bundled`, which is part of this checkout, asks for it.
    """
    card = read_document(folder / "system.json", SystemCard)
    tree = Tree()
    with tempfile.TemporaryDirectory(prefix="system-") as scratch:
        copy = Path(scratch) / "system"
        for name, path in system_files(folder, bundled).items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy / name)
        if card.prepare:
            _require_bundled(folder, bundled)
            _prepare(card.prepare, copy, surroundings, folder)
        for name, path in source_files(copy).items():
            tree.add(f"{_TOP}/{name}", file_node(path), str(folder / name))
    return tree


def system_files(folder: Path, bundled: Path) -> dict[str, Path]:
    """The files of the system in `folder`, and where it extends the one in `bundled`, those of that one which it has
    not itself."""
    own = project_files(folder)
    if not _extends(folder):
        return own
    return dict(sorted((project_files(bundled) | own).items()))


def _extends(folder: Path) -> bool:
    """Whether the system stands on the bundled one; a card that cannot be read is refused where it is loaded."""
    try:
        return read_document(folder / "system.json", SystemCard).extends is not None
    except BadInput:
        return False


def source_digest(folder: Path, bundled: Path) -> str:
    """Digest of the files of the system in `folder` as a layer; it is their layer where nothing is prepared."""
    tree, sink = Tree(), Hashing(_Nowhere())
    for name, path in system_files(folder, bundled).items():
        tree.add(f"{_TOP}/{name}", file_node(path), str(folder / name))
    tree.write(sink)
    return sink.digest


class _Nowhere:
    """Takes bytes and keeps none."""

    def write(self, data: bytes, /) -> int:
        return len(data)


def _require_bundled(folder: Path, bundled: Path) -> None:
    if folder.resolve() != bundled.resolve():
        raise BadInput(
            f"{folder / 'system.json'}: prepare: only the bundled system's is run, since it runs outside the "
            "container, where the labels are.",
            advice="Set it to null; bring what it makes ready-made, or make it at the engine's start in HOME.",
        )


def _prepare(command: tuple[str, ...], copy: Path, surroundings: Surroundings, folder: Path) -> None:
    program = sys.executable if command[0] == "python3" else command[0]
    surroundings.cache.mkdir(parents=True, exist_ok=True)
    environment = {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "HOME": str(copy.parent),
        "MAMBO_CORPUS": str(surroundings.corpus.resolve()),
        "MAMBO_MODELS": str(surroundings.models.resolve()),
        "MAMBO_CACHE": str(surroundings.cache.resolve()),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    line = [program, *command[1:]]
    try:
        done = subprocess.run(
            line, cwd=copy, env=environment, capture_output=True, check=False, stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise BadInput(f"{folder / 'system.json'}: prepare: {error.strerror}: {command[0]}.") from None
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
        raise BadInput(f"{folder / 'system.json'}: prepare ended with status {done.returncode}: {last[0]}")
