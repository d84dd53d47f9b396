"""Opens the whole system for a person: an engine of its own, the terminal UI, and nothing left behind."""

from __future__ import annotations

import contextlib
import json
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
from .tui.supervisor import Tend

ENGINE = "mambomeme.engine"
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
            with _engines(environment, path) as tend:
                return open_screen({**environment, "MAMBO_SOCKET": str(path)}, tend)
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
def _engines(environment: Mapping[str, str], path: Path) -> Iterator[Tend]:
    """Whatever listens at `path` as long as the context lasts, and how it is looked after."""
    started: list[Attendant] = []
    try:
        for more, module in _roles(environment, path):
            started.append(Attendant({**environment, **more}, FOLDER, Path(more["MAMBO_ENGINE_SOCKET"]), module))
            started[-1].wait()
        yield lambda: min(attendant.tend() for attendant in started)
    except StartError as error:
        raise CannotOpenError(str(error), 69) from None
    finally:
        for attendant in reversed(started):
            attendant.stop()


def _roles(environment: Mapping[str, str], path: Path) -> list[tuple[dict[str, str], str]]:
    """What to start, in order, each with its environment: one engine, or two and what interleaves them."""
    named = environment.get("MAMBO_INTERLEAVE")
    if not named:
        return [({"MAMBO_ENGINE_SOCKET": str(path)}, ENGINE)]
    own, other = str(path.with_name("a.sock")), str(path.with_name("b.sock"))
    both = {"MAMBO_ENGINE_A": own, "MAMBO_ENGINE_B": other, "MAMBO_ENGINE_SOCKET": str(path)}
    return [
        ({"MAMBO_ENGINE_SOCKET": own}, ENGINE),
        ({"MAMBO_ENGINE_SOCKET": other, "MAMBO_CONFIGURATION": _configuration(Path(named))}, ENGINE),
        (both, "mambomeme.interleave"),
    ]


def _configuration(path: Path) -> str:
    """The configuration in a file of its own, or in the manifest of a system."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else "not JSON"
        raise CannotOpenError(f"{path}: {why}. MAMBO_INTERLEAVE names a configuration to compare with.", 65) from None
    return json.dumps(value["configuration"] if isinstance(value, dict) and "configuration" in value else value)


def _end(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main(os.environ))
