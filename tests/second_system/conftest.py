"""Builds the second system once, from the crates and, where there is none, with the compiler of the distribution."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.faults.conftest import built  # noqa: F401 - a fixture
from tests.faults.project import CACHE, ROOT

SOURCES = Path(__file__).parent
CRATES = (
    "crossterm",
    "nix",
    "regex",
    "aho-corasick",
    "memchr",
    "serde-json",
    "sha2",
    "signal-hook",
    "unicode-normalization",
)
PLACE = Path(CACHE) / "second_system"


@pytest.fixture(scope="session")
def second() -> Path:
    """A system folder with the compiled program in it."""
    folder = PLACE / _digest()[:16]
    if not folder.is_dir():
        draft = PLACE / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        shutil.copy(_compile(), draft)
        shutil.copy(SOURCES / "system.json", draft)
        draft.rename(folder)
    return folder


def _digest() -> str:
    found = hashlib.sha256()
    for path in sorted([SOURCES / "Cargo.toml", SOURCES / "system.json", *SOURCES.glob("src/*.rs")]):
        found.update(path.read_bytes())
    return found.hexdigest()


def _compile() -> Path:
    """The program, from a copy of the sources: cargo writes a lock file beside them."""
    cargo, registry = _cargo(), _registry()
    work = PLACE / "work"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(SOURCES, work, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    settings = {"crates-io.replace-with": "distribution", "distribution.directory": str(registry)}
    words = [word for key, value in settings.items() for word in ("--config", f'source.{key}="{value}"')]
    _run([cargo, *words, "build", "--release", "--offline", "--quiet"], work, CARGO_TARGET_DIR=str(PLACE / "target"))
    return PLACE / "target/release/second"


def _cargo() -> str:
    if shutil.which("cargo") is None and os.geteuid() == 0 and shutil.which("apt-get") is not None:
        _run(
            ["apt-get", "install", "-y", "-q", "--no-install-recommends", "cargo"],
            ROOT,
            DEBIAN_FRONTEND="noninteractive",
        )
    found = shutil.which("cargo")
    if found is None:
        pytest.skip("THE SECOND SYSTEM IS NOT TESTED: there is no cargo, and no apt-get that may install it.")
    return found


def _registry() -> Path:
    """The crates of the distribution, unpacked; nothing is installed."""
    registry = PLACE / "crates/usr/share/cargo/registry"
    if registry.is_dir():
        return registry
    if shutil.which("apt-get") is None:
        pytest.skip("THE SECOND SYSTEM IS NOT TESTED: there is no apt-get to fetch the distribution's crates with.")
    draft = PLACE / "crates.draft"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    (draft / "nothing-installed").touch()
    options = ["-q", "-o", f"Dir::State::status={draft}/nothing-installed", "-o", "APT::Install-Recommends=false"]
    wanted = [f"librust-{crate}-dev" for crate in CRATES]
    plan = _run(["apt-get", *options, "-s", "-y", "install", *wanted], draft).splitlines()
    packages = [line.split()[1] for line in plan if line.startswith("Inst librust-")]
    _run(["apt-get", "download", "-q", *packages], draft)
    for package in draft.glob("*.deb"):
        _run(["dpkg-deb", "-x", str(package), str(draft)], draft)
    draft.rename(PLACE / "crates")
    return registry


def _run(words: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        words,
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
