"""Cuts the texts of memes that people may type as they stand: each different text once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from mambomeme.bm25 import Whole
from mambomeme.corpus import Meme
from mambomeme.tokens import lines_of


class Passages(NamedTuple):
    """The words of each different text, with blanks between them; the first `naming` name something (an entity, alias,
    template or franchise). `passage` (a place in `lines`) and `document` of each that stands in one of the `size`
    documents, by document."""

    lines: Sequence[str]
    naming: int
    passage: Whole
    document: Whole
    size: int


def passages(memes: Sequence[Meme]) -> Passages:
    """Of each meme its names, title, caption and each line of the caption."""
    numbers: dict[str, int] = {}
    named = [[numbers.setdefault(text, len(numbers)) for text in naming_texts(meme)] for meme in memes]
    naming = len(numbers)
    found = [
        [*before, *(numbers.setdefault(text, len(numbers)) for text in worded_texts(meme))]
        for before, meme in zip(named, memes, strict=True)
    ]
    return Passages(
        lines=list(map(" ".join, lines_of(numbers))),
        naming=naming,
        passage=np.fromiter(chain.from_iterable(found), dtype=np.int32),
        document=np.repeat(np.arange(len(memes), dtype=np.int32), [len(part) for part in found]),
        size=len(memes),
    )


def naming_texts(meme: Meme) -> list[str]:
    """What a meme's subjects are called."""
    return [text for text in (*meme.entities, *meme.aliases, meme.template, meme.franchise) if text]


def worded_texts(meme: Meme) -> list[str]:
    """What a meme says: its title, each line of its caption, and the whole caption."""
    lines = meme.quote.split("\n")
    return [text for text in (meme.title, *lines, *([meme.quote] if len(lines) > 1 else [])) if text]


class RunningTexts:
    """Each document's texts as one string, each word between blanks and each text between bars."""

    def __init__(self, texts: Passages) -> None:
        self._lines = [f" {line} " for line in texts.lines]
        self._passage = texts.passage
        self._edges = np.searchsorted(texts.document, np.arange(texts.size + 1)).tolist()

    def of(self, document: int) -> str:
        """That of one document."""
        span = self._passage[self._edges[document] : self._edges[document + 1]]
        return "|".join([self._lines[at] for at in span.tolist()])
