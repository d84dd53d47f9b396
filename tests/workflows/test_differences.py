"""What differs is said on a line that can be read."""

from __future__ import annotations

import json

from runner.workflows.differences import differences


def test_a_long_list_that_lost_an_entry_is_counted_and_cut() -> None:
    long = [{"name": f"part-{number}", "digest": "0" * 64} for number in range(500)]
    kept, made = (json.dumps({"parts": parts}).encode() for parts in (long[:-1], long))
    (line,) = differences("sbom.cdx.json", kept, made)
    assert line.startswith("sbom.cdx.json: parts says 499 of [{'name': 'part-0'")
    assert ", its records give 500 of [" in line
    assert line.count("…") == 2
    assert len(line) < 1_500


def test_a_short_value_stands_there_whole() -> None:
    assert list(differences("a.json", b'{"n":[1,2]}', b'{"n":[1]}')) == ["a.json: n says [1, 2], its records give [1]."]
