"""The raw log where the disk is full for a while: whole lines only, one chain, and nothing twice."""

import errno
from io import FileIO

import pytest

from runner.driver.log import LogFull, RawLog
from runner.provenance.chain import follow

START = "0" * 64


class Scarce(FileIO):
    """A file that takes so many bytes, and no more until there is room again."""

    room = 0

    def write(self, data):
        taken = bytes(data[: self.room])
        if not taken:
            raise OSError(errno.ENOSPC, "No space left on device")
        Scarce.room -= len(taken)
        return super().write(taken)


def test_what_found_no_room_is_written_once_there_is_some(tmp_path, monkeypatch):
    monkeypatch.setattr("runner.driver.log.FileIO", Scarce)
    log = RawLog(str(tmp_path), START)
    log.open("block-000.jsonl", block=0)
    with pytest.raises(LogFull):
        log.flush()
    assert (tmp_path / "block-000.jsonl").read_bytes() == b""
    monkeypatch.setattr(Scarce, "room", 40)
    with pytest.raises(LogFull):
        log.flush()
    assert (tmp_path / "block-000.jsonl").read_bytes() == b""
    monkeypatch.setattr(Scarce, "room", 100_000)
    log.close(0)
    lines = (tmp_path / "block-000.jsonl").read_bytes().splitlines(keepends=True)
    assert [b'"e":"open"' in lines[0], b'"e":"close"' in lines[1], len(lines)] == [True, True, 2]
    assert follow(START, lines) == log.chain == log.files[0]["chain"]
