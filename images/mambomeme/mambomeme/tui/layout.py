"""Which rows and columns hold what, at any size; at 80x24 exactly those of the interface."""

from __future__ import annotations

from typing import NamedTuple

LIST_TOP = 3
MOST_RESULTS = 10
LEAST_COLUMNS, LEAST_ROWS = 24, 6
_NARROW = 60
_LEAST_PANE = 4
_ROOMY_PANE = 14
_MOST_RESULT_ROWS = 3


class Layout(NamedTuple):
    """A screen of `columns` x `rows`; rows and columns count from 1."""

    columns: int
    rows: int

    @property
    def too_small(self) -> bool:
        """Whether there is no room for anything but a word about it."""
        return self.columns < LEAST_COLUMNS or self.rows < LEAST_ROWS

    @property
    def status(self) -> int:
        """The status row, the last."""
        return self.rows

    @property
    def query_columns(self) -> int:
        """Room for the query behind its prompt."""
        return self.columns - 4

    @property
    def result_rows(self) -> int:
        """Rows of each result: more than its title where a roomy pane fits below all the same."""
        spare = self.rows - LIST_TOP - 1 - _ROOMY_PANE
        return min(max(spare // MOST_RESULTS, 1), _MOST_RESULT_ROWS)

    @property
    def list_rows(self) -> int:
        """Rows of the list, from row 3 on."""
        return min(MOST_RESULTS * self.result_rows, self.view_rows)

    @property
    def view_rows(self) -> int:
        """Rows for a text that takes the place of list and pane, from row 3 on."""
        return self.rows - LIST_TOP

    @property
    def pane_rule(self) -> int:
        """The row between list and pane; it and all below stand only where `pane_rows` is not 0."""
        return LIST_TOP + self.list_rows

    @property
    def pane_rows(self) -> int:
        """Rows of the pane below its rule; 0 where there is no room for one, and it takes the list's place."""
        rows = self.status - self.pane_rule - 1
        return rows if rows >= _LEAST_PANE else 0

    @property
    def roomy(self) -> bool:
        """Whether the pane has room for all that is known of most results."""
        return self.pane_rows >= _ROOMY_PANE

    @property
    def shows_ids(self) -> bool:
        """Whether the list has a column for the doc_id."""
        return self.columns >= _NARROW

    @property
    def title_column(self) -> int:
        """Where titles begin."""
        return 23 if self.shows_ids else 6

    @property
    def title_columns(self) -> int:
        """Room for a title."""
        return self.columns - self.title_column + 1

    @property
    def label_columns(self) -> int:
        """Room for a label in the pane, the blanks around it included."""
        return 12 if self.shows_ids else 10
