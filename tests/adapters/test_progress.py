"""What people at a terminal see of long work: each bar once, and a terminal left as it was."""

from __future__ import annotations

import io

from rich.console import Console

from runner.adapters.progress import SilentProgress, SteadyConsole, TerminalProgress, progress_on


def on_a_terminal() -> tuple[TerminalProgress, io.StringIO]:
    file = io.StringIO()
    progress = progress_on(SteadyConsole(file=file, force_terminal=True, width=80))
    assert isinstance(progress, TerminalProgress)
    return progress, file


def test_a_finished_bar_is_not_drawn_again_beside_the_next() -> None:
    progress, file = on_a_terminal()
    with progress.step("first", 1):
        pass
    before = len(file.getvalue())
    with progress.step("second", 1):
        pass
    assert "first" in file.getvalue()[:before]
    assert "first" not in file.getvalue()[before:]
    assert "second" in file.getvalue()[before:]


def test_nested_bars_stand_together() -> None:
    progress, file = on_a_terminal()
    with progress.step("outer", 2):
        with progress.step("inner", 1):
            pass
        before = len(file.getvalue())
    assert "inner" in file.getvalue()[before:]


def test_the_cursor_is_never_hidden() -> None:
    """A runner that is killed cannot show it again."""
    progress, file = on_a_terminal()
    with progress.step("first", 1):
        pass
    assert "\x1b[?25" not in file.getvalue()


def test_a_file_hears_nothing() -> None:
    file = io.StringIO()
    progress = progress_on(Console(file=file))
    assert isinstance(progress, SilentProgress)
    with progress.step("first", 1) as step:
        step.advance(1)
    assert file.getvalue() == ""
