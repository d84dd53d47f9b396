"""The raw log is read strictly, and every error names file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.errors import BadInput
from runner.terminal.rawlog import Finish, In, Input, Out, Phase, Result
from runner.terminal.rawlog_reader import KINDS, parse_event, parse_file
from tests.terminal.tape import Tape

OPEN = '{"t":1,"e":"open","block":1,"system":"bm25"}\n'
CLOSE = '{"t":9,"e":"close","requests":0}\n'


def test_events_come_out_typed_and_in_order() -> None:
    tape = Tape()
    tape.spawn()
    tape.search("q1", "a", ["m001"])
    events = tape.file().events
    keys = [event for event in events if isinstance(event, In)]
    assert [key.what for key in keys] == [Input.CLEAR, Input.TEXT, Input.SUBMIT]
    assert [key.data for key in keys] == [b"\x15", b"a", b"\r"]
    assert sum(isinstance(event, Out) for event in events) == 3
    assert [event.result for event in events if isinstance(event, Finish)] == [Result.DONE]
    assert events[3].phase is Phase.MEASURED  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"t":2,"e":"shown"}', "x:2: submit: missing"),
        ('{"t":2,"e":"shown","submit":"1"}', "x:2: submit: not an integer"),
        ('{"t":2,"e":"shown","submit":true}', "x:2: submit: not an integer"),
        ('{"t":2,"e":"shown","submit":1,"more":1}', "x:2: more: unknown key"),
        (f'{{"t":2,"e":"shown","submit":{10**400}}}', "x:2: submit: beyond 64 bits"),
        (f'{{"t":{-(2**63)},"e":"shown","submit":1}}', "x:2: t: beyond 64 bits"),
        ('{"t":2,"e":"socket","name":"\\ud800"}', "x:2: name: half of a surrogate pair"),
        ('{"t":2,"e":"open","block":"\\udfff","system":"a"}', "x:2: block: half of a surrogate pair"),
        ('{"t":2,"e":"party"}', "x:2: e: no such kind"),
        ('{"t":2,"e":["out"]}', "x:2: e: no such kind"),
        ('{"t":2.5,"e":"shown","submit":1}', "x:2: t: not an integer"),
        ('{"t":2,"t":3,"e":"shown","submit":1}', "x:2: key 't' stands twice"),
        ('{"t":2,"e":"out","b64":"*"}', "x:2: b64: not base64"),
        ('{"t":2,"e":"out","b64":7}', "x:2: b64: not a string"),
        ('{"t":2,"e":"in","what":"shout","b64":""}', "x:2: what: 'shout' is not a valid Input"),
        ('{"t":2,"e":"finish","result":"done","late":0}', "x:2: late: not true or false"),
        ('{"t":2,"e":"net","counters":[]}', "x:2: counters: not an object"),
        ('{"t":2,"e":"net","counters":{"a":null}}', "x:2: counters: not an integer"),
        ("[]", "x:2: not an object"),
        ("", "x:2: not JSON"),
        ("nonsense", "x:2: not JSON"),
    ],
)
def test_a_bad_line_is_named(line: str, why: str) -> None:
    with pytest.raises(BadInput) as error:
        parse_file(f"{OPEN}{line}\n{CLOSE}".encode(), "x")
    assert str(error.value).startswith(why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (OPEN, "x:1: a raw file ends with a close event"),
        (CLOSE, "x:1: a raw file starts with an open event"),
        ("", "x:1: a raw file starts with an open event"),
        (OPEN + CLOSE[:-1], "x:2: the last line is cut off"),
        (OPEN + '{"t":0,"e":"shown","submit":1}\n' + CLOSE, "x:2: t: time runs backwards"),
    ],
)
def test_a_file_is_whole_and_in_order(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        parse_file(text.encode(), "x")


def test_every_kind_of_the_page_is_read_and_no_other() -> None:
    page = (Path(__file__).parents[2] / "docs/raw-log.md").read_text()
    table = page[page.index("| kind |") :].split("\n\n")[0]
    rows = [row for row in table.splitlines() if row.startswith("| `")]
    named = {name.strip("` ") for row in rows for name in row.split("|")[1].split(",")}
    assert named == set(KINDS)


def test_null_counters_are_read() -> None:
    line = {"t": 1, "e": "host", "steal_ticks": None, "total_ticks": 5, "nr_throttled": None, "throttled_us": None}
    assert parse_event(json.dumps(line).encode(), "x", KINDS).total_ticks == 5  # type: ignore[union-attr]
