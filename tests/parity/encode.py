"""Runs in an environment of its own: `python encode.py MODELS TEXTS.json VECTORS.npy`, vectors as the reference makes
them."""

import json
import sys
from pathlib import Path

import numpy as np
from reference.encoder import encode, open_encoder

models, texts, to = map(Path, sys.argv[1:])
np.save(to, encode(open_encoder(models), json.loads(texts.read_bytes())))
