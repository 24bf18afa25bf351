"""Under rules that pass the visibility check, no seat notices a change of what it may not see."""

import pytest
from random_rules import Odd, Writer, told_apart, try_rules

from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game
from trutdsl.ir.flow import check

PROGRAMS = 150


def test_random_rules(load):
    accepted = compared = 0
    for seed in range(PROGRAMS):
        rules = Writer(seed).program()
        try:
            built = load(rules)
        except Rejected as rejected:
            assert {d.code for d in rejected.diagnostics} <= {"leak", "hidden"}, rules
            continue
        times, apart = try_rules(*built, 8, seed)
        assert not apart, rules
        accepted, compared = accepted + 1, compared + times
    assert accepted > PROGRAMS / 8
    assert compared > accepted


def test_without_the_check_random_rules_are_told_apart(load, monkeypatch):
    monkeypatch.setattr(check.Leaks, "report", lambda _leaks, _errors: None)
    apart = sum(bool(try_rules(*load(Writer(seed).program()), 8, seed)[1]) for seed in range(20))
    assert apart > 4


@pytest.mark.parametrize("players", [2, 4])
def test_trut(players):
    compared, apart = compare(load_game("trut", players))
    assert compared > 75
    assert not apart


def test_trut_with_a_look_at_another_hand(monkeypatch, tmp_path):
    monkeypatch.setattr(check.Leaks, "report", lambda _leaks, _errors: None)
    path = tmp_path / "peeking.yaml"
    path.write_text(PEEKING, encoding="utf-8")
    assert compare(load_game(path, 2))[1]


PEEKING = """\
variant: peeking
title: Peeking
summary: Whether trut may be called tells of the dealer's cards.
extends: trut
rules: |
  replace define can_call: base and any c in hand[dealer] has strength(c) > 6
"""


def compare(game):
    compared, apart = 0, []
    for seed in range(150):
        try:
            apart.append(told_apart(game, seed, most=40))
        except Odd:
            continue
        compared += 1
    return compared, [found for found in apart if found]
