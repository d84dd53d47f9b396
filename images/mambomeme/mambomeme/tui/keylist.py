"""The keys, as a person reads them."""

from __future__ import annotations

from functools import lru_cache

from .layout import Layout
from .rows import Field, Row
from .style import Style
from .widths import wrap

Keys = tuple[tuple[str, str], ...]

_KEYS: Keys = (
    ("Enter", "search; read a result"), ("Tab or ↓", "go into the list"), ("↑ ↓", "in the list: move"),
    ("PgUp PgDn", "go further at once"), ("Esc", "back; letters as keys"), ("F3 or Alt-V", "preview the picture"),
    ("F4 or Alt-O", "open the picture"), ("F5 or Alt-Y", "copy words and source"),
    ("F6 or Alt-C", "choose it, or not"), ("F1", "all keys, or not"),
    ("Ctrl-C", "quit"), ("Ctrl-D", "quit, on an empty line"), ("↑ or Ctrl-P", "an earlier query"),
    ("Ctrl-U", "empty the line"), ("Ctrl-W", "delete a word"), ("Ctrl-Y", "put deleted text back"),
    ("Alt-B Alt-F", "word left, word right"), ("Ctrl-A Ctrl-E", "start, end of the line"),
    ("Ctrl-L", "draw the screen anew"), ("Ctrl-Z", "pause (fg resumes)"),
)  # fmt: skip
_LETTERS: Keys = (
    ("j k g G", "down, up, first, last"), ("1 to 9, 0", "to that rank; 0 is 10"), ("v or space", "preview the picture"),
    ("o", "open the picture"), ("y", "copy words and source"), ("c", "choose it, or not"), ("l h", "read it, back"),
    ("/", "a new query"), ("i or a", "back to the query"), ("q", "quit"),
)  # fmt: skip
_FILTERS: Keys = (
    ("who:", "a person or character"), ("from:", "a film, game or series"), ("tag:", "a tag"),
    ("lang:", "a language, as en"), ("safe:", "yes: safe ones alone"),
)  # fmt: skip
_NAME_COLUMNS = 15
_TWO_ACROSS = 76


@lru_cache(maxsize=8)
def key_list(layout: Layout, style: Style) -> tuple[Row, ...]:
    """The keys that always work, in two columns where they fit, else in one, where a long meaning takes more rows."""
    return _listed(_KEYS, layout, style)


@lru_cache(maxsize=8)
def whole_key_list(layout: Layout, style: Style) -> tuple[Row, ...]:
    """All keys, those of a list entered with Esc and the filters, too."""
    return (
        *key_list(layout, style),
        *_heading("Letters, after Esc on the query line", layout, style),
        *_listed(_LETTERS, layout, style),
        *_heading("Filters in a query", layout, style),
        *_listed(_FILTERS, layout, style),
    )


def _heading(words: str, layout: Layout, style: Style) -> list[Row]:
    return [(Field(3, style.strong, line),) for line in wrap(words, layout.columns - 4, len(words))]


def _listed(keys: Keys, layout: Layout, style: Style) -> tuple[Row, ...]:
    if layout.columns < _TWO_ACROSS:
        return tuple(row for name, meaning in keys for row in _one(name, meaning, layout, style))
    half = (len(keys) + 1) // 2
    right = 3 + (layout.columns - 2) // 2
    rows = [_fields(3, name, meaning, style) for name, meaning in keys[:half]]
    for place, (name, meaning) in enumerate(keys[half:]):
        rows[place] += _fields(right, name, meaning, style)
    return tuple(rows)


def _one(name: str, meaning: str, layout: Layout, style: Style) -> list[Row]:
    first, *others = wrap(meaning, layout.columns - 2 - _NAME_COLUMNS, len(meaning))
    return [_fields(3, name, first, style), *((Field(3 + _NAME_COLUMNS, style.plain, line),) for line in others)]


def _fields(column: int, name: str, meaning: str, style: Style) -> Row:
    return (Field(column, style.accent, name), Field(column + _NAME_COLUMNS, style.plain, meaning))
