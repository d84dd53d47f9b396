"""The commands of docs/casts.md, run one after the other on the file that stands there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from runner.cli import ROOT, app
from runner.errors import BenchError
from runner.terminal.asciicast.findings import Rule

PAGE = (ROOT / "docs/casts.md").read_text()
((NAME, BROKEN),) = re.findall(r"`(\S+)`:\n```\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
(SCRIPT,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(PRINTED,) = re.findall(r"prints\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def status(line: str) -> int:
    try:
        app(shlex.split(line.removeprefix("./bench run ")), standalone_mode=False)
    except BenchError as error:
        return error.exit_status
    return 0


def test_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_text(BROKEN)
    found = []
    for line in SCRIPT.splitlines():
        found.append((status(line), capsys.readouterr().out))
    assert [ended for ended, _ in found] == [1, 1, 1, 0, 0, 0]
    assert found[1][1] == PRINTED
    assert "hunter22" not in (tmp_path / "shared.cast").read_text()
    assert "████████" in (tmp_path / "moment.svg").read_text()


def test_each_rule_has_its_row() -> None:
    table = PAGE.partition("## What lint looks for")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [rule.value for rule in Rule]
