"""Annotation key by key: what each stroke changes, and where an annotator stands after all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from pydantic import model_validator

from runner.documents import Document, Source
from runner.errors import BadInput
from runner.retrieval.items import Safety
from runner.retrieval.sheets import Given, Grade, PairKey


class Kind(StrEnum):
    """What a stroke does."""

    GRADE = "grade"
    SAFETY = "safety"
    NOTE = "note"
    SKIP = "skip"
    UNDO = "undo"


class Stroke(Document):
    """One act of an annotator, as in `strokes.jsonl`: only ever added, so that nothing is lost, undone ones included.

    Exactly the value of its kind is given. An undo takes back the last stroke that still stands, and names its pair.
    """

    at: str
    pair: PairKey
    kind: Kind
    grade: Grade | None = None
    safety: Safety | None = None
    note: str | None = None

    @model_validator(mode="after")
    def _its_own_value(self) -> Stroke:
        values = {Kind.GRADE: self.grade, Kind.SAFETY: self.safety, Kind.NOTE: self.note}
        given = {kind for kind, value in values.items() if value is not None}
        if given != {self.kind} & values.keys():
            raise ValueError(f"a {self.kind} stroke gives its own value and no other")
        return self


class Mark(NamedTuple):
    """What a pair has been given so far; `at` is the time of the last stroke on it."""

    grade: int | None = None
    safety: Safety | None = None
    note: str = ""
    skipped: bool = False
    at: str = ""

    @property
    def complete(self) -> bool:
        """Whether it has both a grade and a class."""
        return self.grade is not None and self.safety is not None


class Progress:
    """The marks on the pairs of one sheet, and the strokes that can be taken back."""

    def __init__(self, pairs: Sequence[str]) -> None:
        self.pairs = pairs
        self._marks: dict[str, Mark] = dict.fromkeys(pairs, Mark())
        self._undoable: list[tuple[str, Mark]] = []

    def mark(self, pair: str) -> Mark:
        """What `pair` has been given."""
        return self._marks[pair]

    @property
    def done(self) -> int:
        """How many pairs are complete."""
        return sum(mark.complete for mark in self._marks.values())

    @property
    def last(self) -> str | None:
        """The pair that an undo would change."""
        return self._undoable[-1][0] if self._undoable else None

    def apply(self, stroke: Stroke) -> None:
        """Take a stroke in; its pair is one of the sheet, and an undo names `last`."""
        if stroke.kind is Kind.UNDO:
            pair, before = self._undoable.pop()
            self._marks[pair] = before
            return
        before = self._marks[stroke.pair]
        self._undoable.append((stroke.pair, before))
        self._marks[stroke.pair] = _marked(before, stroke)

    def next_open(self, after: int) -> int | None:
        """The position of the next incomplete pair, round the end; skipped ones come when there are no others."""
        count = len(self.pairs)
        ring = [(after + step) % count for step in range(1, count + 1)]
        incomplete = [place for place in ring if not self._marks[self.pairs[place]].complete]
        fresh = (place for place in incomplete if not self._marks[self.pairs[place]].skipped)
        return next(fresh, incomplete[0] if incomplete else None)

    def given(self, where: str) -> Iterator[Given]:
        """What the complete pairs were given, in the order of the sheet."""
        for pair in self.pairs:
            mark = self._marks[pair]
            if mark.grade is not None and mark.safety is not None:
                yield Given(where, pair, mark.grade, mark.safety, mark.note, mark.at)


def replay(pairs: Sequence[str], strokes: Source) -> Progress:
    """Where an annotator stands after all strokes in a log, or BadInput at the line of one that cannot be theirs."""
    progress = Progress(pairs)
    own = set(pairs)
    for line, stroke in enumerate(Stroke.parse_lines(strokes.data, strokes.where), 1):
        place = f"{strokes.where}:{line}"
        if stroke.pair not in own:
            raise BadInput(f"{place}: {stroke.pair} is no pair of this sheet.", advice="Take its own log.")
        if stroke.kind is Kind.UNDO and progress.last != stroke.pair:
            raise BadInput(f"{place}: there is nothing on {stroke.pair} to undo.", advice="Mend the log.")
        progress.apply(stroke)
    return progress


def _marked(before: Mark, stroke: Stroke) -> Mark:
    after = before._replace(at=stroke.at)
    if stroke.kind is Kind.SKIP:
        return after._replace(skipped=True)
    if stroke.kind is Kind.NOTE:
        return after._replace(note=stroke.note or "")
    if stroke.kind is Kind.GRADE:
        return after._replace(grade=stroke.grade, skipped=False)
    return after._replace(safety=stroke.safety, skipped=False)
