"""Opens the whole system for a person: an engine of its own, the terminal UI, and nothing left behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from .tui.__main__ import main as open_screen

FOLDER = Path(__file__).resolve().parent.parent
START_SECONDS = 60
_STEP_SECONDS = 0.02
_PR_SET_PDEATHSIG = 1


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
            with _engine(environment, path):
                return open_screen({**environment, "MAMBO_SOCKET": str(path)})
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
        built = subprocess.run(_python("mambomeme.index"), cwd=FOLDER, env=dict(environment), check=False)
        if built.returncode:
            raise CannotOpenError("the index could not be built; see above.", built.returncode)


@contextlib.contextmanager
def _engine(environment: Mapping[str, str], path: Path) -> Iterator[None]:
    """An engine that listens at `path` as long as the context lasts."""
    words = path.with_name("engine.log")
    with words.open("wb") as log:
        engine = subprocess.Popen(
            _python("mambomeme.engine"),
            cwd=FOLDER,
            env={"HOME": str(path.parent), **environment, "MAMBO_ENGINE_SOCKET": str(path)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=_die_with_parent,  # noqa: PLW1509 - there are no threads here
        )
    try:
        _wait_for(engine, path, words)
        yield
    finally:
        engine.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            engine.wait(2)
        engine.kill()
        engine.wait()


def _wait_for(engine: subprocess.Popen[bytes], path: Path, words: Path) -> None:
    for _ in range(int(START_SECONDS / _STEP_SECONDS)):
        if _answers(path):
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            engine.wait(_STEP_SECONDS)
            last = (words.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
            raise CannotOpenError(f"the engine did not start: {last}", 69)
    raise CannotOpenError(f"the engine did not start within {START_SECONDS} s.", 69)


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def _python(module: str) -> list[str]:
    return [sys.executable, "-m", module]


def _die_with_parent() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main(os.environ))
