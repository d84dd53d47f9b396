"""The lines of an interaction file, read strictly into the lists that people saw and what they did with each."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from runner.documents import Document, Source, parse_json
from runner.errors import BadInput
from runner.retrieval.interleaving import LENGTH, Lists, Team

ADVICE = "docs/interactions.md has the format; take the line out, or delete the file."
DEEDS = ("preview", "open", "copy", "choose", "unchoose")

Count = Annotated[int, Field(ge=0)]
Rank = Annotated[int, Field(ge=1, le=LENGTH)]


class Versions(Document):
    """What an engine said of itself in its hello."""

    system: str | None
    version: str | None
    interface: str | None
    protocol: str | None
    corpus: str | None
    index: str | None
    model: str | None
    configuration: str | None


class Event(Document):
    """What every line has: `session` is a random name, `render` counts the lists drawn in it, `ms` runs from its start.

    `slice` is a label that the user gave, `other` the second engine where two are interleaved, `lost` counts the lines
    that could not be written before.
    """

    format: Literal["mambo-interactions/v1"]
    session: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    event: str
    render: Annotated[int, Field(ge=1)]
    ms: Annotated[int, Field(ge=0, description="In milliseconds.")]
    slice: Annotated[str, Field(min_length=1)] | None
    versions: Versions
    other: Versions | None
    lost: Count


class Result(Document):
    """A result of a list: `exposure` is the probability that it is shown at all, 1 but for interleaved lists.

    `team` gets the credit for it, and `lists` says which of the two engines returned it.
    """

    doc_id: Annotated[str, Field(min_length=1)]
    rank: Rank
    exposure: Annotated[float, Field(gt=0, le=1)]
    team: Team | None
    lists: Lists | None


class Render(Event):
    """A list was drawn, or that there is none. `visible` of its results stood on the screen of `columns` x `rows`.

    `text` is the query, null unless the user turned that on, too.
    """

    event: Literal["render"]
    outcome: Literal["results", "empty", "error"]
    text: str | None
    results: Annotated[tuple[Result, ...], Field(max_length=LENGTH)]
    visible: Count
    columns: Count
    rows: Count


class Deed(Event, Result):
    """Somebody previewed, opened, copied or chose a result of the list `render`.

    `unchoose` takes back that it was chosen, in whichever list of the session that was.
    """

    event: Literal["preview", "open", "copy", "choose", "unchoose"]

    @property
    def result(self) -> Result:
        """The result that it was done to."""
        return Result(**{name: getattr(self, name) for name in Result.model_fields})


class Turn(Event):
    """The list `render` ended without a choice: by a search in other words, or by leaving."""

    event: Literal["reformulate", "abandon"]


class End(StrEnum):
    """How a list ended; `cut` where the file does not say, as the session was killed or goes on, or a choice was taken
    back when the list stood no more."""

    CHOSEN = "chosen"
    REFORMULATED = "reformulated"
    ABANDONED = "abandoned"
    REPEATED = "repeated"
    CUT = "cut"


class Visit(NamedTuple):
    """One drawn list, what was done with it and not taken back, and how it ended."""

    render: Render
    deeds: tuple[Deed, ...]
    end: End

    def first(self, event: str) -> Deed | None:
        """The first deed of a kind."""
        return next((deed for deed in self.deeds if deed.event == event), None)


def parse_interactions(source: Source) -> tuple[Visit, ...]:
    """The visits in the order of their lists; BadInput names the line that is wrong, or out of its session's order."""
    sessions: dict[str, _Session] = {}
    visits: list[_Open] = []
    for number, line in enumerate(_lines(source), 1):
        where = f"{source.where}:{number}"
        event = parse_event(Source(where, line))
        session = sessions.setdefault(event.session, _Session())
        session.take(event, where)
        if isinstance(event, Render):
            visits.append(session.visits[-1])
    return tuple(visit.closed() for visit in visits)


def _lines(source: Source) -> list[bytes]:
    lines = source.data.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def parse_event(source: Source) -> Render | Deed | Turn:
    """The event in one line."""
    where, line = source
    value = parse_json(line, where)
    kind = value.get("event") if isinstance(value, dict) else None
    if kind == "render":
        return Render.parse(line, where)
    if kind in DEEDS:
        return Deed.parse(line, where)
    if kind in {"reformulate", "abandon"}:
        return Turn.parse(line, where)
    raise BadInput(f"{where}: event is none of render, {', '.join(DEEDS)}, reformulate, abandon.", advice=ADVICE)


class _Open:
    """A list whose end is not read yet."""

    def __init__(self, render: Render) -> None:
        self.render = render
        self.deeds: list[Deed] = []
        self.end = End.CUT

    def closed(self) -> Visit:
        chosen = any(deed.event == "choose" for deed in self.deeds)
        return Visit(self.render, tuple(self.deeds), End.CHOSEN if chosen else self.end)


class _Session:
    """Checks that the lines of one session follow each other."""

    def __init__(self) -> None:
        self.visits: list[_Open] = []
        self._choices: dict[str, list[tuple[_Open, Deed]]] = {}
        self._ms = 0

    def take(self, event: Render | Deed | Turn, where: str) -> None:
        if event.ms < self._ms:
            raise BadInput(f"{where}: ms is {event.ms} after {self._ms}.", advice=ADVICE)
        self._ms = event.ms
        if isinstance(event, Render):
            self._render(event, where)
            return
        if event.render != len(self.visits):
            raise BadInput(
                f"{where}: render is {event.render}, the session's last is {len(self.visits)}.", advice=ADVICE
            )
        visit = self.visits[-1]
        if isinstance(event, Turn):
            visit.end = End.REFORMULATED if event.event == "reformulate" else End.ABANDONED
        elif event.result not in visit.render.results:
            raise BadInput(f"{where}: rank {event.rank} of its list is another result.", advice=ADVICE)
        elif event.event == "unchoose":
            self._take_back(event, where)
        else:
            visit.deeds.append(event)
            if event.event == "choose":
                self._choices.setdefault(event.doc_id, []).append((visit, event))

    def _take_back(self, event: Deed, where: str) -> None:
        made = self._choices.pop(event.doc_id, ())
        if not made:
            raise BadInput(f"{where}: {event.doc_id} was not chosen before.", advice=ADVICE)
        for visit, deed in made:
            visit.deeds.remove(deed)
            if visit.end is End.REPEATED:
                visit.end = End.CUT

    def _render(self, render: Render, where: str) -> None:
        if render.render != len(self.visits) + 1:
            raise BadInput(f"{where}: render is {render.render}, expected {len(self.visits) + 1}.", advice=ADVICE)
        if not _numbered(render.results) or (render.outcome == "results") != bool(render.results):
            raise BadInput(f"{where}: results do not fit their ranks or the outcome.", advice=ADVICE)
        if self.visits and self.visits[-1].end is End.CUT:
            self.visits[-1].end = End.REPEATED
        self.visits.append(_Open(render))


def _numbered(results: Sequence[Result]) -> bool:
    ids = {result.doc_id for result in results}
    return [result.rank for result in results] == list(range(1, len(results) + 1)) and len(ids) == len(results)
