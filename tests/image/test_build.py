"""A build gives one id for one set of inputs, and stops at the first thing that is not what a digest says."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
import time

import pytest
import zstandard

from runner.adapters.image.host import Host
from runner.adapters.progress import SilentProgress
from runner.documents import digest
from runner.errors import BadInput, Unavailable
from runner.provenance.locks import Release
from runner.workflows.build import build, build_and_pin, check_pins, design, require_pinned
from runner.workflows.image import export_image, import_image
from tests.image.tiny import (
    ART,
    DEBIAN,
    NUMBERS,
    PYTHON,
    ImagesInMemory,
    entries,
    make_project,
    pool_file,
    sha,
    workshop,
    write,
)

SILENT = SilentProgress()


@pytest.fixture
def places(tmp_path):
    return make_project(tmp_path / "project")


@pytest.fixture
def images(tmp_path):
    return ImagesInMemory(tmp_path / "engine")


def layers(places):
    return {layer.name: layer.diff_id for layer in design(workshop(places), SILENT).ref.layers}


def test_another_folder_zone_umask_and_an_empty_cache_give_the_same_image(tmp_path, places, monkeypatch):
    first = design(workshop(places), SILENT)
    previous = os.umask(0o077)
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    try:
        second = design(workshop(make_project(tmp_path / "some other place")), SILENT)
    finally:
        os.umask(previous)
        monkeypatch.undo()
        time.tzset()
    assert second == first


def test_the_archive_is_byte_for_byte_the_same(tmp_path, places):
    for name in ("one", "two"):
        shop = workshop(make_project(tmp_path / name))
        shop.write_out(design(shop, SILENT), tmp_path / f"{name}.tar")
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()


def test_ids_are_the_digests_of_the_bytes_that_bear_them(tmp_path, places):
    shop = workshop(places)
    plan = design(shop, SILENT)
    shop.write_out(plan, tmp_path / "image.tar")
    whole = zstandard.ZstdDecompressor().decompress((tmp_path / "image.tar").read_bytes())
    with tarfile.open(fileobj=io.BytesIO(whole)) as tar:
        blobs = {name: tar.extractfile(name).read() for name in tar.getnames()}
    for name, data in blobs.items():
        if name.startswith("blobs/sha256/"):
            assert sha(data) == "sha256:" + name.removeprefix("blobs/sha256/")
    manifest = json.loads(blobs["manifest.json"])[0]
    index = json.loads(blobs["index.json"])["manifests"][0]
    assert sha(blobs[manifest["Config"]]) == plan.ref.image
    assert index["digest"] == plan.ref.manifest
    oci = json.loads(blobs["blobs/" + index["digest"].replace(":", "/")])
    assert oci["config"]["digest"] == plan.ref.image
    config = json.loads(blobs[manifest["Config"]])
    assert config["rootfs"]["diff_ids"] == [layer["digest"] for layer in oci["layers"]]
    assert config["config"]["User"] == "0"
    assert manifest["RepoTags"] == ["mambomeme:" + plan.ref.image[7:19]]


def test_the_layers_hold_what_the_contract_says(places):
    shop = workshop(places)
    held = {name: set(entries(shop.path(shop.layer(name)))) for name in ("site", "corpus", "system", "driver")}
    assert {"opt", "opt/site/numbers/__init__.py"} < held["site"]
    assert held["corpus"] == {
        "opt",
        "opt/corpus",
        "opt/corpus/corpus.json",
        "opt/corpus/items.jsonl",
        "opt/corpus/previews",
        "opt/corpus/previews/m1.png",
        "opt/corpus/previews/m2.png",
    }
    assert held["system"] == {
        "opt",
        "opt/system",
        "opt/system/index",
        "opt/system/index/count.txt",
        "opt/system/system.json",
        "opt/system/tiny",
        "opt/system/tiny/index.py",
    }
    assert "opt/driver/runner/terminal/profile.py" in held["driver"]
    assert "opt/driver/runner/terminal/screens.py" not in held["driver"]
    assert (shop.folder("system") / "index/count.txt").read_text() == "2"
    assert not (places.system / "index").exists()


@pytest.mark.parametrize(
    ("change", "moved"),
    [
        ("images/mambomeme/tiny/more.py", {"system"}),
        ("runner/terminal/profile.py", {"driver"}),
        ("runner/terminal/screens.py", set()),
        ("images/mambomeme/.hidden", set()),
    ],
)
def test_a_change_moves_only_its_layer(places, change, moved):
    before = layers(places)
    write(places.root / change, "changed = 1\n")
    after = layers(places)
    assert {name for name in before if before[name] != after[name]} == moved


def test_nothing_is_made_or_loaded_twice(places, images):
    first = build(workshop(places), images, SILENT)
    shutil.rmtree(places.cache / "pool")
    (places.corpus / "previews.py").touch()
    assert build(workshop(places), images, SILENT) == first
    assert images.loads == 1


def spoil(path):
    path.write_bytes(path.read_bytes() + b" ")


WRONG = {
    "package": (lambda places: spoil(pool_file(places, PYTHON)), r"debian\.json: python 1\.0 .*expected sha256:"),
    "wheel": (lambda places: spoil(pool_file(places, NUMBERS)), r"wheels\.json: numbers 1\.0 .*expected sha256:"),
    "art": (lambda places: spoil(pool_file(places, ART)), r"art\.json: art 1\.0 .*expected sha256:"),
    "items": (lambda places: spoil(places.corpus / "items.jsonl"), r"items\.jsonl: expected sha256:"),
    "art list": (lambda places: spoil(places.corpus / "art.jsonl"), r"art\.jsonl: expected sha256:"),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("built_before", [False, True])
def test_a_wrong_digest_stops_the_build_and_names_the_file(places, images, what, built_before):
    spoiling, words = WRONG[what]
    if built_before:
        build(workshop(places), images, SILENT)
    spoiling(places)
    with pytest.raises(BadInput, match=words) as refused:
        build(workshop(places), images, SILENT)
    assert refused.value.exit_status == 65


def test_a_preview_drawn_otherwise_stops_the_build(places):
    write(places.corpus / "previews.py", (places.corpus / "previews.py").read_text().replace("PNG of", "GIF of"))
    with pytest.raises(BadInput, match=r"previews/m1\.png: expected sha256:"):
        design(workshop(places), SILENT)


def test_a_preview_program_that_fails_gives_its_last_word(places):
    write(places.corpus / "previews.py", "import sys; sys.exit('art.svg: expected sha256:1')")
    with pytest.raises(BadInput, match=r"previews\.py: art\.svg: expected sha256:1"):
        design(workshop(places), SILENT)


@pytest.mark.parametrize("name", ["debian", "wheels", "art"])
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda lock: lock | {"mirror": "x"}, "mirror: Extra inputs"),
        (lambda lock: lock | {"files": [lock["files"][0] | {"digest": "sha256:1"}]}, r"files\.0\.digest"),
        (lambda lock: lock | {"files": [lock["files"][0] | {"name": "-o"}]}, r"files\.0\.name"),
        (lambda lock: {key: lock[key] for key in lock if key != "files"}, "files: Field required"),
    ],
)
def test_a_damaged_lock_stops_the_build_and_names_the_field(places, name, damage, words):
    path = places.locks / f"{name}.json"
    write(path, damage(json.loads(path.read_text())))
    with pytest.raises(BadInput, match=rf"{name}\.json: {words}"):
        design(workshop(places), SILENT)


def test_a_lock_with_another_size_is_refused(places):
    lock = json.loads((places.locks / "debian.json").read_text())
    lock["files"][0]["size"] += 1
    write(places.locks / "debian.json", lock)
    with pytest.raises(BadInput, match="python: size is"):
        design(workshop(places), SILENT)


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("Dockerfile", "FROM scratch\nRUN x\n", r"Dockerfile:2: RUN"),
        ("Dockerfile", 'FROM scratch\nADD more.tar /\nENTRYPOINT ["x"]\n', "more.tar: no such layer"),
        ("images/mambomeme/system.json", "{}", r"system\.json: name: Field required"),
        ("images/mambomeme/tiny/index.py", "raise SystemExit('no index')", "prepare ended with status 1: no index"),
        ("images/mambomeme/index", "", "prepare ended with status 1"),
        ("runner/driver/__main__.py", "import (", r"__main__\.py:1: "),
    ],
)
def test_sources_that_are_wrong_are_named(places, file, content, words):
    write(places.root / file, content)
    with pytest.raises(BadInput, match=words):
        design(workshop(places), SILENT)


def test_prepare_sees_the_corpus_and_nothing_of_the_caller(places, monkeypatch):
    monkeypatch.setenv("SECRET", "x")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    probe = "import json, os, pathlib\npathlib.Path('seen.json').write_text(json.dumps(dict(os.environ)))\n"
    write(places.system / "tiny/index.py", probe)
    seen = json.loads((workshop(places).folder("system") / "seen.json").read_text())
    assert "SECRET" not in seen
    assert seen["PYTHONHASHSEED"] == "0"
    assert seen["MAMBO_CORPUS"].endswith("/opt/corpus")


def test_a_system_without_preparation_is_taken_as_it_is(places):
    card = json.loads((places.system / "system.json").read_text())
    write(places.system / "system.json", card | {"prepare": None})
    assert not (workshop(places).folder("system") / "index").exists()


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (Host("aarch64", DEBIAN, has_apt=True), "linux/amd64; this machine is aarch64"),
        (Host("x86_64", DEBIAN, has_apt=False), "debian 12, and this host has no apt-get"),
        (Host("x86_64", Release(id="ubuntu", version_id="24.04"), has_apt=True), "this host is ubuntu 24.04"),
    ],
)
def test_a_host_that_cannot_build_is_told_what_else_there_is(places, host, words):
    shutil.rmtree(places.cache / "pool")
    with pytest.raises(Unavailable, match=words) as refused:
        design(workshop(places, host), SILENT)
    assert refused.value.exit_status == 69
    if host.machine == "x86_64":
        assert "image import" in refused.value.advice
        assert "nox -s quick" in refused.value.advice


def test_any_distribution_builds_from_a_full_pool(places):
    host = Host("x86_64", Release(id="fedora", version_id="44"), has_apt=False)
    assert design(workshop(places, host), SILENT) == design(workshop(places), SILENT)


def test_what_is_pinned_is_compared(places, images):
    assert build(workshop(places), images, SILENT).unpinned == ("no image is pinned",)
    pinned = build_and_pin(workshop(places), images, SILENT)
    assert build(workshop(places), images, SILENT) == pinned
    assert require_pinned(pinned) == pinned.image
    assert check_pins(workshop(places), SILENT) == ()
    write(places.system / "more.py", "")
    other = build(workshop(places), images, SILENT)
    assert [sentence.partition(" is ")[0] for sentence in other.unpinned] == ["layer system", "image", "manifest"]
    with pytest.raises(BadInput, match=r"images/pins\.json: layer system is sha256:"):
        require_pinned(other)


def test_pins_whose_inputs_moved_are_found_though_the_image_is_the_same(places, images):
    build_and_pin(workshop(places), images, SILENT)
    write(places.corpus / "NOTES", "on the drawing")
    assert build(workshop(places), images, SILENT).unpinned == ()
    assert check_pins(workshop(places), SILENT) == ("layer corpus is pinned with other inputs",)


def test_an_exported_image_builds_again_without_mirrors(tmp_path, places, images):
    pinned = build_and_pin(workshop(places), images, SILENT)
    file = tmp_path / "image.tar.zst"
    assert export_image(pinned.image.tag, file, workshop(places), images, SILENT) == pinned.image
    shutil.rmtree(places.cache)
    elsewhere = ImagesInMemory(tmp_path / "elsewhere")
    nowhere = Host("x86_64", Release(id="", version_id=""), has_apt=False)
    assert import_image(file, workshop(places, nowhere), elsewhere, SILENT) == pinned
    assert build(workshop(places, nowhere), elsewhere, SILENT) == pinned
    assert elsewhere.loads == 1


def test_an_export_never_overwrites(tmp_path, places, images):
    built = build(workshop(places), images, SILENT)
    write(tmp_path / "there", "mine")
    with pytest.raises(BadInput, match="there: exists"):
        export_image(built.image.tag, tmp_path / "there", workshop(places), images, SILENT)
    assert (tmp_path / "there").read_text() == "mine"
    assert [path.name for path in tmp_path.glob(".image-*")] == []


def test_an_export_is_smaller_and_what_comes_out_of_it_is_taken_too(tmp_path, places, images):
    """By another program, as whoever has no room to spare for a second copy would."""
    built = build(workshop(places), images, SILENT)
    export_image(built.image.tag, tmp_path / "1.tar.zst", workshop(places), images, SILENT)
    export_image(built.image.tag, tmp_path / "2.tar.zst", workshop(places), images, SILENT)
    data = (tmp_path / "1.tar.zst").read_bytes()
    assert data == (tmp_path / "2.tar.zst").read_bytes()
    (tmp_path / "image.tar").write_bytes(zstandard.ZstdDecompressor().decompress(data))
    assert len(data) < (tmp_path / "image.tar").stat().st_size / 3
    for name in ("image.tar", "1.tar.zst"):
        elsewhere = ImagesInMemory(tmp_path / f"elsewhere of {name}")
        assert import_image(tmp_path / name, workshop(places), elsewhere, SILENT).image == built.image


def saying(silent, size):
    """A frame that was written without its size, as if it had named one."""
    return silent[:4] + bytes([silent[4] | 0b11000000]) + silent[5:6] + size.to_bytes(8, "little") + silent[6:]


@pytest.mark.parametrize("spoil", ["cut", "bit", "terabyte", "silent", "less", "more"])
def test_a_compressed_archive_that_is_not_what_it_says_is_refused(tmp_path, places, images, spoil):
    shop, file = workshop(places), tmp_path / "image.tar.zst"
    shop.write_out(design(shop, SILENT), file)
    data, middle = file.read_bytes(), file.stat().st_size // 2
    tar = zstandard.ZstdDecompressor().decompress(data)
    silent = zstandard.ZstdCompressor(write_content_size=False).compress(tar)
    file.write_bytes(saying(silent, len(tar)))
    assert import_image(file, workshop(places), images, SILENT).image
    spoilt = {
        "cut": data[:middle],
        "bit": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
        "terabyte": saying(silent, 1 << 40),
        "silent": silent,
        "less": saying(silent, len(tar) - 1),
        "more": saying(silent, len(tar) + 1),
    }[spoil]
    file.write_bytes(spoilt)
    with pytest.raises(BadInput, match=rf"{file}: not an image archive: ") as error:
        import_image(file, workshop(places), images, SILENT)
    assert "\n" not in str(error.value)
    assert images.loads == 1


@pytest.mark.parametrize("part", ["config", "layer", "cut", "empty", "missing"])
def test_an_archive_that_is_not_what_its_digests_say_is_refused(tmp_path, places, images, part):
    shop = workshop(places)
    plan = design(shop, SILENT)
    file = tmp_path / "image.tar"
    shop.write_out(plan, file)
    data = zstandard.ZstdDecompressor().decompress(file.read_bytes())
    damaged = {
        "config": data.replace(b'"User":"0"', b'"User":"1"'),
        "layer": data.replace(b"one = 1\n", b"one = 2\n"),
        "cut": data[: len(data) // 2],
        "empty": b"",
        "missing": None,
    }[part]
    file.unlink()
    if damaged is not None:
        assert damaged != data
        file.write_bytes(damaged)
    with pytest.raises(BadInput, match=rf"{file}: "):
        import_image(file, workshop(places), images, SILENT)
    assert images.loads == 0


def test_a_damaged_layer_in_the_cache_is_noticed_before_it_is_loaded(places, images):
    shop = workshop(places)
    path = shop.path(shop.layer("site"))
    data = path.read_bytes()
    path.write_bytes(data.replace(b"one = 1\n", b"one = 2\n"))
    with pytest.raises(BadInput, match=f"{path}: expected"):
        build(workshop(places), images, SILENT)
    assert build(workshop(places), images, SILENT).image.layers[1].diff_id == digest(data)


def test_an_engine_that_loads_something_else_is_found_out(places, images):
    images.load = lambda archive: None
    with pytest.raises(Unavailable, match="under another id"):
        build(workshop(places), images, SILENT)


def test_a_damaged_layer_in_the_cache_is_noticed_before_it_is_unpacked(places):
    shop = workshop(places)
    path = shop.path(shop.layer("corpus"))
    path.write_bytes(path.read_bytes().replace(b"PNG of m2", b"PNG of m3"))
    with pytest.raises(BadInput, match=f"{path}: expected"):
        shop.folder("corpus")


def test_a_system_is_prepared_for_the_corpus_of_the_image_alone(places):
    unpacked = workshop(places).folder("corpus")
    write(unpacked / "items.jsonl", "\n" * 7)
    assert (workshop(places).folder("system") / "index/count.txt").read_text() == "2"
