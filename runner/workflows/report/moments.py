"""Where in its casts a system answered each query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.retrieval.topics import QueryId
from runner.terminal.rawlog import Begin, Done, Phase, RawFile
from runner.workflows.casts import cast_name


class Moment(NamedTuple):
    """A stretch of one cast, in nanoseconds from its start: the query's marker, and its done frame if one was seen."""

    cast: str
    block: int
    marker_ns: int
    done_ns: int | None

    @property
    def fragment(self) -> str:
        """The stretch as a media fragment, in seconds to the microsecond as casts have them."""
        end = "" if self.done_ns is None else f",{seconds(self.done_ns)}"
        return f"t={seconds(self.marker_ns)}{end}"

    @property
    def at(self) -> str:
        """The marker's second."""
        return seconds(self.marker_ns)


def seconds(ns: int) -> str:
    """Nanoseconds as seconds, cut to whole microseconds."""
    whole, rest = divmod(ns // 1000, 1_000_000)
    return f"{whole}.{rest:06}"


def first_moments(system: str, files: Sequence[RawFile]) -> Mapping[QueryId, Moment]:
    """Of each query, the first measured request, in the casts that `files` give."""
    found: dict[QueryId, Moment] = {}
    for file in files:
        for query_id, moment in _moments(f"casts/{system}/{cast_name(file)}", file):
            found.setdefault(query_id, moment)
    return found


def _moments(cast: str, file: RawFile) -> Iterator[tuple[QueryId, Moment]]:
    events, start = file.events, file.events[0].t
    begun = [place for place, event in enumerate(events) if isinstance(event, Begin)]
    for place, following in zip(begun, [*begun[1:], len(events)], strict=True):
        begin = events[place]
        if isinstance(begin, Begin) and begin.phase is Phase.MEASURED:
            done = next((event.t - start for event in events[place:following] if isinstance(event, Done)), None)
            yield begin.query_id, Moment(cast, file.block, begin.t - start, done)
