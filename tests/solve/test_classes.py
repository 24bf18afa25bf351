"""Card classes: cards are distinguished by what rules and scripts read, and by nothing else."""

from pathlib import Path

import pytest
from extent import extent

from tests.fuzz.classes.search import figures_of, separate_all_cards
from tests.solve.card_cases import (
    CASES,
    CHANGED_HEAD,
    HIGHEST,
    MARKED_CARD,
    SCRIPT_CASES,
    SUITED,
    TINY,
    TWO_PLACES,
)
from trutdsl import load_game
from trutdsl.ir.types import FUNCTIONS, NAMES
from trutdsl.solve import exact
from trutdsl.solve.card_reads import ATTRIBUTES, PLAIN, CardReads
from trutdsl.solve.classes import find_classes
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_for, table_with

SCRIPT = 'strategy probe "Looks at cards.":\n{}    otherwise:\n        any\n'


def classes_of(variant, *strategies):
    game = load_game(variant, 2, (), "native")
    scripts = tuple(load_strategies(strategies, game))
    table = table_for(game, scripts).compiled_game if scripts else game
    return find_classes(table.program, table.setting)


def write_probe(folder: Path, clauses: str) -> str:
    (folder / "probe.strategy").write_text(SCRIPT.format(clauses))
    return str(folder / "probe.strategy")


def test_every_function_either_reads_an_attribute_or_cannot_distinguish_cards():
    of_scripts = {"openly", "in_sight", "whole", "ways"}
    assert {*ATTRIBUTES, *PLAIN} == {*FUNCTIONS, *NAMES, *of_scripts}


@pytest.mark.parametrize(
    ("variant", "count"),
    [("trut", 8), ("trut-deux-sevres", 8), ("truc-catalan", 10), ("trut-gatinaise", 8)],
)
def test_suits_are_merged_in_shipped_games(variant, count):
    found = classes_of(variant, "steady", "bluffer", "actuary")
    assert found.count == count
    assert "nothing reads the suit" in found.sentence()


@pytest.mark.parametrize(
    ("variant", "count"), [("trut-club", 40), ("trut-club-gentiane", 40), ("tute", 40)]
)
def test_the_rules_of_some_shipped_games_distinguish_all_cards(variant, count):
    assert classes_of(variant).count == count


def test_a_script_distinguishes_the_cards_that_it_reads(tmp_path):
    cases = {
        "    on turn:\n        play card with highest strength(card)\n": 8,
        "    on turn:\n        play card where any d in hand[me] has suit(d) == suit(card)\n": 32,
        '    on turn:\n        any when any c in hand[me] has rank(c) == "K"\n': 8,
        # One card is named, so it has its own class. Each rank has a class for the other cards.
        '    on turn:\n        any when any c in hand[me] has c == "Kc"\n': 9,
        # The first card depends on the order of the pack, so all cards differ.
        "    define some: first c in hand[me]\n"
        "    on turn:\n        play card where card == some\n": 32,
    }
    for clauses, count in cases.items():
        assert classes_of("trut", write_probe(tmp_path, clauses)).count == count, clauses


def test_cards_that_tie_by_strength_are_merged(tmp_path):
    # Cards with the highest strength are alike, so it does not matter that the first is taken.
    best = "    define best: strength(first c in hand[me] with highest strength(c))\n"
    alike = best + "    on turn:\n        any when best > 3\n"
    assert classes_of("trut", write_probe(tmp_path, alike)).count == 8
    # Cards with the same figure differ in strength, so the order of the pack matters.
    figure = "    define best: strength(first c in hand[me] with highest figure(c))\n"
    tied = figure + "    on turn:\n        any when best > 3\n"
    found = classes_of("trut", write_probe(tmp_path, tied))
    assert found.count == 32
    assert "the order of the pack matters" in found.sentence()


# ---------------------------------------------------------------- proofs and near misses


def write_variant(folder: Path, rules: str) -> Path:
    (folder / "tiny.yaml").write_text(TINY)
    head = CHANGED_HEAD + (SUITED if "suited" in rules else "")
    (folder / "changed.yaml").write_text(head + ("rules: |" + rules if rules else ""))
    return folder / "changed.yaml"


def figures_between(variant, *strategies):
    game = load_game(variant, 2, (), "native")
    return figures_of(table_with(game, load_strategies(strategies, game)))


@pytest.mark.parametrize("case", CASES)
def test_cards_are_merged_by_a_proof_and_not_in_a_near_miss(case, tmp_path):
    applies, misses = CASES[case]
    assert classes_of(write_variant(tmp_path, applies)).count == 3
    assert classes_of(write_variant(tmp_path, misses)).count == 9


@pytest.mark.parametrize("case", extent([*CASES][::5], CASES))
def test_results_are_the_same_without_merged_cards(case, tmp_path, monkeypatch):
    variant = write_variant(tmp_path, CASES[case][0])
    together = figures_between(variant, "uniform", "uniform")
    monkeypatch.setattr(exact, "find_classes", separate_all_cards)
    assert figures_between(variant, "uniform", "uniform") == pytest.approx(together, abs=1e-12)


@pytest.mark.parametrize("case", SCRIPT_CASES)
def test_a_script_may_play_any_of_several_cards(case, tmp_path):
    rules, clauses, count = SCRIPT_CASES[case]
    assert classes_of(write_variant(tmp_path, rules), write_probe(tmp_path, clauses)).count == count


def test_results_of_a_script_are_the_same_without_merged_cards(tmp_path, monkeypatch):
    variant, script = write_variant(tmp_path, ""), write_probe(tmp_path, HIGHEST)
    together = figures_between(variant, script, "uniform")
    monkeypatch.setattr(exact, "find_classes", separate_all_cards)
    assert figures_between(variant, script, "uniform") == pytest.approx(together, abs=1e-12)


@pytest.mark.parametrize("rules", [MARKED_CARD, TWO_PLACES][: extent(1, None)])
def test_uniform_play_merges_cards_that_scripts_distinguish(rules, tmp_path, monkeypatch):
    variant = write_variant(tmp_path, rules)
    assert classes_of(variant).count == 3
    together = figures_between(variant, "uniform", "uniform")
    monkeypatch.setattr(exact, "find_classes", separate_all_cards)
    assert figures_between(variant, "uniform", "uniform") == pytest.approx(together, abs=1e-12)


@pytest.mark.parametrize(
    "case",
    ["rules may move any of several equal cards", *extent([], ["the first card of a pile"])],
)
def test_without_a_proof_results_would_be_wrong(case, tmp_path, monkeypatch):
    variant = write_variant(tmp_path, CASES[case][1])
    (tmp_path / "tiny.yaml").write_text(TINY.replace(">= 1: end", ">= 3: end"))
    right = figures_between(variant, "uniform", "uniform")
    monkeypatch.setattr(CardReads, "note_order", lambda _self, _span: None)
    assert classes_of(variant).count == 3
    wrong = figures_between(variant, "uniform", "uniform")
    assert max(abs(one - other) for one, other in zip(right, wrong, strict=True)) > 0.01
