"""What the routes say about a query that is found or not: few numbers, and the rule that decides on them."""

from __future__ import annotations

from typing import NamedTuple

from mambomeme.evidence import Evidence
from mambomeme.routes import Found

_LIST = 10


class Signals(NamedTuple):
    """Each from 0 to 1. Of the lexical route: `coverage`, the share of the query's content in the best document, and
    `cover_all`, in any of the first ten; `named`, the share of the content of names that one of these carries; `order`,
    of the words that stand in a row in one document; `unknown`, of words that are in none, `guessed`, of these that
    stand for something. Of the dense route: `nearest`, the cosine of the best document, `lead`, how far the tenth lies
    behind it. `filtered` is 1 where the query has filters, `brief` is 1 over its words.
    """

    coverage: float = 0.0
    cover_all: float = 0.0
    named: float = 0.0
    order: float = 0.0
    unknown: float = 0.0
    guessed: float = 0.0
    nearest: float = 0.0
    lead: float = 0.0
    filtered: float = 0.0
    brief: float = 0.0


class Verdict(NamedTuple):
    """A linear rule: a query is answered where `bias` and the weighted signals add up to more than 0."""

    bias: float = 0.0
    weights: Signals = Signals()

    def answers(self, signals: Signals) -> bool:
        """Whether what was found is shown."""
        return self.value(signals) > 0

    def value(self, signals: Signals) -> float:
        """The bias and the weighted signals, added up."""
        return self.bias + sum(weight * signal for weight, signal in zip(self.weights, signals, strict=True))


def lexical_signals(evidence: Evidence) -> Signals:
    """Those of the lexical route."""
    words = max(evidence.words, 1)
    return Signals(
        coverage=float(evidence.coverage[0]) if len(evidence.coverage) else 0.0,
        cover_all=float(max(evidence.coverage, default=0.0)),
        named=evidence.named,
        order=evidence.run / words,
        unknown=evidence.unknown / words,
        guessed=evidence.guessed / words,
        brief=1 / words,
    )


def dense_signals(near: Found) -> Signals:
    """Those of the dense route."""
    if not len(near.scores):
        return Signals()
    return Signals(nearest=float(near.scores[0]), lead=float(near.scores[0] - near.scores[:_LIST][-1]))
