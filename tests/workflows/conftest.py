"""One real result, made once: the bundled system as a plain process, under a key of its own."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from runner.adapters.host import SystemClock
from runner.adapters.journal import Journal
from runner.adapters.progress import SilentProgress
from runner.adapters.signer import checkout_key
from runner.adapters.store import ResultStore
from runner.documents import Source, digest
from runner.provenance.dsse import Envelope
from runner.provenance.inputs import Inputs
from runner.provenance.journal import read_log
from runner.provenance.statement import Statement
from runner.provenance.trust import open_trust
from runner.retrieval.lots import order_key
from runner.shell import ROOT, tools
from runner.workflows.examine import examine
from runner.workflows.official import Desk, official
from tests.provenance.signing import no_passphrase
from tests.workflows.kept import LOCK, NONCE, Kept


@pytest.fixture(scope="session")
def inputs() -> Inputs:
    """What `quick` scores, its first system alone."""
    return tools().inputs(ROOT / "manifests/quick.json").only(["bm25"])


@pytest.fixture(scope="session")
def made(inputs: Inputs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sealed result, beside the keys of its checkout."""
    root = tmp_path_factory.mktemp("made")
    kit = tools()
    desk = Desk(
        # As of a commit, though its tests run before it is one: of other code nobody can be sure.
        checkout=kit.checkout._replace(clean=True),
        store=ResultStore(root),
        signer=checkout_key(root / "keys", no_passphrase),
        journal=Journal(root / "log.jsonl"),
        clock=SystemClock(),
        progress=SilentProgress(),
        nonce=NONCE,
    )
    return official(inputs, kit.plain_stage(inputs, tmp_path_factory.mktemp("s")), desk).path


@pytest.fixture(scope="session")
def kept(inputs: Inputs, made: Path) -> Kept:
    """That result in memory."""
    files = {path.relative_to(made).as_posix(): path.read_bytes() for path in made.rglob("*") if path.is_file()}
    envelope = Envelope.parse(files.pop("statement.dsse.json"), "statement.dsse.json")
    keys = made.parent / "keys"

    def load(manifest: bytes) -> Inputs:
        return inputs if manifest == inputs.source else tools().inputs_of(manifest)

    return Kept(
        files=files,
        whole=examine(files, load, SilentProgress()),
        load=load,
        key=checkout_key(keys, no_passphrase),
        trust=open_trust(Source("trust.json", (keys / "trust.json").read_bytes())),
        log=read_log(Source("log.jsonl", (made.parent / "log.jsonl").read_bytes())),
        statement=Statement.parse(base64.b64decode(envelope.payload), "payload"),
    )


@pytest.fixture
def same_lots(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lock draws what that of the result drew, so that records fit another one: for what is found besides."""
    drawn = digest(kept.files[LOCK])
    monkeypatch.setattr("runner.workflows.plan.order_key", lambda seed, _lock, *parts: order_key(seed, drawn, *parts))
