"""Judges the suite about restoring the terminal: bytes and termios to what each ending has left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.documents import parse_json
from runner.provenance.suites.endings import ENDINGS, MOMENTS, Ending
from runner.provenance.suites.protocol import split_cases
from runner.retrieval.gates import Verdict
from runner.retrieval.suites import EndingRow
from runner.terminal import suite_log as log
from runner.terminal.aftermath import MOUSE, Aftermath, by_avt, by_ghostty
from runner.terminal.rawlog import Exit, In, Input, Out, Role

_SETTINGS = ("iflag", "oflag", "cflag", "lflag", "ispeed", "ospeed", "cc")
NOT_ENDED = "the UI had not ended in the time that it was given"


class Judged(NamedTuple):
    """What is against each rule, by id, which rules were tried, and the table of endings."""

    found: Mapping[str, str]
    tried: frozenset[str]
    endings: tuple[EndingRow, ...]


class Left(NamedTuple):
    """What one ending left: what stood there before, all that was written, the line discipline before and after (null:
    the UI did not end), and how the started process ended."""

    earlier: bytes
    written: bytes
    before: str | None
    after: str | None
    exit: Exit | None


def judge(events: Sequence[log.SuiteEvent]) -> Judged:
    """Every rule on the log of the suite."""
    found, tried, endings = dict[str, str](), set[str](), list[EndingRow]()
    script = {f"{ending.name}, {moment}": (ending, moment) for moment in MOMENTS for ending in ENDINGS}
    for name, part in split_cases(events):
        if name not in script or not any(map(_asks_to_end, part)):
            continue
        ending, moment = script[name]
        left = _left(part)
        faults = _faults(left) if left.after is not None else {}
        fault = _exit_fault(ending, left)
        if fault:
            found.setdefault(ending.rule, f"{moment}: {fault}")
        tried |= {ending.rule, *faults}
        for mode, what in faults.items():
            if what:
                found.setdefault(mode, f"{name}: {what}")
        endings.append(_row(ending, moment, left, faults))
    whole = [(row.ending, row.moment) for row in endings] == [(end.name, moment) for end, moment in script.values()]
    return Judged(found, frozenset(tried if whole else found), tuple(endings))


def _asks_to_end(event: log.SuiteEvent) -> bool:
    return isinstance(event, log.Signalled) or (isinstance(event, In) and event.what is Input.QUIT)


def _left(events: Sequence[log.SuiteEvent]) -> Left:
    lines = {event.when: event.termios for event in events if isinstance(event, log.Lines)}
    return Left(
        earlier=b"".join(event.data for event in events if isinstance(event, log.Earlier)),
        written=b"".join(event.data for event in events if isinstance(event, Out)),
        before=lines.get("before"),
        after=lines.get("after"),
        exit=next((event for event in events if isinstance(event, Exit) and event.role is Role.UI), None),
    )


def _faults(left: Left) -> dict[str, str]:
    """What is wrong with each mode by its rule, in words; empty where nothing is."""
    fresh, ghostty = by_ghostty(left.earlier), by_ghostty(left.written)
    both = (ghostty, by_avt(left.written))
    modes = ghostty.modes
    return {
        "line-discipline": _lines(left),
        "alternate-screen": _if(any(each.alternate for each in both), "the alternate screen is shown"),
        "earlier-screen": next(filter(None, (_lost(fresh, each) for each in both)), ""),
        "cursor": next(filter(None, (_cursor(fresh, each) for each in both)), ""),
        "colours": _if(any(each.colours for each in both), "text comes in another look"),
        "bracketed-paste": _if(2004 in modes, "2004 is on"),
        "mouse": _numbers(modes, MOUSE),
        "focus-reports": _if(1004 in modes, "1004 is on"),
        "keyboard-protocol": _keyboard(ghostty),
        "line-wrap": _if(not all(each.wrap for each in both), "lines do not wrap"),
        "synchronized-output": _if(2026 in modes, "2026 is on"),
        "plain-text": _if(not all(each.plain for each in both), "text does not come out as it is written"),
    }


def _lines(left: Left) -> str:
    """The settings that are not as before."""
    if left.before == left.after or left.before is None or left.after is None:
        return ""
    old, new = (parse_json(each.encode(), "termios") for each in (left.before, left.after))
    moved = [(name, a, b) for name, a, b in zip(_SETTINGS, old, new, strict=True) if a != b]
    return "; ".join(f"{name} is {b}, was {a}" if isinstance(b, int) else f"{name} is another" for name, a, b in moved)


def _if(wrong: bool, what: str) -> str:  # noqa: FBT001 - an assertion
    return what if wrong else ""


def _numbers(modes: frozenset[int], of: Sequence[int]) -> str:
    found = sorted(modes & set(of))
    return f"{', '.join(map(str, found))} on" if found else ""


def _keyboard(screen: Aftermath) -> str:
    names = {1: "application cursor keys are on", 66: "the application keypad is on"}
    found = [words for mode, words in names.items() if mode in screen.modes]
    return "; ".join([*found, *([f"kitty flags are {screen.keyboard}"] if screen.keyboard else [])])


def _lost(fresh: Aftermath, found: Aftermath) -> str:
    """The first row that does not stand as before."""
    for number, (old, new) in enumerate(zip(fresh.rows, found.rows, strict=True), 1):
        if old and new != old:
            return f"row {number} is {new!r}, was {old!r}"
    return ""


def _cursor(fresh: Aftermath, found: Aftermath) -> str:
    if not found.visible:
        return "it is hidden"
    if (found.row, found.column) < (fresh.row, fresh.column) and not found.alternate:
        return f"it stands in row {found.row + 1}, above row {fresh.row + 1} where it was"
    return ""


def _exit_fault(ending: Ending, left: Left) -> str:
    if left.after is None or left.exit is None:
        return NOT_ENDED
    status = _status(ending, left)
    if status == ending.status:
        return ""
    return f"ended by signal {left.exit.signal}" if status is None else f"ended with {status}, not {ending.status}"


def _status(ending: Ending, left: Left) -> int | None:
    """As a shell tells it: 128 and the signal for a process that a signal has ended. But only who is alive can repair,
    so where the drawing one was killed that is no status."""
    if left.exit is None or left.after is None:
        return None
    if left.exit.signal is None or ending.to == "drawing":
        return left.exit.status
    return 128 + left.exit.signal


def _row(ending: Ending, moment: str, left: Left, faults: Mapping[str, str]) -> EndingRow:
    modes = {mode: Verdict.FAIL if what else Verdict.PASS for mode, what in faults.items()}
    return EndingRow(
        ending=ending.name,
        moment=moment,
        expected=ending.status,
        status=_status(ending, left),
        modes=modes or dict.fromkeys(MODES, Verdict.NOT_RUN),
    )


#: The rules about modes, in the order of the table.
MODES = tuple(_faults(Left(b"", b"", None, None, None)))
