"""The lines of a text file that another tool wrote."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from runner.counts import counted
from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange.remarks import Read, Remark, warning


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

# No tab and no line end: keys to a terminal, nothing in a name or a text.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|\r(?!\n|\Z)")


def read_lines(source: Source) -> Read[list[str]]:
    """Lines without their ends. A byte order mark, bad UTF-8 or a control character is refused, CRLF remarked on."""
    where, data = source
    if data.startswith(b"\xef\xbb\xbf"):
        raise BadInput(f"{where}:1: starts with a byte order mark.", advice="Save it as UTF-8 without BOM.")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{where}:{line}: is not UTF-8.", advice="Save it as UTF-8.") from None
    control = _CONTROL.search(text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        raise BadInput(f"{where}:{line}: holds control character {ord(control[0]):#04x}.", advice="Remove it.")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    remarks = line_ends(source)
    return Read([line.removesuffix("\r") for line in lines] if remarks else lines, remarks)


def line_ends(source: Source) -> tuple[Remark, ...]:
    """What is to be said of lines that end in CRLF, which read as if they did not."""
    where, data = source
    if b"\r\n" not in data:
        return ()
    ending = [line.endswith(b"\r") for line in data.removesuffix(b"\n").split(b"\n")]
    what = f"{counted(sum(ending), 'line ends', 'lines end')} in CRLF, the first is {ending.index(True) + 1}"
    return (warning(where, what),)


def refuse_blanks(where: str, *names: str) -> None:
    """BadInput for a name that would be two columns, or none, or cannot be seen."""
    for name in names:
        if name.split() != [name] or not name.isprintable():
            raise BadInput(f"{where}: {name!r} is no name for a file of columns.", advice="Use visible characters.")
