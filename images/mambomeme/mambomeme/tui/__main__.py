"""The door of the terminal UI: reads the environment, refuses what cannot work in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from ..interactions import cannot_record
from .child import Settings, run_child
from .halfblocks import palette_of
from .records import Asked
from .shown import one_line
from .supervisor import Tend, nothing_to_tend, supervise

USAGE_STATUS, UNAVAILABLE_STATUS = 64, 69


def main(environment: Mapping[str, str], tend: Tend = nothing_to_tend) -> int:
    """The exit status of one session on the terminal of standard input and output; `tend` is for `supervise`."""
    if not (os.isatty(0) and os.isatty(1)):
        return _refuse("standard input and output are no terminal. Start it in a terminal window.")
    engine = environment.get("MAMBO_SOCKET", "")
    if not engine:
        return _refuse("MAMBO_SOCKET is not set. Set it to the engine's socket, or start `python3 -m mambomeme`.")
    asked = Asked.of(environment)
    trouble = cannot_record(asked.path) if asked.path else ""
    if trouble:
        return _refuse(f"{one_line(asked.path)}: {trouble}. Name another file to record in.", UNAVAILABLE_STATUS)
    settings = Settings(
        engine=engine,
        events=environment.get("MAMBO_EVENTS"),
        corpus=environment.get("MAMBO_CORPUS", ""),
        no_color=bool(environment.get("NO_COLOR")),
        palette=palette_of(environment),
        opener=environment.get("MAMBO_OPENER", ""),
        asked=asked,
        name=environment.get("MAMBO_NAME", ""),
    )
    return supervise(lambda taken, lifeline: run_child(settings, taken, lifeline), tend)


def _refuse(why: str, status: int = USAGE_STATUS) -> int:
    sys.stderr.write(f"mambomeme: {why}\n")
    return status


if __name__ == "__main__":
    sys.exit(main(os.environ))
