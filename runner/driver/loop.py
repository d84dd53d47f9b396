"""The one place where the driver waits."""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable

Handler = Callable[[int], None]
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
#: Ranks: what carries a stamp that is measured comes before all else.
TERMINAL, OTHER = 0, 1


class Ended(Exception):
    """The run is over before its end: `how` as in driver.json, `reason` for people."""

    def __init__(self, how: str, reason: str) -> None:
        super().__init__(reason)
        self.how, self.reason = how, reason


class Loop:
    """Calls the handler of each descriptor that is ready, terminals first."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._wall_end: int | None = None

    def limit(self, seconds: int) -> None:
        """Void the run once `seconds` from now have passed."""
        self._wall_end = time.monotonic_ns() + seconds * 1_000_000_000

    def lift_limit(self) -> None:
        """Wait without a wall limit from here on (for putting things away)."""
        self._wall_end = None

    def watch(self, fd: int, handler: Handler, rank: int = OTHER) -> None:
        """Call `handler(mask)` whenever `fd` is readable."""
        self._selector.register(fd, READ, (rank, handler))

    def interest(self, fd: int, mask: int) -> None:
        """Change what a watched `fd` is watched for."""
        key = self._selector.get_key(fd)
        if key.events != mask:
            self._selector.modify(fd, mask, key.data)

    def forget(self, fd: int) -> None:
        """Stop watching `fd`; call it before closing."""
        if fd in self._selector.get_map():
            self._selector.unregister(fd)

    def turn(self, seconds: float) -> bool:
        """Wait up to `seconds` for something and handle it; whether there was anything."""
        ready = self._selector.select(seconds)
        for key, mask in sorted(ready, key=_rank):
            # An earlier handler of this turn may have closed it, or closed it and opened another under its number.
            if self._selector.get_map().get(key.fd) is key:
                key.data[1](mask)
        if self._wall_end is not None and time.monotonic_ns() > self._wall_end:
            raise Ended("void", "The wall limit of the manifest has passed.")
        return bool(ready)

    def until(self, satisfied: Callable[[], bool], deadline: int) -> bool:
        """Turn until `satisfied()` or until CLOCK_MONOTONIC reaches `deadline` (ns); whether it was satisfied."""
        while not satisfied():
            left = deadline - time.monotonic_ns()
            if left <= 0:
                return False
            self.turn(min(left, 1_000_000_000) / 1e9)
        return True

    def pause(self, milliseconds: int, broken: Callable[[], bool] = lambda: False) -> bool:
        """Go on handling for a fixed time, or until `broken()`; whether it was."""
        return self.until(broken, time.monotonic_ns() + milliseconds * 1_000_000)

    def drain(self, turns: int = 64) -> None:
        """Handle what is ready now, without waiting."""
        while turns and self.turn(0):
            turns -= 1


def _rank(event: tuple[selectors.SelectorKey, int]) -> int:
    rank: int = event[0].data[0]
    return rank
