"""Reads a recording of any version, damaged or whole, into its events and all that is wrong with its form."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from runner.terminal.asciicast.clock import placed
from runner.terminal.asciicast.events import Event, Raw, read_event
from runner.terminal.asciicast.findings import LEFT_OUT, MOST_BYTES, Finding, Rule, excerpt
from runner.terminal.asciicast.header import NO_HEADER, Header, is_header, read_header
from runner.terminal.asciicast.lines import Comment, Piece, Value, pieces
from runner.terminal.asciicast.version1 import is_version_1, read_version_1


class Recording(NamedTuple):
    """What a file holds. `header` is null where nothing could be read; `version` is that of the file.

    Events and the comments of version 3 stand in the order of the file, events on one clock.
    """

    version: int
    header: Header | None
    entries: tuple[Event | Comment, ...]
    findings: tuple[Finding, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(entry for entry in self.entries if isinstance(entry, Event))


def read_recording(data: bytes) -> Recording:
    """All that can be read of `data`; every line that is not as it should be has a finding."""
    if len(data) > MOST_BYTES:
        what = f"more than {MOST_BYTES} bytes"
        return Recording(0, None, (), (Finding(1, Rule.SIZE, what, "nothing is kept"),))
    if not data.strip():
        return Recording(0, None, (), (Finding(1, Rule.FILE, "is empty", "nothing is kept"),))
    return _version_1(data) if is_version_1(data) else _lines(list(pieces(data)))


def _version_1(data: bytes) -> Recording:
    read = read_version_1(data)
    header, found = read_header({**read.fields, "version": Decimal(2)}, 1)
    raws, said = _raws(read.outputs, 2)
    events, times = placed(raws, 3, 0)
    told = [one for one in (*read.findings, *found, *said, *times) if one.rule is not Rule.CLOCK]
    return Recording(1, header, tuple(events), _sorted(told))


class _Part(NamedTuple):
    """A header with all that follows it up to the next."""

    line: int
    header: Header
    pieces: list[Piece]


def _lines(found: Sequence[Piece]) -> Recording:
    findings = [one for one in found if isinstance(one, Finding)]
    parts = _parts(found, findings)
    if not parts:
        return Recording(0, None, (), _sorted([*findings, Finding(1, Rule.HEADER, "missing", "nothing is kept")]))
    first = parts[0].header
    entries: list[Event | Comment] = []
    latest = 0
    for part in parts:
        values = [one for one in part.pieces if isinstance(one, Value)]
        raws, said = _raws(values, part.header.version)
        events, times = placed(raws, part.header.version, latest)
        findings += [*said, *times]
        entries += _bridge(part, parts, latest)
        entries += sorted([*events, *_comments(part, first, findings)], key=lambda entry: entry.line)
        latest = events[-1].ns if events else latest
    kept = [entry for entry in entries if not (isinstance(entry, Event) and _foreign(entry, first, findings))]
    return Recording(first.version, first, tuple(kept), _sorted(findings))


def _parts(found: Sequence[Piece], findings: list[Finding]) -> list[_Part]:
    """The recordings of a file; normally one."""
    parts: list[_Part] = []
    for one in found:
        if isinstance(one, Value) and is_header(one.value):
            header, said = read_header(one.value, one.line)
            findings += said
            if parts:
                findings.append(Finding(one.line, Rule.FILE, "a second header: another recording begins", "put behind"))
            parts.append(_Part(one.line, header, []))
        elif parts:
            parts[-1].pieces.append(one)
        elif isinstance(one, Value):
            what = "missing, the file starts with something else"
            deed = f"read as version 2 of {NO_HEADER.columns}x{NO_HEADER.rows}"
            findings.append(Finding(one.line, Rule.HEADER, what, deed))
            parts.append(_Part(one.line, NO_HEADER, [one]))
    return parts


def _raws(values: Sequence[Value], version: int) -> tuple[list[Raw], list[Finding]]:
    read = [read_event(value, version) for value in values]
    return [raw for raw, _ in read], [finding for _, said in read for finding in said]


def _bridge(part: _Part, parts: Sequence[_Part], latest: int) -> list[Event]:
    """What says in the events that another recording begins, with its size where that is another."""
    if part is parts[0]:
        return []
    size = (part.header.columns, part.header.rows)
    resize = [Event(part.line, latest, "r", f"{size[0]}x{size[1]}")]
    same = size == (parts[0].header.columns, parts[0].header.rows)
    return [Event(part.line, latest, "m", "another recording begins"), *([] if same else resize)]


def _comments(part: _Part, first: Header, findings: list[Finding]) -> list[Comment]:
    comments = [one for one in part.pieces if isinstance(one, Comment)]
    if first.version == 3 and part.header.version == 3:
        return comments
    said = "a comment, which only version 3 knows"
    findings += [Finding(one.line, Rule.LINE, f"{said}: {excerpt(one.text)}", LEFT_OUT) for one in comments]
    return []


def _foreign(event: Event, first: Header, findings: list[Finding]) -> bool:
    """Whether the version that all is written in lacks an event's code."""
    if event.code != "x" or first.version == 3:
        return False
    findings.append(Finding(event.line, Rule.CODE, "x is no code of version 2, which the file starts as", LEFT_OUT))
    return True


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda one: one.line))
