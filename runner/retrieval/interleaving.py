"""Team-draft interleaving of two lists: exact exposure, and what choices among the drafted say of the two systems.

Radlinski, Kurup and Joachims 2008, "How does clickthrough data reflect retrieval quality?", section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np

from runner.documents import Document
from runner.retrieval.bootstrap import interval, resample

Team = Literal["A", "B"]
Lists = Literal["A", "B", "AB"]

LENGTH = 10
_SIGN = {"A": 1, "B": -1, "AB": 0, None: 0}


class Drafted(NamedTuple):
    """A shown document; `team` is None where the other list had nothing left to draft against it."""

    doc_id: str
    team: Team | None


class Draft(NamedTuple):
    """One list that may be shown, and how likely it is."""

    probability: Fraction
    shown: tuple[Drafted, ...]


class Chosen(NamedTuple):
    """A choice: whose team the document was on, which systems had returned it, and how likely it was to be shown."""

    team: Team | None
    lists: Lists
    exposure: float


class Impression(NamedTuple):
    """One interleaved list that a person saw in `session`, with what was chosen from it."""

    session: str
    chosen: tuple[Chosen, ...]


class Estimate(Document):
    """A mean over impressions, positive where A is better, with the 95 % interval of the session bootstrap.

    The interval is null below two sessions.
    """

    value: float
    low: float | None
    high: float | None


class Comparison(Document):
    """A against B. `credit`: choices from A's team minus those from B's, a list.

    `weighted`: the same of documents that only one of the two returned, each choice divided by the probability that
    its document was shown (Horvitz and Thompson 1952).
    """

    a: str
    b: str
    sessions: int
    impressions: int
    choices: int
    a_ahead: int
    b_ahead: int
    credit: Estimate
    weighted: Estimate


def drafts(a: Sequence[str], b: Sequence[str], length: int = LENGTH) -> tuple[Draft, ...]:
    """Every list that team draft can make of `a` and `b`; the probabilities add up to 1.

    In each round a fair coin says which team picks the first document of its list that is not yet shown, and then the
    other does. A round without a pick for the second, had the coin fallen either way, ends after the first; once one
    list has no more, the rest of the other follows on no team. So every rank is as likely A's as B's.
    """
    return tuple(_drafts(a, b, length, Draft(Fraction(1), ())))


def _drafts(a: Sequence[str], b: Sequence[str], length: int, so_far: Draft) -> Iterator[Draft]:
    left_a, left_b = _left(a, so_far), _left(b, so_far)
    room = length - len(so_far.shown)
    if not (left_a and left_b and room):
        rest = tuple(Drafted(doc_id, None) for doc_id in (left_a or left_b)[:room])
        yield Draft(so_far.probability, so_far.shown + rest)
        return
    second_too = room > 1 and (left_a[0] != left_b[0] or min(len(left_a), len(left_b)) > 1)
    orders: tuple[tuple[str, Team, list[str], Team], ...] = (
        (left_a[0], "A", left_b, "B"),
        (left_b[0], "B", left_a, "A"),
    )
    for first, team, others, other_team in orders:
        picks = [Drafted(first, team)]
        if second_too:
            picks.append(Drafted(next(doc_id for doc_id in others if doc_id != first), other_team))
        yield from _drafts(a, b, length, Draft(so_far.probability / 2, (*so_far.shown, *picks)))


def _left(ranking: Sequence[str], so_far: Draft) -> list[str]:
    taken = {drafted.doc_id for drafted in so_far.shown}
    return [doc_id for doc_id in ranking if doc_id not in taken]


def exposures(a: Sequence[str], b: Sequence[str], length: int = LENGTH) -> dict[str, Fraction]:
    """For each document of either list, the probability that it is shown."""
    found = {doc_id: Fraction(0) for doc_id in (*a, *b)}
    for draft in drafts(a, b, length):
        for drafted in draft.shown:
            found[drafted.doc_id] += draft.probability
    return found


def credit(chosen: Iterable[Chosen]) -> float:
    """Choices from A's team minus those from B's."""
    return sum(_SIGN[choice.team] for choice in chosen)


def weighted_credit(chosen: Iterable[Chosen]) -> float:
    """Choices of what A alone returned minus those of what B alone did, each by its inverse exposure.

    Its mean is, whatever the coins do, the number of choices that A's own documents would get minus that of B's if all
    that can be shown were; as far as a document is chosen as often beside others, and at another rank.
    """
    return sum(_SIGN[choice.lists] / choice.exposure for choice in chosen)


def compare(a: str, b: str, impressions: Sequence[Impression]) -> Comparison:
    """Systems `a` and `b` by what people chose from their interleaved lists (at least one)."""
    scores = [credit(impression.chosen) for impression in impressions]
    sessions = [impression.session for impression in impressions]
    return Comparison(
        a=a,
        b=b,
        sessions=len(set(sessions)),
        impressions=len(impressions),
        choices=sum(len(impression.chosen) for impression in impressions),
        a_ahead=sum(value > 0 for value in scores),
        b_ahead=sum(value < 0 for value in scores),
        credit=_estimate(sessions, scores),
        weighted=_estimate(sessions, [weighted_credit(impression.chosen) for impression in impressions]),
    )


def _estimate(sessions: Sequence[str], values: Sequence[float]) -> Estimate:
    low, high = session_interval(sessions, values) or (None, None)
    return Estimate(value=sum(values) / len(values), low=low, high=high)


def session_interval(sessions: Sequence[str], values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % bootstrap interval of the mean of `values`, whole sessions drawn; None below two sessions."""
    place = {session: at for at, session in enumerate(dict.fromkeys(sessions))}
    if len(place) < 2:
        return None
    columns = np.array([place[session] for session in sessions])
    sums = np.bincount(columns, weights=np.array(values, dtype=np.float64))
    counts = np.bincount(columns).astype(np.float64)
    weights = resample(np.ones((1, len(place)), dtype=np.bool_)).weights
    return interval((weights @ sums) / (weights @ counts))
