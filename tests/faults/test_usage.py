"""A wrong command line, an unwritable place and a strange result each end in one line that helps."""

import pytest


def one_line(said, status, *words):
    """Checks how a command ended."""
    assert said.status == status, said
    assert said.err.startswith("bench: ")
    assert said.err.count("\n") == 1
    for word in words:
        assert word in said.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "No verb was given. `--help`"),
        (["oficial"], "No such command 'oficial'. Did you mean 'official'."),
        (["official", "--fast"], "No such option: --fast. `--help`"),
        (["official", "--system", "other"], "--system other: the manifest has bm25, dense, hybrid."),
        (["official", "--nonce", "0123"], "--nonce '0123' is no nonce. Give what `nonce` printed: 32 digits"),
        (["tui", "--system", "bm25-reference"], "--system bm25-reference: no manifest in manifests/systems"),
        (["official", "one", "two"], "unexpected extra argument"),
        (["verify"], "results. `--help`"),
        (["image"], "No verb was given. `--help`"),
        (["build", "--pin=perhaps"], "`--help`"),
    ],
)
def test_a_wrong_command_line(bench, words, told):
    one_line(bench(*words), 64, told)


def test_help_shows_the_command_as_people_type_it(bench):
    for words in ([], ["judge", "pool"]):
        said = bench(*words, "--help")
        assert " ".join(["Usage: ./bench run", *words]) in said.out


def test_a_result_that_is_not_there(bench):
    one_line(bench("score", "results/none"), 65, "results/none: no such result", "Name a folder")


def test_a_checkout_that_has_sealed_nothing_has_no_trust_file(project):
    """As a process, which knows its own checkout."""
    one_line(project.bench("verify", "results/none"), 65, ".keys/trust.json: no such file")


def test_a_place_for_results_that_cannot_be_one(project):
    """Without Docker: the place is tried before anything is searched."""
    place = project.path("README.md")
    said = project.bench("quick", "--to", place)
    one_line(said, 69, "README.md", "Not a directory", "name another place")
    assert said.out == ""


def test_a_system_that_cannot_be_prepared(project):
    project.edit("images/mambomeme/system.json", lambda card: card.update(prepare=["python3", "-c", "1/0"]))
    one_line(project.bench("quick"), 65, "system.json: prepare ended with status 1", "ZeroDivisionError")
    assert project.unfinished() == project.finished() == []


def test_through_bench_itself(project, tmp_path):
    """`./bench run` hands words, status and the one line through unchanged."""
    project.lend_environment()
    said = project.shell("run", "official", "--fast")
    one_line(said, 64, "No such option: --fast")
    said = project.shell("run", "official", tmp_path / "none.json")
    one_line(said, 65, "none.json: no such file")
