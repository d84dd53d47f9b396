"""Chooses parameters on some of the families: of the routes, of their fusion, and of the rule on empty lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from mambomeme.dense import DenseParameters
from mambomeme.fusion import Fusion
from mambomeme.lexical import LexicalParameters
from mambomeme.settings import plain
from mambomeme.signals import Signals, Verdict
from sklearn.linear_model import LogisticRegression

from runner.retrieval.measures.names import Measure
from runner.retrieval.topics import Topic
from tuning.laboratory import Laboratory, Lists, Trial
from tuning.quality import PARTS, Grader, Quality
from tuning.space import LEXICAL, PENALTY, SIGNALS, WITHHELD, dense_trials, fusion_trials, lexical_with

Parameters = TypeVar("Parameters")


class Chosen(NamedTuple):
    """A system's parameters: those of its routes, and its rule."""

    name: str
    lexical: LexicalParameters | None
    dense: DenseParameters | None
    fusion: Fusion | None
    shown: Verdict

    def configuration(self) -> dict[str, Any]:
        """As the system manifest has it."""
        groups = {"lexical": self.lexical, "dense": self.dense}
        routes = [name for name, group in groups.items() if group is not None]
        given = {name: plain(group) for name, group in (*groups.items(), ("fusion", self.fusion)) if group is not None}
        return {"routes": routes, **given, "shown": plain(self.shown)}


class Tuner:
    """Chooses for all three systems with the labels of `topics` alone."""

    def __init__(self, laboratory: Laboratory, grader: Grader) -> None:
        self._laboratory, self._grader = laboratory, grader

    def choose(self, topics: Sequence[Topic]) -> dict[str, Chosen]:
        """The three systems, by name."""
        lexical = self._lexical(topics)
        dense = self._best(dense_trials(), self._laboratory.dense, topics)
        fusion = self._best(fusion_trials(), lambda fusion: self._laboratory.hybrid(lexical, dense, fusion), topics)
        drafts = (
            Chosen("bm25", lexical, None, None, Verdict()),
            Chosen("dense", None, dense, None, Verdict()),
            Chosen("hybrid", lexical, dense, fusion, Verdict()),
        )
        return {draft.name: draft._replace(shown=self._rule(draft, topics)) for draft in drafts}

    def trial(self, chosen: Chosen) -> Trial:
        """What a system finds before anything is withheld."""
        if chosen.lexical and chosen.dense and chosen.fusion:
            return self._laboratory.hybrid(chosen.lexical, chosen.dense, chosen.fusion)
        if chosen.lexical:
            return self._laboratory.bm25(chosen.lexical)
        return self._laboratory.dense(chosen.dense or DenseParameters())

    def shown(self, chosen: Chosen) -> Lists:
        """What a system shows."""
        trial = self.trial(chosen)
        return withheld(trial, chosen.shown)

    def ranking_alone(self, chosen: Chosen) -> Quality:
        """Its figures over all queries with every list shown."""
        return self._grader.quality(self.trial(chosen).lists, self._grader.topics)

    def _lexical(self, topics: Sequence[Topic]) -> LexicalParameters:
        chosen = LexicalParameters()
        for name, values in LEXICAL.items():
            trials = [lexical_with(chosen, name, value) for value in values]
            chosen = self._best(trials, self._laboratory.bm25, topics)
        return chosen

    def _best(
        self, trials: Iterable[Parameters], make: Callable[[Parameters], Trial], topics: Sequence[Topic]
    ) -> Parameters:
        """The trial that ranks best: Q and E by their weights in the score; the first of equals."""
        return max(trials, key=lambda parameters: self._ranks(make(parameters).lists, topics))

    def _ranks(self, lists: Lists, topics: Sequence[Topic]) -> float:
        found = self._grader.quality(lists, topics)
        return round(PARTS["Q"] * found.Q + PARTS["E"] * found.E, 6)

    def _rule(self, draft: Chosen, topics: Sequence[Topic]) -> Verdict:
        """The weights of `_fitted`, and the bias that leaves WITHHELD of the no-match queries without a list."""
        trial = self.trial(draft)
        weights = Verdict(0.0, self._fitted(trial, SIGNALS[draft.name], topics))
        values = sorted(weights.value(trial.signals[topic.query_id]) for topic in topics if not topic.slice.answerable)
        last = min(max(round(WITHHELD * len(values)), 1), len(values) - 1)
        return weights._replace(bias=round(-(values[last - 1] + values[last]) / 2, 3))

    def _fitted(self, trial: Trial, names: Sequence[str], topics: Sequence[Topic]) -> Signals:
        """The weights of a logistic regression of `the first ten hold something useful` on standardised signals."""
        signals = np.array([[getattr(trial.signals[topic.query_id], name) for name in names] for topic in topics])
        useful = [self._useful(topic, trial.lists) for topic in topics]
        spread = np.where(signals.std(axis=0) > 0, signals.std(axis=0), 1.0)
        model = LogisticRegression(C=PENALTY, class_weight="balanced").fit(signals / spread, useful)
        return Signals(**{name: round(float(w), 3) for name, w in zip(names, model.coef_[0] / spread, strict=True)})

    def _useful(self, topic: Topic, lists: Lists) -> bool:
        figures = self._grader.figures(topic, lists[topic.query_id])
        return figures.get(Measure.HIT_10, 0.0) > 0


def withheld(trial: Trial, rule: Verdict) -> Lists:
    """The lists of `trial`, empty where the rule says that nothing answers the query."""
    return {
        query_id: found if query_id in trial.unasked or rule.answers(trial.signals[query_id]) else ()
        for query_id, found in trial.lists.items()
    }
