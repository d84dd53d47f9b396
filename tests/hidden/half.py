"""A small hidden half on the bundled corpus, asked in words that stand nowhere else: a rehearsal, not a benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from pyrage import x25519

from runner.documents import digest
from runner.shell import ROOT
from tests.workflows.rehearsal import NAME, Words

DEVELOPMENT = ROOT / "manifests/benchmarks/search-v1/development"
Row = dict[str, Any]


class Half(NamedTuple):
    """Where the half lies, and every word, id and family that may stand nowhere but in it."""

    folder: Path
    secrets: frozenset[str]
    documents: frozenset[str]


def write_key(path: Path) -> str:
    """A new key as `age-keygen` writes it, in a file for its owner alone; whom to seal for."""
    key = x25519.Identity.generate()
    path.touch(mode=0o600)
    path.write_text(f"# created: 2026-12-01T12:00:00Z\n# public key: {key.to_public()}\n{key}\n")
    return str(key.to_public())


def write_half(folder: Path, per_slice: int = 5, **card: Any) -> Half:
    """The first `per_slice` queries of each development slice (twice as many no-match ones), each with invented words
    put in, under new ids and families."""
    words, names = Words(f"{NAME} {folder.name}"), dict[str, str]()
    secrets: set[str] = set()
    rows = {path.name: _lines(path) for path in DEVELOPMENT.glob("*.jsonl")}
    asked = [row for row in rows["queries.jsonl"] if _wanted(row, names, per_slice, words)]
    for number, row in enumerate(asked):
        spice = words.take(1)
        family = f"kin-{words.take(2).replace(' ', '-')}"
        # Half of the texts keep their own words, so that lists come; one has what JSON escapes.
        text = f"{row['text']} {spice}"[:76] if number % 2 else f'{spice} "ü" {words.take(1)}'
        secrets |= {spice, family, text, names[row["query_id"]]}
        row |= {"text": text, "family": family, "query_id": names[row["query_id"]], "template_groups": []}
    _flag(asked)
    kept = {name: [row | {"query_id": names[row["query_id"]]} for row in rows[name] if row["query_id"] in names]
            for name in ("judgements.jsonl", "exact_targets.jsonl", "no_match_audits.jsonl")}  # fmt: skip
    documents = {row["doc_id"] for row in kept["judgements.jsonl"]}
    _write(folder, {"queries.jsonl": asked, **kept}, card)
    return Half(folder, frozenset(secrets), frozenset(documents))


def _wanted(row: Row, names: dict[str, str], per_slice: int, words: Words) -> bool:
    most = per_slice * (2 if row["slice"] == "no_match" else 1)
    if sum(name.startswith(row["slice"]) for name in names.values()) >= most:
        return False
    names[row["query_id"]] = f"{row['slice']}-{words.take(1)}"
    return True


def _flag(asked: list[Row]) -> None:
    """The first query of each slice carries both flags, and five no-match ones that of safety."""
    seen: dict[str, int] = {}
    for row in asked:
        number = seen[row["slice"]] = seen.get(row["slice"], 0) + 1
        row["safety_flag"] = number <= (5 if row["slice"] == "no_match" else 1)
        row["multi_cue_flag"] = number == 1 and row["slice"] != "no_match"


def _write(folder: Path, rows: dict[str, list[Row]], changes: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    files = {name: "".join(json.dumps(row) + "\n" for row in each).encode() for name, each in rows.items()}
    card = json.loads((DEVELOPMENT / "partition.json").read_bytes())
    card |= {"name": NAME, "version": "1", "kind": "hidden", "counts": {}, "provisional": ["a rehearsal"]}
    card |= {"files": {name: digest(data) for name, data in files.items()}} | changes
    for name, data in {**files, "partition.json": json.dumps(card).encode()}.items():
        (folder / name).write_bytes(data)


def _lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]
