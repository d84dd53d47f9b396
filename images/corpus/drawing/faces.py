"""What a font file says about itself: which characters it has, and how far each moves the pen."""

from __future__ import annotations

import struct
from typing import NamedTuple


class Face(NamedTuple):
    """One font file. `advances` maps a code point to thousandths of the font size."""

    path: str
    family: str
    weight: int
    advances: dict[int, float]


def read_face(path: str, family: str, weight: int, data: bytes) -> Face:
    """The face in `data`, an OpenType file with a Unicode `cmap` of format 4 or 12."""
    tables = {
        data[at : at + 4].decode("latin-1"): struct.unpack(">II", data[at + 8 : at + 16])
        for at in range(12, 12 + 16 * struct.unpack(">H", data[4:6])[0], 16)
    }
    units = struct.unpack_from(">H", data, tables["head"][0] + 18)[0]
    counted = struct.unpack_from(">H", data, tables["hhea"][0] + 34)[0]
    widths = struct.unpack_from(">" + "Hh" * counted, data, tables["hmtx"][0])[::2]
    glyphs = _glyphs(data, tables["cmap"][0])
    return Face(path, family, weight, {c: 1000 * widths[min(g, counted - 1)] / units for c, g in glyphs.items() if g})


def _glyphs(data: bytes, start: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for number in range(struct.unpack_from(">H", data, start + 2)[0]):
        platform, _, offset = struct.unpack_from(">HHI", data, start + 4 + 8 * number)
        kind = struct.unpack_from(">H", data, start + offset)[0]
        if kind == 12:
            found.update(_groups(data, start + offset))
        elif kind == 4 and platform in {0, 3}:
            found.update(_segments(data, start + offset))
    return found


def _groups(data: bytes, start: int) -> dict[int, int]:
    """`cmap` format 12."""
    found: dict[int, int] = {}
    for number in range(struct.unpack_from(">I", data, start + 12)[0]):
        first, last, glyph = struct.unpack_from(">III", data, start + 16 + 12 * number)
        found.update({code: glyph + code - first for code in range(first, last + 1)})
    return found


def _segments(data: bytes, start: int) -> dict[int, int]:
    """`cmap` format 4."""
    count = struct.unpack_from(">H", data, start + 6)[0] // 2
    lasts = struct.unpack_from(f">{count}H", data, start + 14)
    firsts = struct.unpack_from(f">{count}H", data, start + 16 + 2 * count)
    deltas = struct.unpack_from(f">{count}H", data, start + 16 + 4 * count)
    ranges_at = start + 16 + 6 * count
    ranges = struct.unpack_from(f">{count}H", data, ranges_at)
    found: dict[int, int] = {}
    for i in range(count):
        for code in range(firsts[i], min(lasts[i], 0xFFFE) + 1):
            glyph = code
            if ranges[i]:
                glyph = struct.unpack_from(">H", data, ranges_at + 2 * i + ranges[i] + 2 * (code - firsts[i]))[0]
            if glyph or not ranges[i]:
                found[code] = (glyph + deltas[i]) & 0xFFFF
    return found
