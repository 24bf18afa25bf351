"""Both engines play the same: every event, every legal action, every view, for every variant.

`DIFFERENTIAL` in the environment sets how many deals each table plays (make differential).
"""

import os
from pathlib import Path

import pytest
from both_engines import assert_same, both, play

from trutdsl.variant import list_variants, load_variant

DEALS = int(os.environ.get("DIFFERENTIAL", "2000"))
ROOT = Path(__file__).parent.parent
GOOD = sorted((ROOT / "good").glob("*.yaml"))
TRAPS = sorted((ROOT / "traps").glob("*.yaml"))  # rules that are easily made wrong
PASSES = sorted((ROOT / "passes").glob("*.yaml"))  # what passes rewrite
EXAMPLES = sorted((ROOT.parent / "variants" / "examples").glob("*.yaml"))


def tables():
    for ref in [*list_variants(), *map(str, [*EXAMPLES, *GOOD, *TRAPS, *PASSES])]:
        for players in load_variant(ref).players:
            yield pytest.param(ref, players, id=f"{Path(ref).stem}-{players}p")


@pytest.mark.parametrize(("ref", "players"), list(tables()))
def test_the_engines_agree(ref, players):
    variant = load_variant(ref)
    games = both(variant, players, ref=ref)
    deals = match = 0
    while deals < DEALS:
        views = match % 8 == 0
        (one, count), (two, _) = (play(game, match, views) for game in games)
        assert_same(one, two, f"match {match}")
        deals += max(1, count)
        match += 1
