"""Finds what a recording carries that a person should look at before it is shown: secrets, clipboard writes, links."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from runner.counts import counted
from runner.terminal.asciicast.burden import PASSED_OVER, burden
from runner.terminal.asciicast.events import Event
from runner.terminal.asciicast.findings import Finding, Rule, excerpt
from runner.terminal.asciicast.grid import grids
from runner.terminal.asciicast.reading import Recording

SECRETS = {
    "a private key": r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY-----",
    "an age secret key": r"AGE-SECRET-KEY-1[0-9A-Z]{50,80}",
    "an AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})[A-Za-z0-9_]{0,200}",
    "a Slack token": r"\bxox[abprs]-[A-Za-z0-9-]{10,200}",
    "a JSON web token": r"\beyJ[A-Za-z0-9_-]{8,1000}+\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}",
    "an address with a password": r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:[^\s/@]{1,256}@",
    "a password or token": (
        r"(?i)\b(?:password|passwd|passphrase|api[_-]?key|secret[_-]?key|(?:access|auth)[_-]?token)"
        r"[\"']?\s?[=:]\s?[\"']?[^\s\"'*█]{6,256}"
    ),
    "an authorization header": r"(?i)\bauthorization: ?(?:bearer|basic) \S{8,4000}",
}
_SECRETS = {what: re.compile(pattern) for what, pattern in SECRETS.items()}
_OSC = re.compile(r"(?:\x1b\]|\x9d)0*(?P<number>52|8);(?P<body>[^\x07\x1b\x9c]*)")
_CONTROL = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b.")


def payloads(read: Recording) -> tuple[Finding, ...]:
    """Findings on the content of a recording, each at the line where it was seen first."""
    found = [*_sequences(read.events), *_secrets(read)]
    seen: dict[tuple[Rule, str], Finding] = {}
    for finding in sorted(found, key=lambda one: one.line):
        seen.setdefault((finding.rule, finding.what), finding)
    return tuple(seen.values())


class _Stream:
    """Texts of events as one, in which each place knows its line."""

    def __init__(self, events: Sequence[Event], texts: Sequence[str]) -> None:
        self.text = "".join(texts)
        self._starts = [0, *accumulate(map(len, texts))][:-1]
        self._events = events

    def line(self, at: int) -> int:
        """The line of the event in which a place lies."""
        return self._events[bisect_right(self._starts, at) - 1].line


def _sequences(events: Sequence[Event]) -> Iterator[Finding]:
    outputs = [event for event in events if event.code == "o"]
    stream = _Stream(outputs, [event.text.translate(PASSED_OVER) for event in outputs])
    for found in _OSC.finditer(stream.text):
        line, body = stream.line(found.start()), found["body"]
        if found["number"] == "52":
            _, _, data = body.partition(";")
            what = (
                "asks for the clipboard"
                if data == "?"
                else f"sets the clipboard, with {counted(len(data), 'character')}"
            )
            yield Finding(line, Rule.CLIPBOARD, f"OSC 52 {what}")
            continue
        target = body.partition(";")[2]
        if target:
            yield Finding(line, Rule.LINK, f"OSC 8 links to {excerpt(target)}")


def _secrets(read: Recording) -> Iterator[Finding]:
    header = read.header
    if header is not None:
        yield from _seen(1, str(header.fields))
    for code in "oi":
        events = [event for event in read.events if event.code == code]
        stream = _Stream(events, [event.text for event in events])
        # Blanks in place of control sequences: the places stay, and no two words run together.
        text = _CONTROL.sub(lambda found: " " * len(found[0]), stream.text)
        for what, pattern in _SECRETS.items():
            yield from (
                Finding(stream.line(hit.start()), Rule.SECRET, _shown(what, hit[0])) for hit in pattern.finditer(text)
            )
    for event in read.events:
        if event.code == "m":
            yield from _seen(event.line, event.text)
    yield from _drawn(read)


def _drawn(read: Recording) -> Iterator[Finding]:
    """Secrets that stand on the screen, in whatever order they were drawn."""
    if heavy := burden(read):
        yield heavy._replace(what=f"{heavy.what}, so no screen was searched")
        return
    known: set[str] = set()
    for event, grid in grids(read):
        text = grid.text
        if text not in known:
            known.add(text)
            yield from _seen(event.line, text)


def _seen(line: int, text: str) -> Iterator[Finding]:
    for what, pattern in _SECRETS.items():
        yield from (Finding(line, Rule.SECRET, _shown(what, hit[0])) for hit in pattern.finditer(text))


def _shown(what: str, text: str) -> str:
    return f"looks like {what}: {excerpt(text[:8])}…"
