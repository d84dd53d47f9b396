"""Records raw logs for tests: what a driver would write about a UI that is told what to do."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

from runner.provenance.chain import seal
from runner.terminal.rawlog import RawFile
from runner.terminal.rawlog_reader import parse_file

MS = 1_000_000
TITLES = {f"m{n:03}": f"Title number {n}" for n in range(1, 31)}
START = "0" * 64


def list_screen(query: str, ids: Sequence[str], status: str, titles: dict[str, str] | None = None) -> bytes:
    """The drawing of a whole screen."""
    known = TITLES if titles is None else titles
    rows = [f"\x1b[2J\x1b[1;1H> {query}"]
    for rank, doc_id in enumerate(ids, 1):
        rows.append(f"\x1b[{rank + 2};1H {rank:>3} {doc_id:<16} {known.get(doc_id, 'unknown')}")
    return "".join([*rows, f"\x1b[24;1H{status}"]).encode()


def frame(drawing: bytes, submit: int, number: int, state: str) -> bytes:
    """A frame as the contract has it: one update, then its marker."""
    marker = f"\x1b]7777;mambo;submit={submit};frame={number};state={state}\x1b\\".encode()
    return b"\x1b[?2026h" + drawing + b"\x1b[?2026l" + marker


class Tape:
    """One file of a raw log in the making; times are given in nanoseconds from its start."""

    def __init__(
        self, block: int | str = 1, *, system: str = "bm25", start: int = 10**15, previous: str = START
    ) -> None:
        self.now = start
        self.head = previous
        self.block = block
        self.lines: list[bytes] = []
        self.submit = 0
        self.frame = 0
        self.requests = 0
        self.request = 0
        self.write("open", block=block, system=system)

    def write(self, kind: str, *, after: int = 1000, t: int | None = None, **fields: object) -> int:
        self.now = self.now + after if t is None else t
        line, self.head = seal(self.head, {"t": self.now, "e": kind, **fields})
        self.lines.append(line)
        return self.now

    def data(self, kind: str, data: bytes, *, after: int = 1000, **fields: object) -> int:
        return self.write(kind, after=after, **fields, b64=base64.b64encode(data).decode())

    def spawn(self, process: int = 1) -> None:
        self.write("spawn", role="ui", process=process, pid=7)
        self.submit, self.frame = 0, 0
        self.out(frame(b"\x1b[?1049h\x1b[?7l", 1, self.next_frame(), "typing"))

    def next_frame(self) -> int:
        self.frame += 1
        return self.frame

    def begin(self, query_id: str, text: str, *, held: bool = False, phase: str = "measured") -> None:
        self.submit += 1
        self.request += 1
        self.requests += 1
        self.write(
            "begin", request=self.request, query_id=query_id, text=text, submit=self.submit, held=held, phase=phase
        )

    def type(self, text: str) -> None:
        self.data("in", b"\x15", what="clear")
        self.data("in", text.encode(), what="text")
        self.out(frame(f"\x1b[1;1H\x1b[2K> {text}".encode(), self.submit, self.next_frame(), "typing"))
        self.write("shown", submit=self.submit)

    def key(self, after: int = 1000) -> int:
        return self.data("in", b"\r", after=after, what="submit")

    def out(self, data: bytes, after: int = 1000) -> int:
        return self.data("out", data, after=after)

    def accept(self, ns: int) -> None:
        self.write("event", name="accept", submit=self.submit, ns=ns)

    def ask(self, text: str, *, number: int | None = None, conn: int = 1, op: str = "search") -> None:
        request = {"op": op, "id": number or self.request + 1, "text": text, "limit": 10}
        self.data("req", json.dumps(request).encode() + b"\n", conn=conn)

    def reply(self, ids: Sequence[str], *, number: int | None = None, conn: int = 1, after: int = 1000) -> None:
        items = [{"doc_id": i, "title": TITLES.get(i, "unknown"), "routes": ["lexical"]} for i in ids]
        self.answer({"id": number or self.request + 1, "status": "ok", "items": items}, conn=conn, after=after)

    def answer(self, reply: object, *, conn: int = 1, after: int = 1000) -> None:
        self.data("rep", json.dumps(reply).encode() + b"\n", after=after, conn=conn)

    def draw(self, query: str, ids: Sequence[str], status: str | None = None, *, after: int = 1000) -> None:
        """A done frame in one read, and the driver's note of it."""
        words = status or {0: "no results", 1: "1 result"}.get(len(ids), f"{len(ids)} results")
        drawing = list_screen(query, ids, f"#{self.submit} {words}")
        t = self.out(frame(drawing, self.submit, self.next_frame(), "done"), after=after)
        self.done(t)

    def done(self, t: int) -> None:
        self.write("done", t=t, submit=self.submit, frame=self.frame)

    def finish(self, result: str = "done", *, late: bool = False, cut: bool = False, after: int = 1000) -> None:
        self.write("finish", after=after, result=result, late=late, cut=cut)

    def search(self, query_id: str, text: str, ids: Sequence[str], *, phase: str = "measured") -> None:
        """A request without fault: asked 1 µs after the key, replied 1 ms later, drawn 1 ms later still."""
        self.begin(query_id, text, phase=phase)
        self.type(text)
        self.accept(self.key() + 500)
        self.ask(text)
        self.reply(ids, after=MS)
        self.draw(text, ids, after=MS)
        self.finish()

    def key_after(self, ns: int) -> None:
        """Finish the request, and press the next request's first key `ns` after the done frame."""
        done = self.now
        self.finish()
        self.begin("q2", "y")
        self.data("in", b"\x15", after=done + ns - self.now, what="clear")
        self.finish("timeout")

    def close(self) -> bytes:
        self.write("close", requests=self.requests)
        return b"".join(self.lines)

    def file(self) -> RawFile:
        return parse_file(self.close(), f"raw/block-{self.block:03}.jsonl")
