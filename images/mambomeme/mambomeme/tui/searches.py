"""Searches under way: one in flight, the newest submit waiting behind it, a time limit on each."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from .alarms import Alarms
from .client import Client, EngineLostError
from .replies import Found, Item, Reply, Versions, Welcome
from .session import Answer

LIMIT_SECONDS = 10


class Submit(NamedTuple):
    """One press of the submit key."""

    number: int
    text: str
    accepted_ns: int


class Searches:
    """Hands each answer to `finished`, unless a newer submit has overtaken it; `greeted` is told of its hello.

    `versions` are those of the engine that was greeted last, and of a second one behind it.
    """

    def __init__(
        self, client: Client, alarms: Alarms, *, finished: Callable[[Answer], None], greeted: Callable[[], None]
    ) -> None:
        self._client = client
        self._alarms = alarms
        self._finished = finished
        self._greeted = greeted
        self._wanted: Submit | None = None
        self._sent: Submit | None = None
        self._in_flight: int | None = None
        self.trouble = ""
        self.versions: tuple[Versions, Versions] = ((), ())

    @property
    def waited(self) -> float:
        """Seconds since the newest submit that has no answer yet; 0 without one."""
        return (time.monotonic_ns() - self._wanted.accepted_ns) / 1e9 if self._wanted else 0.0

    def start(self) -> None:
        """Greets the engine; `trouble` says why where it cannot be reached."""
        try:
            self._client.connect()
        except EngineLostError as error:
            self.trouble = str(error)

    def submit(self, submit: Submit) -> None:
        """Asks for `submit`, at once or as soon as the search in flight has ended. Nothing finishes within it."""
        self._wanted = submit
        if self._in_flight is None:
            self._send()

    def receive(self) -> None:
        """Takes what the engine has sent."""
        try:
            replies = self._client.receive()
        except EngineLostError as error:
            self._lose(str(error))
            return
        for reply in replies:
            self._take(reply)

    def _send(self) -> None:
        assert self._wanted is not None
        self._sent = self._wanted
        try:
            self._in_flight = self._client.search(self._wanted.text)
        except EngineLostError as error:
            self.trouble = str(error)
            self._alarms.set(self._fail, 0)
        else:
            self._alarms.set(self._time_out, LIMIT_SECONDS)

    def _take(self, reply: Reply) -> None:
        if isinstance(reply, Welcome):
            self.trouble = ""
            self.versions = reply.versions, reply.other
            self._greeted()
        elif reply.request == self._in_flight and self._in_flight is not None:
            items, trouble = (reply.items, "") if isinstance(reply, Found) else ((), f"{reply.error}: {reply.message}")
            self._end(items, trouble)
        elif not isinstance(reply, Found):
            self._lose(f"{reply.error}: {reply.message}")

    def _lose(self, trouble: str) -> None:
        self._client.close()
        self.trouble = trouble
        if self._in_flight is not None:
            self._end((), trouble)
        else:
            self._greeted()

    def _time_out(self) -> None:
        self._lose(f"no answer from the engine after {LIMIT_SECONDS} s")

    def _fail(self) -> None:
        self._end((), self.trouble)

    def _end(self, items: tuple[Item, ...], trouble: str) -> None:
        self._in_flight = None
        self._alarms.cancel(self._time_out)
        self._alarms.cancel(self._fail)
        submit = self._wanted
        if submit is None:
            return
        if submit is not self._sent:
            self._send()
            return
        waited = self.waited
        self._wanted = None
        self._finished(Answer(submit.number, submit.text, items, trouble, waited * 1000))
