"""Keeps the vectors of the corpus, which take longer to make than an engine may take to start:
`python3 -m reference.vectors`."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from mambomeme.corpus import Corpus, digest, read_corpus
from mambomeme.faults import StartError
from mambomeme.reference import whole_text

FOLDER = Path(__file__).resolve().parents[1]
CARD, VECTORS = "vectors.json", "vectors.npy"


def load_vectors(corpus: Corpus, folder: Path = FOLDER) -> npt.NDArray[np.float32]:
    """One vector an item that may be shown; StartError where they are not whole, or not of this corpus."""
    data, card = (folder / VECTORS).read_bytes(), json.loads((folder / CARD).read_bytes())
    for key, found in {"corpus": corpus.digest, "vectors": digest(data)}.items():
        if card[key] != found:
            advice = "Make them again with 'python3 -m reference.vectors'."
            raise StartError(f"{folder / CARD}: {key} is {card[key]}, found {found}. {advice}")
    return np.load(io.BytesIO(data), allow_pickle=False)


def main() -> int:
    """Write the vectors of MAMBO_CORPUS, made with MAMBO_MODELS, into the folder of the system."""
    from reference.encoder import encode, open_encoder

    corpus = read_corpus(Path(os.environ["MAMBO_CORPUS"]))
    encoder = open_encoder(Path(os.environ["MAMBO_MODELS"]), len(os.sched_getaffinity(0)))
    np.save(FOLDER / VECTORS, encode(encoder, [whole_text(meme) for meme in corpus.memes]))
    card = {"corpus": corpus.digest, "vectors": digest((FOLDER / VECTORS).read_bytes())}
    (FOLDER / CARD).write_text(json.dumps(card, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
