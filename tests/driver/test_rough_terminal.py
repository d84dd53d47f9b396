"""The bundled systems show the same lists whatever the terminal answers, and however it hands on what was drawn."""

import json
import re
from functools import cache
from itertools import accumulate

import pytest

from runner.documents import digest
from runner.retrieval.topics import Slice
from runner.shell import ROOT, tools
from runner.terminal.profile import Profile
from runner.terminal.rawlog_reader import parse_file
from runner.workflows.observe import Bounds, observe
from runner.workflows.plan import plan_for
from tests.driver.conftest import Drive
from tests.driver.rough import FAULTS, LAST_ROW, STUCK_SECONDS

LOCK = digest(b"")
LIMITS = {"time_limit_ms": 5000, "late_ms": 5000, "hold_ms": 100, "restarts": 0, "wall_limit_s": 300}
BOUNDS = Bounds(LIMITS["time_limit_ms"], LIMITS["hold_ms"])
#: Beside one query of each slice: a long one, one of wide characters, one that finds nothing.
TEXTS = ["one does not simply " * 10, "日本 naïve café 🐸", "zqxv"]
CUT_SEQUENCE = re.compile(rb"\x1b(\[[0-9;?]*|\][^\x1b]*)?\Z")


class Bundled:
    """Drives a bundled system as a plain process on a few queries."""

    def __init__(self, folder):
        self._folder, self._drives = folder, 0
        self.drive = cache(self._drive)
        self._kit = tools()
        self._inputs = self._kit.inputs(ROOT / "manifests/quick.json")
        self._titles = {doc_id: item.title for doc_id, item in self._inputs.corpus.items.items()}

    def _drive(self, name, words=("runner.driver",), terminal=Profile.FULL):
        """The evidence of a drive that came to its end."""
        self._drives += 1
        base = self._folder / str(self._drives)
        base.mkdir()
        inputs = self._inputs.only([name]).on_terminal(terminal)
        (system,) = inputs.systems
        seat = self._kit.plain_seat(system.manifest.folder, base / "run")
        plan = json.loads(plan_for(system, inputs, seat.places, LOCK))
        first = {topic.slice: topic.text for topic in reversed(inputs.partition.topics)}
        texts = [*(first[each] for each in Slice), *TEXTS]
        block = [{"query_id": f"q{n}", "text": text, "held": n % 4 == 0} for n, text in enumerate(texts)]
        plan |= {"warmup": [], "blocks": [block], "limits": LIMITS, "engine_path": False}
        plan["floors"] = {"echo": 0, "null_ui": 0}
        driver = Drive(base, plan, words)
        status, _, talk = driver.finish()
        assert (status, talk) == (0, "")
        return driver.evidence()

    def observed(self, evidence):
        """The observations of its requests."""
        files = [parse_file(evidence.files[name], name) for name in ("block-000.jsonl", "block-001.jsonl")]
        return observe(files, self._titles, BOUNDS)

    def lists(self, evidence):
        """Of each request: outcome, what was returned, what was drawn, and what is against it."""
        return [(s.outcome, s.returned, s.drawn, s.violations, s.reason) for s in self.observed(evidence)]


def rough(fault):
    """The words that start a driver on a rough line."""
    return "tests.driver.rough", fault


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    return Bundled(tmp_path_factory.mktemp("b"))


def reads(evidence):
    return [event["data"] for event in evidence.events("out")]


def test_the_plain_lists_are_lists(bundled):
    found = bundled.lists(bundled.drive("bm25"))
    assert [str(outcome) for outcome, *_ in found].count("answered") >= len(Slice)
    assert all(returned == drawn and not violations for _, returned, drawn, violations, _ in found)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_rough_line_changes_no_list(bundled, fault):
    assert bundled.lists(bundled.drive("bm25", rough(fault))) == bundled.lists(bundled.drive("bm25"))


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["dense", "hybrid"])
def test_a_rough_line_changes_no_list_of_the_others(bundled, name, fault):
    assert bundled.lists(bundled.drive(name, rough(fault))) == bundled.lists(bundled.drive(name))


@pytest.mark.parametrize("terminal", [Profile.NO_SYNC, Profile.MUTE])
def test_no_list_depends_on_what_the_terminal_answers(bundled, terminal):
    assert bundled.lists(bundled.drive("bm25", terminal=terminal)) == bundled.lists(bundled.drive("bm25"))


def test_reads_are_cut_inside_characters_and_sequences(bundled):
    found = reads(bundled.drive("bm25", rough("pieces")))
    written, ends = b"".join(found), list(accumulate(map(len, found)))
    assert any(written[end] & 0xC0 == 0x80 for end in ends[:-1])
    assert any(CUT_SEQUENCE.search(written[max(0, end - 40) : end]) for end in ends)


def test_a_stuck_line_keeps_the_ui_waiting(bundled):
    """Half of it at least: the driver's stamp comes a little after the line is stopped."""
    for seen in bundled.observed(bundled.drive("bm25", rough("stuck"))):
        assert seen.first_byte_ns >= STUCK_SECONDS * 1e9 / 2


def test_a_resized_ui_draws_for_the_larger_terminal_too(bundled):
    assert LAST_ROW in b"".join(reads(bundled.drive("bm25", rough("resized"))))
