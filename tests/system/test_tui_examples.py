"""The opening screen's examples are good first searches of the bundled corpus."""

from __future__ import annotations

import json
import shutil

import pytest
from mambomeme.corpus import read_corpus
from mambomeme.engine import load
from mambomeme.index import build, write
from mambomeme.ranking import Ranking

from images.mambomeme.mambomeme.tui.words import EXAMPLES
from tests.system.engines import BM25
from tests.system.memes import SYSTEM

CORPUS = SYSTEM.parent / "corpus"
GROUPS = {
    "john cena": "john-cena",
    "one does not simply": "one-does-not-simply",
    "woman yelling at a cat": "woman-yelling-at-cat",
    "pretending everything is fine": "this-is-fine",
}


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Ranking:
    """The bundled system with the configuration that needs no model."""
    folder = tmp_path_factory.mktemp("system")
    for name in ("system.json", "configuration.json"):
        shutil.copy(SYSTEM / name, folder)
    write(build(read_corpus(CORPUS)), folder / "index")
    environment = {"MAMBO_CORPUS": str(CORPUS), "MAMBO_CONFIGURATION": json.dumps(BM25)}
    return load(environment, folder)().ranking


@pytest.fixture(scope="module")
def groups() -> dict[str, str]:
    lines = (CORPUS / "items.jsonl").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return {record["doc_id"]: record["template_group"] for record in map(json.loads, lines)}


def test_each_example_is_known_here() -> None:
    assert sorted(EXAMPLES) == sorted(GROUPS)


@pytest.mark.parametrize(("example", "group"), GROUPS.items(), ids=GROUPS.keys())
def test_an_example_finds_its_template_first(
    bundled: Ranking, groups: dict[str, str], example: str, group: str
) -> None:
    first, second, *_ = bundled.search(example, 10)
    assert [groups[first.meme.doc_id], groups[second.meme.doc_id]] == [group, group]
