"""Makes the corpus layer: the items, their card, and the previews drawn from public-domain art."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from runner.adapters.formats import read_document, read_pinned
from runner.adapters.image.sources import source_files
from runner.adapters.image.tree import File, Tree, file_digest
from runner.errors import BadInput
from runner.ports import Step
from runner.provenance.locks import Locked
from runner.retrieval.items import CorpusCard, Item

_TOP = "opt/corpus"
_COUNT = re.compile(r"(\d+)/(\d+)")


def corpus_tree(folder: Path, art: list[tuple[Locked, Path]], step: Step) -> Tree:
    """`items.jsonl`, `corpus.json` and `previews/` of the corpus in `folder`; BadInput if a digest is wrong."""
    items = check_corpus(folder)
    tree = Tree()
    for name in ("items.jsonl", "corpus.json"):
        tree.add(f"{_TOP}/{name}", File((folder / name).read_bytes()), str(folder / name))
    with tempfile.TemporaryDirectory(prefix="previews-") as scratch:
        _render(folder, [path for _, path in art], Path(scratch), step)
        _add_previews(tree, items, Path(scratch))
    return tree


def check_corpus(folder: Path) -> tuple[Item, ...]:
    """The items of the corpus in `folder`; BadInput if they, or its sources, are not those that its card names."""
    card = read_document(folder / "corpus.json", CorpusCard)
    for name, expected in card.sources.items():
        read_pinned(folder / name, expected)
    items = folder / "items.jsonl"
    return Item.parse_lines(read_pinned(items, card.items), str(items))


def _render(folder: Path, packages: list[Path], to: Path, step: Step) -> None:
    command = [sys.executable, "-B", str(folder / "previews.py"), "render", "--items", str(folder / "items.jsonl")]
    command += ["--art", str(folder / "art.jsonl"), "--to", str(to)]
    command += [word for package in packages for word in ("--package", str(package))]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as drawing:
        try:
            last = _follow(drawing.stderr or (), step)
        except BaseException:
            drawing.kill()
            raise
    if drawing.returncode:
        raise BadInput(f"{folder / 'previews.py'}: {last}")


def _follow(lines: Iterable[str], step: Step) -> str:
    """Pass counts on as progress; the last line, which is the reason if the drawing fails."""
    last = "no reason given"
    for line in map(str.strip, lines):
        count = _COUNT.fullmatch(line)
        if count:
            step.advance(int(count[1]), int(count[2]))
        last = line or last
    return last


def _add_previews(tree: Tree, items: tuple[Item, ...], drawn: Path) -> None:
    files = source_files(drawn)
    for item in items:
        path = _drawn(files, item)
        found = file_digest(path)
        if found != item.preview.digest:
            raise BadInput(f"{item.preview.path}: expected {item.preview.digest}, found {found}.")
        tree.add(f"{_TOP}/{item.preview.path}", File(path.read_bytes()), item.doc_id)


def _drawn(files: dict[str, Path], item: Item) -> Path:
    name = item.preview.path
    for candidate in (name, PurePosixPath(name).name):
        if candidate in files:
            return files[candidate]
    raise BadInput(f"{name}: the preview of {item.doc_id} was not drawn.")
