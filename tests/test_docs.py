"""The pages generated from the types are those that stand in `docs/`."""

from __future__ import annotations

import importlib.util

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


def test_no_page_is_left_of_a_type_that_is_gone() -> None:
    assert set((ROOT / "docs/schemas").iterdir()) == {path for path in FILES if path.parent.name == "schemas"}
