"""Brings the web player from its registry package, at the digests that are pinned beside this file."""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

from runner.adapters.folders import write_folder
from runner.adapters.formats import read_document
from runner.documents import Digest, Document, digest
from runner.errors import BadInput, Unavailable
from runner.ports import Player

PIN = Path(__file__).with_name("player.json")
_SCRIPT, _STYLE, _LICENCE = "dist/bundle/asciinema-player.min.js", "dist/bundle/asciinema-player.css", "LICENSE"
_PATIENCE = 120


class PlayerPin(Document):
    """`player.json`: a package of the npm registry, its digest as the registry writes it, and the files taken."""

    name: str
    version: str
    integrity: str
    files: Mapping[str, Digest]


def fetch_player(cache: Path) -> Player:
    """The player, from the cache or the registry; Unavailable where neither has it."""
    pin = read_document(PIN, PlayerPin)
    folder = cache / "player" / pin.version
    if not folder.is_dir():
        write_folder(folder, {name: [data] for name, data in _unpacked(pin, _packed(pin)).items()})
    files = {name: (folder / name).read_bytes() for name in pin.files}
    _hold(pin, files, folder)
    return Player(files[_SCRIPT], files[_STYLE], files[_LICENCE], pin.version)


def _packed(pin: PlayerPin) -> bytes:
    """The package, as its ordinary client fetches it."""
    npm, what = shutil.which("npm"), f"{pin.name} {pin.version}"
    if npm is None:
        raise Unavailable(f"npm: not found, so {what} cannot be fetched.", advice="Install it (Debian: npm), once.")
    with tempfile.TemporaryDirectory() as scratch:
        words = [npm, "pack", "--silent", "--ignore-scripts", f"{pin.name}@{pin.version}"]
        try:
            done = subprocess.run(words, cwd=scratch, capture_output=True, check=False, timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"npm: {what} did not come within {_PATIENCE} s.", advice="Try again later.") from None
        found = list(Path(scratch).glob("*.tgz"))
        if done.returncode or len(found) != 1:
            raise Unavailable(f"npm: {what} cannot be fetched.", advice="Is there a network? The cache keeps it then.")
        return found[0].read_bytes()


def _unpacked(pin: PlayerPin, package: bytes) -> Mapping[str, bytes]:
    """The pinned files of the package; BadInput where it is another than was pinned."""
    found = f"sha512-{base64.b64encode(hashlib.sha512(package).digest()).decode()}"
    if found != pin.integrity:
        raise BadInput(f"{pin.name} {pin.version}: expected {pin.integrity}, found {found}.", advice="Do not use it.")
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        members = {name: archive.extractfile(f"package/{name}") for name in pin.files}
        return {name: member.read() for name, member in members.items() if member}


def _hold(pin: PlayerPin, files: Mapping[str, bytes], folder: Path) -> None:
    for name, expected in pin.files.items():
        if digest(files[name]) != expected:
            raise BadInput(f"{folder / name}: expected {expected}, found {digest(files[name])}.", advice="Remove it.")
