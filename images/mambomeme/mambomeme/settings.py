"""What the system is configured with: its routes and their parameters, how lists are joined, when a list is shown."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from mambomeme.corpus import digest
from mambomeme.dense import DenseParameters
from mambomeme.faults import StartError
from mambomeme.fusion import Fusion
from mambomeme.lexical import LexicalParameters
from mambomeme.signals import Signals, Verdict

_SIGNED = tuple(f": shown.{name}" for name in ("bias", *(f"weights.{signal}" for signal in Signals._fields)))

Group = TypeVar("Group", bound=tuple[Any, ...])

ROUTES: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("lexical",): ("lexical",),
    ("dense",): ("dense",),
    ("lexical", "dense"): ("dense", "fusion", "lexical"),
}
"""The sets of routes that are served, and the groups of parameters that each needs beside `shown`."""


class Settings(NamedTuple):
    """The parsed configuration, and the digest of its canonical JSON. A group that no route needs is None."""

    digest: str
    lexical: LexicalParameters | None
    dense: DenseParameters | None
    fusion: Fusion
    shown: Verdict


def parse_settings(text: str | bytes, where: str) -> Settings:
    """The settings in `text`, a JSON object; StartError names the key that is wrong."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise StartError(f"{where}: not JSON. Give the configuration object of the system manifest.") from None
    if not isinstance(value, dict):
        raise StartError(f"{where}: must be an object.")
    needed = next((groups for routes, groups in ROUTES.items() if [*routes] == value.get("routes")), None)
    if needed is None:
        raise StartError(f"{where}: routes must be one of {', '.join(json.dumps(list(known)) for known in ROUTES)}.")
    _require_keys(value, {"routes", "shown", *needed}, where)
    return Settings(
        digest=digest(canonical(value)),
        lexical=_group(LexicalParameters(), value["lexical"], f"{where}: lexical") if "lexical" in needed else None,
        dense=_group(DenseParameters(), value["dense"], f"{where}: dense") if "dense" in needed else None,
        fusion=_group(Fusion(), value["fusion"], f"{where}: fusion") if "fusion" in needed else Fusion(),
        shown=_group(Verdict(), value["shown"], f"{where}: shown"),
    )


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def plain(group: Any) -> Any:
    """A group of parameters as the JSON that `parse_settings` reads it from."""
    if isinstance(group, tuple):
        return {key: plain(value) for key, value in group._asdict().items()}  # type: ignore[attr-defined]
    return {key: plain(value) for key, value in group.items()} if isinstance(group, Mapping) else group


def _group(like: Group, value: Any, where: str) -> Group:
    """`value` as a group of the same names and kinds as `like`; every name must be there."""
    names = like._asdict()  # type: ignore[attr-defined]
    _require_keys(value, set(names), where)
    return type(like)(*(_like(default, value[name], f"{where}.{name}") for name, default in names.items()))


def _like(default: Any, value: Any, where: str) -> Any:
    if isinstance(default, tuple):
        return _group(default, value, where)
    if isinstance(default, Mapping):
        _require_keys(value, set(default), where)
        return {key: _number(value[key], f"{where}.{key}") for key in default}
    number = _number(value, where)
    if number < 0 and not where.endswith(_SIGNED):
        raise StartError(f"{where}: must not be negative.")
    if isinstance(default, int):
        if number != int(number) or number < 1:
            raise StartError(f"{where}: must be a whole number of at least 1.")
        return int(number)
    return number


def _require_keys(value: Any, names: set[str], where: str) -> None:
    if not isinstance(value, dict) or value.keys() != names:
        raise StartError(f"{where}: must be an object with the keys {', '.join(sorted(names))}.")


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise StartError(f"{where}: must be a finite number.")
    return float(value)
