"""What the routes say about a query, in numbers worked by hand, and the rule on them."""

from __future__ import annotations

import numpy as np
import pytest
from mambomeme.evidence import Evidence
from mambomeme.routes import Found
from mambomeme.signals import Signals, Verdict, dense_signals, lexical_signals


def near(*scores: float) -> Found:
    return Found(np.arange(len(scores), dtype=np.int32), np.array(scores, dtype=np.float64))


def test_the_lexical_signals_are_shares_of_the_words() -> None:
    seen = Evidence(coverage=np.array([0.25, 0.75]), named=0.5, run=2, words=4, unknown=2, guessed=1)
    assert lexical_signals(seen) == Signals(
        coverage=0.25, cover_all=0.75, named=0.5, order=0.5, unknown=0.5, guessed=0.25, brief=0.25
    )


def test_a_query_without_words_says_nothing() -> None:
    assert lexical_signals(Evidence(np.zeros(0), 0.0, 0, 0, 0, 0)) == Signals(brief=1.0)
    assert dense_signals(near()) == Signals()


def test_the_lead_is_over_the_tenth_or_the_last() -> None:
    assert dense_signals(near(0.75, 0.5, 0.25)) == Signals(nearest=0.75, lead=0.5)
    assert dense_signals(near(*np.linspace(1.0, 0.0, 21).tolist())).lead == pytest.approx(0.45)
    assert dense_signals(near(0.75)).lead == 0.0


def test_a_query_is_answered_above_nothing_only() -> None:
    rule = Verdict(-0.5, Signals(coverage=1.0, unknown=-0.5))
    assert rule.answers(Signals(coverage=0.75))
    assert not rule.answers(Signals(coverage=0.5))
    assert not rule.answers(Signals(coverage=0.75, unknown=0.5))
