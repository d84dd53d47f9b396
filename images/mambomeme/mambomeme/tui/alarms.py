"""Actions that are due at a time, for the one loop that waits."""

from __future__ import annotations

import time
from collections.abc import Callable

Action = Callable[[], None]


class Alarms:
    """At most one time for each action."""

    def __init__(self) -> None:
        self._due: dict[Action, float] = {}

    def set(self, action: Action, seconds: float) -> None:
        """Has `action` done in `seconds`, and not when it was due before."""
        self._due[action] = time.monotonic() + seconds

    def cancel(self, action: Action) -> None:
        """Forgets `action`."""
        self._due.pop(action, None)

    def wait_ms(self) -> int | None:
        """Milliseconds until the next one, rounded up; None where none is set."""
        if not self._due:
            return None
        return max(0, int((min(self._due.values()) - time.monotonic()) * 1000) + 1)

    def run_due(self) -> None:
        """Does what is due."""
        if self._due:
            now = time.monotonic()
            for action in [action for action, due in self._due.items() if due <= now]:
                self.cancel(action)
                action()
