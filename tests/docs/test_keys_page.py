"""The commands of docs/keys.md, run one after the other: from no key to two signatures, a new key, a revoked one."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from tests.faults.project import ROOT, Project

PAGE = (ROOT / "docs/keys.md").read_text()
SHELL = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
#: The page's run takes minutes and an engine; this one is the same path as a plain process.
RUN = ("./bench official", "./bench run quick manifests/keys-page.json")
#: What a checkout has made for itself before anybody made keys, and what it remembers besides.
THROWN = ("steward.pem", "root.pem", "trust.json")
SEEN = '{"format": "mambomeme/seen/v1", "roots": {}}'


class Office:
    """A checkout, the home of its people, and all that was said."""

    def __init__(self, root):
        self.project = Project.copy(root / "checkout")
        self.project.lend_environment()
        self.project.shrink()
        self.project.small("keys-page", systems=["manifests/systems/bm25.json"])
        self.home = root / "home"
        self.home.mkdir()
        (self.home / "words").write_text("correct horse battery\n")
        keys = self.project.path(".keys")
        keys.mkdir(mode=0o700)
        for name in (*THROWN, "partition.age-key"):
            (keys / name).write_text(f"{name} of before")
        (keys / "seen.json").write_text(SEEN)

    def does(self, command):
        """A command of the page, at no terminal."""
        words = str(self.home / "words")
        return self.project.said(["sh", "-ec", command], HOME=str(self.home), MAMBO_PASSPHRASE_FILE=words)

    def verify(self, *options):
        """What `verify` says of the one result."""
        (folder,) = self.project.finished()
        return self.does(f"./bench run verify {folder} --trust ~/offline/trust.json {' '.join(options)}")


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    """After the whole page, with the trust file as it was before the last block."""
    office = Office(tmp_path_factory.mktemp("keys"))
    before, last = "".join(SHELL[:-1]).replace(*RUN), SHELL[-1]
    office.said = office.does(before)
    assert office.said.status == 0, office.said
    shutil.copy(office.home / "offline/trust.json", office.home / "earlier.json")
    office.revoked = office.does(last)
    assert office.revoked.status == 0, office.revoked
    return office


def test_the_page_has_one_run():
    assert "".join(SHELL).count(RUN[0]) == 1


def test_only_what_was_thrown_together_is_put_away(office):
    """Without the age key no sealed run opens any more; without its memory a checkout takes old trust files."""
    keys = office.project.path(".keys")
    assert {path.name: path.read_text() for path in (keys / "before").iterdir()} == {
        name: f"{name} of before" for name in THROWN
    }
    assert (keys / "partition.age-key").read_text() == "partition.age-key of before"
    assert (keys / "seen.json").is_file()


def test_it_was_short_of_a_witness_and_then_was_not(office):
    first, second = re.findall(r"^not official, because (.*)$", office.said.out, re.MULTILINE)
    assert first == "the card is provisional; 1 signature as witness needed, 0 found"
    assert second == "the card is provisional"
    assert "signed by Another name as witness" in office.said.out
    # The steward's own look, before anybody gave the root's id.
    untold, bounded = re.findall(r"note: (.*)", office.said.out)
    assert "--root-id" in untold
    assert bounded.startswith("begun after the witness gave its nonce, ")


def test_the_log_has_the_run(office):
    (folder,) = office.project.finished()
    lines = [json.loads(line) for line in office.project.path("results/log.jsonl").read_text().splitlines()]
    assert [(line["outcome"], line["run"]["run_id"]) for line in lines] == [
        ("begun", folder.name),
        ("sealed", folder.name),
    ]
    assert json.loads((folder / "scorecard.json").read_bytes())["tries"] == {
        "manifest": 1,
        "partition": 1,
        "unsealed": 0,
    }


def test_no_private_key_is_in_a_result_or_lies_about_unencrypted(office):
    """Nor does the word that opens it."""
    (folder,) = office.project.finished()
    for path in folder.rglob("*"):
        assert path.is_dir() or not re.search(rb"PRIVATE KEY|correct horse", path.read_bytes()), path
    keys = [*office.project.path(".keys").glob("*.pem"), *office.home.rglob("*.pem")]
    assert len(keys) == 4
    assert all(key.read_bytes().startswith(b"-----BEGIN ENCRYPTED") for key in keys)


def test_a_key_that_was_revoked_later_still_counts_for_what_came_before(office):
    """The page revokes from entry 2; the run's last is entry 1."""
    assert "revoked from entry 2 of the log on" in office.revoked.out
    said = office.verify()
    assert (said.status, said.err) == (0, "")
    assert "signed by Their name as steward" in said.out


def test_the_trust_file_from_before_is_no_longer_taken(office):
    shutil.copy(office.home / "offline/trust.json", office.home / "now.json")
    shutil.copy(office.home / "earlier.json", office.home / "offline/trust.json")
    said = office.verify()
    shutil.copy(office.home / "now.json", office.home / "offline/trust.json")
    assert (said.status, said.out) == (2, "")
    assert re.search(r"is version 5, but version 6 of root .{8} was seen before. Get the current one", said.err)


def test_another_root_than_the_one_that_was_told_is_refused(office):
    said = office.verify("--root-id", "0" * 64)
    assert (said.status, said.out) == (2, "")
    assert "is signed by root" in said.err


def test_a_log_that_was_cut_is_no_log_of_the_run(office):
    log = office.project.path("results/log.jsonl")
    (office.home / "log.jsonl").write_bytes(log.read_bytes().splitlines(keepends=True)[0])
    said = office.verify("--log", "~/log.jsonl")
    assert (said.status, said.out) == (1, "")
    assert "has 1 entry, and none 1, where it was sealed: it was cut" in said.err


def test_a_key_is_not_made_among_the_files_of_a_checkout(office):
    said = office.does("./bench run keys new results/witness.pem")
    assert (said.status, said.out) == (65, "")
    assert "lies in the checkout. Keep keys in .keys/, or outside of it" in said.err


def test_revoked_from_before_the_run_it_counts_no_more(office):
    """Last, since there is no way back."""
    key = re.search(r"^steward ([0-9a-f]+) .*revoked", office.revoked.out, re.MULTILINE)[1]
    revoke = f"./bench run trust revoke ~/offline/trust.json {key} --from 1 --root ~/offline/root.pem"
    assert office.does(revoke).status == 0
    said = office.verify()
    assert (said.status, said.out) == (1, "")
    assert "1 signature as steward needed, 0 found" in said.err
    assert "is revoked from entry 1 of the log on" in said.err
