"""An engine's handshake is taken at its word only where that word has the right form."""

from __future__ import annotations

import pytest

from runner.provenance.handshake import read_handshake

DIGEST = "sha256:" + "a" * 64
REPLY = {"id": 1, "status": "ok", "protocol": "search-v1", "corpus": DIGEST, "index": DIGEST, "model": None}


@pytest.mark.parametrize("reply", [None, {}, {"id": 1, "status": "error", "error": "protocol"}, {"status": True}])
def test_no_reply_or_a_refusal_is_no_handshake(reply: dict[str, object] | None) -> None:
    assert read_handshake(reply) is None


@pytest.mark.parametrize(
    ("changes", "index", "model", "lacking"),
    [
        ({}, DIGEST, None, ()),
        ({"model": DIGEST}, DIGEST, DIGEST, ()),
        ({"model": "MiniLM"}, DIGEST, None, ("model",)),
        ({"index": "v1"}, None, None, ("index",)),
        ({"index": None}, None, None, ("index",)),
        ({"index": {}, "model": 7}, None, None, ("index", "model")),
    ],
)
def test_index_and_model_are_digests_or_lacking(
    changes: dict[str, object], index: str | None, model: str | None, lacking: tuple[str, ...]
) -> None:
    found = read_handshake(REPLY | changes)
    assert found is not None
    assert (found.index, found.model, found.lacking) == (index, model, lacking)


def test_what_it_says_otherwise_and_what_it_leaves_out_are_named() -> None:
    found = read_handshake(REPLY)
    assert found is not None
    expected = {"protocol": "search-v1", "corpus": "sha256:" + "b" * 64, "interface": "list-80x24-v1"}
    assert list(found.contradicts(expected)) == [
        f"the engine serves corpus '{DIGEST}', not '{expected['corpus']}'",
        "the engine serves interface None, not 'list-80x24-v1'",
    ]
