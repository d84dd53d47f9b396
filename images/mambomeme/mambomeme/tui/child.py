"""The process that owns the terminal: from its start to its exit status, with everything put back in between."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import traceback
from typing import Any, NamedTuple

from .client import Client
from .events import Events
from .graphics import Ability
from .halfblocks import Palette
from .loop import Loop, Wiring
from .opener import Opener
from .preview import Canvas
from .records import Asked, Records
from .session import Session
from .shown import one_line
from .style import make_style
from .terminal import Terminal, TerminalGoneError

SIGNALS = (
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGWINCH, signal.SIGTSTP,
    signal.SIGCONT,
)  # fmt: skip
FAULT_STATUS = 1


class Settings(NamedTuple):
    """What the environment says."""

    engine: str
    events: str | None
    corpus: str
    no_color: bool
    palette: Palette
    opener: str
    asked: Asked
    name: str


def run_child(settings: Settings, taken: Any, lifeline: int) -> int:
    """The exit status of one session; nothing of it is left on the terminal."""
    wakeup = _catch_signals()
    terminal, records = Terminal(taken), Records(settings.asked)
    session = Session(settings.name)
    fault = ""
    try:
        terminal.enter()
        client, events, style = Client(settings.engine), Events(settings.events), make_style(settings.no_color)
        canvas, opener = Canvas(settings.corpus, settings.palette, Ability()), Opener(settings.opener)
        loop = Loop(Wiring(terminal, client, events, style, canvas, opener, records, wakeup, lifeline), session)
        gc.freeze()
        status = loop.run()
    except TerminalGoneError:
        status = 128 + signal.SIGHUP
    except Exception as error:  # whatever it is: the terminal first, then the word about it
        status, fault = FAULT_STATUS, _describe(error)
    finally:
        terminal.leave()
        records.close()
    for doc_id, title in session.chosen.items():
        _say(1, f"{one_line(doc_id)}  {one_line(title)}\n")
    _say(2, fault)
    return status


def _say(descriptor: int, words: str) -> None:
    """After the terminal is as it was; one that is gone hears nothing."""
    with contextlib.suppress(OSError):
        os.write(descriptor, words.encode("utf-8", "replace"))


def _catch_signals() -> int:
    read_end, write_end = os.pipe()
    for descriptor in (read_end, write_end):
        os.set_blocking(descriptor, False)
    for number in SIGNALS:
        signal.signal(number, _noted)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    return read_end


def _noted(_number: int, _frame: object) -> None:
    """The wakeup descriptor has it already."""


def _describe(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"
    return f"mambomeme: the screen failed inside ({place}): {type(error).__name__}: {error}.\n"
