"""Turns a raw log into one Observation a measured request (D10 to D14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from runner.counts import counted
from runner.errors import BadInput
from runner.retrieval.latency import NS_PER_MS
from runner.retrieval.runs import Observation, Outcome, Violation
from runner.terminal.episodes import Episode, episodes
from runner.terminal.exchange import Exchange, Refused, Returned, exchanges
from runner.terminal.interface import MOST, Drawn, Status, same_reading
from runner.terminal.rawlog import Phase, RawFile, Result
from runner.terminal.screens import AvtScreen, GhosttyScreen, Screen
from runner.terminal.shown import shows_title
from runner.terminal.sightings import Sighting, watch

ACCEPT_WINDOW_NS = 1 * NS_PER_MS


class Bounds(NamedTuple):
    """The times of the run's limits that an observation rests on."""

    time_limit_ms: int
    hold_ms: int


class Evidence(NamedTuple):
    """All that is known of one request. `sighting` is null where no done frame was seen."""

    episode: Episode
    exchange: Exchange
    sighting: Sighting | None

    @property
    def reply(self) -> Returned | Refused:
        """What the engine returned: the last reply between key and done (D12)."""
        last = self.exchange.last
        return last.reply if last else Refused("no search was asked and replied to between key and done")

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        """What those screens say on which a list could be read."""
        readings = self.sighting.readings if self.sighting else ()
        return tuple(reading for reading in readings if isinstance(reading, Drawn))


#: Their names, and that of the third opinion.
EMULATORS, THIRD = ("Ghostty", "avt, the web player"), "pyte, the third opinion"


def emulators() -> tuple[Screen, ...]:
    """The two that must agree."""
    return GhosttyScreen(), AvtScreen()


def observe(
    files: Sequence[RawFile], titles: Mapping[str, str], bounds: Bounds, phase: Phase = Phase.MEASURED
) -> tuple[Observation, ...]:
    """Every request of `phase` in one system's raw log, in the order they were sent.

    `titles` are the corpus's, by doc_id: what the screen shows is held against them, not against the reply.
    """
    return tuple(_observation(evidence, titles, bounds) for evidence in collect(files, bounds, phase))


def collect(files: Sequence[RawFile], bounds: Bounds, phase: Phase) -> Iterator[Evidence]:
    """The evidence of each request of `phase`; BadInput where the log contradicts itself."""
    sightings = watch(chain.from_iterable(file.events for file in files), emulators)
    heard = exchanges(chain.from_iterable(file.events for file in files))
    for episode in episodes(files):
        if episode.begin.phase is phase:
            _check(episode, bounds)
            request = episode.begin.request
            yield Evidence(episode, heard[request], sightings.get(request))


def _check(episode: Episode, bounds: Bounds) -> None:
    begin, moments = episode.begin, episode.moments
    if episode.finish.result is Result.DONE and moments.done is None:
        raise BadInput(f"request {begin.request}: finished as done without a done event.")
    if begin.held and not episode.finish.cut and episode.rest is not None and episode.finish.result is Result.DONE:
        held_ns = bounds.hold_ms * NS_PER_MS
        if episode.rest < held_ns:
            raise BadInput(
                f"request {begin.request}: was to be held {held_ns} ns, but a key came after {episode.rest}."
            )


def _observation(evidence: Evidence, titles: Mapping[str, str], bounds: Bounds) -> Observation:
    episode, moments = evidence.episode, evidence.episode.moments
    outcome, why = judge(evidence, titles, bounds)
    differs = drawn_differs(evidence, titles)
    violations = find_violations(evidence, differs)
    search = evidence.exchange.last
    reply = search.reply if search and isinstance(search.reply, Returned) else Returned(())
    return Observation(
        system=episode.place.system,
        block=episode.place.block,
        position=episode.place.position,
        query_id=episode.begin.query_id,
        process=episode.place.process,
        submit=episode.begin.submit,
        outcome=outcome,
        reason=why or (_violation_detail(evidence, differs) if violations else None),
        returned=reply.doc_ids,
        routes=tuple(item.routes for item in reply.items),
        ties=reply.ties if reply.items else None,
        drawn=evidence.drawn[0].doc_ids if evidence.drawn else (),
        violations=violations,
        held=episode.begin.held,
        latency_ns=bounds.time_limit_ms * NS_PER_MS if outcome.failed else measured_latency(episode),
        key_to_accept_ns=_between(moments.key, moments.accept),
        engine_ns=search.replied - search.asked if search else None,
        first_byte_ns=_between(moments.key, moments.first_byte),
        frame_end_ns=_between(moments.key, moments.done),
    )


def measured_latency(episode: Episode) -> int:
    """D13: from accept, or from the key where accept is not reported, not within 1 ms after the key, or after done."""
    key, accept, done = episode.moments.key, episode.moments.accept, episode.moments.done
    if key is None or done is None:
        raise BadInput(f"request {episode.begin.request}: has no key or no done event.")
    if accept is not None and key <= accept <= min(key + ACCEPT_WINDOW_NS, done):
        return done - accept
    return done - key


