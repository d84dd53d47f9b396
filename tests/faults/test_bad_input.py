"""Whatever is wrong with a file ends in exit 65 and one line that names it, before anything is started or written."""

import re

import pytest

from tests.faults.project import PARTITION, QUICK

HARDWARE, SYSTEM = "manifests/hardware/two-core-v1.json", "manifests/systems/bm25.json"
ITEMS, AUDIT = "images/corpus/items.jsonl", "manifests/safety_audit.jsonl"
WARMUP = "manifests/benchmarks/search-v1/warmup.jsonl"
QUERIES, JUDGEMENTS = f"{PARTITION}/queries.jsonl", f"{PARTITION}/judgements.jsonl"
BOM = b"\xef\xbb\xbf"


def lines(change):
    """A change of a file's list of lines."""

    def spoil(data):
        found = data.splitlines(keepends=True)
        change(found)
        return b"".join(found)

    return spoil


def line(number, old, new):
    """Replace `old` in one line."""

    def change(found):
        assert old in found[number - 1]
        found[number - 1] = found[number - 1].replace(old, new, 1)

    return lines(change)


def value(number, name, raw):
    """Replace what a field of one line holds."""

    def change(found):
        found[number - 1], times = re.subn(
            rb'"%s": ?("(?:[^"\\\\]|\\\\.)*"|[^,}]+)' % name,
            lambda _: b'"%s":%s' % (name, raw),
            found[number - 1],
            count=1,
        )
        assert times == 1

    return lines(change)


def swap(old, new):
    """Replace the first `old` of a file."""

    def change(data):
        assert old in data
        return data.replace(old, new, 1)

    return change


def twice(number):
    """Let one line stand once more at the end."""
    return lines(lambda found: found.append(found[number - 1]))


@pytest.fixture
def refused(runs):
    """Checks the one line that `official` refuses a manifest with; it starts and writes nothing."""

    def check(project, *words, manifest=QUICK):
        said = runs(project, "official", project.path(manifest))
        assert (said.status, said.out) == (65, ""), said
        assert said.err.startswith("bench: ")
        assert said.err.endswith(".\n")
        assert said.err.count("\n") == 1
        for word in words:
            assert word in said.err
        assert not project.results.exists()
        assert not project.path(".keys").exists()

    return check


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (swap(b'"seed":', b'"colour": "red", "seed":'), ["colour", "Remove"]),
        (swap(b'"score":', b'"scoer":'), ["score", "Add it"]),
        (swap(b'"seed":', b'"name": "again", "seed":'), ["'name' stands twice", "Keep one"]),
        (swap(b'"seed": 20261201', b'"seed": NaN'), ["NaN is not a number", "finite"]),
        (swap(b'"seed": 20261201', b'"seed": 1e999'), ["1e999 is not a number", "finite"]),
        (swap(b'"min_searches": 1', b'"min_searches": 1000000000000'), ["limits.min_searches", "1000000000000"]),
        (swap(b'"time_limit_ms": 2000', b'"time_limit_ms": 1000000000000'), ["limits.time_limit_ms"]),
        (swap(b'"quick-development"', b'"../../elsewhere"'), ["name", "elsewhere"]),
        (swap(b'"quick-development"', b'"\\ud800"'), ["hex escape", "Mend it"]),
        (swap(b'"list-80x24-v1"', b'"list-132x50-v1"'), ["interface", "list-80x24-v1"]),
        (lambda data: BOM + data, ["byte order mark", "without BOM"]),
        (lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le"), ["UTF-8"]),
        (lambda data: data[:-20], ["not JSON"]),
        (lambda data: b"", ["not JSON"]),
        (lambda data: b"[" * 200_000, ["nested too deeply"]),
    ],
)
def test_a_run_manifest(project, refused, change, words):
    project.spoil(QUICK, change)
    refused(project, QUICK, *words)


