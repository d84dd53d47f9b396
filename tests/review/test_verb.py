"""The verb where it can do nothing: one line, and nothing written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Said


@pytest.mark.parametrize(
    ("files", "status", "words"),
    [(None, 65, "no such result"), ({}, 1, "manifest.json: missing"), ({"manifest.json": b"{}"}, 1, "manifest.json")],
)
def test_what_is_no_result(
    bench: Callable[..., Said], files: dict[str, bytes] | None, status: int, words: str, tmp_path: Path
) -> None:
    result = tmp_path / "run"
    for name, data in (files or {}).items():
        (result / name).parent.mkdir(exist_ok=True)
        (result / name).write_bytes(data)
    if files is not None:
        result.mkdir(exist_ok=True)
    done = bench("review", result)
    assert (done.status, done.out, done.err.count("\n")) == (status, "", 1)
    assert words in done.err
    assert not (tmp_path / "run.review").exists()
