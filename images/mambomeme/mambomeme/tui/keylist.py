"""The keys, as a person reads them."""

from __future__ import annotations

from functools import lru_cache

from .layout import Layout
from .rows import Field, Row
from .style import Style
from .widths import wrap

_KEYS = (
    ("Enter", "search"), ("↓ or Tab", "go into the list"), ("↑ ↓", "move in the list"),
    ("Enter", "in the list: read all"), ("PgUp PgDn", "go further at once"), ("Esc", "back"),
    ("F1", "these keys, or not"), ("Ctrl-C", "quit"), ("Ctrl-D", "quit, on an empty line"),
    ("Ctrl-P Ctrl-N", "earlier, later query"), ("Ctrl-U", "empty the line"), ("Ctrl-W", "delete a word"),
    ("Ctrl-Y", "put deleted text back"), ("Alt-B Alt-F", "word left, word right"),
    ("Ctrl-A Ctrl-E", "start, end of the line"), ("Ctrl-L", "draw the screen anew"), ("Ctrl-Z", "pause (fg resumes)"),
)  # fmt: skip
_NAME_COLUMNS = 15
_TWO_ACROSS = 76


@lru_cache(maxsize=8)
def key_list(layout: Layout, style: Style) -> tuple[Row, ...]:
    """The keys in two columns where they fit, else in one, where a long meaning takes more rows."""
    if layout.columns < _TWO_ACROSS:
        return tuple(row for name, meaning in _KEYS for row in _one(name, meaning, layout, style))
    half = (len(_KEYS) + 1) // 2
    right = 3 + (layout.columns - 2) // 2
    rows = [_fields(3, name, meaning, style) for name, meaning in _KEYS[:half]]
    for place, (name, meaning) in enumerate(_KEYS[half:]):
        rows[place] += _fields(right, name, meaning, style)
    return tuple(rows)


def _one(name: str, meaning: str, layout: Layout, style: Style) -> list[Row]:
    first, *others = wrap(meaning, layout.columns - 2 - _NAME_COLUMNS, len(meaning))
    return [_fields(3, name, first, style), *((Field(3 + _NAME_COLUMNS, style.plain, line),) for line in others)]


def _fields(column: int, name: str, meaning: str, style: Style) -> Row:
    return (Field(column, style.accent, name), Field(column + _NAME_COLUMNS, style.plain, meaning))