def test_a_run_manifest_that_is_not_there(project, refused):
    refused(project, "manifests/none.json: no such file", manifest="manifests/none.json")


def test_a_run_manifest_that_is_a_folder(project, refused):
    refused(project, "manifests: cannot be read", manifest="manifests")


PINNED = [
    HARDWARE,
    "manifests/hardware/seccomp.json",
    SYSTEM,
    ITEMS,
    AUDIT,
    WARMUP,
    QUERIES,
    f"{PARTITION}/qrels.jsonl",
]


@pytest.mark.parametrize("name", PINNED)
def test_a_file_with_another_digest_than_its_manifest_has(project, refused, name):
    """As git would change it elsewhere: other line ends are enough."""
    project.spoil(name, lambda data: data.replace(b"\n", b"\r\n"))
    refused(project, f"{name}: expected sha256:", "found sha256:", "re-pin")


@pytest.mark.parametrize("name", [SYSTEM, QUERIES])
def test_a_file_that_a_manifest_names_and_that_is_not_there(project, refused, name):
    project.path(name).unlink()
    refused(project, f"{name}: no such file", "Restore it")


@pytest.mark.parametrize(
    "path", ["../manifests/safety-policy-v1.json", "/etc/hostname", "manifests/../../x.json", "a-link"]
)
def test_a_path_that_leads_out_of_the_project(project, refused, path):
    project.path("a-link").symlink_to("/etc/hostname")
    project.edit(QUICK, lambda manifest: manifest["safety_policy"].update(path=path))
    refused(project, f"{path}: leads out of the project", "Name files from the project's root")


def test_a_system_folder_that_leads_out_of_the_project(project, refused):
    project.edit(SYSTEM, lambda system: system.update(folder="../mambomeme"))
    project.pin_one(SYSTEM)
    refused(project, "../mambomeme: leads out of the project")


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        (HARDWARE, lambda it: it.update(memory_swap_bytes=4 << 30), ["memory_swap_bytes must equal memory_bytes"]),
        (HARDWARE, lambda it: it.update(network="host"), ["network", "'none'"]),
        (HARDWARE, lambda it: it.update(architecture="arm64"), ["architecture", "'amd64'"]),
        (HARDWARE, lambda it: it.update(privileged=True), ["privileged", "Remove"]),
        (SYSTEM, lambda it: it.pop("configuration"), ["configuration", "Add it"]),
        ("images/mambomeme/system.json", lambda it: it.update(interface="list-132x50-v1"), ["interface"]),
        ("images/mambomeme/system.json", lambda it: it.update(protocol="search-v2"), ["protocol"]),
        ("images/mambomeme/system.json", lambda it: it.update(tui=[]), ["tui"]),
    ],
)
def test_what_a_run_manifest_names(project, refused, name, change, words):
    project.edit(name, change)
    project.pin()
    refused(project, name, *words)


def test_a_system_folder_that_is_not_there(project, refused):
    project.edit(SYSTEM, lambda system: system.update(folder="images/none"))
    project.pin_one(SYSTEM)
    refused(project, "images/none/system.json: no such file", "Restore it")


def test_a_configuration_that_no_json_can_repeat(project, refused):
    project.spoil(SYSTEM, swap(b'"b": 0.75', b'"b": 1e999'))
    project.pin_one(SYSTEM)
    refused(project, SYSTEM, "1e999 is not a number")


def test_one_system_twice_in_a_run(project, refused):
    project.edit(QUICK, lambda manifest: manifest["systems"].append(manifest["systems"][0]))
    refused(project, QUICK, "systems", "bm25 twice")


