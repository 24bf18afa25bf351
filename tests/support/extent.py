"""How much the tests play: as much as shows each kind of mistake; more is asked for by name.

`THOROUGH=1` in the environment (make thorough) takes all cases and repetitions of the whole suite.

Where engines are compared, a table plays until `DIFFERENTIAL` decisions were taken; where rules ask
little, a fifth as many deals.
"""

import os

THOROUGH = bool(os.environ.get("THOROUGH"))


def extent(usual, thorough):
    """Return the one or the other."""
    return thorough if THOROUGH else usual


def covering(cases):
    """Return cases in which each value at each place occurs at least once; all where thorough.

    Each is the first of the cases, in their order, that has a value which no one before it had.
    """
    seen = set()
    chosen = []
    for case in cases:
        values = set(enumerate(case))
        if THOROUGH or not values <= seen:
            chosen.append(case)
        seen |= values
    return chosen


DECISIONS = int(os.environ.get("DIFFERENTIAL", extent("500", "3000")))
DEALS = DECISIONS // 5
EVERYTHING = DECISIONS >= 50_000  # and no combination of parameters is left out
