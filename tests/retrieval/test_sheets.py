"""Sheets: blind, each in an order of its own, the same from the same seed; and what comes back from them."""

from __future__ import annotations

import json
from itertools import groupby

import pytest

from runner.documents import Source, to_lines
from runner.errors import BadInput
from runner.retrieval.items import Safety
from runner.retrieval.judgements import Role
from runner.retrieval.questions import read_questions
from runner.retrieval.sheets import Draw, Given, SheetRow, draw_rows, judgements_of, key_of
from runner.workflows.judge import deal, open_sheet, slug
from tests.retrieval.small_benchmark import default_items, default_rows, item, lines

ITEMS = [
    *default_items()[:9],
    item(
        "m1",
        title="What the title says",
        entities=["Ann", "Ben"],
        franchise="Show",
        ocr_text="TWO\nLINES",
        visual="seen",
        meaning="meant",
        tags=["t"],
        language="pt",
        safety="unsafe",
    ),
]
QUESTIONS = read_questions(
    Source("queries.jsonl", lines(default_rows("sha256:" + "0" * 64)["queries.jsonl"])),
    Source("items.jsonl", lines(ITEMS)),
)
PAIRS = [(query_id, doc_id) for query_id in sorted(QUESTIONS.topics)[:6] for doc_id in QUESTIONS.items]
POOL = Source("pool.jsonl", lines([{"query_id": q, "doc_id": d} for q, d in PAIRS]))
ANA, BEN = Draw("human:ana", Role.FIRST, 7), Draw("human:ben", Role.SECOND, 7)


def rows(draw: Draw = ANA) -> tuple[SheetRow, ...]:
    return draw_rows(PAIRS, QUESTIONS.topics, QUESTIONS.items, draw)


def order(draw: Draw) -> list[tuple[str, str]]:
    ids = {key_of(draw, pair): pair for pair in PAIRS}
    return [ids[row.pair] for row in rows(draw)]


def test_every_pair_stands_once_whoever_judges():
    assert sorted(order(ANA)) == sorted(order(BEN)) == sorted(PAIRS)
    assert [row.number for row in rows()] == list(range(1, len(PAIRS) + 1))


def test_a_row_is_the_query_and_the_item_and_no_answer():
    (row,) = (row for row in rows() if row.title == "What the title says" and row.query == "words for entity 1")
    assert json.loads(row.canonical()) == {
        "number": row.number,
        "pair": row.pair,
        "query": "words for entity 1",
        "title": "What the title says",
        "template": "m1",
        "entities": ["Ann", "Ben"],
        "aliases": [],
        "franchise": "Show",
        "action": "",
        "tags": ["t"],
        "ocr_text": "TWO\nLINES",
        "visual": "seen",
        "meaning": "meant",
        "language": "pt",
        "preview": "previews/m1.png",
        "grade": None,
        "safety": None,
        "note": "",
    }


def test_no_sheet_tells_the_kind_of_query_or_the_class_claimed():
    text = to_lines(rows()).decode()
    assert not any(query_id in text for query_id in QUESTIONS.topics)
    assert "unsafe" not in text


def test_the_same_seed_gives_the_same_sheet_whatever_the_order_of_the_pool():
    assert draw_rows(reversed(PAIRS), QUESTIONS.topics, QUESTIONS.items, ANA) == rows()


def test_another_seed_and_another_annotator_give_another_order_of_queries_and_of_items():
    for other in (BEN, ANA._replace(seed=8)):
        assert [q for q, _ in groupby(q for q, _ in order(ANA))] != [q for q, _ in groupby(q for q, _ in order(other))]
        first = order(ANA)[0][0]
        assert [d for q, d in order(ANA) if q == first] != [d for q, d in order(other) if q == first]


def test_the_items_of_a_query_follow_each_other():
    assert len([q for q, _ in groupby(q for q, _ in order(ANA))]) == 6


def test_lots_are_spread_evenly():
    """Which of ten items comes first is a matter of luck: over 200 seeds, each about 20 times."""
    pairs = [("q-entity-1", doc_id) for doc_id in QUESTIONS.items]
    firsts = []
    for seed in range(200):
        drawn = draw_rows(pairs, QUESTIONS.topics, QUESTIONS.items, ANA._replace(seed=seed))
        firsts.append(drawn[0].title)
    assert len(set(firsts)) == 10
    assert all(5 <= firsts.count(title) <= 40 for title in set(firsts))


def test_the_seed_and_all_it_was_drawn_from_are_recorded():
    sheet, _ = deal(POOL, QUESTIONS, [ANA, BEN])
    card = json.loads(sheet.card.canonical())
    assert (card["annotator"], card["role"], card["seed"], card["rows"]) == ("human:ana", "first", 7, len(PAIRS))
    assert card["corpus"] == QUESTIONS.corpus
    assert card["queries"] == QUESTIONS.queries


def test_a_changed_sheet_is_not_opened():
    (sheet,) = deal(POOL, QUESTIONS, [ANA])
    card, data = Source("sheet.json", sheet.card.pretty()), to_lines(sheet.rows)
    assert open_sheet(card, Source("sheet.jsonl", data)) == sheet
    with pytest.raises(BadInput, match=r"^sheet\.jsonl: expected sha256:"):
        open_sheet(card, Source("sheet.jsonl", data.replace(b"seen", b"sawn", 1)))


@pytest.mark.parametrize("other", [ANA, BEN._replace(annotator="human:ana"), BEN._replace(role=Role.FIRST)])
def test_two_sheets_are_for_two_people_in_two_roles(other):
    with pytest.raises(BadInput, match="named twice"):
        deal(POOL, QUESTIONS, [ANA, other])


def test_an_empty_pool_gives_no_sheet():
    with pytest.raises(BadInput, match=r"^pool\.jsonl: holds no pair"):
        deal(Source("pool.jsonl", b""), QUESTIONS, [ANA])


def given(pair: str, place: str = "ana.csv:2") -> Given:
    return Given(place, pair, 2, Safety.SENSITIVE, "a note", "2026-12-01T00:00:00Z")


def test_answers_become_acts_on_the_ids_of_the_pool():
    (sheet,) = deal(POOL, QUESTIONS, [BEN])
    (found,) = judgements_of(sheet.card, PAIRS, [given(key_of(BEN, PAIRS[3]))])
    assert json.loads(found.canonical()) == {
        "query_id": PAIRS[3][0],
        "doc_id": PAIRS[3][1],
        "annotator": "human:ben",
        "role": "second",
        "grade": 2,
        "safety": "sensitive",
        "at": "2026-12-01T00:00:00Z",
    }


def test_an_answer_for_no_pair_or_for_the_same_pair_again_is_refused():
    (sheet,) = deal(POOL, QUESTIONS, [ANA])
    own = key_of(ANA, PAIRS[0])
    with pytest.raises(BadInput, match=r"^ana\.csv:2: [0-9a-f]{16} is no pair of this sheet"):
        judgements_of(sheet.card, PAIRS, [given(key_of(BEN, PAIRS[0]))])
    with pytest.raises(BadInput, match=r"^ana\.csv:9: [0-9a-f]{16} stands in ana\.csv:2 too"):
        judgements_of(sheet.card, PAIRS, [given(own), given(own, "ana.csv:9")])


def test_a_folder_is_named_after_its_annotator():
    assert slug(Role.FIRST, "human:José d'Or/x") == "first-human-José-d-Or-x"
