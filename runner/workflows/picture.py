"""Draws what a person would have seen: the done frame of one query, from the raw log."""

from __future__ import annotations

from pathlib import PurePosixPath

from runner.errors import BadInput, CannotDecide
from runner.ports import ResultFolder
from runner.provenance.sealed import is_hidden
from runner.terminal.picture import picture
from runner.terminal.rawlog import Begin, Done, Out, Phase, Role, Spawn
from runner.terminal.screens import AvtScreen
from runner.workflows.evidence import open_log
from runner.workflows.names import RAW, raw_folder


def draw(folder: ResultFolder, system: str, query_id: str) -> str:
    """The SVG of the first measured done frame of `query_id`; BadInput where there is none, CannotDecide where it is
    sealed."""
    screen, wanted = AvtScreen(), False
    for file in open_log(system, _records(folder, system)).searches:
        for event in file.events:
            match event:
                case Spawn(role=Role.UI):
                    screen = AvtScreen()
                case Out(data=data):
                    screen.feed(data)
                case Begin(query_id=asked, phase=phase):
                    wanted = asked == query_id and phase is Phase.MEASURED
                case Done() if wanted:
                    return picture(screen.lines())
                case _:
                    pass
    raise BadInput(f"{system}: no done frame of query {query_id!r}.", advice="observations.jsonl lists the queries.")


def _records(folder: ResultFolder, system: str) -> dict[str, bytes]:
    names = folder.names()
    if is_hidden(names):
        advice = "`partition open RUN --to DIR --identity KEY` opens it; take the picture in DIR."
        raise CannotDecide("The screens of this hidden run are sealed.", advice=advice)
    files = {name: folder.read(name) for name in names if name.startswith(f"{raw_folder(system)}/")}
    if not files:
        known = sorted({PurePosixPath(name).parts[1] for name in names if name.startswith(RAW)})
        advice = f"--system takes {', '.join(known)}." if known else "It has no raw logs: name the whole result."
        raise BadInput(f"{system}: no such system in this result.", advice=advice)
    return files
