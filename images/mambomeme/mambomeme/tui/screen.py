"""The whole screen as rows, painted from the session."""

from __future__ import annotations

from typing import NamedTuple

from . import pane
from .clusters import extends, preceding
from .layout import LIST_TOP, Layout
from .rows import BLANK, Field, Row, encode
from .session import Focus, Pane, Session
from .shown import shown
from .status import status_row
from .style import Style
from .widths import ELLIPSIS, cut, fitting, width

MARK = "▸"
# A mark that begins a text needs something of the text's own to stand on.
NO_BREAK_SPACE = "\u00a0"


class Picture(NamedTuple):
    """`rows` (without row 1), the query line, then what brings the cursor to its place; none where it is hidden."""

    rows: dict[int, str]
    line: str
    cursor: str | None


class View(NamedTuple):
    """What the screen shows beside the session: seconds of the search under way, trouble before any search."""

    waited: float
    trouble: str


def paint(session: Session, layout: Layout, style: Style, view: View) -> Picture:
    """The screen for `session` at the size of `layout`."""
    if layout.too_small:
        return _too_small(layout, style)
    rows: dict[int, Row] = {2: (Field(1, style.faint, "─" * layout.columns),)}
    rows.update(_numbered(_main(session, layout, style, view), LIST_TOP, layout.list_rows))
    if layout.pane_rows:
        rows[layout.pane_rule] = _rule(session, layout, style)
        rows.update(_numbered(_pane(session, layout, style), layout.pane_rule + 1, layout.pane_rows))
    for number in range(LIST_TOP, layout.status):
        rows.setdefault(number, BLANK)
    rows[layout.status] = status_row(session, layout, style, view.waited)
    line, cursor = _query(session, layout, style)
    encoded = {number: encode(number, row, style) for number, row in rows.items()}
    return Picture(encoded, line, cursor if session.focus is Focus.LINE else None)


def _numbered(rows: list[Row] | tuple[Row, ...], first: int, count: int) -> dict[int, Row]:
    return dict(enumerate(rows[:count], first))


def _main(session: Session, layout: Layout, style: Style, view: View) -> list[Row] | tuple[Row, ...]:
    if not layout.pane_rows and session.pane is Pane.KEYS:
        return pane.keys(layout, style)
    if session.answer is None:
        return pane.welcome(layout, style, view.trouble)
    if session.answer.trouble:
        return pane.failed(session.answer, layout, style)
    if not session.items:
        return pane.nothing_found(session.answer, layout, style)
    if not layout.pane_rows and session.pane is Pane.SWITCHED:
        return pane.details(session.items[session.selected], layout, style, layout.list_rows)
    return _list(session, layout, style)


def _list(session: Session, layout: Layout, style: Style) -> list[Row]:
    first = max(session.selected - layout.list_rows + 1, 0)
    shown_items = session.items[first : first + layout.list_rows]
    return [_result(session, layout, style, first + place) for place in range(len(shown_items))]


def _result(session: Session, layout: Layout, style: Style, index: int) -> Row:
    item = session.items[index]
    title = _title(item.title, layout.title_columns)
    selected = index == session.selected
    chosen = selected and session.focus is Focus.LIST
    rank_look, id_look, title_look = style.faint, style.accent, style.strong if selected else style.plain
    if chosen:
        rank_look, id_look, title_look = style.chosen, style.chosen, style.strong_chosen
    head = f"{MARK if selected else ' '}{index + 1:>3} "
    row: tuple[Field, ...] = (Field(1, rank_look, head),)
    if chosen:
        row = (Field(1, style.chosen, " " * layout.columns), *row)
    if layout.shows_ids:
        row += (Field(6, id_look, cut(shown(item.doc_id), 16)),)
    return (*row, Field(layout.title_column, title_look, title))


def _title(title: str, columns: int) -> str:
    return cut(_on_its_own(shown(title)), columns)


def _on_its_own(text: str) -> str:
    return NO_BREAK_SPACE + text if text and extends(text[0]) else text


def _rule(session: Session, layout: Layout, style: Style) -> Row:
    line = Field(1, style.faint, "─" * layout.columns)
    if session.pane is Pane.KEYS or not session.items:
        return (line, Field(3, style.faint, " Keys "))
    doc_id = cut(shown(session.items[session.selected].doc_id), 16)
    return (line, Field(3, style.accent, f" {doc_id} "), Field(layout.columns - 11, style.faint, _position(session)))


def _position(session: Session) -> str:
    return f" {session.selected + 1} of {len(session.items)} ".rjust(10, "─")


def _pane(session: Session, layout: Layout, style: Style) -> list[Row] | tuple[Row, ...]:
    if session.pane is Pane.KEYS or not session.items:
        return pane.keys(layout, style)
    if session.pane is Pane.SWITCHED:
        return ((Field(3, style.faint, "Enter shows the details again."),),)
    return pane.details(session.items[session.selected], layout, style, layout.pane_rows)


def _query(session: Session, layout: Layout, style: Style) -> tuple[str, str]:
    text, cursor = session.editor.text, session.editor.cursor
    before, after = _window(shown(text[:cursor]), shown(text[cursor:]), shown(text), layout.query_columns)
    text = _on_its_own(before + after)
    line = encode(1, (Field(1, style.strong_accent, "> "), Field(3, style.plain, text)), style)
    return line, f"\x1b[1;3H{_on_its_own(before)}" if after else ""


def _window(before: str, after: str, whole: str, room: int) -> tuple[str, str]:
    if not after:
        return (whole, "") if width(whole) <= room else (ELLIPSIS + _ending(whole, room - 1), "")
    if width(before) + width(after) <= room:
        return before, after
    if width(before) > room - 12:
        before = ELLIPSIS + _ending(before, room - 13)
    return before, cut(after, room - width(before))


def _ending(text: str, room: int) -> str:
    start = len(text)
    while start > 0:
        earlier = preceding(text, start)
        room -= width(text[earlier:start])
        if room < 0:
            break
        start = earlier
    return text[start:]


def _too_small(layout: Layout, style: Style) -> Picture:
    word = "Make the window larger."
    rows = {number: encode(number, BLANK, style) for number in range(2, layout.rows + 1)}
    return Picture(rows, encode(1, (Field(1, style.plain, word[: fitting(word, layout.columns)]),), style), None)
