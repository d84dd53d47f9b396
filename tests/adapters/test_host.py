"""Which code ran, as git has it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from runner.adapters.host import Commit, commit, knows_commit


def git(root: Path, *words: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    done = subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_commit_is_known_by_its_whole_name_alone(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a").write_text("a")
    git(tmp_path, "add", "a")
    git(tmp_path, "commit", "-q", "-m", "one")
    first = git(tmp_path, "rev-parse", "HEAD")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "two")
    assert commit(tmp_path) == Commit(git(tmp_path, "rev-parse", "HEAD"), clean=True)
    assert knows_commit(tmp_path, first)
    for stranger in ("", "f" * 40, first[:12], "HEAD", "unknown", f"{first}~0"):
        assert not knows_commit(tmp_path, stranger)
    (tmp_path / "b").write_text("new")
    assert commit(tmp_path) == Commit(git(tmp_path, "rev-parse", "HEAD"), False, ("b",))


def test_the_first_files_that_differ_are_named(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for name in ("a", "d"):
        (tmp_path / name).write_text("a")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    (tmp_path / "a").write_text("b")
    for name in ("b c", "e", "f"):
        (tmp_path / name).write_text("new")
    (tmp_path / "d").unlink()
    assert commit(tmp_path).changed == ("a", "d", '"b c"', "2 more")


def test_a_folder_that_is_no_checkout_knows_none(tmp_path: Path) -> None:
    assert commit(tmp_path) == Commit("unknown", clean=False)
    assert not knows_commit(tmp_path, "f" * 40)
