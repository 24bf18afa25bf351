"""Under rules that pass the information-flow check, no seat notices what it may not see."""

import csv

import pytest
from extent import covering, extent
from tables import SHIPPED

from tests.fuzz.flow.by_hand import PROGRAMS as BY_HAND
from tests.fuzz.flow.by_hand import written
from tests.fuzz.flow.clauses import CLAUSES
from tests.fuzz.flow.mutants import checker
from tests.fuzz.flow.observed import compiled
from tests.fuzz.flow.power import TABLE, TRIES, found_by, read
from tests.fuzz.flow.runs import Odd, distinguish, pairs, try_rules
from tests.fuzz.flow.table import unchecked
from tests.fuzz.flow.writer import ENDING, LOOKING, PICKING, TELLING
from trutdsl.game import load_game
from trutdsl.ir import lower as build
from trutdsl.ir.flow.check import check_visibility
from trutdsl.table.faults import RuleError

PROGRAMS, PARTS = extent(120, 400), 4
TEXT = TABLE.read_text(encoding="utf-8")
FOUND = list(csv.DictReader(TEXT.splitlines()))


@pytest.mark.parametrize("part", range(PARTS))
def test_random_rules_that_are_accepted_show_nothing(part):
    accepted = compared = 0
    told = range(TELLING + part, TELLING + PROGRAMS // 5, PARTS)
    picked = range(PICKING + part, PICKING + PROGRAMS // 5, PARTS)
    ended = range(ENDING + part, ENDING + PROGRAMS // 5, PARTS)
    looked = range(LOOKING + part, LOOKING + PROGRAMS // 5, PARTS)
    for seed in (*range(part, PROGRAMS, PARTS), *told, *picked, *looked, *ended):
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
    needs(row["clause"], read(int(row["seed"]))[1], int(row["seed"]))


@pytest.mark.parametrize("clause", BY_HAND)
def test_without_a_clause_rules_written_for_it_show_a_secret(clause):
    needs(clause, unchecked(written(clause)), 1)


def needs(clause, game, seed):
    """Compare the check with the one without a clause, and what the rules show."""
    name, *patch = next(one for one in CLAUSES if one[0] == clause)
    assert found_by(check_visibility, game)
    assert not found_by(checker(name.replace("-", "_"), [patch]), game)
    assert try_rules(game, TRIES, seed)[1]


SHOWN_IN_ITS_TURN = (
    1_000_776  # an option `openly` is chosen at another time, and the rules show when
)


PICKED = """\
rule match:
    do begin_table
    {reveal}
    ask dealer "q" seen by owner:
        a c from hand[dealer]: move c from hand[dealer] to crib
    end match drawn
"""
# A hand may have been revealed: on every way, on some only, or as it may be the dealer's.
SHOW = "rule show(p): reveal hand[p] to seats\n"
REVEALS = [
    "reveal hand[dealer] to seats",
    "reveal hand[dealer] to next_seat(dealer)",
    "reveal hand[marked] to seats",
    "if known > 0: reveal hand[dealer] to seats",
    "if known > 0: reveal hand[dealer] to next_seat(dealer)",
    "for c in kept[dealer]: reveal hand[dealer] to seats",
    "repeat known times: reveal hand[dealer] to marked",
    "for z in seats: reveal hand[z] to next_seat(z)",
    "do show(dealer)",
    "if known > 0: do show(marked)",
]
# Nobody sees the dealer's hand but the dealer.
NO_REVEALS = [
    "known = 0",
    "reveal hand[dealer] to dealer",
    "if known > 0: reveal hand[dealer] to dealer",
    "reveal kept[dealer] to seats",
]


@pytest.mark.parametrize("reveal", REVEALS)
def test_a_secret_pick_from_a_hand_that_may_have_been_revealed_is_refused(reveal):
    rules = PICKED.format(reveal=reveal) + (SHOW if "show" in reveal else "")
    assert found_by(check_visibility, unchecked(rules))


@pytest.mark.parametrize("reveal", NO_REVEALS)
def test_a_secret_pick_from_a_hand_that_others_do_not_see_is_accepted(reveal):
    assert not found_by(check_visibility, unchecked(PICKED.format(reveal=reveal)))


def test_a_reveal_holds_until_the_next_deal_and_no_longer():
    body = "    reveal hand[dealer] to seats\n    do pick(dealer)\n    end match drawn\n"
    pick = """\
rule pick(p):
    ask p "q" seen by owner:
        a c from hand[p]: move c from hand[p] to crib
"""
    in_deal = body.replace("    do pick(dealer)", "    deal:\n        {}end deal because over")
    begin = "rule match:\n    do begin_table\n"
    for inner, refused in (("", False), ("reveal hand[dealer] to seats\n        ", True)):
        after = in_deal.format(inner + "do pick(dealer)\n        ")
        assert bool(found_by(check_visibility, unchecked(begin + after + pick))) == refused
    assert found_by(check_visibility, unchecked(begin + body + pick))


LIKELY_AS_OTHERS = 2_016_059  # a card comes into a group by a secret, and another one is drawn


def test_a_draw_takes_a_card_that_lies_in_both_groups_in_both_runs():
    _, game = read(LIKELY_AS_OTHERS)
    assert not found_by(check_visibility, game)
    compared, apart = try_rules(game, 40, LIKELY_AS_OTHERS)
    assert compared > 100
    assert not apart


def test_when_an_option_is_chosen_openly_is_released_with_it():
    _, game = read(SHOWN_IN_ITS_TURN)
    assert not found_by(check_visibility, game)
    compared = list(pairs(game, 4, 12, SHOWN_IN_ITS_TURN))
    assert any(said[3] for base, *_ in compared for said in base.one.trace.said)
    assert [apart for *_, apart in compared if apart] == []


def test_the_table_is_of_the_clauses_as_they_are():
    """Those that no program has been found to need are named in the README beside this file."""
    found, all_of_them = {row["clause"] for row in FOUND}, {name for name, *_ in CLAUSES}
    found |= BY_HAND.keys()
    assert len(all_of_them) == len(CLAUSES)
    assert found <= all_of_them
    readme = TABLE.with_name("README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in readme for name in all_of_them - found)


@pytest.mark.parametrize(("name", "players"), covering(SHIPPED))
def test_shipped_variants_show_nothing(name, players):
    compared, apart = compare(load_game(name, players, engine="reference"))
    assert compared > 10
    assert not apart


def test_a_look_at_another_hand_is_noticed(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "check_visibility", lambda _program, _errors: 0)
    path = tmp_path / "peeking.yaml"
    path.write_text(PEEKING, encoding="utf-8")
    assert compare(load_game(path, 2, engine="reference"))[1]


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
            apart.append(distinguish(game, code, seed, most=40))
        except (Odd, RuleError):
            continue
        compared += 1
    return compared, [found for found in apart if found]
