"""Reads what one system's drive left back into everything that is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.errors import Findings
from runner.provenance.driver_report import DriverReport, FileReport
from runner.provenance.handshake import Handshake, read_handshake
from runner.provenance.rawlog import RawLog, open_raw_log, plan_digest
from runner.retrieval.instrument import Instrument
from runner.retrieval.runs import EngineRequest, Observation
from runner.retrieval.stability import HostLoad
from runner.terminal.probes import Floors, read_engine_path, read_floors, read_hello
from runner.terminal.rawlog import Begin, Event, Finish, Host, Net, RawFile, Restart, Role, Spawn
from runner.terminal.starts import Starts, read_starts
from runner.workflows.engine_path import differing, engine_requests
from runner.workflows.instrument import read_instrument
from runner.workflows.names import PLAN, REPORT, SUITES_FILES, need, raw_folder
from runner.workflows.observe import Bounds, observe


class SystemEvidence(NamedTuple):
    """What one system did. `differing` are queries whose list on the UI path was another than on the engine path.

    `network` are the counters of the network namespace, in the order they were read; `hello` is null where none came.
    """

    system: str
    report: DriverReport
    log: RawLog
    hello: Handshake | None
    observations: tuple[Observation, ...]
    engine: tuple[EngineRequest, ...]
    differing: tuple[str, ...]
    floors: Floors
    instrument: Instrument
    host: HostLoad | None
    network: tuple[Mapping[str, int], ...]
    starts: Starts


def read_evidence(system: str, files: Mapping[str, bytes], titles: Mapping[str, str], bounds: Bounds) -> SystemEvidence:
    """The evidence on `system` among the files of a result; every line of it must follow from the plan in it."""
    report = _read_report(raw_folder(system), files)
    log = open_log(system, files)
    _hold_report(report, log, files)
    observations = observe(log.searches, titles, bounds)
    replies = read_engine_path(log.engine)
    return SystemEvidence(
        system=system,
        report=report,
        log=log,
        hello=read_handshake(read_hello(log.engine)),
        observations=observations,
        engine=engine_requests(system, replies, bounds),
        differing=differing(observations, replies) if replies else (),
        floors=read_floors(log.floors),
        instrument=read_instrument(log, files, observations),
        host=host_load(system, log.blocks),
        network=tuple(event.counters for event in _events(log.files) if isinstance(event, Net) and event.counters),
        starts=read_starts(log.warmup, log.files),
    )


def open_log(system: str, files: Mapping[str, bytes]) -> RawLog:
    """The raw log of `system` among the files of a result, its chain checked."""
    where = raw_folder(system)
    found = {name.removeprefix(f"{where}/"): data for name, data in files.items() if name.startswith(f"{where}/")}
    logs = {name: data for name, data in found.items() if name not in {PLAN, REPORT, *SUITES_FILES}}
    return open_raw_log(need(files, f"{where}/{PLAN}"), logs, where)


def _read_report(where: str, files: Mapping[str, bytes]) -> DriverReport:
    """The driver's account of a run of the plan beside it, which came to its end."""
    name, plan = f"{where}/{REPORT}", f"{where}/{PLAN}"
    report = DriverReport.parse(need(files, name), name)
    if report.how != "complete" or report.reason:
        raise Findings(f"{name}: how: says {report.how} {report.reason!r}, but only a complete run has a score.")
    for file in report.files:
        need(files, f"{where}/{file.name}", name)
    found = f"sha256:{plan_digest(need(files, plan))}"
    if found != report.plan:
        raise Findings(f"{plan}: expected {report.plan} by {name}, found {found}.")
    return report


def _hold_report(report: DriverReport, log: RawLog, files: Mapping[str, bytes]) -> None:
    """Findings where the driver's account is not what its raw log shows."""
    where = log.warmup.name.rpartition("/")[0]
    events = list(_events(log.files))
    expected = {
        "chain": log.chain,
        "files": tuple(_file_report(file, files) for file in log.files),
        "requests": dict(_results(events)),
        "restarts": sum(isinstance(event, Restart) for event in events),
        "engine_restarts": max(0, sum(isinstance(event, Spawn) and event.role is Role.ENGINE for event in events) - 1),
    }
    for name, value in expected.items():
        if getattr(report, name) != value:
            raise Findings(f"{where}/{REPORT}: {name}: says {getattr(report, name)!r}, its raw log shows {value!r}.")
    started, ended = report.found.started_ns, report.found.ended_ns
    if ended is None or not started <= events[0].t <= events[-1].t <= ended:
        raise Findings(f"{where}/{REPORT}: found: its raw log does not lie between {started} and {ended} ns.")


def _file_report(file: RawFile, files: Mapping[str, bytes]) -> FileReport:
    lines = files[file.name].splitlines()
    return FileReport(
        name=file.name.rpartition("/")[2], lines=len(lines), chain=lines[-1].rpartition(b'"chain":"')[2][:64].decode()
    )


def _results(events: Iterable[Event]) -> Counter[str]:
    """How many requests ended in each way, of those that the driver tells of."""
    counted, found = False, Counter[str]()
    for event in events:
        if isinstance(event, Begin):
            counted = event.request > 0 and event.phase.told
        elif isinstance(event, Finish) and counted:
            found[event.result.value] += 1
    return found


def host_load(system: str, blocks: Sequence[RawFile]) -> HostLoad | None:
    """What the host's counters say of the measured blocks; null where nobody read them."""
    counts = [event for event in _events(blocks) if isinstance(event, Host)]
    if not counts:
        return None
    first, last = counts[0], counts[-1]
    return HostLoad(
        system=system,
        steal_ticks=_moved(first.steal_ticks, last.steal_ticks),
        total_ticks=_moved(first.total_ticks, last.total_ticks),
        nr_throttled=_moved(first.nr_throttled, last.nr_throttled),
        throttled_us=_moved(first.throttled_us, last.throttled_us),
    )


def _moved(first: int | None, last: int | None) -> int | None:
    return None if first is None or last is None else last - first


def _events(files: Sequence[RawFile]) -> Iterator[Event]:
    return (event for file in files for event in file.events)
