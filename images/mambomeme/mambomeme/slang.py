"""What chat spellings, contractions and other spellings of a word stand for: the table `slang.json` of the package."""

from __future__ import annotations

import json
from pathlib import Path

from mambomeme.tokens import line, tokens

_TABLE = json.loads(Path(__file__).with_name("slang.json").read_bytes())

MEANINGS = {word: tuple(line(meaning)) for word, meaning in _TABLE["words"].items()}
"""The words that an abbreviation or chat spelling stands for."""

DIGITS = {digit: (word,) for digit, word in _TABLE["digits"].items()}
"""The words that a digit is read as beside letters."""

CONTRACTIONS = {"".join(line(word)): tuple(tokens(word)) for word in _TABLE["contractions"]}
"""The tokens of a contraction, by how it is typed without its apostrophe."""

AMBIGUOUS = frozenset(_TABLE["ambiguous"])
"""Those of CONTRACTIONS that are other words too."""

SAME = {word: tuple(other for other in words if other != word) for words in _TABLE["same"] for word in words}
"""The other spellings of a word, or the same word on the other side of the Atlantic."""
