"""Breaks text into lines that fit a box, and spells them as SVG."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple
from xml.sax.saxutils import escape

from drawing.faces import Face

_LINE = 1.14
_ASCENT = 0.87
_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
_WIDE = r"[⺀-鿿가-힯豈-﫿＀-￯]"
_PIECES = re.compile(rf"{_WIDE}|(?:(?!{_WIDE})\S)+|\s+")
# What kaomoji use as a bow or a fall has a twin that the fonts have.
_STAND_INS = str.maketrans({"\ufe35": "\u23dc", "\ufe36": "\u23dd"})
_FORBIDDEN_FIRST = "、。，．！？」』）…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"


class Box(NamedTuple):
    """A rectangle of the picture, in pixels."""

    x: float
    y: float
    width: float
    height: float

    def inset(self, by: float) -> Box:
        """The same rectangle, smaller by `by` on every side."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class Chain(NamedTuple):
    """Faces in the order in which they are asked for a character."""

    faces: tuple[Face, ...]

    def face(self, char: str) -> Face | None:
        """The first face that has `char`."""
        return next((face for face in self.faces if ord(char) in face.advances), None)

    def width(self, text: str, size: float) -> float:
        """Length of `text` on one line, in pixels; marks that join their base make it an upper bound."""
        return sum(self._advance(char) for char in text) * size / 1000

    def _advance(self, char: str) -> float:
        face = self.face(char)
        return face.advances[ord(char)] if face else 600


class Style(NamedTuple):
    """How a text looks: its faces, colours, and the bounds of its size in pixels."""

    chain: Chain
    fill: str
    largest: float
    smallest: float = 11
    outline: str | None = None
    anchor: str = "middle"


class Block(NamedTuple):
    """Text broken into lines at one size."""

    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * _LINE


def visible(text: str) -> str:
    """`text` with what has no shape of its own made harmless: controls as pictures, format characters as U+FFFD."""
    return "".join(_visible(char) for char in unicodedata.normalize("NFC", text.translate(_STAND_INS)))


def _visible(char: str) -> str:
    code, category = ord(char), unicodedata.category(char)
    if char in "\n\u200c\u200d":
        return char
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xFE00 <= code <= 0xFE0F:
        return ""
    if category in {"Cc", "Cf", "Cs", "Co"}:
        return "\ufffd"
    return " " if category in {"Zl", "Zp"} else char


def fit(text: str, style: Style, box: Box) -> Block:
    """The largest block of `text` that stays inside `box`; at the smallest size the rest becomes an ellipsis."""
    size = style.largest
    while size > style.smallest:
        block = Block(_wrap(text, style.chain, size, box.width), size)
        if block.height <= box.height and all(style.chain.width(line, size) <= box.width for line in block.lines):
            return block
        size = max(style.smallest, size * 0.94)
    return _cut(Block(_wrap(text, style.chain, size, box.width), size), style.chain, box)


def _cut(block: Block, chain: Chain, box: Box) -> Block:
    room = max(1, int(box.height / (block.size * _LINE)))
    lines = list(block.lines[:room])
    if len(block.lines) > room:
        lines[-1] += "…"
    return Block(tuple(shorten(line, chain, block.size, box.width) for line in lines), block.size)


def shorten(line: str, chain: Chain, size: float, width: float) -> str:
    """`line`, or as much of its beginning as fits `width` with an ellipsis."""
    if chain.width(line, size) <= width:
        return line
    while line and chain.width(line + "…", size) > width:
        line = line[:-1]
    return line.rstrip() + "…"


def _wrap(text: str, chain: Chain, size: float, width: float) -> tuple[str, ...]:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for piece in _PIECES.findall(paragraph.strip()):
            fits = chain.width((line + piece).strip(), size) <= width
            if fits or not line.strip() or piece[0] in _FORBIDDEN_FIRST:
                line += piece
            else:
                lines.append(line.strip())
                line = piece
        lines.append(line.strip())
    return tuple(line for line in lines if line)


def draw(text: str, style: Style, box: Box, *, rise: float = 0.5) -> str:
    """SVG of `text` fitted into `box`; `rise` 0 sets it to the top of the box, 1 to the bottom."""
    block = fit(visible(text), style, box)
    x = box.x + box.width * _SHARE[style.anchor]
    top = box.y + (box.height - block.height) * rise
    return "".join(
        spell(line, style, block.size, (x, top + (number + _ASCENT) * block.size * _LINE))
        for number, line in enumerate(block.lines)
    )


def spell(line: str, style: Style, size: float, at: tuple[float, float]) -> str:
    """One line as an SVG text element, each run of characters in the face that has them.

    Every run gets a place of its own: without it the renderer would set the whole line in the last run's face.
    """
    runs = list(_runs(line, style.chain))
    widths = [style.chain.width(words, size) for _, words in runs]
    anchor = style.anchor if len(runs) == 1 else "start"
    x = at[0] - sum(widths) * _SHARE[style.anchor] if len(runs) > 1 else at[0]
    spans = ""
    for (face, words), width in zip(runs, widths, strict=True):
        spans += f'<tspan x="{x:.2f}" font-family="{face.family}" font-weight="{face.weight}">{escape(words)}</tspan>'
        x += width
    return (
        f'<text xml:space="preserve" y="{at[1]:.2f}" font-size="{size:.2f}" '
        f'text-anchor="{anchor}" fill="{style.fill}"{_stroke(style, size)}>{spans}</text>'
    )


def _stroke(style: Style, size: float) -> str:
    if style.outline is None:
        return ""
    return f' stroke="{style.outline}" stroke-width="{size * 0.13:.2f}" stroke-linejoin="round" paint-order="stroke"'


def _runs(line: str, chain: Chain) -> Iterable[tuple[Face, str]]:
    faces: list[Face] = []
    for char in line:
        joins = bool(faces) and (char in " \u200c\u200d" or unicodedata.combining(char) > 0)
        faces.append(faces[-1] if joins else chain.face(char) or chain.faces[-1])
    pairs: Sequence[tuple[Face, str]] = list(zip(faces, line, strict=True))
    for path, run in groupby(pairs, key=lambda pair: pair[0].path):
        face = next(face for face in chain.faces if face.path == path)
        yield face, "".join(char if chain.face(char) else "□" for _, char in run)
