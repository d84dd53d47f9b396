"""The route `dense` on processors that qemu imitates (Debian: qemu-user): the same numbers as on this one, or a no."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.memes import SYSTEM, item, write_corpus
from tests.system.models import models_folder

QEMU = shutil.which("qemu-x86_64")
TOPICS = SYSTEM.parents[1] / "manifests/benchmarks/search-v1/development/queries.jsonl"
ASK = """
import hashlib, json, sys
from pathlib import Path
from mambomeme.corpus import read_corpus
from mambomeme.dense import DenseParameters, open_dense
from mambomeme.encoder import Encoder
from mambomeme.faults import StartError
from mambomeme.query import parse_query
models, folder, *texts = sys.argv[1:]
encoder = Encoder(Path(models))
try:
    route = open_dense(encoder, Path(folder), read_corpus(Path(folder)), DenseParameters())
except StartError as error:
    sys.exit(str(error))
for text in texts:
    found = route.find(parse_query(text), None, 50)
    print(encoder.vector(text).tolist(), found.documents.tolist(), found.scores.tolist())
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(QEMU is None, reason="needs qemu-x86_64 (apt-get install qemu-user)"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with its vectors."""
    found = tmp_path_factory.mktemp("here")
    items = [json.loads(line) for line in (SYSTEM.parent / "corpus/items.jsonl").read_text().splitlines()[::20]]
    write_corpus(found, [*items, item("z")])
    make = "import sys; from pathlib import Path; from mambomeme import corpus, embedding\n" + (
        "made = embedding.build(corpus.read_corpus(Path(sys.argv[2])), Path(sys.argv[1]))\n"
        "[Path(sys.argv[2], name).write_bytes(data) for name, data in made.items()]"
    )
    subprocess.run([sys.executable, "-c", make, models_folder(), found], cwd=SYSTEM, check=True)
    return found


def ask(folder: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """What one processor answers to queries of every slice, and to one that is long."""
    texts = [json.loads(line)["text"] for line in TOPICS.read_text().splitlines()[::15]]
    words = [*before, sys.executable, "-c", ASK, models_folder(), folder, *texts, "when the cat looks at you " * 6]
    return subprocess.run(words, cwd=SYSTEM, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("processor", ["Haswell", "EPYC-Rome"])
def test_another_processor_gives_the_same_vectors_lists_and_scores(folder: Path, processor: str) -> None:
    here, there = ask(folder), ask(folder, str(QEMU), "-cpu", processor)
    assert (here.returncode, there.returncode) == (0, 0)
    assert here.stdout.count("\n") == 9
    assert there.stdout == here.stdout


def test_a_processor_that_computes_otherwise_says_so(folder: Path) -> None:
    refused = ask(folder, str(QEMU), "-cpu", "Nehalem")
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1].startswith("embedding.json: this processor computes other vectors")
