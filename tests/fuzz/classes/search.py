"""Random small games: exact results are the same if all cards are taken to differ.

`exact` treats cards as alike where it proves that no rule and no script distinguishes them. A
difference between both results is a mistake of the proof.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from unittest.mock import patch

import numpy as np

from tests.fuzz.seeds import Search
from trutdsl import load_game
from trutdsl.diagnostics import BadUsage
from trutdsl.solve import exact
from trutdsl.solve.classes import CardClasses, find_classes
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_with
from trutdsl.table.faults import RuleError

from .write import SmallGame, write_game

CLOSE = 1e-9  # by which both results may differ


def separate_all_cards(program, setting):
    """Return classes of one card each."""
    cards = range(len(setting.deck.texts))
    return CardClasses(tuple(cards), (), find_classes(program, setting).order_span)


def compare(small: SmallGame, folder: Path, met: Counter[str]) -> str | None:
    """Return the difference between the results of a game with and without equal cards, or None."""
    (folder / "small.yaml").write_text(small.variant, encoding="utf-8")
    (folder / "plays.strategy").write_text(small.script, encoding="utf-8")
    game = load_game(folder / "small.yaml", 2, (), "native")
    script = str(folder / "plays.strategy")
    for names in (("uniform", "uniform"), (script, script)):
        table = table_with(game, load_strategies(names, game))
        if find_classes(table[0].program, table[0].setting).all_differ:
            met["all differ"] += 1
            continue
        try:
            together = figures_of(table)
            with patch.object(exact, "find_classes", separate_all_cards):
                apart = figures_of(table)
        except (BadUsage, RuleError):
            met["refused"] += 1
            continue
        met["compared"] += 1
        if not np.allclose(together, apart, CLOSE, CLOSE):
            return f"{Path(names[0]).name}: {together[:5]} together, {apart[:5]} apart"
    return None


def figures_of(table):
    """Return the exact figures of two players at a table; unknown counts are 0."""
    found = exact.evaluate(*table)
    figures = [*found.wins, found.first_dealer_wins, found.deals_per_match, found.deviation]
    return [*figures, *np.nan_to_num(found.counts)]


SEARCH = Search(
    lambda seed: write_game(seed).variant, lambda seed, *to: compare(write_game(seed), *to)
)
add_options, main = SEARCH.add_options, SEARCH.main
