"""The weights of the ONNX model beside those it was made from: the same numbers, or the nearest step to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper
from safetensors.numpy import load_file

from tests.bench_rows import Row

_PREFIX = "inner."
_QUANTISED, _SCALE = "_q", "_scale"
_HALF = 0.5 + 1e-3
"""Half a step, and what rounding the scale to single precision may add to it."""

Real = npt.NDArray[np.float32]


class Part(NamedTuple):
    """One tensor of the ONNX model under its name in the reference; `scale` is null where it is not quantised."""

    name: str
    values: npt.NDArray[np.generic]
    scale: Real | None


def rows(model: Path, weights: Path) -> Iterator[Row]:
    """Quantised tensors within half a step, all others equal, and none of the reference's left out."""
    reference, parts = load_file(weights), list(parts_of(onnx.load(model)))
    quantised = [part for part in parts if part.scale is not None]
    steps = [step_error(part, reference) for part in quantised]
    shown = f"{len(quantised)} tensors, at most {max(steps):.4f} of a step off"
    yield Row("ONNX weights, quantised", shown, "within half a step", max(steps) <= _HALF)
    kept = [part for part in parts if part.scale is None]
    equal = sum(np.array_equal(part.values, reference[part.name]) for part in kept)
    yield Row("ONNX weights, kept in single precision", f"{equal} of {len(kept)} equal", "all", equal == len(kept))
    missing = sorted(name for name in reference.keys() - {part.name for part in parts} if not _unused(name))
    found = ", ".join(missing) or f"none of {len(reference)}"
    yield Row("weights of the reference that the ONNX model lacks", found, "none", not missing)


def parts_of(model: onnx.ModelProto) -> Iterator[Part]:
    """The model's tensors of weights by the names of the reference."""
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    named = _linear_names(model)
    for name, tensor in tensors.items():
        stem = name.removesuffix(_QUANTISED)
        if stem + _SCALE in tensors and stem != name:
            scale = numpy_helper.to_array(tensors[stem + _SCALE])
            values = numpy_helper.to_array(tensor)
            if stem in named:  # a linear layer's, turned around
                yield Part(named[stem], values.T, scale.T)
            else:
                yield Part(stem.removeprefix(_PREFIX), values, scale)
        elif name.startswith(_PREFIX) and tensor.data_type == onnx.TensorProto.FLOAT and not name.endswith(_SCALE):
            yield Part(name.removeprefix(_PREFIX), numpy_helper.to_array(tensor), None)


def step_error(part: Part, reference: Mapping[str, Real]) -> float:
    """How far a quantised tensor lies from the reference's, in steps of its scale."""
    assert part.scale is not None
    scale = part.scale.astype(np.float64)
    return float(np.abs(reference[part.name] / scale - part.values).max())


def _linear_names(model: onnx.ModelProto) -> dict[str, str]:
    """The name in the reference of each matrix: that of the bias which is added to what it gives."""
    products = {node.output[0]: node.input[1] for node in model.graph.node if node.op_type == "MatMul"}
    return {
        products[one]: bias.removeprefix(_PREFIX).removesuffix("bias") + "weight"
        for node in model.graph.node
        if node.op_type == "Add"
        for one, bias in (node.input, reversed(node.input))
        if one in products and bias.startswith(_PREFIX)
    }


def _unused(name: str) -> bool:
    """What the reference holds and a sentence's vector does not depend on."""
    return name.startswith("pooler.") or name.endswith("position_ids")
