"""The vocabulary of variants: layered as rules are, checked with them, and no part of play."""

from __future__ import annotations

import pytest

from trutdsl.diagnostics import Collector, Rejected, render_all
from trutdsl.game import load_game
from trutdsl.ir import build_program
from trutdsl.ir.script.vocabulary import vocabulary_of
from trutdsl.strategy import count_matches, load_strategy
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


def written(folder, text):
    (folder / "house.yaml").write_text(text, encoding="utf-8")
    return load_variant(folder / "house.yaml")


def test_a_vocabulary_decides_nothing_in_play(tmp_path):
    plain = written(tmp_path, HOUSE + RULES)
    for text in (HOUSE + RULES + WORDS, HOUSE + WORDS + RULES):
        told = written(tmp_path, text)
        assert told.fingerprint == plain.fingerprint
        assert told.vocabulary_fingerprint != plain.vocabulary_fingerprint


def test_what_stands_around_a_vocabulary_decides(tmp_path):
    plain = written(tmp_path, HOUSE + WORDS)
    other = written(tmp_path, HOUSE + WORDS + "\nset: {goal: 3}\n")
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
    variant = written(tmp_path, HOUSE + WORDS)
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


def test_machine_code_of_scripts_is_that_of_the_vocabulary(tmp_path):
    """What was compiled before the vocabulary changed is not taken for what is compiled now."""
    script = tmp_path / "mine.strategy"
    turn = "    on turn:\n        trut when word\n        play card\n"
    script.write_text(f"strategy mine for house:\n{turn}    otherwise: any\n")
    spec, found = load_strategy(str(script)), []
    for word in ("no", "yes"):
        written(tmp_path, HOUSE + f"vocabulary: |\n  define word: {word}\nset: {{goal: 1}}\n")
        game = load_game(tmp_path / "house.yaml", 2, engine="native")
        counts = count_matches(game, [spec, spec], 1, 0, 5)
        found.append((dict(counts.answers())["turn"]["trut"], game.measuring().fingerprint))
    assert found[0][0] == 0 < found[1][0]
    assert found[0][1] != found[1][1]
