"""A result's details: all of them, or what a few rows can hold of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .layout import Layout
from .notes import NOTHING, Note
from .replies import Item
from .rows import BLANK, Field, Row
from .shown import one_line, shown
from .style import Style
from .widths import wrap

_ALL = 100_000
_LINE_BREAK = " / "


class Fact(NamedTuple):
    """Something known of a result, in lines (shown form) as its source has them."""

    label: str
    lines: tuple[str, ...]


@lru_cache(maxsize=64)
def whole(item: Item, note: Note, picture: str, layout: Layout, style: Style) -> tuple[Row, ...]:
    """All that is known of `item`, nothing cut, and where its picture is; a line of its quote begins a row."""
    rows: list[Row] = [(Field(3, style.strong, line),) for line in wrap(one_line(item.title), layout.columns - 4, _ALL)]
    rows.append(BLANK)
    room = _room(layout)
    for fact in [*_facts(item, note), *([Fact("Picture", (shown(picture),))] if picture else [])]:
        rows += _labelled(fact.label, [part for line in fact.lines for part in wrap(line, room, _ALL)], layout, style)
    return tuple(rows)


@lru_cache(maxsize=64)
def brief(item: Item, layout: Layout, style: Style, height: int) -> tuple[Row, ...]:
    """The engine's words on `item` in at most `height` rows: each gets a line, and the first take the rest."""
    title = wrap(one_line(item.title), layout.columns - 4, 2 if height > 7 else 1)
    facts = _facts(item, NOTHING)[: max(height - len(title), 0)]
    spare = height - len(title) - len(facts)
    rows: list[Row] = [(Field(3, style.strong, line),) for line in title]
    if spare > 0 and facts:
        rows.append(BLANK)
        spare -= 1
    for fact in facts:
        lines = wrap(_LINE_BREAK.join(fact.lines), _room(layout), 1 + spare)
        spare -= len(lines) - 1
        rows += _labelled(fact.label, lines, layout, style)
    return tuple(rows)


def summary(item: Item) -> tuple[str, ...]:
    """What can stand below a title in the list, a row each: the quote, the meaning."""
    return tuple(filter(None, (_LINE_BREAK.join(quote_lines(item.quote)), one_line(item.meaning))))


def credit(item: Item) -> tuple[str, ...]:
    """Whose it is, and how it may be used."""
    return tuple(filter(None, (one_line(item.attribution), one_line(item.license))))


def quote_lines(text: str) -> tuple[str, ...]:
    """The lines of a quote that hold words, in its marks."""
    lines = [words for line in text.splitlines() if (words := one_line(line))]
    if lines:
        lines[0] = "“" + lines[0]
        lines[-1] += "”"
    return tuple(lines)


def _labelled(label: str, lines: list[str], layout: Layout, style: Style) -> list[Row]:
    left = 3 + layout.label_columns
    first, *others = lines
    return [
        (Field(3, style.faint, label), Field(left, style.plain, first)),
        *((Field(left, style.plain, line),) for line in others),
    ]


def _room(layout: Layout) -> int:
    return layout.columns - layout.label_columns - 4


def _facts(item: Item, note: Note) -> list[Fact]:
    return [Fact(label, tuple(lines)) for label, *lines in _told(item, note) if any(lines)]


def _told(item: Item, note: Note) -> Iterator[tuple[str, ...]]:
    # Of an interleaved list the routes would tell which system found what.
    routes = "" if item.draft else one_line(" and ".join(item.routes))
    language = one_line(item.language)
    yield "Quote", *quote_lines(item.quote)
    yield "Meaning", one_line(item.meaning)
    yield "Shows", one_line(note.visual)
    yield "Tags", one_line(" · ".join(note.tags))
    yield "Template", one_line(item.template)
    yield "Source", " · ".join(credit(item))
    if language:
        yield "Language", " · found by ".join(filter(None, (language, routes)))
    else:
        yield "Found by", routes
