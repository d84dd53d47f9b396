"""Edits an ONNX model so that it computes the same numbers on every processor."""

from __future__ import annotations

from collections.abc import Iterator

import onnx
from onnx import NodeProto, TensorProto, helper


def softmax_in_double(data: bytes) -> bytes:
    """The model in `data` with each Softmax computed in double precision.

    In single precision the runtime adds up as many numbers at once as the processor's registers hold, so that the sum
    depends on the processor. In double precision it has one way for all.
    """
    model = onnx.load_model_from_string(data)
    nodes = [part for node in model.graph.node for part in _widened(node)]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return bytes(model.SerializeToString(deterministic=True))


def _widened(node: NodeProto) -> Iterator[NodeProto]:
    if node.op_type != "Softmax":
        yield node
        return
    wide, result = f"{node.input[0]}_wide", f"{node.output[0]}_wide"
    yield helper.make_node("Cast", [node.input[0]], [wide], to=TensorProto.DOUBLE)
    softmax = helper.make_node("Softmax", [wide], [result], name=node.name)
    softmax.attribute.extend(node.attribute)
    yield softmax
    yield helper.make_node("Cast", [result], [node.output[0]], to=TensorProto.FLOAT)
