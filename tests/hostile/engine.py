"""A tiny search engine that keeps protocol search-v1, for the driver's tests."""

import json
import os
import socketserver
from pathlib import Path


def items():
    """The corpus, as (doc_id, title)."""
    lines = Path(os.environ["MAMBO_CORPUS"], "items.jsonl").read_text(encoding="utf-8").splitlines()
    return [(item["doc_id"], item["title"]) for item in map(json.loads, lines)]


def search(text, limit):
    """Items whose title shares a word with the text, most shared words first."""
    words = set(text.lower().split())
    scored = [(-len(words & set(title.lower().split())), doc_id, title) for doc_id, title in items()]
    found = [entry for entry in sorted(scored) if entry[0]][:limit]
    return [{"doc_id": doc_id, "title": title, "routes": ["lexical"]} for _, doc_id, title in found]


def answer(request):
    """The reply to one request."""
    if request["op"] == "hello":
        return {"id": request["id"], "status": "ok", "protocol": "search-v1", "interface": "list-80x24-v1"}
    return {"id": request["id"], "status": "ok", "items": search(request["text"], request["limit"])}


class Handler(socketserver.StreamRequestHandler):
    """One connection."""

    answer = staticmethod(answer)

    def handle(self):
        for line in self.rfile:
            reply = json.dumps(self.answer(json.loads(line)), ensure_ascii=False)
            self.wfile.write(reply.encode() + b"\n")


class Server(socketserver.ThreadingUnixStreamServer):
    """Serves each connection in a thread."""

    daemon_threads = True


def serve(handler=Handler):
    """Listen until killed."""
    Server(os.environ["MAMBO_ENGINE_SOCKET"], handler).serve_forever()


if __name__ == "__main__":
    serve()
