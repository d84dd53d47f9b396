"""Packages, wheels and project files become exactly the nodes that they should."""

from __future__ import annotations

import os
import subprocess
import tarfile

import pytest

from runner.adapters.image.base import base_tree
from runner.adapters.image.deb import read_deb
from runner.adapters.image.driver import driver_files
from runner.adapters.image.site import site_tree
from runner.adapters.image.sources import file_node, project_files, source_files
from runner.adapters.image.tree import File, Folder, Link
from runner.errors import BadInput
from runner.provenance.locks import Locked
from tests.image.tiny import NUMBERS, PYTHON, ROOT, deb, locked, member, wheel, write


def one(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    return Locked.model_validate(locked(name, data)), tmp_path / name


def test_a_package_is_read_as_the_distributions_own_tool_reads_it(tmp_path):
    folder = tmp_path / "p"
    write(folder / "DEBIAN/control", "Package: p\nVersion: 1\nArchitecture: all\nMaintainer: m <m@m>\nDescription: d\n")
    write(folder / "usr/bin/tool", "#!")
    (folder / "usr/bin/tool").chmod(0o755)
    (folder / "usr/bin/link").symlink_to("tool")
    os.link(folder / "usr/bin/tool", folder / "usr/bin/same")
    subprocess.run(["dpkg-deb", "-Zxz", "--root-owner-group", "--build", "p"], cwd=tmp_path, check=True, stdout=-3)
    assert dict(read_deb((tmp_path / "p.deb").read_bytes(), "p")) == {
        "usr": Folder(),
        "usr/bin": Folder(),
        "usr/bin/tool": File(b"#!", 0o755),
        "usr/bin/same": File(b"#!", 0o755),
        "usr/bin/link": Link("tool"),
    }


def test_program_folders_are_merged_into_usr():
    names = ["./bin/a", "./sbin/b", "./lib/c", "./lib64/d", "./usr/bin/e", "./library/f"]
    read = dict(read_deb(deb(*(member(name, b"x") for name in names)), "p"))
    assert list(read) == ["usr/bin/a", "usr/sbin/b", "usr/lib/c", "usr/lib64/d", "usr/bin/e", "library/f"]


def test_set_user_id_bits_are_dropped():
    assert dict(read_deb(PYTHON, "p"))["usr/bin/python3.11"] == File(b"ELF", 0o755)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        PYTHON[:40],
        PYTHON[:-30],
        PYTHON.replace(b"data.tar.xz", b"nata.tar.xz"),
        deb(member("./dev/null", type=tarfile.CHRTYPE)),
        deb(member("./pipe", type=tarfile.FIFOTYPE)),
    ],
)
def test_what_is_no_package_or_holds_a_device_is_refused_by_name(data):
    with pytest.raises(BadInput, match=r"^libx 2: "):
        list(read_deb(data, "libx 2"))


def test_the_base_layer_has_users_places_and_licences_but_no_manuals(tmp_path):
    nodes = base_tree([one(tmp_path, "python", PYTHON)]).nodes()
    assert nodes["bin"] == Link("usr/bin")
    assert nodes["usr/bin/python3"] == Link("python3.11")
    assert (nodes["out"], nodes["plan"], nodes["tmp"]) == (Folder(0o700), Folder(0o700), Folder(0o1777))
    assert b"engine:x:10001:10001:" in nodes["etc/passwd"].data
    assert b"ui:x:10002:10002:" in nodes["etc/passwd"].data
    assert nodes["etc/nsswitch.conf"] == File(b"hosts: files\n")
    assert [name for name in nodes if name.startswith("usr/share/")] == [
        "usr/share/doc",
        "usr/share/doc/python",
        "usr/share/doc/python/copyright",
    ]
    # Docker ignores the mode of a tmpfs whose mount point is in the image.
    assert [name for name in nodes if name.startswith("run")] == ["run"]


