"""The player comes at its pinned digest, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.adapters.review import player
from runner.errors import BadInput, Unavailable

PIN = json.loads(player.PIN.read_text())


def npm(folder: Path, script: str) -> str:
    """The folder of a registry client that does what `script` says."""
    folder.mkdir()
    (folder / "npm").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "npm").chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def test_without_a_client_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="npm: not found") as error:
        player.fetch_player(tmp_path / "cache")
    assert error.value.exit_status == 69
    assert "\n" not in str(error.value)
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("script", "kind"),
    [("exit 1", Unavailable), ("true", Unavailable), ("echo other > asciinema-player-3.tgz", BadInput)],
)
def test_a_failed_or_another_package_leaves_nothing(
    script: str, kind: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", npm(tmp_path / "bin", script))
    with pytest.raises(kind, match=PIN["version"]):
        player.fetch_player(tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_file_changed_in_the_cache_is_refused(tmp_path: Path) -> None:
    for name in PIN["files"]:
        path = tmp_path / "player" / PIN["version"] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"changed")
    with pytest.raises(BadInput, match="expected sha256:"):
        player.fetch_player(tmp_path)
