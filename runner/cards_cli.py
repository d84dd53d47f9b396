"""The verbs that read kept scorecards: accept, compare, history."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.archives import open_result
from runner.adapters.cards import card_source, published
from runner.adapters.display import display
from runner.adapters.host import SystemClock
from runner.adapters.retired import read_retired
from runner.adapters.store import replace
from runner.errors import BadInput, CannotDecide
from runner.hidden import here
from runner.keys_cli import RootId, TrustFile, known_trust
from runner.shell import ROOT, HiddenKey, Json, hidden_key, print_lines, print_text, tools
from runner.workflows.accept import accept, acceptance_screen, default_of
from runner.workflows.compare import compare, comparison_screen
from runner.workflows.history import history, history_screen
from runner.workflows.verify import Against, Here, verify

cards = typer.Typer()

DEFAULT_SYSTEM = ROOT / "manifests/default-system.json"
Card = Annotated[Path, typer.Argument(help="A result, its archive, or a scorecard.json.", show_default=False)]


@cards.command("accept")
def accept_(
    results: Card,
    trust: TrustFile = ROOT / ".keys/trust.json",
    root: RootId = None,
    *,
    apply: Annotated[bool, typer.Option("--apply", help="Verify it, and set the default system.")] = False,
    json: Json = False,
    identity: HiddenKey = None,
) -> None:
    """Is dense retrieval worth shipping? Needs rows bm25, dense, hybrid. Example: `./bench run accept results/RUN`"""
    source = card_source(results)
    found = accept(source)
    if json:
        print_text(found.pretty().decode())
    else:
        display(acceptance_screen(found))
    if apply:
        default = default_of(found, source.where)
        _hold(results, (trust, root), here(tools(), hidden_key(identity)))
        if not (ROOT / f"manifests/systems/{default.system}.json").is_file():
            raise BadInput(f"manifests/systems/{default.system}.json: no such file.", advice="Restore the manifest.")
        replace(DEFAULT_SYSTEM, default.pretty())
        print_lines([f"default system: {default.system} ({DEFAULT_SYSTEM.relative_to(ROOT)})"])


def _hold(results: Path, trust: tuple[Path, str | None], at_hand: Here) -> None:
    """Findings unless the result is as somebody trusted signed it; CannotDecide where its numbers are sealed."""
    now = SystemClock().now()
    known, _ = known_trust(*trust, now)
    if not verify(open_result(results), Against(known, now, None), at_hand, tools().progress).recomputed:
        raise CannotDecide("The evidence of this hidden run is sealed.", advice="Give its age key with --identity.")


@cards.command("compare")
def compare_(
    one: Card,
    other: Card,
    system: Annotated[str | None, typer.Option(help="The row of the first card.")] = None,
    against: Annotated[str | None, typer.Option(help="The row of the second card.")] = None,
    *,
    json: Json = False,
) -> None:
    """Two cards side by side, or why not. Example: `./bench run compare results/NEW results/OLD --system bm25`"""
    found = compare(card_source(one), card_source(other), (system, against or system))
    if json:
        print_text(found.pretty().decode())
    else:
        display(comparison_screen(found))


@cards.command("history")
def history_(
    places: Annotated[list[Path] | None, typer.Argument(help="Results, or folders of them.")] = None,
    *,
    json: Json = False,
) -> None:
    """Published cards over versions, stale ones marked. Example: `./bench run history results`"""
    found = history(published(places or [ROOT / "results"]), read_retired(ROOT))
    if json:
        print_text(found.pretty().decode())
    else:
        display(history_screen(found))
