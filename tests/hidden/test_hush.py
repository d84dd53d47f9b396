"""An error in a hidden run says its kind and at most a file of ours; its words are sealed."""

from __future__ import annotations

import pytest

from runner.errors import BadInput, BenchError, CannotDecide, Findings, Unavailable, VoidRun
from runner.workflows.hush import FAILURE, hushed

SECRET = "bakadu gilo"


class Notes(dict[str, bytes]):
    def keep(self, name: str, data: bytes) -> bool:
        self[name] = data
        return True


@pytest.mark.parametrize(
    ("raised", "kind", "place"),
    [
        (BadInput(f"warmup.jsonl:3: text: '{SECRET}' is that of query q."), BadInput, " at warmup.jsonl;"),
        (Findings(f"raw/bm25/block-001.jsonl: typed was '{SECRET}'."), Findings, " at raw/bm25/block-001.jsonl;"),
        (
            VoidRun(f"raw/bm25/instrument.jsonl: instrument check 'slow canary': expected x, found '{SECRET}'."),
            VoidRun,
            " at raw/bm25/instrument.jsonl, instrument check 'slow canary';",
        ),
        (Findings(f"raw/bm25/repeat.jsonl: instrument check '{SECRET}': x"), Findings, " at raw/bm25/repeat.jsonl;"),
        (Findings(f"bakadu.jsonl: {SECRET}"), Findings, ""),
        (VoidRun(f"{SECRET}: the driver ended."), VoidRun, ""),
        (CannotDecide(f"{SECRET}.jsonl: gone."), CannotDecide, ""),
        (KeyError(SECRET), VoidRun, ""),
        (ValueError(f"file.py: {SECRET}"), VoidRun, ""),
    ],
)
def test_the_words_are_sealed_and_the_kind_stays(raised: Exception, kind: type[BenchError], place: str) -> None:
    notes = Notes()
    with pytest.raises(kind) as error, hushed("the hidden run on x", notes.keep):
        raise raised
    assert type(error.value) is kind
    what = "cannot be decided" if kind is CannotDecide else "not as it must be"
    assert str(error.value).startswith(f"the hidden run on x: {what}{place or ';'}")
    assert SECRET not in str(error.value)
    assert error.value.__suppress_context__
    assert SECRET.encode() in notes[FAILURE]
    assert FAILURE in str(error.value)


@pytest.mark.parametrize("raised", [Unavailable("No engine."), OSError(28, "No space left", "/x"), KeyboardInterrupt()])
def test_what_the_machine_refuses_passes(raised: BaseException) -> None:
    with pytest.raises(type(raised)) as error, hushed("x", Notes().keep):
        raise raised
    assert error.value is raised


def test_a_note_that_cannot_be_kept_is_no_other_error() -> None:
    def full(_name: str, _data: bytes) -> bool:
        raise OSError(28, "No space left")

    with pytest.raises(VoidRun, match="Open it with `partition open`"), hushed("x", full):
        raise KeyError(SECRET)
