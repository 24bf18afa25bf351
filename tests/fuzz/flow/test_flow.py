"""Under rules that pass the information-flow check, no seat notices what it may not see."""

import csv

import pytest
from extent import THOROUGH, covering, extent
from tables import SHIPPED

from tests.fuzz.flow.by_hand import PROGRAMS as BY_HAND
from tests.fuzz.flow.by_hand import rules_for
from tests.fuzz.flow.clauses import CLAUSES
from tests.fuzz.flow.mutants import load_mutant
from tests.fuzz.flow.observed import compile_observed
from tests.fuzz.flow.power import TABLE, TRIES, count_refusals, generate
from tests.fuzz.flow.runs import EACH, NotComparable, distinguish, play_pairs, try_rules
from tests.fuzz.flow.table import build_unchecked
from tests.fuzz.flow.writer import ANNOUNCE_SEED, HOOK_SEED, LOOK_SEED, PICK_SEED
from trutdsl.game import load_game
from trutdsl.ir import lower as build
from trutdsl.ir.flow.check import check_visibility
from trutdsl.table.faults import RuleError

PROGRAMS, PARTS = extent((40, 1), (400, 2))
SEEDS = extent(40, 60)  # pairs of runs of each shipped table
TEXT = TABLE.read_text(encoding="utf-8")
ROWS = list(csv.DictReader(TEXT.splitlines()))


@pytest.mark.parametrize("part", range(PARTS))
def test_accepted_random_rules_leak_nothing(part):
    accepted = compared = 0
    seeds = [*range(part, PROGRAMS, PARTS)]
    for family in (ANNOUNCE_SEED, PICK_SEED, LOOK_SEED, HOOK_SEED):
        seeds += range(family + part, family + PROGRAMS // 5, PARTS)
    for seed in seeds:
        _, game = generate(seed)
        if game is None or count_refusals(check_visibility, game):
            continue
        times, differences = try_rules(game, 8, seed)
        assert not differences, (seed, differences)
        accepted, compared = accepted + 1, compared + times
    assert accepted > PROGRAMS / PARTS / 6
    assert compared > 4 * accepted


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["clause"])
def test_random_rules_leak_without_a_clause(row):
    check_need(row["clause"], generate(int(row["seed"]))[1], int(row["seed"]))


@pytest.mark.parametrize("clause", BY_HAND)
def test_hand_written_rules_leak_without_a_clause(clause):
    check_need(clause, build_unchecked(rules_for(clause)), 1)


def check_need(clause, game, seed):
    """Check that the rules leak, that the check refuses them, and that it needs the clause.

    For two clauses of three, only a thorough run checks more than the refusal.
    """
    name, *patch = next(one for one in CLAUSES if one[0] == clause)
    assert count_refusals(check_visibility, game)
    if not (THOROUGH or [one for one, *_ in CLAUSES].index(clause) % 3 == 0):
        return
    assert not count_refusals(load_mutant(name.replace("-", "_"), [patch]), game)
    assert any(difference for *_, difference in play_pairs(game, TRIES, EACH, seed))


OPEN_ANSWER_SEED = 1_000_776  # a seat answers `openly` at another time, and the rules show when
SECRET_PICK = """\
rule match:
    do begin_table
    {reveal}
    ask dealer "q" seen by owner:
        a c from hand[dealer]: move c from hand[dealer] to crib
    end match drawn
"""
# A hand may have been revealed: on every path, on some paths, or because the dealer may be meant.
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
    rules = SECRET_PICK.format(reveal=reveal) + (SHOW if "show" in reveal else "")
    assert count_refusals(check_visibility, build_unchecked(rules))


@pytest.mark.parametrize("reveal", NO_REVEALS)
def test_a_secret_pick_from_a_hand_that_others_do_not_see_is_accepted(reveal):
    assert not count_refusals(check_visibility, build_unchecked(SECRET_PICK.format(reveal=reveal)))


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
        assert (
            bool(count_refusals(check_visibility, build_unchecked(begin + after + pick))) == refused
        )
    assert count_refusals(check_visibility, build_unchecked(begin + body + pick))


# A secret decides which card joins a group, and the draw takes another one, with the same chance.
SAME_CHANCE_SEED = 2_016_059


def test_a_draw_takes_a_card_that_lies_in_both_groups_in_both_runs():
    _, game = generate(SAME_CHANCE_SEED)
    assert not count_refusals(check_visibility, game)
    compared, differences = try_rules(game, 40, SAME_CHANCE_SEED)
    assert compared > 100
    assert not differences


def test_an_open_answer_releases_its_time():
    _, game = generate(OPEN_ANSWER_SEED)
    assert not count_refusals(check_visibility, game)
    compared = list(play_pairs(game, 4, 12, OPEN_ANSWER_SEED))
    assert any(said[3] for base, *_ in compared for said in base.first_run.trace.answers)
    assert [difference for *_, difference in compared if difference] == []


def test_the_table_names_existing_clauses():
    """The README of this folder names the clauses that no program is known to need."""
    found, clauses = {row["clause"] for row in ROWS}, {name for name, *_ in CLAUSES}
    found |= BY_HAND.keys()
    assert len(clauses) == len(CLAUSES)
    assert found <= clauses
    readme = TABLE.with_name("README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in readme for name in clauses - found)


@pytest.mark.parametrize(("name", "players"), covering(SHIPPED))
def test_shipped_variants_leak_nothing(name, players):
    compared, differences = compare(load_game(name, players, engine="reference"))
    assert compared > 10
    assert not differences


def test_the_comparison_detects_a_look_at_another_hand(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "check_visibility", lambda *_: 0)
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
    """Return the number of compared pairs of runs, and their differences."""
    code, compared, found = compile_observed(game), 0, []
    for seed in range(SEEDS):
        try:
            found.append(distinguish(game, code, seed, most=40))
        except (NotComparable, RuleError):
            continue
        compared += 1
    return compared, [difference for difference in found if difference]
