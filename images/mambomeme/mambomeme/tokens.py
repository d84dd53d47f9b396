"""Cuts text into the words that are indexed and searched."""

from __future__ import annotations

import unicodedata

_FUNCTION_WORDS = """
a an and are as at be but by do does for from had has have he her his i if in into is it its me my of on or our
s she so t that the their them then there these they this to was we were will with you your
"""

FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that carry no subject. They count towards scores, but a result must match at least one other word."""


def tokens(text: str) -> list[str]:
    """The words of `text`, in order, repeated as they repeat.

    The text is brought to NFKC, case-folded, brought to NFKC again, and split at every character that is neither a
    letter nor a number (Unicode categories L* and N*). Marks (M*) stay with the letter before them, so that scripts
    which write vowels as marks keep their words. Digits are kept; an apostrophe splits (`don't` gives `don`, `t`).
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char if unicodedata.category(char)[0] in "LNM" else " " for char in folded).split()
