"""The lexical route: small corpora worked by hand, and laws on the bundled one."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mambomeme.bm25 import Scorer
from mambomeme.corpus import FIELDS, Meme, read_corpus
from mambomeme.filters import Filters
from mambomeme.index import build, load, write
from mambomeme.lexical import Answer, LexicalParameters, LexicalRoute
from mambomeme.query import parse_query
from mambomeme.tokens import tokens

from tests.system.memes import item, write_corpus

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "images" / "corpus"
PLAIN = LexicalParameters()

Ask = Callable[[str], Answer]


class Searched:
    """A corpus with its route and filters."""

    def __init__(self, corpus: Path, folder: Path, parameters: LexicalParameters = PLAIN) -> None:
        read = read_corpus(corpus)
        write(build(read), folder)
        self.memes, self.index = read.memes, load(folder)
        self.route, self.filters = LexicalRoute(self.memes, self.index, parameters), Filters(self.memes)

    def answer(self, text: str, depth: int = 10) -> Answer:
        query = parse_query(text)
        return self.route.answer(query, self.filters.mask(query.filters), depth)

    def found(self, text: str, depth: int = 10) -> list[str]:
        return [self.memes[at].doc_id for at in self.answer(text, depth).found.documents.tolist()]


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    return Searched(CORPUS, tmp_path_factory.mktemp("index"))


@pytest.fixture
def small(tmp_path: Path) -> Callable[[Sequence[dict[str, Any]]], Searched]:
    def build_small(items: Sequence[dict[str, Any]]) -> Searched:
        fillers = [bare(f"z{at:02}", title=f"filler number {at}") for at in range(20)]
        return Searched(write_corpus(tmp_path / "corpus", [*items, *fillers]), tmp_path / "index")

    return build_small


def bare(doc_id: str, **changes: Any) -> dict[str, Any]:
    nothing = {"entities": [], "tags": [], "ocr_text": "", "visual": "", "meaning": "", "title": "", "template": doc_id}
    return item(doc_id, **(nothing | changes))


def test_order_tells_equal_words_apart(small: Callable[..., Searched]) -> None:
    searched = small([bare("a", ocr_text="MAN BITES DOG"), bare("b", ocr_text="DOG BITES MAN")])
    assert searched.found("dog bites man") == ["b", "a"]
    assert searched.found("man bites dog") == ["a", "b"]


def test_a_quoted_phrase_comes_first(small: Callable[..., Searched]) -> None:
    items = [
        bare("a", ocr_text="the ring that rules", title="ring rules ring", visual="ring rules"),
        bare("b", ocr_text="one\nring rules them"),
    ]
    searched = small(items)
    assert searched.found("ring rules")[0] == "a"
    assert searched.found('"one ring rules"')[0] == "b"


@pytest.mark.parametrize(
    "typed", ["ackbar", "akbar", "ackbarr", "ACKBAR!!", "admiralackbar", "admiral akbra", "admirl ackbar"]
)
def test_a_name_is_found_however_it_is_typed(small: Callable[..., Searched], typed: str) -> None:
    searched = small([bare("a", entities=["Admiral Ackbar"]), bare("b", entities=["Admiral Nelson"])])
    assert searched.found(typed)[0] == "a"


def test_the_memes_of_a_template_come_together(small: Callable[..., Searched]) -> None:
    items = [
        bare("a", template="Facepalm", visual="bald captain with a hand on his face"),
        bare("b", template="Facepalm", title="my code on friday"),
        bare("c", template="Else", visual="bald eagle on a rock by the sea"),
    ]
    assert small(items).found("bald captain hand") == ["a", "b", "c"]


def test_a_filter_finds_what_its_template_says(small: Callable[..., Searched]) -> None:
    items = [
        bare("a", template="Adam", visual="two hands nearly touching"),
        bare("b", template="Adam", title="l'ultima fetta", language="it"),
        bare("c", template="Else", title="altra cosa", language="it"),
    ]
    assert small(items).found("two hands touching lang:it") == ["b"]


def test_filters_alone_list_what_they_leave(small: Callable[..., Searched]) -> None:
    items = [bare("b", tags=["cats"]), bare("a", tags=["cats"]), bare("c", tags=["dogs"])]
    searched = small(items)
    assert searched.found("tag:cats") == ["a", "b"]
    assert searched.found("memes tag:cats") == ["a", "b"]
    assert searched.found("tag:unicorns") == []
    assert searched.found("cats tag:unicorns") == []


def test_evidence_worked_by_hand(small: Callable[..., Searched]) -> None:
    items = [bare("a", entities=["Inigo Montoya"], ocr_text="YOU KEEP USING THAT WORD"), bare("b", title="montoya")]
    searched = small(items)
    whole = searched.answer("inigo montoya").evidence
    assert whole.coverage[0] == pytest.approx(1)
    assert (whole.named, whole.run, whole.words, whole.unknown) == (pytest.approx(1), 2, 2, 0)
    quote = searched.answer("you keep using that phrase").evidence
    assert (quote.run, quote.words, quote.unknown, quote.guessed) == (4, 5, 1, 0)
    # "using" and "keep" stand in one document of 22, "phrase" in none: idf ln(23 / 1.5) twice and ln(23 / 0.5)
    assert quote.coverage[0] == pytest.approx(2 * 2.730029 / (2 * 2.730029 + 3.828641), abs=1e-6)
    guess = searched.answer("inigoo").evidence
    assert (guess.unknown, guess.guessed) == (1, 1)
    assert 0.5 < guess.coverage[0] < 1
    nothing = searched.answer("zqxv").evidence
    assert (nothing.coverage.tolist(), nothing.named, nothing.run) == ([], 0, 0)


def test_without_its_additions_it_scores_like_the_fields(bundled: Searched, tmp_path: Path) -> None:
    """With known words of one form, no order, no names and no sharing, what is left is the weighted sum of BM25."""
    bare_parameters = PLAIN._replace(
        weights=dict.fromkeys(FIELDS, 1.0), pairs=0.0, names=0.0, template=0.0, bare=1.0, filler=1.0
    )
    route = LexicalRoute(bundled.memes, bundled.index, bare_parameters)
    scorer = Scorer([(bundled.index.fields[field], 1.0) for field in FIELDS], bare_parameters.bm25)
    for text in ("boromir", "kabosu sherlock", "zoidberg"):
        found = route.find(parse_query(text), None, 50)
        np.testing.assert_allclose(found.scores, scorer.scores(tokens(text))[found.documents], rtol=1e-12)
        assert len(found.documents)


TYPED = ["john cena", "that sign can't stop me", "one does not simply", "green frog on a unicycle", "l33roy jenkins"]


@pytest.mark.parametrize("text", TYPED)
def test_case_blanks_and_marks_do_not_matter(bundled: Searched, text: str) -> None:
    wanted = bundled.found(text)
    assert wanted
    for typed in (text.upper(), f"  {text.title()} !!!", text.replace(" ", "  — "), text.replace("'", "\u2019")):
        assert bundled.found(typed) == wanted
    assert bundled.found(text.replace("'", "")) == wanted


def test_a_smaller_depth_is_a_prefix(bundled: Searched) -> None:
    for text in TYPED:
        assert bundled.found(text, 3) == bundled.found(text, 40)[:3]


def test_scores_fall_and_ties_follow_the_document(bundled: Searched) -> None:
    for text in [*TYPED, "cat", "work", "this is fine"]:
        found = bundled.answer(text, 100).found
        keys = [
            (-round(score, 5), at) for score, at in zip(found.scores.tolist(), found.documents.tolist(), strict=True)
        ]
        assert keys == sorted(keys)
        assert (found.scores > 0).all()


def test_a_filter_leaves_a_part_of_its_items(bundled: Searched) -> None:
    allowed: dict[str, Callable[[Meme], bool]] = {
        "lang:it": lambda meme: meme.language == "it",
        "from:futurama": lambda meme: "futurama" in (meme.franchise + meme.template).casefold(),
        "safe:yes": lambda meme: meme.safety == "safe",
    }
    by_id = {meme.doc_id: meme for meme in bundled.memes}
    for text in [*TYPED, "cat", "fry", "pizza", "zqxv"]:
        for condition, holds in allowed.items():
            assert all(holds(by_id[doc_id]) for doc_id in bundled.found(f"{text} {condition}", 50))


def mistype(name: str, dice: random.Random) -> str:
    """`name` with one letter left out, doubled, or changed places with the next, not at the ends of a word."""
    places = [at for at in range(1, len(name) - 2) if name[at - 1 : at + 3].isalpha()]
    at = dice.choice(places)
    return dice.choice(
        [
            name[:at] + name[at + 1 :],
            name[:at] + name[at] + name[at:],
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        ]
    )


def test_one_typing_error_in_a_name_keeps_the_item_in_the_ten(bundled: Searched) -> None:
    dice, asked, kept = random.Random(11), 0, 0
    for meme in bundled.memes:
        name = meme.template
        if name.isascii() and len(name) > 9 and any(len(word) > 5 and word.isalpha() for word in name.split()):
            asked += 1
            typed = " ".join(
                mistype(word, dice) if word == max(name.split(), key=len) and len(word) > 5 and word.isalpha() else word
                for word in name.split()
            )
            siblings = {other.doc_id for other in bundled.memes if other.template == name}
            kept += bool(siblings & set(bundled.found(typed)))
    assert asked > 300
    assert kept >= 0.99 * asked


def test_nothing_unsafe_is_found_whatever_is_asked(bundled: Searched) -> None:
    """Thousands of queries made of the words of the very items that must not be shown."""
    classes = {
        entry["doc_id"]: entry["safety"]
        for entry in map(json.loads, (ROOT / "manifests/safety_audit.jsonl").read_text("utf-8").splitlines())
    }
    items = [json.loads(line) for line in (CORPUS / "items.jsonl").read_text("utf-8").splitlines()]
    shown = {
        found["doc_id"]
        for found in items
        if classes[found["doc_id"]] in {"safe", "sensitive"}
        and found["rights"]["status"] == "cleared"
        and not found["private_data"]
    }
    dice = random.Random(23)
    held = [found for found in items if found["doc_id"] not in shown]
    assert len(held) > 80
    for _ in range(1500):
        found = dice.choice(held)
        words = f"{found['title']} {found['ocr_text']} {found['meaning']} {' '.join(found['tags'])}".split()
        text = " ".join(dice.sample(words, min(dice.randint(1, 6), len(words))))
        extra = dice.choice(["", " safe:no", " nsfw uncensored", f" {found['doc_id']}", f' "{found["title"]}"'])
        assert set(bundled.found(text + extra)) <= shown
