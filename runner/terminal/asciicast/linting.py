"""Looks a recording over: its form, and what it carries."""

from __future__ import annotations

from runner.terminal.asciicast.findings import Finding
from runner.terminal.asciicast.payloads import payloads
from runner.terminal.asciicast.reading import read_recording


def lint(data: bytes) -> tuple[Finding, ...]:
    """Everything found, in the order of the lines."""
    read = read_recording(data)
    return tuple(sorted([*read.findings, *payloads(read)], key=lambda one: one.line))
