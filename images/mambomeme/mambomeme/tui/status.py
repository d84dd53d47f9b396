"""The status row: how the last search went, the search under way, or what the next key could be."""

from __future__ import annotations

from typing import NamedTuple

from .filters import about
from .layout import Layout
from .rows import Field, Row
from .searches import LIMIT_SECONDS
from .session import Answer, Focus, Pane, Phase, Session
from .shown import one_line
from .style import Style
from .widths import cut, width

_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_SPINNER_STEP = 0.12
_SLOW_SECONDS = 3
_GAP = 2


class Moment(NamedTuple):
    """What the row tells beside the session: seconds of the search under way, whether the text on the screen can be
    scrolled, whether the selected result has more to tell than is shown, whether the keys stand there anyway."""

    waited: float
    scrolls: bool
    more: bool
    keys: bool


class Left(NamedTuple):
    """The words at the left, and more of them that can be done without."""

    look: str
    words: str
    more: str


def outcome(answer: Answer) -> str:
    """The words for how a search went."""
    if answer.trouble:
        return f"error: {one_line(answer.trouble)}"
    count = len(answer.items)
    return "no results" if count == 0 else "1 result" if count == 1 else f"{count} results"


def status_row(session: Session, layout: Layout, style: Style, moment: Moment) -> Row:
    """The row for the session's phase: what is to be said, and the fullest hint that fits beside it."""
    left, hints = _left(session, style, moment.waited), _hints(session, moment)
    for hint in hints:
        for more in (left.more, ""):
            if 1 + width(left.words + more) + _GAP <= layout.columns - width(hint):
                return _row(left._replace(more=more), hint, layout, style)
    if width(left.words) <= layout.columns:
        return _row(left._replace(more=""), "", layout, style)
    room = layout.columns - width(hints[-1]) - _GAP - 1
    return _row(Left(left.look, cut(left.words, room), ""), hints[-1], layout, style)


def _row(left: Left, hint: str, layout: Layout, style: Style) -> Row:
    fields = (
        Field(1, left.look, left.words),
        Field(1 + width(left.words), style.faint, left.more),
        Field(layout.columns - width(hint), style.faint, hint),
    )
    return tuple(field for field in fields if field.text)


def _left(session: Session, style: Style, waited: float) -> Left:
    if session.phase is Phase.BUSY:
        return _busy(style, waited)
    if session.note:
        return Left(style.plain, session.note, "")
    answer = session.answer
    if answer is None or session.editor.text != answer.text:
        told = about(session.editor.text, session.editor.cursor) if session.focus is Focus.LINE else ""
        return Left(style.plain, told or ("Enter searches" if session.editor.text.strip() else ""), "")
    if answer.trouble:
        return Left(style.trouble, f"#{answer.submit} {outcome(answer)}", "")
    return Left(style.strong, f"#{answer.submit} {outcome(answer)}", f"  in {answer.milliseconds:.1f} ms")


def _busy(style: Style, waited: float) -> Left:
    wheel = _SPINNER[int(waited / _SPINNER_STEP) % len(_SPINNER)]
    more = f"  still waiting, at most {LIMIT_SECONDS} s" if waited >= _SLOW_SECONDS else ""
    return Left(style.accent, f"{wheel} searching  {waited:.1f} s", more)


def _hints(session: Session, moment: Moment) -> tuple[str, ...]:
    """What keys would do now, fullest first."""
    if moment.keys:
        return ("Ctrl-C quit",)
    scroll = "↑↓ scroll   " if moment.scrolls else ""
    if session.pane is Pane.KEYS:
        return (f"{scroll}F1 hides the keys   Ctrl-C quit", f"{scroll}F1 back", "F1 back")
    return _hints_of_focus(session, scroll, "Enter read all   " if moment.more else "")


def _hints_of_focus(session: Session, scroll: str, read: str) -> tuple[str, ...]:
    if session.focus is Focus.LINE:
        browse = ("↓ browse   F3 preview   F1 keys   Ctrl-C quit", "↓ browse   F1 keys   Ctrl-C quit")
        return (*(browse if session.items else ()), "F1 keys   Ctrl-C quit", "F1 keys")
    if session.focus is Focus.DETAILS:
        return (f"{scroll}Esc back to the list", f"{scroll}Esc back", "Esc back")
    if session.focus is Focus.PREVIEW:
        return (
            "↑↓ next   F4 open   F5 copy   F6 choose   Esc back",
            "↑↓ next   F6 choose   Esc back",
            "↑↓ next   Esc back",
            "Esc back",
        )
    if session.letters:
        return (
            "j k move  v view  o open  y copy  c choose  i query",
            "j k move  v view  c choose  i query",
            "j k v o y c   i query",
            "i query",
        )
    return (f"↑↓ move   F3 preview   {read}F1 keys   Esc back", f"{read}Esc back", "Esc back")
