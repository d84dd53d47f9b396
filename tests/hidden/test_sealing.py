"""A hidden half is sealed into one age file, and comes out of it as it went in, with its key and whole, or not."""

from __future__ import annotations

import io
import json
import shutil
import stat
import tarfile
from pathlib import Path

import pyrage
import pytest

from runner.adapters.age import load_identity, seal
from runner.adapters.bundles import pack, unpack
from runner.adapters.inputs import load_partition
from runner.cli import app
from runner.documents import digest
from runner.errors import BadInput, UsageError
from runner.hidden import open_sealed
from runner.shell import ROOT, tools
from tests.hidden.half import Half, write_half, write_key
from tests.provenance.signing import no_passphrase


def run(*words: object) -> None:
    app([str(word) for word in words], standalone_mode=False)


class Made:
    """A sealed half, its key and its file."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.half: Half = write_half(place / "half")
        self.key = place / "key"
        self.recipient = write_key(self.key)
        self.sealed = place / "half.age"
        run("partition", "seal", self.half.folder, "--to", self.sealed, "--recipient", self.recipient)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("sealing"))


def test_what_was_sealed_comes_out_byte_for_byte_for_its_owner_alone(made: Made, tmp_path: Path) -> None:
    run("partition", "open", made.sealed, "--to", tmp_path / "out", "--identity", made.key)
    read = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert read == {path.name: path.read_bytes() for path in made.half.folder.iterdir()}
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700


def test_no_word_of_it_stands_in_the_sealed_file(made: Made) -> None:
    data = made.sealed.read_bytes()
    assert not [secret for secret in made.half.secrets if secret.encode() in data]


def test_it_is_an_age_file_around_a_tar_archive_as_other_tools_read_them(made: Made) -> None:
    """With pyrage and tarfile alone."""
    secret = next(line for line in made.key.read_text().splitlines() if line.startswith("AGE-SECRET-KEY-1"))
    plain = pyrage.decrypt(made.sealed.read_bytes(), [pyrage.x25519.Identity.from_str(secret)])
    with tarfile.open(fileobj=io.BytesIO(plain)) as archive:
        names = archive.getnames()
    assert names == [
        "exact_targets.jsonl", "judgements.jsonl", "no_match_audits.jsonl", "partition.json", "queries.jsonl",
        "sealed.json",
    ]  # fmt: skip


def test_each_of_two_keys_opens_it(made: Made, tmp_path: Path) -> None:
    both = [word for one in (made.recipient, write_key(tmp_path / "other")) for word in ("--recipient", one)]
    run("partition", "seal", made.half.folder, "--to", tmp_path / "two.age", *both)
    for number, key in enumerate((made.key, tmp_path / "other")):
        run("partition", "open", tmp_path / "two.age", "--to", tmp_path / f"out{number}", "--identity", key)


def test_another_key_is_refused_and_nothing_is_written(made: Made, tmp_path: Path) -> None:
    write_key(tmp_path / "other")
    with pytest.raises(BadInput, match=r"half.age: is sealed for another key than age1.* Name the file of the right"):
        run("partition", "open", made.sealed, "--to", tmp_path / "out", "--identity", tmp_path / "other")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("at", [0, 30, 150, 200, 1000, -1])
def test_a_flipped_bit_is_found_wherever_it_is(made: Made, tmp_path: Path, at: int) -> None:
    data = bytearray(made.sealed.read_bytes())
    data[at] ^= 1
    (tmp_path / "half.age").write_bytes(data)
    with pytest.raises(BadInput, match=r"half.age: is ") as error:
        run("partition", "open", tmp_path / "half.age", "--to", tmp_path / "out", "--identity", made.key)
    assert str(error.value).count("\n") == 0
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("left", [0, 10, 100, 250, 65_000, -1])
def test_a_file_cut_short_is_found_wherever_it_ends(made: Made, tmp_path: Path, left: int) -> None:
    (tmp_path / "half.age").write_bytes(made.sealed.read_bytes()[:left])
    with pytest.raises(BadInput, match=r"half.age: is (damaged or cut short|not sealed with age)"):
        run("partition", "open", tmp_path / "half.age", "--to", tmp_path / "out", "--identity", made.key)


def test_only_a_hidden_half_that_can_be_scored_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no key is made for one that is not."""
    monkeypatch.setattr("runner.partition_cli.AGE_KEY", tmp_path / "keys/age")
    for name, why, changes in (
        ("development", r"is a development partition", {"kind": "development"}),
        ("elsewhere", r"corpus", {"corpus": "sha256:" + "0" * 64}),
    ):
        half = write_half(tmp_path / name, **changes)
        with pytest.raises(BadInput, match=why):
            run("partition", "seal", half.folder, "--to", tmp_path / f"{name}.age")
        assert not (tmp_path / f"{name}.age").exists()
        assert not (tmp_path / "keys/age").exists()


