"""Team draft: cases drafted by hand, laws over any two lists, and estimates of a truth that is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from images.mambomeme.mambomeme.interleave import draft as draw
from images.mambomeme.mambomeme.interleave import exposures as logged_exposures
from runner.retrieval.interleaving import (
    Chosen,
    Comparison,
    Drafted,
    Impression,
    Lists,
    compare,
    credit,
    drafts,
    exposures,
    session_interval,
    weighted_credit,
)

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
RANKINGS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)


def found(a: str, b: str, length: int = 10) -> dict[str, Fraction]:
    """Each list that can be drafted, written as `xA yB z`, with its probability."""
    lists: dict[str, Fraction] = {}
    for draft in drafts(a, b, length):
        words = " ".join(drafted.doc_id + (drafted.team or "") for drafted in draft.shown)
        lists[words] = lists.get(words, Fraction(0)) + draft.probability
    return lists


def test_two_of_two_strangers() -> None:
    assert found("xy", "zw", 2) == {"xA zB": HALF, "zB xA": HALF}
    assert exposures("xy", "zw", 2) == {"x": 1, "z": 1, "y": 0, "w": 0}


def test_a_shared_first_is_a_coin_s_and_costs_the_other_team_nothing() -> None:
    assert found("xy", "xz", 2) == {"xA zB": HALF, "xB yA": HALF}
    assert exposures("xy", "xz", 2) == {"x": 1, "y": HALF, "z": HALF}


def test_two_rounds() -> None:
    assert found("xyz", "ywx", 3) == {
        "xA yB zA": QUARTER, "xA yB wB": QUARTER, "yB xA zA": QUARTER, "yB xA wB": QUARTER,
    }  # fmt: skip
    assert exposures("xyz", "ywx", 3) == {"x": 1, "y": 1, "z": HALF, "w": HALF}


def test_what_is_left_of_one_list_is_on_no_team() -> None:
    assert found("x", "yzw") == {"xA yB z w": HALF, "yB xA z w": HALF}
    assert found("", "yz") == {"y z": 1}
    assert found("x", "xy") == {"xA y": HALF, "xB y": HALF}
    assert found("", "") == {"": 1}


@given(RANKINGS, RANKINGS, st.integers(1, 8))
def test_probabilities_add_up_and_lists_are_whole(a: list[str], b: list[str], length: int) -> None:
    made = drafts(a, b, length)
    assert sum(draft.probability for draft in made) == 1
    for draft in made:
        shown = [drafted.doc_id for drafted in draft.shown]
        assert len(set(shown)) == len(shown) == min(length, len({*a, *b}))


@given(RANKINGS, RANKINGS, st.integers(1, 8))
def test_every_rank_is_as_likely_on_either_team(a: list[str], b: list[str], length: int) -> None:
    """So whoever chooses by rank alone, whatever stands there, prefers neither system."""
    for rank in range(length):
        teams = [
            (draft.shown[rank].team, draft.probability) for draft in drafts(a, b, length) if rank < len(draft.shown)
        ]
        assert sum(p for team, p in teams if team == "A") == sum(p for team, p in teams if team == "B")


@given(RANKINGS, RANKINGS, st.integers(1, 8))
def test_swapping_the_systems_swaps_the_teams(a: list[str], b: list[str], length: int) -> None:
    swap = str.maketrans("AB", "BA")
    assert {words.translate(swap): p for words, p in found("".join(a), "".join(b), length).items()} == found(
        "".join(b), "".join(a), length
    )


@given(RANKINGS)
def test_a_list_drafted_with_itself_is_itself(a: list[str]) -> None:
    assert all([drafted.doc_id for drafted in draft.shown] == a for draft in drafts(a, a))


def of(doc_id: str, a: Sequence[str], b: Sequence[str]) -> Lists:
    return "AB" if doc_id in a and doc_id in b else "A" if doc_id in a else "B"


def as_chosen(drafted: Drafted, a: Sequence[str], b: Sequence[str], likely: dict[str, Fraction]) -> Chosen:
    return Chosen(drafted.team, of(drafted.doc_id, a, b), float(likely[drafted.doc_id]))


@given(RANKINGS, RANKINGS, st.integers(1, 8), st.lists(st.integers(0, 8), min_size=8, max_size=8))
def test_the_weighted_credit_is_unbiased_for_any_appeal(
    a: list[str], b: list[str], length: int, eighths: list[int]
) -> None:
    """Expected over all coins: what A's own documents that can be shown would get, minus what B's would."""
    appeal = dict(zip("abcdefgh", eighths, strict=True))
    likely = exposures(a, b, length)
    expected = sum(
        float(draft.probability) * appeal[drafted.doc_id] * weighted_credit([as_chosen(drafted, a, b, likely)])
        for draft in drafts(a, b, length)
        for drafted in draft.shown
    )
    sign = {"A": 1, "B": -1, "AB": 0}
    truth = sum(sign[of(doc_id, a, b)] * appeal[doc_id] for doc_id, p in likely.items() if p > 0)
    assert expected == pytest.approx(truth)


def test_credit_by_hand() -> None:
    chosen = [Chosen("A", "AB", 1.0), Chosen("A", "A", 0.5), Chosen("B", "B", 0.25), Chosen(None, "B", 0.5)]
    assert credit(chosen) == 1
    assert weighted_credit(chosen) == 2 - 4 - 2


@given(RANKINGS, RANKINGS)
def test_the_system_logs_the_exact_exposure(a: list[str], b: list[str]) -> None:
    assert logged_exposures(a, b) == {doc_id: float(p) for doc_id, p in exposures(a, b).items() if p > 0}


def test_the_system_logs_the_exact_exposure_of_ten_and_ten() -> None:
    a, b = [f"m{n}" for n in range(10)], [f"m{n}" for n in (7, 2, 11, 0, 12, 13, 14, 1, 15, 16)]
    exact = exposures(a, b)
    assert logged_exposures(a, b) == {doc_id: float(p) for doc_id, p in exact.items() if p > 0}
    assert sum(exact.values()) == 10


@given(RANKINGS, RANKINGS, st.lists(st.booleans(), min_size=5, max_size=5))
def test_the_system_shows_only_lists_that_can_be_drafted(a: list[str], b: list[str], coins: list[bool]) -> None:
    shown = tuple(Drafted(doc_id, team or None) for doc_id, team in draw(a, b, iter(coins).__next__))
    assert shown in {draft.shown for draft in drafts(a, b)}


# Ten ids each, four of them shared; how often each is chosen where it is shown.
A, B = list("abcdefghij"), list("adkblmcnop")
APPEAL = dict(zip("abcdefghijklmnop", [3, 2, 3, 0, 2, 1, 4, 0, 2, 1, 1, 0, 2, 1, 0, 1], strict=True))
LIKELY = logged_exposures(A, B)
OWN = {"A": sorted(set(A) - set(B)), "B": sorted(set(B) - set(A))}
TRUTH = sum(sign * APPEAL[i] / 10 for team, sign in (("A", 1), ("B", -1)) for i in OWN[team] if i in LIKELY)


def person(dice: random.Random, session: str, chooses: Callable[[str, int], float]) -> list[Impression]:
    """One session of one to six lists, drafted by the system, with choices by what `chooses` says of id and rank."""
    seen = []
    for _ in range(dice.randint(1, 6)):
        chosen = [
            Chosen(team or None, of(doc_id, A, B), LIKELY[doc_id])
            for rank, (doc_id, team) in enumerate(draw(A, B, lambda: dice.random() < 0.5), 1)
            if dice.random() < chooses(doc_id, rank)
        ]
        seen.append(Impression(session, tuple(chosen)))
    return seen


def study(seed: int, people: int, chooses: Callable[[str, int], float]) -> Comparison:
    dice = random.Random(seed)
    return compare("a", "b", list(chain(*(person(dice, str(n), chooses) for n in range(people)))))


def test_a_session_s_lists_are_drawn_together() -> None:
    """Two sessions of mean 0 and 1: their resampled means are 0, 1/2 or 1, each end once in four draws."""
    assert session_interval(["x", "x", "y", "y"], [0, 0, 1, 1]) == (0, 1)
    assert session_interval(["x", "y"], [0.5, 0.5]) == (0.5, 0.5)
    assert session_interval(["x", "x"], [0, 1]) is None


def test_who_chooses_by_rank_alone_prefers_neither() -> None:
    found = study(1, 600, lambda _, rank: 0.5 / rank)
    assert found.credit.low is not None
    assert found.credit.high is not None
    assert found.credit.low < 0 < found.credit.high
    assert found.credit.value == pytest.approx(0, abs=0.05)


def test_a_comparison_counts_what_it_is_about() -> None:
    won, lost = (Impression("1", (Chosen(team, team, 0.5),)) for team in ("A", "B"))
    found = compare("a", "b", [won, won, lost, Impression("2", ())])
    assert (found.sessions, found.impressions, found.choices, found.a_ahead, found.b_ahead) == (2, 4, 3, 2, 1)
    assert (found.credit.value, found.weighted.value) == (0.25, 0.5)


@pytest.mark.parametrize("studies", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_the_interval_covers_the_known_truth(studies: int) -> None:
    assert any(0 < likely < 1 for likely in LIKELY.values())
    results = [study(seed, 30, lambda doc_id, _: APPEAL[doc_id] / 10).weighted for seed in range(studies)]
    values = np.array([found.value for found in results])
    assert values.mean() == pytest.approx(TRUTH, abs=4 * values.std() / studies**0.5)
    covered = sum((found.low or 0.0) <= TRUTH <= (found.high or 0.0) for found in results)
    assert covered / studies >= 0.87
