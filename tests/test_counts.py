"""One thing is never told in the plural."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from runner.counts import counted

RUNNER = Path(__file__).parents[1] / "runner"
PLURAL = re.compile(r" (?:[a-z-]+ )?[a-z]+s\b")
#: What is told only of several, or is followed by a verb.
SEVERAL = {
    " annotations.", " answers ", " bytes, more than ", " characters)", " gates passed", " items where at most ",
    " items, more than ", " rules", " systems",
}  # fmt: skip


def test_by_hand() -> None:
    assert [counted(number, "place") for number in (0, 1, 2)] == ["0 places", "1 place", "2 places"]
    assert counted(1, "query was", "queries were") == "1 query was"
    assert counted(11, "query was", "queries were") == "11 queries were"


def plurals(path: Path) -> Iterator[str]:
    """The words that follow the length of something in a text of a module, where they are in the plural."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        for value, words in zip(getattr(node, "values", ()), getattr(node, "values", ())[1:], strict=False):
            if isinstance(value, ast.FormattedValue) and ast.unparse(value.value).startswith(("len(", "sum(")):
                text = getattr(words, "value", "")
                if isinstance(text, str) and PLURAL.match(text):
                    yield text


def test_no_length_stands_before_a_plural_of_its_own() -> None:
    found = {
        f"{path.relative_to(RUNNER)}: {text!r}"
        for path in RUNNER.rglob("*.py")
        for text in plurals(path)
        if text not in SEVERAL
    }
    assert found == set()
