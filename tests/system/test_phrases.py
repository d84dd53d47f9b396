"""Order and adjacency, worked by hand and against plain counting."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mambomeme.bm25 import Parameters, Scorer, count_postings
from mambomeme.corpus import Meme
from mambomeme.names import Names, initials
from mambomeme.passages import RunningTexts, passages
from mambomeme.phrases import PairScorer, count_pairs, longest_run

WORDS = st.lists(st.sampled_from(["that", "sign", "cant", "stop", "me", "i", "read"]), max_size=8)


def meme(title: str, quote: str = "", aliases: tuple[str, ...] = (), template: str = "") -> Meme:
    blank = Meme.__new__(Meme, *([""] * len(Meme._fields)))
    return blank._replace(title=title, quote=quote, aliases=aliases, entities=(), template=template, franchise="")


def running(one: Meme) -> str:
    return RunningTexts(passages([meme("another"), one])).of(1)


def test_pairs_worked_by_hand() -> None:
    pairs = count_pairs(passages([meme("a b a b"), meme("b a", quote="a b\nc")]))
    found = [(pairs.words[left], pairs.words[right]) for left, right in zip(pairs.left, pairs.right, strict=True)]
    assert list(zip(found, pairs.document.tolist(), strict=True)) == [
        (("a", "b"), 0),
        (("a", "b"), 1),
        (("b", "a"), 0),
        (("b", "a"), 1),
        (("b", "c"), 1),
    ]
    assert pairs.lengths.tolist() == [2, 3]


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_pairs_score_like_terms(titles: list[list[str]]) -> None:
    memes = [meme(" ".join(words)) for words in titles]
    scorer = PairScorer(count_pairs(passages(memes)), 2.0, Parameters())
    terms = [list(dict.fromkeys(f"{left} {right}" for left, right in pairwise(words))) for words in titles]
    plain = Scorer([(count_postings(terms), 2.0)], Parameters())
    for left, right in [("that", "sign"), ("cant", "cant"), ("me", "i")]:
        (hits,), wanted = scorer.hits((left, right)), plain.hits(f"{left} {right}")
        assert hits.documents.tolist() == wanted.documents.tolist()
        assert hits.impacts.tolist() == pytest.approx(wanted.impacts.tolist())


def test_a_phrase_is_held_where_all_its_pairs_are() -> None:
    memes = [meme("stop me sign"), meme("sign stop me"), meme("me", quote="I CAN'T\nSTOP ME")]
    scorer = PairScorer(count_pairs(passages(memes)), 1.0, Parameters())
    assert scorer.holding(("cant", "stop", "me")).tolist() == [2]
    assert scorer.holding(("stop", "me")).tolist() == [0, 1, 2]
    assert scorer.holding(("stop", "it")).tolist() == []


def test_each_word_but_the_last_has_the_documents_in_which_the_next_follows() -> None:
    scorer = PairScorer(count_pairs(passages([meme("stop me sign"), meme("sign stop me")])), 1.0, Parameters())
    found = scorer.hits(("it", "sign", "stop", "me", "me"))
    assert [hits.documents.tolist() for hits in found] == [[], [1], [0, 1], []]
    assert scorer.hits(("stop",)) == scorer.hits(()) == []
    assert [
        hits.documents.tolist() for hits in PairScorer(count_pairs(passages([])), 1.0, Parameters()).hits("ab")
    ] == [[]]


@pytest.mark.parametrize(
    ("query", "run"),
    [
        ("that sign cant stop me", 5),
        ("sign that cant stop me", 3),
        ("me stop cant", 1),
        ("because i cant read it", 4),
        ("me because", 2),
        ("picard facepalm that", 1),
        ("nothing at all", 0),
        ("", 0),
    ],
)
def test_runs_worked_by_hand(query: str, run: int) -> None:
    text = running(meme("Facepalm", quote="THAT SIGN CAN'T STOP ME\nBECAUSE I CAN'T READ!"))
    assert longest_run(query.split(), [text]) == run


def test_the_longest_run_of_several_texts_counts() -> None:
    texts = [running(meme(title)) for title in ("sign that", "that sign cant stop me", "stop")]
    assert longest_run(["that", "sign", "me"], texts) == longest_run(["that", "sign", "me"], texts[::-1]) == 2


@given(WORDS, WORDS)
def test_a_run_is_the_longest_common_stretch(query: list[str], title: list[str]) -> None:
    def stretches(words: list[str]) -> set[tuple[str, ...]]:
        return {tuple(words[first:last]) for first in range(len(words)) for last in range(first + 1, len(words) + 1)}

    text = running(meme(" ".join(title)))
    assert longest_run(query, [text]) == max(map(len, stretches(query) & stretches(title)), default=0)


def test_names_are_found_whatever_their_blanks_and_marks() -> None:
    names = Names(passages([meme("x", template="Why Not Zoidberg?"), meme("y", aliases=("face palm", "bare feet"))]))
    for typed, spans in {
        "why not zoidberg": [(0, 3, 0)],
        "whynotzoidberg please": [(0, 1, 0)],
        "facepalm": [(0, 1, 1)],
        "bare feet": [(0, 2, 1)],
        "not zoidberg": [],
    }.items():
        found = names.exact(typed.split())
        assert [(name.first, name.last, *name.documents.tolist()) for name in found] == spans


def test_names_typed_with_errors() -> None:
    names = Names(passages([meme("x", aliases=("hide the pain harold",)), meme("y", aliases=("john cena",))]))

    def like(typed: str, sounds: str = "") -> list[tuple[int, ...]]:
        found = names.like(typed.split(), sounds.split(), [(0, len(typed.split()))], 0.7)
        return [(name.last, *name.documents.tolist()) for name in found]

    assert like("hide the pain herald") == [(4, 0)]
    assert like("jon sina", "Jn sn") == [(2, 1)]
    assert like("john wick", "Jn k") == []
    assert like("joh") == []


def test_initials_worked_by_hand() -> None:
    memes = [meme("", template="Good Guy Greg"), meme("", template="Trollface"), meme("", template="Get Good Grades")]
    assert initials(memes) == {"ggg": (("good", "guy", "greg"), ("get", "good", "grades"))}
