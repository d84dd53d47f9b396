"""What noisy words stand for, in a small world whose every word is known."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mambomeme.bm25 import Parameters, Scorer, count_postings
from mambomeme.grams import Grams
from mambomeme.noise import Noise, Worth, squeezed, stem
from mambomeme.slang import CONTRACTIONS, MEANINGS, SAME
from mambomeme.sounds import Sounds, sound

_KNOWN = """
awkward penguin simply mordor walk pigeon picard leeroy press to get the chopper because people cat cats smile smiling
boi can don t john cena colour waddup jenkins impostor 9000 no yes hypnotised photograph
"""
KNOWN = _KNOWN.split()
WORDS = st.text("abcdeilnorst", min_size=1, max_size=9)


@pytest.fixture(scope="module")
def noise() -> Noise:
    scorer = Scorer([(count_postings([[word] for word in KNOWN]), 1.0)], Parameters())
    return Noise(scorer, {"ggg": [("good", "guy", "greg")]}, Worth())


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cat", ["cat", "cats"]),
        ("smile", ["smile", "smiling"]),
        ("awkwardpenguin", ["awkward penguin"]),
        ("gettothechopper", ["get to the chopper"]),
        ("simoly", ["simply"]),
        ("mirdor", ["mordor"]),
        ("wslk", ["walk"]),
        ("pidgin", ["pigeon"]),
        ("picrad", ["picard"]),
        ("hipnotysed", ["hypnotised"]),
        ("l33roy", ["leeroy"]),
        ("boiiii", ["boi"]),
        ("noooo", ["no"]),
        ("cuz", ["because"]),
        ("ppl", ["people"]),
        ("dont", ["don t"]),
        ("color", ["colour"]),
        ("imposter", ["impostor"]),
        ("jon", ["john"]),
        ("ggg", ["good guy greg"]),
        ("9001", []),
        ("xq", []),
        ("zzyzxqqq", []),
    ],
)
def test_variants_worked_by_hand(noise: Noise, typed: str, meant: list[str]) -> None:
    assert [" ".join(variant.tokens) for variant in noise.variants(typed)][: len(meant) or None] == meant


@given(WORDS)
def test_a_known_word_is_itself_first_and_nothing_weighs_more(noise: Noise, typed: str) -> None:
    variants = noise.variants(typed)
    assert all(0 < variant.weight <= 1 for variant in variants)
    if typed in KNOWN:
        assert variants[0].tokens == (typed,)
        assert variants[0].weight == 1


def test_a_known_word_is_no_misspelling(noise: Noise) -> None:
    assert [variant.tokens for variant in noise.variants("walk")] == [("walk",)]


def test_one_error_weighs_more_than_two(noise: Noise) -> None:
    weights = [noise.variants(typed)[0].weight for typed in ("awkward", "awkwrd", "awkwrt")]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("jon", "john"),
        ("sina", "cena"),
        ("herald", "harold"),
        ("fone", "phone"),
        ("nite", "knight"),
        ("piknik", "picnic"),
    ],
)
def test_words_that_sound_alike(one: str, other: str) -> None:
    assert sound(one) == sound(other)
    assert Sounds().key([one, other]) == Sounds().key([other, one])


@pytest.mark.parametrize(("one", "other"), [("cat", "dog"), ("brian", "steve"), ("мем", "мим"), ("wolf", "golf")])
def test_words_that_do_not(one: str, other: str) -> None:
    assert sound(one) != sound(other)


@given(st.text())
def test_any_word_has_a_sound_a_stem_and_a_squeezed_form(word: str) -> None:
    assert isinstance(sound(word), str)
    assert isinstance(stem(word), str)
    assert squeezed(squeezed(word)) == squeezed(word)


def test_the_table_of_slang_is_one_of_words() -> None:
    assert all(meaning for meaning in (*MEANINGS.values(), *CONTRACTIONS.values(), *SAME.values()))
    assert all(word not in others for word, others in SAME.items())
    assert CONTRACTIONS["dont"] == ("don", "t")


@given(st.lists(st.text("abcd猫", max_size=8), max_size=20), st.text("abcd猫", max_size=8), st.integers(2, 3))
def test_near_texts_are_those_with_the_largest_overlap(texts: list[str], text: str, size: int) -> None:
    def grams(one: str) -> set[str]:
        whole = f"\x02{one}\x03"
        return {whole[at : at + size] for at in range(len(whole) - size + 1)}

    def dice(one: str) -> float:
        return 2 * len(grams(one) & grams(text)) / max(len(grams(one)) + len(grams(text)), 1)

    found = Grams(texts, size).near(text, most=5, overlap=0.4)
    wanted = sorted((at for at in range(len(texts)) if dice(texts[at]) >= 0.4), key=lambda at: (-dice(texts[at]), at))
    assert found == wanted[:5]


def test_one_error_in_a_long_word_is_always_mended() -> None:
    dice = random.Random(7)
    words = sorted({"".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(8, 12))) for _ in range(300)})
    noise = Noise(Scorer([(count_postings([[word] for word in words]), 1.0)], Parameters()), {}, Worth())
    for word in words:
        at = dice.randrange(1, len(word) - 1)
        for typed in (word[:at] + word[at + 1 :], word[:at] + word[at + 1] + word[at] + word[at + 2 :]):
            assert word in [term for variant in noise.variants(typed) for term in variant.tokens]
