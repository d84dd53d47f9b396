"""Measures what is pinned: perceptual hashes of pictures, page and ink of the art (development packages only)."""

from __future__ import annotations

import io
import struct
from xml.etree import ElementTree

import imagehash
from PIL import Image

from drawing.faults import PreviewError
from drawing.pictures import rasterise
from drawing.records import ArtLine, digest

_LARGE = 600
_CC = "{http://web.resource.org/cc/}"
_DC = "{http://purl.org/dc/elements/1.1/}"


def perceptual_hash(png: bytes) -> str:
    """16 hex digits."""
    return str(imagehash.phash(Image.open(io.BytesIO(png))))


def measure(line: ArtLine, svg: bytes, fonts: list[str]) -> ArtLine:
    """`line` with digest, creator, title, page and ink as found in `svg`."""
    try:
        png = rasterise(svg, _LARGE, fonts)
    except ValueError as error:
        raise PreviewError(f"{line.art}: cannot be drawn ({error}). Choose another drawing.") from None
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    ink = image.getchannel("A").point(lambda value: 255 if value > 8 else 0).getbbox()
    if ink is None:
        raise PreviewError(f"{line.art}: draws nothing. Choose another drawing.")
    width, height = struct.unpack(">II", png[16:24])
    left, top, right, bottom = (max(0, ink[0] - 1), max(0, ink[1] - 1), min(width, ink[2] + 1), min(height, ink[3] + 1))
    creator, title = _credits(line.art, svg)
    return line._replace(
        digest=digest(svg),
        creator=creator,
        title=title,
        page=(width, height),
        ink=(left, top, right - left, bottom - top),
    )


def _credits(path: str, svg: bytes) -> tuple[str, str]:
    """Creator and title in the metadata; PreviewError unless it says public domain."""
    root = ElementTree.fromstring(svg)
    licenses = [value for node in root.iter(f"{_CC}license") for value in node.attrib.values()]
    if not licenses or any("publicdomain" not in found.lower() for found in licenses):
        raise PreviewError(
            f"{path}: not marked as public domain ({', '.join(licenses) or 'no licence'}). Choose another drawing."
        )
    title = next((node.text for node in root.iter(f"{_DC}title") if node.text and node.text.strip()), "")
    creators = root.iter(f"{_DC}creator")
    names = [text.strip() for node in creators for text in node.itertext() if text.strip()]
    return (names[0] if names else "unknown"), title.strip()
