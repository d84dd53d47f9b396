"""The model as sentence-transformers runs it, in single precision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer

MODEL = "all-MiniLM-L6-v2"
LONGEST = 256
"""Tokens of a text that count; the model's own limit."""


def open_encoder(models: Path, threads: int = 1) -> SentenceTransformer:
    """The model in the folder `models`, put together as its own card says: mean over the tokens, length 1."""
    torch.set_num_threads(threads)
    words = Transformer(str(models / MODEL), max_seq_length=LONGEST)
    return SentenceTransformer(
        modules=[words, Pooling(words.get_embedding_dimension(), "mean"), Normalize()], device="cpu"
    )


def encode(encoder: SentenceTransformer, texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """A vector of length 1 for each text."""
    return encoder.encode(list(texts), batch_size=32, show_progress_bar=False, convert_to_numpy=True)
