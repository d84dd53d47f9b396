"""A kept result with anything changed, added or taken away is found out by `verify`, which names the file."""

import shutil

import pytest

pytestmark = pytest.mark.docker


@pytest.fixture
def result(sealed, tmp_path):
    """A copy of the good result, to be spoilt."""
    return shutil.copytree(sealed, tmp_path / sealed.name)


@pytest.fixture
def verify(runs):
    """What `verify` says with the trust file of the checkout that sealed it."""
    return lambda steady, result, trust=None: runs(
        steady, "verify", result, "--trust", trust or steady.path(".keys/trust.json")
    )


def flip(path):
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def found(said, *words):
    """Exit 1 and a finding that names the file."""
    assert (said.status, said.out) == (1, ""), said
    assert said.err.startswith("bench: ")
    assert "Traceback" not in said.err
    for word in words:
        assert word in said.err


def test_the_good_result_verifies(steady, result, verify):
    """As signed, though a machine's labels leave it short of official (D31)."""
    said = verify(steady, result)
    assert (said.status, said.err) == (0, "")
    assert "the card is provisional" in said.out


def test_its_card_follows_from_its_raw_records(steady, result):
    said = steady.bench("score", result)
    assert (said.status, said.out) == (0, "every number follows from the raw records\n")


@pytest.mark.parametrize(
    "name",
    [
        "manifest.json",
        "run.lock.json",
        "observations.jsonl",
        "scorecard.json",
        "scorecard.md",
        "raw/bm25/plan.json",
        "raw/bm25/driver.json",
        "raw/bm25/block-001.jsonl",
        "raw/bm25/floors.jsonl",
        "raw/bm25/suites.jsonl",
        "raw/bm25/suites.plan.json",
        "raw/bm25/suites.driver.json",
        "gates/bm25.json",
        "casts/bm25/block-001.cast",
        "sbom.cdx.json",
    ],
)
def test_one_changed_bit(steady, result, verify, name):
    flip(result / name)
    found(verify(steady, result), f"{name}: expected sha256:")


@pytest.mark.parametrize(
    "name", ["raw/bm25/block-000.jsonl", "casts/bm25/block-000.cast", "raw/bm25/suites.jsonl", "gates/bm25.json"]
)
def test_a_removed_file(steady, result, verify, name):
    (result / name).unlink()
    found(verify(steady, result), f"{name}: was signed, but is missing")


@pytest.mark.parametrize("name", ["notes.txt", "raw/bm25/block-002.jsonl", ".hidden", "gates/suite.json"])
def test_an_added_file(steady, result, verify, name):
    (result / name).parent.mkdir(exist_ok=True)
    (result / name).write_text("{}\n")
    found(verify(steady, result), f"{name}: was not signed")


def test_a_link_in_place_of_a_file(steady, result, verify, sealed):
    """Though it leads to the very same bytes."""
    (result / "scorecard.md").unlink()
    (result / "scorecard.md").symlink_to(sealed / "scorecard.md")
    found(verify(steady, result), "scorecard.md: is not a plain file")


def test_everything_that_was_changed_is_named(steady, result, verify):
    flip(result / "scorecard.json")
    (result / "raw/bm25/plan.json").unlink()
    (result / "more").write_text("")
    found(verify(steady, result), "scorecard.json: ", "raw/bm25/plan.json: ", "more: ")


def test_a_changed_statement(steady, result, verify):
    flip(result / "statement.dsse.json")
    said = verify(steady, result)
    assert said.status == 1
    assert said.err.startswith("bench: statement.dsse.json")


def test_a_missing_statement_leaves_nothing_to_verify(steady, result, verify):
    (result / "statement.dsse.json").unlink()
    said = verify(steady, result)
    assert (said.status, said.out) == (2, "")
    assert "statement.dsse.json: missing" in said.err
    assert "never sealed" in said.err


def test_a_missing_trust_file(steady, result, verify):
    said = verify(steady, result, result / "none.json")
    assert (said.status, said.out) == (65, "")
    assert "none.json: no such file" in said.err


def test_the_key_of_another_steward(steady, result, verify, project):
    """Another checkout has a key of its own, made when it first signs."""
    assert project.bench("quick", project.small("fault-other")).status == 0
    said = verify(steady, result, project.path(".keys/trust.json"))
    assert (said.status, said.out) == (2, "")
    assert "is not in the trust file. Get the trust file of its steward" in said.err


def test_a_checkout_with_another_corpus_cannot_decide(steady, result, verify, project):
    """Neither yes nor no: the numbers cannot be computed from what this checkout has."""
    project.spoil("images/corpus/items.jsonl", lambda data: data.replace(b'"title":"', b'"title":"A', 1))
    project.repin_corpus()
    verified = verify(project, result, steady.path(".keys/trust.json"))
    assert "only whoever has those can tell" in verified.err
    scored = project.bench("score", result)
    assert "Check out the commit" in scored.err
    for said in (verified, scored):
        assert (said.status, said.out) == (2, "")
        assert "images/corpus/corpus.json" in said.err


def test_an_unchanged_checkout_elsewhere_verifies_it_too(steady, result, project):
    """Nothing of the machine or folder that made it is needed, nor an engine."""
    shutil.copytree(steady.path("manifests"), project.path("manifests"), dirs_exist_ok=True)
    said = project.bench("verify", result, "--trust", steady.path(".keys/trust.json"), DOCKER_HOST="unix:///none")
    assert (said.status, said.err) == (0, "")
