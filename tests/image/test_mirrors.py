"""What the distribution's and Python's own tools say is understood; scripts that say the same stand in for them."""

from __future__ import annotations

import json
import sys

import pytest

from runner.adapters.image.apt import Apt
from runner.adapters.image.host import Host, read_release
from runner.adapters.image.pip import Pip
from runner.adapters.image.pool import Stock
from runner.adapters.progress import SilentProgress
from runner.errors import BadInput, Gone, Unavailable
from runner.provenance.locks import Locked, Locks, ModelLock, Moved, PackageLock, Release, WheelLock, moved
from runner.workflows.relock import relock
from tests.image.tiny import (
    DEBIAN,
    HOST,
    MODEL,
    NUMBERS,
    PYTHON,
    ROOT,
    make_project,
    pool_file,
    sha,
    workshop,
    write,
)

PLANNED = """\
Inst libc6 (2.36-9+deb12u14 Debian:12.15/oldstable [amd64]) []
Inst dpkg (1.21.23 Debian:12.15/oldstable [amd64])
Inst python (1:3.11-1 Debian-Security:12/oldstable-security [amd64])
Conf libc6 (2.36-9+deb12u14 Debian:12.15/oldstable [amd64])
"""
SHOWN = f"""\
Package: libc6
Version: 2.36-9+deb12u14
Description: shared libraries
Size: 7
SHA256: {"a" * 64}

Package: python
Version: 1:3.11-1
SHA256: {"b" * 64}
Size: 9
"""
LOCK = PackageLock(
    format="mambomeme/package-lock/v1",
    release=DEBIAN,
    architecture="amd64",
    wanted=("python",),
    left_out=("dpkg",),
    files=(),
)


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """Puts a stand-in for a tool first on PATH; gives the file where each call is written down."""

    def put(name, script):
        path = tmp_path / "bin" / name
        write(path, f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n{script}\n')
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
        return tmp_path / "calls"

    return put


def package(data=PYTHON):
    return Locked(name="python", version="1:3.11-1", digest=sha(data), size=len(data))


def test_a_locked_package_is_asked_for_by_version_and_found(tmp_path, tool):
    calls = tool("apt-get", "touch python_1%3a3.11-1_amd64.deb")
    (tmp_path / "to").mkdir()
    found = Apt(HOST, tmp_path / "apt").fetch(LOCK, "debian.json", (package(),), tmp_path / "to")
    assert found == {"python": tmp_path / "to/python_1%3a3.11-1_amd64.deb"}
    assert calls.read_text().startswith("download python=1:3.11-1 ")


def test_stale_lists_of_the_host_are_passed_over_for_lists_of_our_own(tmp_path, tool):
    fails_once = 'case "$*" in update*) ;; *Dir::State::Lists*) touch python_1_amd64.deb ;; *) exit 100 ;; esac'
    tool("apt-get", fails_once)
    (tmp_path / "to").mkdir()
    assert Apt(HOST, tmp_path / "apt").fetch(LOCK, "debian.json", (package(),), tmp_path / "to")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("E: Version '1:3.11-1' for 'python' was not found", "mirror no longer has the locked python"),
        ("E: Unable to locate package python", "mirror no longer has the locked python"),
        ("W: x\nE: Failed to fetch y  Connection failed", "apt-get failed: Failed to fetch y"),
        ("", "apt-get failed: no reason given"),
    ],
)
def test_a_package_that_cannot_be_had_is_named_with_the_ways_on(tmp_path, tool, said, words):
    tool("apt-get", f'case "$*" in update*) ;; *) echo "{said}" >&2; exit 100 ;; esac')
    with pytest.raises(Unavailable, match=rf"^debian\.json: .*{words}") as gone:
        Apt(HOST, tmp_path / "apt").fetch(LOCK, "debian.json", (package(),), tmp_path)
    assert "image import" in gone.value.advice
    assert ("nox -s lock" in gone.value.advice) == ("no longer" in words)


