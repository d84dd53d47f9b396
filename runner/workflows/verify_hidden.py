"""What of a hidden run's result anyone can check, and how what is sealed comes to be checked as any run's is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from runner.documents import digest
from runner.errors import BadInput, CannotDecide, Findings
from runner.provenance.card import PUBLIC, Scorecard
from runner.provenance.manifest import RunManifest
from runner.provenance.public_card import publish
from runner.provenance.run_lock import RunLock
from runner.provenance.sealed import PARTITION, is_sealed, unsealed_name
from runner.retrieval.partitions import Kind
from runner.workflows.differences import differences
from runner.workflows.examine import Load, hold_environment
from runner.workflows.names import CARD, LOCK, MANIFEST, PUBLIC_PRODUCTS, PUBLIC_RECORDS, need
from runner.workflows.products import public_products
from runner.workflows.rescore import versions_of

SEALED_NOTE = "the evidence is sealed: the numbers were not computed again; whoever has the key gives --identity"


class Inner(NamedTuple):
    """The records and products of a run by name, and what loads its inputs."""

    files: Mapping[str, bytes]
    load: Load


#: Opens the files of a hidden result; null where no key is at hand.
Unseal = Callable[[Mapping[str, bytes]], Inner | None]


def sealed_for_all(_files: Mapping[str, bytes]) -> None:
    """Where no key is at hand."""


def unsealed(files: Mapping[str, bytes], unseal: Unseal) -> Inner:
    """What is in a hidden result; CannotDecide where no key is at hand."""
    inner = unseal(files)
    if inner is None:
        what = "The evidence of this hidden run is sealed."
        raise CannotDecide(what, advice="Give its age key with --identity.")
    return inner


class Outside(NamedTuple):
    """What everybody can read of a hidden run's result: what it was made from, on what, and the card."""

    manifest: RunManifest
    lock: RunLock
    card: Scorecard

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Outside:
        """That of a result; BadInput or Findings where a file is none."""
        return cls(
            RunManifest.parse(need(files, MANIFEST), MANIFEST),
            RunLock.parse(need(files, LOCK), LOCK),
            Scorecard.parse(need(files, CARD), CARD),
        )


def of_hidden_run(files: Mapping[str, bytes]) -> bool:
    """Whether a result is one on a sealed partition, by what it was made from: names of files can be added."""
    try:
        return is_sealed(RunManifest.parse(need(files, MANIFEST), MANIFEST))
    except BadInput as error:
        raise Findings(error.what, advice=error.advice) from None


def inner_files(files: Mapping[str, bytes], opened: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a hidden result as any other's are: what was opened, and the records that were never sealed."""
    kept = {name: data for name, data in opened.items() if not name.startswith(PARTITION)}
    return {**kept, **{name: files[name] for name in PUBLIC_RECORDS if name in files}}


def held_in_public(files: Mapping[str, bytes], outside: Outside) -> Iterator[str]:
    """What of a hidden result does not fit together, or should not be there for all to read."""
    for name in sorted(files):
        if unsealed_name(name) in PUBLIC_RECORDS:
            yield f"{name}: is never sealed."
        elif unsealed_name(name) is None and name not in PUBLIC_RECORDS | PUBLIC_PRODUCTS:
            yield f"{name}: is no part of what a hidden run publishes."
    manifest, lock, card = outside
    found = digest(files[MANIFEST])
    if found != lock.manifest:
        yield f"{MANIFEST}: expected {lock.manifest} by {LOCK}, found {found}."
    if manifest.partition.digest != lock.partition:
        yield f"{MANIFEST}: partition: expected {lock.partition} by {LOCK}, found {manifest.partition.digest}."
    hold_environment(lock, manifest, files)
    yield from _unlike_public(card)
    yield from _unlike(card, manifest, lock)


def _unlike_public(card: Scorecard) -> Iterator[str]:
    if card.partition.kind is not Kind.HIDDEN:
        yield f"{CARD}: partition: is a {card.partition.kind} one, and {MANIFEST} names a sealed one."
    if card.format != PUBLIC:
        yield f"{CARD}: format: says {card.format!r}, a hidden run publishes {PUBLIC!r}."
    elif publish(card) != card:
        yield f"{CARD}: says more than may be published of a hidden run."


def _unlike(card: Scorecard, manifest: RunManifest, lock: RunLock) -> Iterator[str]:
    """Where the card says something else of what it rests on than manifest and lock."""
    made = card.model_copy(
        update={
            "run_id": lock.run_id,
            "tries": lock.log.tries,
            "versions": tuple(versions_of(locked, None, manifest, lock) for locked in lock.systems),
        }
    )
    yield from differences(CARD, card.pretty(), made.pretty())
    if [row.system for row in card.systems] != [one.name for one in lock.systems]:
        yield f"{CARD}: systems: are not those of {LOCK} in their order."


def held_card(files: Mapping[str, bytes], card: Scorecard) -> Iterator[str]:
    """The public files of a hidden result are those of this card."""
    made = public_products(card)
    for name, data in made.items():
        yield from differences(name, need(files, name), data)
    yield from (f"{name}: is no part of this card." for name in sorted(PUBLIC_PRODUCTS & files.keys() - made.keys()))
