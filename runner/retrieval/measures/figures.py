"""All measures of one list, by name, and their means over the requests of one query (D3, D11, D20, D21)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import fsum

from runner.retrieval.measures.coverage import correct_empty
from runner.retrieval.measures.findability import exact_reciprocal_rank, hit, recall, reciprocal_rank, relevant
from runner.retrieval.measures.names import Measure
from runner.retrieval.measures.ndcg import CUT, ndcg

Figures = Mapping[Measure, float]
Grades = Mapping[str, float]
Groups = Sequence[Collection[str]]


def figures(shown: Sequence[str], grades: Grades | None, targets: Groups | None) -> Figures:
    """The measures that apply to a list, but for the safety of what it shows.

    `grades` is None for a query with nothing to find, whose right answer is an empty list; else the ideal DCG is not
    zero, and recall applies if an item is relevant. `targets` is None for a query that names nothing exactly.
    """
    found = {Measure.CORRECT_EMPTY: correct_empty(shown)} if grades is None else _findability(shown, grades)
    if targets is not None:
        found[Measure.EXACT_RR] = exact_reciprocal_rank(shown, targets)
    return found


def _findability(shown: Sequence[str], grades: Grades) -> dict[Measure, float]:
    wanted = relevant(grades)
    found = {
        Measure.NDCG: ndcg(shown, grades),
        Measure.HIT_1: hit(shown, wanted, 1),
        Measure.HIT_5: hit(shown, wanted, 5),
        Measure.HIT_10: hit(shown, wanted, CUT),
        Measure.RR: reciprocal_rank(shown, wanted),
    }
    if wanted:
        found[Measure.RECALL] = recall(shown, wanted)
    return found


def over_requests(lists: Sequence[Figures], applying: Collection[Measure], requests: int) -> Figures:
    """Means over `requests`, of which those without a list in `lists` failed and count 0 (D11)."""
    return {measure: fsum(found[measure] for found in lists) / requests for measure in applying}
