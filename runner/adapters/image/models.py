"""Makes the models layer: each model's files below `/opt/models`, and a card that names them by digest."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from runner.adapters.image.onnx_edit import softmax_in_double
from runner.adapters.image.tree import File, Tree
from runner.documents import canonical_bytes, digest
from runner.errors import BadInput
from runner.provenance.locks import ModelFile

_TOP = "opt/models"
_CARD = "model.json"


def models_tree(files: list[tuple[ModelFile, Path]]) -> Tree:
    """One folder a model, with the files of the lock and `model.json`; the digest of that card names the model."""
    tree = Tree()
    cards: dict[str, dict[str, object]] = defaultdict(dict)
    for locked, path in files:
        data = _edited(locked, path.read_bytes())
        model, _, name = locked.name.partition("/")
        tree.add(f"{_TOP}/{locked.name}", File(data), locked.label)
        cards[model][name] = {"digest": digest(data)} | _origin(locked)
    for model, held in cards.items():
        card = {"format": "mambo-model/v1", "name": model, "files": held}
        tree.add(f"{_TOP}/{model}/{_CARD}", File(canonical_bytes(card) + b"\n"), model)
    return tree


def _origin(locked: ModelFile) -> dict[str, str]:
    return {"made_from": locked.digest, "edit": locked.edited.edit} if locked.edited else {}


def _edited(locked: ModelFile, data: bytes) -> bytes:
    if locked.edited is None:
        return data
    made = softmax_in_double(data)
    if digest(made) != locked.edited.digest or len(made) != locked.edited.size:
        what = f"{locked.name}: edited ({locked.edited.edit}) it must be {locked.edited.digest}, found {digest(made)}."
        raise BadInput(what, advice="Install the packages of requirements.lock, onnx above all.")
    return made
