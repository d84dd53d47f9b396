"""Draws what a person would have seen: the done frame of one query, from the raw log."""

from __future__ import annotations

from runner.errors import BadInput
from runner.ports import ResultFolder
from runner.terminal.picture import picture
from runner.terminal.rawlog import Begin, Done, Out, Phase, Role, Spawn
from runner.terminal.screens import AvtScreen
from runner.workflows.evidence import open_log
from runner.workflows.names import raw_folder


def draw(folder: ResultFolder, system: str, query_id: str) -> str:
    """The SVG of the first measured done frame of `query_id`; BadInput where there is none."""
    screen, wanted = AvtScreen(), False
    files = {name: folder.read(name) for name in folder.names() if name.startswith(f"{raw_folder(system)}/")}
    for file in open_log(system, files).searches:
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
