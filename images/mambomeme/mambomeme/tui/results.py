"""The list of results, a few rows each."""

from __future__ import annotations

from .clusters import extends
from .details import summary
from .layout import Layout
from .replies import Item
from .rows import BLANK, Field, Row
from .session import Focus, Session
from .shown import shown
from .style import Style
from .widths import cut

MARK, CHOSEN = "▸", "✓"
NO_BREAK_SPACE = "\u00a0"


def result_list(session: Session, layout: Layout, style: Style) -> list[Row]:
    """As many results as the list's place holds, the selected one among them."""
    fitting_results = layout.list_rows // layout.result_rows
    first = max(session.selected - fitting_results + 1, 0)
    shown_results = range(first, min(first + fitting_results, len(session.items)))
    return [row for index in shown_results for row in _result(session, layout, style, index)]


def _result(session: Session, layout: Layout, style: Style, index: int) -> list[Row]:
    item = session.items[index]
    title = _title(item.title, layout.title_columns)
    selected = index == session.selected
    current = selected and session.focus is Focus.LIST
    rank_look, id_look, title_look = style.faint, style.accent, style.strong if selected else style.plain
    if current:
        rank_look, id_look, title_look = style.chosen, style.chosen, style.strong_chosen
    mark = CHOSEN if item.doc_id in session.chosen else MARK if selected else " "
    head = f"{mark}{index + 1:>3} "
    row: tuple[Field, ...] = (Field(1, rank_look, head),)
    if current:
        row = (Field(1, style.chosen, " " * layout.columns), *row)
    if layout.shows_ids:
        row += (Field(6, id_look, cut(shown(item.doc_id), 16)),)
    return [(*row, Field(layout.title_column, title_look, title)), *_below(item, layout, style)]


def _below(item: Item, layout: Layout, style: Style) -> list[Row]:
    rows = layout.result_rows - 1
    if not rows:
        return []
    lines = [cut(on_its_own(line), layout.title_columns) for line in summary(item)[:rows]]
    return [(Field(layout.title_column, style.faint, line),) for line in lines] + [BLANK] * (rows - len(lines))


def _title(title: str, columns: int) -> str:
    return cut(on_its_own(shown(title)), columns)


def on_its_own(text: str) -> str:
    """`text`, with something to stand on of its own where a mark begins it."""
    return NO_BREAK_SPACE + text if text and extends(text[0]) else text