def test_two_systems_of_one_name_in_a_run(project, refused):
    project.path("manifests/systems/other.json").write_bytes(project.path(SYSTEM).read_bytes() + b"\n")
    other = {"path": "manifests/systems/other.json", "digest": "sha256:" + "0" * 64}
    project.edit(QUICK, lambda manifest: manifest["systems"].append(other))
    project.pin()
    refused(project, QUICK, "systems", "bm25 twice")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (line(3, b"{", b"{{"), [":3: not JSON"]),
        (line(3, b"{", b"\n{"), [":3: not JSON"]),
        (lambda data: BOM + data, [":1: starts with a byte order mark", "without BOM"]),
        (value(4, b"language", b'"\xff"'), [":4: byte ", "UTF-8"]),
        (line(5, b'"language":', b'"mood":1,"language":'), [":5: mood", "Remove"]),
        (value(6, b"private_data", b"NaN"), [":6: NaN"]),
        (value(7, b"doc_id", b'"m1","doc_id":"m1"'), [":7: key 'doc_id' stands twice"]),
        (value(8, b"doc_id", b'"M 8"'), [":8: doc_id"]),
        (value(9, b"status", b'"fine"'), [":9: rights.status", "fine"]),
        (twice(1), ["stands twice", "Keep one"]),
    ],
)
def test_a_corpus(project, refused, change, words):
    project.spoil(ITEMS, change)
    project.repin_corpus()
    refused(project, ITEMS, *words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (twice(1), ["is audited twice", "Keep one"]),
        (lines(lambda found: found.pop(0)), ["no line for m", "Audit every item"]),
        (value(1, b"doc_id", b'"m9999"'), [":1: doc_id m9999 is not in the corpus"]),
        (value(1, b"safety", b'"very safe"'), [":1: safety"]),
    ],
)
def test_a_safety_audit(project, refused, change, words):
    project.spoil(AUDIT, change)
    project.pin()
    refused(project, AUDIT, *words)


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        (QUERIES, value(1, b"slice", b'"animals"'), [":1: slice", "animals"]),
        (QUERIES, twice(2), ["stands twice"]),
        (QUERIES, line(2, b"{", b"{'"), [":2: not JSON"]),
        (QUERIES, lambda data: BOM + data, [":1: starts with a byte order mark"]),
        (QUERIES, value(1, b"text", b'"john\\rcena"'), [":1: text", "control character"]),
        (QUERIES, value(1, b"text", b'" \\u00a0"'), [":1: text", "blank"]),
        (JUDGEMENTS, value(1, b"grade", b"3.4"), [":1: grade", "3.4"]),
        (JUDGEMENTS, value(1, b"grade", b"NaN"), [":1: NaN"]),
        (JUDGEMENTS, value(1, b"doc_id", b'"m9999"'), [":1: ", "m9999", "not in the corpus"]),
    ],
)
def test_a_partition(project, refused, name, change, words):
    project.spoil(name, change)
    project.repin_partition()
    refused(project, name, *words)


def test_a_partition_of_another_corpus(project, refused):
    other = "sha256:" + "1" * 64
    project.edit(f"{PARTITION}/partition.json", lambda card: card.update(corpus=other))
    project.pin()
    refused(project, "partition.json", f"made for corpus {other}")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (line(1, b'"text":"', b'"text":"\\u0015'), [":1: text", "control character"]),
        (line(2, b'"text":"', b'"words":"'), [":2: "]),
        (line(2, b"{", b"{{"), [":2: not JSON"]),
    ],
)
def test_a_warm_up_list(project, refused, change, words):
    project.spoil(WARMUP, change)
    project.pin()
    refused(project, WARMUP, *words)


@pytest.mark.parametrize("words", [["build", "--require-pinned"], ["build"]])
def test_a_lock_file_with_a_wrong_digest_stops_the_build(project, words, tmp_path):
    """No service is asked for a file whose digest is no digest."""
    project.edit("images/locks/wheels.json", lambda lock: lock["files"][0].update(digest="0"))
    said = project.bench(*words, MAMBO_CACHE=str(tmp_path / "cache"))
    assert (said.status, said.out, said.err.count("\n")) == (65, "", 1), said
    assert "images/locks/wheels.json" in said.err
