"""The terminal annotator: one pair at a time, a key for each answer, every stroke kept before it is shown."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Static

from runner.adapters.half_blocks import half_blocks
from runner.adapters.sheets import described
from runner.errors import Interrupted
from runner.retrieval.annotation import Kind, Progress, Stroke
from runner.retrieval.items import Safety
from runner.retrieval.sheets import Sheet, SheetRow
from runner.terminal.shown import shown_form

GRADES = ("not useful", "related, not what was asked", "useful", "exactly what was asked")
CLASSES = {"s": Safety.SAFE, "n": Safety.SENSITIVE, "u": Safety.UNSAFE, "c": Safety.CRITICAL}
HELP = (
    "0 not useful   1 related, not what was asked   2 useful   3 exactly that\n"
    "s safe   n sensitive   u unsafe   c critical       t note   k skip   z undo\n"
    "left and right: look around   up and down: scroll   q quit: all is kept"
)
PICTURE = (40, 15)


class Annotator(App[None]):
    """Shows the pairs of a sheet and keeps what is said of them with `keep`; previews are looked for in `pictures`."""

    CSS = """
    #progress { height: 1; background: $primary-darken-2; color: $text; padding: 0 1; }
    #query { height: auto; max-height: 2; padding: 0 1; text-style: bold; }
    #marks { height: auto; max-height: 2; padding: 0 1; }
    #middle { height: 1fr; }
    #fields { width: 1fr; padding: 0 1; }
    #picture { width: 40; }
    #help { height: 3; padding: 0 1; color: $text-muted; }
    #note { display: none; }
    """
    AUTO_FOCUS = ""
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(grade), f"grade({grade})", words) for grade, words in enumerate(GRADES)),
        *(Binding(key, f"classify('{safety}')", safety) for key, safety in CLASSES.items()),
        Binding("t", "note", "note"),
        Binding("escape", "leave_note", "leave the note"),
        Binding("k", "skip", "skip"),
        Binding("z", "undo", "undo"),
        Binding("left", "look(-1)", "back"),
        Binding("right", "look(1)", "on"),
        Binding("up", "scroll(-1)", "up"),
        Binding("down", "scroll(1)", "down"),
        Binding("q", "quit", "quit"),
        Binding("ctrl+c", "stop", "stop", priority=True),
    ]

    def __init__(
        self,
        sheet: Sheet,
        progress: Progress,
        pictures: Path,
        *,
        keep: Callable[[Stroke], None],
        now: Callable[[], str],
    ) -> None:
        super().__init__()
        self._sheet = sheet
        self._progress = progress
        self._pictures = pictures
        self._keep = keep
        self._now = now
        self._position = progress.next_open(-1) or 0

    @property
    def row(self) -> SheetRow:
        """The pair on the screen."""
        return self._sheet.rows[self._position]

    def compose(self) -> ComposeResult:
        """Progress, query, marks, item and picture, keys."""
        yield Static(id="progress")
        yield Static(id="query")
        yield Static(id="marks")
        with Horizontal(id="middle"):
            with VerticalScroll(id="fields", can_focus=False):
                yield Static(id="item")
            yield Static(id="picture")
        yield Input(id="note", placeholder="note; Enter keeps it, Escape leaves it")
        yield Static(HELP, id="help", markup=False)

    def on_mount(self) -> None:
        """End tidily on every signal that ends a program, and show where the annotator stands."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, self.action_stop)
        self._show()

    def action_grade(self, grade: int) -> None:
        """Give a grade."""
        self._stroke(Kind.GRADE, grade=grade)

    def action_classify(self, safety: str) -> None:
        """Give a safety class."""
        self._stroke(Kind.SAFETY, safety=Safety(safety))

    def action_note(self) -> None:
        """Open the line for a note."""
        field = self.query_one("#note", Input)
        field.value = self._progress.mark(self.row.pair).note
        field.display = True
        field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the note."""
        self.action_leave_note()
        self._stroke(Kind.NOTE, note=event.value)

    def action_leave_note(self) -> None:
        """Close the line for a note."""
        self.set_focus(None)
        self.query_one("#note", Input).display = False

    def action_skip(self) -> None:
        """Put the pair off until the others are done."""
        self._stroke(Kind.SKIP)

    def action_undo(self) -> None:
        """Take back the last stroke that stands, of this sitting or an earlier one."""
        pair = self._progress.last
        if pair is not None:
            self._position = self._progress.pairs.index(pair)
            self._stroke(Kind.UNDO)

    def action_look(self, step: int) -> None:
        """Go to a neighbour, answered or not."""
        self._position = (self._position + step) % len(self._sheet.rows)
        self._show()

    def action_scroll(self, lines: int) -> None:
        """Move a long item up or down."""
        self.query_one("#fields").scroll_relative(y=lines, animate=False)

    def action_stop(self) -> None:
        """End as Ctrl-C does; nothing is lost."""
        self.exit(return_code=Interrupted.exit_status)

    def _stroke(
        self, kind: Kind, *, grade: int | None = None, safety: Safety | None = None, note: str | None = None
    ) -> None:
        before = self._progress.mark(self.row.pair)
        stroke = Stroke(at=self._now(), pair=self.row.pair, kind=kind, grade=grade, safety=safety, note=note)
        self._keep(stroke)
        self._progress.apply(stroke)
        after = self._progress.mark(self.row.pair)
        if kind is Kind.SKIP or (after.complete and not before.complete and kind is not Kind.UNDO):
            following = self._progress.next_open(self._position)
            self._position = self._position if following is None else following
        self._show()

    def _show(self) -> None:
        row, progress = self.row, self._progress
        total = len(self._sheet.rows)
        state = "all done" if progress.done == total else f"{progress.done} of {total} done"
        head = f"{state}   pair {self._position + 1}   {self._sheet.card.annotator}, {self._sheet.card.role}"
        self.query_one("#progress", Static).update(plain(head))
        self.query_one("#query", Static).update(plain(f"> {row.query}"))
        self.query_one("#marks", Static).update(self._marks())
        self.query_one("#item", Static).update(plain(described(row)))
        self.query_one("#picture", Static).update(self._picture())
        self.query_one("#fields").scroll_home(animate=False)

    def _marks(self) -> Text:
        mark = self._progress.mark(self.row.pair)
        grade = "-" if mark.grade is None else f"{mark.grade} {GRADES[mark.grade]}"
        note = f"   note: {mark.note}" if mark.note else ""
        skipped = "   skipped" if mark.skipped else ""
        return plain(f"grade: {grade}   class: {mark.safety or '-'}{skipped}{note}")

    def _picture(self) -> RenderableType:
        try:
            return half_blocks(self._pictures / self.row.preview, *PICTURE)
        except OSError:
            return plain(f"(no picture: {self.row.preview})")


def plain(text: str) -> Text:
    """Text from data, in which nothing can steer the terminal."""
    return Text("\n".join(shown_form(line) for line in text.split("\n")))
