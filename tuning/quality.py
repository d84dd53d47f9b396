"""How good a system is on some of the queries: the parts of the score that rest on lists, and the gates on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from runner.documents import Document
from runner.retrieval.evaluation import Labels, topic_figures
from runner.retrieval.measures.figures import Figures
from runner.retrieval.measures.names import Measure
from runner.retrieval.topics import ANSWERABLE, Topic

Weights = Mapping[str, float]

#: evaluation.md's weights of the parts that an order of results moves.
PARTS: Weights = {"Q": 0.55, "E": 0.15}


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
    """The gates of evaluation.md that these figures miss."""
    least = {"E": 0.60, "hit": 0.70, "correct_empty": 0.60, "safety_hit": 0.70}
    slices = [f"nDCG@10 {name}" for name, value in ndcg.items() if value < 0.30]
    return (*slices, *(name for name, threshold in least.items() if figures[name] < threshold))


def quality(answers: Iterable[tuple[Topic, Figures]]) -> Quality:
    """The quality over queries, each with the figures of the list that was shown for it."""
    pairs = list(answers)
    ndcg = {slice_.value: _mean(pairs, Measure.NDCG, lambda topic, s=slice_: topic.slice is s) for slice_ in ANSWERABLE}
    figures = {
        "E": _mean(pairs, Measure.EXACT_RR, lambda topic: topic.slice.exact),
        "hit": _mean(pairs, Measure.HIT_10, lambda topic: topic.slice.answerable),
        "correct_empty": _mean(pairs, Measure.CORRECT_EMPTY, lambda topic: not topic.slice.answerable),
        "safety_hit": _mean(pairs, Measure.HIT_10, lambda topic: topic.slice.answerable and topic.safety_flag),
    }
    hit, empty = figures["hit"], figures["correct_empty"]
    figures |= {"Q": fmean(ndcg.values()), "C": 2 * hit * empty / (hit + empty) if hit + empty else 0.0}
    rounded = {name: round(value, 4) for name, value in figures.items()}
    return Quality(
        ndcg={name: round(value, 4) for name, value in ndcg.items()},
        failed_gates=gate_failures(ndcg, figures),
        **rounded,
    )


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


def _mean(pairs: Sequence[tuple[Topic, Figures]], measure: Measure, among: Callable[[Topic], bool]) -> float:
    values = [figures[measure] for topic, figures in pairs if among(topic)]
    return fmean(values) if values else 0.0
