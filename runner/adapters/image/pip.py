"""Finds and fetches wheels for the image's Python with pip, whatever the host's Python is."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from runner.adapters.image.host import OTHER_WAYS
from runner.adapters.image.tree import file_digest
from runner.errors import Gone, Unavailable
from runner.provenance.locks import Locked, WheelLock

_GONE = re.compile(r"No matching distribution found for (\S+)")
_LAST_RETRY = "Retrying (Retry(total=0,"
_NEWEST_GLIBC, _OLDEST_GLIBC = 36, 17


class Pip:
    """Wheels from pip's own index."""

    def fetch(self, lock: WheelLock, where: str, wanted: tuple[Locked, ...], to: Path) -> dict[str, Path]:
        """Download `wanted` into `to`; their files by name. Gone names what can't be had any more."""
        _download(lock.python, where, ["--no-deps", *(f"{locked.name}=={locked.version}" for locked in wanted)], to)
        return {_name(path): path for path in to.glob("*.whl")}

    def resolve(self, lock: WheelLock, where: str) -> WheelLock:
        """The lock with what `wanted` resolves to now."""
        with tempfile.TemporaryDirectory() as folder:
            _download(lock.python, where, list(lock.wanted), Path(folder))
            found = sorted(Path(folder).glob("*.whl"), key=_name)
            files = tuple(_lock(path) for path in found if _name(path) not in lock.left_out)
        return lock.model_copy(update={"files": files})

    def wheel(self, name: str, version: str, where: str, to: Path) -> Path:
        """The file of one wheel for any Python, downloaded into `to`. Gone where it can't be had any more."""
        _download("3.11", where, ["--no-deps", f"{name}=={version}"], to)
        found = {_name(path): path for path in to.glob("*.whl")}
        if name not in found:
            raise Gone(f"{where}: the index gave no wheel of {name} {version}.", advice=OTHER_WAYS)
        return found[name]


def _download(python: str, where: str, wanted: list[str], to: Path) -> None:
    tag = "cp" + python.replace(".", "")
    platforms = [f"manylinux_2_{minor}_x86_64" for minor in range(_NEWEST_GLIBC, _OLDEST_GLIBC - 1, -1)]
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-input"]
    command += ["--only-binary=:all:", "--python-version", python, "--implementation", "cp", "--dest", str(to)]
    command += [word for abi in (tag, "abi3", "none") for word in ("--abi", abi)]
    command += [word for name in (*platforms, "manylinux2014_x86_64", "any") for word in ("--platform", name)]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise _failure(done.stderr, where)


def _failure(talk: str, where: str) -> Unavailable:
    # An index that does not answer ends in the same error as a wheel that is gone; the last retry tells them apart.
    if _LAST_RETRY in talk:
        return Unavailable(f"{where}: pip cannot reach its index.", advice=OTHER_WAYS)
    gone = _GONE.search(talk)
    if gone:
        return Gone(
            f"{where}: the index no longer has {gone[1]} for the image's Python.",
            advice=f"Re-pin with `nox -s lock`, which makes another image. {OTHER_WAYS}",
        )
    last = talk.strip().splitlines()[-1:] or ["no reason given"]
    return Unavailable(f"{where}: pip failed: {last[0]}", advice=OTHER_WAYS)


def _name(path: Path) -> str:
    return re.sub(r"[-_.]+", "-", path.name.partition("-")[0]).lower()


def _lock(path: Path) -> Locked:
    version = path.name.split("-")[1]
    return Locked(name=_name(path), version=version, digest=file_digest(path), size=path.stat().st_size)
