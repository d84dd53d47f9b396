"""Reads the corpus: of each item what is searched and what is shown, of those that may be shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from mambomeme.admission import reasons
from mambomeme.faults import StartError
from mambomeme.ideas import ideas_for

GIVEN = (
    "title",
    "template",
    "entities",
    "aliases",
    "franchise",
    "tags",
    "action",
    "ocr_text",
    "visual",
    "meaning",
)
"""The searched fields that the corpus gives."""

FIELDS = (*GIVEN, "ideas")
"""All searched fields, in the order in which their scores are summed."""

_NEEDED = frozenset({"doc_id", "language", "safety", "rights", "private_data", "preview", *GIVEN})


class Meme(NamedTuple):
    """What is searched of an item, and what a result tells of it."""

    doc_id: str
    title: str
    template: str
    quote: str
    meaning: str
    attribution: str | None
    license: str | None
    language: str
    preview: str
    action: str | None
    visual: str | None
    entities: tuple[str, ...]
    aliases: tuple[str, ...]
    franchise: str
    tags: tuple[str, ...]
    safety: str
    ideas: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """One text for each of FIELDS, empty where the corpus gives none."""
        texts = (
            self.title,
            self.template,
            " ".join(self.entities),
            " ".join(self.aliases),
            self.franchise,
            " ".join(self.tags),
            self.action,
            self.quote,
            self.visual,
            self.meaning,
            "\n".join(self.ideas),
        )
        return tuple(text or "" for text in texts)


class Corpus(NamedTuple):
    """The digest of `items.jsonl`, and the memes that may leave the engine, sorted by doc_id."""

    digest: str
    memes: tuple[Meme, ...]


def digest(data: bytes) -> str:
    """`sha256:<hex>` of `data`."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def read_corpus(folder: Path) -> Corpus:
    """The corpus in `folder`; StartError names the line that cannot be read or stands twice."""
    path = folder / "items.jsonl"
    memes: dict[str, Meme] = {}
    seen: set[str] = set()
    read = hashlib.sha256()
    for number, line in enumerate(_lines(path), 1):
        read.update(line)
        record = _record(line, f"{path}:{number}")
        if record["doc_id"] in seen:
            raise StartError(f"{path}:{number}: doc_id {record['doc_id']} stands twice. Keep one of the lines.")
        seen.add(record["doc_id"])
        if not reasons(record):
            memes[record["doc_id"]] = _meme(record)
    return Corpus("sha256:" + read.hexdigest(), tuple(memes[doc_id] for doc_id in sorted(memes)))


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of the file, of which a large one is never held whole; an empty file is one empty line."""
    try:
        with path.open("rb") as file:
            yield file.readline()
            yield from file
    except OSError as error:
        raise StartError(f"{path}: {error.strerror}. Set MAMBO_CORPUS to the corpus folder.") from None


def _record(line: bytes, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise StartError(f"{where}: not JSON. Restore the pinned corpus.") from None
    if not isinstance(record, dict) or not record.keys() >= _NEEDED:
        missing = min(_NEEDED - record.keys()) if isinstance(record, dict) else "an object"
        raise StartError(f"{where}: {missing} is missing. Restore the pinned corpus.")
    return record


def _meme(record: dict[str, Any]) -> Meme:
    return Meme(
        doc_id=record["doc_id"],
        title=record["title"],
        template=record["template"],
        quote=record["ocr_text"],
        meaning=record["meaning"],
        attribution=record["rights"]["attribution"],
        license=record["rights"]["license"],
        language=record["language"],
        preview=record["preview"]["path"],
        action=record["action"],
        visual=record["visual"],
        entities=tuple(map(intern, record["entities"])),
        aliases=tuple(map(intern, record["aliases"])),
        franchise=record["franchise"] or "",
        tags=tuple(map(intern, record["tags"])),
        safety=record["safety"],
        ideas=ideas_for(record),
    )
