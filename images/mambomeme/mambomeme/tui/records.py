"""What is told of a person's interaction with the list, for those who have turned it on: docs/interactions.md."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..interactions import FORMAT, EventFile
from .layout import Layout
from .replies import Draft, Item, Versions
from .session import Answer

_NO_DRAFT = Draft("", "", 1.0)


class Asked(NamedTuple):
    """What the user has turned on: the file, whether query texts go into it, a label for the task at hand."""

    path: str
    with_text: bool
    slice: str

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Asked:
        """Nothing unless the environment says so."""
        return cls(
            environment.get("MAMBO_INTERACTIONS", ""),
            environment.get("MAMBO_INTERACTIONS_TEXT", "") == "1",
            environment.get("MAMBO_INTERACTIONS_SLICE", ""),
        )


class Records:
    """One session's events, numbered by the list that was drawn; a random name, no clock time, nobody's id."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._file = EventFile(asked.path) if asked.path else None
        self._session = secrets.token_hex(8)
        self._start = time.monotonic()
        self._versions: tuple[Versions, Versions] = ((), ())
        self._render = 0
        self._text = ""
        self._chosen: set[str] = set()
        self._open = False

    @property
    def sign(self) -> str:
        """What the screen says of the recording; empty where there is none."""
        if self._file is None:
            return ""
        return f"not recorded: {self._file.trouble}" if self._file.trouble else "recording"

    def render(self, answer: Answer, versions: tuple[Versions, Versions], layout: Layout) -> None:
        """A list, or its absence, was drawn."""
        if self._file is None:
            return
        self._versions = versions
        self._render += 1
        self._text, self._chosen, self._open = answer.text, set(), True
        outcome = "error" if answer.trouble else "results" if answer.items else "empty"
        self._tell(
            "render",
            outcome=outcome,
            text=answer.text if self._asked.with_text else None,
            results=[_result(item, rank) for rank, item in enumerate(answer.items, 1)],
            visible=min(len(answer.items), layout.list_rows // layout.result_rows),
            columns=layout.columns,
            rows=layout.rows,
        )

    def act(self, event: str, item: Item, rank: int) -> None:
        """`preview`, `open`, `copy`, `choose` or `unchoose` of the result at `rank` of the list that stands."""
        if self._file is not None and self._render:
            self._tell(event, **_result(item, rank))
            if event == "choose":
                self._chosen.add(item.doc_id)
            elif event == "unchoose":
                self._chosen.discard(item.doc_id)

    def submit(self, text: str) -> None:
        """Another search begins: a reformulation where nothing was chosen before and the words are others."""
        if _folded(text) != _folded(self._text):
            self._turn("reformulate")

    def end(self) -> None:
        """The user leaves: an abandonment where nothing was chosen in the last list."""
        self._turn("abandon")

    def close(self) -> None:
        """Nothing comes any more."""
        if self._file is not None:
            self._file.close()

    def _turn(self, event: str) -> None:
        """The last list ended so, unless it had ended before, or something of it is chosen."""
        if self._open and not self._chosen:
            self._open = False
            self._tell(event)

    def _tell(self, event: str, **more: Any) -> None:
        assert self._file is not None
        own, other = self._versions
        value = {
            "format": FORMAT,
            "session": self._session,
            "event": event,
            "render": self._render,
            "ms": int((time.monotonic() - self._start) * 1000),
            "slice": self._asked.slice or None,
            "versions": dict(own),
            "other": dict(other) or None,
            "lost": self._file.lost,
            **more,
        }
        self._file.add(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def _result(item: Item, rank: int) -> dict[str, Any]:
    draft = item.draft or _NO_DRAFT
    return {
        "doc_id": item.doc_id,
        "rank": rank,
        "exposure": draft.exposure,
        "team": draft.team or None,
        "lists": draft.lists or None,
    }


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
