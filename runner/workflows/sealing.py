"""Seals a hidden partition, and reads a sealed one back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.documents import Source, digest
from runner.errors import BadInput
from runner.provenance.manifest import FileRef, RunManifest
from runner.provenance.sealed import NOTE, PARTITION, SEALED_PATH, SealNote, run_name
from runner.retrieval.corpora import Corpus
from runner.retrieval.partition_check import admit
from runner.retrieval.partitions import CARD, FILES, Kind, PartitionCard, PartitionFiles, parse_partition
from runner.retrieval.publication import refuse_small


class Opened(NamedTuple):
    """A sealed partition in memory: its files, and whom it is sealed for."""

    files: PartitionFiles
    recipients: tuple[str, ...]


def sealable(sources: Mapping[str, Source], corpus: Corpus) -> PartitionFiles:
    """A hidden partition in the clear; BadInput where a run would refuse it."""
    files = admit(parse_partition(sources), corpus).files
    _refuse_other(files, sources[CARD].where)
    return files


def to_seal(files: PartitionFiles, recipients: Sequence[str]) -> dict[str, bytes]:
    """What goes into the sealed bundle of a hidden partition."""
    note = SealNote(format="mambomeme/sealed-partition/v1", recipients=tuple(recipients))
    return {**{name: files.sources[name].data for name in _names(files)}, NOTE: note.pretty()}


def opened(files: Mapping[str, bytes], where: str) -> Opened:
    """The partition in the files of a bundle; BadInput, in which no word of a file stands, where it is not whole."""
    try:
        return _opened(files)
    except BadInput:
        what = f"{where}: what is sealed in it is no whole hidden partition."
        raise BadInput(what, advice="Open it, see what `partition check` says, mend that, seal it again.") from None


def partition_in(inside: Mapping[str, bytes], where: str) -> Opened:
    """The partition among what a hidden run kept sealed, by the names it has then."""
    kept = {name.removeprefix(PARTITION): data for name, data in inside.items() if name.startswith(PARTITION)}
    return opened(kept, where)


def _opened(files: Mapping[str, bytes]) -> Opened:
    note = SealNote.parse(files.get(NOTE, b""), NOTE)
    found = parse_partition({name: Source(name, data) for name, data in files.items() if name != NOTE})
    for name, expected in found.card.files.items():
        if name not in files or digest(files[name]) != expected:
            raise BadInput(f"{name}: is not as the card pins it.")
    if set(found.sources) != _names(found):
        raise BadInput("It holds a file that its card does not name.")
    _refuse_other(found, CARD)
    return Opened(found, note.recipients)


def _names(files: PartitionFiles) -> set[str]:
    """The files that a partition has: each of the usual ones, and whatever else its card pins."""
    return {CARD, *FILES, *files.card.files}


def _refuse_other(files: PartitionFiles, where: str) -> None:
    if files.card.kind is not Kind.HIDDEN:
        raise BadInput(f"{where}: is a {files.card.kind} partition.", advice="Only a hidden one is sealed.")
    refuse_small(files.topics, where)


def about(files: Mapping[str, bytes]) -> list[str]:
    """What may be said of the partition in the files of a bundle."""
    card = PartitionCard.parse(files[CARD], CARD)
    counts = ", ".join(f"{n} {name}" for name, n in card.counts.items())
    return [f"{card.name} {card.version}  {digest(files[CARD])}", *([counts] if counts else [])]


def on_sealed(manifest: RunManifest, files: PartitionFiles) -> RunManifest:
    """The run manifest with a sealed partition in place of its own; its runs are named by that partition."""
    name = files.card.name
    reference = FileRef(path=f"{SEALED_PATH}{name}", digest=files.digest)
    return manifest.model_copy(update={"partition": reference, "name": run_name(name)})


def kept_partition(opened: Opened) -> dict[str, bytes]:
    """The partition as a hidden run keeps it, so that its key alone opens all that a check needs."""
    note = SealNote(format="mambomeme/sealed-partition/v1", recipients=opened.recipients)
    files = {name: source.data for name, source in opened.files.sources.items()}
    return {f"{PARTITION}{name}": data for name, data in {**files, NOTE: note.pretty()}.items()}
