"""The RUN-free subset of Dockerfile that describes the image: FROM scratch, ADD of layer tars, and settings."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from typing import NamedTuple

from runner.errors import BadInput

_ADVICE = "The subset is FROM scratch, ADD <layer>.tar /, ENV, LABEL, USER, WORKDIR, ENTRYPOINT, each on one line."
_DIRECTIVE = re.compile(r"#\s*(syntax|escape|check)\s*=", re.IGNORECASE)


class Recipe(NamedTuple):
    """Layer names in order, and the image's settings as an engine spells them."""

    layers: tuple[str, ...]
    env: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    user: str
    workdir: str
    entrypoint: tuple[str, ...]


class _RefusedError(ValueError):
    """What is wrong with one line."""


def parse_dockerfile(text: str, where: str) -> Recipe:
    """The recipe in `text`; anything outside the subset is BadInput with its line number."""
    sheet = _Sheet()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        try:
            sheet.read(line)
        except _RefusedError as error:
            raise BadInput(f"{where}:{number}: {error}.", advice=_ADVICE) from None
    if not (sheet.layers and sheet.entrypoint):
        raise BadInput(f"{where}: names no layer or no ENTRYPOINT.", advice=_ADVICE)
    return sheet.recipe()


class _Sheet:
    """The lines read so far."""

    def __init__(self) -> None:
        self.started = False
        self.layers: list[str] = []
        self.env: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.single: dict[str, str] = {}
        self.entrypoint: tuple[str, ...] = ()

    def read(self, line: str) -> None:
        """Take in one line; _RefusedError says what is wrong with it."""
        if _DIRECTIVE.match(line):
            raise _RefusedError("a parser directive changes how the file is read")
        if line and not line.startswith("#"):
            self._instruction(line)

    def _instruction(self, line: str) -> None:
        keyword, _, rest = line.partition(" ")
        readers: dict[str, Callable[[str], None]] = {
            "FROM": self._from,
            "ADD": self._add,
            "ENV": lambda rest: self._pairs(self.env, rest),
            "LABEL": lambda rest: self._pairs(self.labels, rest),
            "USER": lambda rest: self._once("USER", r"\d+(:\d+)?", rest),
            "WORKDIR": lambda rest: self._once("WORKDIR", r"(/[A-Za-z0-9._-]+)+", rest),
            "ENTRYPOINT": self._entrypoint,
        }
        if keyword not in readers:
            raise _RefusedError(f"{keyword} is not in the subset")
        if line.endswith("\\") or "$" in rest:
            raise _RefusedError("continuation lines and variables are not in the subset")
        if keyword != "FROM" and not self.started:
            raise _RefusedError("FROM scratch must come first")
        readers[keyword](rest.strip())

    def recipe(self) -> Recipe:
        return Recipe(
            tuple(self.layers),
            tuple(f"{name}={value}" for name, value in self.env.items()),
            tuple(sorted(self.labels.items())),
            self.single.get("USER", ""),
            self.single.get("WORKDIR", ""),
            self.entrypoint,
        )

    def _from(self, rest: str) -> None:
        if rest != "scratch" or self.started:
            raise _RefusedError("FROM must be `FROM scratch`, once")
        self.started = True

    def _add(self, rest: str) -> None:
        found = re.fullmatch(r"([a-z][a-z0-9-]*)\.tar /", rest)
        if not found or found[1] in self.layers:
            raise _RefusedError("ADD must be `ADD <layer>.tar /`, once for each layer")
        self.layers.append(found[1])

    def _pairs(self, into: dict[str, str], rest: str) -> None:
        try:
            pairs = [word.partition("=") for word in shlex.split(rest)]
        except ValueError as error:
            raise _RefusedError(str(error)) from None
        for name, equals, value in pairs:
            if not name or not equals or name in into:
                raise _RefusedError(f"{name!r} must be name=value, and stand once")
            into[name] = value

    def _once(self, keyword: str, pattern: str, rest: str) -> None:
        if keyword in self.single or not re.fullmatch(pattern, rest):
            raise _RefusedError(f"{keyword} {rest!r} stands twice or is not a plain value")
        self.single[keyword] = rest

    def _entrypoint(self, rest: str) -> None:
        try:
            words = json.loads(rest)
        except ValueError:
            words = None
        if self.entrypoint or not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
            raise _RefusedError("ENTRYPOINT must be one JSON list of words, once")
        self.entrypoint = tuple(words)
