"""Which part of a long text shows."""

from __future__ import annotations

from typing import NamedTuple

from .keys import Key


class Window(NamedTuple):
    """The part that shows of a text higher than its place: `height` of its `total` rows, `first` of them left out."""

    first: int
    height: int
    total: int

    def moved(self, key: Key) -> Window:
        """The window after one of the list's keys."""
        page = max(self.height - 1, 1)
        steps = {
            Key.UP: -1, Key.DOWN: 1, Key.PAGE_UP: -page, Key.PAGE_DOWN: page,
            Key.HOME: -self.total, Key.END: self.total,
        }  # fmt: skip
        return self.at(self.first + steps[key])

    def at(self, first: int) -> Window:
        """The window with `first` rows left out, or as many as can be."""
        return self._replace(first=min(max(first, 0), max(self.total - self.height, 0)))
