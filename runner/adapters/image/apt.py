"""Finds and fetches distribution packages with the host's own apt-get, never touching what the host has installed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from runner.adapters.image.host import OTHER_WAYS, Host
from runner.errors import Gone, Unavailable
from runner.provenance.locks import Locked, PackageLock

_GONE = re.compile(r"^E: (?:Version '[^']*' for '([^']+)' was not found|Unable to locate package (\S+))", re.MULTILINE)
_INST = re.compile(r"^Inst (\S+) \((\S+) ", re.MULTILINE)


class Apt:
    """Packages of the host's sources; `folder` holds package lists of our own where the host's do not suffice."""

    def __init__(self, host: Host, folder: Path) -> None:
        self._host = host
        self._folder = folder

    def fetch(self, lock: PackageLock, where: str, wanted: tuple[Locked, ...], to: Path) -> dict[str, Path]:
        """Download `wanted` into `to`; their files by name. Gone names what can't be had any more."""
        self._host.require_release(lock.release, where)
        command = ["apt-get", "download", *(f"{locked.name}={locked.version}" for locked in wanted)]
        done = _run(command, ["-q"], to)
        if done.returncode:
            done = _run(command, ["-q", *self._fresh_lists(where)], to)
        if done.returncode:
            raise _failure(done.stderr, where)
        return {path.name.partition("_")[0]: path for path in to.glob("*.deb")}

    def resolve(self, lock: PackageLock, where: str) -> PackageLock:
        """The lock with the versions that the host's sources offer now."""
        self._host.require_release(lock.release, where)
        lists = self._fresh_lists(where)
        install = ["apt-get", "install", "-s", "-y", *lock.wanted]
        planned = _checked(install, [*lists, *self._empty_system()], self._folder, where)
        versions = {name: version for name, version in _INST.findall(planned) if name not in lock.left_out}
        names = [f"{name}={version}" for name, version in sorted(versions.items())]
        shown = _checked(["apt-cache", "show", "--no-all-versions", *names], lists, self._folder, where)
        files = tuple(sorted(_records(shown), key=lambda locked: locked.name))
        return lock.model_copy(update={"files": files})

    def _fresh_lists(self, where: str) -> list[str]:
        """Options for package lists of our own, brought up to date; no root needed."""
        lists, cache = self._folder / "lists", self._folder / "cache"
        for folder in (lists / "partial", cache / "archives" / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        options = [f"-oDir::State::Lists={lists}", f"-oDir::Cache={cache}"]
        _checked(["apt-get", "update", "-oAPT::Update::Error-Mode=any"], ["-q", *options], self._folder, where)
        return options

    def _empty_system(self) -> list[str]:
        status = self._folder / "status"
        status.write_bytes(b"")
        return [f"-oDir::State::status={status}", "-oAPT::Install-Recommends=false", "-oAPT::Architecture=amd64"]


def _checked(command: list[str], options: list[str], folder: Path, where: str) -> str:
    done = _run(command, options, folder)
    if done.returncode:
        raise _failure(done.stderr, where)
    return done.stdout


def _run(command: list[str], options: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    # The sandbox user of apt may not enter our folders; what is fetched is checked against the lock anyway.
    line = ["env", "LC_ALL=C", *command, *options, "-oAPT::Sandbox::User=root"]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def _failure(talk: str, where: str) -> Unavailable:
    gone = sorted({first or second for first, second in _GONE.findall(talk)})
    if gone:
        return Gone(
            f"{where}: the mirror no longer has the locked {', '.join(gone)}.",
            advice=f"Re-pin with `nox -s lock`, which makes another image. {OTHER_WAYS}",
        )
    first = next((line for line in talk.splitlines() if line.startswith("E:")), "E: no reason given")
    return Unavailable(f"{where}: apt-get failed: {first[3:]}", advice=OTHER_WAYS)


def _records(shown: str) -> Iterable[Locked]:
    for record in shown.strip().split("\n\n"):
        fields = dict(re.findall(r"^(Package|Version|SHA256|Size): (.+)$", record, re.MULTILINE))
        yield Locked(
            name=fields["Package"],
            version=fields["Version"],
            digest="sha256:" + fields["SHA256"],
            size=int(fields["Size"]),
        )
