"""Family-wise error: p-values corrected for how many hypotheses are tested together."""

from __future__ import annotations

from collections.abc import Sequence


def correct_holm(values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the same order.

    Valid under any dependence. Source: Holm, Scand. J. Statistics 6 (1979) 65-70.
    """
    adjusted, reached = [0.0] * len(values), 0.0
    for rank, (p, index) in enumerate(sorted((p, index) for index, p in enumerate(values))):
        reached = max(reached, min(1.0, (len(values) - rank) * p))
        adjusted[index] = reached
    return adjusted
