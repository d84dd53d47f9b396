"""Final grades as other tools keep them: whole numbers, one for each pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from runner.counts import counted
from runner.errors import BadInput
from runner.retrieval.exchange.lines import Ids
from runner.retrieval.exchange.remarks import Read, lost
from runner.retrieval.plain_judgements import Grades

#: Line number, query, item and grade as they stand in a file.
Row = tuple[int, str, str, str]
WholeGrades = Mapping[str, Mapping[str, int]]

#: The grades that a file of whole numbers may hold, as they are written.
WHOLE = {"0": 0.0, "1": 1.0, "2": 2.0, "3": 3.0}


def collect_grades(where: str, rows: Iterable[Row], ids: Ids) -> Grades:
    """Grades by query and item, in the order of the file; BadInput for a pair twice or what is no grade of D3."""
    grades: dict[str, dict[str, float]] = {}
    for line, query_id, doc_id, text in rows:
        if text not in WHOLE:
            advice = "Grades are 0, 1, 2 and 3; half ones stand only in JSON Lines."
            raise BadInput(f"{where}:{line}: {text} is no grade.", advice=advice)
        ids.refuse_stranger(where, line, query_id, doc_id)
        own = grades.setdefault(query_id, {})
        if doc_id in own:
            raise BadInput(f"{where}:{line}: {query_id} {doc_id} is graded twice.", advice="Keep one of the lines.")
        own[doc_id] = WHOLE[text]
    if not grades:
        raise BadInput(f"{where}: holds no judgement.", advice="Give at least one line.")
    return grades


def whole_grades(where: str, grades: Grades) -> Read[WholeGrades]:
    """Half grades become the whole one below, so that just what was relevant (2 or better) stays relevant."""
    whole = {query_id: {doc_id: int(grade) for doc_id, grade in own.items()} for query_id, own in grades.items()}
    halves = [f"{q} {d} {grade}" for q, own in grades.items() for d, grade in own.items() if grade % 1]
    if not halves:
        return Read(whole)
    what = f"{counted(len(halves), 'half grade became', 'half grades became')} the whole one below"
    return Read(whole, (lost(where, f"{what} (nDCG moves; Hit, RR and Recall do not)", halves),))


def graded_pairs(grades: WholeGrades) -> Iterator[tuple[str, str, int]]:
    """Query, item and grade, one after the other."""
    for query_id, own in grades.items():
        for doc_id, grade in own.items():
            yield query_id, doc_id, grade
