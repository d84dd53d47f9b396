"""The lines of a text file that another tool wrote."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange.remarks import Read, counted, warning


class Ids(NamedTuple):
    """The ids that may stand in a file, quick to look up (sets, or keys in an order); None where any may."""

    queries: Collection[str] | None = None
    items: Collection[str] | None = None

    def refuse_stranger(self, where: str, line: int, query_id: str, doc_id: str) -> None:
        """BadInput if the query or the item is unknown."""
        if self.queries is not None and query_id not in self.queries:
            raise BadInput(f"{where}:{line}: {query_id} is no known query.", advice="Mend the id, or the queries.")
        if self.items is not None and doc_id not in self.items:
            raise BadInput(f"{where}:{line}: {doc_id} is no known item.", advice="Mend the id, or the corpus.")


ANY = Ids()


def read_lines(source: Source) -> Read[list[str]]:
    """Lines without their ends. A byte order mark or bad UTF-8 is refused, CRLF only remarked on."""
    where, data = source
    if data.startswith(b"\xef\xbb\xbf"):
        raise BadInput(f"{where}:1: starts with a byte order mark.", advice="Save it as UTF-8 without BOM.")
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{where}:{line}: is not UTF-8.", advice="Save it as UTF-8.") from None
    if lines[-1] == "":
        lines.pop()
    if b"\r\n" not in data:
        return Read(lines)
    ending = [line.endswith("\r") for line in lines]
    what = f"{counted(sum(ending), 'line ends', 'lines end')} in CRLF, the first is {ending.index(True) + 1}"
    return Read([line.removesuffix("\r") for line in lines], (warning(where, what),))


def refuse_blanks(where: str, *names: str) -> None:
    """BadInput for a name that would be two columns, or none."""
    for name in names:
        if name.split() != [name]:
            raise BadInput(f"{where}: {name!r} is no name for a file of columns.", advice="Use one without blanks.")
