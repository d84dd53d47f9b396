"""What stands beside and below the list: details of an item, the keys, and a word for each state without results."""

from __future__ import annotations

from functools import lru_cache

from .layout import Layout
from .replies import Item
from .rows import BLANK, Field, Row
from .session import Answer
from .shown import one_line
from .style import Style
from .widths import cut, wrap

EXAMPLES = ("john cena", "one does not simply", "dog in a burning room", "too good to be true")
_KEYS = (
    ("Enter", "search"), ("Ctrl-U", "empty the line"), ("↓ or Tab", "go into the list"), ("Ctrl-W", "delete a word"),
    ("↑ ↓", "move in the list"), ("Alt-B Alt-F", "word left, word right"), ("Enter", "in the list: details"),
    ("Ctrl-A Ctrl-E", "start, end of the line"), ("Esc", "back to the line"), ("Ctrl-Y", "put deleted text back"),
    ("Ctrl-P Ctrl-N", "earlier, later query"), ("Ctrl-L", "draw the screen anew"), ("F1", "these keys, or not"),
    ("Ctrl-Z", "pause (fg resumes)"), ("Ctrl-C", "quit"),
)  # fmt: skip


def keys(layout: Layout, style: Style) -> list[Row]:
    """The keys, in as many columns as fit."""
    across = 2 if layout.columns >= 76 else 1
    column_width = (layout.columns - 2) // across
    rows: list[Row] = []
    for start in range(0, len(_KEYS), across):
        fields: list[Field] = []
        for place, (name, meaning) in enumerate(_KEYS[start : start + across]):
            left = 3 + place * column_width
            room = column_width - 17
            fields += [Field(left, style.accent, name), Field(left + 15, style.plain, cut(meaning, room))]
        rows.append(tuple(fields))
    return rows


@lru_cache(maxsize=64)
def details(item: Item, layout: Layout, style: Style, height: int) -> tuple[Row, ...]:
    """`item` in at most `height` rows: every known field gets a line, and the first take the rest."""
    left, room = 3 + layout.label_columns, layout.columns - layout.label_columns - 4
    title = wrap(one_line(item.title), layout.columns - 4, 2 if height > 7 else 1)
    told = [(label, text) for label, text in _told(item) if text]
    told = told[: max(height - len(title), 0)]
    spare = height - len(title) - len(told)
    rows: list[Row] = [(Field(3, style.strong, line),) for line in title]
    if spare > 0 and told:
        rows.append(BLANK)
        spare -= 1
    for label, text in told:
        lines = wrap(text, room, 1 + spare)
        spare -= len(lines) - 1
        rows.append((Field(3, style.faint, label), Field(left, style.plain, lines[0])))
        rows += [(Field(left, style.plain, line),) for line in lines[1:]]
    return tuple(rows)


def welcome(layout: Layout, style: Style, trouble: str) -> list[Row]:
    """The first screen, with `trouble` if the engine is not there."""
    lines = [
        (style.strong_accent, "MamboMeme"),
        (style.plain, "Find a meme by what it says, shows or means."),
        (style.plain, ""),
        (style.faint, "Type something like this, then press Enter:"),
        *((style.accent, f"  {example}") for example in EXAMPLES),
    ]
    if trouble:
        lines[3:] = [(style.trouble, trouble), (style.plain, "Type a query and press Enter to try again.")]
    return [BLANK, *_column(lines, layout)]


def nothing_found(answer: Answer, layout: Layout, style: Style) -> list[Row]:
    """What to do when a search found nothing."""
    lines = [
        (style.strong, "No meme found"),
        (style.plain, f"Nothing here matches “{one_line(answer.text)}”."),
        (style.plain, ""),
        (style.faint, "Change the query and press Enter:"),
        (style.plain, "  fewer words, or other ones"),
        (style.plain, "  who or what is in the picture"),
        (style.plain, "  what people use it to say"),
    ]
    return [BLANK, *_column(lines, layout)]


def failed(answer: Answer, layout: Layout, style: Style) -> list[Row]:
    """What to do when a search failed."""
    lines = [(style.trouble, "The search failed")]
    lines += [(style.plain, line) for line in wrap(_sentence(answer.trouble), _beside(layout)[1], 3)]
    lines += [
        (style.plain, ""),
        (style.faint, "Your query still stands above."),
        (style.plain, "Change it, or press Enter to try again."),
    ]
    return [BLANK, *_column(lines, layout)]


def _beside(layout: Layout) -> tuple[int, int]:
    column = layout.title_column if layout.shows_ids else 3
    return column, layout.columns - column


def _column(lines: list[tuple[str, str]], layout: Layout) -> list[Row]:
    column, room = _beside(layout)
    return [(Field(column, look, cut(text, room)),) if text else BLANK for look, text in lines]


def _told(item: Item) -> tuple[tuple[str, str], ...]:
    quote = one_line(item.quote)
    source = " · ".join(part for part in (one_line(item.attribution), one_line(item.license)) if part)
    routes = one_line(" and ".join(item.routes))
    language = one_line(item.language)
    return (
        ("Quote", f"“{quote}”" if quote else ""),
        ("Meaning", one_line(item.meaning)),
        ("Template", one_line(item.template)),
        ("Source", source),
        ("Language", " · found by ".join(filter(None, (language, routes)))) if language else ("Found by", routes),
    )


def _sentence(words: str) -> str:
    shown_words = one_line(words)
    return shown_words[:1].upper() + shown_words[1:] + ("" if shown_words.endswith((".", "!", "?")) else ".")
