"""A whole project in small: one package, two wheels, one drawing, two items, a model, a system and a driver; no
network."""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.adapters.image.host import Host
from runner.adapters.image.workshop import LocalWorkshop, Places
from runner.adapters.progress import SilentProgress
from runner.provenance.images import ImageRef
from runner.provenance.locks import Release

ROOT = Path(__file__).parents[2]
DEBIAN = Release(id="debian", version_id="12")
HOST = Host("x86_64", DEBIAN, has_apt=True)
PREVIEWS = """
import json, pathlib, sys
words = sys.argv[2:]
option = lambda name: pathlib.Path(words[words.index(name) + 1])
print("1/1", file=sys.stderr)
for line in option("--items").read_text().splitlines():
    name = pathlib.Path(json.loads(line)["preview"]["path"]).name
    (option("--to") / name).write_bytes(b"PNG of " + name.encode())
"""
PREPARE = """
import os, pathlib
items = pathlib.Path(os.environ["MAMBO_CORPUS"], "items.jsonl").read_text().splitlines()
pathlib.Path("index").mkdir()
pathlib.Path("index", "count.txt").write_text(str(len(items)))
"""


def sha(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def member(name: str, data: bytes = b"", **header: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in header.items():
        setattr(info, key, value)
    return info, data


def deb(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    """A Debian package: an `ar` archive of version, an odd-sized control member, and an xz-packed tar."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for info, data in members:
            tar.addfile(info, io.BytesIO(data))
    parts = {b"debian-binary": b"2.0\n", b"control.tar": b"odd", b"data.tar.xz": lzma.compress(packed.getvalue())}
    archive = b"!<arch>\n"
    for name, data in parts.items():
        archive += (
            name.ljust(16) + b"0".ljust(12) + b"0     0     100644  " + str(len(data)).encode().ljust(10) + b"`\n"
        )
        archive += data + b"\n" * (len(data) % 2)
    return archive


def wheel(files: dict[str, bytes], *, executable: tuple[str, ...] = ()) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (0o755 if name in executable else 0o644) << 16
            archive.writestr(info, data)
    return packed.getvalue()


def locked(name: str, data: bytes) -> dict[str, object]:
    return {"name": name, "version": "1.0", "digest": sha(data), "size": len(data)}


PYTHON = deb(
    member("./", type=tarfile.DIRTYPE, mode=0o755),
    member("./bin/", type=tarfile.DIRTYPE, mode=0o755),
    member("./bin/python3.11", b"ELF", mode=0o4755),
    member("./lib/x.so", b"so"),
    member("./usr/share/doc/python/copyright", b"licence"),
    member("./usr/share/doc/python/changelog", b"news"),
    member("./usr/share/man/python.1", b"manual"),
)
ART = deb(member("./usr/share/art.svg", b"<svg/>"))
WEIGHTS = b"all that was learnt"
MODEL = wheel({"small_model/data/weights.bin": WEIGHTS})
NUMBERS = wheel({"numbers/__init__.py": b"one = 1\n", "numbers-1.0.data/scripts/numbers": b"#!python"})

WEIGHTS_LOCKED = {
    "name": "small/weights.bin",
    "digest": sha(WEIGHTS),
    "size": len(WEIGHTS),
    "wheels": [{"name": "small-model", "version": "1.0", "path": "small_model/data/weights.bin"}],
    "edited": None,
}


def item(number: int) -> dict[str, object]:
    name = f"previews/m{number}.png"
    return {
        "doc_id": f"m{number}",
        "title": f"Item {number}",
        "template": "T",
        "template_group": "t",
        "entities": [],
        "aliases": [],
        "franchise": None,
        "tags": [],
        "action": None,
        "ocr_text": "",
        "visual": "",
        "meaning": "",
        "language": "en",
        "safety": "safe",
        "rights": {"status": "cleared", "license": "CC0-1.0", "attribution": None, "source": None},
        "private_data": False,
        "preview": {"path": name, "digest": sha(b"PNG of " + Path(name).name.encode()), "phash": "0" * 16},
    }


def write(path: Path, content: bytes | str | object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        content = content.encode()
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


def make_project(root: Path) -> Places:
    """Write the project; its pool is full."""
    places = Places.of(root, root / ".cache")
    write(root / "Dockerfile", (ROOT / "Dockerfile").read_bytes())
    _locks(places)
    _corpus(places)
    system = {"name": "tiny", "version": "1", "interface": "list-80x24-v1", "protocol": "search-v1"}
    commands = {"engine": ["sh"], "tui": ["sh"], "release": None, "prepare": ["python3", "-m", "tiny.index"]}
    write(places.system / "system.json", system | commands)
    write(places.system / "tiny/index.py", PREPARE)
    write(places.system / ".hidden", "no part of it")
    write(root / "runner/__init__.py", "")
    write(root / "runner/driver/__init__.py", "")
    write(root / "runner/driver/__main__.py", "from runner.terminal import profile\n")
    write(root / "runner/terminal/__init__.py", "")
    write(root / "runner/terminal/profile.py", "answers = {}\n")
    write(root / "runner/terminal/screens.py", "not needed = by the driver\n")
    return places


def _locks(places: Places) -> None:
    package = {"format": "mambomeme/package-lock/v1", "release": DEBIAN.model_dump(), "architecture": "amd64"}
    package |= {"wanted": ["python"], "left_out": []}
    wheels = {"format": "mambomeme/wheel-lock/v1", "python": "3.11", "wanted": ["numbers==1.0"], "left_out": []}
    write(places.locks / "debian.json", package | {"files": [locked("python", PYTHON)]})
    write(places.locks / "art.json", package | {"files": [locked("art", ART)]})
    write(places.locks / "wheels.json", wheels | {"files": [locked("numbers", NUMBERS)]})
    write(places.locks / "models.json", {"format": "mambomeme/model-lock/v1", "files": [WEIGHTS_LOCKED]})
    for data in (PYTHON, ART, NUMBERS, WEIGHTS):
        write(pool_file(places, data), data)


def _corpus(places: Places) -> None:
    items = "".join(json.dumps(item(number)) + "\n" for number in (1, 2)).encode()
    art = b'{"art": 1}\n'
    card = {"name": "tiny", "version": "1", "items": sha(items), "counts": {}, "sources": {"art.jsonl": sha(art)}}
    write(places.corpus / "items.jsonl", items)
    write(places.corpus / "art.jsonl", art)
    write(places.corpus / "corpus.json", card)
    write(places.corpus / "previews.py", PREVIEWS)


def pool_file(places: Places, data: bytes) -> Path:
    return places.cache / "pool" / sha(data).replace(":", "-")


def workshop(places: Places, host: Host = HOST) -> LocalWorkshop:
    return LocalWorkshop(places, host, SilentProgress())


class ImagesInMemory:
    """An engine's images as their archives."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.loads = 0

    def has(self, image: ImageRef) -> bool:
        return (self.folder / image.tag).exists()

    def load(self, archive: Path) -> None:
        self.loads += 1
        with tarfile.open(archive) as tar:
            manifest = tar.extractfile("manifest.json")
            assert manifest
            tag = json.load(manifest)[0]["RepoTags"][0]
        self.folder.mkdir(exist_ok=True)
        shutil.copy(archive, self.folder / tag)

    @contextmanager
    def saved(self, name: str) -> Iterator[Path]:
        yield self.folder / name


def entries(tar_file: Path) -> dict[str, tarfile.TarInfo]:
    with tarfile.open(tar_file) as tar:
        return {entry.name: entry for entry in tar}
