"""Turns scenes into PNG bytes, with the given font files and no others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import resvg_py

from drawing.faces import Face, read_face
from drawing.faults import PreviewError
from drawing.layouts import LAYOUTS
from drawing.packages import read_files
from drawing.records import ArtLine, digest
from drawing.scene import FONTS, HEIGHT, WIDTH, Art, Scene, Words, font_name, palette_of, strip, type_of

_DPI = 96


class Studio(NamedTuple):
    """What all pictures share: the faces, where their files lie, the art of each group, and the group's line."""

    faces: dict[str, Face]
    files: dict[str, str]
    art: dict[str, bytes]
    lines: dict[str, ArtLine]


def open_studio(packages: list[Path], lines: Mapping[str, ArtLine], folder: Path) -> Studio:
    """Take fonts and art out of `packages`; the font files are laid into `folder`, which must outlive the studio."""
    found = read_files(packages, frozenset(FONTS) | {line.art for line in lines.values()})
    faces, files = {}, {}
    for path, (family, weight) in FONTS.items():
        file = folder / font_name(path)
        file.write_bytes(found[path])
        faces[file.name] = read_face(file.name, family, weight, found[path])
        files[file.name] = str(file)
    return Studio(faces, files, {group: found[line.art] for group, line in lines.items()}, dict(lines))


def check_art(studio: Studio) -> None:
    """Refuse art whose bytes are not the pinned ones."""
    for group, line in studio.lines.items():
        found = digest(studio.art[group])
        if found != line.digest:
            raise PreviewError(
                f"{line.art}: expected {line.digest}, found {found}. Give the locked package, or re-measure with 'art'."
            )


def rasterise(svg: bytes, width: int, fonts: list[str]) -> bytes:
    """PNG of an SVG, `width` pixels wide; ValueError if it cannot be drawn."""
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg.decode(), width=width, dpi=_DPI, skip_system_fonts=True, font_files=fonts)
    )


def picture(words: Words, studio: Studio) -> bytes:
    """The PNG of one item."""
    line = studio.lines.get(words.template_group)
    if line is None:
        raise PreviewError(
            f"{words.doc_id}: no art for template group {words.template_group!r}. Add a line to the art file."
        )
    scene = Scene(
        words, Art(studio.art[words.template_group], line.page, line.ink), type_of(studio.faces), palette_of(words)
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        + scene.definition()
        + LAYOUTS[line.layout](scene)
        + strip(scene)
        + "</svg>"
    )
    needed = [file for name, file in studio.files.items() if f'"{studio.faces[name].family}"' in svg]
    try:
        return rasterise(svg.encode(), WIDTH, needed)
    except ValueError as error:
        raise PreviewError(f"{words.doc_id}: cannot be drawn ({error}).") from None
