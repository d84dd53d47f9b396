"""The whole screen as rows, painted from the session."""

from __future__ import annotations

from typing import NamedTuple

from . import words
from .clusters import preceding
from .details import brief, whole
from .graphics import Ability
from .halfblocks import Palette
from .keylist import key_list, whole_key_list
from .layout import LIST_TOP, Layout
from .notes import read_note
from .preview import Canvas, picture_path, preview
from .replies import Item
from .results import CHOSEN, on_its_own, result_list
from .rows import BLANK, Field, Row, encode
from .session import Focus, Pane, Session
from .shown import shown
from .status import Moment, status_row
from .style import Style
from .widths import ELLIPSIS, cut, width, wrap
from .window import Window

_LEAST_NAME = 16


class Picture(NamedTuple):
    """`rows` (without row 1), the query line, then what brings the cursor to its place; none where it is hidden.

    `window` says what is drawn of a text that is higher than its place; `overlay` draws pixels over the rows.
    """

    rows: dict[int, str]
    line: str
    cursor: str | None
    window: Window | None = None
    overlay: str = ""


class Sheet(NamedTuple):
    """A text, or a picture, that takes the place of list and pane; `place` says which of how many it is."""

    name: str
    rows: tuple[Row, ...]
    place: str = ""
    overlay: str = ""


class View(NamedTuple):
    """What the screen shows beside the session: seconds of the search under way, trouble before any search.

    `canvas` has the folder with notes on results and pictures, `recording` what to say of it, empty without one.
    """

    waited: float
    trouble: str
    canvas: Canvas = Canvas("", Palette.CUBE, Ability())
    recording: str = ""


def paint(session: Session, layout: Layout, style: Style, view: View) -> Picture:
    """The screen for `session` at the size of `layout`."""
    if layout.too_small:
        return _too_small(layout, style)
    sheet = _sheet(session, layout, style, view)
    window = _window_of(sheet, session, layout) if sheet else None
    rows = _spread(sheet, window, layout, style) if sheet and window else _list_and_pane(session, layout, style, view)
    scrolls = window is not None and window.total > window.height
    for number in range(LIST_TOP, layout.status):
        rows.setdefault(number, BLANK)
    keys = not session.items and len(key_list(layout, style)) <= layout.pane_rows
    moment = Moment(view.waited, scrolls, _more(session, layout, style, view), keys)
    rows[layout.status] = status_row(session, layout, style, moment)
    line, cursor = _query(session, layout, style)
    encoded = {number: encode(number, row, style) for number, row in rows.items()}
    overlay = sheet.overlay if sheet else ""
    return Picture(encoded, line, cursor if session.focus is Focus.LINE else None, window if scrolls else None, overlay)


def _sheet(session: Session, layout: Layout, style: Style, view: View) -> Sheet | None:
    if session.pane is Pane.KEYS:
        return Sheet("Keys", whole_key_list(layout, style))
    if session.focus is Focus.DETAILS and session.item:
        return Sheet(_name(session), _all_of(session.item, layout, style, view))
    if session.focus is Focus.PREVIEW and session.item:
        sight = preview(session.item, layout, style, view.canvas)
        return Sheet(_name(session), sight.rows, _place(session), sight.overlay)
    return None


def _window_of(sheet: Sheet, session: Session, layout: Layout) -> Window:
    before = session.window.first if session.window else 0
    return Window(0, layout.view_rows, len(sheet.rows)).at(before)


def _spread(sheet: Sheet, window: Window, layout: Layout, style: Style) -> dict[int, Row]:
    last = window.first + window.height
    scrolls = window.total > window.height
    place = f"{window.first + 1}-{min(last, window.total)} of {window.total}" if scrolls else sheet.place
    rule = _labelled_rule(sheet.name, place, layout, style)
    return {2: rule, **_numbered(sheet.rows[window.first : last], LIST_TOP, layout.view_rows)}


def _all_of(item: Item, layout: Layout, style: Style, view: View) -> tuple[Row, ...]:
    picture = picture_path(view.canvas.corpus, item.preview)
    return whole(item, read_note(view.canvas.corpus, item.doc_id), str(picture or ""), layout, style)


