"""From locked inputs and evidence to the scorecard: the step that anyone can repeat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from runner.documents import digest, parse_json
from runner.ports import ResultFolder
from runner.provenance.card import Floor, Scorecard
from runner.provenance.environment import Environment, shortfalls
from runner.provenance.inputs import Inputs, System
from runner.provenance.run_lock import RunLock, SystemLock
from runner.provenance.statement import Statement
from runner.provenance.versions import VersionTuple
from runner.retrieval.latency import percentile
from runner.retrieval.violations import Critical, CriticalViolation
from runner.workflows.casts import casts
from runner.workflows.evidence import SystemEvidence, examine
from runner.workflows.observe import Bounds
from runner.workflows.products import CARD, CASTS, ENVIRONMENT, LOCK, RAW
from runner.workflows.score import RunFacts, score
from runner.workflows.verify import Check, read_raw_log, screens_check, systems


def score_run(
    inputs: Inputs, lock: RunLock, environment: Environment, evidence: tuple[SystemEvidence, ...]
) -> Scorecard:
    """The scorecard of a run; equal arguments give equal bytes."""
    observations = tuple(seen for one in evidence for seen in one.observations)
    facts = RunFacts(
        run_id=lock.run_id,
        versions=tuple(
            versions(system, locked, one, inputs, lock)
            for system, locked, one in zip(inputs.systems, lock.systems, evidence, strict=True)
        ),
        violations=tuple(violation for one in evidence for violation in violations_of(one, inputs, lock, environment)),
        hosts=tuple(one.host for one in evidence if one.host is not None),
        engine=tuple(request for one in evidence for request in one.engine),
        floors=tuple(floor for one in evidence for floor in floors(one)),
        reasons=(*lock.reasons, *hardware_reasons(inputs, environment), *path_reasons(evidence)),
    )
    return score(observations, inputs.partition, inputs.corpus, facts)


def versions(system: System, locked: SystemLock, one: SystemEvidence, inputs: Inputs, lock: RunLock) -> VersionTuple:
    """Everything one row depends on (D32)."""
    hello = one.hello
    manifest = inputs.manifest
    return VersionTuple(
        system=system.manifest.name,
        system_version=system.card.version,
        system_digest=locked.layer,
        configuration=locked.configuration,
        index=said(hello, "index"),
        model=said(hello, "model"),
        image_id=locked.image.image if locked.image else None,
        benchmark=manifest.benchmark,
        partition=lock.partition,
        judgement_set=lock.judgement_set,
        corpus=lock.corpus,
        policy=manifest.safety_policy.digest,
        hardware_profile=lock.hardware,
        cpu_model=lock.platform["cpu_model"],
        interface=manifest.interface,
        protocol=manifest.protocol,
        score=manifest.score,
        manifest=lock.manifest,
        code_commit=lock.code_commit,
        code_clean=lock.code_clean,
        locks=lock.locks,
        runtime=lock.platform | {f"package {name}": version for name, version in lock.packages.items()},
    )


def said(hello: Mapping[str, object], key: str) -> str | None:
    """A digest that the engine gave in its handshake."""
    value = hello.get(key)
    return value if isinstance(value, str) else None


def violations_of(
    one: SystemEvidence, inputs: Inputs, lock: RunLock, environment: Environment
) -> Iterator[CriticalViolation]:
    """What was seen outside the requests: network, files, and digests that the run itself contradicts (D24)."""
    yield from one.violations
    found = one.hello
    locked = next(system for system in lock.systems if system.name == one.system)
    expected = {"corpus": inputs.corpus.digest, "configuration": locked.configuration}
    for name, value in expected.items():
        if found.get(name) != value:
            yield _wrong(one.system, f"the engine serves {name} {found.get(name)}, not {value}")
    container = next(place.container for place in environment.systems if place.system == one.system)
    if container and locked.image and container.image not in {locked.image.image, locked.image.manifest}:
        yield _wrong(one.system, f"the container ran image {container.image}, not {locked.image.image}")


def hardware_reasons(inputs: Inputs, environment: Environment) -> Iterator[str]:
    """Where the hardware profile was not met."""
    seccomp = digest(inputs.hardware.seccomp.encode())
    for place in environment.systems:
        if place.container is not None:
            yield from shortfalls(inputs.hardware, seccomp, place.container)


def path_reasons(evidence: tuple[SystemEvidence, ...]) -> Iterator[str]:
    """Where the two paths gave different lists (D16), or another path than the driver's stood open (D12)."""
    for one in evidence:
        if one.doors:
            yield f"{one.system}: sockets past the driver: {', '.join(one.doors)}"
        if one.differing:
            yield f"{one.system}: {len(one.differing)} queries had another list straight from the engine"


