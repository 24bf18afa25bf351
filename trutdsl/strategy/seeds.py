"""The seed of play for which none was given.

Who knows the seed knows all cards. A script can do nothing with it; a program, in Python or a bot,
could guess the one that is usual and deal the match itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from secrets import randbits

from trutdsl.game import BadUsage
from trutdsl.strategy.spec import Spec, StrategySpec
from trutdsl.streams import LARGEST_SEED

USUAL = 1


def settle_seed(seed: int | None, specs: Iterable[Spec]) -> int:
    """Return the seed given; for None 1 where only scripts play, else 128 random bits.

    specs: who plays, not looked at where a seed is given. Raises `BadUsage` for a seed that is not
    from 0 to 2**128-1.
    """
    if seed is None:
        strangers = any(isinstance(spec, StrategySpec) for spec in specs)
        return randbits(128) if strangers else USUAL
    if not 0 <= seed <= LARGEST_SEED:
        raise BadUsage(f"--seed must be from 0 to 2**128-1, not {seed}")
    return seed
