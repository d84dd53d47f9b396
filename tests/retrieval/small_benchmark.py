"""A benchmark small enough to be worked by hand: two queries a slice, one family each, one target item a query."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from runner.documents import Source, digest
from runner.provenance.versions import VersionTuple
from runner.retrieval.corpora import Corpus, parse_corpus
from runner.retrieval.partition_check import admit
from runner.retrieval.partitions import Partition, parse_partition
from runner.retrieval.runs import Observation, Outcome
from runner.retrieval.score import SCORE_VERSION

SLICES = ("entity", "quote", "topic", "concept", "visual", "noisy")
MS = 1_000_000
NONE = "sha256:" + "0" * 64
# What an item says it is about.
FIELDS = [
    "title",
    "template",
    "template_group",
    "entities",
    "aliases",
    "franchise",
    "tags",
    "action",
    "ocr_text",
    "visual",
    "meaning",
]


def item(doc_id: str, **changes: Any) -> dict[str, Any]:
    """A line of items.jsonl: cleared, attributed, in a template group of its own."""
    rights = {"status": "cleared", "license": "CC0-1.0", "attribution": "drawn for the test", "source": "test"}
    return {
        "doc_id": doc_id,
        "title": f"Title of {doc_id}",
        "template": doc_id,
        "template_group": f"group-{doc_id}",
        "entities": [],
        "aliases": [],
        "franchise": None,
        "tags": [],
        "action": None,
        "ocr_text": "",
        "visual": "",
        "meaning": "",
        "language": "en",
        "safety": "safe",
        "rights": rights,
        "private_data": False,
        "preview": {"path": f"previews/{doc_id}.png", "digest": digest(doc_id.encode()), "phash": phash(doc_id)},
        **changes,
    }


def phash(doc_id: str) -> str:
    """A perceptual hash that looks like no other."""
    return digest(doc_id.encode())[-16:]


def lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """JSON Lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def corpus_sources(
    items: Sequence[dict[str, Any]], classes: Mapping[str, str] | None = None
) -> tuple[Source, Source, Source]:
    """corpus.json, items.jsonl and safety_audit.jsonl; an item that `classes` does not name is safe."""
    data = lines(items)
    card = {"name": "small", "version": "1", "items": digest(data), "counts": {"items": len(items)}, "sources": {}}
    audit = [
        {
            "doc_id": row["doc_id"],
            "safety": (classes or {}).get(row["doc_id"], "safe"),
            "auditors": ["human:auditor"],
            "corpus_digest": digest(data),
        }
        for row in items
    ]
    return (
        Source("corpus.json", json.dumps(card).encode()),
        Source("items.jsonl", data),
        Source("safety_audit.jsonl", lines(audit)),
    )


def default_items() -> list[dict[str, Any]]:
    """One item for each answerable query, `a-entity-1` and so on, and 30 that answer nothing."""
    wanted = [item(f"a-{name}-{n}") for name in SLICES for n in (1, 2)]
    return wanted + [item(f"x{n:02}") for n in range(1, 31)]


def build_corpus(items: Sequence[dict[str, Any]] | None = None, classes: Mapping[str, str] | None = None) -> Corpus:
    """The parsed corpus."""
    return parse_corpus(*corpus_sources(items or default_items(), classes))


def default_rows(corpus_digest: str) -> dict[str, list[dict[str, Any]]]:
    """The lines of each partition file: q-<slice>-1 and -2; the second of topic and of no_match carry the safety flag.

    The answer of a query is graded 3 by two annotators; x01 is graded 1 for every query, the other x items 0.
    """
    queries, judgements, targets, audits = [], [], [], []
    for name in (*SLICES, "no_match"):
        for n in (1, 2):
            query_id = f"q-{name}-{n}"
            queries.append(
                {
                    "query_id": query_id,
                    "text": f"words for {name} {n}",
                    "slice": name,
                    "family": f"f-{name}-{n}",
                    "safety_flag": n == 2 and name in {"topic", "no_match"},
                    "multi_cue_flag": n == 1,
                    "template_groups": [] if name == "no_match" else [f"group-a-{name}-{n}"],
                    "provenance": "human: written for the test",
                }
            )
            grades = {f"x{k:02}": 1 if k == 1 and name != "no_match" else 0 for k in range(1, 31)}
            if name != "no_match":
                grades[f"a-{name}-{n}"] = 3
            for doc_id, grade in grades.items():
                for role in ("first", "second"):
                    judgements.append(act(query_id, doc_id, grade, role=role))
            if name in {"entity", "quote"}:
                targets.append({"query_id": query_id, "groups": [[f"a-{name}-{n}"]], "adjudicated_by": "human:judge"})
            if name == "no_match":
                audits.append(
                    {
                        "query_id": query_id,
                        "corpus_digest": corpus_digest,
                        "fields_checked": FIELDS,
                        "nearest": ["x02"],
                        "inspectors": ["human:judge"],
                        "verdict": "no serving item is grade 2 or better",
                    }
                )
    return {
        "queries.jsonl": queries,
        "judgements.jsonl": judgements,
        "exact_targets.jsonl": targets,
        "no_match_audits.jsonl": audits,
    }


