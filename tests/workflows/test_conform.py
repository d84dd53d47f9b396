"""What an author hears of a system that does not even start, or that was not pinned yet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.errors import BadInput
from runner.provenance.manifest import SystemManifest

CARD = {
    "name": "dead", "version": "1", "interface": "list-80x24-v1", "protocol": "search-v1",
    "engine": ["python3", "engine.py"], "tui": ["python3", "engine.py"], "release": None, "prepare": None,
}  # fmt: skip


def test_a_system_that_no_manifest_names_hears_so_first_and_what_its_engine_said(bench, tmp_path: Path) -> None:
    folder = tmp_path / "dead"
    folder.mkdir()
    (folder / "system.json").write_text(json.dumps(CARD))
    (folder / "engine.py").write_text('raise SystemExit("no luck\\nat all")\n')
    said = bench("conform", folder)
    assert said.status == 1
    assert said.err.startswith(f"{folder}: no manifest in manifests/systems names it")
    assert said.err.endswith(f"bench: {folder}: does not keep the contract in 1 place.\n")
    assert said.out.startswith("the engine wrote to standard error\n  no luck\n  at all\n\nstart\n")


def test_a_manifest_that_was_not_pinned_yet_says_how_to_pin_it() -> None:
    manifest = {"name": "tiny", "title": "Tiny", "folder": "systems/tiny", "files": "", "configuration": {}}
    with pytest.raises(BadInput, match=r"tiny\.json: files: is empty .*`\./bench run pin`"):
        SystemManifest.parse(json.dumps(manifest).encode(), "tiny.json")
