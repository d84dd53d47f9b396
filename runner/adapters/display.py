"""Prints a screen of plain text, with verdicts in colour where people look at a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

_THEME = Theme(
    {"verdict.good": "bold green", "verdict.bad": "bold red", "verdict.note": "yellow", "verdict.path": "cyan"}
)


class _Verdicts(RegexHighlighter):
    base_style = "verdict."
    highlights = [  # noqa: RUF012
        r"(?P<good>\bPASS\b|(?<!not )\beligible\b|(?<!not )\bofficial\b(?!-))",
        r"(?P<bad>\bFAIL\b|\bNOT RUN\b|\bcritical violation\b)",
        r"(?P<note>\bprovisional\b|\bnot official\b)",
        r"(?P<path>\S*results/\S+)",
    ]


def display(text: str) -> None:
    """`text` on standard output; the same characters everywhere, colours only on a terminal."""
    Console(theme=_THEME, soft_wrap=True, highlighter=_Verdicts(), markup=False, emoji=False).print(text)
