"""Bytes from the terminal as keys, text and pastes, however the reads split them."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple


class Key(Enum):
    """Keys that are not text."""

    ENTER = auto()
    ESCAPE = auto()
    TAB = auto()
    SHIFT_TAB = auto()
    UP = auto()
    DOWN = auto()
    LEFT = auto()
    RIGHT = auto()
    HOME = auto()
    END = auto()
    PAGE_UP = auto()
    PAGE_DOWN = auto()
    BACKSPACE = auto()
    DELETE = auto()
    WORD_LEFT = auto()
    WORD_RIGHT = auto()
    DELETE_WORD_LEFT = auto()
    DELETE_WORD_RIGHT = auto()
    DELETE_BLANK_WORD = auto()
    DELETE_LINE = auto()
    DELETE_TO_END = auto()
    YANK = auto()
    HISTORY_BACK = auto()
    HISTORY_FORWARD = auto()
    HELP = auto()
    PREVIEW = auto()
    OPEN = auto()
    COPY = auto()
    CHOOSE = auto()
    REDRAW = auto()
    SUSPEND = auto()
    QUIT = auto()
    END_OF_FILE = auto()
    UNKNOWN = auto()


class Paste(NamedTuple):
    """Text that came between the marks of a bracketed paste."""

    text: str


class Report(NamedTuple):
    """What a terminal says of itself, as it came."""

    text: str


_CONTROLS = {
    0x01: Key.HOME, 0x02: Key.LEFT, 0x03: Key.QUIT, 0x04: Key.END_OF_FILE, 0x05: Key.END, 0x06: Key.RIGHT,
    0x07: Key.ESCAPE, 0x08: Key.BACKSPACE, 0x09: Key.TAB, 0x0A: Key.ENTER, 0x0B: Key.DELETE_TO_END, 0x0C: Key.REDRAW,
    0x0D: Key.ENTER, 0x0E: Key.HISTORY_FORWARD, 0x0F: Key.OPEN, 0x10: Key.HISTORY_BACK, 0x15: Key.DELETE_LINE,
    0x16: Key.PREVIEW, 0x17: Key.DELETE_BLANK_WORD, 0x19: Key.YANK, 0x1A: Key.SUSPEND, 0x7F: Key.BACKSPACE,
}  # fmt: skip
_ALT = {
    b"b": Key.WORD_LEFT, b"B": Key.WORD_LEFT, b"f": Key.WORD_RIGHT, b"F": Key.WORD_RIGHT,
    b"d": Key.DELETE_WORD_RIGHT, b"D": Key.DELETE_WORD_RIGHT,
    b"\x7f": Key.DELETE_WORD_LEFT, b"\x08": Key.DELETE_WORD_LEFT,
    b"v": Key.PREVIEW, b"o": Key.OPEN, b"y": Key.COPY, b"c": Key.CHOOSE, b"?": Key.HELP,
}  # fmt: skip
_LETTERS = {
    b"A": Key.UP, b"B": Key.DOWN, b"C": Key.RIGHT, b"D": Key.LEFT, b"H": Key.HOME, b"F": Key.END,
    b"P": Key.HELP, b"Z": Key.SHIFT_TAB, b"M": Key.ENTER,
}  # fmt: skip
# Not among the letters: CSI R is a cursor's position, too.
_SINGLES = {**_LETTERS, b"R": Key.PREVIEW, b"S": Key.OPEN}
_CONSOLE = {b"A": Key.HELP, b"C": Key.PREVIEW, b"D": Key.OPEN, b"E": Key.COPY}
_NUMBERS = {
    b"1": Key.HOME, b"3": Key.DELETE, b"4": Key.END, b"5": Key.PAGE_UP, b"6": Key.PAGE_DOWN, b"7": Key.HOME,
    b"8": Key.END, b"11": Key.HELP, b"13": Key.PREVIEW, b"14": Key.OPEN, b"15": Key.COPY, b"17": Key.CHOOSE,
}  # fmt: skip
_BY_WORD = {Key.LEFT: Key.WORD_LEFT, Key.RIGHT: Key.WORD_RIGHT, Key.DELETE: Key.DELETE_WORD_RIGHT}

_TOKEN = re.compile(
    rb"(?P<text>[^\x00-\x1f\x7f]+)"
    rb"|(?P<console>\x1b\[\[[A-E])"
    rb"|\x1b\[(?P<parameters>[0-?]*)[ -/]*(?P<final>[@-~])"
    rb"|\x1bO(?P<single>[ -~])"
    rb"|(?P<string>\x1b[\]P^_X][^\x00-\x06\x08-\x1f]*(?:\x07|\x1b\\))"
    rb"|\x1b(?P<alt>[ -NQ-WYZ\\`-~\x7f\x08])"
    rb"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])",
)
_UNFINISHED = re.compile(rb"\x1b(?:\[\[?[0-?]*[ -/]*|O|[\]P^_X][^\x00-\x06\x07\x08-\x1f]*\x1b?)?\Z")
_BROKEN = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|O|[\]P^_X][^\x00-\x1f]*)?")
_PASTE_END = b"\x1b[201~"


class KeyReader:
    """Feeds on reads of any size; holds back what is not yet whole."""

    def __init__(self) -> None:
        self._buffer = b""
        self._pasting = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def waiting(self) -> bool:
        """Whether an escape sequence has begun that `give_up` would end."""
        return bool(self._buffer) and not self._pasting

    def feed(self, data: bytes) -> Iterator[Key | Paste | Report | str]:
        """What `data` completes, in order; a str is typed text."""
        if self._pasting and data == b"\x03":
            self._pasting, self._buffer = False, b""
        self._buffer += data
        while self._buffer:
            before = len(self._buffer), self._pasting
            yield from self._paste() if self._pasting else self._token()
            if (len(self._buffer), self._pasting) == before:
                return

    def give_up(self) -> Key:
        """Ends the sequence that never came whole: a lone ESC is the key, the rest nothing known."""
        lone, self._buffer = self._buffer == b"\x1b", b""
        return Key.ESCAPE if lone else Key.UNKNOWN

    def _token(self) -> Iterator[Key | Report | str]:
        found = _TOKEN.match(self._buffer)
        if found is None:
            yield from self._no_token()
            return
        self._buffer = self._buffer[found.end() :]
        typed = self._decoder.decode(found["text"] or b"", final=found["text"] is None)
        if typed:
            yield typed
        if found["text"] is None:
            yield from self._key(found)

    def _no_token(self) -> Iterator[Key]:
        if _UNFINISHED.match(self._buffer):
            return
        broken = _BROKEN.match(self._buffer)
        end = broken.end() if broken else 1
        yield Key.ESCAPE if end == 1 else Key.UNKNOWN
        self._buffer = self._buffer[end:]

    def _key(self, found: re.Match[bytes]) -> Iterator[Key | Report]:
        if found["control"]:
            yield _CONTROLS.get(found["control"][0], Key.UNKNOWN)
        elif found["string"] or found["final"] in {b"c", b"t"}:
            yield Report(found[0].decode("ascii", "replace"))
        elif found["final"]:
            if found["parameters"] == b"200" and found["final"] == b"~":
                self._pasting = True
            else:
                yield _sequence_key(found["parameters"], found["final"])
        elif found["single"]:
            yield _SINGLES.get(found["single"], Key.UNKNOWN)
        elif found["alt"]:
            yield _ALT.get(found["alt"], Key.UNKNOWN)
        elif found["console"]:
            yield _CONSOLE.get(found["console"][-1:], Key.UNKNOWN)

    def _paste(self) -> Iterator[Paste]:
        content, mark, rest = self._buffer.partition(_PASTE_END)
        kept = b"" if mark else _possible_end(content)
        text = self._decoder.decode(content[: len(content) - len(kept)], final=bool(mark))
        self._buffer = rest if mark else kept
        self._pasting = not mark
        if text or mark:
            yield Paste(text)


def _possible_end(content: bytes) -> bytes:
    for size in range(len(_PASTE_END) - 1, 0, -1):
        if content.endswith(_PASTE_END[:size]):
            return _PASTE_END[:size]
    return b""


def _sequence_key(parameters: bytes, final: bytes) -> Key:
    first, _, modifier = parameters.partition(b";")
    table, name = (_NUMBERS, first) if final == b"~" else (_LETTERS, final)
    if name not in table or (final != b"~" and first not in {b"", b"1"}):
        return Key.UNKNOWN
    key = table[name]
    return _BY_WORD.get(key, key) if modifier in {b"3", b"5"} else key
