"""The preview script, from outside: packages and items in, pictures or one clear line out."""

from __future__ import annotations

import hashlib
import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from drawing.card import corpus_card
from drawing.faces import read_face
from drawing.records import read_art
from drawing.scene import FONTS

from runner.retrieval.items import CorpusCard, Item
from tests.system.memes import item

CORPUS = Path(__file__).parents[2] / "images" / "corpus"
ART = "usr/share/openclipart/svg/animals/dog.svg"
SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:cc="http://web.resource.org/cc/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 width="127mm" height="63.5mm" viewBox="0 0 60 30"><metadata><rdf:RDF><cc:Work rdf:about=""><dc:title>A dog</dc:title>
 <dc:creator><cc:Agent><dc:title>Somebody</dc:title></cc:Agent></dc:creator>
 <cc:license rdf:resource="http://web.resource.org/cc/{license}"/></cc:Work></rdf:RDF></metadata>
 <rect x="30" y="0" width="30" height="30" fill="{colour}"/></svg>"""


def font(advances: dict[int, int]) -> bytes:
    """A font file with only the tables that metrics are read from; the last code points share the last advance."""
    codes = sorted(advances)
    segments = [(code, code, (number + 1 - code) & 0xFFFF) for number, code in enumerate(codes)] + [(0xFFFF, 0xFFFF, 1)]
    lasts, firsts, deltas = (struct.pack(f">{len(segments)}H", *(s[n] for s in segments)) for n in (1, 0, 2))
    body = struct.pack(">4H", len(segments) * 2, 0, 0, 0) + lasts + b"\0\0" + firsts + deltas + bytes(2 * len(segments))
    cmap = struct.pack(">HHHHI", 0, 1, 3, 1, 12) + struct.pack(">HHH", 4, len(body) + 6, 0) + body
    widths = [0] + [advances[code] for code in codes]
    tables = {
        b"cmap": cmap,
        b"head": bytes(18) + struct.pack(">H", 2048) + bytes(34),
        b"hhea": bytes(34) + struct.pack(">H", len(widths)),
        b"hmtx": b"".join(struct.pack(">Hh", width, 0) for width in widths),
    }
    head, data, at = b"", b"", 12 + 16 * len(tables)
    for name, table in tables.items():
        head += name + struct.pack(">III", 0, at + len(data), len(table))
        data += table + bytes(-len(table) % 4)
    return struct.pack(">IHHHH", 0x00010000, len(tables), 0, 0, 0) + head + data


def package(folder: Path, name: str, files: dict[str, bytes]) -> Path:
    """A distribution package that holds `files`."""
    root = folder / name
    (root / "DEBIAN").mkdir(parents=True)
    (root / "DEBIAN" / "control").write_text(
        f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: test\n"
    )
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", str(root), f"{root}.deb"], check=True, capture_output=True)
    return Path(f"{root}.deb")


class Workshop:
    """A folder with items, art and packages, and the script at work on them."""

    def __init__(self, folder: Path) -> None:
        self.items, self.art, self.out = folder / "items.jsonl", folder / "art.jsonl", folder / "out"
        self.fonts, self.clip = folder / "fonts.deb", folder / "clip.deb"
        self.folder = folder

    def fill(self) -> None:
        package(self.folder, "fonts", dict.fromkeys(FONTS, font(dict.fromkeys(range(32, 127), 1024))))
        self.drawing()
        items = [
            item("m1", ocr_text="wow\nsuch <b>&"),
            item("m2", ocr_text=""),
            item("m3", ocr_text="a\x1b[2J\u202e " * 40),
        ]
        self.items.write_bytes(b"".join(json.dumps(entry).encode() + b"\n" for entry in items))
        self.art.write_text(json.dumps({"template_group": "doge", "art": ART, "layout": "panels"}) + "\n")

    def drawing(self, name: str = "clip", license: str = "PublicDomain", colour: str = "red") -> Path:  # noqa: A002
        return package(self.folder, name, {ART: SVG.format(license=license, colour=colour).encode()})

    def run(self, verb: str, clip: Path | None = None) -> subprocess.CompletedProcess[str]:
        wanted = {"render": ["items", "art", "to"], "pin": ["items", "art"], "art": ["art"]}[verb]
        values = {"items": self.items, "art": self.art, "to": self.out}
        options = [part for name in wanted for part in (f"--{name}", str(values[name]))]
        options += ["--package", str(clip or self.clip), "--package", str(self.fonts)]
        script = [sys.executable, "-B", str(CORPUS / "previews.py"), verb, *options]
        return subprocess.run(script, capture_output=True, text=True, check=False, timeout=60)

    def lines(self, path: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    shop = Workshop(tmp_path_factory.mktemp("previews"))
    shop.fill()
    return shop


@pytest.fixture(scope="module")
def pinned(filled: Workshop) -> Workshop:
    shop = copied(filled, filled.folder / "pinned")
    for verb in ("art", "pin"):
        ended = shop.run(verb)
        assert ended.returncode == 0, ended.stderr
    return shop


@pytest.fixture
def workshop(pinned: Workshop, tmp_path: Path) -> Workshop:
    """One of this test's own, with everything pinned."""
    return copied(pinned, tmp_path / "shop")


def copied(shop: Workshop, to: Path) -> Workshop:
    to.mkdir()
    for path in filter(Path.is_file, shop.folder.iterdir()):
        shutil.copy(path, to)
    return Workshop(to)


