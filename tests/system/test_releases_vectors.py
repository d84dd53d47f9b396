"""A release for a configuration with the route dense: it carries vectors, and is for one model alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.engines import BM25, HELLO, Client, Engine
from tests.system.memes import SYSTEM, item, write_corpus
from tests.system.models import models_folder

BUNDLED = json.loads((SYSTEM / "configuration.json").read_bytes())
HYBRID = json.dumps(BUNDLED | {"shown": BUNDLED["shown"] | {"bias": 1000.0}})
"""The bundled configuration, but whatever is found is shown."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """One whose own index has no vectors, with a folder of releases."""
    engine = Engine(tmp_path_factory.mktemp("engine"))
    changes = {"MAMBO_CONFIGURATION": HYBRID, "MAMBO_MODELS": str(models_folder())}
    engine.environment |= changes | {"MAMBO_RELEASES": str(engine.folder / "published")}
    return engine


@pytest.fixture(scope="module")
def release(engine: Engine) -> Path:
    """A release of two items."""
    corpus = write_corpus(engine.folder / "two", [item("m1", meaning="a dog runs"), item("m2", meaning="snow")])
    done = command(engine, "build", engine.folder / "release", MAMBO_CORPUS=str(corpus))
    assert (done.returncode, done.stderr) == (0, "")
    return engine.folder / "release"


def command(engine: Engine, *words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command for releases, in the engine's environment."""
    return subprocess.run(
        [sys.executable, "-B", "-m", "mambomeme.releases", *map(str, words)],
        cwd=engine.system,
        env=engine.environment | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_names_its_model_and_its_vectors(release: Path) -> None:
    card = json.loads((release / "release.json").read_bytes())
    assert card["model"] == json.loads((release / "index" / "embedding.json").read_bytes())["model"]
    assert {"index/embedding.json", "index/places.npy", "index/vectors.npy"} <= card["files"].keys()


def test_an_engine_without_that_model_refuses_it(engine: Engine, release: Path) -> None:
    done = command(engine, "publish", release, MAMBO_CONFIGURATION=json.dumps(BM25))
    assert (done.returncode, done.stderr.count("\n")) == (65, 1)
    assert "model is sha256:" in done.stderr


def test_it_is_served_with_its_model(engine: Engine, release: Path) -> None:
    assert command(engine, "publish", release).returncode == 0
    process = engine.start()
    client = Client(engine.socket)
    card = json.loads((release / "release.json").read_bytes())
    reply = client.ask(HELLO)
    assert {key: reply[key] for key in ("corpus", "index", "model")} == {
        key: card[key] for key in ("corpus", "index", "model")
    }
    found = client.ask(b'{"op":"search","id":2,"text":"a dog runs","limit":1}\n')["items"]
    assert [entry["doc_id"] for entry in found] == ["m1"]
    assert "dense" in found[0]["routes"]
    client.close()
    process.terminate()
    assert process.wait() == 0
    assert process.stdout is not None
    process.stdout.close()
