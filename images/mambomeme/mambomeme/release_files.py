"""A release as a folder: how it is made, and what must be true of it before anybody is answered from it."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple, TypeVar

from mambomeme import index
from mambomeme.catalogue import Catalogue, Loader
from mambomeme.corpus import digest, read_corpus
from mambomeme.faults import StartError

FORMAT = "mambo-release/v1"
CARD = "release.json"
_VERSIONS = ("corpus", "index", "model")
_KEYS = {"format", "files", *_VERSIONS}
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_LONGEST_CARD = 1 << 20
_ADVICE = "Build the release again."

Answer = TypeVar("Answer")


class ReleaseError(StartError):
    """A folder that is no whole release, or none for this engine; the text is one line."""


class Card(NamedTuple):
    """The parsed `release.json`: the release's id, what `hello` will say, the digest of each file by its path."""

    id: str
    versions: dict[str, Any]
    files: dict[str, str]


def build(corpus: Path, loader: Loader, target: Path) -> str:
    """Make a release of the items in `corpus` in the new folder `target`, which comes whole or not at all; its id."""
    if os.path.lexists(target):
        raise ReleaseError(f"{target}: is there already. Name a new folder.")
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.absolute().parent))
    try:
        found = _draw_up(corpus, loader, draft)
        draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return found


def _draw_up(corpus: Path, loader: Loader, draft: Path) -> str:
    try:
        shutil.copyfile(corpus / "items.jsonl", draft / "items.jsonl")
    except FileNotFoundError:
        raise ReleaseError(f"{corpus / 'items.jsonl'}: is missing. Set MAMBO_CORPUS to the corpus folder.") from None
    index.write(loader.index_files(read_corpus(draft)), draft / "index")
    versions = loader.versions(draft)
    card = {"format": FORMAT, **{key: versions[key] for key in _VERSIONS}}
    files = {name: digest((draft / name).read_bytes()) for name in sorted(_listing(draft))}
    text = json.dumps(card | {"files": files}, indent=1).encode() + b"\n"
    (draft / CARD).write_bytes(text)
    return digest(text)


def read_card(folder: Path) -> Card:
    """What `release.json` in `folder` says; ReleaseError where it is not one."""
    path = folder / CARD
    try:
        with open_plain(path) as file:
            data = file.read(_LONGEST_CARD)
        card = json.loads(data, object_pairs_hook=_once)
    except OSError as error:
        raise ReleaseError(f"{path}: {error.strerror}. Name the folder of a release.") from None
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"{path}: not JSON ({error}). {_ADVICE}") from None
    wrong = _fault(card)
    if wrong:
        raise ReleaseError(f"{path}: {wrong}. {_ADVICE}")
    return Card(digest(data), {key: card[key] for key in _VERSIONS}, card["files"])


def open_plain(path: Path) -> BinaryIO:
    """A file opened for reading; OSError at a link, and no waiting at a pipe."""
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK))


def require_listing(folder: Path, card: Card) -> None:
    """ReleaseError unless `folder` holds the files of `card`, itself, and nothing else."""
    there, wanted = set(_listing(folder)), {*card.files, CARD}
    for name in sorted(wanted - there):
        raise ReleaseError(f"{folder / name}: is missing. {_ADVICE}")
    for name in sorted(there - wanted):
        raise ReleaseError(f"{folder / name}: {CARD} does not name it. {_ADVICE}")


def open_release(folder: Path, loader: Loader) -> Catalogue:
    """The catalogue of a whole release for this engine; ReleaseError where it is not one."""
    card, found = _whole(folder), _answered(folder, loader.release)
    _require_versions(folder, card, found.versions)
    return found


def check_release(folder: Path, loader: Loader) -> None:
    """ReleaseError where the release in `folder` is not whole or not for this engine, before anything is loaded."""
    _require_versions(folder, _whole(folder), _answered(folder, loader.versions))


def _whole(folder: Path) -> Card:
    card = read_card(folder)
    require_listing(folder, card)
    for name, expected in card.files.items():
        found = digest((folder / name).read_bytes())
        if found != expected:
            raise ReleaseError(f"{folder / name}: expected {expected}, found {found}. {_ADVICE}")
    return card


def _require_versions(folder: Path, card: Card, found: dict[str, Any]) -> None:
    for key in _VERSIONS:
        if found[key] != card.versions[key]:
            said = f"{key} is {card.versions[key]}, this engine says {found[key]}"
            raise ReleaseError(f"{folder / CARD}: {said}. {_ADVICE}")


def _answered(folder: Path, ask: Callable[[Path], Answer]) -> Answer:
    try:
        return ask(folder)
    except StartError as error:
        raise ReleaseError(str(error)) from None
    except Exception as error:  # whatever a foreign file breaks, it is no release
        raise ReleaseError(f"{folder}: holds no index ({type(error).__name__}: {error}). {_ADVICE}") from None


def _listing(folder: Path) -> Iterator[str]:
    """The paths of all files below `folder`; ReleaseError at a link, a device or a folder that holds nothing."""
    for place, folders, files in os.walk(folder, onerror=_raise):
        if not folders and not files:
            raise ReleaseError(f"{place}: is empty. {_ADVICE}")
        for name in (*folders, *files):
            path = Path(place, name)
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                raise ReleaseError(f"{path}: is neither a file nor a folder. {_ADVICE}")
        yield from (Path(place, name).relative_to(folder).as_posix() for name in files)


def _raise(error: OSError) -> None:
    raise error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _fault(card: Any) -> str:
    """What is wrong with a parsed card, in words; empty where nothing is."""
    if not isinstance(card, dict) or card.keys() != _KEYS:
        return f"must be an object with the keys {', '.join(sorted(_KEYS))}"
    if card["format"] != FORMAT:
        return f"format must be {FORMAT}"
    for key in _VERSIONS:
        if not _is_digest(card[key]) and not (key == "model" and card[key] is None):
            return f"{key} must be a sha256 digest"
    if not isinstance(card["files"], dict):
        return "files must be an object"
    return next(filter(None, (_file_fault(*entry) for entry in card["files"].items())), "")


def _file_fault(name: str, value: Any) -> str:
    if name == CARD or not _is_plain(name):
        return f"{name!r} is no path within a release"
    return "" if _is_digest(value) else f"{name!r} must have a sha256 digest"


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _is_plain(name: str) -> bool:
    """Whether `name` is a relative path without detours, written in the one usual way."""
    parts = PurePosixPath(name).parts
    return bool(parts) and "/".join(parts) == name and name[0] != "/" and ".." not in parts and "\0" not in name
