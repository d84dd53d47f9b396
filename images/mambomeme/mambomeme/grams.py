"""Finds the texts that share most character n-grams with a text, among many, without looking at each."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mambomeme.bm25 import distinct

_START, _END = "\x02", "\x03"


class Grams:
    """An index of `texts` by their character n-grams of `size`, each text's ends counting as characters."""

    def __init__(self, texts: Sequence[str], size: int) -> None:
        self._size, self._texts = size, len(texts)
        bounded = [_bounded(text) for text in texts]
        letters, codes = np.unique(_codes("".join(bounded)), return_inverse=True)
        lengths = np.array([len(text) for text in bounded], dtype=np.int64)
        entries = distinct(_entries(codes, lengths, len(letters), size))
        grams, owners = np.divmod(entries, max(len(texts), 1))
        starts = np.flatnonzero(np.append(True, grams[1:] != grams[:-1])[: len(grams)])
        edges = np.append(starts, len(grams)).tolist()
        alphabet = "".join(map(chr, letters.tolist()))
        self._owners = {
            _gram(gram, alphabet, size): owners[slice(*edges[at : at + 2])]
            for at, gram in enumerate(grams[starts].tolist())
        }
        self._counts = np.bincount(owners, minlength=len(texts))

    def near(self, text: str, *, most: int, overlap: float) -> list[int]:
        """At most `most` texts, by number, whose n-grams overlap with those of `text` by at least `overlap` (Dice
        coefficient of the two sets), the closest first."""
        whole = _bounded(text)
        grams = {whole[at : at + self._size] for at in range(len(whole) - self._size + 1)}
        lists = [self._owners[gram] for gram in grams if gram in self._owners]
        # A text has all that it shares, so it shares so many; less by a hair, for rounding.
        least = max(math.ceil(overlap * len(grams) / (2 - overlap) - 1e-6), 1)
        if len(lists) < least:
            return []
        shared = np.bincount(np.concatenate(lists), minlength=self._texts)
        (found,) = (shared >= least).nonzero()
        if not len(found):
            return []
        closeness = shared[found] * 2 / (self._counts[found] + len(grams))
        order = (-closeness).argsort(kind="stable")[:most]
        near: list[int] = found[order[closeness[order] >= overlap]].tolist()
        return near


def _bounded(text: str) -> str:
    return f"{_START}{text}{_END}"


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _entries(
    codes: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], letters: int, size: int
) -> npt.NDArray[np.int64]:
    """Each n-gram with its text as one number; `codes` are the letters of all texts, one text after the other."""
    if not len(lengths):
        return np.zeros(0, dtype=np.int64)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    count = len(codes) - size + 1
    grams = np.zeros(count, dtype=np.int64)
    for at in range(size):
        grams = grams * letters + codes[at : at + count]
    whole = owners[:count] == owners[size - 1 :]
    return (grams * len(lengths) + owners[:count])[whole]


def _gram(number: int, alphabet: str, size: int) -> str:
    """The n-gram that `_entries` made into `number`."""
    found = ""
    for _ in range(size):
        number, letter = divmod(number, len(alphabet))
        found = alphabet[letter] + found
    return found
