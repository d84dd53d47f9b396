"""Whatever is done to a recording: no good event is lost, what is saved is sound, and nothing makes it stumble."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.errors import BadInput
from runner.terminal.asciicast.burden import burden
from runner.terminal.asciicast.deeds import lint, salvage, still
from runner.terminal.asciicast.reading import read_recording
from runner.terminal.asciicast.redaction import redact

HEADS = {2: '{"version": 2, "width": 80, "height": 24}', 3: '{"version": 3, "term": {"cols": 80, "rows": 24}}'}
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
GOOD = st.lists(st.tuples(st.integers(0, 5_000_000), st.sampled_from("oim"), TEXTS), max_size=12)
#: Lines that are no event, and hold no quote that could end a text before them.
STRAY = ["", "   ", "# a remark", "null", "[]", "{}", "]]", "[0.5", "[NaN, 1", "\x00", "[" * 3000, "�" * 9]
#: Events that are cut, so that nothing of them but their time can be read.
CUT = ['[0,"o","hel', '[0,"o",', '[0,"o","\\u00', '[0,"o","a\\']
BROKEN = st.lists(st.tuples(st.integers(0, 12), st.sampled_from([*STRAY, *CUT])), max_size=6)


def written(version: int, good: list[tuple[int, str, str]]) -> tuple[list[str], list[list[object]]]:
    """The lines of a sound recording whose pauses are given in microseconds, and its events with their times."""
    now, lines, events = 0, [], []
    for pause, code, text in good:
        now += pause
        shown = pause if version == 3 else now
        lines.append(f"[{shown // 10**6}.{shown % 10**6:06}, {json.dumps(code)}, {json.dumps(text)}]")
        events.append([now, code, text])
    return lines, events


def read(data: bytes) -> list[list[object]]:
    """The events of a sound file, times in microseconds from its start."""
    head, *rows = [line for line in data.decode().split("\n")[:-1] if not line.startswith("#")]
    now, events = 0, []
    for row in rows:
        seconds, code, text = json.loads(row)
        stamp = round(seconds * 10**6)
        now = now + stamp if json.loads(head)["version"] == 3 else stamp
        events.append([now, code, text])
    return events


def form(data: bytes) -> list[str]:
    return [str(finding) for finding in lint(data) if finding.rule.form]


@given(st.sampled_from([2, 3]), GOOD, BROKEN, st.booleans())
def test_no_good_event_is_lost_and_its_time_neither(
    version: int, good: list[tuple[int, str, str]], broken: list[tuple[int, str]], crlf: bool
) -> None:
    lines, events = written(version, good)
    for place, text in broken:
        lines.insert(min(place, len(lines)), text)
    data = ("\r\n" if crlf else "\n").join([HEADS[version], *lines, ""]).encode()
    saved = salvage(data)
    assert saved.data is not None
    assert read(saved.data) == events
    assert saved.events == len(events)
    assert form(saved.data) == []
    assert salvage(saved.data).data == saved.data
    # Each thing left out has a line of the account; comments are at home in version 3.
    strange = [text for _, text in broken if text != "# a remark" or version == 2]
    assert len({one.line for one in saved.account if one.deed == "left out"}) == len(strange)


@given(GOOD, st.integers(0, 400))
def test_a_file_cut_anywhere_keeps_every_whole_line(good: list[tuple[int, str, str]], cut: int) -> None:
    lines, events = written(2, good)
    data = "\n".join([HEADS[2], *lines, ""]).encode()
    kept = data[: len(HEADS[2]) + 1 + cut]
    whole = kept.count(b"\n") - 1
    assert read(salvage(kept).data or b"")[:whole] == events[:whole]


@given(st.binary(max_size=200))
def test_any_bytes_are_looked_over_and_what_is_saved_is_sound(noise: bytes) -> None:
    for data in (noise, HEADS[2].encode() + b"\n" + noise, b'{"version":1,"stdout":[' + noise):
        lint(data)
        saved = salvage(data)
        assert saved.data is None or form(saved.data) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
FIELDS = st.sampled_from(["version", "width", "height", "term", "theme", "env", "title", "timestamp", "tags", "x"])


@given(st.dictionaries(FIELDS, JSON), st.lists(JSON, max_size=4))
def test_any_header_and_events_are_looked_over_and_what_is_saved_is_sound(
    head: dict[str, object], rows: list[object]
) -> None:
    for first in (head, {"version": 2, **head}, {"version": 3, **head}, {"version": 1, "stdout": rows, **head}):
        saved = salvage("\n".join(map(json.dumps, [first, *rows, ""])).encode())
        assert saved.data is None or form(saved.data) == []


@given(GOOD)
def test_times_of_what_is_saved_never_fall(good: list[tuple[int, str, str]]) -> None:
    lines, _ = written(2, good)
    times = [row[0] for row in read(salvage("\n".join([HEADS[2], *reversed(lines), ""]).encode()).data or b"")]
    assert all(one <= other for one, other in pairwise(times))


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 2_000_000,
        b"{" * 2_000_000,
        b'[0,"' * 500_000,
        b'[0,"a",' * 300_000,
        b'[0,["\n' * 30_000,
        b"[9" + b"9" * 1_000_000 + b',"o","a"]',
        b'[1e999999999999999999999,"o","a"]',
        b'{"version": 1, "stdout": ' + b"[" * 1_000_000,
        b'{"version": 1, "stdout": [' + b'[0,"' * 300_000,
        b"\n" * 300_000,
        b"\xff" * 1_000_000,
        b"x" * (65 << 20),
    ],
    ids=lambda data: f"{data[:12]!r} {len(data)}",
)
def test_what_was_made_to_burden_it_is_refused_in_passing(data: bytes) -> None:
    """Work that grew with the square of these would not end."""
    for file in (data, HEADS[2].encode() + b"\n" + data):
        assert lint(file)


def drawing(size: tuple[int, int], *events: tuple[str, str]) -> bytes:
    head = json.dumps({"version": 2, "width": size[0], "height": size[1]})
    return "\n".join([head, *(json.dumps([0, *event]) for event in events), ""]).encode()


#: Each would keep the emulator for minutes or hours, though none is larger than 400 KB.
HEAVY = {
    "outputs of one byte": drawing((1000, 500), *[("o", "x")] * 900),
    "changes of size": drawing((80, 24), *[("r", "1000x500"), ("r", "999x500")] * 450),
    "resets": drawing((1000, 500), ("o", "\x1bc" * 5000)),
    "repetitions": drawing((80, 24), ("o", "a\x1b[65535b" * 31_000)),
    "repetitions in disguise": drawing((80, 24), ("o", "a\x1b[6\x005535b" * 31_000)),
    "scrolling": drawing((80, 24), ("o", "\x9b000099999S" * 31_000)),
}


@pytest.mark.parametrize("name", HEAVY)
def test_what_would_be_drawn_without_end_is_not_drawn_and_it_is_said(name: str) -> None:
    """Small files of few events, each of which moves every cell."""
    (found,) = [one for one in lint(HEAVY[name]) if "cells are drawn up to here" in one.what]
    assert (str(found.rule), found.line > 1) == ("burden", True)
    assert redact(HEAVY[name], ["cena"]).data is None
    with pytest.raises(BadInput, match="cells are drawn"):
        still(read_recording(HEAVY[name]), 0)
    assert salvage(HEAVY[name]).data == HEAVY[name]


def test_a_long_block_is_not_too_much() -> None:
    """A block of a run draws some thousand frames, each with a sequence for every row."""
    assert burden(read_recording(drawing((80, 24), *[("o", "\x1b[1;1Hrow 1999" * 30)] * 4000))) is None
