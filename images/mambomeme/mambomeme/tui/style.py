"""The few ways in which text stands out; magenta and red read well on dark grounds and on light ones."""

from __future__ import annotations

from typing import NamedTuple


class Style(NamedTuple):
    """SGR sequences; each starts from plain."""

    plain: str
    strong: str
    faint: str
    accent: str
    strong_accent: str
    trouble: str
    chosen: str
    strong_chosen: str


def make_style(no_color: bool) -> Style:  # noqa: FBT001 - it is what NO_COLOR says
    """The style; without colours only weight and inversion are left."""
    accent, strong_accent, trouble = ("", ";1", ";1") if no_color else (";35", ";1;35", ";1;31")
    codes = ("", ";1", ";2", accent, strong_accent, trouble, ";7", ";1;7")
    return Style(*(f"\x1b[0{code}m" for code in codes))
