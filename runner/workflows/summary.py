"""Puts a scorecard in short onto the last screen of a run, and what was found of a result onto that of `verify`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from runner.counts import counted
from runner.provenance.card import Scorecard, against
from runner.provenance.trust import Trust
from runner.retrieval.gates import Verdict
from runner.retrieval.latency import milliseconds
from runner.retrieval.plain_measures import Summary
from runner.retrieval.scorecard import SystemRow
from runner.workflows.conform import Conformity, Shortfall
from runner.workflows.verify import Verified

WIDTH = 80
#: Lines of an engine's standard error that are shown.
LAST_WORDS = 20
UNTOLD = "anybody can make a root key: hold its id against what its holder told you, with --root-id"


def final_screen(card: Scorecard, path: Path) -> str:
    """Score, status, reasons and where the files are: one screen of plain text."""
    first = card.systems[0].system
    lines = [
        *_card_lines(card),
        "",
        f"  card     {path}/scorecard.html",
        f"           {path}/scorecard.md",
        f"  casts    {path}/casts/{first}/",
        "           (to watch one: .nox/project/bin/asciinema play -s 0.1 FILE)",
        f"  verify   ./bench run verify {path}",
    ]
    return "\n".join(lines)


def hidden_screen(card: Scorecard, path: Path) -> str:
    """As `final_screen`, for a run on a sealed partition."""
    about = card.partition
    looks = [f"  look     number {card.tries.partition} at {about.name} {about.version}"] if card.tries else []
    lines = [
        *_card_lines(card),
        "",
        *looks,
        f"  card     {path}/scorecard.md",
        f"  sealed   {path}/sealed/",
        f"  verify   ./bench run verify {path}",
        "           (all of it with --identity KEY)",
    ]
    return "\n".join(lines)


def _card_lines(card: Scorecard) -> Iterator[str]:
    yield from (f"MMTS-Search-v1   {card.run_id}", "")
    for row in card.systems:
        yield from (*_row_lines(row), "")
    yield f"  {card.standing}" + (", because" if card.reasons else "")
    yield from (wrapped(reason, "    - ") for reason in card.reasons)


def measures_table(summary: Summary) -> str:
    """The summary of `measure`, one figure a line; `-` where a measure does not apply."""
    figures = summary.model_dump(mode="json", by_alias=True)
    return "\n".join(f"{name:<16}{_figure(value)}" for name, value in figures.items())


def conformity_screen(found: Conformity) -> str:
    """What the engine said of its trouble, each finding with what to do about it, and the count of rules by suite."""
    lines = [line for one in found.findings for line in (*_finding(one), "")]
    if found.findings and found.stderr.strip():
        said = [f"  {line}" for line in found.stderr.strip().splitlines()[-LAST_WORDS:]]
        lines = ["the engine wrote to standard error", *said, "", *lines]
    if found.gates is not None:
        for result in found.gates.suites:
            passed = [row.verdict is Verdict.PASS for row in found.gates.rules if row.suite is result.suite]
            lines.append(f"{result.suite:<24}{result.verdict:<10}{sum(passed)} of {len(passed)} rules")
    if not found.findings:
        lines.append(f"{found.system} keeps the contract")
    return "\n".join(lines)


def _finding(one: Shortfall) -> Iterator[str]:
    yield one.rule
    yield wrapped(one.found, "  found  ")
    yield wrapped(one.advice, "  do     ")


def verified_screen(found: Verified, trust: Trust, told: str | None) -> str:
    """What of a result holds, who signed, by whose word those count, and whether it is official.

    `told` is the id of the root key as its holder said it, null where nobody asked.
    """
    signers = [f"  signed by {signer.person} as {signer.role} (key {signer.key_id[:8]})" for signer in found.signers]
    root = f"  trusted by root key {trust.root.key_id}, version {trust.version} of its trust file"
    notes = [f"  note: {note}" for note in (*found.notes, *([] if told else [UNTOLD]))]
    verdict = "official" if found.official else "not official, because " + "; ".join(found.reasons)
    return "\n".join([f"{found.run_id}: {found.held} hold", *signers, root, *notes, verdict])


def _row_lines(row: SystemRow) -> Iterator[str]:
    spread = row.uncertainty.uncapped
    yield f"  {row.system:<12}{row.status}   {row.score:6.2f} of 100   {row.band}"
    yield f"              uncapped {row.uncapped:.2f} [{spread.low:.2f}, {spread.high:.2f}]"
    yield "              " + "   ".join(f"{name} {part.value:.3f}" for name, part in row.components)
    times = row.performance.ui
    yield (
        f"              {counted(times.n, 'search', 'searches')}, submit to render "
        f"p50 {milliseconds(times.p50_ns)} ms, p95 {milliseconds(times.p95_ns)} ms"
    )
    yield f"              {counted(times.errors, 'error')}, {counted(times.timeouts, 'timeout')}"
    if against(row):
        yield wrapped(f"against it: {against(row)}", " " * 14)


def wrapped(text: str, first: str) -> str:
    """`text` behind `first` on lines of at most `WIDTH` columns, the later ones indented alike; no word is broken."""
    indent = " " * len(first)
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=indent, break_long_words=False)


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6f}"
    if isinstance(value, list):
        return " ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)
