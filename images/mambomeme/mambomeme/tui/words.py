"""What stands in the list's place while there is no list: a word for each such state."""

from __future__ import annotations

from ..values import unknown_values
from .layout import Layout
from .rows import BLANK, Field, Row
from .session import Answer
from .shown import one_line
from .style import Style
from .widths import width, wrap

EXAMPLES = ("john cena", "one does not simply", "woman yelling at a cat", "pretending everything is fine")

Line = tuple[str, str]


def welcome(layout: Layout, style: Style, trouble: str) -> list[Row]:
    """The first screen, with `trouble` if the engine is not there."""
    lines = [(style.strong_accent, "MamboMeme"), (style.plain, "Find a meme by what it says, shows or means.")]
    if trouble:
        lines += [(style.trouble, _sentence(trouble)), (style.plain, "Type a query and press Enter to try again.")]
        return _column(lines, layout)
    lines += [(style.plain, ""), (style.faint, "Type something like this, then press Enter:")]
    return _column([*lines, *((style.accent, f"  {example}") for example in EXAMPLES)], layout)


def nothing_found(answer: Answer, layout: Layout, style: Style) -> list[Row]:
    """What to do when a search found nothing."""
    lines = [
        (style.strong, "No meme found"),
        (style.plain, f"Nothing here matches “{one_line(answer.text)}”."),
        *((style.trouble, f"{one_line(wrong)}.") for wrong in unknown_values(answer.text)[:2]),
        (style.plain, ""),
        (style.faint, "Change the query and press Enter:"),
        (style.plain, "  fewer words, or other ones"),
        (style.plain, "  who or what is in the picture"),
        (style.plain, "  what people use it to say"),
    ]
    return _column(lines, layout)


def failed(answer: Answer, layout: Layout, style: Style) -> list[Row]:
    """What to do when a search failed."""
    lines = [
        (style.trouble, "The search failed"),
        (style.plain, _sentence(answer.trouble)),
        (style.plain, ""),
        (style.faint, "Your query still stands above."),
        (style.plain, "Change it, or press Enter to try again."),
    ]
    return _column(lines, layout)


def _column(lines: list[Line], layout: Layout) -> list[Row]:
    """`lines` wrapped, in the middle of the list's place; blank ones go first where it is too low for all."""
    column = layout.title_column if layout.shows_ids else 3
    room = layout.columns - column
    wrapped = [
        (look, line) for look, text in lines for line in ((text,) if width(text) <= room else _wrapped(text, room))
    ]
    if len(wrapped) > layout.list_rows:
        wrapped = [(look, line) for look, line in wrapped if line]
    above = max(layout.list_rows - len(wrapped), 0) // 2
    return [BLANK] * above + [(Field(column, look, line),) if line else BLANK for look, line in wrapped]


def _wrapped(text: str, room: int) -> list[str]:
    indent = text[: len(text) - len(text.lstrip())]
    return [indent + line for line in wrap(text, room - len(indent), 3)]


def _sentence(words: str) -> str:
    shown_words = one_line(words)
    return shown_words[:1].upper() + shown_words[1:] + ("" if shown_words.endswith((".", "!", "?")) else ".")
