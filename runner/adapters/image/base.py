"""Makes the base layer: Python and the C library from locked distribution packages, without maintainer scripts."""

from __future__ import annotations

from pathlib import Path

from runner.adapters.image.deb import read_deb
from runner.adapters.image.tree import File, Folder, Link, Node, Tree
from runner.provenance.locks import Locked

_DROPPED = ("usr/share/man", "usr/share/locale", "usr/share/info", "usr/share/lintian", "usr/share/bug")
_DOC = "usr/share/doc/"
_PASSWD = b"root:x:0:0:root:/:/bin/sh\nengine:x:10001:10001::/:/bin/false\nui:x:10002:10002::/:/bin/false\n"
_GROUP = b"root:x:0:\ntty:x:5:\nengine:x:10001:\nui:x:10002:\n"
_OURS: dict[str, Node] = {
    "tmp": Folder(0o1777),
    "dev": Folder(),
    "proc": Folder(),
    "sys": Folder(),
    "run": Folder(),
    "out": Folder(0o700),
    "plan": Folder(0o700),
    "bin": Link("usr/bin"),
    "sbin": Link("usr/sbin"),
    "lib": Link("usr/lib"),
    "lib64": Link("usr/lib64"),
    "usr/sbin": Folder(),
    "usr/bin/python3": Link("python3.11"),
    "etc/passwd": File(_PASSWD),
    "etc/group": File(_GROUP),
    # With `files` alone an innocent look-up of a name never tries the network, so any attempt counted is a real one.
    "etc/nsswitch.conf": File(b"hosts: files\n"),
}


def base_tree(packages: list[tuple[Locked, Path]]) -> Tree:
    """The root file system made of `packages`."""
    tree = Tree()
    for locked, path in packages:
        where = f"{locked.name} {locked.version}"
        for name, node in read_deb(path.read_bytes(), where):
            if _kept(name) and name not in _OURS:
                tree.add(name, node, where)
    for name, node in _OURS.items():
        tree.add(name, node, "base layer")
    return tree


def _kept(name: str) -> bool:
    """Whether a file is wanted: no manuals and translations; of the documentation the copyright alone."""
    if name.startswith(_DOC):
        return "/" not in name.removeprefix(_DOC) or name.endswith("/copyright")
    return not name.startswith(_DROPPED) and not name.endswith(".pyc")
