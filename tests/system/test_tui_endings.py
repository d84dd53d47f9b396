"""However the UI ends, the terminal is as it was before, and the exit status tells what happened."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.tui_engine import SmallEngine
from tests.system.tui_terminal import SYSTEM, Tui

OFF = {1000: "mouse", 1002: "mouse", 1003: "mouse", 1004: "focus", 1006: "mouse", 1049: "alternate", 2004: "paste",
       2026: "synchronized", 1: "cursor keys"}  # fmt: skip
ON = {7: "autowrap", 25: "cursor"}

ENDINGS: dict[str, tuple[Callable[[Tui], None], int]] = {
    "ctrl-d": (lambda tui: tui.write("\x04"), 0),
    "ctrl-c": (lambda tui: tui.write("\x03"), 130),
    "ctrl-c after text": (lambda tui: tui.write("abc\x03"), 130),
    "sigint": (lambda tui: os.kill(tui.pid, signal.SIGINT), 130),
    "sigterm": (lambda tui: os.kill(tui.pid, signal.SIGTERM), 143),
    "sighup": (lambda tui: os.kill(tui.pid, signal.SIGHUP), 129),
    "sigquit": (lambda tui: os.kill(tui.pid, signal.SIGQUIT), 131),
    "exception": (lambda tui: os.kill(tui.pid, signal.SIGUSR1), 1),
    "sigterm to the group": (lambda tui: os.killpg(tui.pid, signal.SIGTERM), 143),
    "sigterm to the child": (lambda tui: os.kill(tui.child, signal.SIGTERM), 143),
    "sigkill of the child": (lambda tui: os.kill(tui.child, signal.SIGKILL), 137),
    "sigsegv of the child": (lambda tui: os.kill(tui.child, signal.SIGSEGV), 139),
}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    with SmallEngine(tmp_path / "s") as engine:
        yield engine


@pytest.fixture
def tui(engine: SmallEngine) -> Iterator[Tui]:
    with Tui({"MAMBO_SOCKET": str(engine.path)}, command=AFTER_A_PROMPT) as tui:
        yield tui


AFTER_A_PROMPT = ("sh", "-c", 'printf "earlier screen\\n\\033[4;7H"; exec "$0" -m mambomeme.tui', sys.executable)


def assert_restored(tui: Tui) -> None:
    assert tui.termios == tui.before
    assert {name for mode, name in OFF.items() if tui.ghostty.mode(mode)} == set()
    assert {name for mode, name in ON.items() if not tui.ghostty.mode(mode)} == set()
    assert tui.avt.cursor.visible
    for rows in tui.rows_apart():
        assert rows[0] == "earlier screen"
    assert tui.output.rfind(b"\x1b[?1049l") > tui.output.rfind(b"\x1b[?1049h") > 0
    after = tui.output[tui.output.rfind(b"\x1b[?1049l") :]
    assert b"\x1b[?2026h" not in after
    tui.ghostty.feed("\x1b[5;1Hplain")
    assert not any(tui.ghostty.style(0, 4)[name] for name in ("bold", "faint", "inverse"))


@pytest.mark.parametrize(("end", "status"), ENDINGS.values(), ids=ENDINGS.keys())
def test_the_terminal_is_as_before(tui: Tui, end: Callable[[Tui], None], status: int) -> None:
    tui.next_frame()
    assert tui.ghostty.mode(1049)
    end(tui)
    assert tui.end() == status
    assert_restored(tui)


@pytest.mark.parametrize("ending", ["ctrl-c", "sigterm", "sigkill of the child", "exception"])
def test_also_with_a_list_and_a_hidden_cursor_on_the_screen(tui: Tui, ending: str) -> None:
    end, status = ENDINGS[ending]
    tui.next_frame()
    tui.search("cat")
    tui.press("\t\x1b[B")
    assert not tui.ghostty.mode(25)
    end(tui)
    assert tui.end() == status
    assert_restored(tui)


@pytest.mark.parametrize("ending", ["ctrl-c", "sigint", "sigterm", "sigkill of the child"])
def test_also_while_a_search_is_under_way(engine: SmallEngine, tui: Tui, ending: str) -> None:
    engine.answer = lambda _: None
    end, status = ENDINGS[ending]
    tui.next_frame()
    tui.write("cat\r")
    tui.wait("busy")
    end(tui)
    assert tui.end() == status
    assert_restored(tui)


def test_the_cursor_comes_back_to_where_it_was(tui: Tui) -> None:
    tui.next_frame()
    tui.write("\x04")
    tui.end()
    assert tui.ghostty.cursor == (6, 3)


def test_a_frame_cut_by_the_kill_leaves_nothing_behind(tui: Tui) -> None:
    tui.next_frame()
    os.kill(tui.child, signal.SIGSTOP)
    for cut in (b"\x1b[?2026h\x1b[3;1", b"\x1b]7777;mambo;sub"):
        tui.ghostty.feed(cut)
        tui.avt.feed_str(cut.decode())
    os.kill(tui.child, signal.SIGKILL)
    assert tui.end() == 137
    assert_restored(tui)


def test_a_fault_inside_is_told_in_one_line_on_the_normal_screen(tui: Tui) -> None:
    tui.next_frame()
    os.kill(tui.pid, signal.SIGUSR1)
    assert tui.end() == 1
    told = [row for row in tui.rows() if row]
    assert told[0] == "earlier screen"
    assert told[1].lstrip().startswith("mambomeme: ")
    assert b"SIGUSR1" in tui.output
    assert b"Traceback" not in tui.output


def test_a_closed_terminal_ends_both_processes(engine: SmallEngine) -> None:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        child = os.pidfd_open(tui.child)
        assert tui.hang_up() == 129
        with pytest.raises(ProcessLookupError):
            signal.pidfd_send_signal(child, 0)
        os.close(child)


def test_a_killed_supervisor_takes_the_child_along(tui: Tui) -> None:
    tui.next_frame()
    child = tui.child
    os.kill(tui.pid, signal.SIGKILL)
    assert tui.end() == -9
    tui.wait_for(b"\x1b[?1049l")
    assert not tui.ghostty.mode(1049)
    assert not Path(f"/proc/{child}/exe").exists() or tui.termios == tui.before


def test_a_child_that_does_not_listen_is_killed_and_repaired(tui: Tui) -> None:
    tui.next_frame()
    os.kill(tui.child, signal.SIGSTOP)
    os.kill(tui.pid, signal.SIGTERM)
    assert tui.end() == 137
    assert_restored(tui)


def test_input_that_is_no_terminal_is_refused_in_one_line() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "mambomeme.tui"],
        cwd=SYSTEM,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (64, "")
    assert re.fullmatch(r"mambomeme: .*terminal.*\n", ran.stderr)


def test_a_missing_socket_is_refused_in_one_line() -> None:
    with Tui({}) as tui:
        assert tui.end() == 64
        assert b"MAMBO_SOCKET" in tui.output
        assert tui.output.count(b"\n") == 1
        assert b"\x1b" not in tui.output


def test_ctrl_z_gives_the_shell_its_screen_and_comes_back(engine: SmallEngine) -> None:
    shell = ("bash", "--norc", "--noprofile", "-i")
    with Tui({"MAMBO_SOCKET": str(engine.path), "PS1": "prompt> ", "HOME": "/nonexistent"}, command=shell) as tui:
        tui.wait_for(b"prompt> ")
        tui.write(f"{sys.executable} -m mambomeme.tui; echo status=$?\r")
        tui.next_frame()
        tui.search("cat")
        tui.write("\x1a")
        tui.wait_for(b"Stopped")
        tui.wait_for(b"status=148")
        assert not tui.ghostty.mode(1049)
        tui.write("fg; exit 7\r")
        tui.next_frame()
        assert tui.ghostty.mode(1049)
        assert tui.rows()[2].startswith("▸  1 m0001")
        assert tui.press("d").state == "typing"
        assert tui.rows()[0] == "> catd"
        tui.write("\x03")
        assert tui.end() == 7
        assert not tui.ghostty.mode(1049)
