"""Tells what a word may stand for: another form of it, or, if no document holds it, what was meant by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import snowballstemmer
from rapidfuzz.distance import OSA

from mambomeme.bm25 import Scorer
from mambomeme.grams import Grams
from mambomeme.slang import AMBIGUOUS, CONTRACTIONS, DIGITS, MEANINGS, SAME
from mambomeme.sounds import sound
from mambomeme.tokens import FUNCTION_WORDS, singular

_LEET = str.maketrans("0134578", "oieastb")
_REPEATED = re.compile(r"(.)\1+")
_CANDIDATES = 24
_OVERLAP = 0.3
_MOST = 3
_LONGEST_RUN_TOGETHER = 24
_PIECE = 3
_SHORTEST_STEM = 4
_STEM = snowballstemmer.stemmer("english").stemWord

Classes = dict[str, tuple[str, ...]]


class Variant(NamedTuple):
    """Tokens that a word may stand for, all of them together, and how much they are worth against the word itself."""

    tokens: tuple[str, ...]
    weight: float


class Worth(NamedTuple):
    """What a variant of each kind is worth against the word as typed; a misspelt one less with each error."""

    plural: float = 0.85
    stem: float = 0.6
    same: float = 0.8
    slang: float = 0.8
    stretched: float = 0.9
    parted: float = 0.85
    misspelt: float = 0.9
    alike: float = 0.6
    initials: float = 0.9


class Noise:
    """The words of one index, and what any other word may be a noisy form of.

    `initials` has the names that a word of initials stands for.
    """

    def __init__(self, scorer: Scorer, initials: Mapping[str, Sequence[tuple[str, ...]]], worth: Worth) -> None:
        self._scorer, self._initials, self._worth = scorer, initials, worth
        self._words = [term for term in scorer.terms if not term.isdigit()]
        self._grams = Grams(self._words, 2)
        self._stems = _classes(self._words, stem)
        self._squeezed = _classes(self._words, squeezed)
        self._sounds = _classes(self._words, sound)
        self._stem_of = _members(self._stems)
        self._sound_of = _members(self._sounds)

    def sound(self, word: str) -> str:
        """The key of how `word` sounds."""
        return self._sound_of.get(word) or sound(word)

    def variants(self, word: str) -> tuple[Variant, ...]:
        """What `word` may stand for, itself first if a document holds it; empty if nothing is known that is near."""
        found = [Variant((word,), 1.0)] if word in self._scorer else []
        found += [*self._written_out(word), *self._forms(word)]
        return tuple(found or self._guesses(word))

    def _written_out(self, word: str) -> Iterator[Variant]:
        if word in CONTRACTIONS:
            yield Variant(CONTRACTIONS[word], self._worth.slang if word in AMBIGUOUS else 1.0)
        for meaning in (MEANINGS.get(word), DIGITS.get(word)):
            if meaning:
                yield Variant(meaning, self._worth.slang)
        for other in SAME.get(word, ()):
            if other in self._scorer:
                yield Variant((other,), self._worth.same)

    def _forms(self, word: str) -> Iterator[Variant]:
        """The other words of the same stem; singular and plural are closer than the rest."""
        if word in FUNCTION_WORDS:
            return
        one = singular(word)
        for other in self._stems.get(self._stem_of.get(word) or stem(word), ()):
            if other != word:
                yield Variant((other,), self._worth.plural if singular(other) == one else self._worth.stem)

    def _guesses(self, word: str) -> Iterator[Variant]:
        if word.isdigit():
            return
        yield from (Variant(name, self._worth.initials) for name in self._initials.get(word, ()))
        plain = word if word.isalpha() else word.translate(_LEET)
        known = [term for term in self._squeezed.get(squeezed(plain), ()) if plain != word or len(term) != len(word)]
        yield from (Variant((term,), self._worth.stretched) for term in known[:_MOST])
        parted = self._parted(plain) or (() if plain == word else self._digits_apart(word))
        if parted:
            yield Variant(parted, self._worth.parted)
        if not known:
            yield from self._misspelt(plain)
            yield from self._alike(plain)

    def _misspelt(self, word: str) -> Iterator[Variant]:
        """The known words with the fewest errors (optimal string alignment); another first letter is an error more."""
        limit = _errors_forgiven(len(word))
        if not limit:
            return
        near = [self._words[at] for at in self._grams.near(word, most=_CANDIDATES, overlap=_OVERLAP)]
        ranked = sorted((OSA.distance(word, term) + (term[0] != word[0]), term) for term in near)
        for errors, term in ranked[:_MOST]:
            if errors <= limit:
                yield Variant((term,), self._worth.misspelt * (1 - errors / max(len(word), len(term))) ** 2)

    def _alike(self, word: str) -> Iterator[Variant]:
        ranked = sorted((OSA.distance(word, term), term) for term in self._sounds.get(sound(word), ()))
        for distance, term in ranked[:_MOST]:
            if 2 * distance <= max(len(word), len(term)):
                yield Variant((term,), self._worth.alike)

    def _parted(self, word: str) -> tuple[str, ...]:
        """The known words that make up `word` when written without blanks: the fewest, then the longest; else none."""
        if not 2 * _PIECE <= len(word) <= _LONGEST_RUN_TOGETHER:
            return ()
        best: dict[int, tuple[float, tuple[str, ...]]] = {0: (0.0, ())}
        for end in range(2, len(word) + 1):
            ways = [
                (best[start][0] + 1 + 1 / (end - start), (*best[start][1], word[start:end]))
                for start in range(end - 1)
                if start in best and self._is_piece(word[start:end])
            ]
            if ways:
                best[end] = min(ways)
        pieces = best.get(len(word), (0.0, ()))[1]
        return pieces if len(pieces) > 1 else ()

    def _is_piece(self, piece: str) -> bool:
        return piece in self._scorer if len(piece) >= _PIECE else piece in FUNCTION_WORDS

    def _digits_apart(self, word: str) -> tuple[str, ...]:
        """`f2` as `f to`: letters and digits apart, a digit as the word that it sounds like."""
        pieces = [part for piece in re.findall(r"\d+|\D+", word) for part in DIGITS.get(piece, (piece,))]
        return tuple(pieces) if all(piece in self._scorer for piece in pieces) else ()


def stem(word: str) -> str:
    """The stem of an English word (Snowball); short words and those in other letters stay."""
    return str(_STEM(word)) if len(word) >= _SHORTEST_STEM and word.isascii() else word


def squeezed(word: str) -> str:
    """`word` with each run of a letter as one letter."""
    return _REPEATED.sub(r"\1", word)


def _errors_forgiven(length: int) -> int:
    """How many errors a word of `length` letters is forgiven."""
    return 0 if length < 4 else 1 if length < 6 else 2 if length < 10 else 3


def _classes(words: Sequence[str], key: Callable[[str], str]) -> Classes:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(key(word), []).append(word)
    return {name: tuple(members) for name, members in found.items()}


def _members(classes: Classes) -> dict[str, str]:
    return {word: name for name, words in classes.items() for word in words}
