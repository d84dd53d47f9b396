"""Brings words that sound alike in English to the same key, so that `jon sina` meets `john cena`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_RULES = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"^(?:kn|gn|pn)", "n"),
        (r"^wr", "r"),
        (r"^ps", "s"),
        (r"^x", "s"),
        (r"ph", "f"),
        (r"sch", "sk"),
        (r"t?ch", "C"),
        (r"sh|ti(?=o|a)|ci(?=o|a)", "S"),
        (r"th", "t"),
        (r"dg(?=[eiy])|g(?=[eiy])|j", "J"),
        (r"gh", ""),
        (r"ck|q|c(?![eiy])", "k"),
        (r"[cz](?=[eiy])|z", "s"),
        (r"x", "ks"),
        (r"v", "f"),
        (r"(?<!^)[hwy]", ""),
        (r"^[aeiou]+", "A"),
        (r"(?<!^)[aeiou]+", ""),
        (r"(.)\1+", r"\1"),
    )
)


class Sounds(dict[str, str]):
    """The key of each word that was asked for; each is worked out once."""

    def __missing__(self, word: str) -> str:
        self[word] = sound(word)
        return self[word]

    def key(self, words: Iterable[str]) -> str:
        """The key of several words."""
        return " ".join(map(self.__getitem__, words))


_LETTERS = re.compile(r"[a-z]+")


@lru_cache(maxsize=16)  # a query asks for the same word more than once
def sound(word: str) -> str:
    """The key of one case-folded word; the word itself where it is not written in Latin letters."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    if not _LETTERS.fullmatch(plain):
        return word
    for pattern, key in _RULES:
        plain = pattern.sub(key, plain)
    return plain
