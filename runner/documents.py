"""What has a file is a Document: frozen, closed, strictly parsed, and named by the digest of its bytes."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple, Self
from unicodedata import category

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from runner.errors import BadInput, UsageError

#: Characters that a terminal obeys, or that turn the order of what is read: controls, those of the format (bidi
#: overrides among them), halves of pairs, and ends of lines.
OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

#: What to do about findings of a validation, by their type.
_ADVICE = {
    "extra_forbidden": "Remove it, or mend its name.",
    "missing": "Add it.",
    "json_invalid": "Mend it there.",
    "unpinned": "`./bench run pin` with the name of this file writes it.",
}

Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]


def _plain(text: str) -> str:
    """`text`, if it is a line that shows something; a ValueError is what pydantic reports."""
    if not text.strip():
        raise ValueError("is blank")
    if any(category(sign) in OBEYED for sign in text):
        raise ValueError("holds control or format characters")
    return text


#: Words of a person that are printed as they are.
Line = Annotated[str, AfterValidator(_plain)]


def spoken(option: str, text: str) -> str:
    """What was said with an option, as a Line; UsageError where it is none."""
    try:
        return _plain(" ".join(text.split()))
    except ValueError as error:
        raise UsageError(f"{option} {error}.", advice="Say it in one line of plain text.") from None


class Source(NamedTuple):
    """The bytes of one file; `where` is the name that opens every message about them."""

    where: str
    data: bytes


def digest(data: bytes) -> str:
    """`sha256:<hex>` of `data`."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def canonical_bytes(value: Any) -> bytes:
    """The one JSON spelling of `value`: sorted keys, no spaces, UTF-8, no NaN, no final newline."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def pretty_bytes(value: Any) -> bytes:
    """JSON for files that people read and git tracks: sorted keys, two spaces, final newline."""
    return (json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


class _Refused(ValueError):
    """JSON that no file here may hold; why, and what to do."""


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise _Refused(f"key {twice!r} stands twice in one object", "Keep one of them.")
    return found


def _refuse_constant(name: str) -> Any:
    raise _Refused(f"{name} is not a number", "Use a finite number or null.")


def _finite(text: str) -> Any:
    value = float(text)
    return value if math.isfinite(value) else _refuse_constant(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_refuse_duplicates, parse_constant=_refuse_constant, parse_float=_finite)


def parse_json(data: bytes, where: str) -> Any:
    """`data` as JSON, refusing a BOM, bad UTF-8, duplicate keys, and NaN or infinity."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise BadInput(f"{where}: starts with a byte order mark.", advice="Save it as UTF-8 without BOM.")
    try:
        return _DECODER.decode(data.decode())
    except _Refused as error:
        why, advice = error.args
        raise BadInput(f"{where}: {why}.", advice=advice) from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{where}: byte {error.start} is not UTF-8.", advice="Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}" if b"\n" in data.rstrip() else f"column {error.colno}"
        raise BadInput(f"{where}: not JSON: {error.msg} at {at}.", advice="Mend it there.") from None
    except ValueError:
        raise BadInput(f"{where}: holds a number of thousands of digits.", advice="No format here needs it.") from None
    except RecursionError:
        raise BadInput(f"{where}: nested too deeply to be read.", advice="No format here needs it.") from None


class Document(BaseModel):
    """Base of all types that have a file; unknown keys and wrong types are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def parse(cls, data: bytes, where: str) -> Self:
        """The document in `data`; `where` (a file, or file and line) opens every error message."""
        parse_json(data, where)
        try:
            return cls.model_validate_json(data)
        except ValidationError as error:
            advice = _ADVICE.get(error.errors()[0]["type"], "docs/formats.md has the format.")
            raise BadInput(f"{where}: {first_finding(error)}", advice=advice) from None

    @classmethod
    def parse_lines(cls, data: bytes, where: str) -> tuple[Self, ...]:
        """One document for each line of `data` (JSON Lines); a blank line is refused."""
        if data.startswith(b"\xef\xbb\xbf"):
            raise BadInput(f"{where}:1: starts with a byte order mark.", advice="Save it as UTF-8 without BOM.")
        lines = data.split(b"\n")
        if lines and lines[-1] == b"":
            lines.pop()
        return tuple(cls.parse(line, f"{where}:{number}") for number, line in enumerate(lines, 1))

    def canonical(self) -> bytes:
        """Canonical JSON bytes, the form that is hashed."""
        return canonical_bytes(self.model_dump(mode="json"))

    def pretty(self) -> bytes:
        """JSON as kept in a file of its own."""
        return pretty_bytes(self.model_dump(mode="json"))


def to_lines(documents: Iterable[Document]) -> bytes:
    """JSON Lines of `documents`, canonical, one a line."""
    return b"".join(document.canonical() + b"\n" for document in documents)


def first_finding(error: ValidationError) -> str:
    """One line for the first thing a validation found wrong: field, reason, and what stood there."""
    finding = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in finding["loc"]) or "document"
    shown = "" if finding["type"] in {"missing", "json_invalid"} else f" (found {_short(finding['input'])})"
    return f"{field}: {finding['msg']}{shown}."


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:59] + "…"
