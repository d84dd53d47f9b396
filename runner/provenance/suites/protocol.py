"""Judges the suite about the release protocol from what was sent and what came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from runner.errors import Findings
from runner.provenance.suites.cases import BESIDE_ID, HELLO_ID, LINE, NEXT_ID, OK, PLAIN, Case, Reply, cases, search
from runner.provenance.suites.lines import object_in
from runner.provenance.suites.replies import error_fault, hello_fault, items_fault, listing
from runner.terminal import suite_log as log
from runner.terminal.rawlog import Exit, Role

Finding = tuple[str, str]
_FRAME = {HELLO_ID, NEXT_ID, BESIDE_ID}


class Expected(NamedTuple):
    """What hello must say."""

    text: str
    versions: Mapping[str, str]


class Heard(NamedTuple):
    """One line from the engine: its value (null where it is no JSON object) and its length with the newline."""

    value: Mapping[str, Any] | None
    length: int

    @property
    def code(self) -> str:
        """`ok`, or the code of the error; empty where there is neither."""
        value = self.value or {}
        code = value.get("status") if value.get("status") == OK else value.get("error")
        return code if isinstance(code, str) else ""

    @property
    def id(self) -> int | None:
        """The integer that it repeats; null where it repeats none."""
        number = (self.value or {}).get("id")
        return number if type(number) is int else None


class Spoken(NamedTuple):
    """One case as it went: what was sent and heard by connection name, on which of them a reply did not come within the
    time limit, and whether the engine ended."""

    sent: Mapping[str, tuple[bytes, ...]]
    heard: Mapping[str, tuple[Heard, ...]]
    silent: tuple[str, ...]
    ended: bool


def judge(events: Sequence[log.SuiteEvent], expected: Expected) -> dict[str, str]:
    """What is against each rule, by id; the first finding of each. Findings where the log is not that of the script."""
    script = {case.name: case for case in cases(expected.text)}
    found: dict[str, str] = {}
    greetings: list[Mapping[str, Any]] = []
    for name, part in split_cases(events):
        if name not in script:
            raise Findings(f"the suite has no case {name!r}.")
        spoken = _spoken(part)
        _hold_script(script[name], spoken)
        greetings += _greetings(spoken)
        for rule, what in _judge_case(script[name], spoken):
            found.setdefault(rule, f"{name}: {what}")
    tried = any(isinstance(event, log.Case) for event in events)
    for rule, what in _judge_hello(greetings, expected) if tried else ():
        found.setdefault(rule, what)
    return found


def complete(events: Sequence[log.SuiteEvent], text: str) -> bool:
    """Whether every case of the script is there."""
    return [name for name, _ in split_cases(events)] == [case.name for case in cases(text)]


def split_cases(events: Sequence[log.SuiteEvent]) -> Iterator[tuple[str, list[log.SuiteEvent]]]:
    """The events of each case, by its name."""
    name, part = "", list[log.SuiteEvent]()
    for event in events:
        if isinstance(event, log.Case):
            if name:
                yield name, part
            name, part = event.name, []
        else:
            part.append(event)
    if name:
        yield name, part


def _spoken(events: Sequence[log.SuiteEvent]) -> Spoken:
    names, sent, came = dict[int, str](), dict[str, list[bytes]](), dict[str, bytes]()
    for event in events:
        if isinstance(event, log.Dial):
            names[event.conn] = event.name
        elif isinstance(event, log.Sent):
            sent.setdefault(names[event.conn], []).append(event.data)
        elif isinstance(event, log.Came):
            name = names[event.conn]
            came[name] = came.get(name, b"") + event.data
    return Spoken(
        {name: tuple(data) for name, data in sent.items()},
        {name: tuple(_lines(data)) for name, data in came.items()},
        tuple(names[event.conn] for event in events if isinstance(event, log.Silent)),
        any(isinstance(event, Exit) and event.role is Role.ENGINE for event in events),
    )


def _lines(data: bytes) -> Iterator[Heard]:
    *lines, rest = data.split(b"\n")
    yield from (Heard(object_in(line), len(line) + 1) for line in lines)
    if rest:
        yield Heard(None, len(rest))


def _hold_script(case: Case, spoken: Spoken) -> None:
    """Findings where something else was sent than the script has; an engine that hangs up cuts it short."""
    for name, sent in spoken.sent.items():
        wanted = tuple(step.data for step in case.steps if step.do == "send" and step.name == name)
        if sent != wanted[: len(sent)]:
            raise Findings(f"case {case.name!r}: something else was sent on {name} than the script has.")


def _greetings(spoken: Spoken) -> Iterator[Mapping[str, Any]]:
    for heard in spoken.heard.values():
        yield from (each.value for each in heard if each.id == HELLO_ID and each.value and "protocol" in each.value)


def _judge_case(case: Case, spoken: Spoken) -> Iterator[Finding]:
    for name, heard in spoken.heard.items():
        wanted = [reply for reply in case.replies if reply.name == name]
        yield from _match(case, wanted, [each for each in heard if each.id not in _FRAME])
        yield from (finding for each in heard for finding in _judge_reply(each))
    for reply in case.replies:
        if reply.name not in spoken.heard:
            yield case.rule, f"no reply to it on connection {reply.name}"
    yield from _frame(case, spoken)
    yield from _counts(case, spoken)


def _match(case: Case, wanted: Sequence[Reply], heard: Sequence[Heard]) -> Iterator[Finding]:
    """Each wanted reply came, and no other."""
    left = list(heard)
    for reply in wanted:
        place = next((n for n, each in enumerate(left) if each.id in reply.ids), None)
        if place is None:
            said = f"; {listing(left)} came" if left else ""
            yield case.rule, f"no reply with id {' or '.join(map(_name, reply.ids))}{said}"
            continue
        code = left.pop(place).code
        if code not in reply.codes:
            yield case.rule, f"the reply is {code or 'no reply of the protocol'}, not {' or '.join(reply.codes)}"
    if left:
        yield case.rule, f"{listing(left)} came beside"


def _frame(case: Case, spoken: Spoken) -> Iterator[Finding]:
    """The requests after it were answered, on the same connection and on another one."""
    for rule, name, number in (("lives-on", "a", NEXT_ID), ("lives-on-beside", "beside", BESIDE_ID)):
        asked = search(PLAIN, number)
        due = any((step.name, step.data) == (name, asked) for step in case.steps)
        if due and not any(each.id == number and each.code == OK for each in spoken.heard.get(name, ())):
            yield rule, "the request after it was not answered"
    for name in spoken.silent:
        rule = "lives-on-beside" if name == "beside" else case.rule
        yield rule, f"a reply on connection {name} did not come within the time limit"
    if spoken.ended:
        yield "lives-on-beside", "the engine ended"


def _counts(case: Case, spoken: Spoken) -> Iterator[Finding]:
    """No list is longer than its limit, which is the id in the cases about it, else 10."""
    for heard in spoken.heard.values():
        for each in heard:
            items = (each.value or {}).get("items")
            most = each.id if case.rule == "item-count" and each.id in {1, 3} else 10
            if isinstance(items, list) and isinstance(most, int) and len(items) > most:
                yield "item-count", f"{len(items)} items where at most {most} were asked for"


def _judge_reply(heard: Heard) -> Iterator[Finding]:
    if heard.length > LINE:
        yield "reply-line", f"a reply of {heard.length:,} bytes or more"
    elif heard.value is None:
        yield "reply-line", "a reply that is no line with a JSON object"
    elif heard.value.get("status") == OK:
        fault = items_fault(heard.value) if "protocol" not in heard.value else ""
        if fault:
            yield "search", fault
    elif error_fault(heard.value):
        yield "error-reply", error_fault(heard.value)


def _judge_hello(greetings: Sequence[Mapping[str, Any]], expected: Expected) -> Iterator[Finding]:
    if not greetings:
        yield "hello-names", "no reply to hello"
        return
    first = greetings[0]
    fault = hello_fault(first)
    if fault:
        yield "hello-names", fault
    for name, value in expected.versions.items():
        if name in first and first[name] != value:
            yield "hello-values", f"{name} is {first[name]!r}, not {value!r}"
    if any(each != first for each in greetings):
        other = next(each for each in greetings if each != first)
        moved = sorted(key for key in first.keys() | other.keys() if first.get(key) != other.get(key))
        yield "hello-steady", f"{', '.join(moved)} changed between connections"


def _name(number: int | None) -> str:
    return "null" if number is None else str(number)
