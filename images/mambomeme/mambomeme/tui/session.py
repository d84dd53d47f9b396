"""What the user has done so far: line, list, focus, the search under way; what each key makes of them."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple

from .editor import LONGEST, Editor, History
from .keys import Key, Paste
from .letters import BACK_TO_LINE, LETTERS, RANKS, command
from .replies import Item
from .window import Window


class Focus(Enum):
    """Where keys that are not text go."""

    LINE = auto()
    LIST = auto()
    DETAILS = auto()
    PREVIEW = auto()


class Phase(Enum):
    """The state that a frame's marker names."""

    TYPING = "typing"
    BUSY = "busy"
    DONE = "done"


class Pane(Enum):
    """What is shown beside the list."""

    USUAL = auto()
    KEYS = auto()


class Wish(Enum):
    """What a key asks for that the session cannot do itself."""

    NOTHING = auto()
    SUBMIT = auto()
    REDRAW = auto()
    SUSPEND = auto()
    OPEN = auto()
    COPY = auto()
    CHOOSE = auto()
    QUIT = auto()
    INTERRUPT = auto()


class Answer(NamedTuple):
    """How the last finished search went. `trouble` is empty unless it failed."""

    submit: int
    text: str
    items: tuple[Item, ...]
    trouble: str
    milliseconds: float


class Session:
    """The whole state of the screen but for the terminal's size.

    `window` is set by who draws: where the text on the screen is higher than its place, what of it was drawn last.
    `letters` says whether letters are keys while the focus is not on the line; `chosen` holds ids with their titles.
    `name` is that of the system that answers, empty where nobody has said it.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.editor = Editor()
        self.focus = Focus.LINE
        self.phase = Phase.TYPING
        self.pane = Pane.USUAL
        self.submits = 0
        self.submitted = ""
        self.answer: Answer | None = None
        self.selected = 0
        self.note = ""
        self.window: Window | None = None
        self.letters = False
        self.chosen: dict[str, str] = {}
        self._before_preview = Focus.LIST
        self._history = History()

    @property
    def items(self) -> tuple[Item, ...]:
        """The list that stands."""
        return self.answer.items if self.answer else ()

    @property
    def item(self) -> Item | None:
        """The selected result; None without a list."""
        return self.items[self.selected] if self.items else None

    @property
    def marker_submit(self) -> int:
        """The submit number of the next frame's marker."""
        return self.submits + 1 if self.phase is Phase.TYPING else self.submits

    def press(self, key: Key | Paste | str) -> Wish:
        """Takes one key, text or paste."""
        self.note = ""
        if self.phase is Phase.DONE:
            self.phase = Phase.TYPING
        if isinstance(key, str):
            return self._text(key)
        if isinstance(key, Paste):
            return self._edit(lambda editor: editor.paste(key.text))
        return self._key(key)

    def _text(self, text: str) -> Wish:
        letter = command(text) if self.letters and self.focus is not Focus.LINE else ""
        if not letter:
            return self._edit(lambda editor: editor.insert(text))
        if letter in BACK_TO_LINE:
            return self._edit(Editor.delete_line if letter == "/" else Editor.end)
        if letter in RANKS:
            self.selected = min(RANKS.index(letter), len(self.items) - 1)
            return Wish.NOTHING
        return self._letter(LETTERS[letter], len(text))

    def _letter(self, key: Key, times: int) -> Wish:
        if key is Key.ESCAPE and self.focus is Focus.LIST and self.pane is Pane.USUAL:
            return Wish.NOTHING
        if key is Key.END_OF_FILE:
            return Wish.QUIT if self.focus is Focus.LIST and self.pane is Pane.USUAL else self._escape()
        wish = Wish.NOTHING
        for _ in range(times):
            wish = self._key(key)
        return wish

    def _key(self, key: Key) -> Wish:
        if key in _EDITS and (self.focus is Focus.LINE or key not in _LIST_MOVES):
            return self._edit(_EDITS[key])
        if self.window is not None and key in _LIST_MOVES:
            self.window = self.window.moved(key)
            return Wish.NOTHING
        return _COMMANDS[key](self) if key in _COMMANDS else self._move(key)

    def finish(self, answer: Answer) -> None:
        """Shows `answer` as the end of the search under way."""
        self.answer, self.selected = answer, 0
        self.phase, self.pane, self.window = Phase.DONE, Pane.USUAL, None
        if not answer.items:
            self.focus, self.letters = Focus.LINE, False
        elif self.focus in {Focus.DETAILS, Focus.PREVIEW}:
            self.focus = Focus.LIST

    def _edit(self, change: Callable[[Editor], None]) -> Wish:
        self.focus, self.letters = Focus.LINE, False
        change(self.editor)
        if self.editor.full:
            self.note = f"the query is full: {LONGEST} characters"
        return Wish.NOTHING

    def _enter(self) -> Wish:
        if self.focus is not Focus.LINE:
            opens = self.focus is not Focus.DETAILS or self.pane is Pane.KEYS
            return self._show(Pane.USUAL, Focus.DETAILS if opens else Focus.LIST)
        if not self.editor.text.strip():
            self.note = "type some words, then press Enter"
            return Wish.NOTHING
        self.submits += 1
        self.submitted = self.editor.text
        self.phase = Phase.BUSY
        self._history.add(self.editor.text)
        return Wish.SUBMIT

    def _move(self, key: Key) -> Wish:
        last = len(self.items) - 1
        if self.focus is Focus.LINE and (key is Key.UP or (key is Key.DOWN and self._history.walking)):
            return self._history_back() if key is Key.UP else self._history_forward()
        if last < 0 or self.focus is Focus.DETAILS or key not in _LIST_MOVES | {Key.TAB}:
            return Wish.NOTHING
        if self.focus is Focus.LINE:
            self.focus = Focus.LIST if key in {Key.DOWN, Key.TAB, Key.PAGE_DOWN} else Focus.LINE
        elif key is Key.UP and self.selected == 0 and self.focus is Focus.LIST and not self.letters:
            self.focus = Focus.LINE
        else:
            self.selected = min(max(self.selected + _STEPS.get(key, 0), 0), last)
        return Wish.NOTHING

    def _escape(self) -> Wish:
        if self.pane is Pane.KEYS:
            return self._show(Pane.USUAL, self.focus)
        if self.focus is Focus.PREVIEW:
            return self._show(Pane.USUAL, self._before_preview)
        if self.focus is Focus.DETAILS:
            return self._show(Pane.USUAL, Focus.LIST)
        self.letters = self.focus is Focus.LINE and bool(self.items)
        return self._show(Pane.USUAL, Focus.LIST if self.letters else Focus.LINE)

    def _back_tab(self) -> Wish:
        return Wish.NOTHING if self.focus is Focus.LINE else self._escape()

    def _help(self) -> Wish:
        return self._show(Pane.USUAL if self.pane is Pane.KEYS else Pane.KEYS, self.focus)

    def _show(self, pane: Pane, focus: Focus) -> Wish:
        self.pane, self.focus, self.window = pane, focus, None
        return Wish.NOTHING

    def _preview(self) -> Wish:
        if self.focus is Focus.PREVIEW and self.pane is Pane.USUAL:
            return self._escape()
        if not self.items:
            return self._about_item(Wish.NOTHING)
        if self.focus is not Focus.PREVIEW:
            self._before_preview = self.focus if self.focus is Focus.LINE else Focus.LIST
        return self._show(Pane.USUAL, Focus.PREVIEW)

    def _about_item(self, wish: Wish) -> Wish:
        if self.items:
            return wish
        why = (
            "this search has no result: change the query" if self.answer else "there is no result yet: type some words"
        )
        self.note = f"{why}, then press Enter"
        return Wish.NOTHING

    def _end_of_file(self) -> Wish:
        return self._edit(Editor.delete) if self.editor.text else Wish.QUIT

    def _history_back(self) -> Wish:
        return self._edit(lambda editor: editor.replace(self._history.back(editor.text)))

    def _history_forward(self) -> Wish:
        return self._edit(lambda editor: editor.replace(self._history.forward(editor.text)))


