"""What the system is configured with: field weights, the constants of BM25, the threshold of a result."""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple

from mambomeme.bm25 import Parameters
from mambomeme.corpus import FIELDS, digest
from mambomeme.faults import StartError

_NUMBERS = ("b", "epsilon", "k1", "threshold")
_KEYS = {*_NUMBERS, "routes", "weights"}


class Settings(NamedTuple):
    """The parsed configuration, and the digest of its canonical JSON."""

    digest: str
    parameters: Parameters
    threshold: float
    weights: dict[str, float]


def parse_settings(text: str | bytes, where: str) -> Settings:
    """The settings in `text`, a JSON object; StartError names the key that is wrong."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise StartError(f"{where}: not JSON. Give the configuration object of the system manifest.") from None
    if not isinstance(value, dict) or value.keys() != _KEYS:
        raise StartError(f"{where}: must be an object with the keys {', '.join(sorted(_KEYS))}.")
    if value["routes"] != ["lexical"]:
        raise StartError(f'{where}: routes must be ["lexical"]; this version has no other.')
    weights = value["weights"]
    if not isinstance(weights, dict) or weights.keys() != set(FIELDS):
        raise StartError(f"{where}: weights must name each of {', '.join(FIELDS)}.")
    return Settings(
        digest=digest(canonical(value)),
        parameters=Parameters(*(_number(value, key, where) for key in ("k1", "b", "epsilon"))),
        threshold=_number(value, "threshold", where),
        weights={field: _number(weights, field, where) for field in FIELDS},
    )


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _number(value: dict[str, Any], key: str, where: str) -> float:
    found = value[key]
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found) or found < 0:
        raise StartError(f"{where}: {key} must be a finite number of at least 0.")
    return float(found)
