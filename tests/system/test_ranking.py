"""The order of the results by each set of routes, what is no result, and what each result says of its routes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mambomeme import embedding
from mambomeme.corpus import read_corpus
from mambomeme.dense import open_dense
from mambomeme.encoder import Encoder
from mambomeme.faults import StartError
from mambomeme.index import build, load, require_corpus, write
from mambomeme.ranking import Ranking
from mambomeme.settings import parse_settings, plain
from mambomeme.signals import Signals, Verdict

from tests.system.memes import item, write_corpus
from tests.system.models import models_folder
from tests.system.test_settings import configuration

ALWAYS = plain(Verdict(1.0))
BAKER = item(
    "b",
    template="Bakery",
    title="Oven day",
    tags=["bread"],
    ocr_text="",
    visual="a baker",
    meaning="baking bread at home",
)
SAILOR = item(
    "s",
    template="Harbour",
    title="High tide",
    tags=["sea"],
    ocr_text="",
    visual="a boat",
    meaning="sailing across the ocean",
)


def ranking(folder: Path, items: list[dict[str, Any]], name: str = "bm25", shown: Any = ALWAYS) -> Ranking:
    corpus = read_corpus(write_corpus(folder, items))
    settings = parse_settings(json.dumps(configuration(name) | {"shown": shown}), "here")
    if settings.dense is None:
        write(build(corpus), folder / "index")
        return Ranking(corpus, load(folder / "index"), settings, None)
    write(build(corpus, embedding.build(corpus, models_folder())), folder / "index")
    dense = open_dense(Encoder(models_folder()), folder / "index", corpus, settings.dense)
    return Ranking(corpus, load(folder / "index"), settings, dense)


def found(ranked: Ranking, text: str, limit: int = 10) -> list[str]:
    return [result.meme.doc_id for result in ranked.search(text, limit)]


def others(count: int) -> list[dict[str, Any]]:
    return [item(f"z{number:02}", title=f"filler {number}", template=f"Other {number}") for number in range(count)]


def test_equal_scores_follow_the_doc_id(tmp_path: Path) -> None:
    items = [item(doc_id, title="bonk") for doc_id in ("m9", "m10", "m1")]
    assert found(ranking(tmp_path, [*items, *others(9)]), "bonk") == ["m1", "m10", "m9"]


@pytest.mark.parametrize("limit", [1, 3, 10])
def test_the_limit_takes_a_prefix(tmp_path: Path, limit: int) -> None:
    items = [item(f"m{number:02}", title="bonk " * (1 + number % 3)) for number in range(14)]
    ranked = ranking(tmp_path, [*items, *others(40)])
    assert found(ranked, "bonk", limit) == found(ranked, "bonk")[:limit]
    assert len(found(ranked, "bonk", limit)) == limit


def test_the_dense_route_finds_what_shares_no_word(tmp_path: Path) -> None:
    items = [BAKER, SAILOR, *others(9)]
    assert found(ranking(tmp_path / "1", items), "pastry chef") == []
    for number, name in enumerate(("dense", "hybrid"), 2):
        assert found(ranking(tmp_path / str(number), items, name), "pastry chef")[0] == "b"


def test_each_result_names_the_routes_that_found_it(tmp_path: Path) -> None:
    ranked = ranking(tmp_path, [BAKER, SAILOR, *others(9)], "hybrid")
    routes = {result.meme.doc_id: result.routes for result in ranked.search("sailing", 10)}
    assert (routes["s"], routes["b"]) == (("lexical", "dense"), ("dense",))
    assert ranking(tmp_path / "dense", [BAKER], "dense").search("bread", 10)[0].routes == ("dense",)


@pytest.mark.parametrize("name", ["bm25", "dense", "hybrid"])
def test_filters_hold_for_every_result(tmp_path: Path, name: str) -> None:
    ranked = ranking(tmp_path, [BAKER, SAILOR, *others(5)], name)
    assert found(ranked, "tag:sea bread") in ([], ["s"])
    assert found(ranked, "tag:sea ocean") == ["s"]
    assert found(ranked, "tag:nothing ocean") == []


def test_filters_alone_list_what_they_leave(tmp_path: Path) -> None:
    ranked = ranking(tmp_path, [SAILOR, BAKER, item("a", tags=["sea"])])
    assert found(ranked, "tag:sea") == ["a", "s"]
    assert found(ranked, "tag:nothing") == []


@pytest.mark.parametrize(("least", "expected"), [(0.9, ["b"]), (1.0, [])])
def test_where_the_signals_say_no_nothing_is_shown(tmp_path: Path, least: float, expected: list[str]) -> None:
    # All of the query's content stands in one item, so coverage is 1, and shown is what lies above.
    rule = plain(Verdict(-least, Signals(coverage=1.0)))
    assert found(ranking(tmp_path, [BAKER, *others(9)], shown=rule), "bread") == expected


def test_an_index_of_another_corpus_is_refused(tmp_path: Path) -> None:
    first = read_corpus(write_corpus(tmp_path / "1", [item("a")]))
    second = read_corpus(write_corpus(tmp_path / "2", [item("a", title="other")]))
    write(build(first), tmp_path / "index")
    with pytest.raises(StartError, match="made from corpus sha256"):
        require_corpus(load(tmp_path / "index"), second)
