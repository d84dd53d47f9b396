"""A run on a sealed partition, as a plain process and in a container: whatever ends it, nothing of the partition lies
about afterwards; what is public verifies, and with the key all of it."""

from __future__ import annotations

import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import docker
import pytest
import zstandard

from runner.adapters.age import load_identity, seal
from tests.faults.project import SMALL, Project, Said
from tests.hidden.half import Half, write_half, write_key
from tests.hidden.leaks import Version, leaks, said

SYSTEM = ["manifests/systems/bm25.json"]
LONG = SMALL["limits"] | {"min_searches": 2000}
PATIENCE = 60
#: Written so that a search for it does not find this file.
WORDS = " ".join(("korrektes", "pferd", "batterie"))
#: When a run is ended: once this file of its result is there, and a while more by these lots.
PLAN, REPORT = "sealed/raw/bm25/plan.json.age", "sealed/raw/bm25/driver.json.age"
MOMENTS = ("run.lock.json", PLAN, REPORT)
#: In a container also the bill of materials.
RECORDS = {"environment.json", "manifest.json", "run.lock.json"}
PUBLIC = RECORDS | {"scorecard.json", "scorecard.md", "statement.dsse.json"}


class Steward:
    """Somebody with a checkout, a sealed partition and its key, who runs `verb` on it."""

    def __init__(self, verb: str, place: Path) -> None:
        self.verb = verb
        self.half: Half = write_half(place / "half")
        self.project = Project.copy(place / "checkout")
        self.key, self.sealed = place / "key", place / "half.age"
        # Paths of sockets are short.
        self.scratch = Path(tempfile.mkdtemp(prefix="hid"))
        self.recipient = self.bench("keys", "age", self.key).out.strip()
        sealed = self.bench("partition", "seal", self.half.folder, "--to", self.sealed, "--recipient", self.recipient)
        assert sealed.status == 0, sealed
        self.since = time.time()
        self._clean: set[Version] = set()

    def bench(self, *words: object) -> Said:
        return self.project.bench(*words, **self.environment)

    @property
    def environment(self) -> dict[str, str]:
        """What the verbs are told besides: the passphrase of the key, as where nobody sits at a terminal."""
        return {"TMPDIR": str(self.scratch), "MAMBO_PASSPHRASE": WORDS}

    def words(self, manifest: Path) -> list[object]:
        return [self.verb, manifest, "--partition", self.sealed, "--identity", self.key]

    def leaks(self) -> list[str]:
        """All that is found of the partition, and of the passphrase of its key, in checkout, results, temporary places,
        and what the engine keeps."""
        places = [self.project.root, self.scratch, Path("/dev/shm")]
        if self.verb == "official":
            root = Path(docker.from_env().info()["DockerRootDir"])
            kept = [path for name in ("containers", "volumes", "tmp") for path in (root / name).rglob("*")]
            places += [path for path in kept if path.is_file() and path.stat().st_mtime >= self.since]
        return leaks(places, self.half.secrets | {WORDS}, clean=self._clean)


class Broken(NamedTuple):
    """A run that was ended: how, what it said, what was left of it, and what was found of the partition then."""

    number: signal.Signals
    status: int
    said: str
    files: frozenset[str]
    leaks: list[str]


@pytest.fixture(scope="module", params=["quick", pytest.param("official", marks=pytest.mark.docker)])
def steward(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Steward]:
    made = Steward(request.param, tmp_path_factory.mktemp(request.param))
    yield made
    shutil.rmtree(made.scratch)


@pytest.fixture(scope="module")
def broken(steward: Steward) -> list[Broken]:
    """Runs that were killed at moments by lot, and one that was stopped; a moment later each time, until its driver had
    begun to write."""
    lots = random.Random(20261201)
    found = [end(steward, signal.SIGKILL, moment, lots.uniform(0, 1.5)) for moment in MOMENTS]
    for wait in (1, 2, 4, 8):
        found.append(end(steward, signal.SIGINT, PLAN, wait))
        if REPORT in found[-1].files:
            break
    return found


