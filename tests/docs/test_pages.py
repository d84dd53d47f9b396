"""The pages hold together: every link leads somewhere, every decision that is cited is explained."""

from __future__ import annotations

import re

import pytest
import typer

from runner.cli import ROOT, app

TOPS = ("docs", "images", "manifests", "runner", "tests")
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CHANGELOG.md", *(page for top in TOPS for page in (ROOT / top).rglob("*.md"))]
)
DECISIONS = (ROOT / "docs/decisions.md").read_text()
#: The README's picture is drawn from a run of the release.
TO_COME = {ROOT / "docs/recorded-run.svg"}


def anchors(page: str) -> set[str]:
    """What a link into a page may name: its headings as a viewer spells them, and anchors of its own."""
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings} | set(
        re.findall(r'<a id="([^"]+)">', page)
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file_and_an_anchor_of_the_project(page) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists() or target in TO_COME, link
        assert not anchor or anchor in anchors(target.read_text()), link


def test_every_decision_that_is_cited_is_explained() -> None:
    files = [path for top in TOPS for kind in ("*.py", "*.md", "*.json") for path in (ROOT / top).rglob(kind)]
    cited = {number for path in files for number in re.findall(r"\bD[1-9][0-9]?\b", path.read_text())}
    assert cited - set(re.findall(r"</a>(D[0-9]+) \|", DECISIONS)) == set()
    assert {"D7", "D31"} <= cited


def test_each_decision_stands_once_under_its_own_anchor() -> None:
    rows = re.findall(r'^\| <a id="(d[0-9]+)"></a>(D[0-9]+) \|', DECISIONS, re.MULTILINE)
    assert [anchor.upper() for anchor, _ in rows] == [number for _, number in rows]
    assert len({number for _, number in rows}) == len(rows) == 30


def test_every_verb_that_a_page_names_is_one() -> None:
    verbs = typer.main.get_command(app).commands
    named = {
        tuple(words) for page in PAGES for words in re.findall(r"\./bench run ([a-z]+)(?: ([a-z]+))?", page.read_text())
    }
    groups = {name: verb.commands for name, verb in verbs.items() if hasattr(verb, "commands")}
    assert {verb for verb, _ in named} - verbs.keys() == set()
    assert [pair for pair in named if pair[0] in groups and pair[1] and pair[1] not in groups[pair[0]]] == []
    assert {("partition", "check"), ("judge", "coverage")} <= named


def test_every_test_that_the_threat_model_points_to_is_there() -> None:
    named = set(re.findall(r"`(\w+/test_\w+\.py)`", (ROOT / "docs/threat-model.md").read_text()))
    assert {name for name in named if not (ROOT / "tests" / name).is_file()} == set()
    assert "faults/test_tampered_results.py" in named
