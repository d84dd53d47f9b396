"""What the machine that builds is: processor, distribution, and whether that distribution can supply packages."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path
from typing import NamedTuple

from runner.errors import Unavailable
from runner.provenance.locks import Release

OTHER_WAYS = (
    "Load a pinned image with `./bench run image import FILE`, or take a first look without one: `nox -s quick`."
)


class Host(NamedTuple):
    """One machine."""

    machine: str
    release: Release
    has_apt: bool

    def require_amd64(self) -> None:
        """Unavailable unless images for linux/amd64 run here as they are."""
        if self.machine not in {"x86_64", "AMD64"}:
            raise Unavailable(
                f"Images are for linux/amd64; this machine is {self.machine}.",
                advice="Use an x86-64 machine: an emulated processor would not give comparable latencies.",
            )

    def require_release(self, release: Release, lock: str) -> None:
        """Unavailable unless packages of `release` can be had here."""
        wanted = f"{release.id} {release.version_id}"
        if not self.has_apt:
            raise Unavailable(f"{lock} names packages of {wanted}, and this host has no apt-get.", advice=OTHER_WAYS)
        if self.release != release:
            found = f"{self.release.id} {self.release.version_id}".strip() or "unknown"
            raise Unavailable(f"{lock} names packages of {wanted}; this host is {found}.", advice=OTHER_WAYS)


def read_host() -> Host:
    """This machine."""
    return Host(platform.machine(), read_release(Path("/etc/os-release")), shutil.which("apt-get") is not None)


def read_release(path: Path) -> Release:
    """The release that an `os-release` file names; empty words where it says nothing."""
    text = path.read_text() if path.exists() else ""
    pairs = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return Release(id=pairs.get("ID", "").strip("\"'"), version_id=pairs.get("VERSION_ID", "").strip("\"'"))
