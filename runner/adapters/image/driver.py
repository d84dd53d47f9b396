"""Makes the driver layer: the driver and exactly those modules of the runner that it imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from runner.adapters.image.sources import source_files
from runner.adapters.image.tree import File, Tree
from runner.errors import BadInput

_TOP = "opt/driver"
_START = Path("runner/driver")


def driver_files(root: Path) -> dict[str, Path]:
    """Modules of the driver below `root`, those that they import, and the packages these are in; sorted by path."""
    found: dict[str, Path] = {}
    waiting = [path for name, path in source_files(root / _START).items() if name.endswith(".py")]
    while waiting:
        path = waiting.pop()
        name = path.relative_to(root).as_posix()
        if name not in found:
            found[name] = path
            waiting += _needed(path, root)
    return dict(sorted(found.items()))


def driver_tree(root: Path) -> Tree:
    """The driver of the project in `root`."""
    tree = Tree()
    for name, path in driver_files(root).items():
        tree.add(f"{_TOP}/{name}", File(path.read_bytes()), name)
    return tree


def _needed(path: Path, root: Path) -> Iterator[Path]:
    """Module files of `root` that running the module at `path` reads first."""
    for folder in path.relative_to(root).parents:
        if folder.name:
            yield root / folder / "__init__.py"
    try:
        parsed = ast.parse(path.read_bytes())
    except SyntaxError as error:
        raise BadInput(f"{path}:{error.lineno}: {error.msg}.") from None
    for module in _imports(parsed):
        place = root / module.replace(".", "/")
        yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.exists())


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] == "runner")
