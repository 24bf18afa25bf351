"""The vocabulary of a variant: it has layers and checks like rules, and does not affect play."""

from __future__ import annotations

import pytest

from trutdsl.diagnostics import Collector, Rejected, render_all
from trutdsl.game import load_game
from trutdsl.ir import build_program
from trutdsl.ir.script.vocabulary import vocabulary_of
from trutdsl.strategy.count import count_matches
from trutdsl.strategy.load import load_strategy
from trutdsl.variant import list_variants, load_variant

HOUSE = """variant: house
title: House
extends: trut
"""
WORDS = """
vocabulary: |
  replace define two_best: base - 1
  define brave: two_best > 3
"""
RULES = """
rules: |
  after rule gain_petits(side: team, amount: number): return
"""


def load_house(folder, text):
    (folder / "house.yaml").write_text(text, encoding="utf-8")
    return load_variant(folder / "house.yaml")


def test_a_vocabulary_does_not_change_the_fingerprint_of_play(tmp_path):
    plain = load_house(tmp_path, HOUSE + RULES)
    for text in (HOUSE + RULES + WORDS, HOUSE + WORDS + RULES):
        extended = load_house(tmp_path, text)
        assert extended.fingerprint == plain.fingerprint
        assert extended.vocabulary_fingerprint != plain.vocabulary_fingerprint


def test_other_parts_of_the_file_change_the_fingerprint(tmp_path):
    plain = load_house(tmp_path, HOUSE + WORDS)
    other = load_house(tmp_path, HOUSE + WORDS + "\nset: {goal: 3}\n")
    assert plain.fingerprint != other.fingerprint


def test_a_changed_vocabulary_is_checked_again(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE + WORDS, encoding="utf-8")
    load_game(path, engine="reference")
    path.write_text(HOUSE + WORDS.replace("two_best > 3", "two_bst > 3"), encoding="utf-8")
    with pytest.raises(Rejected) as rejected:
        load_game(path, engine="reference")
    assert "house.yaml:7:17: error: there is no name 'two_bst'" in render_all(rejected.value)


def test_a_replaced_word_builds_on_the_one_below(tmp_path):
    variant = load_house(tmp_path, HOUSE + WORDS)
    errors = Collector()
    builder = vocabulary_of(variant, build_program(variant), errors)
    assert builder.find("brave") is not None
    assert errors.diagnostics == []
    names = {"vocabulary:brave", "vocabulary:two_best", "vocabulary:two_best of three-tricks"}
    assert set(builder.functions) == names


def test_no_rule_is_built_from_a_vocabulary():
    for name in list_variants():
        program = build_program(load_variant(name))
        assert not any(":" in function for function in program.functions)
        assert program.policies == {}


def test_a_changed_vocabulary_gives_scripts_new_machine_code(tmp_path):
    """The cache does not return the code of the earlier vocabulary."""
    script = tmp_path / "mine.strategy"
    turn = "    on turn:\n        trut when word\n        play card\n"
    script.write_text(f"strategy mine for house:\n{turn}    otherwise: any\n")
    spec, found = load_strategy(str(script)), []
    for word in ("no", "yes"):
        load_house(tmp_path, HOUSE + f"vocabulary: |\n  define word: {word}\nset: {{goal: 1}}\n")
        game = load_game(tmp_path / "house.yaml", 2, engine="native")
        counts = count_matches(game, [spec, spec], 1, 0, 5)
        found.append((dict(counts.answers())["turn"]["trut"], game.measuring().fingerprint))
    assert found[0][0] == 0 < found[1][0]
    assert found[0][1] != found[1][1]
