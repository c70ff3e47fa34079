"""Compute the confidence interval of a share of independent games."""

import math

Z = 1.959964  # 95%


def wilson_interval(share: float, games: float) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share of wins.

    >>> low, high = wilson_interval(0.5, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    if games == 0:
        return 0.0, 1.0
    centre = share + Z * Z / (2 * games)
    spread = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    scale = 1 + Z * Z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