def floors(one: SystemEvidence) -> Iterator[Floor]:
    """The floors of the measuring itself, beside one system's latency."""
    for name, times in (
        ("terminal echo", one.floors.echo_ns),
        ("null UI, key to frame", one.floors.null_ui_ns),
        ("null UI, error of the read stamp", one.floors.null_ui_error_ns),
    ):
        if times:
            ordered = sorted(times)
            yield Floor(
                name=f"{one.system}: {name}",
                n=len(ordered),
                p50_ns=percentile(ordered, 500),
                p95_ns=percentile(ordered, 950),
                max_ns=ordered[-1],
            )


def _wrong(system: str, detail: str) -> CriticalViolation:
    return CriticalViolation(system=system, kind=Critical.DIGEST.value, detail=detail)


def recompute(folder: ResultFolder, inputs: Inputs) -> Scorecard:
    """The scorecard that the raw records of a kept result give, whatever its card says."""
    lock = RunLock.parse(folder.read(LOCK), LOCK)
    environment = Environment.parse(folder.read(ENVIRONMENT), ENVIRONMENT)
    titles = {doc_id: item.title for doc_id, item in inputs.corpus.items.items()}
    bounds = Bounds(inputs.manifest.limits.time_limit_ms, inputs.manifest.limits.hold_ms)
    evidence = tuple(
        examine(system.name, _below(folder, f"{RAW}/{system.name}/"), titles, bounds) for system in lock.systems
    )
    return score_run(inputs.only([system.name for system in lock.systems]), lock, environment, evidence)


def card_differences(folder: ResultFolder, inputs: Inputs) -> list[str]:
    """Where the kept card says something else than its raw records; empty if it is the card they give."""
    kept = parse_json(folder.read(CARD), CARD)
    return list(_differences("", kept, recompute(folder, inputs).model_dump(mode="json")))


def follow_checks(inputs: Callable[[], Inputs]) -> tuple[Check, ...]:
    """The checks of `verify` that observations, casts and every number follow from the raw logs.

    `inputs` is only called once the result is known to be what was signed.
    """

    def screens(folder: ResultFolder, statement: Statement) -> Iterable[str]:
        titles = {doc_id: item.title for doc_id, item in inputs().corpus.items.items()}
        return screens_check(titles)(folder, statement)

    def numbers(folder: ResultFolder, _statement: Statement) -> Iterable[str]:
        return (f"{CARD}: {line}." for line in card_differences(folder, inputs()))

    return screens, check_casts, numbers


def check_casts(folder: ResultFolder, _statement: Statement) -> Iterator[str]:
    """Every cast is the one that its raw log gives."""
    for system in systems(folder):
        for name, cast in casts(read_raw_log(folder, system).searches):
            kept = f"{CASTS}/{system}/{name}"
            if kept not in folder.names() or folder.read(kept) != cast:
                yield f"{kept}: is not what the raw log shows."


def _below(folder: ResultFolder, prefix: str) -> dict[str, bytes]:
    return {name.removeprefix(prefix): folder.read(name) for name in folder.names() if name.startswith(prefix)}


def _differences(where: str, kept: object, found: object) -> Iterator[str]:
    if isinstance(kept, dict) and isinstance(found, dict):
        for key in sorted(kept.keys() | found.keys()):
            yield from _differences(f"{where}.{key}".lstrip("."), kept.get(key), found.get(key))
    elif isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        for number, (one, other) in enumerate(zip(kept, found, strict=True)):
            yield from _differences(f"{where}[{number}]", one, other)
    elif kept != found:
        yield f"{where} says {kept!r}, the raw records give {found!r}"
