"""The words of queries and items, in the one form in which they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

STEMMER = "snowball english (snowballstemmer), on every word of whatever language"

# Words that carry no subject: articles, pronouns, auxiliaries, prepositions, conjunctions, as people type them; and
# what every item here is.
_FUNCTION_WORDS = """
a about after again all also am an and another any anyone anything are arent as at away back be because been before
being both but by can cannot cant could couldnt did didnt do does doesnt doing done dont down each either else even
ever every everyone everything few for from get gets getting go goes going gone gonna got had has hasnt have havent
having he her here hers herself hes him himself his how however i id if ill im in into is isnt it its itself ive
just kind less let lets like lot lots many may me might mine more most much must my myself neither no nobody none
nor not nothing now of off on once one ones only onto or other others our ours out over own per really same she
shes should shouldnt so some somebody someone something sort still such than that thats the their theirs them then
there theres these they theyre thing things this those though through till to too u under until up upon ur us very
was wasnt we well were werent what whatever whats when where which while who whom whos whose why will with within
without wont would wouldnt yes yet you youd youll your youre yours yourself youve
gif gifs image images meme memes pic pics picture pictures
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())

# What an engine reads as a filter: the language is no word to be found in an item, the value of the others is one.
_NO_WORDS = re.compile(r"(?i)(?<!\S)(lang|safe):\S*")
_PREFIX = re.compile(r"(?i)(?<!\S)(who|from|tag):")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_APOSTROPHES = str.maketrans("", "", "'’‘ʼ`´")


def normal(text: str) -> str:
    """Letters and digits of `text` in lower case without accents or apostrophes, one blank between words.

    A text without any, such as emoji, stands for itself.
    """
    if text.isascii():
        return " ".join(_ASCII_WORD.findall(text.translate(_APOSTROPHES).lower())) or "".join(text.split())
    plain = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES))
    folded = unicodedata.normalize("NFKD", plain.casefold())
    kept = "".join(c if _in_word(c) else " " for c in folded if not _is_accent(c))
    return unicodedata.normalize("NFC", " ".join(kept.split())) or "".join(text.split())


def _in_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN"


def _is_accent(char: str) -> bool:
    """Accents of Latin, Greek and Cyrillic letters, variation selectors and keycaps: people leave them out."""
    return "\u0300" <= char <= "\u036f" or "\ufe00" <= char <= "\ufe0f" or unicodedata.category(char) == "Me"


def asked(query: str) -> str:
    """The words of a query as it is searched for, without what only filters."""
    return normal(_PREFIX.sub("", _NO_WORDS.sub(" ", query)))


def content(words: Iterable[str]) -> frozenset[str]:
    """The words that say what a text is about."""
    return frozenset(word for word in words if word not in FUNCTION_WORDS)


def stems(words: Iterable[str]) -> frozenset[str]:
    """The stem of each word."""
    return frozenset(map(stem, words))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without its English endings."""
    return str(EnglishStemmer().stemWord(word))
