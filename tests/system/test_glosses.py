"""Phrases found in queries: whatever the ending and whoever stands between, the longest at each place."""

from __future__ import annotations

from pathlib import Path

import pytest
from mambomeme.faults import StartError
from mambomeme.glosses import Glosses, read_glosses
from mambomeme.tokens import line

TABLE = """\
pass the buck\tleaving the duty to somebody else
third wheel\tbeing the extra person beside a couple
throw under the bus\tgiving somebody away to save oneself
wheel\ta round thing that turns
yolo\tyou only live once
"""


@pytest.fixture
def glosses(tmp_path: Path) -> Glosses:
    (tmp_path / "glosses.tsv").write_text(TABLE, encoding="utf-8")
    return read_glosses(tmp_path / "glosses.tsv")


@pytest.mark.parametrize(
    ("query", "starts"),
    [
        ("YOLO!!", ["you only"]),
        ("so yolo", ["you only"]),
        ("passing the buck", ["leaving"]),
        ("he passed the bucks", ["leaving"]),
        ("throws his mate under a bus", ["giving"]),
        ("throwing colleagues under the bus again", ["giving"]),
        ("third wheel", ["being"]),
        ("big wheels", ["a round"]),
        ("yolo wheel", ["you only", "a round"]),
        ("third of a wheel", ["a round"]),
        ("under the bus we throw", []),
        ("throw the ball to them all under a big bus", []),
        ("yololo", []),
        ("", []),
    ],
)
def test_what_is_found(glosses: Glosses, query: str, starts: list[str]) -> None:
    found = glosses.meanings(line(query))
    assert len(found) == len(starts)
    assert all(meaning.startswith(start) for meaning, start in zip(found, starts, strict=True))


@pytest.mark.parametrize("line", ["no tab", "phrase\t", "phrase\t  "])
def test_a_line_that_is_no_entry_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "g.tsv").write_text(f"yolo\tonce\n{line}\n", encoding="utf-8")
    with pytest.raises(StartError, match=r"^g\.tsv:2: "):
        read_glosses(tmp_path / "g.tsv")


def test_the_bundled_table_is_read() -> None:
    assert read_glosses().meanings(["above", "and", "beyond"])
