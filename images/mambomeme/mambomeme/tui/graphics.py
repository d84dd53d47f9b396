"""Pictures in pixels, for terminals that say they can: kitty's graphics protocol, or sixels."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from .halfblocks import Grid, Pixel

# Does it take a picture of one pixel; its background; the size of a cell in pixels; its attributes, which all answer.
QUESTIONS = b"\x1b_Gi=7777,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b]11;?\x1b\\\x1b[16t\x1b[c"
FORGET_ALL = "\x1b_Ga=d,d=A,q=2\x1b\\"
_CHUNK = 4096
_BAND = 6
_STEPS = (6, 7, 6)
_CELL = re.compile(r"\x1b\[6;(\d{1,4});(\d{1,4})t")
_ATTRIBUTES = re.compile(r"\x1b\[\?([\d;]*)c")
_GROUND = re.compile(r"\x1b\]11;rgb:([0-9a-f]+)/([0-9a-f]+)/([0-9a-f]+)", re.IGNORECASE)


class Protocol(Enum):
    """How pictures are sent."""

    NONE = auto()
    SIXEL = auto()
    KITTY = auto()


class Ability(NamedTuple):
    """What the terminal has said so far; `cell` is the width and height of a cell in pixels, 0 where not known."""

    kitty: bool = False
    sixel: bool = False
    cell: tuple[int, int] = (0, 0)
    light_ground: bool = False

    @property
    def protocol(self) -> Protocol:
        """The best that is known to work."""
        if self.kitty:
            return Protocol.KITTY
        return Protocol.SIXEL if self.sixel and all(self.cell) else Protocol.NONE

    def draws_like(self, other: Ability) -> bool:
        """Whether pictures look the same with either."""
        return self.protocol is other.protocol and self.light_ground == other.light_ground

    def told(self, report: str) -> Ability:
        """The ability after one report of the terminal; whatever is no answer to `QUESTIONS` changes nothing."""
        if report.startswith("\x1b_Gi=7777;OK"):
            return self._replace(kitty=True)
        if found := _ATTRIBUTES.fullmatch(report):
            return self._replace(sixel="4" in found[1].split(";")[1:])
        if found := _CELL.fullmatch(report):
            return self._replace(cell=(int(found[2]), int(found[1])))
        if found := _GROUND.match(report):
            light = [int(part, 16) / (16 ** len(part) - 1) for part in found.groups()]
            return self._replace(light_ground=sum(light) > len(light) / 2)
        return self


def kitty(png: bytes, columns: int, rows: int) -> str:
    """What draws the PNG from the cursor on, over `columns` x `rows` cells; the cursor stays, nothing is answered."""
    data = base64.standard_b64encode(png).decode()
    chunks = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
    head = f"a=T,f=100,q=2,C=1,c={columns},r={rows},"
    return "".join(
        f"\x1b_G{head if at == 0 else ''}m={int(at < len(chunks) - 1)};{chunk}\x1b\\" for at, chunk in enumerate(chunks)
    )


def sixels(grid: Grid) -> str:
    """What draws `grid` from the cursor on, a pixel for each of its pixels, in at most 252 colours."""
    numbers = [[_colour(pixel) for pixel in line] for line in grid]
    used = sorted({number for line in numbers for number in line})
    palette = "".join(f"#{number};2;{';'.join(map(str, _percent(number)))}" for number in used)
    bands = [_band(numbers[top : top + _BAND]) for top in range(0, len(numbers), _BAND)]
    return f'\x1bPq"1;1;{len(grid[0])};{len(grid)}{palette}{"-".join(bands)}\x1b\\'


def _colour(pixel: Pixel) -> int:
    red, green, blue = (round(value * (steps - 1) / 255) for value, steps in zip(pixel, _STEPS, strict=True))
    return (red * _STEPS[1] + green) * _STEPS[2] + blue


def _percent(number: int) -> tuple[int, int, int]:
    rest, blue = divmod(number, _STEPS[2])
    red, green = divmod(rest, _STEPS[1])
    return round(100 * red / (_STEPS[0] - 1)), round(100 * green / (_STEPS[1] - 1)), round(100 * blue / (_STEPS[2] - 1))


def _band(lines: list[list[int]]) -> str:
    """Six lines: for each colour in them the columns it stands in, one colour drawn over the other."""
    masks: dict[int, list[int]] = {}
    width = len(lines[0])
    for bit, line in enumerate(lines):
        for column, number in enumerate(line):
            masks.setdefault(number, [0] * width)[column] |= 1 << bit
    return "$".join(f"#{number}{''.join(_runs(mask))}" for number, mask in masks.items())


def _runs(mask: list[int]) -> Iterator[str]:
    start = 0
    for at in range(1, len(mask) + 1):
        if at == len(mask) or mask[at] != mask[start]:
            character, count = chr(63 + mask[start]), at - start
            yield f"!{count}{character}" if count > 3 else character * count
            start = at
