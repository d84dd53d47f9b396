"""What can be done with a result: open its picture, copy its words, choose it or take that back."""

from __future__ import annotations

from collections.abc import Callable

from .clipboard import copied_text, to_clipboard
from .opener import CannotShowError, Opener
from .preview import picture_path
from .replies import Item
from .session import Session, Wish
from .shown import one_line, shown

Deed = Callable[[Item], tuple[str, str]]


class Deeds:
    """Does them for `session`; `write` sends bytes to the terminal. Each deed gives its name and the words for it."""

    def __init__(self, session: Session, write: Callable[[bytes], None], opener: Opener, corpus: str) -> None:
        self._session, self._write, self._opener, self._corpus = session, write, opener, corpus
        self._deeds: dict[Wish, Deed] = {
            Wish.OPEN: lambda item: ("open", self._open(item)),
            Wish.COPY: lambda item: ("copy", self._copy(item)),
            Wish.CHOOSE: self._choose,
        }

    def do(self, wish: Wish, item: Item) -> str:
        """Does what `wish` asks for; the deed's name."""
        name, self._session.note = self._deeds[wish](item)
        return name

    def __contains__(self, wish: Wish) -> bool:
        return wish in self._deeds

    def _open(self, item: Item) -> str:
        path = picture_path(self._corpus, item.preview)
        if path is None or not path.is_file():
            return f"there is no picture of {one_line(item.doc_id)} here"
        if not self._opener.named:
            return f"name a program in MAMBO_OPENER to open {shown(item.preview)}"
        try:
            return f"{one_line(item.doc_id)} handed to {shown(self._opener.open(path))}"
        except CannotShowError as error:
            return one_line(str(error))

    def _copy(self, item: Item) -> str:
        self._write(to_clipboard(copied_text(item)))
        return f"{one_line(item.doc_id)} sent to the clipboard"

    def _choose(self, item: Item) -> tuple[str, str]:
        chosen, name = self._session.chosen, one_line(item.doc_id)
        if item.doc_id in chosen:
            del chosen[item.doc_id]
            return "unchoose", f"{name} no longer chosen"
        chosen[item.doc_id] = item.title
        return "choose", f"{name} chosen; printed when you leave. The same key takes it back"
