"""What is published here verifies as a stranger finds it: by the code of the run's own commit, and no other page."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

from runner.adapters.host import SystemClock, knows_commit
from runner.adapters.store import FinishedResult
from runner.documents import Source
from runner.provenance.trust import open_trust
from runner.shell import ROOT
from runner.workflows.verify import open_signed

PLACE = ROOT / "results/published"
PUBLISHED = sorted(path for path in PLACE.glob("*") if path.is_dir())
LARGEST = 8_000_000
HOLD = "signatures, files, raw logs, screens and numbers hold"

each_result = pytest.mark.parametrize("place", PUBLISHED, ids=lambda place: place.name)


def unpacked(place: Path, to: Path) -> Path:
    """The folder in the archive of a published result, taken out by other programs than the one that made it."""
    data = (place / f"{place.name}.tar.zst").read_bytes()
    tar = zstandard.ZstdDecompressor().decompress(data)
    subprocess.run(["tar", "-x", "-C", to], input=tar, check=True)
    return to / place.name


def checked_out(commit: str, to: Path) -> Path:
    """The project at that commit of this clone's history."""
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", ROOT, to], check=True)
    subprocess.run(["git", "-C", to, "checkout", "-q", "--detach", commit], check=True)
    return to


def verified_there(root: Path, result: Path, place: Path) -> tuple[int, str]:
    """How `verify` ends in another checkout, and all that it says."""
    words = ("verify", result, "--trust", place / "trust.json", "--log", place / "log.jsonl")
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "MAMBO_LOCKS"}}
    done = subprocess.run(
        [sys.executable, "-m", "runner", *words],
        cwd=root,
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_result_is_published_and_is_small() -> None:
    assert PUBLISHED
    assert sum(path.stat().st_size for path in PLACE.rglob("*") if path.is_file()) <= LARGEST


@each_result
def test_it_verifies(place: Path, tmp_path: Path) -> None:
    """By its own code; a clone without its history still holds signatures and every file. It fails once the trust file
    ran out, since then nobody can verify it: publish again, with a renewed one."""
    result = unpacked(place, tmp_path)
    commit = json.loads((result / "run.lock.json").read_bytes())["code_commit"]
    if knows_commit(ROOT, commit):
        status, said = verified_there(checked_out(commit, tmp_path / "checkout"), result, place)
        assert (status, f"{place.name}: {HOLD}" in said) == (0, True), said
    else:
        trust = open_trust(Source("trust.json", (place / "trust.json").read_bytes()))
        signed, _ = open_signed(FinishedResult(result), trust, SystemClock().now())
        assert signed.statement.predicate.run_id == place.name


@each_result
def test_the_pages_beside_it_are_those_that_were_verified(place: Path, tmp_path: Path) -> None:
    """And what they show is the score that the card has."""
    result = unpacked(place, tmp_path)
    pages = {name: (place / name).read_bytes() for name in ("scorecard.html", "scorecard.md")}
    assert pages == {name: (result / name).read_bytes() for name in pages}
    page = html.unescape(re.sub(r"<[^>]+>", " ", pages["scorecard.html"].decode()))
    card = json.loads((result / "scorecard.json").read_bytes())
    for row in card["systems"]:
        assert f"{row['score']:.2f}" in page
        assert f"{row['score']:.2f}" in pages["scorecard.md"].decode()
    assert card["standing"] in page