# Prompts of which no two are nearly the same, and none of which has a word of an item.
PROMPTS = (
    "lantern by the harbour",
    "seven brass kettles",
    "umbrella weather",
    "quarry dust at noon",
    "velvet cupboard",
    "jumping over hedges",
    "mild soup again",
    "frozen pipework",
    "glass of ink",
    "parrot in transit",
    "yawning bridge",
    "plum orchard ladder",
    "copper whisk",
    "night bus ticket",
)


def unlike_rows(corpus_digest: str) -> dict[str, list[dict[str, Any]]]:
    """The default lines with prompts that `partition check` does not find alike."""
    rows = default_rows(corpus_digest)
    for row, text in zip(rows["queries.jsonl"], PROMPTS, strict=True):
        row["text"] = text
    return rows


def act(query_id: str, doc_id: str, grade: int, **changes: Any) -> dict[str, Any]:
    """A line of judgements.jsonl; the annotator is named after the role."""
    role = changes.get("role", "first")
    return {
        "query_id": query_id,
        "doc_id": doc_id,
        "annotator": f"human:{role}",
        "role": role,
        "grade": grade,
        "safety": "safe",
        "at": "2026-11-01",
        **changes,
    }


def partition_sources(
    corpus: Corpus, rows: Mapping[str, list[dict[str, Any]]] | None = None, **card: Any
) -> dict[str, Source]:
    """All files of a partition with right digests."""
    files = {name: lines(found) for name, found in (rows or default_rows(corpus.digest)).items()}
    about = {
        "name": "small",
        "version": "1",
        "kind": "development",
        "corpus": corpus.digest,
        "counts": {},
        "files": {name: digest(data) for name, data in files.items()},
        "provisional": ["made for a test"],
        **card,
    }
    files["partition.json"] = json.dumps(about).encode()
    return {name: Source(name, data) for name, data in files.items()}


def build_partition(corpus: Corpus, rows: Mapping[str, list[dict[str, Any]]] | None = None, **card: Any) -> Partition:
    """The partition, admitted."""
    return admit(parse_partition(partition_sources(corpus, rows, **card)), corpus)


def seen(query_id: str, *shown: str, **changes: Any) -> Observation:
    """A request that returned and drew `shown` in 10 ms."""
    fields: dict[str, Any] = {
        "system": "bm25",
        "block": 1,
        "position": 1,
        "query_id": query_id,
        "process": 1,
        "submit": 1,
        "outcome": Outcome.ANSWERED if shown else Outcome.EMPTY,
        "reason": None,
        "returned": shown,
        "routes": tuple(("lexical",) for _ in shown),
        "drawn": shown,
        "violations": (),
        "held": False,
        "latency_ns": 10 * MS,
        "key_to_accept_ns": None,
        "engine_ns": None,
        "first_byte_ns": None,
        "frame_end_ns": None,
    }
    return Observation(**{**fields, **changes})


def failed(query_id: str, outcome: Outcome = Outcome.ERROR, **changes: Any) -> Observation:
    """A request that failed and is charged 2 s."""
    return seen(query_id, **{"outcome": outcome, "reason": "test", "latency_ns": 2000 * MS, **changes})


def perfect_run(partition: Partition, *, blocks: int = 5, **changes: Any) -> list[Observation]:
    """Every query answered with its ideal list in every block."""
    run = []
    for block in range(1, blocks + 1):
        for position, topic in enumerate(partition.topics, 1):
            answer = topic.query_id.replace("q-", "a-", 1)
            shown = (answer, "x01") if topic.slice.answerable else ()
            run.append(seen(topic.query_id, *shown, block=block, position=position, **changes))
    return run


def versions(partition: Partition, corpus: Corpus, system: str = "bm25", /, **changes: Any) -> VersionTuple:
    """The version tuple of a system that was scored on them."""
    fields: dict[str, Any] = {
        "system": system,
        "system_version": "1",
        "system_digest": NONE,
        "configuration": NONE,
        "index": None,
        "model": None,
        "image_id": None,
        "benchmark": "search-v1",
        "partition": partition.digest,
        "judgement_set": partition.judgement_set,
        "corpus": corpus.digest,
        "policy": NONE,
        "hardware_profile": NONE,
        "cpu_model": "test",
        "interface": "list-80x24-v1",
        "terminal": "full",
        "protocol": "search-v1",
        "score": SCORE_VERSION,
        "manifest": NONE,
        "code_commit": "0" * 40,
        "code_clean": True,
        "locks": {},
        "runtime": {},
    }
    return VersionTuple(**{**fields, **changes})
