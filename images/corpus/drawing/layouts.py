"""The ways a caption and a drawing can share a picture, by name."""

from __future__ import annotations

from collections.abc import Callable

from drawing.backdrops import pick, rectangle
from drawing.scene import BODY, Scene
from drawing.typesetting import Box, Style, draw

_WHITE, _BLACK = "#ffffff", "#101114"


def parts(caption: str, most: int) -> list[str]:
    """The caption's lines as at most `most` parts of about equal length; a single line is broken near its middle."""
    lines = [line.strip() for line in caption.split("\n") if line.strip()]
    if len(lines) == 1 and most > 1:
        lines = _halves(lines[0])
    count = min(most, len(lines))
    return ["\n".join(lines[len(lines) * n // count : len(lines) * (n + 1) // count]) for n in range(count)]


def _halves(line: str) -> list[str]:
    """`line` broken after the punctuation, else the blank, that is nearest to its middle; short lines stay whole."""
    ends = [at for at in range(1, len(line) - 1) if line[at] == " "]
    if len(line) < 24 or not ends:
        return [line]
    stops = [at for at in ends if line[at - 1] in ".!?,;:…" and 0.2 < at / len(line) < 0.8]
    at = min(stops or ends, key=lambda place: abs(place - len(line) / 2))
    return [line[:at], line[at + 1 :]]


def _loud(scene: Scene, largest: float = 50) -> Style:
    return Style(scene.type.loud, _WHITE, largest, 15, outline=_BLACK)


def top_bottom(scene: Scene) -> str:
    """White capitals over and under the drawing."""
    said = parts(scene.words.caption, 2)
    upper, lower = Box(14, 8, 452, 84), Box(14, 246, 452, 84)
    middle = Box(30, 62, 420, 208) if len(said) > 1 else Box(40, 14, 400, 226)
    places = [(upper, 0.0), (lower, 1.0)] if len(said) > 1 else [(lower, 1.0)]
    words = [draw(text, _loud(scene), box, rise=rise) for text, (box, rise) in zip(said, places, strict=False)]
    return scene.backdrop(BODY) + scene.drawing(middle if said else BODY.inset(24)) + "".join(words)


def above(scene: Scene) -> str:
    """Black on a white band, the drawing below it."""
    if not scene.words.caption.strip():
        return top_bottom(scene)
    band = Box(0, 0, BODY.width, 104)
    style = Style(scene.type.plain, _BLACK, 26, 11, anchor="start")
    ground = Box(0, band.height, BODY.width, BODY.height - band.height)
    return (
        scene.backdrop(ground)
        + scene.drawing(ground.inset(14))
        + rectangle(band, _WHITE)
        + draw(scene.words.caption, style, Box(16, 8, 448, 88))
    )


def side(scene: Scene) -> str:
    """Rows: the drawing on the left, one part of the caption beside it."""
    said = parts(scene.words.caption, 4) or [scene.words.title]
    high = BODY.height / len(said)
    drawn = []
    for number, text in enumerate(said):
        left, right = Box(0, number * high, 190, high), Box(190, number * high, 290, high)
        style = Style(scene.type.plain, scene.palette.dark, 30, 10)
        drawn += [
            scene.backdrop(left),
            scene.drawing(left.inset(10), mirrored=number % 2 == 1),
            rectangle(right, _WHITE),
            draw(text, style, right.inset(12)),
            rectangle(Box(0, number * high - 1.5, BODY.width, 3), _BLACK) if number else "",
        ]
    return "".join(drawn) + rectangle(Box(188.5, 0, 3, BODY.height), _BLACK)


def panels(scene: Scene) -> str:
    """A comic: two to four panels, each nearer to the drawing than the one before."""
    said = parts(scene.words.caption, 4) or [scene.words.title]
    columns = 1 if len(said) == 1 else 2
    rows = -(-len(said) // columns)
    wide, high = BODY.width / columns, BODY.height / rows
    drawn = [rectangle(BODY, _BLACK)]
    for number, text in enumerate(said):
        alone = columns == 2 and number == len(said) - 1 and number % 2 == 0
        box = Box(number % columns * wide, number // columns * high, BODY.width if alone else wide, high).inset(3)
        drawn.append(_panel(scene, box, number, text))
    return "".join(drawn)


def _panel(scene: Scene, box: Box, number: int, text: str) -> str:
    room = min(78.0, box.height * 0.42)
    caption = Box(box.x + 8, box.y + box.height - room - 4, box.width - 16, room)
    ground = Box(box.x, box.y, box.width, box.height - room * 0.72)
    zoom = (1.0, 1.2, 1.45, 1.75)[number]
    return (
        scene.backdrop(box)
        + scene.drawing(ground.inset(8), mirrored=number % 2 == 1, zoom=zoom)
        + draw(text, _loud(scene, 30), caption, rise=1.0)
    )


def poster(scene: Scene) -> str:
    """A framed drawing on black, one word large and the rest small under it."""
    said = parts(scene.words.caption, 2) or [scene.words.title]
    frame = Box(96, 18, 288, 196)
    large = Style(scene.type.bookish, _WHITE, 30, 13)
    small = Style(scene.type.bookish, "#c7cbd4", 16, 10)
    places = [(Box(24, 224, 432, 62), large), (Box(24, 288, 432, 44), small)]
    if len(said) == 1:
        places = [(Box(24, 228, 432, 96), large)]
    return (
        rectangle(BODY, "#0b0c0f")
        + rectangle(frame.inset(-5), _WHITE)
        + rectangle(frame.inset(-3), "#0b0c0f")
        + scene.backdrop(frame)
        + scene.drawing(frame.inset(12))
        + "".join(draw(text, style, box) for text, (box, style) in zip(said, places, strict=True))
    )


def bubble(scene: Scene) -> str:
    """The drawing says it."""
    balloon = Box(206, 22, 258, 208)
    pen = 'fill="#ffffff" stroke="#101114" stroke-width="3" stroke-linejoin="round"'
    tail = f'<path d="M228 196 L176 262 L282 222 Z" {pen}/>'
    outline = f'<rect x="206" y="22" width="258" height="208" rx="34" {pen}/>'
    cover = '<path d="M231 190 L226 222 L284 222 L280 190 Z" fill="#ffffff"/>'
    style = Style(scene.type.plain, _BLACK, 27, 10)
    words = scene.words.caption.strip() or "…"
    return (
        scene.backdrop(BODY)
        + scene.drawing(Box(14, 112, 196, 214))
        + tail
        + outline
        + cover
        + draw(words, style, balloon.inset(18))
    )


def still(scene: Scene) -> str:
    """A frame of a film: black bars, the drawing close, yellow subtitles."""
    view = Box(0, 30, BODY.width, 226)
    style = Style(scene.type.plain, "#ffe55c", 22, 11, outline=_BLACK)
    dusk = '<rect x="0" y="30" width="480" height="226" fill="url(#dusk)"/>'
    fade = (
        '<defs><linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0a0f1e" '
        'stop-opacity="0.42"/><stop offset="0.55" stop-color="#0a0f1e" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#0a0f1e" stop-opacity="0.35"/></linearGradient></defs>'
    )
    return (
        fade
        + rectangle(BODY, "#000000")
        + scene.backdrop(view)
        + scene.drawing(Box(30, 40, 420, 206), zoom=1.0)
        + dusk
        + draw(scene.words.caption, style, Box(24, 244, 432, 88), rise=0.62)
    )


def scatter(scene: Scene) -> str:
    """Short lines in many colours, strewn around the drawing."""
    colours = ("#ff4d6d", "#00a6fb", "#2dc653", "#f48c06", "#9d4edd", "#ffd60a")
    places = [
        Box(18, 16, 190, 50),
        Box(268, 52, 200, 50),
        Box(14, 118, 150, 50),
        Box(300, 190, 170, 50),
        Box(30, 262, 210, 50),
    ]
    said = parts(scene.words.caption, len(places))
    shift = pick(scene.words.doc_id, len(colours))
    words = [
        draw(text, Style(scene.type.plain, colours[(number + shift) % 6], 27, 12, outline=_WHITE), box)
        for number, (text, box) in enumerate(zip(said, places, strict=False))
    ]
    return scene.backdrop(BODY) + scene.drawing(Box(120, 44, 240, 284)) + "".join(words)


LAYOUTS: dict[str, Callable[[Scene], str]] = {
    "above": above,
    "bubble": bubble,
    "panels": panels,
    "poster": poster,
    "scatter": scatter,
    "side": side,
    "still": still,
    "top-bottom": top_bottom,
}
