"""Names the files of a result."""

from __future__ import annotations

from collections.abc import Mapping

from runner.errors import Findings

MANIFEST, LOCK, ENVIRONMENT = "manifest.json", "run.lock.json", "environment.json"
CERTIFICATE = "certificate.json"
RAW = "raw/"
PLAN, REPORT = "plan.json", "driver.json"
SUITES_PLAN, SUITES_LOG, SUITES_REPORT = "suites.plan.json", "suites.jsonl", "suites.driver.json"
SUITES_FILES = (SUITES_PLAN, SUITES_LOG, SUITES_REPORT)
OBSERVATIONS, CARD = "observations.jsonl", "scorecard.json"
CARD_TEXT, CARD_PAGE = "scorecard.md", "scorecard.html"

ACCEPTANCE = "acceptance.json"
SBOM = "sbom.cdx.json"

#: What a hidden run keeps in the clear: what it was made from, and what was made for all to read.
PUBLIC_RECORDS = frozenset({MANIFEST, LOCK, ENVIRONMENT, SBOM})
PUBLIC_PRODUCTS = frozenset({CARD, CARD_TEXT, ACCEPTANCE})


def raw_folder(system: str) -> str:
    """Where the records of one system's drive stand."""
    return f"{RAW}{system}"


def gates_file(system: str) -> str:
    """Where it stands how one system's suites ended."""
    return f"gates/{system}.json"


def need(files: Mapping[str, bytes], name: str, by: str = "") -> bytes:
    """The file `name` of a result, or Findings; `by` is the file that speaks of it."""
    if name not in files:
        raise Findings(f"{name}: missing, though {by} names it." if by else f"{name}: missing.")
    return files[name]
