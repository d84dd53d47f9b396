"""A small engine that keeps protocol search-v1 and serves releases, but for the rule that it is told to break."""

import itertools
import json
import os
import socketserver
import threading
from pathlib import Path

from common import BROKEN, CONFIGURATION, SYSTEM, Catalogue, Refused, canonical, digest

LINE = 65_536
COUNT = itertools.count()
WRONG = {
    # The rule, and the code that is sent in place of the right one.
    "not-json": ("not JSON", "internal"),
    "byte-order-mark": ("mark", "internal"),
    "not-a-number": ("constant", "internal"),
    "deep-nesting": ("depth", "internal"),
    "not-utf8": ("UTF-8", "internal"),
}
LOADED = {}


class Fault(Exception):
    """A request that gets an error reply."""

    def __init__(self, number, code, why="see the contract"):
        super().__init__(why)
        self.number, self.code = number, code


def refuse(_):
    raise Fault(None, "bad_request", "constant")


def parse(line):
    """The request in a line."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise Fault(None, "bad_request", "UTF-8") from None
    if text.startswith("\ufeff"):
        raise Fault(None, "bad_request", "mark")
    try:
        asked = json.loads(text, parse_constant=refuse)
    except ValueError:
        raise Fault(None, "bad_request", "not JSON") from None
    except RecursionError:
        raise Fault(None, "bad_request", "depth") from None
    if not isinstance(asked, dict):
        raise Fault(None, "bad_request")
    if type(asked.get("id")) is not int:
        raise Fault(None, "bad_request" if BROKEN != "wrong-types" else "internal")
    if not isinstance(asked.get("op"), str):
        raise Fault(asked["id"], "bad_request")
    return asked


def current():
    """The catalogue that a new connection is served from."""
    releases = os.environ.get("MAMBO_RELEASES")
    path = Path(releases or "/nowhere", "history")
    if not path.exists():
        return LOADED.setdefault("", Catalogue.of_corpus())
    name = path.read_text().splitlines()[-1]
    if BROKEN == "engine-lives" and len(LOADED) == 3:
        os._exit(1)
    if name not in LOADED:
        LOADED[name] = Catalogue.of_release(Path(releases, name))
    return LOADED[name]


class Client(socketserver.StreamRequestHandler):
    """One connection."""

    known = None

    def handle(self):
        while line := self.line():
            fault = None if line.endswith(b"\n") else Fault(None, "too_large")
            while not line.endswith(b"\n") and (line := self.rfile.readline(LINE)):
                pass
            try:
                self.answer(fault, line)
            except BrokenPipeError:
                return

    def line(self):
        """The next line, as far as it is not too long."""
        if BROKEN == "half-line":
            there = self.rfile.peek(100)
            if 0 < len(there) < 100 and b"\n" not in there:
                return self.rfile.read(len(there)) + b"\n"
        return self.rfile.readline(LINE if BROKEN != "too-large" else -1)

    def answer(self, fault, line):
        try:
            if fault:
                raise fault
            asked = parse(line)
            reply = {"id": asked["id"], "status": "ok", **self.served(asked)}
        except Fault as found:
            fault = found
            code = found.code
            if BROKEN in WRONG and WRONG[BROKEN][0] == str(found):
                code = WRONG[BROKEN][1]
            reply = {"id": found.number, "status": "error", "error": code, "message": str(found)}
            if BROKEN == "error-reply":
                reply["message"] = ""
        if BROKEN == "lives-on-beside" and fault and fault.code == "unknown_op":
            self.wfile.write(canonical(reply) + b"\n")
            os._exit(1)
        if BROKEN == "ids" and fault is None and "items" in reply and reply["id"] == 2**53 - 1:
            reply["id"] = float(reply["id"])
        if BROKEN == "reply-line" and reply["id"] == 6:
            reply["more"] = "x" * LINE
        self.wfile.write(canonical(reply) + b"\n")
        if BROKEN == "lives-on" and fault and fault.code == "unknown_op":
            self.connection.close()
            raise BrokenPipeError

    def served(self, asked):
        """The rest of a good reply."""
        number, op = asked["id"], asked["op"]
        if op == "hello":
            return self.hello(number, asked.get("protocol"))
        if op != "search":
            raise Fault(number, "unknown_op" if BROKEN != "unknown-op" else "bad_request")
        if self.known is None:
            if BROKEN != "out-of-order":
                raise Fault(number, "out_of_order")
            self.known = current()
        text, limit = asked.get("text"), asked.get("limit")
        if not isinstance(text, str) or not text.strip() or type(limit) is not int:
            raise Fault(number, "bad_request")
        if not 1 <= limit <= 10:
            raise Fault(number, "bad_request" if BROKEN != "limit-range" else "internal")
        known = current() if BROKEN == "old-connections" else self.known
        found = known.search(text, limit if BROKEN != "item-count" else 10)
        if BROKEN == "search":
            found = [{**item, "routes": []} for item in found]
        return {"items": found}

    def hello(self, number, protocol):
        if not isinstance(protocol, str):
            raise Fault(number, "bad_request")
        if protocol != "search-v1" and not (BROKEN == "other-protocol" and protocol.startswith("search-v")):
            raise Fault(number, "protocol")
        try:
            self.known = current()
        except Refused:
            raise Fault(number, "internal") from None
        names = {key: SYSTEM[key] for key in ("version", "protocol", "interface")} | {"system": SYSTEM["name"]}
        names |= {**self.known.versions, "configuration": digest(canonical(CONFIGURATION))}
        if BROKEN == "publish":
            names["corpus"] = LOADED.setdefault("", Catalogue.of_corpus()).versions["corpus"]
        if BROKEN == "hello-names":
            del names["version"]
        if BROKEN == "hello-values":
            names["configuration"] = digest(b"")
        if BROKEN == "hello-steady":
            names["index"] = digest(str(next(COUNT)).encode())
        return names


class Server(socketserver.ThreadingUnixStreamServer):
    """Serves each connection in a thread."""

    daemon_threads = True
    request_queue_size = 64


class FourAtOnce(Server):
    """Lets a fifth connection wait."""

    places = threading.Semaphore(4)

    def process_request_thread(self, request, client_address):
        with self.places:
            super().process_request_thread(request, client_address)


if __name__ == "__main__":
    server = FourAtOnce if BROKEN == "connections" else Server
    server(os.environ["MAMBO_ENGINE_SOCKET"], Client).serve_forever()
