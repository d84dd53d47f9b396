"""The pages generated from the types are those that stand in `docs/`."""

from __future__ import annotations

import importlib.util
import json

import pytest

from runner.cli import ROOT

SPEC = importlib.util.spec_from_file_location("generate_docs", ROOT / "docs/generate.py")
assert SPEC is not None
assert SPEC.loader is not None
GENERATE = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(GENERATE)
FILES = dict(GENERATE.files())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_generated_page_is_in_step_with_its_type(path) -> None:
    assert path.read_bytes() == FILES[path], "run `nox -s docs`"


def test_a_number_with_a_unit_says_it_and_so_does_the_page() -> None:
    """Times on the card are whole nanoseconds, sizes whole bytes."""
    parts = json.loads(FILES[ROOT / "docs/schemas/Scorecard.json"])["$defs"]
    assert parts["TimeSummary"]["properties"]["p95_ns"]["description"] == "In nanoseconds."
    assert parts["Resources"]["properties"]["index_bytes"]["description"] == "In bytes."
    assert all(parts[name].get("description") for name in parts if "properties" in parts[name])
    assert "| `p95_ns` | integer, in nanoseconds |" in FILES[ROOT / "docs/formats.md"].decode()


def test_no_page_is_left_of_a_type_that_is_gone() -> None:
    assert set((ROOT / "docs/schemas").iterdir()) == {path for path in FILES if path.parent.name == "schemas"}


EXAMPLES = [(form.kind, line) for form in GENERATE.FORMATS for line in form.examples]


@pytest.mark.parametrize(
    ("kind", "line"), EXAMPLES, ids=[f"{kind.__name__}-{n}" for n, (kind, _) in enumerate(EXAMPLES)]
)
def test_an_example_line_is_accepted_and_stands_on_the_page(kind, line) -> None:
    kind.parse(line.encode(), "example")
    assert f"\n{line}\n" in FILES[ROOT / "docs/formats.md"].decode()
