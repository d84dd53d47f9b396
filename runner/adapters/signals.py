"""What SIGINT, SIGTERM and SIGHUP do: each ends the command as Ctrl-C does, and none breaks off what must be whole."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_as_interrupt() -> None:
    """Have SIGTERM and SIGHUP raise KeyboardInterrupt too; one that the caller had ignored stays ignored."""
    for number in _ENDS[1:]:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


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
