"""Numbers as cards hold them: rounded to six decimals, each with its interval and what it rests on."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from runner.documents import Document

DECIMALS = 6

# Adding 0.0 turns -0.0 into 0.0.
Rounded = Annotated[float, AfterValidator(lambda value: round(value, DECIMALS) + 0.0)]


class Interval(Document):
    """A 95 % interval."""

    low: Rounded
    high: Rounded


class Estimate(Document):
    """A figure with what it rests on; it lies in [0, 1] unless its name has a unit.

    `interval` is the family bootstrap's, `wilson` stands beside proportions.
    """

    value: Rounded
    n: int
    families: int
    interval: Interval
    wilson: Interval | None = None
