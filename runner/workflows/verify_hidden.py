"""What of a hidden run's result anyone can check, and how what is sealed comes to be checked as any run's is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from runner.documents import digest
from runner.provenance.card import Scorecard
from runner.provenance.public_card import publish
from runner.provenance.run_lock import RunLock
from runner.provenance.sealed import PARTITION, is_hidden, unsealed_name
from runner.workflows.differences import differences
from runner.workflows.examine import Examined, Load
from runner.workflows.names import CARD, LOCK, MANIFEST, PUBLIC_PRODUCTS, PUBLIC_RECORDS, need
from runner.workflows.products import public_products

SEALED_NOTE = "the evidence is sealed: the numbers were not computed again; whoever has the key gives --identity"


class Inner(NamedTuple):
    """The records and products of a run by name, and what loads its inputs."""

    files: Mapping[str, bytes]
    load: Load


#: Opens the files of a hidden result; null where no key is at hand.
Unseal = Callable[[Mapping[str, bytes]], Inner | None]


def sealed_for_all(_files: Mapping[str, bytes]) -> None:
    """Where no key is at hand."""


def inner_files(files: Mapping[str, bytes], opened: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a hidden result as any other's are: what was opened, and the records that were never sealed."""
    kept = {name: data for name, data in opened.items() if not name.startswith(PARTITION)}
    return {**kept, **{name: files[name] for name in PUBLIC_RECORDS if name in files}}


def held_in_public(files: Mapping[str, bytes]) -> Iterator[str]:
    """What of a hidden result does not fit together, or should not be there for all to read."""
    for name in sorted(files):
        if unsealed_name(name) is None and name not in PUBLIC_RECORDS | PUBLIC_PRODUCTS:
            yield f"{name}: is no part of what a hidden run publishes."
    lock, card = RunLock.parse(need(files, LOCK), LOCK), Scorecard.parse(need(files, CARD), CARD)
    if publish(card) != card:
        yield f"{CARD}: says more than may be published of a hidden run."
    found = digest(need(files, MANIFEST))
    if found != lock.manifest:
        yield f"{MANIFEST}: expected {lock.manifest} by {LOCK}, found {found}."
    yield from _unlike(card, lock)


def _unlike(card: Scorecard, lock: RunLock) -> Iterator[str]:
    said = {"run_id": card.run_id, "tries": card.tries, "systems": [one.system for one in card.versions]}
    locked = {"run_id": lock.run_id, "tries": lock.log.tries, "systems": [one.name for one in lock.systems]}
    for version in card.versions:
        for name in ("partition", "judgement_set", "corpus", "manifest", "code_commit", "locks"):
            said[f"{version.system}: {name}"] = getattr(version, name)
            locked[f"{version.system}: {name}"] = getattr(lock, name)
    for name, value in locked.items():
        if said.get(name) != value:
            yield f"{CARD}: {name}: says {said.get(name)!r}, {LOCK} has {value!r}."


def held_publication(files: Mapping[str, bytes], found: Examined) -> Iterator[str]:
    """The public files of a result are what its sealed records give; nothing where nothing is sealed."""
    if is_hidden(files):
        yield from held_card(files, publish(found.card))


def held_public_card(files: Mapping[str, bytes]) -> Iterator[str]:
    """The public files of a hidden result are about the one card in it."""
    return held_card(files, Scorecard.parse(need(files, CARD), CARD))


def held_card(files: Mapping[str, bytes], card: Scorecard) -> Iterator[str]:
    """The public files of a hidden result are those of this card."""
    made = public_products(card)
    for name, data in made.items():
        yield from differences(name, need(files, name), data)
    yield from (f"{name}: is no part of this card." for name in sorted(PUBLIC_PRODUCTS & files.keys() - made.keys()))
