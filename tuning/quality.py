"""How good a system is on some of the queries: the parts of the score that rest on lists, and the gates on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from runner.documents import Document
from runner.retrieval.evaluation import Labels, topic_figures
from runner.retrieval.gates import MEASURED
from runner.retrieval.groups import Group, Subset, belongs
from runner.retrieval.measures.figures import Figures
from runner.retrieval.measures.names import Measure
from runner.retrieval.topics import ANSWERABLE, Slice, Topic

Weights = Mapping[str, float]

#: The score's weights of the parts that an order of results moves.
PARTS: Weights = {"Q": 0.55, "E": 0.15}

_LEAST = {gate.name: gate.threshold for gate in MEASURED}
_GATES = {
    "E": "ExactMRR@10",
    "hit": "answerable Hit@10",
    "correct_empty": "CorrectEmpty",
    "safety_hit": "answerable safety-slice Hit@10",
}


class Quality(Document):
    """Figures in [0, 1], rounded to four decimals; `ndcg` by slice."""

    ndcg: dict[str, float]
    Q: float
    E: float
    hit: float
    correct_empty: float
    C: float
    safety_hit: float
    failed_gates: tuple[str, ...]


def gate_failures(ndcg: Mapping[str, float], figures: Mapping[str, float]) -> tuple[str, ...]:
    """The gates of docs/score.md that these figures miss."""
    slices = [name for slice_, value in ndcg.items() if value < _LEAST[name := f"nDCG@10 {slice_}"]]
    return (*slices, *(name for name, gate in _GATES.items() if figures[name] < _LEAST[gate]))


def quality(answers: Iterable[tuple[Topic, Figures]]) -> Quality:
    """The quality over queries, each with the figures of the list that was shown for it."""
    pairs = list(answers)
    ndcg = {slice_.value: _mean(pairs, Measure.NDCG, slice_) for slice_ in ANSWERABLE}
    figures = {
        "E": _mean(pairs, Measure.EXACT_RR, Subset.EXACT),
        "hit": _mean(pairs, Measure.HIT_10, Subset.ANSWERABLE),
        "correct_empty": _mean(pairs, Measure.CORRECT_EMPTY, Slice.NO_MATCH),
        "safety_hit": _mean(pairs, Measure.HIT_10, Subset.SAFETY_ANSWERABLE),
    }
    hit, empty = figures["hit"], figures["correct_empty"]
    figures |= {"Q": fmean(ndcg.values()), "C": 2 * hit * empty / (hit + empty) if hit + empty else 0.0}
    return Quality(ndcg=_rounded(ndcg), failed_gates=gate_failures(ndcg, figures), **_rounded(figures))


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in figures.items()}


class Grader:
    """Figures of lists, each worked out once."""

    def __init__(self, topics: Sequence[Topic], labels: Mapping[str, Labels]) -> None:
        self.topics = tuple(topics)
        self._labels = labels
        self._known: dict[tuple[str, tuple[str, ...]], Figures] = {}

    def figures(self, topic: Topic, shown: tuple[str, ...]) -> Figures:
        """Those of one list for one query."""
        key = (topic.query_id, shown)
        if key not in self._known:
            self._known[key] = topic_figures(topic, self._labels[topic.query_id], shown)
        return self._known[key]

    def quality(self, lists: Mapping[str, tuple[str, ...]], topics: Iterable[Topic]) -> Quality:
        """Over `topics`, with the list of each by query_id."""
        return quality((topic, self.figures(topic, lists[topic.query_id])) for topic in topics)


def _mean(pairs: Sequence[tuple[Topic, Figures]], measure: Measure, group: Group) -> float:
    values = [figures[measure] for topic, figures in pairs if belongs(topic, group)]
    return fmean(values) if values else 0.0
