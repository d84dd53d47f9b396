"""What an engine says of itself in its handshake (images/README.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from runner.documents import Digest

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Handshake:
    """The versions of one engine; `lacking` are those of which it gave no digest. Index and model may be null.

    `index_bytes` is what it says of the size of its index; null where it says nothing that is a size.
    """

    said: Mapping[str, object]
    index: Digest | None
    model: Digest | None
    lacking: tuple[str, ...]
    index_bytes: int | None = None

    def contradicts(self, expected: Mapping[str, str]) -> Iterator[str]:
        """What the engine says otherwise than `expected`, one sentence each."""
        for name, value in expected.items():
            if self.said.get(name) != value:
                yield f"the engine serves {name} {self.said.get(name)!r}, not {value!r}"


def read_handshake(reply: Mapping[str, object] | None) -> Handshake | None:
    """The handshake in the reply to `hello`; null where none came, or an error."""
    if reply is None or reply.get("status") != "ok":
        return None
    index, model = _digest(reply.get("index")), _digest(reply.get("model"))
    lacking = {"index": index is None, "model": model is None and reply.get("model") is not None}
    size = reply.get("index_bytes")
    return Handshake(
        reply,
        index,
        model,
        tuple(name for name, missing in lacking.items() if missing),
        size if type(size) is int and 0 <= size < 2**63 else None,
    )


def _digest(value: object) -> Digest | None:
    return value if isinstance(value, str) and _DIGEST.fullmatch(value) else None
