"""A result is published as one small folder that a stranger can verify, and only where it verifies."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import zstandard

from runner.adapters.archives import archive, open_result
from tests.conftest import Said

Bench = Callable[..., Said]


class Steward(NamedTuple):
    """A finished result with the keys and the log beside it, and the folder of what is published."""

    result: Path
    to: Path

    @property
    def trust(self) -> Path:
        return self.result.parent / "keys/trust.json"

    @property
    def place(self) -> Path:
        return self.to / self.result.name

    @property
    def archive(self) -> Path:
        return self.place / f"{self.result.name}.tar.zst"

    def publish(self, bench: Bench) -> Said:
        log = self.result.parent / "log.jsonl"
        return bench("publish", self.result, "--trust", self.trust, "--log", log, "--to", self.to)


@pytest.fixture
def steward(made: Path, tmp_path: Path) -> Steward:
    """Whoever made a result of one block."""
    return Steward(made, tmp_path / "published")


def files_of(path: Path) -> dict[str, bytes]:
    folder = open_result(path)
    return {name: folder.read(name) for name in folder.names()}


def test_what_is_published_verifies_by_itself(steward: Steward, bench: Bench) -> None:
    """From its own folder: the archive, the trust file, and the log, which is found there."""
    said = steward.publish(bench)
    assert (said.status, said.err) == (0, ""), said
    names = ["log.jsonl", "scorecard.html", "scorecard.md", "trust.json", steward.archive.name]
    assert sorted(path.name for path in steward.place.iterdir()) == sorted(names)
    assert f"\n{steward.place}: " in said.out
    assert files_of(steward.archive) == files_of(steward.result)
    for page in ("scorecard.html", "scorecard.md"):
        assert (steward.place / page).read_bytes() == (steward.result / page).read_bytes()
    said = bench("verify", steward.archive, "--trust", steward.place / "trust.json")
    assert (said.status, said.err) == (0, ""), said
    assert said.out.startswith(f"{steward.result.name}: signatures, files, raw logs, screens and numbers hold\n")
    assert f"note: held against {steward.place}/log.jsonl, which lies beside it" in said.out
    assert steward.publish(bench).err.startswith(f"bench: {steward.place}: exists already.")


def test_what_would_not_verify_is_not_published(steward: Steward, bench: Bench, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(steward.result, tmp_path / "made" / steward.result.name))
    shutil.copytree(steward.trust.parent, tmp_path / "made/keys")
    shutil.copy(steward.result.parent / "log.jsonl", tmp_path / "made")
    (copy / "scorecard.md").write_text("100 of 100\n")
    said = steward._replace(result=copy).publish(bench)
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("bench: scorecard.md: expected sha256:")
    assert not steward.to.exists()


def test_a_file_that_was_changed_in_an_archive_is_named(steward: Steward, bench: Bench, tmp_path: Path) -> None:
    """Packed anew, so that only the signature can tell."""
    files = files_of(steward.result)
    changed = {**files, "scorecard.md": files["scorecard.md"].replace(b"FAIL", b"PASS")}
    (tmp_path / "x.tar.zst").write_bytes(archive(steward.result.name, changed))
    said = bench("verify", tmp_path / "x.tar.zst", "--trust", steward.trust)
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("bench: scorecard.md: expected sha256:")


def test_every_verb_that_reads_a_result_reads_its_archive(steward: Steward, bench: Bench, tmp_path: Path) -> None:
    packed = tmp_path / "any name"
    packed.write_bytes(archive(steward.result.name, files_of(steward.result)))
    for place, screen in ((packed, tmp_path / "1.svg"), (steward.result, tmp_path / "2.svg")):
        for verb, words, told in (
            ("score", (), "every number follows from the raw records\n"),
            ("compare", (steward.result,), f"bm25 of {steward.result.name}\n"),
            ("history", (), f"  {steward.result.name}  bm25 "),
            ("picture", ("d-entity-01", "--to", screen), f"{screen}: the first measured done frame of d-entity-01"),
        ):
            said = bench(verb, place, *words)
            assert (said.status, said.err) == (0, ""), said
            assert told in said.out
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


def test_an_archive_that_is_none_ends_every_verb_in_one_line(steward: Steward, bench: Bench, tmp_path: Path) -> None:
    bad = tmp_path / "x.tar.zst"
    bad.write_bytes(zstandard.ZstdCompressor().compress(b"no tar" * 200))
    for words in (
        ("verify", bad, "--trust", steward.trust),
        ("score", bad),
        ("compare", bad, bad),
        ("history", bad),
        ("accept", bad),
        ("picture", bad, "d-entity-01", "--to", tmp_path / "screen.svg"),
        ("review", bad),
        ("reproduce", bad, "--trust", steward.trust),
        ("publish", bad, "--trust", steward.trust),
    ):
        said = bench(*words)
        assert (said.status, said.out) == (65, ""), said
        assert said.err.startswith(f"bench: {bad}: holds no archive, or one that is cut off. ")
        assert said.err.count("\n") == 1
