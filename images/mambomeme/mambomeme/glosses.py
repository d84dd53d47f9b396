"""Says in plain words what slang, idioms and names of everyday ideas in a query mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mambomeme.faults import StartError
from mambomeme.tokens import line, singular

_SLOT_WORDS = "a an the my your his her its our their one's ones someone somebody someone's something"
_SLOTS = frozenset(_SLOT_WORDS.split())
_ENDINGS = re.compile(r"(?<=\w{3})(?:ing|ed|es|(?<!s)s)$")
_GAP = 2

PATH = Path(__file__).with_name("glosses.tsv")
"""Written by machine from general knowledge, by a writer who saw no item, no query and no label."""


class Gloss(NamedTuple):
    """A phrase as its words, and what it means."""

    words: tuple[str, ...]
    meaning: str


class Glosses:
    """The glosses of one table, found in queries whatever the ending of a word and whoever stands in the middle."""

    def __init__(self, entries: Sequence[Gloss]) -> None:
        self._single = {singular(entry.words[0]): entry.meaning for entry in entries if len(entry.words) == 1}
        self._phrases: dict[str, list[Gloss]] = {}
        for entry in sorted(entries, key=lambda entry: -len(entry.words)):
            if len(entry.words) > 1:
                folded = Gloss(tuple(map(fold, entry.words)), entry.meaning)
                self._phrases.setdefault(folded.words[0], []).append(folded)

    def meanings(self, words: Sequence[str]) -> list[str]:
        """What the phrases in `words` mean: at each place the longest one, none within another, in their order."""
        carrying = content(words)
        folded = [fold(word) for word in carrying]
        found, at = [], 0
        while at < len(folded):
            meaning, end = self._phrase(folded, at)
            meaning = meaning or self._single.get(singular(carrying[at]), "")
            if meaning:
                found.append(meaning)
            at = max(end, at + 1)
        return found

    def _phrase(self, words: Sequence[str], at: int) -> tuple[str, int]:
        for entry in self._phrases.get(words[at], ()):
            end = _reach(entry.words, words, at)
            if end:
                return entry.meaning, end
        return "", at


def content(words: Sequence[str]) -> list[str]:
    """`words` without articles, owners and `someone`."""
    return [word for word in words if word not in _SLOTS]


def fold(word: str) -> str:
    """`word` without a common English ending."""
    return _ENDINGS.sub("", word)


def _reach(phrase: Sequence[str], words: Sequence[str], at: int) -> int:
    """Where the folded `phrase` ends in `words` if it begins at `at`, else 0; three words or more may stand apart."""
    gap = _GAP if len(phrase) > 2 else 0
    end = at
    for wanted in phrase:
        for place in range(end, min(end + 1 + (gap if end > at else 0), len(words))):
            if words[place] == wanted:
                end = place + 1
                break
        else:
            return 0
    return end


@lru_cache(maxsize=1)
def read_glosses(path: Path = PATH) -> Glosses:
    """The table in `path`: a phrase, a tab and its meaning a line; StartError names a line that is none."""
    return Glosses(list(_entries(path)))


def _entries(path: Path) -> Iterator[Gloss]:
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        phrase, tab, meaning = text.partition("\t")
        words = tuple(content(line(phrase)))
        if not tab or not meaning.strip():
            raise StartError(f"{path.name}:{number}: must be a phrase, a tab and its meaning.")
        if words:
            yield Gloss(words, meaning)
