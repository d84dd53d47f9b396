"""The status row: how the last search went, the search under way, or what the next key could be."""

from __future__ import annotations

from .layout import Layout
from .rows import Field, Row
from .searches import LIMIT_SECONDS
from .session import Answer, Focus, Phase, Session
from .shown import one_line
from .style import Style
from .widths import cut, width

_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_SPINNER_STEP = 0.12
_SLOW_SECONDS = 3


def outcome(answer: Answer) -> str:
    """The words for how a search went."""
    if answer.trouble:
        return f"error: {one_line(answer.trouble)}"
    count = len(answer.items)
    return "no results" if count == 0 else "1 result" if count == 1 else f"{count} results"


def status_row(session: Session, layout: Layout, style: Style, waited: float) -> Row:
    """The row for the session's phase; `waited` seconds have passed in the search under way."""
    left = _left(session, layout, style, waited)
    used = max((field.column + width(field.text) for field in left), default=1)
    hint = _hint(session)
    column = layout.columns - width(hint)
    return (*left, Field(column, style.faint, hint)) if column >= used + 2 else tuple(left)


def _left(session: Session, layout: Layout, style: Style, waited: float) -> list[Field]:
    if session.phase is Phase.BUSY:
        return _busy(layout, style, waited)
    if session.note:
        return [Field(1, style.plain, cut(session.note, layout.columns))]
    answer = session.answer
    if answer is None or session.editor.text != answer.text:
        return [Field(1, style.plain, "Enter searches")] if session.editor.text.strip() else []
    words = f"#{answer.submit} {outcome(answer)}"
    look = style.trouble if answer.trouble else style.strong
    fields = [Field(1, look, cut(words, layout.columns))]
    if not answer.trouble:
        fields.append(Field(len(words) + 1, style.faint, f"  in {answer.milliseconds:.1f} ms"))
    return fields


def _busy(layout: Layout, style: Style, waited: float) -> list[Field]:
    wheel = _SPINNER[int(waited / _SPINNER_STEP) % len(_SPINNER)]
    words = f"searching  {waited:.1f} s"
    if waited >= _SLOW_SECONDS:
        words += f"  still waiting, at most {LIMIT_SECONDS} s"
    return [Field(1, style.accent, wheel), Field(3, style.plain, cut(words, layout.columns - 3))]


def _hint(session: Session) -> str:
    if session.focus is Focus.LIST:
        return "↑↓ move   Enter details   Esc back"
    return "↓ browse   F1 keys   Ctrl-C quit" if session.items else "F1 keys   Ctrl-C quit"
