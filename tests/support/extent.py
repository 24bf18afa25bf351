"""How much the tests play: by default enough to find each kind of mistake.

`THOROUGH=1` in the environment (make thorough) runs all cases and repetitions of the suite, and the
tests with the marker `thorough`. They take a second or more, and quicker tests cover most of what
they check.

Tests that compare engines play a table until it has taken `DIFFERENTIAL` decisions, or a fifth as
many deals.
"""

import os

THOROUGH = bool(os.environ.get("THOROUGH"))


def extent(usual, thorough):
    """Return the second number in a thorough run, else the first."""
    return thorough if THOROUGH else usual


def covering(cases):
    """Return cases that cover each value of each position; in a thorough run, all cases.

    A case is kept if it has a value that no earlier case has at the same position.
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
ALL_CASES = DECISIONS >= 50_000  # then all combinations of parameters are played
