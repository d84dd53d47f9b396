"""Makes the site layer: locked wheels unpacked below `/opt/site`."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

from runner.adapters.image.tree import File, Tree
from runner.errors import BadInput
from runner.provenance.locks import Locked

_TOP = "opt/site"


def site_tree(wheels: list[tuple[Locked, Path]]) -> Tree:
    """The modules of `wheels`, without scripts, headers and compiled byte code."""
    tree = Tree()
    for locked, path in wheels:
        where = f"{locked.name} {locked.version}"
        for name, node in _unpack(path, where):
            tree.add(f"{_TOP}/{name}", node, where)
    return tree


def _unpack(path: Path, where: str) -> Iterator[tuple[str, File]]:
    try:
        with zipfile.ZipFile(path) as wheel:
            for member in wheel.infolist():
                name = _site_name(member.filename)
                if name and not member.is_dir():
                    mode = 0o755 if member.external_attr >> 16 & 0o100 else 0o644
                    yield name, File(wheel.read(member), mode)
    except zipfile.BadZipFile as error:
        raise BadInput(f"{where}: not a readable wheel: {error}.") from None


def _site_name(name: str) -> str:
    """Where a wheel's file goes below the site folder; empty if it is left out."""
    top, _, rest = name.partition("/")
    if name.endswith(".pyc"):
        return ""
    if not top.endswith(".data"):
        return name
    scheme, _, rest = rest.partition("/")
    return rest if scheme in {"purelib", "platlib"} else ""
