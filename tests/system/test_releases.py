"""Releases of the index: what is published is whole, what is not is refused, a rollback gives back every bit."""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.system.release_folders import is_whole, release_id, sha256, snapshot
from tests.system.release_places import LIMIT, Place


@pytest.fixture
def place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Place:
    return Place(tmp_path, capsys)


def test_a_release_names_every_file_and_what_hello_will_say(place: Place) -> None:
    folder = place / "a"
    card = json.loads((folder / "release.json").read_bytes())
    assert card.keys() == {"format", "corpus", "index", "model", "files"}
    assert card["format"] == "mambo-release/v1"
    assert card["corpus"] == sha256(place / "corpus-a" / "items.jsonl") == card["files"]["items.jsonl"]
    assert card["index"] == sha256(folder / "index" / "checksums.json")
    assert is_whole(folder)


def test_the_same_corpus_makes_the_same_release(place: Place) -> None:
    assert place.say("build", place / "again", MAMBO_CORPUS=str(place / "corpus-a")).status == 0
    assert snapshot(place / "again") == snapshot(place / "a")


def test_a_folder_that_is_there_is_left_alone(place: Place) -> None:
    before = snapshot(place / "a")
    said = place.say("build", place / "a", MAMBO_CORPUS=str(place / "corpus-b"))
    assert (said.status, said.err.count("\n")) == (65, 1)
    assert snapshot(place / "a") == before


def test_a_corpus_that_cannot_be_read_leaves_no_folder(place: Place) -> None:
    (place / "corpus-a" / "items.jsonl").write_text("{}\n")
    before = sorted(path.name for path in place.folder.iterdir())
    said = place.say("build", place / "new", MAMBO_CORPUS=str(place / "corpus-a"))
    assert (said.status, said.err.count("\n")) == (65, 1)
    assert sorted(path.name for path in place.folder.iterdir()) == before


def test_a_copy_is_served_not_the_source(place: Place) -> None:
    assert place.current() == "\n"
    source = snapshot(place / "a")
    place.publish("a")
    for path in (place / "a").rglob("*"):
        if path.is_file():
            path.write_bytes(b"gone")
    (copy,) = place.copies().values()
    assert snapshot(copy) == source
    assert place.current() == release_id(copy) + "\n"


def test_a_rollback_gives_back_every_bit(place: Place) -> None:
    place.publish("a")
    before = snapshot(place.copies()[release_id(place / "a")])
    place.publish("b")
    assert place.is_current("b")
    assert place.say("rollback").status == 0
    assert place.is_current("a")
    assert snapshot(place.copies()[release_id(place / "a")]) == before == snapshot(place / "a")


def test_each_rollback_goes_one_further_back(place: Place) -> None:
    place.publish("a", "b", "c")
    for name in ("b", "a"):
        assert place.say("rollback").out == release_id(place / name) + "\n"
    said = place.say("rollback")
    assert (said.status, said.out, said.err.count("\n")) == (65, "", 1)
    assert place.is_current("a")


def test_what_was_rolled_back_is_no_station_any_more(place: Place) -> None:
    place.publish("a", "b")
    place.say("rollback")
    place.publish("c")
    place.say("rollback")
    assert place.is_current("a")


def test_nothing_to_roll_back_to_is_refused(place: Place) -> None:
    assert place.say("rollback").status == 65
    place.publish("a", "a")
    assert place.say("rollback").status == 65
    assert place.is_current("a")


def test_publishing_what_is_current_mends_its_copy(place: Place) -> None:
    place.publish("a")
    (copy,) = place.copies().values()
    (copy / "index" / "terms.json").write_bytes(b"{}")
    place.publish("a")
    (copy,) = place.copies().values()
    assert is_whole(copy)


def test_no_rollback_leads_to_a_damaged_copy(place: Place) -> None:
    place.publish("a", "b")
    with (place.copies()[release_id(place / "a")] / "items.jsonl").open("ab") as file:
        file.write(b"\n")
    said = place.say("rollback")
    assert (said.status, said.err.count("\n")) == (65, 1)
    assert place.is_current("b")


def edit(**changes: Any) -> Callable[[Path], None]:
    """Alters keys of `release.json`."""

    def spoil(folder: Path) -> None:
        path = folder / "release.json"
        path.write_text(json.dumps(json.loads(path.read_bytes()) | changes))

    return spoil


def name_file(name: str) -> Callable[[Path], None]:
    """Has `release.json` name a file that is no plain path, and is there."""

    def spoil(folder: Path) -> None:
        card = json.loads((folder / "release.json").read_bytes())
        outside = folder.parent / "outside"
        outside.write_bytes(b"x")
        edit(files=card["files"] | {name: sha256(outside)})(folder)

    return spoil


