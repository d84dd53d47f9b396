"""What lies behind the art: flat colours and simple patterns, chosen by a digest and never by chance."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import NamedTuple

from drawing.typesetting import Box


class Palette(NamedTuple):
    """Colours that go together: two of the ground, one loud, one dark for type."""

    light: str
    middle: str
    loud: str
    dark: str


PALETTES = (
    Palette("#ffe9b8", "#ffd27a", "#e4572e", "#3b1f0b"),
    Palette("#d8f3dc", "#a3dcb4", "#2d9a5f", "#0f3324"),
    Palette("#dceeff", "#a9d3ff", "#2274c9", "#0b2545"),
    Palette("#fde2e4", "#f9b8c0", "#d6336c", "#45102b"),
    Palette("#ece4ff", "#cbb5f7", "#7048c8", "#26134f"),
    Palette("#fff3d6", "#f7d794", "#c98b10", "#402c02"),
    Palette("#d7f5f3", "#9be0dc", "#12868a", "#053437"),
    Palette("#ffe3cf", "#ffbf94", "#d9580d", "#451a03"),
    Palette("#eef2d8", "#d3dd95", "#748c0e", "#2a3305"),
    Palette("#e5e9f2", "#bcc6dd", "#4a5f94", "#161f38"),
)


def pick(key: str, among: int) -> int:
    """A number below `among` that depends on `key` alone."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % among


def rectangle(box: Box, fill: str, *, radius: float = 0) -> str:
    """A filled rectangle."""
    return (
        f'<rect x="{box.x:.2f}" y="{box.y:.2f}" width="{box.width:.2f}" height="{box.height:.2f}" '
        f'rx="{radius:.2f}" fill="{fill}"/>'
    )


def _sunburst(box: Box, palette: Palette) -> str:
    middle, reach = (box.x + box.width / 2, box.y + box.height * 0.58), box.width + box.height
    wedges = []
    for number in range(0, 28, 2):
        first, last = (math.tau * (number + step) / 28 for step in (0, 1))
        corners = " ".join(
            f"{middle[0] + reach * math.cos(angle):.2f},{middle[1] + reach * math.sin(angle):.2f}"
            for angle in (first, last)
        )
        wedges.append(f'<polygon points="{middle[0]:.2f},{middle[1]:.2f} {corners}" fill="{palette.middle}"/>')
    return rectangle(box, palette.light) + "".join(wedges)


def _dots(box: Box, palette: Palette) -> str:
    step = 26
    spots = [
        f'<circle cx="{box.x + column * step + (step / 2 if row % 2 else 0):.1f}" cy="{box.y + row * step * 0.86:.1f}" '
        f'r="{3 + 5 * row * step / box.height / 1.2:.2f}" fill="{palette.middle}"/>'
        for row in range(int(box.height / step / 0.86) + 2)
        for column in range(int(box.width / step) + 2)
    ]
    return rectangle(box, palette.light) + "".join(spots)


def _stripes(box: Box, palette: Palette) -> str:
    bars = [
        f'<polygon points="{x:.1f},{box.y + box.height:.1f} {x + 22:.1f},{box.y + box.height:.1f} '
        f'{x + 22 + box.height:.1f},{box.y:.1f} {x + box.height:.1f},{box.y:.1f}" fill="{palette.middle}"/>'
        for x in (box.x - box.height + 44 * number for number in range(int((box.width + box.height) / 44) + 2))
    ]
    return rectangle(box, palette.light) + "".join(bars)


def _room(box: Box, palette: Palette) -> str:
    floor = box.y + box.height * 0.74
    return (
        rectangle(box, palette.light)
        + rectangle(Box(box.x, floor, box.width, box.y + box.height - floor), palette.middle)
        + rectangle(Box(box.x, floor - 5, box.width, 5), palette.loud)
    )


def _hills(box: Box, palette: Palette) -> str:
    low, right = box.y + box.height, box.x + box.width
    far, near = box.y + box.height * 0.6, box.y + box.height * 0.78
    return (
        rectangle(box, palette.light)
        + f'<circle cx="{box.x + box.width * 0.82:.1f}" cy="{box.y + box.height * 0.24:.1f}" r="30" fill="#fff8d8"/>'
        + f'<path d="M{box.x:.1f} {low:.1f} V{far:.1f} Q{box.x + box.width * 0.25:.1f} {far - 50:.1f} '
        f'{box.x + box.width * 0.5:.1f} {far:.1f} T{right:.1f} {far:.1f} V{low:.1f} Z" fill="{palette.middle}"/>'
        + f'<path d="M{box.x:.1f} {low:.1f} V{near:.1f} Q{box.x + box.width * 0.4:.1f} {near - 34:.1f} '
        f'{right:.1f} {near + 12:.1f} V{low:.1f} Z" fill="{palette.loud}" fill-opacity="0.45"/>'
    )


def _wheel(box: Box, palette: Palette) -> str:
    middle = (box.x + box.width / 2, box.y + box.height / 2)
    rings = "".join(
        f'<circle cx="{middle[0]:.1f}" cy="{middle[1]:.1f}" r="{radius}" '
        f'fill="{palette.light if number % 2 else palette.middle}"/>'
        for number, radius in enumerate(range(360, 30, -36))
    )
    return rectangle(box, palette.light) + rings


BACKDROPS: tuple[Callable[[Box, Palette], str], ...] = (_sunburst, _dots, _stripes, _room, _hills, _wheel)
