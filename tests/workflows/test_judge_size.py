"""The chain at full size: a million acts merged, and a sheet of 2,000 pairs opened, by the real program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.adapters.folders import write_folder
from runner.documents import Source
from runner.retrieval.judgements import Role
from runner.retrieval.questions import read_questions
from runner.retrieval.sheets import Draw
from runner.workflows.judge import deal, sheet_files
from tests.adapters.test_annotator import Sitting
from tests.retrieval.small_benchmark import act, item, lines

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
ITEMS = [item(f"m{n:04}") for n in range(1000)]
QUERIES = [
    {
        "query_id": f"q{n:05}",
        "text": f"query number {n}",
        "slice": "topic",
        "family": f"f{n}",
        "safety_flag": False,
        "multi_cue_flag": False,
        "template_groups": [],
        "provenance": "made for the test",
    }
    for n in range(5000)
]


def half_a_million(role: str) -> Iterator[bytes]:
    """A grade for 100 items of each query; the two annotators are one apart on two pairs of three."""
    for n in range(500_000):
        grade = (n * 7) % 4 if role == "first" else max(0, min(3, (n * 7) % 4 + n % 3 - 1))
        at = f"2026-11-{1 + n % 28:02}T{n % 24:02}:{n % 60:02}:{n // 60 % 60:02}Z"
        row = act(f"q{n // 100:05}", f"m{n * 37 % 1000:04}", grade, role=role, at=at)
        yield json.dumps(row).encode() + b"\n"


def test_a_million_acts_are_merged_in_30_seconds_and_a_gigabyte(tmp_path):
    (tmp_path / "items.jsonl").write_bytes(lines(ITEMS))
    (tmp_path / "queries.jsonl").write_bytes(lines(QUERIES))
    for role in ("first", "second"):
        with (tmp_path / f"{role}.jsonl").open("wb") as file:
            file.writelines(half_a_million(role))
    command = [sys.executable, "-m", "runner", "judge", "merge", "first.jsonl", "second.jsonl", "--to", "merged"]
    command += ["--queries", "queries.jsonl", "--corpus", "."]
    begun = time.monotonic()
    process = subprocess.Popen(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": ""})
    _, status, used = os.wait4(process.pid, 0)
    taken = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert (tmp_path / "merged/judgements.jsonl").read_bytes().count(b"\n") == 1_000_000
    assert (tmp_path / "merged/qrels.jsonl").read_bytes().count(b"\n") == 500_000
    assert used.ru_maxrss * 1024 < 10**9, used.ru_maxrss
    assert taken < 30, taken


def test_a_sheet_of_2000_pairs_opens_in_a_second(tmp_path):
    questions = read_questions(Source("queries.jsonl", lines(QUERIES[:50])), Source("items.jsonl", lines(ITEMS)))
    pairs = [{"query_id": query["query_id"], "doc_id": row["doc_id"]} for query in QUERIES[:50] for row in ITEMS[:40]]
    (sheet,) = deal(Source("pool.jsonl", lines(pairs)), questions, [Draw("human:ana", Role.FIRST, 1)])
    write_folder(tmp_path / "ana", sheet_files(sheet, {}))
    imported, opened = [], []
    for _ in range(3):
        begun = time.monotonic()
        code = "import runner.cli, runner.adapters.annotator, textual.widgets, textual.drivers.linux_driver"
        subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, check=True)
        imported.append(time.monotonic() - begun)
        begun = time.monotonic()
        sitting = Sitting(tmp_path / "ana", "0 of 2000 done")
        opened.append(time.monotonic() - begun)
        sitting.close()
    assert min(opened) - min(imported) < 1, (opened, imported)