def end(steward: Steward, number: signal.Signals, moment: str, wait: float) -> Broken:
    """Start a run, end it by a signal, and look once all of its processes are gone."""
    manifest = steward.project.small("hidden-long", systems=SYSTEM, limits=LONG)
    before = set(steward.project.unfinished())
    with steward.project.started(*steward.words(manifest), **steward.environment) as process:
        folder = await_folder(steward, before, moment, process)
        time.sleep(wait)
        lives = [os.pidfd_open(pid) for pid in family(process.pid)]
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    for life in lives:
        assert select.select([life], [], [], PATIENCE)[0], "a process is left"
        os.close(life)
    await_containers(process.pid)
    files = frozenset(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return Broken(number, process.returncode, out + err, files, steward.leaks())


def await_folder(steward: Steward, before: set[Path], moment: str, process: subprocess.Popen[str]) -> Path:
    deadline = time.monotonic() + PATIENCE * 5
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        for folder in set(steward.project.unfinished()) - before:
            if (folder / moment).exists():
                return folder
        time.sleep(0.01)
    raise AssertionError(moment)


def await_containers(runner: int) -> None:
    """Until the containers of a runner that is gone have ended."""
    label = f"mambomeme.pid={runner}"
    if shutil.which("docker"):
        found = subprocess.run(
            ["docker", "ps", "-q", f"--filter=label={label}"], capture_output=True, text=True, check=False
        )
        for each in found.stdout.split():
            subprocess.run(["docker", "wait", each], capture_output=True, check=False, timeout=PATIENCE)


def family(pid: int) -> list[int]:
    """A process's descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split() if Path(f"/proc/{pid}").exists() else []
    return [one for child in map(int, children) for one in (child, *family(child))]


class Ran(NamedTuple):
    """A run that came to its end, after those that were broken off."""

    said: Said
    folder: Path
    card: dict[str, Any]


@pytest.fixture(scope="module")
def ran(steward: Steward, broken: list[Broken]) -> Ran:
    manifest = steward.project.small(
        "hidden-run",
        systems=SYSTEM,
        engine_path=True,
        suites=steward.verb == "official",
        floors={"echo": 5, "null_ui": 5},
    )
    said_ = steward.bench(*steward.words(manifest))
    warned = "The system runs as you: it can read your files, the age key and what you sealed too."
    assert (said_.status, warned in said_.err) == (0, steward.verb == "quick")
    assert said_.err.count("\n") == (steward.verb == "quick")
    (folder,) = steward.project.finished()
    return Ran(said_, folder, json.loads((folder / "scorecard.json").read_bytes()))


def test_a_run_that_is_stopped_or_killed_leaves_nothing_of_it(broken: list[Broken], steward: Steward) -> None:
    assert {(each.number, each.status) for each in broken} == {(signal.SIGKILL, -9), (signal.SIGINT, 130)}
    assert [each.leaks for each in broken] == [[]] * len(broken)
    assert [said(each.said.encode(), steward.half.secrets) for each in broken] == [[]] * len(broken)
    for each in broken:
        assert {name for name in each.files if not name.startswith("sealed/")} <= RECORDS


def test_what_a_stopped_run_had_measured_is_kept_sealed(broken: list[Broken]) -> None:
    assert {"sealed/raw/bm25/block-000.jsonl.age", REPORT} <= broken[-1].files


def test_a_run_that_ends_well_leaves_nothing_of_it_either(ran: Ran, steward: Steward) -> None:
    assert steward.leaks() == []
    assert said((ran.said.out + ran.said.err).encode(), steward.half.secrets) == []


def test_only_what_may_be_read_by_all_lies_in_the_open(ran: Ran, steward: Steward) -> None:
    names = {path.relative_to(ran.folder).as_posix() for path in ran.folder.rglob("*") if path.is_file()}
    public = PUBLIC | ({"sbom.cdx.json"} if steward.verb == "official" else set())
    assert {name for name in names if not name.startswith("sealed/")} == public
    assert all(name.endswith(".age") for name in names - public)


def test_no_item_that_was_judged_or_shown_is_named_in_the_open(ran: Ran, steward: Steward) -> None:
    """Neither on the page nor in what the command said: labels, targets and lists name items."""
    texts = [(ran.folder / name).read_text() for name in PUBLIC] + [ran.said.out]
    found = {word for text in texts for word in re.findall(r"\bm\d{4}\b", text)}
    assert len(steward.half.documents) > 100
    assert found == set()


def test_the_search_finds_each_word_in_the_bundle_once_it_is_open(ran: Ran, steward: Steward, tmp_path: Path) -> None:
    """So that finding none above says something."""
    opened = steward.bench("partition", "open", ran.folder, "--to", tmp_path / "open", "--identity", steward.key)
    assert opened.status == 0
    for name in ("partition", "raw/bm25/plan.json", "scorecard.json"):
        found = {line.rpartition(": ")[2] for line in leaks([tmp_path / "open" / name], steward.half.secrets)}
        assert len(found) > 50, name
    assert leaks([tmp_path / "open/casts"], steward.half.secrets)


def test_the_card_counts_the_looks_and_so_does_the_log(ran: Ran, broken: list[Broken], steward: Steward) -> None:
    looks = len(broken) + 1
    assert ran.card["tries"]["partition"] == looks
    assert ran.card["tries"]["unsealed"] == len(broken)
    assert f"Run {looks} of this partition" in (ran.folder / "scorecard.md").read_text()
    log = steward.project.path("results/log.jsonl").read_text().splitlines()
    begun = [entry for entry in map(json.loads, log) if entry["outcome"] == "begun"]
    assert {entry["run"]["partition"] for entry in begun} == {ran.card["versions"][0]["partition"]}
    assert len(begun) == looks


def test_the_public_card_has_aggregates_alone(ran: Ran) -> None:
    (row,) = ran.card["systems"]
    assert ran.card["format"] == "mambomeme/public-scorecard/v1"
    assert (row["queries"], row["failed"]) == ([], [])
    assert len(row["slices"]) == 7
    assert all(figure["n"] >= 5 for line in (*row["slices"], *row["subsets"]) for figure in line["figures"].values())


def test_it_is_provisional_and_says_why(ran: Ran) -> None:
    assert ran.card["standing"] == "provisional"
    assert "its card gives 1 reason of its own" in ran.card["reasons"]
    assert not [reason for reason in ran.card["reasons"] if "not a hidden one" in reason]


def test_anyone_verifies_what_is_public(ran: Ran, steward: Steward) -> None:
    found = steward.bench("verify", ran.folder)
    assert (found.status, found.err) == (0, "")
    assert "the evidence is sealed" in found.out


def test_with_the_key_everything_verifies(ran: Ran, steward: Steward) -> None:
    found = steward.bench("verify", ran.folder, "--identity", steward.key)
    assert (found.status, found.err) == (0, "")
    assert "sealed" not in found.out
    assert "screens and numbers hold" in found.out


def test_what_is_published_of_it_stays_sealed(ran: Ran, steward: Steward, tmp_path: Path) -> None:
    """Without the page, which is sealed; whoever has the key opens the archive with it."""
    found = steward.bench("publish", ran.folder, "--to", tmp_path)
    assert (found.status, found.err) == (0, "")
    place, packed = tmp_path / ran.folder.name, f"{ran.folder.name}.tar.zst"
    assert {path.name for path in place.iterdir()} == {packed, "log.jsonl", "scorecard.md", "trust.json"}
    (tmp_path / "tar").write_bytes(zstandard.ZstdDecompressor().decompress((place / packed).read_bytes()))
    assert leaks([tmp_path], steward.half.secrets) == []
    found = steward.bench("verify", place / packed, "--identity", steward.key)
    assert (found.status, found.err) == (0, "")
    assert "screens and numbers hold" in found.out


def test_another_key_opens_nothing(ran: Ran, steward: Steward, tmp_path: Path) -> None:
    write_key(tmp_path / "other")
    found = steward.bench("verify", ran.folder, "--identity", tmp_path / "other")
    assert (found.status, found.out) == (65, "")
    assert said(found.err.encode(), steward.half.secrets) == []


def test_a_changed_bundle_is_found_without_the_key(ran: Ran, steward: Steward, tmp_path: Path) -> None:
    folder = shutil.copytree(ran.folder, tmp_path / ran.folder.name)
    path = folder / "sealed/raw/bm25/block-001.jsonl.age"
    path.write_bytes(path.read_bytes()[:-1])
    found = steward.bench("verify", folder)
    assert (found.status, found.out) == (1, "")
    assert "sealed/raw/bm25/block-001.jsonl.age: expected sha256:" in found.err


def test_nobody_takes_it_for_a_card_with_rows_by_query(ran: Ran, steward: Steward) -> None:
    assert steward.bench("history", ran.folder).status == 0
    compared = steward.bench("compare", ran.folder, ran.folder)
    assert (compared.status, compared.out) == (2, "")
    assert "is the public card of a hidden run" in compared.err


@pytest.mark.slow
def test_a_run_that_is_killed_at_any_moment_leaves_nothing_of_it(steward: Steward) -> None:
    """After the count of looks, since each counts."""
    lots = random.Random(20261202)
    for _ in range(12):
        killed = end(steward, signal.SIGKILL, lots.choice(MOMENTS), lots.uniform(0, 3))
        assert (killed.status, killed.leaks) == (-signal.SIGKILL, [])
        assert said(killed.said.encode(), steward.half.secrets) == []


def test_without_the_key_no_number_is_recomputed_and_no_page_is_made(
    ran: Ran, steward: Steward, tmp_path: Path
) -> None:
    for words in (("score", ran.folder), ("review", ran.folder, "--to", tmp_path / "page")):
        found = steward.bench(*words)
        assert (found.status, found.out) == (2, "")
        assert "The evidence of this hidden run is sealed. Give its age key with --identity." in found.err
    assert not (tmp_path / "page").exists()


def test_without_the_key_a_picture_says_how_to_open_it(ran: Ran, steward: Steward, tmp_path: Path) -> None:
    found = steward.bench("picture", ran.folder, "q-entity-1", "--to", tmp_path / "screen.svg")
    assert (found.status, found.out) == (2, "")
    assert (
        "The screens of this hidden run are sealed. `partition open RUN --to DIR --identity KEY` opens it" in found.err
    )
    assert not (tmp_path / "screen.svg").exists()


def test_its_review_stands_nowhere_by_default(ran: Ran, steward: Steward) -> None:
    found = steward.bench("review", ran.folder, "--identity", steward.key)
    assert (found.status, found.out) == (64, "")
    assert "shows the hidden partition in the clear. Name a new folder for it with --to" in found.err
    assert not ran.folder.with_name(f"{ran.folder.name}.review").exists()


@pytest.mark.parametrize("given", ["the key", "an open copy"])
def test_with_the_key_and_where_it_is_open_it_is_scored_and_reviewed(
    ran: Ran, steward: Steward, tmp_path: Path, given: str
) -> None:
    folder, key = ran.folder, ["--identity", steward.key]
    if given != "the key":
        folder, key = tmp_path / "open", []
        assert steward.bench("partition", "open", ran.folder, "--to", folder, "--identity", steward.key).status == 0
    scored = steward.bench("score", folder, *key)
    assert (scored.status, scored.err) == (0, "")
    made = steward.bench("review", folder, *key, "--to", tmp_path / "page")
    assert (made.status, made.err) == (0, "")
    assert "delete it when you are done" in made.out
    assert (tmp_path / "page").stat().st_mode & 0o777 == 0o700
    assert leaks([tmp_path / "page"], steward.half.secrets)


def test_what_is_wrong_inside_is_said_where_it_is_open(ran: Ran, steward: Steward, tmp_path: Path) -> None:
    """`score` asks no signature: the kind and the file come from the sealed result, the words from an open copy."""
    folder = shutil.copytree(ran.folder, tmp_path / ran.folder.name)
    card = (folder / "sealed/observations.jsonl.age").read_bytes()
    key = load_identity(steward.key, lambda _path: WORDS.encode())
    plain = key.unseal(card, "").replace(b'"answered"', b'"timeout"', 1)
    (folder / "sealed/observations.jsonl.age").write_bytes(seal(plain, [steward.recipient]))
    found = steward.bench("score", folder, "--identity", steward.key)
    assert (found.status, found.out) == (1, "")
    assert "the hidden run: not as it must be at observations.jsonl; what exactly, would show" in found.err
    assert "Open it with `partition open`" in found.err
    assert said(found.err.encode(), steward.half.secrets) == []
    steward.bench("partition", "open", folder, "--to", tmp_path / "open", "--identity", steward.key)
    found = steward.bench("score", tmp_path / "open")
    assert found.status == 1
    assert "observations.jsonl:" in found.out
    assert "'timeout'" in found.out


def test_words_of_another_fault_stay_with_a_key_at_hand(ran: Ran, steward: Steward, tmp_path: Path) -> None:
    """Nothing of these was sealed, so nothing of them is hushed."""
    (tmp_path / "bare").mkdir()
    shutil.copy(ran.folder / "manifest.json", tmp_path / "bare")
    never = steward.bench("verify", tmp_path / "bare", "--identity", steward.key)
    assert (never.status, "never sealed" in never.err) == (2, True)
    other = steward.bench("verify", ran.folder, "--identity", steward.key, "--root-id", "0" * 64)
    assert (other.status, "is signed by root" in other.err) == (2, True)
    write_key(tmp_path / "key")
    locked = steward.bench("score", ran.folder, "--identity", tmp_path / "key")
    assert (locked.status, "is sealed for another key than age1" in locked.err) == (65, True)


def test_once_it_is_retired_it_runs_no_more_and_verify_says_why(ran: Ran, steward: Steward, tmp_path: Path) -> None:
    """The last of all. Whoever verifies has an older checkout, and the newest list."""
    words = ("partition", "retire", steward.sealed, "--reason", "shown in a talk", "--identity", steward.key)
    retired = steward.bench(*words)
    assert (retired.status, retired.err) == (0, "")
    assert f"no baseline any more: {ran.card['run_id']} (bm25)" in retired.out
    again = steward.bench(*steward.words(steward.project.path("manifests/hidden-run.json")))
    assert (again.status, again.out) == (65, "")
    assert "shown in a talk. Make a new hidden version" in again.err
    there = steward.bench("verify", ran.folder)
    assert (there.status, "was retired at" in there.out) == (0, True)
    listed = steward.project.path("manifests/benchmarks/search-v1/retired.jsonl").rename(tmp_path / "newest.jsonl")
    for given, says in (([], False), (["--retired", listed], True)):
        found = steward.bench("verify", ran.folder, *given)
        assert (found.status, found.err) == (0, "")
        assert ("was retired at" in found.out, "shown in a talk" in found.out) == (says, says)
