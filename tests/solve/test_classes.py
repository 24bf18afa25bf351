"""Card classes: what rules and scripts read keeps cards apart, and nothing else does."""

from pathlib import Path

import pytest

from trutdsl import load_game
from trutdsl.ir.types import FUNCTIONS, NAMES
from trutdsl.solve.classes import ATTRIBUTES, PLAIN, find_classes
from trutdsl.strategy import load_strategies
from trutdsl.strategy.script import table_for

SCRIPT = 'strategy probe "Looks at cards.":\n{}    otherwise:\n        any\n'


def classes(variant, *strategies):
    game = load_game(variant, 2, (), "native")
    scripts = tuple(load_strategies(strategies, game))
    table = table_for(game, scripts).compiled if scripts else game
    return find_classes(table.program, table.setting)


def probe(folder: Path, clauses: str) -> str:
    (folder / "probe.strategy").write_text(SCRIPT.format(clauses))
    return str(folder / "probe.strategy")


def test_every_function_either_reads_an_attribute_or_cannot_distinguish_cards():
    assert {*ATTRIBUTES, *PLAIN} == {*FUNCTIONS, *NAMES, "openly"}


@pytest.mark.parametrize(
    ("variant", "count"), [("trut", 8), ("trut-deux-sevres", 8), ("truc-catalan", 10)]
)
def test_suits_of_shipped_games_do_not_matter(variant, count):
    found = classes(variant, "steady", "bluffer")
    assert found.count == count
    assert "nothing reads the suit" in found.sentence()


def test_what_a_script_reads_keeps_cards_apart(tmp_path):
    cases = {
        "    on turn:\n        play card with highest strength(card)\n": 8,
        "    on turn:\n        play card where any d in hand[me] has suit(d) == suit(card)\n": 32,
        '    on turn:\n        any when any c in hand[me] has rank(c) == "K"\n': 8,
        # One card is named: it is alone, and 31 others are left, seven of its rank less one.
        '    on turn:\n        any when any c in hand[me] has c == "Kc"\n': 9,
        # Any card of the hand, in the order of the pack: no two cards are alike.
        "    define some: first c in hand[me]\n"
        "    on turn:\n        play card where card == some\n": 32,
    }
    for clauses, count in cases.items():
        assert classes("trut", probe(tmp_path, clauses)).count == count, clauses


def test_cards_that_tie_by_an_order_are_no_classes_of_their_own(tmp_path):
    # Of cards with the highest strength the first one is taken. They are alike, so it is any.
    best = "    define best: strength(first c in hand[me] with highest strength(c))\n"
    alike = best + "    on turn:\n        any when best > 3\n"
    assert classes("trut", probe(tmp_path, alike)).count == 8
    # Figures tie although they differ in strength: here the order of the pack matters.
    figure = "    define best: strength(first c in hand[me] with highest figure(c))\n"
    apart = figure + "    on turn:\n        any when best > 3\n"
    found = classes("trut", probe(tmp_path, apart))
    assert found.count == 32
    assert "the order of the pack matters" in found.sentence()