def test_art_is_measured_and_credited(workshop: Workshop) -> None:
    line = workshop.lines(workshop.art)[0]
    assert (line["creator"], line["title"]) == ("Somebody", "A dog")
    assert line["page"] == [600, 300]
    assert line["ink"] == [299, 0, 301, 300]
    assert (
        line["digest"]
        == "sha256:" + hashlib.sha256(SVG.format(license="PublicDomain", colour="red").encode()).hexdigest()
    )


def test_pictures_have_the_pinned_digests(workshop: Workshop) -> None:
    ended = workshop.run("render")
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr.splitlines()[-1] == "3/3"
    for entry in workshop.lines(workshop.items):
        png = (workshop.out / f"{entry['doc_id']}.png").read_bytes()
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", png[16:24]) == (480, 360)
        assert entry["preview"]["digest"] == "sha256:" + hashlib.sha256(png).hexdigest()


def test_pinning_touches_nothing_else(filled: Workshop, tmp_path: Path) -> None:
    shop = copied(filled, tmp_path / "shop")
    before = shop.lines(shop.items)
    shop.run("art")
    assert shop.run("pin").returncode == 0
    first = shop.items.read_bytes()
    for old, new in zip(before, shop.lines(shop.items), strict=True):
        assert old | {"preview": None} == new | {"preview": None}
        assert new["preview"]["path"] == old["preview"]["path"]
        assert new["preview"]["phash"] != old["preview"]["phash"]
    assert shop.run("pin").returncode == 0
    assert shop.items.read_bytes() == first
    assert Item.parse_lines(first, "items.jsonl")[0].canonical() == first.split(b"\n")[0]


def test_a_picture_that_differs_stops_the_rendering_and_is_named(workshop: Workshop) -> None:
    items = workshop.lines(workshop.items)
    items[1]["preview"]["digest"] = "sha256:" + "0" * 64
    workshop.items.write_bytes(b"".join(json.dumps(entry).encode() + b"\n" for entry in items))
    ended = workshop.run("render")
    assert ended.returncode == 65
    assert ended.stderr.splitlines()[-1].startswith("previews/m2.png: expected sha256:000")


def test_art_that_differs_stops_the_rendering_and_is_named(workshop: Workshop) -> None:
    ended = workshop.run("render", workshop.drawing("other", colour="blue"))
    assert (ended.returncode, ended.stderr.count("\n")) == (65, 1)
    assert ended.stderr.startswith(f"{ART}: expected sha256:")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"template_group": "cheems"}, "no art for template group 'doge'"),
        ({"layout": "sideways"}, "art.jsonl:1: layout 'sideways'"),
        ({"colour": "red"}, "art.jsonl:1: keys must be"),
        ({"art": "usr/share/cat.svg"}, "usr/share/cat.svg: in none of the packages"),
    ],
)
def test_what_is_wrong_with_the_art_file_is_named(workshop: Workshop, change: dict[str, str], complaint: str) -> None:
    workshop.art.write_text(json.dumps(workshop.lines(workshop.art)[0] | change) + "\n")
    ended = workshop.run("render")
    assert (ended.returncode, ended.stderr.count("\n")) == (65, 1)
    assert complaint in ended.stderr


def test_art_under_another_licence_is_refused(workshop: Workshop) -> None:
    ended = workshop.run("art", workshop.drawing("gpl", license="GPL"))
    assert ended.returncode == 65
    assert f"{ART}: not marked as public domain" in ended.stderr


def test_a_file_that_is_no_package_is_named(workshop: Workshop) -> None:
    broken = workshop.folder / "broken.deb"
    broken.write_bytes(b"no package")
    ended = workshop.run("render", broken)
    assert ended.returncode == 65
    assert ended.stderr.splitlines()[-1].startswith(str(broken))


def test_advances_are_read_from_a_font() -> None:
    face = read_face("f.ttf", "F", 400, font({0x41: 1024, 0x42: 2048, 0x20: 512}))
    assert face.advances == {0x20: 250.0, 0x41: 500.0, 0x42: 1000.0}


def test_every_template_group_of_the_corpus_has_art_and_no_other() -> None:
    items = Item.parse_lines((CORPUS / "items.jsonl").read_bytes(), "items.jsonl")
    assert read_art(CORPUS / "art.jsonl").keys() == {entry.template_group for entry in items}
    assert [entry.doc_id for entry in items] == sorted({entry.doc_id for entry in items})
    assert all(entry.preview.path == f"previews/{entry.doc_id}.png" for entry in items)


def test_all_art_is_credited_and_has_ink_on_its_page() -> None:
    for line in read_art(CORPUS / "art.jsonl").values():
        assert line.creator
        assert line.digest.startswith("sha256:")
        assert line.ink[0] + line.ink[2] <= line.page[0]
        assert line.ink[1] + line.ink[3] <= line.page[1]
        assert min(line.ink[2:]) > 20


def test_the_card_describes_the_corpus_that_is_there() -> None:
    data = (CORPUS / "corpus.json").read_bytes()
    card = CorpusCard.parse(data, "corpus.json")
    assert data == corpus_card(*(CORPUS / name for name in ("items.jsonl", "art.jsonl", "group_overrides.jsonl")))
    assert card.items == "sha256:" + hashlib.sha256((CORPUS / "items.jsonl").read_bytes()).hexdigest()
    least = {
        "items": 900,
        "groups": 300,
        "entities": 180,
        "quotes": 300,
        "franchises": 80,
        "topics": 120,
        "actions": 60,
    }
    assert {name: count for name, count in least.items() if card.counts[name] < count} == {}
    assert card.counts["not_english"] >= 80
