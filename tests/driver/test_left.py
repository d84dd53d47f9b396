"""What is found in a writable place after a run."""

import hashlib
import socket

import pytest

from runner.driver.environment import MOST_FILES, left_behind
from runner.driver.processes import Account


@pytest.fixture
def home(tmp_path):
    """A writable place that is not empty."""
    (tmp_path / "b/deep").mkdir(parents=True)
    (tmp_path / "b/deep/notes").write_bytes(b"john cena")
    (tmp_path / "a\udcff").write_bytes(b"")
    (tmp_path / "c").symlink_to("/etc/hostname")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "d"))
    return tmp_path


def test_everything_is_listed_by_its_path(home):
    """Names that are no UTF-8 are shown as far as they are; a link is not followed."""
    found = left_behind(Account(None, str(home)))
    assert [(left["path"], left["kind"]) for left in found] == [
        ("a\ufffd", "file"),
        ("b", "folder"),
        ("b/deep", "folder"),
        ("b/deep/notes", "file"),
        ("c", "link"),
        ("d", "socket"),
    ]
    assert found[3] | {"path": ""} == {
        "path": "",
        "kind": "file",
        "size": 9,
        "sha256": hashlib.sha256(b"john cena").hexdigest(),
    }
    assert [left["sha256"] is None for left in found] == [False, True, True, False, True, True]


@pytest.mark.parametrize(("files", "more"), [(MOST_FILES, False), (MOST_FILES + 1, True), (MOST_FILES + 7, True)])
def test_a_long_list_is_cut_and_says_so(tmp_path, files, more):
    for number in range(files):
        (tmp_path / f"{number:05}").touch()
    found = left_behind(Account(None, str(tmp_path)))
    assert len(found) == MOST_FILES + more
    assert [left["kind"] for left in found[MOST_FILES:]] == ["more"] * more
    assert found[MOST_FILES - 1]["path"] == f"{MOST_FILES - 1:05}"


def test_nothing_is_nothing(tmp_path):
    assert left_behind(Account(None, str(tmp_path))) == []
