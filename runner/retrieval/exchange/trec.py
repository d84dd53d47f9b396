"""TREC qrels and runs: columns with blanks between them."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from runner.counts import counted
from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange.columns import columns, numbers, runs, whole_numbers
from runner.retrieval.exchange.grades import WHOLE, Row, collect_grades, graded_pairs, whole_grades
from runner.retrieval.exchange.lines import ANY, Ids, read_lines, refuse_blanks
from runner.retrieval.exchange.remarks import Read, Remark, lost, warning
from runner.retrieval.plain_judgements import Grades

Lists = Mapping[str, Sequence[str]]

# Python's own numbers allow more: underscores, other digits, nan.
_SCORE = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_RANK = re.compile(r"\d{1,9}", re.ASCII)


class TrecRun(NamedTuple):
    """The list of each query that has one, best first, and the name of who made them."""

    tag: str
    lists: Mapping[str, tuple[str, ...]]


class _Place(NamedTuple):
    """One line of a run; sorts by rank."""

    rank: int
    line: int
    doc_id: str
    score: float


def parse_qrels(source: Source, ids: Ids = ANY) -> Read[Grades]:
    """The grades in lines of query, iteration, item and grade; the iteration is not used."""
    plain = _plain_qrels(source.data) if ids is ANY else None
    if plain is not None:
        return Read(plain)
    lines, remarks = read_lines(source)
    return Read(collect_grades(source.where, _qrel_rows(source.where, lines), ids), remarks)


def write_qrels(where: str, grades: Grades) -> Read[bytes]:
    """The grades as a file, half ones written down to the whole one below."""
    whole, remarks = whole_grades(where, grades)
    rows = []
    for query_id, doc_id, grade in graded_pairs(whole):
        refuse_blanks(where, query_id, doc_id)
        rows.append(f"{query_id} 0 {doc_id} {grade}\n")
    return Read("".join(rows).encode(), remarks)


def parse_run(source: Source, ids: Ids = ANY) -> Read[TrecRun]:
    """The lists in lines of query, Q0, item, rank, score and tag.

    Items stand in the order of their ranks. trec_eval goes by score and then by id, so a run whose scores rise
    somewhere along its ranks says two things at once and is refused. Equal scores keep the order of their ranks.
    """
    plain = _plain_run(source.data) if ids is ANY else None
    if plain is not None:
        return Read(plain)
    lines, remarks = read_lines(source)
    tag, places = _places(source.where, lines, ids)
    for query_id, own in places.items():
        _rank(source.where, query_id, own)
    lists = {query_id: tuple(place.doc_id for place in own) for query_id, own in places.items()}
    return Read(TrecRun(tag, lists), remarks + _ties(source.where, places))


def write_run(where: str, run: TrecRun) -> Read[bytes]:
    """The run as a file; scores count down to 1, so that trec_eval keeps the order. An empty list leaves no line."""
    refuse_blanks(where, run.tag)
    rows = []
    for query_id, doc_ids in run.lists.items():
        refuse_blanks(where, query_id, *doc_ids)
        worst = len(doc_ids) + 1
        rows += [f"{query_id} Q0 {d} {rank} {worst - rank} {run.tag}\n" for rank, d in enumerate(doc_ids, 1)]
    empty = [query_id for query_id, doc_ids in run.lists.items() if not doc_ids]
    what = f"{counted(len(empty), 'query', 'queries')} with an empty list, which a run has no line for"
    return Read("".join(rows).encode(), (lost(where, what, empty),) if empty else ())


def _plain_qrels(data: bytes) -> Grades | None:
    """The grades of a clean file whose queries stand together; else None."""
    found = columns(data, 4)
    if not found or not found[0] or not WHOLE.keys() >= set(found[3]):
        return None
    query_ids, _, doc_ids, words = found
    grades = list(map(WHOLE.__getitem__, words))
    own = {query_id: dict(zip(doc_ids[at], grades[at], strict=True)) for query_id, at in runs(query_ids)}
    # An item twice, or a query in two stretches, has fewer entries than lines.
    return own if sum(map(len, own.values())) == len(grades) else None


def _plain_run(data: bytes) -> TrecRun | None:
    """A clean run whose queries stand together, ranks and scores in order and without ties; else None."""
    found = columns(data, 6)
    if not found or not found[0] or len(set(found[5])) > 1:
        return None
    query_ids, _, doc_ids, words, scores, (tag, *_) = found
    ranks, values = whole_numbers(words, 9), numbers(scores)
    if ranks is None or values is None:
        return None
    stretches = runs(query_ids)
    first = np.zeros(len(ranks), dtype=bool)
    first[[at.start for _, at in stretches]] = True
    falls = -np.diff(values, prepend=np.inf)
    in_order = (np.diff(ranks, prepend=0) > 0) & (falls > 1e-6 * np.abs(values))
    lists = {query_id: tuple(doc_ids[at]) for query_id, at in stretches}
    if not (first | in_order).all() or sum(len(set(own)) for own in lists.values()) < len(ranks):
        return None
    return TrecRun(tag, lists)


def _qrel_rows(where: str, lines: Sequence[str]) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) != 4:
            _refuse_columns(where, number, len(fields), "query, 0, item, grade")
        yield number, fields[0], fields[2], fields[3]


def _refuse_columns(where: str, line: int, found: int, wanted: str) -> None:
    what = f"{where}:{line}: has {counted(found, 'column')}, not the columns {wanted}."
    raise BadInput(what, advice="Mend or remove the line.")


def _places(where: str, lines: Sequence[str], ids: Ids) -> tuple[str, dict[str, list[_Place]]]:
    tag, places = "", dict[str, list[_Place]]()
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) != 6:
            _refuse_columns(where, number, len(fields), "query, Q0, item, rank, score, tag")
        query_id, _, doc_id, rank, score, name = fields
        tag = tag or name
        if name != tag:
            what = f"{where}:{number}: is of run {name}, the lines before of {tag}."
            raise BadInput(what, advice="Give each run a file of its own.")
        ids.refuse_stranger(where, number, query_id, doc_id)
        place = _Place(_whole(where, number, rank), number, doc_id, _score(where, number, score))
        places.setdefault(query_id, []).append(place)
    if not places:
        raise BadInput(f"{where}: holds no result.", advice="Give at least one line.")
    return tag, places


def _whole(where: str, line: int, text: str) -> int:
    if not _RANK.fullmatch(text):
        raise BadInput(f"{where}:{line}: rank {text} is no whole number.", advice="Count from 0 or 1.")
    return int(text)


def _score(where: str, line: int, text: str) -> float:
    score = float(text) if _SCORE.fullmatch(text) else math.nan
    if not math.isfinite(score):
        raise BadInput(f"{where}:{line}: score {text} is no number.", advice="Give a finite number.")
    return score


def _rank(where: str, query_id: str, places: list[_Place]) -> None:
    """Sort by rank, and refuse what contradicts itself."""
    _refuse_twins(where, query_id, places)
    places.sort()
    for better, worse in pairwise(places):
        if better.rank == worse.rank:
            what = f"{where}:{worse.line}: {query_id} has rank {worse.rank} twice (line {better.line} too)."
            raise BadInput(what, advice="Give each item a rank of its own.")
        if worse.score > better.score:
            what = (
                f"{where}:{worse.line}: {query_id} {worse.doc_id} has rank {worse.rank}, "
                f"but a higher score than rank {better.rank} (line {better.line})."
            )
            raise BadInput(what, advice="trec_eval goes by the score: rank by score, or give scores that fall.")


def _refuse_twins(where: str, query_id: str, places: Sequence[_Place]) -> None:
    if len({place.doc_id for place in places}) == len(places):
        return
    seen: set[str] = set()
    for place in places:
        if place.doc_id in seen:
            what = f"{where}:{place.line}: {query_id} {place.doc_id} stands twice."
            raise BadInput(what, advice="Keep one of the lines.")
        seen.add(place.doc_id)


def _ties(where: str, places: Mapping[str, Sequence[_Place]]) -> tuple[Remark, ...]:
    """Where trec_eval, which reads scores in single precision, would order by id against the ranks."""
    tied = [query_id for query_id, own in places.items() if any(_turned(a, b) for a, b in pairwise(own))]
    if not tied:
        return ()
    what = f"{counted(len(tied), 'query has', 'queries have')} tied scores, which trec_eval would order by id"
    return (warning(where, f"{what}; here the ranks hold", tied),)


def _turned(better: _Place, worse: _Place) -> bool:
    return better.doc_id < worse.doc_id and (
        better.score == worse.score
        # Too near for single precision? Only these few are worth the conversion.
        or (better.score - worse.score <= 1e-6 * abs(better.score) and _single(better.score) == _single(worse.score))
    )


def _single(score: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", score))[0])
    except OverflowError:
        return math.copysign(math.inf, score)
