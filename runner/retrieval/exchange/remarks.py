"""What a person should hear of a file that came from elsewhere or goes there, though nothing is refused."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from runner.documents import Document

T = TypeVar("T")
_NAMED = 3


class Kind(StrEnum):
    """Why it is said."""

    LOST = "lost"
    WARNING = "warning"


class Remark(Document):
    """Something that the other format cannot hold (`lost`), or that is odd and was taken all the same (`warning`)."""

    kind: Kind
    where: str
    what: str
    ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        more = len(self.ids) - _NAMED
        named = ", ".join(self.ids[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        return f"{self.where}: {self.kind}: {self.what}" + (f": {named}" if named else "")


class Read(NamedTuple, Generic[T]):
    """What was read or written, and what is to be said of it."""

    value: T
    remarks: tuple[Remark, ...] = ()


def lost(where: str, what: str, ids: Iterable[str] = ()) -> Remark:
    """Something that does not stand in `where`."""
    return Remark(kind=Kind.LOST, where=where, what=what, ids=tuple(ids))


def warning(where: str, what: str, ids: Iterable[str] = ()) -> Remark:
    """Something odd in `where`."""
    return Remark(kind=Kind.WARNING, where=where, what=what, ids=tuple(ids))
