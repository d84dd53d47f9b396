"""Cuts text into the words that are indexed and searched."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import chain

_FUNCTION_WORDS = """
a an and are as at be but by do does for from had has have he her his i if in into is it its me my of on or our
s she so t that the their them then there these they this to was we were will with you your
das de del der dos du een el em en het il la las le les los na nas nos que se su un una und
の は が を に と で も へ
"""

FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that carry no subject. They count less, and are no evidence that something was found."""

FILLERS = frozenset("meme memes gif gifs pic pics picture pictures image images jpg png lol lmao plz pls".split())  # noqa: SIM905
"""Words about the search itself. Like function words they carry no subject."""

_APOSTROPHE = re.compile(r"(?<=\w)['\u2019\u02bc\uff07`\u00b4](?=\w)")


_MARKS = "\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNSPACED = re.compile(
    rf"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々][{_MARKS}]*"
    rf"|[\u3041-\u309f{_MARKS}]+"
    rf"|[\u30a1-\u30ff{_MARKS}]+"
)


class _Cutter(dict[int, str]):
    """Maps a character to itself if it belongs to a word, else to a blank; each is looked up once."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = char if unicodedata.category(char)[0] in "LNM" else " "
        return self[code]


_CUTTER = _Cutter()


def tokens(text: str) -> list[str]:
    """The words of `text`, in order, repeated as they repeat.

    The text is brought to NFKC, case-folded, brought to NFKC again, and split at every character that is neither a
    letter nor a number (Unicode categories L* and N*). Marks (M*) stay with the letter before them, so that scripts
    which write vowels as marks keep their words. Chinese and Japanese, written without blanks, are split where the
    script changes, and each Chinese character is a word. Digits are kept; an apostrophe splits (`don't` gives `don`,
    `t`).
    """
    if text.isascii():
        return text.casefold().translate(_CUTTER).split()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _UNSPACED.sub(r" \g<0> ", folded.translate(_CUTTER)).split()


def tokens_of(texts: Iterable[str]) -> list[list[str]]:
    """The `tokens` of each text."""
    return _each(texts, tokens)


def line(text: str) -> list[str]:
    """The words of `text` with apostrophes left out (`don't` gives `dont`), as quotes are compared."""
    return tokens(_APOSTROPHE.sub("", text))


def lines_of(texts: Iterable[str]) -> list[list[str]]:
    """The `line` of each text."""
    return _each(texts, line)


class _Pieces(dict[str, list[str]]):
    """The words of what stands between blanks; each is cut once, since no word goes over a blank."""

    def __init__(self, cut: Callable[[str], list[str]]) -> None:
        self._cut = cut

    def __missing__(self, piece: str) -> list[str]:
        self[piece] = self._cut(piece)
        return self[piece]


def _each(texts: Iterable[str], cut: Callable[[str], list[str]]) -> list[list[str]]:
    pieces = _Pieces(cut)
    return [list(chain.from_iterable(map(pieces.__getitem__, text.split()))) for text in texts]


def singular(word: str) -> str:
    """An English plural brought to its singular by the S-stemmer's three rules (Harman 1991); other words stay."""
    if len(word) < 4 or not word.isascii() or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else word[:-3] + "y"
    if word.endswith("es"):
        return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]
