"""No name is blank or broken enough to hide a socket from the look for side doors."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from runner.driver.counters import named_sockets, names_in

HEAD = "Num       RefCount Protocol Flags    Type St Inode Path\n"
ROW = "00000000a1b2c3d4: 00000002 00000000 00010000 0001 01 12345"


@pytest.mark.parametrize("name", [" ", "\t", "\n", "\x0b", "  ", "a b", "@ ", "@", "/run/driver/ui"])
def test_every_name_is_seen(name: str) -> None:
    assert list(names_in(f"{HEAD}{ROW} {name}\n{ROW}\n"))


def test_a_socket_without_a_name_is_none() -> None:
    assert list(names_in(f"{HEAD}{ROW}\n{ROW}\n")) == []


@pytest.mark.parametrize("name", [" ", "\t", "\x0b", "\n", "plain"])
def test_a_real_socket_with_that_name_is_seen(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = named_sockets()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(name)
        assert named_sockets() - before
