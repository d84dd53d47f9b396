"""Tells apart what is wrong with a result, and what other code than that of its run makes of it otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from runner.documents import parse_json
from runner.errors import BadInput, BenchError, CannotDecide, Findings
from runner.workflows.names import LOCK


class Code(NamedTuple):
    """The code of a run as its lock names it, and the commit of the code that looks at the result.

    A lock of another version is read as far as this goes, so that it can be told from one that is wrong.
    """

    commit: str
    clean: bool
    here: str

    @classmethod
    def of(cls, lock: bytes, here: str) -> Code:
        """That of the lock with these bytes; a lock that is no JSON object names none, and nobody can be sure of it."""
        try:
            found = parse_json(lock, LOCK)
        except BadInput:
            found = None
        fields = found if isinstance(found, dict) else {}
        return cls(str(fields.get("code_commit", "unknown")), fields.get("code_clean") is True, here)

    @property
    def own(self) -> bool:
        """Whether the code that looks at the result is that of the run."""
        return self.clean and self.commit == self.here

    @contextmanager
    def sure(self) -> Iterator[None]:
        """Within it whatever is wrong is Findings by the run's own code, and CannotDecide by any other."""
        try:
            yield
        except (BadInput, Findings, CannotDecide) as error:
            raise self._told(error) from None

    def refuse(self, differing: Iterable[str]) -> None:
        """As `sure`, where something differs."""
        found = list(differing)
        if found:
            with self.sure():
                raise Findings("\n".join(found))

    def _told(self, error: BenchError) -> BenchError:
        if not self.own:
            return CannotDecide(error.what, advice=self._advice())
        return error if isinstance(error, CannotDecide) else Findings(error.what, advice=error.advice)

    def _advice(self) -> str:
        if self.commit == self.here:
            return f"The run's code was commit {self.here[:12]} with changes: only whoever has those can tell."
        return f"This is commit {self.here[:12]}: check out {self.commit[:12]}."
