"""A socket in front of the Docker engine's, which can be cut."""

import os
import socket
import threading
from contextlib import suppress

PATIENCE = 60


class Relay:
    """Passes bytes both ways until it is cut; from then on nobody is heard."""

    def __init__(self, path):
        self.path = path
        self._target = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://")
        self._open, self._threads = [], []
        self._words, self._seen = None, threading.Event()

    def __enter__(self):
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.path))
        self._listening.listen()
        self._start(self._accept)
        return self

    def __exit__(self, *_):
        self.cut()
        for thread in self._threads:
            thread.join(PATIENCE)

    def wait_for(self, words):
        """Wait until the engine has said `words`."""
        self._words = words
        assert self._seen.wait(PATIENCE)

    def cut(self):
        """Close all connections, and take no more."""
        for each in [self._listening, *self._open]:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self.path.unlink(missing_ok=True)

    def _start(self, target, *arguments):
        self._threads.append(threading.Thread(target=target, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                engine = socket.socket(socket.AF_UNIX)
                engine.connect(self._target)
                self._open += [client, engine]
                self._start(self._pass, client, engine)
                self._start(self._pass, engine, client)

    def _pass(self, source, to):
        with suppress(OSError):
            while data := source.recv(65_536):
                if self._words and self._words in data:
                    self._seen.set()
                to.sendall(data)
            to.shutdown(socket.SHUT_WR)
