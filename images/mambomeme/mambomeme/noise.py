"""Tells what a noisy word may stand for: run-together, misspelt, drawn-out, digit-spelt, abbreviated, sound-alike."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import OSA

from mambomeme.bm25 import Scorer
from mambomeme.grams import Grams
from mambomeme.sounds import sound
from mambomeme.tokens import FUNCTION_WORDS, line, singular, tokens

_SLANG = json.loads(Path(__file__).with_name("slang.json").read_bytes())
SLANG = {word: tuple(line(meaning)) for word, meaning in _SLANG["words"].items()}
CONTRACTIONS = {"".join(line(word)): tuple(tokens(word)) for word in _SLANG["contractions"]}
AMBIGUOUS = frozenset(_SLANG["ambiguous"])

_LEET = str.maketrans("0134578", "oieastb")
_RUN = re.compile(r"(.)\1+")
_CANDIDATES = 24
_OVERLAP = 0.3
_MOST = 3
_LONGEST_RUN_TOGETHER = 24
_PIECE = 3


class Variant(NamedTuple):
    """Tokens that a word may stand for, all of them together, and how much they are worth against the word itself."""

    tokens: tuple[str, ...]
    weight: float


class Worth(NamedTuple):
    """What a variant of each kind is worth against the word as typed."""

    plural: float = 0.85
    slang: float = 0.8
    stretched: float = 0.9
    parted: float = 0.85
    typo: float = 0.9
    sound: float = 0.6
    initials: float = 0.9


class Noise:
    """The words of an index, and what any other word may be a noisy form of."""

    def __init__(self, scorer: Scorer, initials: dict[str, tuple[tuple[str, ...], ...]], worth: Worth) -> None:
        self._scorer, self._initials, self._worth = scorer, initials, worth
        self._words = [term for term in scorer.terms if not term.isdigit()]
        self._grams = Grams(self._words, 2)
        self._singular = _classes(scorer.terms, singular)
        self._squeezed = _classes(self._words, squeeze)
        self._sounds = _classes(self._words, sound)

    def variants(self, word: str) -> list[Variant]:
        """What `word` may stand for, itself first if the index knows it; empty if nothing is found."""
        found = [Variant((word,), 1.0)] if word in self._scorer else []
        found += self._written_out(word)
        found += [
            Variant((other,), self._worth.plural) for other in self._singular.get(singular(word), ()) if other != word
        ]
        return found or list(self._guesses(word))

    def _written_out(self, word: str) -> Iterator[Variant]:
        if word in CONTRACTIONS:
            yield Variant(CONTRACTIONS[word], self._worth.slang if word in AMBIGUOUS else 1.0)
        if word in SLANG:
            yield Variant(SLANG[word], self._worth.slang)

    def _guesses(self, word: str) -> Iterator[Variant]:
        if word.isdigit():
            return
        yield from (Variant(name, self._worth.initials) for name in self._initials.get(word, ()))
        plain = word.translate(_LEET) if not word.isalpha() else word
        stretched = [
            term for term in self._squeezed.get(squeeze(plain), ()) if _stretches(plain, term) or plain != word
        ]
        yield from (Variant((term,), self._worth.stretched) for term in stretched[:_MOST])
        parted = self._parted(plain) or (self._digits_apart(word) if plain != word else ())
        if parted:
            yield Variant(parted, self._worth.parted)
        if not stretched:
            yield from self._misspelt(plain)

    def _misspelt(self, word: str) -> Iterator[Variant]:
        limit = _typos(len(word))
        near = [self._words[at] for at in self._grams.near(word, most=_CANDIDATES, overlap=_OVERLAP)] if limit else []
        ranked = sorted((OSA.distance(word, term), term[:1] != word[:1], term) for term in near)
        for distance, other_start, term in ranked[:_MOST]:
            if distance + other_start <= max(limit, 1 + other_start if len(word) > 5 else 0):
                yield Variant((term,), self._worth.typo * (1 - distance / len(word)) ** 2)
        alike = sorted((OSA.distance(word, term), term) for term in self._sounds.get(sound(word), ()))
        for distance, term in alike[:_MOST]:
            if 2 * distance <= max(len(word), len(term)) and term not in near:
                yield Variant((term,), self._worth.sound)

    def _parted(self, word: str) -> tuple[str, ...]:
        """The known words that make up `word` when written without blanks, the fewest and longest; empty if none do."""
        if not 2 * _PIECE <= len(word) <= _LONGEST_RUN_TOGETHER:
            return ()
        best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ())] + [None] * len(word)
        for end in range(2, len(word) + 1):
            for start in range(end - 1):
                before, piece = best[start], word[start:end]
                if before is None or not self._is_piece(piece):
                    continue
                cost = before[0] + 1 + 1 / len(piece)
                if best[end] is None or cost < best[end][0]:
                    best[end] = (cost, (*before[1], piece))
        return best[-1][1] if best[-1] and len(best[-1][1]) > 1 else ()

    def _is_piece(self, piece: str) -> bool:
        if len(piece) < _PIECE:
            return piece in FUNCTION_WORDS
        return piece in self._scorer

    def _digits_apart(self, word: str) -> tuple[str, ...]:
        pieces = re.findall(r"\d+|\D+", word)
        written = [part for piece in pieces for part in SLANG.get(piece, (piece,))]
        return tuple(written) if all(piece in self._scorer for piece in written) else ()


def squeeze(word: str) -> str:
    """`word` with each run of a letter as one letter."""
    return _RUN.sub(r"\1", word)


def _stretches(word: str, term: str) -> bool:
    return len(word) != len(term)


def _typos(length: int) -> int:
    """How many typing errors a word of `length` letters is forgiven."""
    return 0 if length < 4 else 1 if length < 6 else 2 if length < 10 else 3


def _classes(words: Sequence[str], key: object) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(key(word), []).append(word)
    return {name: tuple(members) for name, members in found.items()}
