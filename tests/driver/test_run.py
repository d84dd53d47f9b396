"""A run of a system that keeps the contract: what the raw log must say about it."""

import hashlib
import json
import re

import pytest

from runner.provenance.chain import BrokenChain
from runner.provenance.driver_report import DriverReport
from runner.provenance.rawlog import open_raw_log
from runner.terminal.rawlog_reader import parse_file
from tests.hostile import toy

WARM_UP, REPEAT, ENGINE, FLOORS = "block-000.jsonl", "repeat.jsonl", "engine.jsonl", "floors.jsonl"
INSTRUMENT, AFTER = "instrument.jsonl", "after.jsonl"
ORDER = [WARM_UP, "block-001.jsonl", "block-002.jsonl", REPEAT, ENGINE, FLOORS, INSTRUMENT, AFTER]


@pytest.fixture
def evidence(drive):
    """Two blocks, the second one held, the engine path and both floors."""
    return drive(
        blocks=[toy.queries(5, held=False), toy.queries(3, held=True)],
        engine_path=True,
        floors={"echo": 20, "null_ui": 10},
    )


def test_a_whole_run(evidence):
    """One run, looked at from all sides (a drive takes seconds)."""
    plan_is_followed(evidence)
    chain_is_whole(evidence)
    stamps_are_in_order(evidence)
    keys_are_writes_of_their_own(evidence)
    replies_are_kept(evidence)
    held_requests_are_watched(evidence)
    engine_path_repeats_the_blocks(evidence)
    first_block_is_repeated_uncounted(evidence)
    floors_are_probed(evidence)
    starts_and_memory_are_noted(evidence)
    report_says_how_it_ended(evidence)
    readers_understand_it(evidence)


def starts_and_memory_are_noted(evidence):
    """Each process is ready after its start and before the next one; each file ends in what a process has held."""
    (engine, ui), ready = evidence.events("spawn", WARM_UP), evidence.events("ready", WARM_UP)
    assert [event["role"] for event in ready] == ["engine", "ui"]
    assert engine["t"] < ready[0]["t"] <= ui["t"] < ready[1]["t"] < evidence.events("begin", WARM_UP)[0]["t"]
    for role, files in (("engine", ORDER[:5]), ("ui", ORDER[:4])):
        peaks = [e["peak_bytes"] for name in files for e in evidence.events("memory", name) if e["role"] == role]
        assert len(peaks) == len(files)
        assert min(peaks) > 1_000_000


def plan_is_followed(evidence):
    assert [entry["name"] for entry in evidence.report["files"]] == ORDER
    begun = [e for name in ORDER[:3] for e in evidence.events("begin", name)]
    assert [e["request"] for e in begun] == list(range(1, 12))
    assert [e["submit"] for e in begun] == list(range(1, 12))
    assert [e["phase"] for e in begun] == ["warmup"] * 3 + ["measured"] * 8
    assert [e["text"] for e in begun[3:8]] == [query["text"] for query in toy.queries(5)]
    assert evidence.results() == ["done"] * 8
    for name, block, requests in (
        (WARM_UP, 0, 3),
        ("block-001.jsonl", 1, 5),
        (REPEAT, "repeat", 0),
        (ENGINE, "engine", 0),
        (INSTRUMENT, "instrument", 0),
        (AFTER, "after", 0),
    ):
        first, *_, last = evidence.events(file=name)
        assert (first["e"], first["block"], first["system"]) == ("open", block, "toy")
        assert (last["e"], last["requests"]) == ("close", requests)
        assert len(evidence.events("host", name)) == len(evidence.events("net", name)) == 2


def chain_is_whole(evidence):
    assert evidence.check_chain() == evidence.report["chain"]
    assert evidence.report["plan"] == "sha256:" + hashlib.sha256(evidence.plan_line).hexdigest()
    whole = evidence.files["block-001.jsonl"]
    evidence.files["block-001.jsonl"] = whole.replace(b'"held":false', b'"held":true ', 1)
    with pytest.raises(BrokenChain):
        evidence.check_chain()
    evidence.files["block-001.jsonl"] = whole


def stamps_are_in_order(evidence):
    for name in ORDER:
        stamps = [e["t"] for e in evidence.events(file=name) if e["e"] != "done"]
        assert stamps == sorted(stamps)
    reads = {e["t"] for e in evidence.events("out")}
    assert all(e["t"] in reads for e in evidence.events("done"))
    for said in evidence.events("event", "block-001.jsonl"):
        assert said["ns"] <= said["t"]


