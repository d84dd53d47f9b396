"""Reads the rows of a done frame as interface `list-80x24-v1` (images/README.md, Screen)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from runner.counts import counted
from runner.terminal.shown import compared_form

LIST_ROWS = slice(2, 12)
STATUS_ROW = 23
MOST = 10

_RANK = re.compile(r"  [1-9]| 10")
_DOC_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,15}")
_STATUS = re.compile(r"#([1-9][0-9]*) (?:(1) result|([2-9]|10) results|(no results)|error: (\S.*?))(?:  .*)?")


class InterfaceError(ValueError):
    """A screen that does not keep the contract; the text says where and how."""


class Status(StrEnum):
    """What the status row says of the search."""

    RESULTS = "results"
    NONE = "no results"
    ERROR = "error"


class Line(NamedTuple):
    """One drawn result."""

    rank: int
    doc_id: str
    title: str


class Drawn(NamedTuple):
    """What a screen says: which submit, how it went, how many results the status claims, and the list."""

    submit: int
    status: Status
    claimed: int
    lines: tuple[Line, ...]

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """The list by id, in the order drawn."""
        return tuple(line.doc_id for line in self.lines)


Reading = Drawn | InterfaceError


def read_screen(rows: Sequence[str]) -> Drawn:
    """The list and status in 24 rows, or InterfaceError."""
    submit, status, claimed = read_status(rows[STATUS_ROW])
    lines = read_list(rows[LIST_ROWS])
    if len(lines) != claimed:
        raise InterfaceError(f"row 24: says {counted(claimed, 'result')}, and the list has {len(lines)}")
    return Drawn(submit, status, claimed, lines)


def read_status(row: str) -> tuple[int, Status, int]:
    """Submit number, status and count in row 24."""
    match = _STATUS.fullmatch(row.rstrip())
    if match is None:
        raise InterfaceError(f"row 24: not a status: {row.strip()!r}")
    submit, one, many, none, _words = match.groups()
    if one or many:
        return int(submit), Status.RESULTS, int(one or many)
    return int(submit), Status.NONE if none else Status.ERROR, 0


def read_list(rows: Sequence[str]) -> tuple[Line, ...]:
    """The results in rows 3 to 12: ranks from 1 without a gap, then rows without a result."""
    lines = [_read_line(row.ljust(22), number) for number, row in enumerate(rows, LIST_ROWS.start + 1)]
    found = [line for line in lines if line is not None]
    for rank, line in enumerate(lines[: len(found)], 1):
        if line is None or line.rank != rank:
            raise InterfaceError(f"row {LIST_ROWS.start + rank}: rank {rank} is not here")
    return tuple(found)


def reading_of(rows: Sequence[str]) -> Reading:
    """As `read_screen`, with the error in place of what could not be read."""
    try:
        return read_screen(rows)
    except InterfaceError as finding:
        return finding


def same_reading(one: Reading, other: Reading) -> bool:
    """Whether two screens say the same, or both nothing that can be read."""
    if isinstance(one, Drawn) and isinstance(other, Drawn):
        return same_list(one, other)
    return not isinstance(one, Drawn) and not isinstance(other, Drawn)


def same_list(one: Drawn, other: Drawn) -> bool:
    """Whether two screens say the same, titles in their compared form."""
    return _compared(one) == _compared(other)


def _read_line(row: str, number: int) -> Line | None:
    head = row[:21]
    if not head.strip():
        return None
    rank, doc_id = row[1:4], row[5:21].rstrip(" ")
    if not _RANK.fullmatch(rank) or row[4] != " " or row[21] != " ":
        raise InterfaceError(f"row {number}: no rank in columns 2 to 4, or no blank beside it: {head!r}")
    if not _DOC_ID.fullmatch(doc_id):
        raise InterfaceError(f"row {number}: no doc_id in columns 6 to 21: {head!r}")
    return Line(int(rank), doc_id, row[22:].rstrip())


def _compared(drawn: Drawn) -> Drawn:
    lines = tuple(line._replace(title=compared_form(line.title)) for line in drawn.lines)
    return drawn._replace(lines=lines)
