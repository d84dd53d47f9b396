"""The verbs of the judging chain: from what systems showed to a released judgement set."""

from __future__ import annotations

import typer

judge = typer.Typer(no_args_is_help=True, help="The judging chain: pool, sheets, acts, final grades, a new set.")