def judge(evidence: Evidence, titles: Mapping[str, str], bounds: Bounds) -> tuple[Outcome, str | None]:
    """The outcome of a request and, where it failed, why (D11)."""
    result = evidence.episode.finish.result
    if result is Result.CHARGED:
        return Outcome.ERROR, "not sent: the UI could not be brought back"
    if result is Result.CRASH:
        return Outcome.ERROR, "the UI crashed before the frame was done"
    if result is Result.TIMEOUT or measured_latency(evidence.episode) > bounds.time_limit_ms * NS_PER_MS:
        return Outcome.TIMEOUT, f"no done frame within {bounds.time_limit_ms} ms"
    if isinstance(evidence.reply, Refused):
        return Outcome.ERROR, evidence.reply.why
    fault = list_fault(evidence.reply.doc_ids, titles) or disagreement(evidence)
    if fault:
        return Outcome.ERROR, fault
    return (Outcome.ANSWERED if evidence.reply.items else Outcome.EMPTY), None


def list_fault(doc_ids: Sequence[str], titles: Mapping[str, str]) -> str | None:
    """What makes a returned list an error (D11)."""
    if len(doc_ids) > MOST:
        return f"the engine returned {len(doc_ids)} items, more than {MOST}"
    if len(set(doc_ids)) < len(doc_ids):
        return "the engine returned an item twice"
    unknown = next((doc_id for doc_id in doc_ids if doc_id not in titles), None)
    return f"the engine returned {unknown!r}, which the corpus does not hold" if unknown is not None else None


def disagreement(evidence: Evidence) -> str | None:
    """Where one emulator reads another list than the other; with the third opinion, which decides nothing."""
    if evidence.sighting is None:
        return None
    readings, third = evidence.sighting.readings, evidence.sighting.third
    if all(same_reading(readings[0], other) for other in readings):
        return None
    if third is None:
        return "the emulators disagree on the list; pyte was not asked"
    sides = [name for name, reading in zip(EMULATORS, readings, strict=True) if same_reading(reading, third)]
    return f"the emulators disagree on the list; pyte reads it as {sides[0] if sides else 'neither'} does"


def drawn_differs(evidence: Evidence, titles: Mapping[str, str]) -> str | None:
    """How the done frame differs from what was returned, on every emulator; null where one shows what it must."""
    sighting, submit = evidence.sighting, evidence.episode.begin.submit
    if sighting is None:
        return None
    if not sighting.whole:
        return "the done marker stands inside an unfinished update"
    found = [
        difference(reading, submit, evidence.reply, titles) if isinstance(reading, Drawn) else str(reading)
        for reading in sighting.readings
    ]
    return None if None in found else found[0]


def difference(drawn: Drawn, submit: int, reply: Returned | Refused, titles: Mapping[str, str]) -> str | None:
    """The first thing on a screen that is not as the reply has it."""
    if drawn.submit != submit:
        return f"row 24: submit {drawn.submit} where {submit} was sent"
    if isinstance(reply, Refused):
        return None if drawn.status is Status.ERROR and not drawn.lines else "drawn as a result, but none was returned"
    if drawn.status is Status.ERROR and not drawn.lines and list_fault(reply.doc_ids, titles):
        return None
    return _list_difference(drawn, reply.doc_ids[:MOST], titles)


def _list_difference(drawn: Drawn, returned: Sequence[str], titles: Mapping[str, str]) -> str | None:
    if drawn.status is not (Status.RESULTS if returned else Status.NONE):
        return f"row 24: says {drawn.status} where {len(returned)} were returned"
    if drawn.doc_ids != tuple(returned):
        return f"drawn {' '.join(drawn.doc_ids)} where {' '.join(returned)} was returned"
    for line in drawn.lines:
        if line.doc_id in titles and not shows_title(line.title, titles[line.doc_id]):
            return f"rank {line.rank}: {line.title!r} is not the title of {line.doc_id}"
    return None


def find_violations(evidence: Evidence, differs: str | None) -> tuple[Violation, ...]:
    """The critical violations of a request (D24)."""
    changed = evidence.sighting.changed if evidence.sighting else None
    seen = {
        Violation.DRAWN_DIFFERS: differs,
        Violation.CHANGED_AFTER_DONE: changed,
        Violation.ASKED_BEFORE_KEY: evidence.exchange.outside,
    }
    return tuple(violation for violation, sign in seen.items() if sign)


def _violation_detail(evidence: Evidence, differs: str | None) -> str:
    changed = evidence.sighting.changed if evidence.sighting else None
    return differs or changed or f"{counted(evidence.exchange.outside, 'request')} to the engine outside key and done"


def _between(start: int | None, end: int | None) -> int | None:
    return None if start is None or end is None else end - start
