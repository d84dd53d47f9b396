"""What SIGINT, SIGTERM and SIGHUP do: each ends the command as Ctrl-C does, and none breaks off what must be whole."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_DEAF_SECONDS = 5


def end_as_interrupt() -> None:
    """Have all three raise KeyboardInterrupt; one that the caller had ignored stays ignored."""
    end = _Once()
    for number in _ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


class _Once:
    """Raises KeyboardInterrupt, and is deaf for a while after: who hammers on Ctrl-C must not break off the tidying."""

    def __init__(self) -> None:
        self._deaf_until = 0.0

    def __call__(self, _number: int, _frame: object) -> None:
        now = time.monotonic()
        if now >= self._deaf_until:
            self._deaf_until = now + _DEAF_SECONDS
            raise KeyboardInterrupt


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Within it the three signals wait; the first that came takes effect at the end."""
    came: list[int] = []
    before = {number: signal.signal(number, lambda one, _frame: came.append(one)) for number in _ENDS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])
