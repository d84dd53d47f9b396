"""The verb that publishes a finished result: publish."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runner.adapters.archives import ENDING, archive, open_result
from runner.adapters.display import display
from runner.adapters.folders import write_folder
from runner.adapters.host import SystemClock
from runner.adapters.store import OpenedResult
from runner.errors import BadInput
from runner.hidden import here
from runner.keys_cli import LogFile, RootId, TrustFile, known_trust
from runner.provenance.journal import read_log
from runner.shell import ROOT, print_lines, source, tools
from runner.tools import LOG
from runner.workflows.names import CARD_PAGE, CARD_TEXT
from runner.workflows.summary import verified_screen
from runner.workflows.verify import Against, verify

publishing = typer.Typer()

#: What people look at without unpacking anything; of a hidden run the page is sealed, and stays so.
READ = (CARD_PAGE, CARD_TEXT)


@publishing.command("publish")
def publish_(
    results: Path,
    trust: TrustFile = ROOT / ".keys/trust.json",
    log: LogFile = ROOT / LOG,
    root: RootId = None,
    to: Annotated[Path, typer.Option(help="The folder of published results.")] = ROOT / "results/published",
) -> None:
    """Verify a result, then keep it for all in one small folder. Example: `./bench run publish results/RUN`"""
    if to.exists() and not to.is_dir():
        raise BadInput(f"{to}: is no folder.", advice="Name the folder of published results.")
    kit, now = tools(), SystemClock().now()
    known, _ = known_trust(trust, root, now)
    kept, logged = open_result(results), source(log)
    files = {name: kept.read(name) for name in kept.names()}
    found = verify(OpenedResult(files), Against(known, now, read_log(logged)), here(kit, None), kit.progress)
    place = to / found.run_id
    if place.exists():
        raise BadInput(f"{place}: exists already.", advice="Remove it, and publish again.")
    with kit.progress.step("packing"):
        packed = archive(found.run_id, files)
    beside = {"trust.json": source(trust).data, "log.jsonl": logged.data}
    whole = {f"{found.run_id}{ENDING}": packed, **beside, **{name: files[name] for name in READ if name in files}}
    write_folder(place, {name: [data] for name, data in whole.items()})
    display(verified_screen(found, known, root))
    print_lines([f"{place}: {sum(map(len, whole.values())) / 1e6:.1f} MB", *(f"  {name}" for name in sorted(whole))])
