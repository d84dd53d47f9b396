"""Names the files of a result, and writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.documents import to_lines
from runner.ports import OpenResult
from runner.provenance.card import Scorecard
from runner.provenance.card_markdown import render
from runner.provenance.environment import Environment
from runner.provenance.run_lock import RunLock
from runner.workflows.casts import casts
from runner.workflows.evidence import PLAN, SystemEvidence

RAW, CASTS = "raw", "casts"
MANIFEST, LOCK = "manifest.json", "run.lock.json"
OBSERVATIONS, ENVIRONMENT = "observations.jsonl", "environment.json"
CARD, CARD_TEXT = "scorecard.json", "scorecard.md"


def keep_inputs(result: OpenResult, manifest: bytes, plans: Mapping[str, bytes], lock: RunLock) -> None:
    """What was asked for, before the first search."""
    result.keep(MANIFEST, manifest)
    for name, plan in plans.items():
        result.keep(f"{RAW}/{name}/{PLAN}", plan)
    result.keep(LOCK, lock.pretty())


def keep_products(
    result: OpenResult, card: Scorecard, environment: Environment, evidence: Sequence[SystemEvidence]
) -> None:
    """What came of it."""
    for one in evidence:
        for name, cast in casts(one.log.searches):
            result.keep(f"{CASTS}/{one.system}/{name}", cast)
    result.keep(OBSERVATIONS, to_lines(seen for one in evidence for seen in one.observations))
    result.keep(ENVIRONMENT, environment.pretty())
    result.keep(CARD, card.pretty())
    result.keep(CARD_TEXT, render(card).encode())


def raw_files(folder: Path) -> dict[str, bytes]:
    """The files of one system's raw folder, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
