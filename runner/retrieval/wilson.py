"""The Wilson interval, for proportions that a resample cannot move off 0 or 1 (D28)."""

from __future__ import annotations

from math import sqrt

# The 97.5th percentile of the standard normal distribution.
Z = 1.959963984540054


def wilson(share: float, n: int) -> tuple[float, float]:
    """95 % interval of a proportion seen as `share` in `n` independent families (n >= 1)."""
    spread = Z * Z / n
    centre = (share + spread / 2) / (1 + spread)
    half = sqrt(share * (1 - share) / n + spread / n / 4) * Z / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)
