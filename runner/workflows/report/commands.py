"""The commands by which anyone can check a card, make it again, and watch it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runner.provenance.card import Scorecard


class Command(NamedTuple):
    """What it does, and the line to copy."""

    what: str
    line: str


def commands(card: Scorecard) -> Sequence[Command]:
    """In the order in which a reproducer needs them, from the root of a checkout with the result in `results/`."""
    run, first = f"results/{card.run_id}", card.systems[0]
    query = first.queries[0].query_id
    return (
        Command("Take the code of this run", f"git checkout {card.versions[0].code_commit}"),
        Command("Verify signatures, files, screens and numbers", f"./bench run verify {run} --trust trust.json"),
        Command("Compute every number again from the raw records", f"./bench run score {run}"),
        Command("Run it all again, compare and sign", f"./bench run reproduce {run} --trust trust.json"),
        Command(
            "Watch a block, query by query; the space bar goes on",
            f".nox/project/bin/asciinema play -m {run}/casts/{first.system}/block-001.cast",
        ),
        Command(
            "Draw what a query's screen showed",
            f"./bench run picture {run} {query} --system {first.system} --to screen.svg",
        ),
    )
