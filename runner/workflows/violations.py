"""Critical violations that stand outside the requests (D24)."""

from __future__ import annotations

from collections.abc import Iterator

from runner.counts import counted
from runner.provenance.environment import ContainerFacts
from runner.provenance.inputs import Inputs
from runner.provenance.run_lock import SystemLock
from runner.retrieval.violations import Critical, CriticalViolation
from runner.terminal.rawlog import Left, Role, SideDoor
from runner.workflows.evidence import SystemEvidence


def violations_outside(
    one: SystemEvidence, locked: SystemLock, inputs: Inputs, container: ContainerFacts | None
) -> Iterator[CriticalViolation]:
    """Network, doors past the driver, traces of use, and digests that the run itself contradicts."""
    seen = {
        Critical.NETWORK: _network(one) if container else (),
        Critical.DOOR: _doors(one),
        Critical.EVENTS: _traces(one),
        Critical.DIGEST: (*_handshake(one, locked, inputs), *_image(locked, container)),
    }
    for kind, details in seen.items():
        for detail in details:
            yield CriticalViolation(system=one.system, kind=kind.value, detail=detail)


def _network(one: SystemEvidence) -> Iterator[str]:
    """Attempts to reach the network, by the counters of the container's own namespace."""
    if one.network:
        first, last = one.network[0], one.network[-1]
        moved = {name: last.get(name, 0) - first.get(name, 0) for name in sorted(first.keys() | last.keys())}
        if any(moved.values()):
            yield ", ".join(f"{name} {by:+}" for name, by in moved.items() if by)


def _doors(one: SystemEvidence) -> Iterator[str]:
    """Sockets by which UI and engine could talk past the driver (D12)."""
    doors = [event.name for event in one.log.after.events if isinstance(event, SideDoor)]
    if doors:
        yield f"sockets past the driver: {', '.join(doors)}"


def _traces(one: SystemEvidence) -> Iterator[str]:
    """What the UI left behind: nobody opted in to any record of what was typed. An engine may keep what it likes."""
    left = [event for event in one.log.after.events if isinstance(event, Left) and event.role is Role.UI]
    yield from (f"{each.kind} {each.path!r}, {counted(each.size, 'byte')}" for each in left)


def _handshake(one: SystemEvidence, locked: SystemLock, inputs: Inputs) -> Iterator[str]:
    manifest = inputs.manifest
    if one.hello is not None:
        yield from one.hello.contradicts(
            {
                "protocol": manifest.protocol,
                "interface": manifest.interface,
                "corpus": inputs.corpus.digest,
                "configuration": locked.configuration,
            }
        )


def image_violations(system: str, locked: SystemLock, container: ContainerFacts | None) -> Iterator[CriticalViolation]:
    """Where a container ran another image than the locked one."""
    for detail in _image(locked, container):
        yield CriticalViolation(system=system, kind=Critical.DIGEST.value, detail=detail)


def _image(locked: SystemLock, container: ContainerFacts | None) -> Iterator[str]:
    if container and locked.image and container.image not in {locked.image.image, locked.image.manifest}:
        yield f"the container ran image {container.image}, not {locked.image.image}"
