"""The order of the results, and what is no result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mambomeme.corpus import read_corpus
from mambomeme.faults import StartError
from mambomeme.index import build, load, write
from mambomeme.ranking import Ranking
from mambomeme.settings import parse_settings

from tests.system.memes import SYSTEM, item, write_corpus

PLAIN = json.loads((SYSTEM / "configuration.json").read_bytes())


def ranking(folder: Path, items: list[dict[str, Any]], **changes: Any) -> Ranking:
    corpus = read_corpus(write_corpus(folder, items))
    write(build(corpus), folder / "index")
    return Ranking(corpus, load(folder / "index"), parse_settings(json.dumps(PLAIN | changes), "here"))


def found(ranked: Ranking, text: str, limit: int = 10) -> list[str]:
    return [meme.doc_id for meme in ranked.search(text, limit)]


def others(count: int) -> list[dict[str, Any]]:
    return [item(f"z{number:02}", title=f"filler {number}") for number in range(count)]


def test_more_matches_come_first(tmp_path: Path) -> None:
    items = [item("a", title="one bonk"), item("b", title="bonk doge bonk"), *others(9)]
    assert found(ranking(tmp_path, items), "bonk doge")[0] == "b"


def test_equal_scores_follow_the_doc_id(tmp_path: Path) -> None:
    items = [item(doc_id, title="bonk") for doc_id in ("m9", "m10", "m1")]
    assert found(ranking(tmp_path, [*items, *others(9)]), "bonk") == ["m1", "m10", "m9"]


def test_scores_that_differ_below_the_fifth_digit_are_equal(tmp_path: Path) -> None:
    weights = {field: 1e-9 if field == "meaning" else 1.0 for field in PLAIN["weights"]}
    items = [item("b", title="bonk", meaning="bonk"), item("a", title="bonk"), *others(9)]
    assert found(ranking(tmp_path, items, weights=weights), "bonk") == ["a", "b"]


@pytest.mark.parametrize("limit", [1, 3, 10])
def test_the_limit_takes_a_prefix(tmp_path: Path, limit: int) -> None:
    items = [item(f"m{number:02}", title="bonk " * (1 + number % 3)) for number in range(14)]
    ranked = ranking(tmp_path, [*items, *others(40)])
    assert found(ranked, "bonk", limit) == found(ranked, "bonk")[:limit]
    assert len(found(ranked, "bonk", limit)) == limit


def test_function_words_alone_find_nothing(tmp_path: Path) -> None:
    ranked = ranking(tmp_path, [item("a", title="the end of the bonk"), *others(9)])
    assert found(ranked, "The of THE") == []
    assert found(ranked, "the bonk") == ["a"]


def test_what_is_nowhere_finds_nothing(tmp_path: Path) -> None:
    assert found(ranking(tmp_path, others(5)), "zxqv 🎺 --") == []


@pytest.mark.parametrize(("threshold", "results"), [(2.345866, ["a"]), (2.345867, [])])
def test_a_score_below_the_threshold_is_no_result(tmp_path: Path, threshold: float, results: list[str]) -> None:
    # By hand: one title of ten holds the word, so its idf is ln(9.5 / 1.5) = 1.8458267; the title has 1 token where the
    # mean is 1.9, so the rest is 2.5 / (1 + 1.5 (0.25 + 0.75 / 1.9)) = 1.2709030. The score is 2.3458667.
    items = [item("a", title="bonk"), *others(9)]
    assert found(ranking(tmp_path, items, threshold=threshold), "bonk") == results


def test_a_score_at_the_threshold_is_no_result(tmp_path: Path) -> None:
    weightless = dict.fromkeys(PLAIN["weights"], 0.0) | {"visual": 1.0}
    items = [item("a", title="bonk"), *others(9)]
    assert found(ranking(tmp_path, items, weights=weightless, threshold=0.0), "bonk") == []


def test_a_weight_of_nothing_silences_a_field(tmp_path: Path) -> None:
    items = [item("a", title="bonk"), item("b", visual="bonk"), *others(9)]
    silent = PLAIN["weights"] | {"title": 0.0}
    assert found(ranking(tmp_path, items, weights=silent), "bonk") == ["b"]


def test_an_index_of_another_corpus_is_refused(tmp_path: Path) -> None:
    first = read_corpus(write_corpus(tmp_path / "1", [item("a")]))
    second = read_corpus(write_corpus(tmp_path / "2", [item("a", title="other")]))
    write(build(first), tmp_path / "index")
    with pytest.raises(StartError, match="made from corpus sha256"):
        Ranking(second, load(tmp_path / "index"), parse_settings(json.dumps(PLAIN), "here"))
