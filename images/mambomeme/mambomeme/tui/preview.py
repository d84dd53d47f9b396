"""The preview of a result: its picture as large as it fits, its words and its credit beside it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from .details import credit, quote_lines
from .graphics import Ability, Protocol, kitty, sixels
from .halfblocks import Palette, half_blocks, scaled
from .layout import LIST_TOP, Layout
from .png import BadPictureError, Raster, read_png
from .replies import Item
from .rows import BLANK, Field, Row
from .shown import one_line
from .style import Style
from .widths import wrap

_LEFT = 3
_GAP = 2
_LEAST_SIDE = 18


class Canvas(NamedTuple):
    """Where pictures come from, and what the terminal can do with them."""

    corpus: str
    palette: Palette
    ability: Ability


class Sight(NamedTuple):
    """Rows for the place of list and pane, and what draws a picture of pixels over them; empty without one."""

    rows: tuple[Row, ...]
    overlay: str


class Frame(NamedTuple):
    """The cells of a picture."""

    columns: int
    rows: int


def picture_path(corpus: str, preview: str) -> Path | None:
    """The file of a preview that the engine names; None where it names none below the corpus folder."""
    parts = PurePosixPath(preview).parts
    if not corpus or not parts or "\0" in preview or preview.startswith("/") or ".." in parts:
        return None
    return Path(corpus, *parts)


@lru_cache(maxsize=16)
def preview(item: Item, layout: Layout, style: Style, canvas: Canvas) -> Sight:
    """What there is to see of `item`."""
    path = picture_path(canvas.corpus, item.preview)
    try:
        data = _bytes(path) if path else b""
        raster = _read(data) if path else None
    except (OSError, BadPictureError) as error:
        return _words_only(item, f"Its picture cannot be shown: {_why(error)}.", layout, style)
    if raster is None:
        return _words_only(item, "There is no picture of it here.", layout, style)
    frame = _frame(raster, layout)
    side = _side(item, layout.columns - frame.columns - _LEFT - _GAP, layout.view_rows, style)
    left = _LEFT + frame.columns + _GAP
    overlay = _overlay(data, raster, frame, canvas.ability)
    drawn = [""] * frame.rows if overlay else _in_characters(raster, frame, canvas)
    rows = [
        (*_picture_field(drawn, at, style), *(_moved(side[at], left) if at < len(side) else ()))
        for at in range(layout.view_rows)
    ]
    return Sight(tuple(rows), overlay)


def _bytes(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise BadPictureError("it is no file")
    return path.read_bytes()


def _why(error: Exception) -> str:
    return error.strerror or "no such file" if isinstance(error, OSError) else str(error)


@lru_cache(maxsize=4)
def _read(data: bytes) -> Raster:
    return read_png(data)


def _frame(raster: Raster, layout: Layout) -> Frame:
    """The largest that leaves room for words beside it; a cell is taken as twice as high as wide."""
    side = min(_LEAST_SIDE, layout.columns // 3)
    room = layout.columns - _LEFT - _GAP - side
    rows = layout.view_rows
    while rows > 2 and 2 * rows * raster.width > room * raster.height:
        rows -= 1
    return Frame(max(min(2 * rows * raster.width // raster.height, room), 1), rows)


def _overlay(data: bytes, raster: Raster, frame: Frame, ability: Ability) -> str:
    at = f"\x1b[{LIST_TOP};{_LEFT}H"
    if ability.protocol is Protocol.KITTY:
        return at + kitty(data, frame.columns, frame.rows)
    if ability.protocol is Protocol.SIXEL:
        width, height = frame.columns * ability.cell[0], frame.rows * ability.cell[1]
        # The last row stays free: a sixel picture that ends in the last line of a screen scrolls it.
        return at + sixels(scaled(raster, min(width, raster.width), min(height, raster.height)))
    return ""


def _in_characters(raster: Raster, frame: Frame, canvas: Canvas) -> list[str]:
    palette = canvas.palette
    if palette is Palette.ON_DARK and canvas.ability.light_ground:
        palette = Palette.ON_LIGHT
    return half_blocks(scaled(raster, frame.columns, 2 * frame.rows), palette)


def _picture_field(drawn: list[str], at: int, style: Style) -> Row:
    return (Field(_LEFT, style.plain, drawn[at]),) if at < len(drawn) and drawn[at] else BLANK


def _moved(row: Row, left: int) -> Row:
    return tuple(field._replace(column=left) for field in row)


def _side(item: Item, columns: int, height: int, style: Style) -> list[Row]:
    """Title, quote and meaning as far as they fit above the credit, which is never left out."""
    if columns < 8:
        return []
    foot = [line for words in credit(item) for line in wrap(words, columns, 3)]
    title = wrap(one_line(item.title), columns, 4)
    rows: list[tuple[str, str]] = [(style.strong, line) for line in title]
    for look, texts in ((style.plain, quote_lines(item.quote)), (style.faint, (one_line(item.meaning),))):
        lines = [line for text in texts for line in wrap(text, columns, height)]
        rows += [("", ""), *((look, line) for line in lines)] if lines else []
    kept = rows[: max(height - len(foot) - 1, 0)]
    between = [("", "")] * max(height - len(kept) - len(foot), 0)
    both = [*kept, *between, *((style.accent, line) for line in foot)][:height]
    return [(Field(1, look, line),) if line else BLANK for look, line in both]


def _words_only(item: Item, trouble: str, layout: Layout, style: Style) -> Sight:
    columns = layout.columns - _LEFT - _GAP
    said = [(Field(_LEFT, style.trouble, line),) for line in wrap(trouble, columns, 3)]
    words = [_moved(row, _LEFT) for row in _side(item, columns, layout.view_rows - len(said) - 1, style)]
    return Sight((*said, BLANK, *words), "")
