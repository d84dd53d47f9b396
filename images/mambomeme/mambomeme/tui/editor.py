"""The query line as a person edits it."""

from __future__ import annotations

import re
import unicodedata

from .clusters import following, preceding

LONGEST = 1000
_BREAKS = re.compile(r"\r\n|[\t\n\v\f\r\u0085\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")


class Editor:
    """A text and a cursor, always between two visible characters."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self._killed = ""

    @property
    def full(self) -> bool:
        """Whether no further character fits."""
        return len(self.text) >= LONGEST

    def insert(self, text: str) -> None:
        """Puts `text` at the cursor, as far as it fits."""
        added = text[: LONGEST - len(self.text)]
        self.text = self.text[: self.cursor] + added + self.text[self.cursor :]
        self.cursor += len(added)

    def paste(self, text: str) -> None:
        """Puts pasted text at the cursor: line ends and tabs as blanks, other controls left out."""
        self.insert(_CONTROLS.sub("", _BREAKS.sub(" ", text)))

    def replace(self, text: str) -> None:
        """Makes `text` the whole line, with the cursor at its end."""
        self.text, self.cursor = text, len(text)

    def left(self) -> None:
        """One visible character back."""
        self.cursor = preceding(self.text, self.cursor)

    def right(self) -> None:
        """One visible character on."""
        self.cursor = following(self.text, self.cursor)

    def home(self) -> None:
        """To the start of the line."""
        self.cursor = 0

    def end(self) -> None:
        """To the end of the line."""
        self.cursor = len(self.text)

    def word_left(self) -> None:
        """To the start of the word before the cursor."""
        self.cursor = self._word_start()

    def word_right(self) -> None:
        """To the end of the word after the cursor."""
        self.cursor = self._word_end()

    def backspace(self) -> None:
        """Takes the visible character before the cursor away."""
        self._take(preceding(self.text, self.cursor), self.cursor)

    def delete(self) -> None:
        """Takes the visible character after the cursor away."""
        self._take(self.cursor, following(self.text, self.cursor))

    def delete_word_left(self) -> None:
        """Kills back to the start of a word."""
        self._kill(self._word_start(), self.cursor)

    def delete_word_right(self) -> None:
        """Kills on to the end of a word."""
        self._kill(self.cursor, self._word_end())

    def delete_blank_word(self) -> None:
        """Kills back to a blank, punctuation included."""
        kept = self.text[: self.cursor].rstrip()
        self._kill(max(kept.rfind(" ") + 1, 0) if kept else 0, self.cursor)

    def delete_line(self) -> None:
        """Kills the whole line."""
        self._kill(0, len(self.text))

    def delete_to_end(self) -> None:
        """Kills from the cursor on."""
        self._kill(self.cursor, len(self.text))

    def yank(self) -> None:
        """Puts what was killed last at the cursor."""
        self.insert(self._killed)

    def _kill(self, start: int, end: int) -> None:
        self._killed = self.text[start:end] or self._killed
        self._take(start, end)

    def _take(self, start: int, end: int) -> None:
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start

    def _word_start(self) -> int:
        index = self.cursor
        while index > 0 and not _in_word(self.text[index - 1]):
            index -= 1
        while index > 0 and _in_word(self.text[index - 1]):
            index -= 1
        return index

    def _word_end(self) -> int:
        index = self.cursor
        while index < len(self.text) and not _in_word(self.text[index]):
            index += 1
        while index < len(self.text) and _in_word(self.text[index]):
            index += 1
        return index


class History:
    """The queries submitted so far, walked with a draft kept at the newest end."""

    def __init__(self) -> None:
        self._entries: list[str] = []
        self._position = 0
        self._draft = ""

    @property
    def walking(self) -> bool:
        """Whether there is a later query, or the draft, to come back to."""
        return self._position < len(self._entries)

    def add(self, text: str) -> None:
        """Remembers `text` as the newest query, once if it is submitted again."""
        if not self._entries or self._entries[-1] != text:
            self._entries.append(text)
        self._position = len(self._entries)

    def back(self, current: str) -> str:
        """The query before; `current` where there is none."""
        if self._position == 0:
            return current
        if self._position == len(self._entries):
            self._draft = current
        self._position -= 1
        return self._entries[self._position]

    def forward(self, current: str) -> str:
        """The query after, at last the draft; `current` where there is none."""
        if self._position == len(self._entries):
            return current
        self._position += 1
        return self._draft if self._position == len(self._entries) else self._entries[self._position]


def _in_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"
