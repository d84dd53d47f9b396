"""What a picture is made of: the words of an item, the art of its template group, the colours of both."""

from __future__ import annotations

import base64
from pathlib import PurePosixPath
from typing import NamedTuple

from drawing.backdrops import BACKDROPS, PALETTES, Palette, pick
from drawing.faces import Face
from drawing.typesetting import Box, Chain, Style, shorten, spell, visible

WIDTH, HEIGHT, STRIP = 480, 360, 22
BODY = Box(0, 0, WIDTH, HEIGHT - STRIP)


class Art(NamedTuple):
    """A drawing: its bytes, its page size, and the part of the page that has ink (x, y, width, height)."""

    svg: bytes
    page: tuple[float, float]
    ink: tuple[float, float, float, float]


class Words(NamedTuple):
    """The texts of one item that appear in its picture."""

    doc_id: str
    title: str
    template: str
    template_group: str
    caption: str


class Type(NamedTuple):
    """The four chains of faces that captions are set in."""

    loud: Chain
    plain: Chain
    bookish: Chain
    typed: Chain


class Scene(NamedTuple):
    """All that a layout needs to draw one picture."""

    words: Words
    art: Art
    type: Type
    palette: Palette

    def backdrop(self, box: Box) -> str:
        """The group's pattern in the item's colours, kept inside `box`."""
        pattern = BACKDROPS[pick("pattern " + self.words.template_group, len(BACKDROPS))]
        inside = Box(0, 0, box.width, box.height)
        return _viewport(box, (0, 0, box.width, box.height), pattern(inside, self.palette))

    def drawing(self, box: Box, *, mirrored: bool = False, zoom: float = 1.0) -> str:
        """The art inside `box`, as large as it goes; above `zoom` 1 only its middle, the rest cut off."""
        x, y, width, height = self.art.ink
        seen = (x + width * (1 - 1 / zoom) / 2, y + height * (1 - 1 / zoom) / 3, width / zoom, height / zoom)
        inner = '<use href="#art"/>'
        if mirrored:
            inner = f'<g transform="translate({2 * seen[0] + seen[2]:.3f} 0) scale(-1 1)">{inner}</g>'
        return _viewport(box, seen, inner)

    def definition(self) -> str:
        """The art, once, to be drawn as often as a layout likes."""
        data = base64.b64encode(self.art.svg).decode()
        return (
            f'<defs><image id="art" width="{self.art.page[0]}" height="{self.art.page[1]}" '
            f'preserveAspectRatio="none" href="data:image/svg+xml;base64,{data}"/></defs>'
        )


def _viewport(box: Box, seen: tuple[float, float, float, float], inner: str) -> str:
    view = " ".join(f"{number:.3f}" for number in seen)
    return (
        f'<svg x="{box.x:.2f}" y="{box.y:.2f}" width="{box.width:.2f}" height="{box.height:.2f}" '
        f'viewBox="{view}" preserveAspectRatio="xMidYMid meet">{inner}</svg>'
    )


def palette_of(words: Words) -> Palette:
    """The colours of an item: the group's first choice, shifted by the item."""
    return PALETTES[(pick(words.template_group, len(PALETTES)) + pick(words.doc_id, 4)) % len(PALETTES)]


def type_of(faces: dict[str, Face]) -> Type:
    """The chains, from faces by file name; the scripts that the first face lacks come from the others."""
    rest = tuple(
        faces[name]
        for name in (
            "DejaVuSans-Bold.ttf",
            "Lohit-Devanagari.ttf",
            "VL-PGothic-Regular.ttf",
            "Symbola_hint.ttf",
            "DejaVuSans.ttf",
        )
    )
    return Type(
        loud=Chain((faces["BebasNeue-Bold.otf"], *rest)),
        plain=Chain(rest),
        bookish=Chain((faces["DejaVuSerif-Bold.ttf"], *rest)),
        typed=Chain((faces["DejaVuSansMono-Bold.ttf"], *rest)),
    )


FONTS = {
    "usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf": ("Symbola", 400),
    "usr/share/fonts/opentype/bebas-neue/BebasNeue-Bold.otf": ("Bebas Neue", 700),
    "usr/share/fonts/truetype/dejavu/DejaVuSans.ttf": ("DejaVu Sans", 400),
    "usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf": ("DejaVu Sans", 700),
    "usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf": ("DejaVu Sans Mono", 700),
    "usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf": ("DejaVu Serif", 700),
    "usr/share/fonts/truetype/lohit-devanagari/Lohit-Devanagari.ttf": ("Lohit Devanagari", 400),
    "usr/share/fonts/truetype/vlgothic/VL-PGothic-Regular.ttf": ("VL PGothic", 400),
}


def strip(scene: Scene) -> str:
    """The line at the foot of every picture: title on the left, template on the right."""
    left = Style(scene.type.plain, "#ffffff", 11, anchor="start")
    right = Style(scene.type.plain, "#c9cfdb", 10, anchor="end")
    template = shorten(visible(scene.words.template), right.chain, 10, 170)
    room = WIDTH - 24 - right.chain.width(template, 10)
    title = shorten(visible(scene.words.title), left.chain, 11, room)
    return (
        f'<rect x="0" y="{HEIGHT - STRIP}" width="{WIDTH}" height="{STRIP}" fill="#171a21"/>'
        + spell(title, left, 11, (8, HEIGHT - 7))
        + spell(template, right, 10, (WIDTH - 8, HEIGHT - 7))
    )


def font_name(path: str) -> str:
    """The file name that chains are built by."""
    return PurePosixPath(path).name
