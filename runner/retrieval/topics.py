"""Queries and the slices and families they belong to (D1, D2)."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from runner.documents import Document

QueryId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,31}$")]


def _typeable(text: str) -> str:
    """What can be typed and submitted: a control character would be a key, a blank text is no search."""
    if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in text):
        raise ValueError("holds a control character, which would be a key")
    if not text.strip():
        raise ValueError("is blank, so it asks for nothing")
    return text


QueryText = Annotated[str, Field(min_length=1, max_length=76), AfterValidator(_typeable)]


class Slice(StrEnum):
    """The six answerable slices and the no-match one."""

    ENTITY = "entity"
    QUOTE = "quote"
    TOPIC = "topic"
    CONCEPT = "concept"
    VISUAL = "visual"
    NOISY = "noisy"
    NO_MATCH = "no_match"

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds something useful for queries of this slice."""
        return self is not Slice.NO_MATCH

    @property
    def exact(self) -> bool:
        """Whether queries of this slice have exact targets (D21)."""
        return self in {Slice.ENTITY, Slice.QUOTE}


ANSWERABLE = tuple(s for s in Slice if s.answerable)


class Topic(Document):
    """One query, as in `queries.jsonl`."""

    query_id: QueryId
    text: QueryText
    slice: Slice
    family: str
    safety_flag: bool
    multi_cue_flag: bool
    template_groups: tuple[str, ...]
    provenance: str
