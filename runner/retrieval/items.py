"""The corpus as the scorer sees it: items, and the safety class each was given by the frozen audit (D6)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from runner.documents import Digest, Document

DocId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,15}$")]


class Safety(StrEnum):
    """The four classes of the safety policy, mildest first."""

    SAFE = "safe"
    SENSITIVE = "sensitive"
    UNSAFE = "unsafe"
    CRITICAL = "critical"

    @property
    def displayable(self) -> bool:
        """Whether a system may show an item of this class (D6)."""
        return self in {Safety.SAFE, Safety.SENSITIVE}


class RightsStatus(StrEnum):
    """What the rights record allows."""

    CLEARED = "cleared"
    WITHDRAWN = "withdrawn"
    MISSING = "missing"


class Rights(Document):
    """Where an item comes from and under which licence it may be shown."""

    status: RightsStatus
    license: str | None
    attribution: str | None
    source: str | None


class Preview(Document):
    """The picture of an item: path below the corpus folder, digest of its PNG, 16-digit perceptual hash (hex)."""

    path: str
    digest: Digest
    phash: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class Item(Document):
    """One meme of the corpus, as in `items.jsonl`. `safety` is what the source claimed, and may be wrong or null."""

    doc_id: DocId
    title: Annotated[str, Field(min_length=1, max_length=200)]
    template: str
    template_group: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    entities: tuple[str, ...]
    aliases: tuple[str, ...]
    franchise: str | None
    tags: tuple[str, ...]
    action: str | None
    ocr_text: str
    visual: str
    meaning: str
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z]+)?$")]
    safety: Safety | None
    rights: Rights
    private_data: bool
    preview: Preview


# The fields in which an item says what it is about: where nothing matches, none of these does.
CANONICAL_FIELDS = (
    "title",
    "template",
    "template_group",
    "entities",
    "aliases",
    "franchise",
    "tags",
    "action",
    "ocr_text",
    "visual",
    "meaning",
)


def field_text(item: Item, field: str) -> str:
    """What a field of an item says, the entries of a list one after the other."""
    value: str | tuple[str, ...] | None = getattr(item, field)
    return value if isinstance(value, str) else " ".join(value or ())


class SafetyAudit(Document):
    """The audited class of one item (scorer's side, no part of the image)."""

    doc_id: DocId
    safety: Safety
    auditors: Annotated[tuple[str, ...], Field(min_length=1)]
    corpus_digest: Digest


class CorpusCard(Document):
    """`corpus.json`: the digest of `items.jsonl` names the corpus; counts are for readers."""

    name: str
    version: str
    items: Digest
    counts: dict[str, int]
    sources: dict[str, Digest]
