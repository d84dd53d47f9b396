"""A small UI that keeps interface list-80x24-v1 to the letter; the hostile ones are made from it."""

import json
import os
import socket
import sys
import termios
import time
import tty
import unicodedata


def title_form(title):
    """The shown form of a title, cut to what fits even where each character is two columns wide."""
    drawn = "".join(map(safe, unicodedata.normalize("NFC", title)))
    return drawn if len(drawn) <= 28 else drawn[:27] + "…"


def safe(character):
    """A character, or what stands for it where it would steer the terminal."""
    code, category = ord(character), unicodedata.category(character)
    if code < 0x20 or code == 0x7F:
        return chr(0x2421 if code == 0x7F else 0x2400 + code)
    if category in {"Zl", "Zp"}:
        return " "
    return "\ufffd" if category in {"Cc", "Cf", "Cs"} and character != "\u200d" else character


class Ui:
    """Keys in, frames out; each `on_…` is a place where a hostile UI misbehaves."""

    def __init__(self):
        self.submit, self.frame, self.text, self.items, self.status = 1, 0, "", [], ""
        self.request = 0
        self.stream = None

    def on_start(self):
        """Before the first frame."""

    def on_text(self):
        """The query line has changed and was drawn."""

    def on_enter(self):
        """The submit key was taken; nothing was asked yet."""

    def on_done(self):
        """The done frame was drawn."""

    def ask(self, operation, **fields):
        """One request to the engine and its reply."""
        if self.stream is None:
            connected = socket.socket(socket.AF_UNIX)
            connected.connect(os.environ["MAMBO_SOCKET"])
            self.stream = connected.makefile("rwb", buffering=0)
        self.request += 1
        self.stream.write(json.dumps({"op": operation, "id": self.request, **fields}).encode() + b"\n")
        line = self.stream.readline()
        if not line:
            self.stream = None
            raise ConnectionError("engine gone")
        return json.loads(line)

    def tell(self, event):
        """Report to the events socket."""
        told = json.dumps({"event": event, "submit": self.submit, "ns": time.monotonic_ns()})
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as events:
            events.sendto(told.encode(), os.environ["MAMBO_EVENTS"])

    def rows(self):
        """What the list shows, as (doc_id, title)."""
        return [(item["doc_id"], item["title"]) for item in self.items]

    def drawing(self):
        """The whole screen."""
        shown = self.text if len(self.text) <= 76 else "…" + self.text[-75:]
        lines = [f"\x1b[2J\x1b[1;1H> {shown}"]
        for rank, (doc_id, title) in enumerate(self.rows(), 1):
            lines.append(f"\x1b[{rank + 2};1H {rank:>3} {doc_id:<16} {title_form(title)}")
        lines.append(f"\x1b[24;1H{self.status}")
        return "".join(lines)

    def draw(self, state):
        """One frame in one write."""
        self.frame += 1
        mark = f"\x1b]7777;mambo;submit={self.submit};frame={self.frame};state={state}\x1b\\"
        self.put(f"\x1b[?2026h{self.drawing()}\x1b[?2026l{mark}".encode())

    def put(self, data):
        """Write all of it to the terminal."""
        while data:
            data = data[os.write(1, data) :]

    def search(self):
        """Submit what stands in the query line."""
        self.tell("accept")
        self.on_enter()
        try:
            self.items = self.ask("search", text=self.text, limit=10)["items"]
            outcome = {0: "no results", 1: "1 result"}.get(len(self.items), f"{len(self.items)} results")
        except OSError as error:
            self.items, outcome = [], f"error: {error}"
        self.status = f"#{self.submit} {outcome}"
        self.draw("done")
        self.tell("drawn")
        self.on_done()
        self.submit += 1

    def take(self, keys):
        """Obey a write of the terminal."""
        for key in keys:
            if key == "\x03":
                sys.exit(0)
            if key == "\r":
                self.search()
                return
            self.text = "" if key == "\x15" else self.text + key
        self.draw("typing")
        self.on_text()

    def run(self):
        """Until Ctrl-C."""
        tty.setraw(0, termios.TCSANOW)
        self.on_start()
        self.ask("hello", protocol="search-v1")
        self.draw("typing")
        while keys := os.read(0, 65536).decode():
            self.take(keys)


if __name__ == "__main__":
    Ui().run()