def test_a_half_whose_components_could_not_be_published_is_not_sealed(tmp_path: Path) -> None:
    """Two entity and two quote queries: E would be a figure over four."""
    half = write_half(tmp_path / "tiny", per_slice=2)
    with pytest.raises(BadInput, match=r"4 queries of group .*fewer than 5"):
        run("partition", "seal", half.folder, "--to", tmp_path / "tiny.age", "--recipient", "age1" + "q" * 58)


def test_what_the_card_does_not_pin_is_left_out_and_named(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = shutil.copytree(made.half.folder, tmp_path / "half")
    (half / "notes.txt").write_text("by hand")
    (half / "spare.jsonl").write_text("")
    run("partition", "seal", half, "--to", tmp_path / "half.age", "--recipient", made.recipient)
    left = [line for line in capsys.readouterr().out.splitlines() if "left out" in line]
    assert left == [f"left out, since the card does not pin it: {name}" for name in ("notes.txt", "spare.jsonl")]
    sealed = load_identity(made.key, no_passphrase).unseal((tmp_path / "half.age").read_bytes(), "")
    assert not {"notes.txt", "spare.jsonl"} & unpack(sealed, "").keys()


def test_a_word_that_is_no_recipient_is_named(made: Made, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"age1wrong: is no age recipient"):
        run("partition", "seal", made.half.folder, "--to", tmp_path / "x.age", "--recipient", "age1wrong")


def test_a_bundle_whose_partition_was_changed_is_refused_without_its_words(made: Made, tmp_path: Path) -> None:
    files = unpack(load_identity(made.key, no_passphrase).unseal(made.sealed.read_bytes(), ""), "")
    files["queries.jsonl"] = files["queries.jsonl"].replace(b"noisy", b"quote", 1)
    (tmp_path / "changed.age").write_bytes(seal(pack(files), [made.recipient]))
    with pytest.raises(BadInput, match=r"changed.age: what is sealed in it is no whole hidden partition") as error:
        run("partition", "open", tmp_path / "changed.age", "--to", tmp_path / "out", "--identity", made.key)
    assert not [secret for secret in made.half.secrets if secret in str(error.value)]


def test_a_half_in_the_clear_is_never_run(made: Made) -> None:
    card = made.half.folder / "partition.json"
    with pytest.raises(BadInput, match=r"is a hidden partition, and a run would show all of it. Seal it"):
        load_partition(card, digest(card.read_bytes()))


def test_what_was_retired_runs_under_no_other_card(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in ("shell", "partition_cli"):
        monkeypatch.setattr(f"runner.{place}.ROOT", tmp_path)
    (tmp_path / "manifests/benchmarks/search-v1").mkdir(parents=True)
    given = ("--identity", made.key, "--results", tmp_path / "none")
    run("partition", "retire", made.sealed, "--reason", "shown in a talk", *given)
    assert "shown in a talk" in capsys.readouterr().out
    half = tmp_path / "again"
    shutil.copytree(made.half.folder, half)
    card = json.loads((half / "partition.json").read_bytes()) | {"version": "2"}
    (half / "partition.json").write_text(json.dumps(card))
    corpus = ("--corpus", ROOT / "images/corpus", "--audit", ROOT / "manifests/safety_audit.jsonl")
    run("partition", "seal", half, "--to", tmp_path / "again.age", "--recipient", made.recipient, *corpus)
    for sealed in (made.sealed, tmp_path / "again.age"):
        with pytest.raises(BadInput, match=r"was retired at .*: shown in a talk\. Make a new hidden version"):
            open_sealed(tools(), sealed, load_identity(made.key, no_passphrase))
        with pytest.raises(BadInput, match=r"is retired already"):
            run("partition", "retire", sealed, "--reason", "again", *given)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout that knows of no version that was retired."""
    for place in ("shell", "partition_cli"):
        monkeypatch.setattr(f"runner.{place}.ROOT", tmp_path)
    (tmp_path / "manifests/benchmarks/search-v1").mkdir(parents=True)
    return tmp_path


def test_no_card_that_cannot_be_read_keeps_a_version_from_being_retired(
    made: Made, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An old card, junk, none at all: what was exposed is over, and whoever reads it is told where to look."""
    results = checkout / "results"
    for name, card in {"old": b"{}", "junk": b"\xff\x1b[2J", "folder": None, "none": b""}.items():
        (results / name / "scorecard.json").mkdir(parents=True)
        (results / name / "statement.dsse.json").touch()
        if card is not None:
            (results / name / "scorecard.json").rmdir()
        if card:
            (results / name / "scorecard.json").write_bytes(card)
    run("partition", "retire", made.sealed, "--reason", "shown", "--identity", made.key, "--results", results)
    (line,) = (checkout / "manifests/benchmarks/search-v1/retired.jsonl").read_text().splitlines()
    assert json.loads(line)["rerun"] == []
    shown = capsys.readouterr().out
    for name in ("old", "junk", "folder", "none"):
        assert f"{results / name}/scorecard.json: " in shown.replace("not read, so look there yourself: ", "")
    assert shown.count("not read, so look there yourself: ") == 4


@pytest.mark.parametrize("reason", ["", "  ", "shown\x1b[2J", "nwohs\u202e"])
def test_a_reason_that_is_none_retires_nothing(made: Made, checkout: Path, reason: str) -> None:
    with pytest.raises(UsageError, match=r"--reason (is blank|holds control or format characters)"):
        run("partition", "retire", made.sealed, "--reason", reason, "--identity", made.key)
    assert not (checkout / "manifests/benchmarks/search-v1/retired.jsonl").exists()


def test_a_file_too_many_in_a_bundle_is_refused(made: Made, tmp_path: Path) -> None:
    files = unpack(load_identity(made.key, no_passphrase).unseal(made.sealed.read_bytes(), ""), "") | {"extra": b"x"}
    (tmp_path / "more.age").write_bytes(seal(pack(files), [made.recipient]))
    with pytest.raises(BadInput, match=r"more.age: what is sealed in it is no whole hidden partition"):
        run("partition", "open", tmp_path / "more.age", "--to", tmp_path / "out", "--identity", made.key)


@pytest.mark.parametrize("name", ["../outside", "/absolute", "a/../../b"])
def test_an_archive_cannot_write_elsewhere(name: str) -> None:
    with pytest.raises(BadInput, match="holds what is no file of its own"):
        unpack(pack({name: b"x"}), "x.age")


def test_an_archive_with_a_link_is_refused() -> None:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        link = tarfile.TarInfo("partition.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(BadInput, match="holds what is no file of its own"):
        unpack(whole.getvalue(), "x.age")


def test_a_key_that_others_may_read_is_refused(made: Made, tmp_path: Path) -> None:
    copy = tmp_path / "key"
    copy.write_bytes(made.key.read_bytes())
    copy.chmod(0o644)
    with pytest.raises(BadInput, match="others may read this key"):
        load_identity(copy, no_passphrase)


@pytest.mark.parametrize("text", ["", "no key\n", "AGE-SECRET-KEY-1\n"])
def test_a_file_without_a_key_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "key").write_text(text)
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(BadInput, match="does not hold one age key"):
        load_identity(tmp_path / "key", no_passphrase)