def _more(session: Session, layout: Layout, style: Style, view: View) -> bool:
    if session.focus is not Focus.LIST:
        return False
    item = session.items[session.selected]
    return not layout.roomy or len(_all_of(item, layout, style, view)) > layout.pane_rows


def _list_and_pane(session: Session, layout: Layout, style: Style, view: View) -> dict[int, Row]:
    rows: dict[int, Row] = {2: _top_rule(session, layout, style, view)}
    rows.update(_numbered(_main(session, layout, style, view), LIST_TOP, layout.list_rows))
    if layout.pane_rows:
        rule, pane = _pane(session, layout, style, view)
        rows[layout.pane_rule] = rule
        rows.update(_numbered(pane, layout.pane_rule + 1, layout.pane_rows))
    return rows


def _numbered(rows: list[Row] | tuple[Row, ...], first: int, count: int) -> dict[int, Row]:
    return dict(enumerate(rows[:count], first))


def _main(session: Session, layout: Layout, style: Style, view: View) -> list[Row]:
    if session.answer is None:
        return words.welcome(layout, style, view.trouble)
    if session.answer.trouble:
        return words.failed(session.answer, layout, style)
    if not session.items:
        return words.nothing_found(session.answer, layout, style)
    return result_list(session, layout, style)


def _pane(session: Session, layout: Layout, style: Style, view: View) -> tuple[Row, tuple[Row, ...]]:
    """The rule above the pane, and the pane."""
    if not session.items:
        return _labelled_rule("Keys", "", layout, style), key_list(layout, style)
    item = session.items[session.selected]
    rule = _labelled_rule(_name(session), _place(session), layout, style)
    known = _all_of(item, layout, style, view) if layout.roomy else ()
    return rule, known if 0 < len(known) <= layout.pane_rows else brief(item, layout, style, layout.pane_rows)


def _name(session: Session) -> str:
    """The id of the selected result, marked where it is chosen."""
    doc_id = session.items[session.selected].doc_id
    return f"{CHOSEN} {shown(doc_id)}" if doc_id in session.chosen else shown(doc_id)


def _place(session: Session) -> str:
    return f"{session.selected + 1} of {len(session.items)}"


def _top_rule(session: Session, layout: Layout, style: Style, view: View) -> Row:
    """The rule above the list: which system answers, and what is recorded."""
    mark = cut(f" ● {shown(view.recording)} ", layout.columns - 6) if view.recording else ""
    room = layout.columns - width(mark) - 6
    name = cut(f" system: {shown(session.name)} ", room) if session.name and room >= _LEAST_NAME else ""
    row = (
        Field(1, style.faint, "─" * layout.columns),
        Field(3, style.accent, name),
        Field(layout.columns - width(mark) - 1, style.trouble, mark),
    )
    return tuple(field for field in row if field.text)


def _labelled_rule(name: str, place: str, layout: Layout, style: Style) -> Row:
    row: Row = (Field(1, style.faint, "─" * layout.columns), Field(3, style.accent, f" {cut(name, 18)} "))
    return (*row, Field(layout.columns - len(place) - 3, style.faint, f" {place} ")) if place else row


def _query(session: Session, layout: Layout, style: Style) -> tuple[str, str]:
    text, cursor = session.editor.text, session.editor.cursor
    before, after = _window(shown(text[:cursor]), shown(text[cursor:]), shown(text), layout.query_columns)
    text = on_its_own(before + after)
    line = encode(1, (Field(1, style.strong_accent, "> "), Field(3, style.plain, text)), style)
    return line, f"\x1b[1;3H{on_its_own(before)}" if after else ""


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
    lines = wrap("Make the window larger; Ctrl-C quits", layout.columns, layout.rows)
    rows = {number: encode(number, BLANK, style) for number in range(2, layout.rows + 1)}
    for number, line in enumerate(lines[1:], 2):
        rows[number] = encode(number, (Field(1, style.plain, line),), style)
    return Picture(rows, encode(1, (Field(1, style.plain, lines[0]),), style), None)
