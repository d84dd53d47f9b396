"""Reads one system's raw log back into everything that is known of its run, for the run and for whoever checks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.errors import Findings
from runner.provenance.driver_report import DriverReport
from runner.provenance.rawlog import RawLog, open_raw_log
from runner.retrieval.runs import EngineRequest, Observation
from runner.retrieval.stability import HostLoad
from runner.retrieval.violations import Critical, CriticalViolation
from runner.terminal.probes import Floors, read_engine_path, read_floors, read_hello
from runner.terminal.rawlog import Host, Left, Net, RawFile, Role, SideDoor
from runner.workflows.engine_path import differing, engine_requests
from runner.workflows.observe import Bounds, observe

PLAN, REPORT = "plan.json", "driver.json"


class SystemEvidence(NamedTuple):
    """What one system did. `differing` are queries whose list on the UI path was another than on the engine path."""

    system: str
    report: DriverReport
    log: RawLog
    hello: Mapping[str, object]
    doors: tuple[str, ...]
    observations: tuple[Observation, ...]
    engine: tuple[EngineRequest, ...]
    differing: tuple[str, ...]
    floors: Floors
    host: HostLoad | None
    violations: tuple[CriticalViolation, ...]


def examine(system: str, files: Mapping[str, bytes], titles: Mapping[str, str], bounds: Bounds) -> SystemEvidence:
    """The evidence in one system's raw folder (`files` by name); every line of it must follow from the plan in it."""
    where = f"raw/{system}"
    report = DriverReport.parse(files[REPORT], f"{where}/{REPORT}")
    log = open_raw_log(files[PLAN], {name: files[name] for name in files if name not in {PLAN, REPORT}}, where)
    if report.chain != log.chain:
        raise Findings(f"{where}/{REPORT}: chain: says {report.chain}, but the raw log ends in {log.chain}.")
    observations = observe(log.searches, titles, bounds)
    replies = read_engine_path(log.engine)
    return SystemEvidence(
        system=system,
        report=report,
        log=log,
        hello=read_hello(log.engine) or {},
        doors=tuple(event.name for event in log.after.events if isinstance(event, SideDoor)),
        observations=observations,
        engine=engine_requests(system, replies, bounds),
        differing=differing(observations, replies) if replies else (),
        floors=read_floors(log.floors),
        host=host_load(system, log.blocks),
        violations=(*network_attempts(system, log), *written_events(system, log.after)),
    )


def host_load(system: str, blocks: Sequence[RawFile]) -> HostLoad | None:
    """What the host's counters say of the measured blocks."""
    counts = [event for file in blocks for event in file.events if isinstance(event, Host)]
    if not counts or counts[0].total_ticks is None or counts[-1].total_ticks is None:
        return None
    first, last = counts[0], counts[-1]
    return HostLoad(
        system=system,
        steal_ticks=(last.steal_ticks or 0) - (first.steal_ticks or 0),
        total_ticks=(last.total_ticks or 0) - (first.total_ticks or 0),
        nr_throttled=(last.nr_throttled or 0) - (first.nr_throttled or 0),
        throttled_us=(last.throttled_us or 0) - (first.throttled_us or 0),
    )


def network_attempts(system: str, log: RawLog) -> Iterator[CriticalViolation]:
    """Attempts to reach the network, by the counters of the container's own namespace (D24)."""
    if log.plan.isolation != "users":
        return
    counts = [event for file in log.files for event in file.events if isinstance(event, Net)]
    first, last = counts[0].counters, counts[-1].counters
    moved = {name: last[name] - first.get(name, 0) for name in sorted(last) if last[name] != first.get(name, 0)}
    if moved:
        detail = ", ".join(f"{name} +{by}" for name, by in moved.items())
        yield CriticalViolation(system=system, kind=Critical.NETWORK.value, detail=detail)


def written_events(system: str, after: RawFile) -> Iterator[CriticalViolation]:
    """Files that the UI left behind: nobody opted in to any record of what was typed (D24)."""
    for left in after.events:
        if isinstance(left, Left) and left.role is Role.UI and left.kind == "file":
            yield CriticalViolation(system=system, kind=Critical.EVENTS.value, detail=f"{left.path}, {left.size} bytes")
