"""The same files give the same tar: whoever makes it, wherever, in whatever order."""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import subprocess
import tarfile
import time

import pytest

from runner.adapters.image.tree import File, Folder, Hashing, Link, Tree
from runner.errors import BadInput

NODES = {
    "opt/a.txt": File(b"text"),
    "opt/run": File(b"#!", 0o755),
    "opt/empty": Folder(0o700),
    "opt/link": Link("a.txt"),
    "opt/" + "long/" * 40 + "name": File(b"x" * 600),
    "opt/naïve": File(b""),
}


def tar_of(nodes):
    tree, out = Tree(), io.BytesIO()
    for path, node in nodes:
        tree.add(path, node, "test")
    tree.write(out)
    return out.getvalue()


def test_order_zone_and_umask_leave_no_trace(monkeypatch):
    first = tar_of(NODES.items())
    previous = os.umask(0o077)
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    time.tzset()
    try:
        assert tar_of(reversed(NODES.items())) == first
    finally:
        os.umask(previous)
        monkeypatch.undo()
        time.tzset()


def test_the_bytes_are_those_of_every_earlier_build():
    golden = "8c69d59a5abff0591fc911ef3459a33b991cc9bf5030adcf1e84ae5b9c4d547b"
    assert hashlib.sha256(tar_of(NODES.items())).hexdigest() == golden


def test_entries_are_sorted_complete_and_of_root():
    with tarfile.open(fileobj=io.BytesIO(tar_of(NODES.items()))) as tar:
        found = tar.getmembers()
    names = [entry.name for entry in found]
    assert names == sorted(names)
    assert {"opt", "opt/long", "opt/long/long"} < set(names)
    assert {(entry.uid, entry.gid, entry.uname, entry.gname, entry.mtime) for entry in found} == {
        (0, 0, "", "", 1767225600)
    }
    modes = {entry.name: oct(entry.mode) for entry in found}
    assert (modes["opt/a.txt"], modes["opt/run"], modes["opt/empty"], modes["opt"]) == (
        "0o644",
        "0o755",
        "0o700",
        "0o755",
    )


def test_another_tool_reads_the_same(tmp_path):
    (tmp_path / "t.tar").write_bytes(tar_of(NODES.items()))
    subprocess.run(["tar", "xf", "t.tar"], cwd=tmp_path, check=True)
    assert (tmp_path / "opt/link").read_text() == "text"
    assert (tmp_path / "opt/naïve").exists()
    assert len((tmp_path / ("opt/" + "long/" * 40 + "name")).read_bytes()) == 600


@pytest.mark.parametrize("path", ["/etc/passwd", "../up", "a/../../up", "a//b", "./a", "", "a/"])
def test_paths_that_lead_elsewhere_are_refused(path):
    with pytest.raises(BadInput, match=r"package x.*plain relative path"):
        Tree().add(path, File(b""), "package x")


@pytest.mark.parametrize("path", [".wh.passwd", "etc/.wh..wh..opq", "etc/.wh.x/y"])
def test_whiteouts_are_refused(path):
    with pytest.raises(BadInput, match="would delete a file"):
        Tree().add(path, File(b""), "package x")


@pytest.mark.parametrize(
    ("one", "other"), list(itertools.permutations([File(b"1"), File(b"2"), File(b"1", 0o755), Link("a"), Folder()], 2))
)
def test_two_sources_may_not_disagree_on_a_path(one, other):
    tree = Tree()
    tree.add("a", one, "first")
    with pytest.raises(BadInput, match="second: 'a' is already in the layer"):
        tree.add("a", other, "second")


def test_a_file_under_a_file_is_refused():
    tree = Tree()
    tree.add("a", File(b""), "first")
    tree.add("a/b", File(b""), "second")
    with pytest.raises(BadInput, match="'a' is a file and a folder"):
        tree.write(io.BytesIO())


def test_sources_may_share_a_folder_and_repeat_a_file():
    twice = [("a", Folder()), ("a/b", File(b"1"))] * 2
    assert tar_of(twice) == tar_of(twice[:2])


def test_a_hashing_sink_knows_what_passed():
    sink = Hashing(io.BytesIO())
    sink.write(b"ab")
    sink.write(b"c")
    # FIPS 180-2, appendix B.1
    assert sink.digest == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sink.size == 3