def test_the_lock_resolves_to_what_is_offered_without_what_is_left_out(tmp_path, tool):
    tool("apt-get", f"cat <<'END'\n{PLANNED}END")
    tool("apt-cache", f"cat <<'END'\n{SHOWN}END")
    assert Apt(HOST, tmp_path / "apt").resolve(LOCK, "debian.json").files == (
        Locked(name="libc6", version="2.36-9+deb12u14", digest="sha256:" + "a" * 64, size=7),
        Locked(name="python", version="1:3.11-1", digest="sha256:" + "b" * 64, size=9),
    )


def test_wheels_are_asked_for_the_images_python_whatever_this_one_is(tmp_path, tool, monkeypatch):
    calls = tool("python", f"touch {tmp_path}/Some_Thing-1.0-py3-none-any.whl")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin/python"))
    lock = WheelLock(
        format="mambomeme/wheel-lock/v1", python="3.11", wanted=("some-thing==1.0",), left_out=(), files=()
    )
    wheel = Locked(name="some-thing", version="1.0", digest=sha(b""), size=1)
    assert Pip().fetch(lock, "wheels.json", (wheel,), tmp_path) == {
        "some-thing": tmp_path / "Some_Thing-1.0-py3-none-any.whl"
    }
    said = calls.read_text()
    assert "--python-version 3.11 --implementation cp" in said
    assert "--abi cp311 --abi abi3 --abi none" in said
    assert "--only-binary=:all:" in said
    assert said.endswith("--no-deps some-thing==1.0\n")


NO_MATCH = "ERROR: No matching distribution found for numbers==1.0"
RETRYING = "WARNING: Retrying (Retry(total={}, connect=None)) after connection broken by NewConnectionError"


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        (NO_MATCH, Gone, "no longer has numbers==1.0"),
        (f"{RETRYING.format(4)}\n{NO_MATCH}", Gone, "no longer has numbers==1.0"),
        (f"{RETRYING.format(1)}\n{RETRYING.format(0)}\n{NO_MATCH}", Unavailable, "pip cannot reach its index"),
        ("No module named pip", Unavailable, "pip failed: No module named pip"),
    ],
)
def test_a_wheel_that_cannot_be_had_is_named_with_the_ways_on(tmp_path, tool, monkeypatch, said, kind, words):
    tool("python", f'echo "{said}" >&2; exit 1')
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin/python"))
    lock = WheelLock(format="mambomeme/wheel-lock/v1", python="3.11", wanted=("numbers==1.0",), left_out=(), files=())
    with pytest.raises(Unavailable, match=rf"^wheels\.json: .*{words}") as gone:
        Pip().fetch(lock, "wheels.json", (), tmp_path)
    assert type(gone.value) is kind
    assert "image import" in gone.value.advice


def stock(folder, give):
    lock = LOCK.model_copy(update={"files": (package(),)})
    return Stock(folder / "pool", "debian.json", lock, give)


def test_a_missing_file_is_fetched_once(tmp_path):
    asked = []

    def give(wanted, to):
        asked.append(wanted)
        write(to / "file", PYTHON)
        return {"python": to / "file"}

    for _ in range(2):
        [(locked, path)] = stock(tmp_path, give).take(SilentProgress())
    assert (locked, path.read_bytes(), len(asked)) == (package(), PYTHON, 1)
    assert [found.name for found in (tmp_path / "pool").iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("content", "words"), [(NUMBERS, r"python 1:3\.11-1 .*expected sha256:.*, found"), (None, "not among the files")]
)
def test_a_fetched_file_that_is_not_the_locked_one_never_enters_the_pool(tmp_path, content, words):
    def give(wanted, to):
        if content is None:
            return {}
        write(to / "file", content)
        return {"python": to / "file"}

    with pytest.raises(BadInput, match=words):
        stock(tmp_path, give).take(SilentProgress())
    assert list((tmp_path / "pool").iterdir()) == []


def test_a_host_is_what_its_release_file_says(tmp_path):
    write(tmp_path / "r", 'PRETTY_NAME="Debian"\nVERSION_ID="12"\n\nID=debian\n')
    assert read_release(tmp_path / "r") == DEBIAN
    assert read_release(tmp_path / "none") == Release(id="", version_id="")


