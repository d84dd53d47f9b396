"""Which files are spoilt, and at which changes publishers are killed, where there are more than are tried."""

import itertools
import json

import pytest

from runner.driver.suites.release_files import read_release
from runner.driver.suites.spoiling import MOST_FILES, spoils, spread

#: The files of a release with vectors: by name the two that a search needs most come last.
NAMES = ["corpus.json", "index/bm25.bin", "index/grams.bin", "index/ids.json", "index/terms.json"]
NAMES += ["index/titles.json", "index/vectors.npy", "items.jsonl"]


@pytest.fixture
def changed(tmp_path):
    """The files of which a byte is changed, in a release of these sizes by name."""

    def of(sizes):
        for name, size in sizes.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(b"x" * size)
        card = {"corpus": "c", "index": "i", "model": None, "files": dict.fromkeys(sizes, "d")}
        (tmp_path / "release.json").write_text(json.dumps(card))
        found = [name for rule, name, _ in spoils(read_release(str(tmp_path), "a")) if rule == "refuses-changed-files"]
        return [name.removeprefix("a byte of ") for name in found]

    return of


@pytest.mark.parametrize("largest", NAMES)
def test_the_largest_file_is_always_among_those_that_are_changed(changed, largest):
    found = changed({name: 9 if name == largest else 3 for name in NAMES})
    assert {largest, "corpus.json", "items.jsonl"} <= set(found)
    assert len(found) == len(set(found)) <= MOST_FILES + 1


def test_of_few_files_each_is_changed(changed):
    assert changed(dict.fromkeys(NAMES[:6], 3)) == NAMES[:6]


@pytest.mark.parametrize("most", [2, 6, 9])
def test_a_spread_is_even_and_never_longer(most):
    for count in range(1, 60):
        found = spread(range(count), most)
        assert (found[0], found[-1], len(found)) == (0, count - 1, min(count, most))
        gaps = {after - before for before, after in itertools.pairwise(found)}
        assert max(gaps, default=0) - min(gaps, default=0) <= 1
