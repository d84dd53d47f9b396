"""Hands a picture to the program that the user has named for it."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path


class CannotShowError(Exception):
    """The picture was not handed over; the text says why."""


class Opener:
    """Starts `command` (words as a shell parts them, no shell runs) with a picture's path behind it."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._started: list[subprocess.Popen[bytes]] = []

    @property
    def named(self) -> bool:
        """Whether there is a program."""
        return bool(self._command.strip())

    def open(self, path: Path) -> str:
        """Starts it on its own, away from this terminal; its name."""
        self._started = [one for one in self._started if one.poll() is None]
        try:
            words = shlex.split(self._command)
            found = subprocess.Popen(
                [*words, str(path.absolute())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except ValueError as error:
            raise CannotShowError(f"MAMBO_OPENER cannot be read: {error}") from None
        except OSError as error:
            raise CannotShowError(f"{words[0]}: {error.strerror or error}") from None
        self._started.append(found)
        return words[0]
