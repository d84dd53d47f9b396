"""The commands of docs/releases.md, run one after the other in a checkout of their own."""

from __future__ import annotations

import re

from tests.faults.project import ROOT, Project

PAGE = (ROOT / "docs/releases.md").read_text()
COMMANDS = "".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_page_does_what_it_says(tmp_path) -> None:
    project = Project.copy(tmp_path / "checkout")
    project.lend_environment()
    said = project.said(["sh", "-ec", COMMANDS])
    assert said.status == 0, said
    first, published, second, then, current, back = said.out.split()
    assert first == published == back != second
    assert second == then == current
    built = [(project.path(f"out/{name}") / "items.jsonl").read_bytes().count(b"\n") for name in ("first", "second")]
    assert built[0] - built[1] == 1


def test_every_exit_status_of_the_page_is_one_of_the_contract_or_of_the_house() -> None:
    statuses = set(re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE))
    assert statuses == {"64", "65", "69", "75"}