def test_what_moved_is_said_by_lock_and_name():
    def locks(*files):
        wheels = WheelLock(format="mambomeme/wheel-lock/v1", python="3.11", wanted=(), left_out=(), files=())
        models = ModelLock(format="mambomeme/model-lock/v1", files=())
        return Locks(LOCK.model_copy(update={"files": files}), wheels, LOCK, models)

    def file(name, version, letter="a"):
        return Locked(name=name, version=version, digest="sha256:" + letter * 64, size=1)

    before = locks(file("same", "1"), file("gone", "1"), file("up", "1"), file("rebuilt", "1"))
    after = locks(file("same", "1"), file("new", "1"), file("up", "2"), file("rebuilt", "1", "b"))
    assert moved(before, after) == (
        Moved("debian", "gone", "1", ""),
        Moved("debian", "new", "", "1"),
        Moved("debian", "rebuilt", "1", "1"),
        Moved("debian", "up", "1", "2"),
    )


_PIP = """
case "$*" in *other-model*) echo "ERROR: No matching distribution found for other-model==1.0" >&2; exit 1;; esac
all="$*"
while [ "$1" != --dest ]; do shift; done
case "$all" in
    *small-model*) cp {folder}/small_model-1.0-py3-none-any.whl "$2" ;;
    *) printf x > "$2/numbers-1.1-py3-none-any.whl" ;;
esac"""


def test_a_relock_into_another_folder_leaves_the_locks_alone(tmp_path, tool, monkeypatch):
    places = make_project(tmp_path / "project")
    before = {path.name: path.read_bytes() for path in places.locks.iterdir()}
    tool("apt-get", f"cat <<'END'\n{PLANNED}END")
    tool("apt-cache", f"cat <<'END'\n{SHOWN}END")
    tool("python", _PIP.format(folder=tmp_path))
    write(tmp_path / "small_model-1.0-py3-none-any.whl", MODEL)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin/python"))
    moves = relock(workshop(places), tmp_path / "new")
    assert Moved("wheels", "numbers", "1.0", "1.1") in moves
    assert Moved("debian", "python", "1.0", "1:3.11-1") in moves
    assert Moved("art", "art", "1.0", "") in moves
    assert {path.name: path.read_bytes() for path in places.locks.iterdir()} == before
    fresh = workshop(places._replace(locks=tmp_path / "new")).locks()
    assert fresh.wheels.files[0].version == "1.1"
    assert fresh.models == workshop(places).locks().models
    assert relock(workshop(places), tmp_path / "new") == moves


def test_a_build_says_which_lock_names_the_package_that_is_gone(tmp_path, tool):
    places = make_project(tmp_path / "project")
    pool_file(places, PYTHON).unlink()
    tool(
        "apt-get", "case $1 in update) exit;; esac; echo \"E: Version '1.0' for 'python' was not found\" >&2; exit 100"
    )
    with pytest.raises(Unavailable, match=r"images/locks/debian\.json: .*locked python\."):
        workshop(places, Host("x86_64", DEBIAN, has_apt=True)).layer("base")


def test_a_build_says_which_lock_names_the_wheel_that_is_gone(tmp_path, tool, monkeypatch):
    places = make_project(tmp_path / "project")
    pool_file(places, NUMBERS).unlink()
    tool("python", f'echo "{NO_MATCH}" >&2; exit 1')
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin/python"))
    with pytest.raises(Gone, match=r"images/locks/wheels\.json: .*no longer has numbers==1\.0"):
        workshop(places).layer("site")


def test_the_projects_locks_pin_what_the_project_itself_uses_and_name_no_host():
    wheels = json.loads((ROOT / "images/locks/wheels.json").read_text())
    project = (ROOT / "pyproject.toml").read_text()
    for wanted in wheels["wanted"]:
        assert f'"{wanted}"' in project
    for path in (ROOT / "images/locks").iterdir():
        assert "://" not in path.read_text()
        assert ".org" not in path.read_text()