def test_a_wheel_leaves_its_modules_and_no_scripts(tmp_path):
    data = wheel(
        {
            "a/__init__.py": b"1",
            "a/x.so": b"so",
            "a/__init__.cpython-311.pyc": b"",
            "a-1.data/platlib/b.py": b"2",
            "a-1.data/scripts/a": b"#!",
            "a-1.data/headers/a.h": b"",
            "a-1.dist-info/RECORD": b"r",
        },
        executable=("a/x.so",),
    )
    assert site_tree([one(tmp_path, "a", data)]).nodes() == {
        "opt": Folder(),
        "opt/site": Folder(),
        "opt/site/a": Folder(),
        "opt/site/a-1.dist-info": Folder(),
        "opt/site/a-1.dist-info/RECORD": File(b"r"),
        "opt/site/a/__init__.py": File(b"1"),
        "opt/site/a/x.so": File(b"so", 0o755),
        "opt/site/b.py": File(b"2"),
    }


@pytest.mark.parametrize("data", [b"not a zip", NUMBERS[:30], wheel({"../up.py": b""}), wheel({"/etc/x": b""})])
def test_a_wheel_that_is_broken_or_climbs_out_is_refused_by_name(tmp_path, data):
    with pytest.raises(BadInput, match=r"^numbers 1\.0: "):
        site_tree([one(tmp_path, "numbers", data)])


def test_hidden_and_compiled_files_stay_out_and_modes_are_two(tmp_path):
    for name in ("a.py", ".git/x", ".env", "__pycache__/a.pyc", "b.pyc", "sub/run"):
        write(tmp_path / name, "x")
    (tmp_path / "sub/run").chmod(0o700)
    (tmp_path / "a.py").chmod(0o600)
    files = source_files(tmp_path)
    assert list(files) == ["a.py", "sub/run"]
    assert [file_node(path).mode for path in files.values()] == [0o644, 0o755]


def test_what_git_ignores_is_no_source(tmp_path):
    for name in ("a.py", "index/made", "kept/index"):
        write(tmp_path / "p/system" / name, "x")
    write(tmp_path / "p/.gitignore", "/system/index/\n")
    subprocess.run(["git", "init", "-q", "p"], cwd=tmp_path, check=True)
    assert list(project_files(tmp_path / "p/system")) == ["a.py", "kept/index"]
    write(tmp_path / "p/.gitignore", "/system/\n")
    assert list(project_files(tmp_path / "p/system")) == ["a.py", "index/made", "kept/index"]


@pytest.mark.parametrize("kind", ["link", "folder link", "pipe"])
def test_links_and_pipes_among_project_files_are_refused_by_name(tmp_path, kind):
    odd = tmp_path / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to("/etc" if kind == "folder link" else "/etc/passwd")
    with pytest.raises(BadInput, match=f"^{odd}: is no plain file"):
        source_files(tmp_path)


def test_the_driver_brings_exactly_what_it_imports(tmp_path):
    write(tmp_path / "runner/driver/__main__.py", "import json\nfrom runner.provenance import chain\n")
    write(tmp_path / "runner/driver/notes.txt", "no module")
    write(tmp_path / "runner/provenance/chain.py", "import runner.terminal.profile\n")
    write(tmp_path / "runner/terminal/profile.py", "")
    write(tmp_path / "runner/terminal/screens.py", "")
    write(tmp_path / "runner/errors.py", "")
    for package in ("", "driver/", "provenance/", "terminal/"):
        write(tmp_path / f"runner/{package}__init__.py", "")
    assert list(driver_files(tmp_path)) == [
        "runner/__init__.py",
        "runner/driver/__init__.py",
        "runner/driver/__main__.py",
        "runner/provenance/__init__.py",
        "runner/provenance/chain.py",
        "runner/terminal/__init__.py",
        "runner/terminal/profile.py",
    ]


def test_the_projects_own_driver_needs_nothing_but_the_image(tmp_path):
    names = driver_files(ROOT)
    assert "runner/driver/__main__.py" in names
    assert not [name for name in names if name.startswith(("runner/adapters", "runner/workflows", "runner/retrieval"))]
