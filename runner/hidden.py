"""The tools of a checkout for hidden runs: what opens sealed files, and where a run leaves nothing in the clear."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from runner.adapters.age import Identity
from runner.adapters.bundles import unpack
from runner.adapters.formats import name_of, read_bytes, read_document
from runner.adapters.host import knows_commit
from runner.adapters.inputs import Places, load_inputs
from runner.adapters.private_process import PrivateProcessRig
from runner.adapters.retired import read_retired
from runner.adapters.sealed_store import Vault, unsealed
from runner.documents import Source
from runner.provenance.inputs import Inputs
from runner.provenance.manifest import RunManifest
from runner.provenance.sealed import PARTITION, SEALED, refuse_retired
from runner.provenance.statement import ENVELOPES
from runner.retrieval.partitions import PartitionFiles
from runner.tools import Tools
from runner.workflows.names import PUBLIC_RECORDS
from runner.workflows.official import Stage
from runner.workflows.sealing import Opened, kept_partition, on_sealed, opened, partition_in
from runner.workflows.verify import Here
from runner.workflows.verify_hidden import Inner, inner_files


def here(kit: Tools, identity: Identity | None) -> Here:
    """What a checkout can verify with; `identity` is the key of hidden runs, where one is at hand."""

    def unseal(files: Mapping[str, bytes]) -> Inner | None:
        inside = unsealed(files, identity) if identity else files
        if not any(name.startswith(PARTITION) for name in inside):
            return None
        return Inner(inner_files(files, inside), partial(_kept_inputs, kit, inside))

    knows = partial(knows_commit, kit.root)
    return Here(kit.inputs_of, kit.checkout.commit, knows, unseal, read_retired(kit.root))


def _kept_inputs(kit: Tools, inside: Mapping[str, bytes], manifest: bytes) -> Inputs:
    """What a hidden run was made from, with the partition that it kept."""
    return kit.inputs_of(manifest, partition_in(inside, SEALED).files)


def open_sealed(kit: Tools, path: Path, identity: Identity) -> Opened:
    """A sealed partition, in memory; BadInput where it was retired."""
    where = name_of(path)
    found = opened(unpack(identity.unseal(read_bytes(path), where), where), where)
    refuse_retired(found.files.queries, read_retired(kit.root))
    return found


def hidden_inputs(kit: Tools, manifest: Path, sealed: PartitionFiles) -> Inputs:
    """All that a run manifest names, with a sealed partition in place of its own."""
    wanted = on_sealed(read_document(manifest, RunManifest), sealed)
    return load_inputs(Places(kit.root, kit.locks), Source(str(manifest), wanted.pretty()), sealed)


def private_stage(kit: Tools, inputs: Inputs, scratch: Path, vault: Vault) -> Stage:
    """Plain processes, with all that is written in memory, until `vault` takes it."""
    rig = PrivateProcessRig(kit.root, scratch, vault.take)
    stage = kit.plain_stage(inputs, scratch)
    return {name: seat._replace(rig=lambda _run_id: rig) for name, seat in stage.items()}


def vault(results: Path, sealed: Opened) -> Vault:
    """Where a run on a sealed partition keeps what it makes, for whom that is sealed."""
    return Vault(results, sealed.recipients, {*PUBLIC_RECORDS, *ENVELOPES}, kept_partition(sealed))
