"""Reads acts of annotators in their millions: each line checked as `Judgement` checks it, and kept as a small tuple."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from runner.documents import Source, parse_json
from runner.errors import BadInput
from runner.retrieval.items import DocId, Safety
from runner.retrieval.judgements import Judgement, Role
from runner.retrieval.qrels import Pair
from runner.retrieval.topics import QueryId

_BOM = b"\xef\xbb\xbf"
_STRING = rb'"([^"\\\x00-\x1f]*)"'
_NUMBER = rb"([0-9]+)"
_FREE = "at"

T = TypeVar("T")

_quoted = json.JSONEncoder(ensure_ascii=False).encode


class Act(NamedTuple):
    """A `Judgement`, and the file and line it stands in."""

    query_id: QueryId
    doc_id: DocId
    annotator: str
    role: Role
    grade: int
    safety: Safety
    at: str
    where: str
    line: int

    @property
    def pair(self) -> Pair:
        """What was judged."""
        return self.query_id, self.doc_id

    @property
    def place(self) -> str:
        """File and line, as they open a message."""
        return f"{self.where}:{self.line}"

    def canonical(self) -> bytes:
        """The same bytes as `Judgement.canonical`, far sooner; ids, roles and classes hold nothing to escape."""
        return (
            f'{{"annotator":{_quoted(self.annotator)},"at":{_quoted(self.at)},"doc_id":"{self.doc_id}",'
            f'"grade":{self.grade},"query_id":"{self.query_id}","role":"{self.role}","safety":"{self.safety}"}}'
        ).encode()


def read_acts(source: Source) -> Iterator[Act]:
    """The acts in a file of judgements, or BadInput naming file, line and field; a line that ends in CR LF is refused.

    A line that is spelt like an earlier one, and of which each value was accepted before, is not parsed in full again:
    the fields of a judgement are independent, and any string will do for `at`.
    """
    if source.data.startswith(_BOM):
        raise BadInput(f"{source.where}:1: starts with a byte order mark.", advice="Save it as UTF-8 without BOM.")
    reader = _Reader(source)
    start, number, data = 0, 0, source.data
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        number += 1
        yield reader.short(start, end, number) or reader.full(data[start:end], number)
        start = end + 1


class _Reader:
    """Remembers how lines are spelt, and which values were accepted."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._spelling: re.Pattern[bytes] | None = None
        self._order: tuple[int, ...] = ()
        self._known: Mapping[str, dict[bytes, Any]] = {name: {} for name in Judgement.model_fields if name != _FREE}

    def short(self, start: int, end: int, number: int) -> Act | None:
        """The act on a line of nothing but known values; None where it must be parsed in full."""
        found = self._spelling.fullmatch(self._source.data, start, end) if self._spelling else None
        if found is None:
            return None
        known, raw = self._known, found.group(*self._order)
        try:
            return Act(
                known["query_id"][raw[0]],
                known["doc_id"][raw[1]],
                known["annotator"][raw[2]],
                known["role"][raw[3]],
                known["grade"][raw[4]],
                known["safety"][raw[5]],
                raw[6].decode(),
                self._source.where,
                number,
            )
        except (KeyError, UnicodeDecodeError):
            return None

    def full(self, line: bytes, number: int) -> Act:
        """The act on a line, every rule of its type applied; its values are known from then on."""
        place = f"{self._source.where}:{number}"
        if line.endswith(b"\r"):
            raise BadInput(f"{place}: ends in CR LF.", advice="Save the file with LF alone at line ends.")
        judgement = Judgement.parse(line, place)
        if self._spelling is None:
            order = tuple(parse_json(line, place))
            self._order = tuple(order.index(name) + 1 for name in Judgement.model_fields)
            self._spelling = _spelling(order, judgement)
        return Act(
            self._once("query_id", judgement.query_id),
            self._once("doc_id", judgement.doc_id),
            self._once("annotator", judgement.annotator),
            self._once("role", judgement.role),
            self._once("grade", judgement.grade),
            self._once("safety", judgement.safety),
            judgement.at,
            self._source.where,
            number,
        )

    def _once(self, name: str, value: T) -> T:
        """`value`, or the equal one that was kept before."""
        kept: T = self._known[name].setdefault(_raw(value), value)
        return kept


def _raw(value: object) -> bytes:
    """A value as it stands in a line, without quotes, where nothing in it is escaped."""
    return str(value).encode()


def _spelling(order: tuple[str, ...], judgement: Judgement) -> re.Pattern[bytes]:
    """Lines with the keys of `order`, at most one blank after each comma and colon, and no escapes."""
    fields = (
        b'"%s": ?%s' % (name.encode(), _NUMBER if isinstance(getattr(judgement, name), int) else _STRING)
        for name in order
    )
    return re.compile(rb"\{" + b", ?".join(fields) + rb"\}")
