"""One list of several: values worked by hand, and that a sure route is not outvoted by a near one."""

from __future__ import annotations

import numpy as np
import pytest
from mambomeme.fusion import Fusion, fuse
from mambomeme.routes import Found


def listed(*documents: int) -> Found:
    return Found(np.array(documents, dtype=np.int32), np.arange(len(documents), 0, -1, dtype=np.float64))


def test_scores_worked_by_hand() -> None:
    joined = fuse({"lexical": listed(4, 2), "dense": listed(2, 7)}, {"lexical": 1.0, "dense": 0.5}, 10.0, 9)
    # 2: 1/12 + 0.5/11; 4: 1/11; 7: 0.5/12.
    assert joined.documents.tolist() == [2, 4, 7]
    assert joined.scores.tolist() == pytest.approx([1 / 12 + 0.5 / 11, 1 / 11, 0.5 / 12])


def test_equals_follow_their_place_in_the_corpus() -> None:
    joined = fuse({"lexical": listed(8), "dense": listed(3)}, {"lexical": 1.0, "dense": 1.0}, 60.0, 9)
    assert joined.documents.tolist() == [3, 8]


def test_nothing_found_is_nothing_joined() -> None:
    joined = fuse({"lexical": listed(), "dense": listed()}, {"lexical": 1.0, "dense": 1.0}, 60.0, 9)
    assert joined.documents.tolist() == []


def test_a_route_of_no_weight_adds_nothing() -> None:
    joined = fuse({"lexical": listed(1), "dense": listed(2, 1)}, {"lexical": 1.0, "dense": 0.0}, 60.0, 9)
    assert joined.documents.tolist() == [1]


def test_the_lexical_route_weighs_more_the_surer_it_is() -> None:
    fusion = Fusion(lexical=0.5, dense=1.0, sure=8.0)
    assert fusion.weights(0.0) == {"lexical": 0.5, "dense": 1.0}
    assert fusion.weights(0.5) == {"lexical": 1.5, "dense": 1.0}
    assert fusion.weights(1.0) == {"lexical": 8.5, "dense": 1.0}
