"""What the systems of a card are made of, fact by fact, each with its value for every one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from runner.provenance.manifest import SystemManifest
from runner.provenance.versions import VersionTuple

_PACKAGE = "runtime: package "


class Fact(NamedTuple):
    """One line: a value for each system, in the order of the rows."""

    name: str
    values: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether all systems share it."""
        return len(set(self.values)) == 1

    @property
    def package(self) -> str:
        """Which package of the runner's environment it is about, of which there are many; empty for all else."""
        return self.name.removeprefix(_PACKAGE) if self.name.startswith(_PACKAGE) else ""


def version_facts(versions: Sequence[VersionTuple]) -> Sequence[Fact]:
    """Everything that the rows depend on (D32)."""
    return _together([dict(_flat(version.model_dump(mode="json", exclude={"system"}))) for version in versions])


def setting_facts(manifests: Sequence[SystemManifest]) -> Sequence[Fact]:
    """The settings behind each digest of a configuration: weights, depths, thresholds."""
    return _together([dict(_flat(manifest.configuration)) for manifest in manifests])


def _together(tables: Sequence[Mapping[str, str]]) -> Sequence[Fact]:
    names = dict.fromkeys(name for table in tables for name in table)
    return [Fact(name, tuple(table.get(name, "none") for table in tables)) for name in names]


def _flat(values: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        shown = name.replace("_", " ")
        if isinstance(value, dict):
            yield from ((f"{shown}: {key}", _text(each)) for key, each in sorted(value.items()))
        else:
            yield shown, _text(value)


def _text(value: JsonValue) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
