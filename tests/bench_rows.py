"""A row of `nox -s bench`: what was found, what it should reach, and whether it does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.table import Table


class Row(NamedTuple):
    """One figure, its target (empty: none), whether it was met, and what others took for the same in the same run."""

    what: str
    found: str
    target: str = ""
    met: bool | None = None
    peers: str = ""


def at_most(what: str, value: float, limit: float, unit: str, *, shown: str = "") -> Row:
    """A figure that should not exceed `limit`; `shown` says more than the figure."""
    return Row(what, shown or f"{value:.2f} {unit}", f"<= {limit:g} {unit}", value <= limit)


def at_least(what: str, value: float, limit: float, unit: str, *, peers: str = "") -> Row:
    """A figure that should reach `limit`."""
    return Row(what, f"{value:.1f} {unit}", f">= {limit:g} {unit}", value >= limit, peers)


def table_of(rows: Iterable[Row], title: str) -> Table:
    """The rows, as people read them."""
    table = Table("figure", "found", "target", "met", "peers", title=title, title_justify="left")
    for row in rows:
        table.add_row(row.what, row.found, row.target, {True: "yes", False: "NO", None: ""}[row.met], row.peers)
    return table
