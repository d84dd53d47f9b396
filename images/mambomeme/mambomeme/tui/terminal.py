"""The terminal itself: raw mode, the alternate screen, reads, writes, and how all is put back."""

from __future__ import annotations

import contextlib
import os
import termios
from typing import Any

from .layout import Layout

# Any sequence cut in its middle is cancelled first; what was on before us is on again at the end.
RESTORE = b"\x18\x1b\\\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?1049l\x1b[?7h\x1b[?25h"
_MODES = b"\x1b[?7l\x1b[?2004h"
_ENTER = b"\x1b[?1049h" + _MODES
_READ_SIZE = 65_536


class TerminalGoneError(Exception):
    """The terminal was closed."""


class Terminal:
    """The terminal on standard input and output. `taken` is a byte shared with whoever repairs after a kill."""

    def __init__(self, taken: Any) -> None:
        self._input, self._output = 0, 1
        self._taken = taken
        self._before = termios.tcgetattr(self._input)

    def fileno(self) -> int:
        """The descriptor to wait on for keys."""
        return self._input

    def enter(self) -> None:
        """Raw mode and the alternate screen."""
        self._taken[0] = 1
        self._raw()
        self.write(_ENTER)

    def resume(self) -> None:
        """Sets the modes again after somebody else may have changed them while we were stopped."""
        self._raw()
        self.write(_MODES)

    def leave(self) -> None:
        """Puts everything back as it was, as far as the terminal is still there; no-op where nothing was taken."""
        if self._taken[0]:
            with contextlib.suppress(TerminalGoneError):
                self.write(RESTORE)
            restore_attributes(self._input, self._before)
            self._taken[0] = 0

    def layout(self) -> Layout:
        """The present size; 80x24 where the terminal does not know."""
        try:
            columns, rows = os.get_terminal_size(self._output)
        except OSError:
            columns, rows = 0, 0
        return Layout(columns or 80, rows or 24)

    def read(self) -> bytes:
        """What was typed, at least one byte."""
        try:
            data = os.read(self._input, _READ_SIZE)
        except OSError:
            data = b""
        if not data:
            raise TerminalGoneError
        return data

    def write(self, data: bytes) -> None:
        """All of `data`, in one write unless the terminal takes less."""
        try:
            while data:
                data = data[os.write(self._output, data) :]
        except OSError:
            raise TerminalGoneError from None

    def _raw(self) -> None:
        attributes = list(self._before)
        attributes[0] &= ~(
            termios.BRKINT | termios.ICRNL | termios.INLCR | termios.IGNCR | termios.INPCK | termios.ISTRIP
            | termios.IXON
        )  # fmt: skip
        attributes[1] &= ~termios.OPOST
        attributes[2] = attributes[2] & ~(termios.CSIZE | termios.PARENB) | termios.CS8
        attributes[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
        attributes[6] = list(attributes[6])
        attributes[6][termios.VMIN], attributes[6][termios.VTIME] = 1, 0
        restore_attributes(self._input, attributes)


def restore_attributes(descriptor: int, attributes: list[Any]) -> None:
    """Sets `attributes` at once; a terminal that is gone has none."""
    with contextlib.suppress(termios.error):
        termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
