"""How fast a system turns a corpus into a release, from the log of its suites; not scored."""

from __future__ import annotations

from collections.abc import Sequence

from runner.retrieval.corpora import Corpus
from runner.retrieval.scorecard import Pipeline
from runner.terminal.suite_log import Case, Made, Ran, SuiteEvent

#: The case in which the corpus of the run becomes a release, alone on the machine.
BUILD = "build a"


def pipeline_of(events: Sequence[SuiteEvent], corpus: Corpus) -> Pipeline | None:
    """The documents of `corpus` and the time that its build took; null where no release came of it."""
    began: int | None = None
    took: int | None = None
    for event in events:
        if isinstance(event, Case):
            began, took = (event.t, None) if event.name == BUILD else (None, None)
        elif began is not None and isinstance(event, Ran):
            took = event.t - began if event.status == 0 else None
        elif took is not None and isinstance(event, Made) and event.corpus == corpus.digest:
            return Pipeline(documents=len(corpus.items), build_ns=took)
    return None