def flip(name: str) -> Callable[[Path], None]:
    """Turns one bit of a file."""

    def spoil(folder: Path) -> None:
        data = bytearray((folder / name).read_bytes())
        data[len(data) // 2] ^= 1
        (folder / name).write_bytes(data)

    return spoil


def link(name: str) -> Callable[[Path], None]:
    """Puts a link in place of a file or folder, which leads to what was there."""

    def spoil(folder: Path) -> None:
        aside = folder.parent / "aside"
        (folder / name).rename(aside)
        (folder / name).symlink_to(aside)

    return spoil


def instead_of_the_card(make: Callable[[Path], None]) -> Callable[[Path], None]:
    """Makes something else of that name."""

    def spoil(folder: Path) -> None:
        (folder / "release.json").unlink()
        make(folder / "release.json")

    return spoil


ZERO = "sha256:" + "0" * 64
SPOILERS: dict[str, Callable[[Path], None]] = {
    **{f"one bit of {name}": flip(name) for name in ("items.jsonl", "index/terms.json", "index/checksums.json")},
    "a file is missing": lambda folder: (folder / "index" / "lengths.npy").unlink(),
    "no release.json": lambda folder: (folder / "release.json").unlink(),
    "a file too many": lambda folder: (folder / "index" / "more").write_bytes(b""),
    "a folder too many": lambda folder: (folder / "more").mkdir(),
    "a link to a file": link("items.jsonl"),
    "a link to a folder": link("index"),
    "release.json is a link": link("release.json"),
    "a pipe": lambda folder: os.mkfifo(folder / "pipe"),
    "release.json is a pipe": lambda folder: [(folder / "release.json").unlink(), os.mkfifo(folder / "release.json")][
        0
    ],
    "release.json is a folder": lambda folder: [(folder / "release.json").unlink(), (folder / "release.json").mkdir()][
        0
    ],
    "a file outside": name_file("../outside"),
    "a file outside by detour": name_file("index/../../outside"),
    "a file by its whole path": lambda folder: name_file(str(folder.parent / "outside"))(folder),
    "another model": edit(model=ZERO),
    "another corpus": edit(corpus=ZERO),
    "another index": edit(index=ZERO),
    "another format": edit(format="mambo-release/v2"),
    "a key too many": edit(signed="yes"),
    "a model that is none": edit(model="none"),
    "files that are none": edit(files=[]),
    "release.json is no JSON": lambda folder: (folder / "release.json").write_bytes(b"{"),
    "release.json is another JSON": lambda folder: (folder / "release.json").write_bytes(b"[" * 100_000),
    "a key that stands twice": lambda folder: (folder / "release.json").write_bytes(
        (folder / "release.json").read_bytes().replace(b"{", b'{"model": null,', 1)
    ),
}


@pytest.mark.parametrize("spoil", SPOILERS.values(), ids=SPOILERS)
def test_what_is_not_whole_is_refused_in_one_line(place: Place, spoil: Callable[[Path], None]) -> None:
    place.publish("a")
    spoil(place / "b")
    said = place.say("publish", place / "b")
    assert (said.status, said.out, said.err.count("\n")) == (65, "", 1)
    assert place.is_current("a")
    assert place.leftovers() == set()


def test_an_index_of_other_items_is_refused(place: Place) -> None:
    place.publish("a")
    for name in ("corpus", "items.jsonl"):
        card = json.loads((place / "b" / "release.json").read_bytes())
        digest = sha256(place / "c" / "items.jsonl")
        changed = {"corpus": digest} if name == "corpus" else {"files": card["files"] | {name: digest}}
        edit(**changed)(place / "b")
    (place / "b" / "items.jsonl").write_bytes((place / "c" / "items.jsonl").read_bytes())
    said = place.say("publish", place / "b")
    assert (said.status, said.err.count("\n")) == (65, 1)
    assert place.is_current("a")


def test_a_publisher_killed_before_any_step_leaves_old_or_new(place: Place) -> None:
    place.publish("c")
    step, old, new = 0, release_id(place / "a"), release_id(place / "b")
    seen = set()
    while True:
        step += 1
        place.publish("a")
        with place.at_step(step, signal.SIGKILL, "publish", place / "b") as process:
            status = process.wait(LIMIT)
        current = place.current().strip()
        assert current in {old, new}
        assert is_whole(place.copies()[current])
        seen.add(current)
        place.publish("a")
        assert place.leftovers() == set()
        if status == 0:
            break
        assert status == -signal.SIGKILL
    assert step > 10
    assert seen == {old, new}


def test_a_second_publisher_is_turned_away(place: Place) -> None:
    place.publish("a", "b")
    with place.at_step(5, signal.SIGSTOP, "publish", place / "c") as first:
        os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WNOWAIT)
        for words in (("publish", place / "a"), ("rollback",)):
            said = place.say(*words)
            assert (said.status, said.out, said.err.count("\n")) == (75, "", 1)
        assert place.is_current("b")
        first.send_signal(signal.SIGCONT)
        assert first.wait(LIMIT) == 0
    assert place.is_current("c")


def test_a_full_disk_publishes_nothing(place: Place) -> None:
    place.publish("a")
    size = (place / "b" / "items.jsonl").stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - 1, hard))
    try:
        said = place.say("publish", place / "b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (said.status, said.out, said.err.count("\n")) == (69, "", 1)
    assert place.is_current("a")
    assert place.leftovers() == set()


def test_a_place_that_cannot_be_used_is_named(place: Place) -> None:
    place.published.write_bytes(b"")
    said = place.say("publish", place / "a")
    assert (said.status, said.err.count("\n")) == (69, 1)
    assert str(place.published) in said.err


@pytest.mark.parametrize("words", [(), ("publish",), ("build", "a", "b"), ("rollback", "a"), ("destroy",)])
def test_other_words_are_no_command(place: Place, words: tuple[str, ...]) -> None:
    said = place.say(*words)
    assert (said.status, said.err.count("\n")) == (64, 1)


def test_without_a_place_nothing_is_published(place: Place) -> None:
    said = place.say("publish", place / "a", MAMBO_RELEASES="")
    assert (said.status, said.err.count("\n")) == (64, 1)


def test_a_history_that_is_none_is_not_overwritten(place: Place) -> None:
    place.publish("a")
    (place.published / "history").write_bytes(b"../../etc\n")
    for words in (("publish", place / "b"), ("rollback",), ("current",)):
        said = place.say(*words)
        assert (said.status, said.out, said.err.count("\n")) == (65, "", 1)
    assert (place.published / "history").read_bytes() == b"../../etc\n"
