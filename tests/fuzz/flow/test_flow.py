"""Under rules that pass the information-flow check, no seat notices what it may not see."""

import csv

import pytest
from extent import covering, extent
from tables import SHIPPED

from tests.fuzz.flow.clauses import CLAUSES
from tests.fuzz.flow.mutants import checker
from tests.fuzz.flow.observed import compiled
from tests.fuzz.flow.power import TABLE, TRIES, found_by, read
from tests.fuzz.flow.runs import Odd, told_apart, try_rules
from tests.fuzz.flow.writer import LOOKING, PICKING, TELLING
from trutdsl.game import load_game
from trutdsl.ir.build import program as build
from trutdsl.ir.flow.check import check_visibility
from trutdsl.table import RuleError

PROGRAMS, PARTS = extent(200, 400), 4
TEXT = TABLE.read_text(encoding="utf-8")
FOUND = list(csv.DictReader(TEXT.splitlines()))


@pytest.mark.parametrize("part", range(PARTS))
def test_random_rules_that_are_accepted_show_nothing(part):
    accepted = compared = 0
    told = range(TELLING + part, TELLING + PROGRAMS // 5, PARTS)
    picked = range(PICKING + part, PICKING + PROGRAMS // 5, PARTS)
    looked = range(LOOKING + part, LOOKING + PROGRAMS // 5, PARTS)
    for seed in (*range(part, PROGRAMS, PARTS), *told, *picked, *looked):
        _, game = read(seed)
        if game is None or found_by(check_visibility, game):
            continue
        times, apart = try_rules(game, 8, seed)
        assert not apart, (seed, apart)
        accepted, compared = accepted + 1, compared + times
    assert accepted > PROGRAMS / PARTS / 6
    assert compared > 4 * accepted


@pytest.mark.parametrize("row", FOUND, ids=lambda row: row["clause"])
def test_without_a_clause_some_rules_show_a_secret(row):
    name, *patch = next(clause for clause in CLAUSES if clause[0] == row["clause"])
    _, game = read(int(row["seed"]))
    assert found_by(check_visibility, game)
    assert not found_by(checker(name.replace("-", "_"), [patch]), game)
    assert try_rules(game, TRIES, int(row["seed"]))[1]


def test_the_table_is_of_the_clauses_as_they_are():
    """Those that no program has been found to need are named in the README beside this file."""
    found, all_of_them = {row["clause"] for row in FOUND}, {name for name, *_ in CLAUSES}
    assert len(all_of_them) == len(CLAUSES)
    assert found <= all_of_them
    readme = TABLE.with_name("README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in readme for name in all_of_them - found)


@pytest.mark.parametrize(("name", "players"), covering(SHIPPED))
def test_shipped_variants_show_nothing(name, players):
    compared, apart = compare(load_game(name, players))
    assert compared > 10
    assert not apart


def test_a_look_at_another_hand_is_noticed(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "check_visibility", lambda _program, _errors: 0)
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
    code, compared, apart = compiled(game), 0, []
    for seed in range(60):
        try:
            apart.append(told_apart(game, code, seed, most=40))
        except (Odd, RuleError):
            continue
        compared += 1
    return compared, [found for found in apart if found]
