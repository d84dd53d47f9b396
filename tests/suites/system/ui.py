"""A small UI of interface list-80x24-v1 that is drawn by a child and repaired by its parent, but for what it breaks."""

import json
import os
import signal
import socket
import sys
import termios
import time
import tty

BROKEN = json.loads(os.environ["MAMBO_CONFIGURATION"]).get("break", "")
#: What a mode is switched on and off by, by the rule that says that it is off at the end.
MODES = {
    "alternate-screen": ("\x1b[?1049h", "\x1b[?1049l"),
    "cursor": ("\x1b[?25l", "\x1b[?25h"),
    "colours": ("\x1b[31m", "\x1b[0m"),
    "bracketed-paste": ("\x1b[?2004h", "\x1b[?2004l"),
    "mouse": ("\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"),
    "focus-reports": ("\x1b[?1004h", "\x1b[?1004l"),
    "keyboard-protocol": ("\x1b[?1h", "\x1b[?1l"),
    "line-wrap": ("\x1b[?7l", "\x1b[?7h"),
    "synchronized-output": ("", "\x1b[?2026l"),
}
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


class Ended(Exception):
    """The session is over."""


class Fault(Exception):
    """One was asked for."""


def end(number, _frame):
    raise Ended(STATUS[number] if f"exit-{signal.Signals(number).name.lower()}" != BROKEN else 0)


def fail(*_):
    raise Fault("asked for")


def restore(before):
    """Put the terminal back."""
    text = "\x18\x1b\\" if BROKEN != "plain-text" else "\x18\x1b\\\x1b(0"
    text += "".join(off for name, (_, off) in reversed(MODES.items()) if name != BROKEN)
    if BROKEN == "synchronized-output":
        text += "\x1b[?2026h"
    if BROKEN == "colours":
        text += "\x1b[31m"
    if BROKEN == "earlier-screen":
        text += "\x1b[2J"
    os.write(1, text.encode())
    if BROKEN != "line-discipline":
        termios.tcsetattr(0, termios.TCSANOW, before)


class Ui:
    """Keys in, frames out."""

    submit, frame, text, items, status = 1, 0, "", [], ""

    def ask(self, **request):
        self.engine.write(json.dumps(request).encode() + b"\n")
        return json.loads(self.engine.readline())

    def search(self):
        self.items = self.ask(op="search", id=self.submit, text=self.text, limit=10)["items"]
        counted = {0: "no results", 1: "1 result"}.get(len(self.items), f"{len(self.items)} results")
        self.status = f"#{self.submit} {counted}"
        self.draw("done")
        self.submit += 1

    def draw(self, state):
        self.frame += 1
        lines = [
            f"\x1b[{rank + 2};1H {rank:>3} {item['doc_id']:<16} {item['title']}"
            for rank, item in enumerate(self.items, 1)
        ]
        picture = f"\x1b[2J{''.join(lines)}\x1b[24;1H{self.status}\x1b[1;1H> {self.text}"
        mark = f"\x1b]7777;mambo;submit={self.submit};frame={self.frame};state={state}\x1b\\"
        os.write(1, f"\x1b[?2026h{picture}\x1b[?2026l{mark}".encode())

    def take(self, keys):
        for key in keys:
            if key == "\x03":
                raise Ended(130 if BROKEN != "exit-ctrl-c" else 0)
            if key == "\x04" and not self.text:
                raise Ended(0 if BROKEN != "exit-quit" else 1)
            if key == "\r":
                self.search()
            elif key == "\x15":
                self.text = ""
            elif key >= " ":
                self.text += key
        if not keys.endswith("\r"):
            self.draw("typing")

    def run(self):
        link = socket.socket(socket.AF_UNIX)
        link.connect(os.environ["MAMBO_SOCKET"])
        self.engine = link.makefile("rwb", buffering=0)
        self.ask(op="hello", id=0, protocol="search-v1")
        self.draw("typing")
        while keys := os.read(0, 65_536).decode():
            self.take(keys)


def draw(before):
    """The child; its exit status."""
    try:
        for number in STATUS:
            signal.signal(number, end)
        signal.signal(signal.SIGUSR1, fail)
        tty.setraw(0, termios.TCSANOW)
        os.write(1, "".join(on for on, _ in MODES.values()).encode())
        Ui().run()
    except Ended as ended:
        return ended.args[0]
    except Fault as fault:
        restore(before)
        print(f"small: {fault}", end="\r\n", flush=True)
        return 1 if BROKEN != "exit-exception" else 0
    finally:
        restore(before)
    return 0


def main():
    before = termios.tcgetattr(0)
    if BROKEN == "no-supervisor":
        return draw(before)
    child = os.fork()
    if child == 0:
        os._exit(draw(before))
    for number in (*STATUS, signal.SIGUSR1):
        signal.signal(number, lambda number, _: os.kill(child, number))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        restore(before)
        return 128 - code if BROKEN != "exit-sigkill" else 1
    if BROKEN == "hangs":
        time.sleep(600)
    return code


if __name__ == "__main__":
    sys.exit(main())
