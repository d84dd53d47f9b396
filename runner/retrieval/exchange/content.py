"""Which of the formats a file is in, seen from how it begins."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange import beir, trec
from runner.retrieval.exchange.lines import line_ends
from runner.retrieval.exchange.remarks import Read
from runner.retrieval.plain_judgements import Grades, Requests, RunLine, parse_grades, parse_requests


class Content(StrEnum):
    """What a file holds."""

    JSON_LINES = "JSON Lines"
    TREC_RUN = "a TREC run"
    TREC_QRELS = "TREC qrels"
    CLASSIC_TOPICS = "TREC topics"
    TABBED_TOPICS = "topics with tabs"
    BEIR_QRELS = "BEIR qrels"


def content_of(source: Source) -> Content:
    """What a file holds, by its first line; an empty one is JSON Lines without any."""
    first = source.data.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0].rstrip().decode(errors="replace")
    if not first or first.startswith("{"):
        return Content.JSON_LINES
    if first.lower().startswith("<top>"):
        return Content.CLASSIC_TOPICS
    if first == beir.HEADER:
        return Content.BEIR_QRELS
    if first.count("\t") == 1:
        return Content.TABBED_TOPICS
    columns = {4: Content.TREC_QRELS, 6: Content.TREC_RUN}
    if len(first.split()) not in columns:
        what = f"{source.where}:1: is neither JSON, topics, qrels (4 columns) nor a run (6 columns)."
        raise BadInput(what, advice="docs/exchange.md shows each form.")
    return columns[len(first.split())]


def read_grades(source: Source) -> Read[Grades]:
    """The grades in JSON Lines, TREC qrels or BEIR qrels."""
    match content_of(source):
        case Content.JSON_LINES:
            return Read(parse_grades(source), line_ends(source))
        case Content.TREC_QRELS:
            return trec.parse_qrels(source)
        case Content.BEIR_QRELS:
            return beir.parse_qrels(source)
        case (Content.TREC_RUN | Content.CLASSIC_TOPICS | Content.TABBED_TOPICS) as other:
            raise BadInput(f"{source.where}: holds {other}, not judgements.", advice="Name another file.")
        case other:
            assert_never(other)


def read_requests(source: Source) -> Read[Requests]:
    """The requests in JSON Lines, or the one request of each query in a TREC run."""
    match content_of(source):
        case Content.JSON_LINES:
            requests = parse_requests(source)
            if not requests:
                raise BadInput(f"{source.where}: holds no request.", advice="Give at least one line.")
            return Read(requests, line_ends(source))
        case Content.TREC_RUN:
            run, remarks = trec.parse_run(source)
            return Read({query_id: (doc_ids,) for query_id, doc_ids in run.lists.items()}, remarks)
        case (Content.TREC_QRELS | Content.BEIR_QRELS | Content.CLASSIC_TOPICS | Content.TABBED_TOPICS) as other:
            raise BadInput(f"{source.where}: holds {other}, not a run.", advice="Name another file.")
        case other:
            assert_never(other)


def lines_of(run: trec.TrecRun) -> dict[str, RunLine]:
    """A run as `measure` keeps it, by query."""
    return {query_id: RunLine(query_id=query_id, doc_ids=doc_ids) for query_id, doc_ids in run.lists.items()}
