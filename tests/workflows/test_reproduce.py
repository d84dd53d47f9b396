"""Another checkout runs a published result again: equal lists are said to be equal, a planted one is named."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console

from runner.adapters.archives import archive
from runner.adapters.host import SystemClock
from runner.adapters.keys import KeyFile
from runner.adapters.signer import checkout_key
from runner.adapters.store import FinishedResult
from runner.documents import Source, digest
from runner.errors import BadInput, CannotDecide, Findings
from runner.hidden import here
from runner.provenance.dsse import Envelope
from runner.provenance.reproduction import REPRODUCTION_KIND, Outcome, ReproductionStatement
from runner.provenance.signatures import open_reproduction
from runner.provenance.statement import Statement, payload, state
from runner.provenance.trust import Trust, open_trust
from runner.tools import Tools
from runner.workflows.original import read_original
from runner.workflows.repeat import Side, read_side
from runner.workflows.reproduce import hold_statement
from tests.faults.project import CACHE, Project, Said
from tests.provenance.signing import no_passphrase

pytestmark = pytest.mark.docker


class Published(NamedTuple):
    """A result with the checkout it comes from, and another checkout to run it again in."""

    result: Path
    home: Project
    elsewhere: Project

    def reproduce(self, result: Path, *words: object) -> Said:
        """In the other checkout, with the trust file of the first."""
        return self.elsewhere.bench("reproduce", result, "--trust", self.home.path(".keys/trust.json"), *words)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    """A run of two queries a slice."""
    root = tmp_path_factory.mktemp("published")
    home = Project.copy(root / "home")
    home.shrink(2)
    said = home.bench("official", home.small("again"))
    assert (said.status, said.err) == (0, ""), said
    shutil.copytree(home.root, root / "elsewhere", ignore=shutil.ignore_patterns("results", ".keys"))
    (result,) = home.finished()
    return Published(result, home, Project(root / "elsewhere"))


@pytest.fixture(scope="module")
def reproduced(published: Published) -> tuple[Said, Path]:
    """What was said of it, and the statement."""
    said = published.reproduce(published.result, "--to", published.elsewhere.root / "results")
    (statement,) = published.elsewhere.results.glob("*.reproduction.dsse.json")
    return said, statement


def test_it_is_reproduced(reproduced: tuple[Said, Path]) -> None:
    said, statement = reproduced
    assert (said.status, said.err) == (0, ""), said
    assert said.out.startswith("reproduced: lists and quality are equal in all 14 requests\n")
    assert "held against nothing: the first run has one block, which shows no spread" in said.out
    assert said.out.endswith(f"{statement}\n")


def test_the_statement_is_checked_beside_the_two_results(published: Published, reproduced: tuple[Said, Path]) -> None:
    said = published.elsewhere.bench("reproduce", published.result, "--check", reproduced[1])
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith(f"{published.result.name}, run again as {published.elsewhere.finished()[0].name}\n")
    assert "lists and quality are equal in all 14 requests" in said.out
    assert "not at hand" not in said.out


def test_the_archive_of_a_result_is_as_good(published: Published, reproduced: tuple[Said, Path], tmp_path) -> None:
    folder = FinishedResult(published.result)
    packed = tmp_path / "first.tar.zst"
    packed.write_bytes(archive(published.result.name, {name: folder.read(name) for name in folder.names()}))
    said = published.elsewhere.bench("reproduce", packed, "--check", reproduced[1])
    assert (said.status, said.err) == (0, "")
    assert "lists and quality are equal in all 14 requests" in said.out


class Checked(NamedTuple):
    """A statement in the hands of a stranger, with both results."""

    envelope: bytes
    trust: Trust
    first: Side
    second: Side
    key: KeyFile

    def hold(self, envelope: bytes | None = None, first: Side | None = None) -> None:
        """As `reproduce --check` does."""
        signed = open_reproduction(envelope or self.envelope, "file", self.trust, self.now)
        hold_statement(signed, first or self.first, self.second)

    def saying(self, **changes: object) -> bytes:
        """Another equality, signed by the one who signed the statement."""
        said = self.said.predicate
        lie = said.model_copy(update={"equality": said.equality.model_copy(update=changes)})
        return self.key.sign(payload(self.said.model_copy(update={"predicate": lie})), REPRODUCTION_KIND)

    @property
    def said(self) -> ReproductionStatement:
        return ReproductionStatement.parse(base64.b64decode(Envelope.parse(self.envelope, "").payload), "")

    @property
    def now(self) -> str:
        return self.said.predicate.signed_at


@pytest.fixture
def checked(published: Published, reproduced: tuple[Said, Path]) -> Checked:
    keys, (second,) = published.elsewhere.path(".keys"), published.elsewhere.finished()
    return Checked(
        reproduced[1].read_bytes(),
        trust_of(published.elsewhere),
        read_side(FinishedResult(published.result)),
        read_side(FinishedResult(second)),
        checkout_key(keys, no_passphrase),
    )


def trust_of(project: Project) -> Trust:
    return open_trust(Source("trust.json", project.path(".keys/trust.json").read_bytes()))


def test_a_statement_is_about_one_result_and_true_of_it(published: Published, checked: Checked) -> None:
    checked.hold()
    with pytest.raises(Findings, match=r"observations.jsonl: expected .* another result was run again"):
        checked.hold(first=checked.second)
    with pytest.raises(Findings, match=r"equality: says .*not reproduced"):
        checked.hold(checked.saying(outcome=Outcome.NOT_REPRODUCED, differing=1))


def test_only_a_trusted_key_over_this_very_payload_counts(published: Published, checked: Checked) -> None:
    with pytest.raises(CannotDecide, match=r"is not in the trust file. Get the trust file of whoever reproduced it"):
        checked._replace(trust=trust_of(published.home)).hold()
    with pytest.raises(Findings, match=r"payloadType: 'application/vnd.in-toto"):
        checked.hold((published.elsewhere.finished()[0] / "statement.dsse.json").read_bytes())
    envelope, other = (json.loads(data) for data in (checked.envelope, checked.saying(requests=15)))
    with pytest.raises(Findings, match="is not over this statement"):
        checked.hold(json.dumps(envelope | {"payload": other["payload"]}).encode())


def test_a_list_that_was_altered_and_signed_again_is_named_by_request(published: Published, tmp_path: Path) -> None:
    result = shutil.copytree(published.result, tmp_path / published.result.name)
    place = result / "observations.jsonl"
    rows = [json.loads(line) for line in place.read_text().splitlines()]
    row = next(row for row in rows if len(row["returned"]) > 1)
    first, second, *others = row["returned"]
    row["returned"] = row["drawn"] = [second, first, *others]
    place.write_text("".join(json.dumps(each) + "\n" for each in rows))
    sign_again(result, published.home)

    said = published.reproduce(result, "--to", tmp_path / "results")
    assert said.status == 1
    assert said.out.startswith("not reproduced: differs in 1 of 14 requests, 1 difference in all\n")
    told = f"bm25 block 1 {row['query_id']}: returned at rank 1 {second}, again {first}; drawn at rank 1"
    assert told in " ".join(said.out.split())
    assert said.err == f"bench: {result}: not reproduced by {next((tmp_path / 'results').glob('2*-?')).name}.\n"


def sign_again(result: Path, home: Project) -> None:
    """As its steward could, who has the key."""
    place = result / "statement.dsse.json"
    run = Statement.parse(base64.b64decode(Envelope.parse(place.read_bytes(), "").payload), "").predicate
    paths = [path for path in result.rglob("*") if path.is_file() and path != place]
    signed = state({path.relative_to(result).as_posix(): digest(path.read_bytes()) for path in paths}, run)
    place.write_bytes(checkout_key(home.path(".keys"), no_passphrase).sign(payload(signed)))


@pytest.mark.parametrize(
    ("spoil", "kind", "told"),
    [
        (lambda result, _: (result / "scorecard.json").write_text("{}"), BadInput, "changed after it was signed"),
        (lambda result, _: (result / "run.lock.json").unlink(), BadInput, "run.lock.json: was signed, but is missing"),
        (lambda _, home: home.spoil("images/corpus/items.jsonl", twice), CannotDecide, "items.jsonl"),
        (lambda _, home: home.spoil("images/locks/wheels.json", spaced), CannotDecide, "wheels.json is sha256:"),
        (lambda _, home: home.spoil("images/mambomeme/system.json", spaced), CannotDecide, "images/mambomeme holds"),
    ],
    ids=["damaged", "lacking", "corpus", "lock", "system"],
)
def test_what_cannot_be_run_again_is_refused_in_one_line(published, tmp_path, spoil, kind, told) -> None:
    result = shutil.copytree(published.result, tmp_path / "result")
    project = Project(Path(shutil.copytree(published.home.root, tmp_path / "project")))
    spoil(result, project)
    kit = Tools(project.root, Path(CACHE), project.path("images/locks"), Console())
    with pytest.raises(kind) as error:
        read_original(FinishedResult(result), trust_of(project), SystemClock().now(), here(kit, None))
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.advice


def twice(data: bytes) -> bytes:
    return data + data


def spaced(data: bytes) -> bytes:
    return data + b"\n"
