"""Draws a picture with half blocks: two pixels, one above the other, in each cell of a terminal."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from rich.color import Color
from rich.segment import Segment, Segments
from rich.style import Style


def half_blocks(path: Path, columns: int, rows: int) -> Segments:
    """The picture in `path`, scaled into `columns` by `rows` cells, its proportions kept; OSError if it is none."""
    with Image.open(io.BytesIO(path.read_bytes())) as opened:
        picture = opened.convert("RGB")
    scale = min(columns / picture.width, 2 * rows / picture.height)
    width, height = max(1, round(picture.width * scale)), max(2, 2 * round(picture.height * scale / 2))
    pixels = picture.resize((width, height), Image.Resampling.BOX).tobytes()
    line = [[_cell(pixels, width, x, y) for x in range(width)] + [Segment.line()] for y in range(0, height, 2)]
    return Segments(segment for cells in line for segment in cells)


def _cell(pixels: bytes, width: int, x: int, y: int) -> Segment:
    upper, lower = (Color.from_rgb(*pixels[3 * at : 3 * at + 3]) for at in (y * width + x, (y + 1) * width + x))
    return Segment("▀", Style(color=upper, bgcolor=lower))
