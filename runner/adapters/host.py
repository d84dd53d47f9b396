"""What this machine and this checkout are."""

from __future__ import annotations

import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

from runner.driver.machine import processors

#: Of the files that differ from a commit, so many are named.
NAMED = 3


class Commit(NamedTuple):
    """The code that ran: its commit, whether tracked or new files differed from it, and the first of those."""

    name: str
    clean: bool
    changed: tuple[str, ...] = ()


class SystemClock:
    """The machine's clock."""

    def now(self) -> str:
        """See `runner.ports.Clock`."""
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def commit(root: Path) -> Commit:
    """The commit checked out at `root`; `unknown` and not clean where that is no git checkout."""
    try:
        name = _git(root, "rev-parse", "HEAD")
        changed = [line.split(maxsplit=1)[1] for line in _git(root, "status", "--porcelain").splitlines()]
        more = (f"{len(changed) - NAMED} more",) if len(changed) > NAMED else ()
        return Commit(name, not changed, (*changed[:NAMED], *more))
    except (OSError, subprocess.CalledProcessError):
        return Commit("unknown", clean=False)


def knows_commit(root: Path, name: str) -> bool:
    """Whether the checkout at `root` has that commit in its history, wherever it stands."""
    try:
        return name != "" and _git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") == name
    except (OSError, subprocess.CalledProcessError):
        return False


def packages() -> dict[str, str]:
    """Name and version of every installed Python package."""
    return dict(sorted((found.metadata["Name"].lower(), found.version) for found in distributions()))


def platform_facts() -> dict[str, str]:
    """Versions of kernel, distribution and Python."""
    release = platform.freedesktop_os_release()
    return {
        "architecture": platform.machine(),
        "cpu_model": processors("model name"),
        "distribution": release.get("PRETTY_NAME", "unknown"),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
