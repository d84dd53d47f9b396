"""What the review page holds of a result, as the values of its data file."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from runner.retrieval.corpora import Corpus
from runner.retrieval.evaluation import Labels, label
from runner.retrieval.latency import percentile
from runner.retrieval.partitions import Partition
from runner.retrieval.runs import Observation
from runner.retrieval.topics import QueryId, Topic
from runner.terminal.shown import shown_form
from runner.workflows.observe import EMULATORS, THIRD
from runner.workflows.review.requests import Shown, Verdict

#: A request is slow if it took as long as the 95th percentile of its system, or longer.
SLOW_PER_MILLE = 950


class Ground(NamedTuple):
    """What the requests are held against: queries and corpus, and the labels of each query."""

    partition: Partition
    corpus: Corpus
    labels: Mapping[QueryId, Labels]

    @classmethod
    def of(cls, partition: Partition, corpus: Corpus) -> Ground:
        """That of a run's partition and corpus."""
        return cls(partition, corpus, label(partition, corpus))


def page_facts(
    run_id: str, shown: Sequence[Shown], ground: Ground, notes: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """All that the page is made of, text from data in shown form. `notes` say by cast what is wrong with its form."""
    slow = _slow(shown)
    requests = [
        {**_request(one, ground.labels[one.observation.query_id], slow), "still": _still(one, run_id)} for one in shown
    ]
    listed = _listed(shown)
    ids = set().union(*listed.values())
    return {
        "run": run_id,
        "emulators": (*EMULATORS, THIRD),
        "notes": {name: [shown_form(line) for line in lines] for name, lines in notes.items() if lines},
        "queries": {
            topic.query_id: _query(topic, listed[topic.query_id], ground.labels[topic.query_id])
            for topic in ground.partition.topics
            if topic.query_id in listed
        },
        "titles": {doc_id: shown_form(item.title) for doc_id, item in ground.corpus.items.items() if doc_id in ids},
        "requests": requests,
    }


def _slow(shown: Sequence[Shown]) -> Mapping[str, int]:
    """By system, from how many nanoseconds on a request is slow (D17)."""
    times: dict[str, list[int]] = {}
    for one in shown:
        times.setdefault(one.observation.system, []).append(one.observation.latency_ns)
    return {system: percentile(sorted(found), SLOW_PER_MILLE) for system, found in times.items()}


def _listed(shown: Sequence[Shown]) -> Mapping[QueryId, set[str]]:
    """By query, every item that was returned for it or read on a screen."""
    found: dict[QueryId, set[str]] = {}
    for one in shown:
        seen = found.setdefault(one.observation.query_id, set())
        seen.update(one.observation.returned, (line.doc_id for verdict in one.read for line in verdict.lines))
    return found


def _query(topic: Topic, doc_ids: set[str], labels: Labels) -> dict[str, Any]:
    """A query with what the labels say of the items that were shown for it."""
    targets = set().union(*labels.targets)
    known = sorted(doc_ids & labels.classes.keys())
    return {
        "text": shown_form(topic.text),
        "slice": topic.slice.value,
        "grades": {doc_id: labels.grades[doc_id] for doc_id in known if doc_id in labels.grades},
        "targets": [doc_id for doc_id in known if doc_id in targets],
        "unsafe": {doc_id: labels.classes[doc_id].value for doc_id in known if not labels.classes[doc_id].displayable},
    }


def _request(one: Shown, labels: Labels, slow: Mapping[str, int]) -> dict[str, Any]:
    seen = one.observation
    return {
        "system": seen.system,
        "block": seen.block,
        "position": seen.position,
        "query": seen.query_id,
        "outcome": seen.outcome.value,
        "said": [shown_form(text) for text in (seen.reason, *seen.violations) if text],
        "cast": one.cast,
        "at": one.at,
        "done": one.done,
        "returned": [[doc_id, " + ".join(routes)] for doc_id, routes in zip(seen.returned, seen.routes, strict=True)],
        "verdicts": [_verdict(verdict, seen) for verdict in one.verdicts],
        "third": _verdict(one.third, seen) if one.third else None,
        "flags": list(_flags(one, labels, slow[seen.system])),
        "ns": [
            seen.key_to_accept_ns, seen.engine_ns, seen.first_byte_ns, seen.frame_end_ns, seen.latency_ns
        ],
    }  # fmt: skip


def _still(one: Shown, run_id: str) -> str | None:
    """The command that draws the request's screen, as a shell takes it; null where the cast has no such moment."""
    at = one.done or one.at
    path = shlex.quote(f"results/{run_id}/{one.cast}")
    return None if at is None else f"./bench run cast still {path} --at {at} --to screen.svg"


def _verdict(verdict: Verdict, seen: Observation) -> dict[str, Any]:
    """The list is left out where it is the returned one."""
    same = not verdict.differs and [line.doc_id for line in verdict.lines] == list(seen.returned)
    lines = None if same else [[rank, shown_form(doc_id), shown_form(title)] for rank, doc_id, title in verdict.lines]
    return {"differs": shown_form(verdict.differs), "lines": lines}


def _flags(one: Shown, labels: Labels, slow_ns: int) -> Iterator[str]:
    """What a reviewer may look for."""
    seen = one.observation
    drawn = {*seen.returned, *seen.drawn, *(line.doc_id for verdict in one.verdicts for line in verdict.lines)}
    unsafe = any(not labels.classes[doc_id].displayable for doc_id in drawn & labels.classes.keys())
    found = {
        "error": seen.outcome.failed,
        "slow": seen.latency_ns >= slow_ns,
        "differs": one.differs or bool(seen.violations),
        "disagree": not one.agree,
        "third": one.third is not None and bool(one.third.differs) and not all(v.differs for v in one.verdicts),
        "unsafe": unsafe,
    }
    yield from (name for name, holds in found.items() if holds)
