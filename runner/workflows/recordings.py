"""What can be done with a recording of a terminal, whoever made it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from runner.documents import Source
from runner.errors import BadInput, Findings
from runner.terminal.asciicast.deeds import Saved, lint, salvage, still
from runner.terminal.asciicast.findings import MOST_SECONDS, Finding
from runner.terminal.asciicast.numbers import number, to_ns
from runner.terminal.asciicast.reading import read_recording
from runner.terminal.asciicast.redaction import Redacted, redact


def look_over(recording: Source) -> tuple[Finding, ...]:
    """All that is to be said of it."""
    return lint(recording.data)


def save(recording: Source) -> tuple[bytes, Saved]:
    """The sound file, and what was done; Findings where nothing can be kept."""
    found = salvage(recording.data)
    if found.data is None:
        raise Findings(f"{recording.where}:{found.account[0]}: nothing could be kept.", advice="No file was written.")
    return found.data, found


def take_out(recording: Source, words: Sequence[str]) -> tuple[bytes, Redacted]:
    """The recording without `words` and without what looks like a secret, and what was found."""
    for word in words:
        if len(word.strip()) < 2 or not word.isprintable():
            raise BadInput(
                f"--word {word!r}: not two or more printable characters.", advice="Name the word to take out."
            )
    found = redact(recording.data, words)
    if found.data is None:
        what = f"{recording.where}:{found.findings[0]}: nothing can be taken out."
        raise Findings(what, advice="No file was written.")
    return found.data, found


def draw_moment(recording: Source, seconds: str) -> str:
    """The SVG of the screen so many seconds from the start."""
    at = _seconds(seconds)
    try:
        return still(read_recording(recording.data), to_ns(at))
    except BadInput as error:
        raise BadInput(f"{recording.where}: {error.what}", advice=error.advice) from None


def _seconds(text: str) -> Decimal:
    at = number(text)
    if not at.is_finite() or not 0 <= at <= MOST_SECONDS:
        raise BadInput(
            f"--at {text!r}: not a number of seconds from 0 to {MOST_SECONDS}.", advice="For example: 1.502345"
        )
    return at


def finding_lines(where: str, found: Sequence[Finding]) -> Iterator[str]:
    """Findings for people, with what was done about each where something was."""
    for finding in found:
        yield f"{where}:{finding}" + (f" -> {finding.deed}" if finding.deed else "")
