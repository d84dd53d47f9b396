"""A result in memory with recordings: one system, one block, some requests of which are bad in a known way."""

from __future__ import annotations

from typing import NamedTuple

from runner.documents import to_lines
from runner.retrieval.corpora import Corpus
from runner.retrieval.partitions import Partition
from runner.retrieval.runs import Observation
from runner.terminal.shown import shown_form
from runner.workflows.casts import casts
from runner.workflows.observe import Bounds, observe
from runner.workflows.review.facts import Ground
from tests.report.pages import MARKUP, TURNED, small_page
from tests.retrieval.small_benchmark import build_corpus, build_partition, default_items, default_rows
from tests.terminal.tape import MS, Tape, frame, list_screen

CAST = "casts/bm25/block-001.cast"
TIMES = Bounds(time_limit_ms=2000, hold_ms=0)


class Made(NamedTuple):
    """The files of the result by name, what it was scored on, and its requests."""

    files: dict[str, bytes]
    ground: Ground
    observations: tuple[Observation, ...]


def made() -> Made:
    """Six requests, the last of them slow. q-entity-1, -2 and q-quote-1 are sound; q-quote-2 times out; q-topic-1 is
    drawn with x03 where x02 was returned, in the recording alone; q-topic-2 shows x09, which its judges found unsafe.
    """
    corpus, partition = benchmark()
    titles = {doc_id: item.title for doc_id, item in corpus.items.items()}
    tape = Recorder({doc_id: shown_form(title) for doc_id, title in titles.items()})
    tape.spawn()
    tape.ask_for("q-entity-1", MARKUP, ["a-entity-1", "x01"])
    tape.ask_for("q-entity-2", TURNED, ["a-entity-2", "x01"])
    tape.ask_for("q-quote-1", "words", ["a-quote-1"])
    tape.begin("q-quote-2", "late")
    tape.type("late")
    tape.key()
    tape.finish("timeout", after=2000 * MS)
    tape.ask_for("q-topic-1", "which", ["a-topic-1", "x02"])
    tape.ask_for("q-topic-2", "last", ["a-topic-2", "x09"], wait=40)
    file = tape.file()
    ((name, recording),) = casts([file])
    observations = observe([file], titles, TIMES)
    page = small_page()
    files = {
        f"casts/bm25/{name}": recording.replace(b"x02              Title of x02", b"x03              Title of x03"),
        "observations.jsonl": to_lines(observations),
        "scorecard.json": page.card.pretty(),
        "scorecard.html": page.html,
    }
    return Made(files, Ground.of(partition, corpus), observations)


def benchmark() -> tuple[Corpus, Partition]:
    """The small one with a hostile title and prompts, and an item that is unsafe to show for one query."""
    items = default_items()
    items[0]["title"] = MARKUP
    corpus = build_corpus(items)
    rows = default_rows(corpus.digest)
    rows["queries.jsonl"][0]["text"], rows["queries.jsonl"][1]["text"] = MARKUP, TURNED
    for row in rows["judgements.jsonl"]:
        if (row["query_id"], row["doc_id"]) == ("q-topic-2", "x09"):
            row["safety"] = "unsafe"
    return corpus, build_partition(corpus, rows)


class Recorder(Tape):
    """A tape of a UI that shows these titles."""

    def __init__(self, titles: dict[str, str]) -> None:
        super().__init__()
        self._titles = titles

    def ask_for(self, query_id: str, text: str, ids: list[str], *, wait: int = 1) -> None:
        """A request without fault, drawn so many milliseconds after its reply."""
        self.begin(query_id, text)
        self.type(text)
        self.accept(self.key() + 500)
        self.ask(text)
        self.reply(ids, after=MS)
        status = f"#{self.submit} {len(ids)} result" + ("s" if len(ids) > 1 else "")
        drawing = list_screen(text, ids, status, self._titles)
        self.done(self.out(frame(drawing, self.submit, self.next_frame(), "done"), after=wait * MS))
        self.finish()
