"""Files and words that the reading verbs cannot use: one line that names them, exit 65 or 64, nothing written."""

from __future__ import annotations

import pytest

from tests.retrieval.small_benchmark import lines

GRADES = lines([{"query_id": "q", "doc_id": "a", "grade": 3}])
RUN = lines([{"query_id": "q", "doc_ids": ["a"]}])
ACT = b'{"query_id":"d-entity-01","doc_id":"m0001","annotator":"a","role":"first","grade":1,"safety":"safe","at":"t"}\n'


@pytest.fixture
def grades(tmp_path):
    path = tmp_path / "grades.jsonl"
    path.write_bytes(GRADES)
    return path


def refused(said, *words, status=65):
    """One line on standard error and nothing else."""
    found, out, err = said
    assert (found, out) == (status, ""), said
    assert err.startswith("bench: ")
    assert err.count("\n") == 1
    for word in words:
        assert word in err


@pytest.mark.parametrize("data", [b"", b"\n"], ids=["empty", "blank line"])
def test_an_empty_run_is_no_run_of_zeros(bench, grades, tmp_path, data):
    run = tmp_path / "run.jsonl"
    run.write_bytes(data)
    refused(bench("measure", "--judgements", grades, "--run", run), "run.jsonl")


def test_lines_that_end_in_crlf_are_read_and_said(bench, grades, tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_bytes(RUN.replace(b"\n", b"\r\n"))
    status, out, err = bench("measure", "--judgements", grades, "--run", run)
    assert status == 0
    assert "nDCG@10         1.000000" in out
    assert err == f"{run}: warning: 1 line ends in CRLF, the first is 1\n"


def test_pooling_says_so_too(bench, tmp_path):
    run, to = tmp_path / "run.jsonl", tmp_path / "pool"
    run.write_bytes(b'{"query_id":"d-entity-01","doc_ids":["m0001"]}\r\n')
    status, _, err = bench("judge", "pool", run, "--to", to)
    assert f"{run}: warning: 1 line ends in CRLF" in err
    assert status == 0


def test_an_empty_file_of_acts_makes_no_set(bench, tmp_path):
    acts, to = tmp_path / "ana.jsonl", tmp_path / "merged"
    acts.write_bytes(b"")
    refused(bench("judge", "merge", acts, "--to", to), "ana.jsonl: holds no act")
    assert not to.exists()


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_release_has_a_reason(bench, tmp_path, reason):
    merged, to = tmp_path / "merged", tmp_path / "new"
    merged.mkdir()
    (merged / "judgements.jsonl").write_bytes(ACT)
    refused(bench("judge", "release", merged, "--reason", reason, "--to", to), "--reason is blank", status=64)
    assert not to.exists()


ODD_NAMES = {"escape": "a\x1b]0;b\x07", "a line": "a\nb", "carriage return": "a\rb", "bidi": "a\u202eb", "c1": "a\x9bb"}
READERS = {
    "measure": lambda path: ("measure", "--judgements", path, "--run", path),
    "accept": lambda path: ("accept", path),
    "compare": lambda path: ("compare", path, path),
    "judge merge": lambda path: ("judge", "merge", path, "--to", f"{path}-new"),
}


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES.keys())
@pytest.mark.parametrize("verb", READERS.values(), ids=READERS.keys())
@pytest.mark.parametrize("there", [True, False], ids=["there", "missing"])
def test_no_name_of_a_file_reaches_the_terminal_raw(bench, tmp_path, name, verb, there):
    path = tmp_path / name
    if there:
        path.write_bytes(b"not a file of ours\n")
    said = bench(*verb(path))
    refused(said)
    assert said[2].removesuffix("\n").isprintable()


PLACES = {
    "missing": lambda folder: folder / "none",
    "below a file": lambda folder: folder / "file" / "x",
    "too long": lambda folder: folder / ("x" * 300),
    "a folder": lambda folder: folder,
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
@pytest.mark.parametrize("verb", READERS.values(), ids=READERS.keys())
def test_a_place_that_is_no_file_is_bad_input(bench, tmp_path, place, verb):
    (tmp_path / "file").write_bytes(b"")
    refused(bench(*verb(place(tmp_path))))
