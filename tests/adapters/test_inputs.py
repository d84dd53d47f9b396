"""What a run is made from is refused at the door, or is what its manifest says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from runner.adapters.image.depot import Depot
from runner.adapters.image.system import Surroundings, source_digest, system_tree
from runner.adapters.inputs import Places, load_inputs, load_warmup, repin
from runner.documents import Source, digest
from runner.errors import BadInput
from runner.provenance.manifest import FileRef
from runner.retrieval.topics import Slice, Topic
from runner.shell import ROOT

TOPIC = Topic(
    query_id="q-1",
    text="Grumpy Cat: no!",
    slice=Slice.ENTITY,
    family="f",
    safety_flag=False,
    multi_cue_flag=False,
    template_groups=(),
    provenance="test",
)


def warmup(root: Path, *texts: str) -> FileRef:
    lines = [json.dumps({"query_id": f"w-{number}", "text": text}) + "\n" for number, text in enumerate(texts, 1)]
    (root / "warmup.jsonl").write_text("".join(lines))
    return FileRef(path="warmup.jsonl", digest=digest((root / "warmup.jsonl").read_bytes()))


def test_a_warm_up_of_other_words_is_taken(tmp_path: Path) -> None:
    found = load_warmup(tmp_path, warmup(tmp_path, "dog", "grumpy cat"), [TOPIC])
    assert [query.text for query in found] == ["dog", "grumpy cat"]


@pytest.mark.parametrize("text", ["Grumpy Cat: no!", "GRUMPY CAT: NO!", " grumpy   cat: no! "])
def test_a_warm_up_that_asks_a_query_is_refused(tmp_path: Path, text: str) -> None:
    """D15: it shares no query with the partition; line and query are named."""
    with pytest.raises(BadInput, match=r"warmup.jsonl:2: text: .* is that of query q-1"):
        load_warmup(tmp_path, warmup(tmp_path, "dog", text), [TOPIC])


def system(folder: Path, **changes: object) -> Path:
    folder.mkdir()
    card = {
        "name": "theirs",
        "version": "1",
        "interface": "list-80x24-v1",
        "protocol": "search-v1",
        "engine": ["python3", "engine.py"],
        "tui": ["python3", "tui.py"],
        "release": None,
        "prepare": None,
    }
    (folder / "system.json").write_text(json.dumps(card | changes))
    (folder / "engine.py").write_text("engine")
    return folder


def test_the_digest_of_a_folder_is_its_layer_where_nothing_is_prepared(tmp_path: Path) -> None:
    folder = system(tmp_path / "theirs")
    layer = Depot(tmp_path / "depot").keep(
        "system", system_tree(folder, Surroundings(tmp_path, tmp_path, tmp_path), tmp_path / "none").write
    )
    assert source_digest(folder, folder) == layer.diff_id


def test_the_digest_of_a_folder_follows_names_bytes_and_execute_bits_alone(tmp_path: Path) -> None:
    folder = system(tmp_path / "theirs")
    first = source_digest(folder, folder)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__/x.pyc").write_bytes(b"x")
    (folder / "engine.py").touch()
    assert source_digest(folder, folder) == first
    found = {first}
    (folder / "engine.py").chmod(0o755)
    found.add(source_digest(folder, folder))
    (folder / "engine.py").write_text("engines")
    found.add(source_digest(folder, folder))
    (folder / "engine.py").rename(folder / "search.py")
    found.add(source_digest(folder, folder))
    assert len(found) == 4


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `quick` is made from, in a folder that may be spoilt."""
    for name in ("manifests", "images/corpus", "images/mambomeme", "images/locks"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Dockerfile", "images/pins.json"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("name", ["official", "quick"])
def test_the_systems_of_this_checkout_are_as_pinned(name: str) -> None:
    """`./bench run pin` mends it."""
    source = Source(name, (ROOT / f"manifests/{name}.json").read_bytes())
    systems = load_inputs(Places(ROOT, ROOT / "images/locks"), source).systems
    assert [system.files for system in systems] == [system.manifest.files for system in systems]


def test_a_system_folder_that_moved_is_no_error_but_known(checkout: Path) -> None:
    """Who works on a system may try it at any time; D31 asks whether it is as pinned."""
    places, path = Places(checkout, checkout / "images/locks"), checkout / "manifests/quick.json"
    repin(checkout, path)
    before, *_ = load_inputs(places, Source("quick", path.read_bytes())).systems
    assert before.files == before.manifest.files
    (checkout / "images/mambomeme/more.py").write_text("")
    after, *_ = load_inputs(places, Source("quick", path.read_bytes())).systems
    assert after.files != after.manifest.files
    changes = repin(checkout, path)
    assert any(line.startswith("images/mambomeme: sha256:") for line in changes)
    assert repin(checkout, path) == []
    again, *_ = load_inputs(places, Source("quick", path.read_bytes())).systems
    assert again.files == again.manifest.files == after.files


def test_what_images_are_held_against_is_named_by_digest(checkout: Path) -> None:
    places, path = Places(checkout, checkout / "images/locks"), checkout / "manifests/quick.json"
    repin(checkout, path)
    found = load_inputs(places, Source("quick", path.read_bytes())).image
    locks = {lock.name: digest(lock.read_bytes()) for lock in (checkout / "images/locks").glob("*.json")}
    others = {name: digest((checkout / name).read_bytes()) for name in ("Dockerfile", "images/pins.json")}
    assert found.digests == {**locks, "Dockerfile": others["Dockerfile"], "pins.json": others["images/pins.json"]}
    (checkout / "images/pins.json").unlink()
    assert load_inputs(places, Source("quick", path.read_bytes())).image.pins is None
