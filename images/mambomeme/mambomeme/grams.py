"""Finds the texts that share most character n-grams with a text, among many, without looking at each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_START, _END = "\x02", "\x03"
_BITS = 21


class Grams:
    """An index of `texts` by their character n-grams, each text's ends counting as characters."""

    def __init__(self, texts: Sequence[str], size: int) -> None:
        self._size, self._texts = size, len(texts)
        bounded = [_bounded(text) for text in texts]
        owners = np.repeat(np.arange(len(texts)), [len(text) for text in bounded])
        keys = _keys("".join(bounded), size)
        starts = np.arange(len(keys))
        whole = owners[starts] == owners[starts + size - 1] if len(keys) else np.zeros(0, dtype=np.bool_)
        grams, numbers = np.unique(keys[whole], return_inverse=True)
        entries = np.unique(numbers * max(len(texts), 1) + owners[starts[whole]])
        self._owners = (entries % max(len(texts), 1)).astype(np.int32)
        edges = np.searchsorted(entries, np.arange(len(grams) + 1) * max(len(texts), 1)).tolist()
        self._spans = {_gram(key, size): slice(*edges[at : at + 2]) for at, key in enumerate(grams.tolist())}
        self._counts = np.bincount(self._owners, minlength=len(texts))

    def near(self, text: str, *, most: int, overlap: float) -> list[int]:
        """At most `most` texts, by number, whose n-grams overlap with those of `text` by at least `overlap` (Dice
        coefficient of the two sets), the closest first."""
        whole = _bounded(text)
        grams = {whole[at : at + self._size] for at in range(len(whole) - self._size + 1)}
        lists = [self._owners[self._spans[gram]] for gram in grams if gram in self._spans]
        if not lists:
            return []
        shared = np.bincount(np.concatenate(lists), minlength=self._texts)
        found = np.flatnonzero(shared >= max(overlap * len(grams) / 2, 1))
        closeness = 2 * shared[found] / (self._counts[found] + len(grams))
        order = np.lexsort((found, -closeness))[:most]
        return [
            number for number, close in zip(found[order].tolist(), closeness[order], strict=True) if close >= overlap
        ]


def _bounded(text: str) -> str:
    return f"{_START}{text}{_END}"


def _keys(text: str, size: int) -> npt.NDArray[np.int64]:
    """Each n-gram of `text` as one number."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
    count = max(len(codes) - size + 1, 0)
    keys = np.zeros(count, dtype=np.int64)
    for at in range(size):
        keys = (keys << _BITS) | codes[at : at + count]
    return keys


def _gram(key: int, size: int) -> str:
    """The n-gram that `_keys` made into `key`."""
    return "".join(chr(key >> (_BITS * at) & ((1 << _BITS) - 1)) for at in reversed(range(size)))
