"""Finds the documents that a query's filters leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from mambomeme.bm25 import count_postings
from mambomeme.corpus import Meme
from mambomeme.query import Filter
from mambomeme.tokens import singular, tokens_of
from mambomeme.values import ANY, LANGUAGES, ONLY_SAFE

Mask = npt.NDArray[np.bool_]

_LONG_ENOUGH_FOR_A_TYPO = 5

_VALUES: dict[str, Callable[[Meme], Iterable[str]]] = {
    "who": lambda meme: (*meme.entities, *meme.aliases),
    "from": lambda meme: (meme.franchise, meme.template),
    "tag": lambda meme: meme.tags,
}


class Values:
    """Which documents carry which value of one kind; a value is met by its words, in any order."""

    def __init__(self, carried: Iterable[Iterable[str]]) -> None:
        documents: dict[str, list[int]] = {}
        for at, values in enumerate(carried):
            for value in values:
                documents.setdefault(value, []).append(at)
        self._documents = list(documents.values())
        forms = _Singulars()
        values = [list(map(forms.__getitem__, words)) for words in tokens_of(documents)]
        postings = count_postings(values)
        edges = np.searchsorted(postings.term, np.arange(len(postings.terms) + 1)).tolist()
        self._numbers = postings.document
        self._holding = {word: slice(*edges[at : at + 2]) for at, word in enumerate(postings.terms)}
        self._compacts: dict[str, list[int]] = {}
        for number, words in enumerate(values):
            self._compacts.setdefault("".join(words), []).append(number)

    def meeting(self, words: Sequence[str]) -> list[int]:
        """The documents of the values that hold every word, or are those words run together; if there are none, the
        same with one typing error forgiven in each longer word."""
        wanted = [singular(word) for word in words]
        exact = self._all([[word] for word in wanted]) or set(self._compacts.get("".join(wanted), ()))
        numbers = exact or self._all([self._near(word) for word in wanted])
        return [at for number in numbers for at in self._documents[number]]

    def _all(self, alternatives: Sequence[Sequence[str]]) -> set[int]:
        """The values that hold one word of each of `alternatives`."""
        return set[int].intersection(*(self._any(words) for words in alternatives))

    def _any(self, words: Iterable[str]) -> set[int]:
        found = (self._numbers[self._holding[word]].tolist() for word in words if word in self._holding)
        return set[int]().union(*found)

    def _near(self, word: str) -> list[str]:
        if len(word) < _LONG_ENOUGH_FOR_A_TYPO:
            return [word]
        return [known for known in self._holding if OSA.distance(word, known, score_cutoff=1) <= 1]


class _Singulars(dict[str, str]):
    """The singular of each word that was asked for; each is worked out once."""

    def __missing__(self, word: str) -> str:
        self[word] = singular(word)
        return self[word]


class Filters:
    """Marks the documents of `memes` that meet filters."""

    def __init__(self, memes: Sequence[Meme]) -> None:
        self._memes, self._size = memes, len(memes)
        self._values: dict[str, Values] = {}
        self._languages = np.array([meme.language for meme in memes])
        self._safe = np.array([meme.safety == "safe" for meme in memes], dtype=np.bool_)

    def mask(self, filters: Sequence[Filter]) -> Mask | None:
        """Whether each document meets all `filters`; None where there are none."""
        if not filters:
            return None
        return np.logical_and.reduce([self._one(condition) for condition in filters])

    def _one(self, condition: Filter) -> Mask:
        if condition.operator == "lang":
            name = "".join(condition.words)
            return self._languages == LANGUAGES.get(name, name)
        if condition.operator == "safe":
            return self._safe_enough(condition.words[0])
        mask = np.zeros(self._size, dtype=np.bool_)
        mask[self._of(condition.operator).meeting(condition.words)] = True
        return mask

    def _of(self, operator: str) -> Values:
        """The values of one kind, gathered when they are first asked for: most queries have no filter."""
        if operator not in self._values:
            self._values[operator] = Values(map(_VALUES[operator], self._memes))
        return self._values[operator]

    def _safe_enough(self, value: str) -> Mask:
        """What is claimed sensitive goes unless the value asks for it; an unknown value leaves nothing."""
        if value in ANY:
            return np.ones(self._size, dtype=np.bool_)
        return self._safe.copy() if value in ONLY_SAFE else np.zeros(self._size, dtype=np.bool_)
