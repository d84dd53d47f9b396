"""What a checkout remembers is lost to nobody who writes at the same time, and forgotten where none may write."""

import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from runner.adapters.memory import MemoryFile
from runner.provenance.trust import Memory
from runner.workflows.nonce import give

NOW = "2026-01-01T00:00:00Z"


def test_nonces_given_out_at_once_are_all_remembered(tmp_path: Path) -> None:
    kept = MemoryFile(tmp_path / "keys/seen.json")
    nonces = [f"{number:032x}" for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda nonce: kept.change(lambda memory: give(memory, nonce, NOW)), nonces))
    assert sorted(kept.read().nonces) == nonces


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_a_place_that_can_only_be_read_forgets(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, "not here")

    kept = MemoryFile(tmp_path / "seen.json")
    monkeypatch.setattr("runner.adapters.memory.replace", refuse)
    found = kept.change_if_allowed(lambda memory: give(memory, "0" * 32, NOW))
    assert list(found.nonces) == ["0" * 32]
    assert kept.read() == Memory(format="mambomeme/seen/v1", roots={})