def keys_are_writes_of_their_own(evidence):
    inputs = evidence.events("in", "block-001.jsonl")
    assert [e["what"] for e in inputs] == ["clear", "text", "submit"] * 5
    assert [e["data"] for e in inputs[:3]] == [b"\x15", b"cat cat", b"\r"]
    events = evidence.events(file="block-001.jsonl")
    shown = [n for n, e in enumerate(events) if e["e"] == "shown"]
    assert all(events[n + 1]["e"] == "in" and events[n + 1]["what"] == "submit" for n in shown)


def replies_are_kept(evidence):
    asked = [json.loads(e["data"]) for e in evidence.events("req", "block-001.jsonl")]
    assert [request["text"] for request in asked] == [query["text"] for query in toy.queries(5)]
    replies = [json.loads(e["data"]) for e in evidence.events("rep", "block-001.jsonl")]
    assert [reply["id"] for reply in replies] == [request["id"] for request in asked]
    titles = {item["doc_id"]: item["title"] for reply in replies for item in reply["items"]}
    assert titles["m0000"] == toy.TITLES[0]


def held_requests_are_watched(evidence):
    """250 ms after the frame, and a moment before the key."""
    for name, held in (("block-001.jsonl", False), ("block-002.jsonl", True)):
        for done, finish in zip(evidence.events("done", name), evidence.events("finish", name), strict=True):
            assert (finish["t"] - done["t"] >= 250_000_000) is held
            assert finish["cut"] is False
        keys = [e for e in evidence.events("in", name) if e["what"] == "submit"]
        for shown, key in zip(evidence.events("shown", name), keys, strict=True):
            assert (key["t"] - shown["t"] >= 20_000_000) is held


def engine_path_repeats_the_blocks(evidence):
    asked = [json.loads(e["data"]) for e in evidence.events("ask", ENGINE)]
    assert [request["op"] for request in asked] == ["hello"] + ["search"] * 8
    assert [e["query_id"] for e in evidence.events("ask", ENGINE)][1:4] == ["q000", "q001", "q002"]
    through_ui = [json.loads(e["data"])["items"] for e in evidence.events("rep", "block-001.jsonl")]
    direct = [json.loads(e["data"])["items"] for e in evidence.events("reply", ENGINE)[1:6]]
    assert direct == through_ui
    assert all(e["ns"] > 0 for e in evidence.events("reply", ENGINE))


def first_block_is_repeated_uncounted(evidence):
    first, again = evidence.events("begin", "block-001.jsonl"), evidence.events("begin", REPEAT)
    assert [e["text"] for e in again] == [e["text"] for e in first]
    assert {(e["phase"], e["held"]) for e in again} == {("repeat", False)}
    assert [e["submit"] for e in again] == list(range(12, 17))
    assert evidence.results("repeat") == ["done"] * 5


def floors_are_probed(evidence):
    probes = evidence.events("probe", FLOORS)
    assert [e["probe"] for e in probes] == ["echo"] * 20 + ["null_ui"] * 10
    assert all(e["ns"] > 0 for e in probes)
    assert [e["submit"] for e in evidence.events("done", FLOORS)] == list(range(1, 11))


def report_says_how_it_ended(evidence):
    report = evidence.report
    assert (report["how"], report["reason"]) == ("complete", "")
    assert report["requests"] == {"done": 11}
    assert (report["restarts"], report["engine_restarts"]) == (0, 0)
    assert json.loads(evidence.events("reply", ENGINE)[0]["data"])["protocol"] == "search-v1"
    assert [e["e"] for e in evidence.events(file=AFTER)] == ["open", "host", "net", "host", "net", "close"]
    ends = {(e["role"], e["signal"] or e["status"]) for e in evidence.events("exit")}
    assert ends == {("ui", 0), ("engine", 15), ("ui", 9)}
    assert evidence.results("check") == ["done", "done", "done", "late", "done"]


