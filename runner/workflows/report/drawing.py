"""Figures as inline SVG: equal figures give equal text, and the page's own style colours it.

Two things keep the bytes from hanging on the machine. Text stays text and is placed by its baseline, so no font is
measured. Coordinates are cut to thousandths of a point, far above where processors differ in the last bit.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

#: Points; on the narrowest telephone one of them is about one pixel.
WIDTH = 320
TEXT = 10
#: Colours as matplotlib is told them, and what the page has in their place.
INK, SOFT, GRID = "#010000", "#020000", "#030000"
SERIES = tuple(f"#00000{number}" for number in range(1, 7))
MARKERS = "osD^vP"
_VARIABLES = {INK: "--ink", SOFT: "--soft", GRID: "--line"} | {
    colour: f"--s{number}" for number, colour in enumerate(SERIES)
}

_FONT = FontProperties(fname=Path(mpl.get_data_path()) / "fonts/ttf/DejaVuSans.ttf")
_NUMBER = re.compile(r"-?[0-9]+\.[0-9]+")
_COLOUR = re.compile("|".join(_VARIABLES))
_KEPT = {"d", "x", "y", "viewBox", "id", "href"}
_DROPPED_STYLES = ("font-family", "stroke-linejoin", "stroke-dashoffset")


@contextmanager
def settings(name: str) -> Iterator[None]:
    """matplotlib as it comes, whatever the user's own settings; `name` tells ids of one figure from another's."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": name})
        yield


def blank(height: float) -> Figure:
    """An empty figure, `height` points high."""
    figure = Figure(figsize=(WIDTH / 72, height / 72))
    figure.patch.set_visible(False)
    return figure


def panel(figure: Figure, box: tuple[float, float, float, float]) -> Axes:
    """Bare axes in `figure`; `box` is left, bottom, width and height in points."""
    height = figure.get_figheight() * 72
    left, bottom, width, tall = box
    axes = figure.add_axes((left / WIDTH, bottom / height, width / WIDTH, tall / height))
    axes.set_axis_off()
    return axes


def say(axes: Axes, at: tuple[float, float], words: str, *, off: tuple[float, float] = (0, 0), **style: Any) -> None:
    """Words at a place in data coordinates, `off` by so many points from it."""
    look = {"color": INK, "ha": "left", "fontsize": TEXT, **style}
    axes.annotate(
        words, at, off, textcoords="offset points", va="baseline", annotation_clip=False, fontproperties=_FONT, **look
    )


def rule(axes: Axes, xs: tuple[float, float], ys: tuple[float, float], **style: Any) -> None:
    """A straight line in data coordinates, never clipped."""
    axes.plot(xs, ys, **{"color": GRID, "lw": 1, "clip_on": False, "solid_capstyle": "butt", **style})


def mark(axes: Axes, at: tuple[float, float], system: int) -> None:
    """The sign of a system, open so that one shows through another; every system has another form and colour."""
    axes.plot(
        *([one] for one in at),
        marker=MARKERS[system % len(MARKERS)],
        color=SERIES[system % len(SERIES)],
        ms=7,
        mfc="none",
        mew=1.8,
        ls="none",
        clip_on=False,
    )


def inline(figure: Figure, title: str) -> Markup:
    """The figure as an SVG element named `title` for who cannot see it."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    root = _plain(ElementTree.fromstring(buffer.getvalue()))
    root.attrib.update(role="img")
    root.set("aria-label", title)
    root.tail = None
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _plain(node: ElementTree.Element) -> ElementTree.Element:
    """The same without names of its own, wrappers, fonts and noise; numbers and colours as the page has them."""
    found = ElementTree.Element(_local(node.tag))
    for key, value in node.attrib.items():
        if _local(key) == "style":
            found.set("style", _style(value))
        elif _local(key) in _KEPT:
            found.set(_local(key), _rounded(value))
    found.text = node.text.strip() if node.text and node.text.strip() else None
    for child in node:
        found.extend(_plain_child(child))
    return found


def _plain_child(node: ElementTree.Element) -> Iterator[ElementTree.Element]:
    name = _local(node.tag)
    if name == "g":
        for child in node:
            yield from _plain_child(child)
    elif name not in {"style", "metadata"} and (name != "defs" or any(_local(each.tag) == "path" for each in node)):
        yield _plain(node)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _style(value: str) -> str:
    kept = [part for part in value.split("; ") if not part.startswith(_DROPPED_STYLES)]
    return _COLOUR.sub(lambda found: f"var({_VARIABLES[found[0]]})", _rounded(";".join(kept).replace(": ", ":")))


def _rounded(value: str) -> str:
    return _NUMBER.sub(_thousandths, value.replace("\n", ""))


def _thousandths(found: re.Match[str]) -> str:
    text = f"{Decimal(found[0]).quantize(Decimal('0.001')):f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
