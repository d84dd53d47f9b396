"""Opens the whole system for a person: an engine of its own, the terminal UI, and nothing left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from .attendant import Attendant
from .faults import StartError
from .tui.__main__ import main as open_screen

FOLDER = Path(__file__).resolve().parent.parent


class CannotOpenError(Exception):
    """Something needed is not there; the text says what, and what to do."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.status = status


def main(environment: Mapping[str, str]) -> int:
    """The exit status of one session."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    try:
        _require(environment)
        with tempfile.TemporaryDirectory(prefix="mambomeme-") as place:
            path = Path(place) / "engine.sock"
            with _engine(environment, path) as attendant:
                return open_screen({**environment, "MAMBO_SOCKET": str(path)}, attendant.tend)
    except CannotOpenError as error:
        sys.stderr.write(f"mambomeme: {error}\n")
        return error.status
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _require(environment: Mapping[str, str]) -> None:
    if not (os.isatty(0) and os.isatty(1)):
        raise CannotOpenError("standard input and output are no terminal. Start it in a terminal window.", 64)
    if not environment.get("MAMBO_CORPUS"):
        raise CannotOpenError("MAMBO_CORPUS is not set. Set it to the folder that holds items.jsonl.", 64)
    if not (FOLDER / "index").is_dir():
        sys.stderr.write("mambomeme: building the index, this once …\n")
        built = subprocess.run(
            [sys.executable, "-m", "mambomeme.index"], cwd=FOLDER, env=dict(environment), check=False
        )
        if built.returncode:
            raise CannotOpenError("the index could not be built; see above.", built.returncode)


@contextlib.contextmanager
def _engine(environment: Mapping[str, str], path: Path) -> Iterator[Attendant]:
    """An engine that listens at `path` as long as the context lasts, and whoever looks after it."""
    attendant = Attendant(environment, FOLDER, path)
    try:
        attendant.wait()
        yield attendant
    except StartError as error:
        raise CannotOpenError(str(error), 69) from None
    finally:
        attendant.stop()


def _end(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main(os.environ))
