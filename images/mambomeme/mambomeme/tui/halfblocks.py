"""A picture in characters: two pixels a cell, in the colours that the terminal has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto

from .png import Raster

Pixel = tuple[int, int, int]
Grid = list[list[Pixel]]

_UPPER = "▀"
_LEVELS = (0, 95, 135, 175, 215, 255)
_PLAIN = "\x1b[0m"


class Palette(Enum):
    """The colours there are; the two of one colour say which ground it stands on."""

    TRUE = auto()
    CUBE = auto()
    ON_DARK = auto()
    ON_LIGHT = auto()


def palette_of(environment: Mapping[str, str]) -> Palette:
    """The colours that the environment promises."""
    if environment.get("NO_COLOR"):
        return Palette.ON_DARK
    if environment.get("COLORTERM", "") in {"truecolor", "24bit"}:
        return Palette.TRUE
    return Palette.CUBE if "256color" in environment.get("TERM", "") else Palette.ON_DARK


def scaled(raster: Raster, width: int, height: int) -> Grid:
    """`raster` in `width` x `height` pixels, each the mean of the area that it stands for."""
    across, down = _edges(raster.width, width), _edges(raster.height, height)
    colours = (0, 1, 2) if raster.channels > 2 else (0, 0, 0)
    return [
        _means([raster.lines[at] for at in range(top, bottom)], across, colours, raster.channels)
        for top, bottom in down
    ]


def half_blocks(grid: Grid, palette: Palette) -> list[str]:
    """Rows of `grid`, two of its lines each, from plain to plain; a single last line stands on the ground."""
    if palette in {Palette.ON_DARK, Palette.ON_LIGHT}:
        return _in_one_colour(grid, light_ground=palette is Palette.ON_LIGHT)
    code = _true if palette is Palette.TRUE else _cube
    return [_row(upper, lower, code) for upper, lower in _pairs(grid)]


def _edges(size: int, parts: int) -> list[tuple[int, int]]:
    return [(at * size // parts, max((at + 1) * size // parts, at * size // parts + 1)) for at in range(parts)]


def _means(lines: Sequence[bytes], across: list[tuple[int, int]], colours: tuple[int, ...], step: int) -> list[Pixel]:
    planes = {colour: _plane_means([line[colour::step] for line in lines], across) for colour in set(colours)}
    red, green, blue = (planes[colour] for colour in colours)
    return list(zip(red, green, blue, strict=True))


def _plane_means(lines: Sequence[bytes], across: list[tuple[int, int]]) -> list[int]:
    return [sum(sum(line[left:right]) for line in lines) // (len(lines) * (right - left)) for left, right in across]


def _pairs(grid: Grid) -> list[tuple[list[Pixel], list[Pixel]]]:
    even = grid if len(grid) % 2 == 0 else [*grid, [(0, 0, 0)] * len(grid[-1])]
    return list(zip(even[::2], even[1::2], strict=True))


def _row(upper: list[Pixel], lower: list[Pixel], code: Callable[[Pixel], str]) -> str:
    parts: list[str] = []
    last: tuple[str, str] | None = None
    for pair in zip(upper, lower, strict=True):
        look = code(pair[0]), code(pair[1])
        parts.append(_UPPER if look == last else f"\x1b[38;{look[0]};48;{look[1]}m{_UPPER}")
        last = look
    return _PLAIN + "".join(parts) + _PLAIN


def _true(pixel: Pixel) -> str:
    return "2;{};{};{}".format(*pixel)


def _cube(pixel: Pixel) -> str:
    """The nearest of the 216 colours and 24 greys that follow the first 16 of 256."""
    steps = [min(range(6), key=lambda step: abs(_LEVELS[step] - value)) for value in pixel]
    grey = min(max((sum(pixel) // 3 - 3) // 10, 0), 23)
    level = 8 + 10 * grey
    off_cube = sum((_LEVELS[step] - value) ** 2 for step, value in zip(steps, pixel, strict=True))
    off_grey = sum((level - value) ** 2 for value in pixel)
    return f"5;{232 + grey if off_grey < off_cube else 16 + 36 * steps[0] + 6 * steps[1] + steps[2]}"


def _in_one_colour(grid: Grid, *, light_ground: bool) -> list[str]:
    lit = _dithered([[(299 * r + 587 * g + 114 * b) / 255_000 for r, g, b in line] for line in grid])
    drawn = " ▄▀█" if not light_ground else "█▀▄ "
    even = lit if len(lit) % 2 == 0 else [*lit, [light_ground] * len(lit[-1])]
    return [
        "".join(drawn[2 * up + down] for up, down in zip(upper, lower, strict=True))
        for upper, lower in zip(even[::2], even[1::2], strict=True)
    ]


def _dithered(grey: list[list[float]]) -> list[list[bool]]:
    """Black and white with the error of each pixel spread over its neighbours (Floyd and Steinberg 1976)."""
    lit: list[list[bool]] = []
    coming = [0.0] * (len(grey[0]) + 2)
    for line in grey:
        errors, coming = coming, [0.0] * len(coming)
        lit.append([])
        for at, value in enumerate(line, 1):
            wanted = value + errors[at]
            white = wanted >= 0.5
            lit[-1].append(white)
            error = (wanted - white) / 16
            for place, share in ((at - 1, 3), (at, 5), (at + 1, 1)):
                coming[place] += share * error
            errors[at + 1] += 7 * error
    return lit
