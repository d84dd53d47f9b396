"""The one loop: waits for keys, replies, signals and times, and draws a frame for what they changed."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterable
from typing import NamedTuple

from .alarms import Alarms
from .client import Client
from .deeds import Deeds
from .events import Events
from .frames import Frames, Mark
from .graphics import QUESTIONS
from .keys import Key, KeyReader, Paste, Report
from .layout import LIST_TOP
from .opener import Opener
from .preview import Canvas
from .records import Records
from .screen import View, paint
from .searches import Searches, Submit
from .session import Answer, Focus, Phase, Session, Wish
from .style import Style
from .terminal import Terminal

ESCAPE_SECONDS = 0.05
GREETING_SECONDS = 0.25
BUSY_SECONDS = 0.03
TICK_SECONDS = 0.12
_ENDINGS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}


class ToldToFailError(Exception):
    """SIGUSR1 asks for a fault inside, so that restoration after one can be tried."""


class Wiring(NamedTuple):
    """What the loop is connected to. `wakeup` yields signal numbers, `lifeline` ends with the supervisor."""

    terminal: Terminal
    client: Client
    events: Events
    style: Style
    canvas: Canvas
    opener: Opener
    records: Records
    wakeup: int
    lifeline: int


class Loop:
    """Runs one session on one terminal until it ends with an exit status."""

    def __init__(self, wiring: Wiring, session: Session) -> None:
        self._terminal, self._client, self._events, self._style, self._canvas, *others = wiring
        opener, self._records, self._wakeup, self._lifeline = others
        self._session, self._keys, self._alarms = session, KeyReader(), Alarms()
        self._deeds = Deeds(session, self._terminal.write, opener, self._canvas.corpus)
        self._searches = Searches(self._client, self._alarms, finished=self._finish, greeted=self._greet)
        self._frames = Frames(self._terminal.write)
        self._layout = self._terminal.layout()
        self._poll = select.poll()
        for descriptor in (self._terminal.fileno(), self._wakeup, self._lifeline):
            self._poll.register(descriptor, select.POLLIN)
        self._engine = -1
        self._status: int | None = None
        self._asked_terminal = False
        self._previewed: tuple[Answer | None, int] | None = None

    def run(self) -> int:
        """The exit status, once the user or a signal ends it; TerminalGoneError where the terminal ends first."""
        self._searches.start()
        self._alarms.set(self._draw, 0 if self._searches.trouble else GREETING_SECONDS)
        while self._status is None:
            self._watch_engine()
            for descriptor, _ in self._poll.poll(self._alarms.wait_ms()):
                self._serve(descriptor)
            self._alarms.run_due()
        self._records.end()
        return self._status

    def _watch_engine(self) -> None:
        descriptor = self._client.fileno()
        if descriptor != self._engine:
            if self._engine >= 0:
                self._poll.unregister(self._engine)
            if descriptor >= 0:
                self._poll.register(descriptor, select.POLLIN)
            self._engine = descriptor

    def _serve(self, descriptor: int) -> None:
        if descriptor == self._terminal.fileno():
            self._take_keys(self._keys.feed(self._terminal.read()))
            if self._keys.waiting:
                self._alarms.set(self._give_up_sequence, ESCAPE_SECONDS)
            else:
                self._alarms.cancel(self._give_up_sequence)
        elif descriptor == self._engine:
            self._searches.receive()
        elif descriptor == self._wakeup:
            for number in os.read(self._wakeup, 64):
                self._take_signal(number)
        else:
            self._status = 128 + signal.SIGHUP

    def _take_keys(self, keys: Iterable[Key | Paste | Report | str]) -> None:
        wish = None
        for key in keys:
            if isinstance(key, Report):
                self._take_report(key)
                continue
            wish = self._session.press(key)
            if wish is not Wish.NOTHING:
                self._grant(wish)
            if self._status is not None:
                return
        # Right after a submit the next frame is the answer's, or the busy one where that takes its time.
        if wish is not None and wish is not Wish.SUBMIT:
            self._draw()
            self._look_at_preview()

    def _look_at_preview(self) -> None:
        """Right after a preview was drawn: tells of it, and asks the terminal once what pictures it can show."""
        session = self._session
        seen = (session.answer, session.selected) if session.focus is Focus.PREVIEW else None
        if seen and seen != self._previewed and session.item:
            self._records.act("preview", session.item, session.selected + 1)
            if not self._asked_terminal:
                self._asked_terminal = True
                self._terminal.write(QUESTIONS)
        self._previewed = seen

    def _take_report(self, report: Report) -> None:
        before = self._canvas.ability
        self._canvas = self._canvas._replace(ability=before.told(report.text))
        if self._session.focus is Focus.PREVIEW and not self._canvas.ability.draws_like(before):
            self._draw()

    def _give_up_sequence(self) -> None:
        self._take_keys([self._keys.give_up()])

    def _grant(self, wish: Wish) -> None:
        if wish is Wish.SUBMIT:
            self._submit()
        elif wish is Wish.REDRAW:
            self._frames.forget()
        elif wish is Wish.SUSPEND:
            self._suspend()
        elif wish in self._deeds and self._session.item:
            done = self._deeds.do(wish, self._session.item)
            self._records.act(done, self._session.item, self._session.selected + 1)
        else:
            self._status = 0 if wish is Wish.QUIT else 128 + signal.SIGINT

    def _submit(self) -> None:
        accepted_ns = time.monotonic_ns()
        number = self._session.submits
        self._records.submit(self._session.submitted)
        self._searches.submit(Submit(number, self._session.submitted, accepted_ns))
        self._events.tell("accept", number, accepted_ns)
        self._alarms.set(self._tick, BUSY_SECONDS)

    def _finish(self, answer: Answer) -> None:
        self._alarms.cancel(self._tick)
        self._session.finish(answer)
        self._draw()
        self._events.tell("drawn", answer.submit, time.monotonic_ns())
        self._records.render(answer, self._searches.versions, self._layout)

    def _greet(self) -> None:
        if self._session.answer is None and self._session.phase is Phase.TYPING:
            self._draw()

    def _tick(self) -> None:
        self._draw()
        self._alarms.set(self._tick, TICK_SECONDS)

    def _take_signal(self, number: int) -> None:
        if number == signal.SIGWINCH:
            self._resize()
        elif number == signal.SIGTSTP:
            self._suspend()
            self._draw()
        elif number == signal.SIGCONT:
            self._terminal.resume()
            self._redraw()
        elif number == signal.SIGUSR1:
            raise ToldToFailError("SIGUSR1 asked for a fault inside")
        elif number in _ENDINGS:
            self._status = 128 + number

    def _suspend(self) -> None:
        self._terminal.leave()
        handlers = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTSTP, signal.SIGCONT)}
        os.kill(0, signal.SIGTSTP)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        self._terminal.enter()
        self._layout = self._terminal.layout()
        self._frames.forget()

    def _resize(self) -> None:
        layout = self._terminal.layout()
        if layout != self._layout:
            self._layout = layout
            self._redraw()

    def _redraw(self) -> None:
        self._frames.forget()
        self._draw()

    def _draw(self) -> None:
        self._alarms.cancel(self._draw)
        session, layout = self._session, self._layout
        trouble = self._searches.trouble if session.answer is None else ""
        view = View(self._searches.waited, trouble, self._canvas, self._records.sign)
        picture = paint(session, layout, self._style, view)
        anyway = (*range(LIST_TOP, LIST_TOP + layout.list_rows), layout.status) if session.phase is Phase.DONE else ()
        session.window = picture.window
        self._frames.draw(picture, Mark(session.marker_submit, session.phase), anyway)
