"""Serves lines over a Unix stream socket to several clients in one thread, none of them waiting for another."""

from __future__ import annotations

import selectors
import socket
import stat
from collections.abc import Callable
from pathlib import Path

from mambomeme.faults import StartError
from mambomeme.protocol import LINE, RequestError, refusal

_READ = 65_536
_BACKLOG = 16
_MOST_WAITING = 4 * LINE


class Conversation:
    """One client: bytes in, whole lines to `answer`, replies out. It is read from only while its replies are taken."""

    def __init__(self, client: socket.socket, answer: Callable[[bytes], bytes]) -> None:
        self.client = client
        self._answer = answer
        self._inbox = bytearray()
        self._outbox = bytearray()
        self._skipping = False
        self._ended = False

    def interest(self) -> int:
        """The events to wait for; none means that the conversation is over."""
        reading = selectors.EVENT_READ if not self._ended and len(self._outbox) <= _MOST_WAITING else 0
        return reading | (selectors.EVENT_WRITE if self._outbox else 0)

    def read(self) -> None:
        """Take what has come, and answer the lines that are complete."""
        data = self.client.recv(_READ)
        self._ended = not data
        self._inbox += data
        self._work()

    def write(self) -> None:
        """Send as much as the client takes, and go on with the lines that had to wait for it."""
        del self._outbox[: self.client.send(self._outbox)]
        self._work()

    def _work(self) -> None:
        while len(self._outbox) <= _MOST_WAITING:
            end = self._inbox.find(b"\n")
            if end < 0:
                break
            line = bytes(self._inbox[:end])
            del self._inbox[: end + 1]
            if not self._skipping:
                self._outbox += self._answer(line) if end < LINE else _too_large()
            self._skipping = False
        else:
            return
        if len(self._inbox) >= LINE:
            self._outbox += b"" if self._skipping else _too_large()
            self._skipping = True
            self._inbox.clear()


def _too_large() -> bytes:
    return refusal(RequestError(None, "too_large", f"a line may have {LINE} bytes"))


def listen(path: Path) -> socket.socket:
    """A listening socket at `path`; a socket left behind by an ended process is replaced, one in use is not."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.exists() and stat.S_ISSOCK(path.stat().st_mode) and not _answers(path):
            path.unlink()
        server.bind(str(path))
        server.listen(_BACKLOG)
    except OSError as error:
        server.close()
        raise StartError(f"{path}: cannot listen there ({error.strerror or error}). Set MAMBO_ENGINE_SOCKET.") from None
    server.setblocking(False)
    return server


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return False
    return True


def serve(server: socket.socket, greet: Callable[[], Callable[[bytes], bytes]]) -> None:
    """Serve until an exception ends it. `greet` gives a fresh answering function for each client."""
    with selectors.DefaultSelector() as selector:
        selector.register(server, selectors.EVENT_READ)
        try:
            while True:
                for key, events in selector.select():
                    if key.fileobj is server:
                        _accept(server, selector, greet())
                    else:
                        _step(key.data, events, selector)
        finally:
            for key in list(selector.get_map().values()):
                if isinstance(key.data, Conversation):
                    key.data.client.close()


def _accept(server: socket.socket, selector: selectors.BaseSelector, answer: Callable[[bytes], bytes]) -> None:
    try:
        client, _ = server.accept()
    except OSError:  # it has gone again, or too many are here
        return
    client.setblocking(False)
    selector.register(client, selectors.EVENT_READ, Conversation(client, answer))


def _step(conversation: Conversation, events: int, selector: selectors.BaseSelector) -> None:
    try:
        if events & selectors.EVENT_READ:
            conversation.read()
        conversation.write()
    except BlockingIOError:
        pass
    except OSError:
        _close(conversation, selector)
        return
    interest = conversation.interest()
    if interest:
        selector.modify(conversation.client, interest, conversation)
    else:
        _close(conversation, selector)


def _close(conversation: Conversation, selector: selectors.BaseSelector) -> None:
    selector.unregister(conversation.client)
    conversation.client.close()