def readers_understand_it(evidence):
    """The strict readers of the scoring side take every line."""
    for name, data in evidence.files.items():
        assert len(parse_file(data, name).events) == len(data.splitlines())
    report = DriverReport.parse((evidence.folder / "driver.json").read_bytes(), "driver.json")
    log = open_raw_log(evidence.plan_line, evidence.files, "raw")
    assert (log.chain, log.plan.lock) == (report.chain, json.loads(evidence.plan_line)["lock"])
    assert [file.name.removeprefix("raw/") for file in log.files] == ORDER == [entry.name for entry in report.files]


def test_a_plan_without_floors_leaves_their_file_empty(drive):
    evidence = drive(blocks=[])
    assert [e["e"] for e in evidence.events(file=FLOORS)] == ["open", "host", "net", "host", "net", "close"]
    assert [e["query_id"] for e in evidence.events("ask", ENGINE)] == [""]


def test_long_and_foreign_texts_are_typed_as_they_are(drive):
    texts = ["x" * 300, "naïve café", "日本 犬", "🐸 frog", "a\u200db \u202eevil", "…"]
    block = [{"query_id": f"q{n}", "text": text, "held": False} for n, text in enumerate(texts)]
    evidence = drive(warmup=[], blocks=[block])
    assert evidence.results() == ["done"] * len(texts)
    asked = [json.loads(e["data"])["text"] for e in evidence.events("req", "block-001.jsonl")]
    assert asked == texts


def test_progress_is_told_one_object_a_line(start):
    status, out, _ = (driver := start(floors={"echo": 2, "null_ui": 0})).finish()
    reports = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert driver.evidence().report["how"] == "complete"
    assert {"phase": "block", "done": 5, "total": 5} in reports
    phases = ["start", "warmup", "block", "repeat", "floors", "instrument"]
    assert list(dict.fromkeys(report["phase"] for report in reports)) == phases


def test_terminal_answers_as_its_profile_says(drive, base):
    """Answers as real terminals give them (xterm's control sequences, kitty's keyboard protocol)."""
    evidence = drive(system=toy.system("ui_asks_terminal"))
    heard = json.loads((base / "run" / "ui" / "heard.json").read_text())
    assert list(heard.values()) == [
        "\x1b[?62;22c",
        "\x1b[>1;10;0c",
        "\x1b[0n",
        "\x1b[4;7R",
        "\x1b[?4;7R",
        "\x1bP>|mambo-80x24-v1\x1b\\",
        "\x1b[?0u",
        "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\",
        "\x1b]11;rgb:1010/1010/1010\x07",
        "\x1b[?2026;2$y",
        "\x1b[?2048;0$y",
        "\x1b[?1049;1$y",
        "\x1b[?1049;2$y",
    ]
    answers = [e["data"].decode() for e in evidence.events("in", WARM_UP) if e["what"] == "answer"]
    assert answers == list(heard.values())


def test_environment_of_the_system_is_the_contract(drive, base):
    """Nothing of the driver's environment comes through but what programs need to be found."""
    (base / "system" / "tell.py").write_text(
        "import os, json, pathlib\n"
        "told = dict(os.environ) | {'fds': os.listdir('/proc/self/fd')}\n"
        "pathlib.Path(os.environ['HOME'], 'told.json').write_text(json.dumps(told))\n"
        "import good_ui\ngood_ui.Ui().run()\n"
    )
    drive(system=toy.system("tell", colour="blue"))
    told = json.loads((base / "run" / "ui" / "told.json").read_text())
    assert set(told.pop("fds")) == {"0", "1", "2", "3"}  # 3 lists the folder
    assert told.pop("PATH")
    assert told == {
        "HOME": f"{base}/run/ui",
        "LC_CTYPE": "C.UTF-8",  # set by the interpreter itself
        "MAMBO_CONFIGURATION": '{"colour":"blue"}',
        "MAMBO_CORPUS": f"{base}/corpus",
        "MAMBO_EVENTS": f"{base}/run/driver/ui/events.sock",
        "MAMBO_SOCKET": f"{base}/run/driver/ui/search.sock",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TERM": "xterm-256color",
    }


def test_frame_numbers_are_those_of_the_ui(drive):
    evidence = drive()
    drawn = b"".join(e["data"] for e in evidence.events("out"))
    marks = re.findall(rb"submit=(\d+);frame=(\d+);state=done", drawn)
    assert [(e["submit"], e["frame"]) for e in evidence.events("done")] == [(int(s), int(f)) for s, f in marks]