_EDITS: dict[Key, Callable[[Editor], None]] = {
    Key.LEFT: Editor.left, Key.RIGHT: Editor.right, Key.HOME: Editor.home, Key.END: Editor.end,
    Key.WORD_LEFT: Editor.word_left, Key.WORD_RIGHT: Editor.word_right,
    Key.BACKSPACE: Editor.backspace, Key.DELETE: Editor.delete,
    Key.DELETE_WORD_LEFT: Editor.delete_word_left, Key.DELETE_WORD_RIGHT: Editor.delete_word_right,
    Key.DELETE_BLANK_WORD: Editor.delete_blank_word, Key.DELETE_LINE: Editor.delete_line,
    Key.DELETE_TO_END: Editor.delete_to_end, Key.YANK: Editor.yank,
}  # fmt: skip
_STEPS = {Key.UP: -1, Key.DOWN: 1, Key.PAGE_UP: -10, Key.PAGE_DOWN: 10, Key.HOME: -10, Key.END: 10}
_LIST_MOVES = frozenset(_STEPS)
_COMMANDS: dict[Key, Callable[[Session], Wish]] = {
    Key.ENTER: Session._enter,
    Key.ESCAPE: Session._escape,
    Key.SHIFT_TAB: Session._back_tab,
    Key.HELP: Session._help,
    Key.PREVIEW: Session._preview,
    Key.OPEN: lambda session: session._about_item(Wish.OPEN),
    Key.COPY: lambda session: session._about_item(Wish.COPY),
    Key.CHOOSE: lambda session: session._about_item(Wish.CHOOSE),
    Key.HISTORY_BACK: Session._history_back,
    Key.HISTORY_FORWARD: Session._history_forward,
    Key.END_OF_FILE: Session._end_of_file,
    Key.REDRAW: lambda _: Wish.REDRAW,
    Key.SUSPEND: lambda _: Wish.SUSPEND,
    Key.QUIT: lambda _: Wish.INTERRUPT,
}
