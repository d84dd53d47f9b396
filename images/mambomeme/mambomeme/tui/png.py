"""Pictures from the 8-bit PNGs of a corpus, by the standard library alone."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
_MOST_PIXELS = 4_000_000


class BadPictureError(ValueError):
    """Bytes that are no picture this reader knows; the text says why."""


class Raster(NamedTuple):
    """`lines`: for each row from the top its bytes, `channels` for each pixel from the left."""

    width: int
    height: int
    channels: int
    lines: tuple[bytes, ...]


def read_png(data: bytes) -> Raster:
    """The picture in `data`: 8 bits a channel, grey or RGB, with or without alpha, not interlaced."""
    try:
        width, height, channels, packed = _parts(data)
        size = height * (width * channels + 1)
        raw = zlib.decompressobj().decompress(packed, size)
    except (struct.error, zlib.error):
        raise BadPictureError("it is damaged") from None
    if len(raw) != size:
        raise BadPictureError("it is cut short")
    return Raster(width, height, channels, tuple(_lines(raw, width * channels, channels)))


def _parts(data: bytes) -> tuple[int, int, int, bytes]:
    if not data.startswith(_SIGNATURE):
        raise BadPictureError("it is no PNG")
    chunks = list(_chunks(data))
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    if depth != 8 or kind not in _CHANNELS or interlaced:
        raise BadPictureError("it is a PNG of another kind")
    if not 0 < width * height <= _MOST_PIXELS:
        raise BadPictureError("it is too large")
    return width, height, _CHANNELS[kind], b"".join(body for name, body in chunks if name == b"IDAT")


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    name = b""
    while name != b"IEND":
        size, name = struct.unpack(">I4s", data[at : at + 8])
        yield name, data[at + 8 : at + 8 + size]
        at += size + 12


def _lines(raw: bytes, size: int, step: int) -> Iterator[bytes]:
    above = bytes(size)
    for start in range(0, len(raw), size + 1):
        line = bytearray(raw[start + 1 : start + 1 + size])
        _undo(raw[start], line, above, step)
        above = bytes(line)
        yield above


def _undo(filtering: int, line: bytearray, above: bytes, step: int) -> None:
    """Takes one of the five filters of the PNG specification, section 9, off `line`."""
    if filtering == 1:
        for at in range(step, len(line)):
            line[at] = (line[at] + line[at - step]) & 255
    elif filtering == 2:
        line[:] = bytes([(own + up) & 255 for own, up in zip(line, above, strict=True)])
    elif filtering == 3:
        for at, up in enumerate(above):
            left = line[at - step] if at >= step else 0
            line[at] = (line[at] + (left + up) // 2) & 255
    elif filtering == 4:
        _undo_paeth(line, above, step)
    elif filtering:
        raise BadPictureError("it has an unknown filter")


def _undo_paeth(line: bytearray, above: bytes, step: int) -> None:
    for at in range(min(step, len(line))):
        line[at] = (line[at] + above[at]) & 255
    for at in range(step, len(line)):
        left, up, corner = line[at - step], above[at], above[at - step]
        to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
        nearest = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
        line[at] = (line[at] + nearest) & 255
