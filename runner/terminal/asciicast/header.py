"""Reads the first line of a recording: which version, how large, and what else it says of itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from runner.terminal.asciicast.findings import LEFT_OUT, MOST_COLUMNS, MOST_ROWS, Finding, Rule, excerpt
from runner.terminal.asciicast.numbers import HALF, plain, whole
from runner.terminal.profile import COLUMNS, ROWS

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_TEXTS, _NUMBERS = ("title", "command"), ("timestamp", "duration", "idle_time_limit")


class Header(NamedTuple):
    """Version 2 or 3, the size of the screen, and all other fields as they are written."""

    version: int
    columns: int
    rows: int
    fields: Mapping[str, Any]


NO_HEADER = Header(2, COLUMNS, ROWS, {})


def is_header(value: object) -> bool:
    """Whether a value is meant as one."""
    return isinstance(value, dict) and bool({"version", "width", "height", "term"} & value.keys())


def read_header(value: Mapping[str, Any], line: int) -> tuple[Header, list[Finding]]:
    """The header with what is wrong in it; sizes that are missing are those of the terminal profile."""
    found: list[Finding] = []
    version = _version(value, line, found)
    size, names = (value.get("term"), ("cols", "rows")) if version == 3 else (value, ("width", "height"))
    if not isinstance(size, dict):
        found.append(Finding(line, Rule.HEADER, "term: is no object", "made anew"))
        size = {}
    columns = _size(size, (names[0], MOST_COLUMNS, COLUMNS), line, found)
    rows = _size(size, (names[1], MOST_ROWS, ROWS), line, found)
    own = {name: each for name, each in value.items() if name not in {"version", "width", "height", "term"}}
    fields = dict(_fields(own, line, found))
    if version == 3:
        looks = {name: each for name, each in size.items() if name not in names}
        fields["term"] = dict(_fields(looks, line, found, "term."))
    return Header(version, columns, rows, fields), found


def _version(value: Mapping[str, Any], line: int, found: list[Finding]) -> int:
    given = value.get("version")
    if isinstance(given, Decimal) and given in {2, 3}:
        return int(given)
    read = 3 if isinstance(value.get("term"), dict) else 2
    said = "missing" if given is None else f"{excerpt(str(given))} is none that is known for such a file"
    found.append(Finding(line, Rule.HEADER, f"version: {said}", f"read as {read}, by its other fields"))
    return read


def _size(size: Mapping[str, Any], side: tuple[str, int, int], line: int, found: list[Finding]) -> int:
    name, most, usual = side
    given = whole(size.get(name), most)
    if given is None:
        said = f"{excerpt(str(size[name]))} is not a number from 1 to {most}" if name in size else "missing"
        found.append(Finding(line, Rule.HEADER, f"{name}: {said}", f"taken as {usual}"))
    return given or usual


def _fields(own: Mapping[str, Any], line: int, found: list[Finding], where: str = "") -> Iterator[tuple[str, Any]]:
    """The fields that are as they should be."""
    for name, value in own.items():
        wrong = _wrong(name, value)
        if HALF.search(json.dumps(value, default=str, ensure_ascii=False) + name):
            what = f"{where}{excerpt(name)}: holds half of a surrogate pair"
            found.append(Finding(line, Rule.TEXT, what, "kept, with U+FFFD in its place"))
        if name == "env" and isinstance(value, dict):
            bad = [key for key, each in value.items() if not isinstance(each, str)]
            found.extend(Finding(line, Rule.HEADER, f"env.{excerpt(key)}: is no text", LEFT_OUT) for key in bad)
            yield name, plain({key: each for key, each in value.items() if key not in bad})
        elif wrong:
            found.append(Finding(line, Rule.HEADER, f"{where}{excerpt(name)}: {wrong}", LEFT_OUT))
        else:
            yield str(plain(name)), plain(value)


def _wrong(name: str, value: Any) -> str:
    """What is wrong with a field; unknown ones may hold what they like."""
    if name in _TEXTS and value is not None and not isinstance(value, str):
        return "is no text"
    if name in _NUMBERS and value is not None and not (isinstance(value, Decimal) and plain(value) is not None):
        return "is no number, or none of a sensible size"
    if name == "env" and value is not None:
        return "is no object"
    return _wrong_theme(value) if name == "theme" and value is not None else ""


def _wrong_theme(theme: Any) -> str:
    if not isinstance(theme, dict):
        return "is no object"
    for name in ("fg", "bg"):
        if not _is_colour(theme.get(name)):
            return f"{name} is no colour like #d0d0d0"
    palette = theme.get("palette")
    colours = palette.split(":") if isinstance(palette, str) else []
    fits = len(colours) in {8, 16} and all(map(_is_colour, colours))
    return "" if fits else "palette is not 8 or 16 colours like #d0d0d0, with colons between"


def _is_colour(value: object) -> bool:
    return isinstance(value, str) and _COLOUR.fullmatch(value) is not None
