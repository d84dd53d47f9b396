"""The ways in which a UI is ended by the suite about restoring the terminal, and what must come of each."""

from __future__ import annotations

from typing import NamedTuple

AFTER, DURING = "after a search", "during a search"
MOMENTS = (AFTER, DURING)


class Ending(NamedTuple):
    """One ending: by keys, behind an emptied query line where it `clears`, or by a signal to a process; exit status."""

    name: str
    rule: str
    status: int
    keys: bytes = b""
    signal: str = ""
    to: str = "started"
    clears: bool = False


ENDINGS = (
    Ending("quit", "exit-quit", 0, keys=b"\x04", clears=True),
    Ending("Ctrl-C", "exit-ctrl-c", 130, keys=b"\x03"),
    Ending("SIGINT", "exit-sigint", 130, signal="SIGINT"),
    Ending("SIGTERM", "exit-sigterm", 143, signal="SIGTERM"),
    Ending("SIGHUP", "exit-sighup", 129, signal="SIGHUP"),
    Ending("exception", "exit-exception", 1, signal="SIGUSR1"),
    Ending("SIGKILL", "exit-sigkill", 137, signal="SIGKILL", to="drawing"),
)
