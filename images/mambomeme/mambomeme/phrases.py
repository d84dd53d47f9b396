"""Tells how much of a query stands in a document in the same order, word next to word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from mambomeme.corpus import Meme
from mambomeme.tokens import line


def lines(meme: Meme) -> list[list[str]]:
    """The texts of a meme in which order counts: title, template, each name, each line of the caption."""
    texts = [meme.title, meme.template, *meme.entities, *meme.aliases, *meme.quote.split("\n"), meme.quote]
    return [line(text) for text in texts if text]


def pairs(words: Sequence[str]) -> list[str]:
    """Each word with the next one, as one term."""
    return [f"{left} {right}" for left, right in pairwise(words)]


def meme_pairs(meme: Meme) -> list[str]:
    """The pairs of all lines of a meme; one that stands in several lines counts once."""
    found = dict.fromkeys(pair for words in lines(meme) for pair in pairs(words))
    return list(found)


def text_of(meme: Meme) -> str:
    """All lines of a meme as one string, each word between blanks and each line between bars."""
    return "|" + "|".join(f" {' '.join(words)} " for words in lines(meme)) + "|"


def longest_run(words: Sequence[str], text: str) -> int:
    """The most words of `words`, in order and next to each other, that stand in `text` (as `text_of` gives it)."""
    best, start = 0, 0
    for end in range(1, len(words) + 1):
        while end - start > best and f" {' '.join(words[start:end])} " not in text:
            start += 1
        best = max(best, end - start)
    return best


def holds(phrase: Iterable[str], text: str) -> bool:
    """Whether the whole `phrase` stands in `text` in order, word next to word."""
    return f" {' '.join(phrase)} " in text
