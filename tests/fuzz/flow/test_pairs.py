"""No channel to a seat distinguishes two runs that the seat may not distinguish.

These channels need no other library. Those of learning agents are tested in `tests/rl`.
"""

import pytest
from extent import extent

from tests.fuzz.flow.channels import CHANNELS, LEARNING, Interfaces
from tests.fuzz.flow.observed import compile_observed
from tests.fuzz.flow.pairs import (
    ENGINE,
    LEAKY_RULES,
    SECRETIVE,
    count_pairs_until_leak,
    play_seeds,
    seeds_of,
)
from tests.fuzz.flow.power import count_refusals
from tests.fuzz.flow.runs import Base, NotComparable, play_pairs
from tests.fuzz.flow.table import build_unchecked
from trutdsl.ir.flow.check import check_visibility

PROGRAMS = extent(100, 800)
LOCAL_CHANNELS = [name for name in CHANNELS if name not in LEARNING]


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # no program occurs twice
    monkeypatch.setenv("TRUTDSL_QUICK", "1")


def test_no_channel_shows_a_secret():
    seeds = seeds_of(0, PROGRAMS, SECRETIVE)
    results = play_seeds(seeds, bases=4, each=8, through=4, channels=LOCAL_CHANNELS)
    assert results.found == {}
    assert results.accepted >= PROGRAMS / 10
    assert results.effective[ENGINE] > PROGRAMS / 2
    assert all(results.effective[name] > PROGRAMS / 10 for name in LOCAL_CHANNELS)


@pytest.mark.parametrize("name", LOCAL_CHANNELS)
def test_each_channel_shows_the_secret_of_leaky_rules(name):
    assert count_pairs_until_leak(name, LEAKY_RULES)


# A card becomes visible after a random choice that only the dealer may notice.
LUCK = """\
rule match:
    do begin_table
    ask marked "first":
        a c from hand[marked]:
            if luck_in(hand[dealer]) > 1:
                let other = random from seats
                hint[dealer] = (2 if other == dealer else 3)
            move c from hand[marked] to row[marked]
    for z in seats:
        ask z "last":
            pass
            b
    end match drawn
"""


@pytest.mark.parametrize("name", LOCAL_CHANNELS)
def test_no_channel_shows_secret_chance(name):
    assert not count_refusals(check_visibility, build_unchecked(LUCK))
    assert not count_pairs_until_leak(name, LUCK)


def test_a_pair_is_effective_only_if_a_secret_was_read():
    """These rules read the cards of hands; without the two lines they read nothing."""
    lines = LEAKY_RULES.splitlines(keepends=True)
    silent = "".join(line for line in lines if "luck_in" not in line and '"hint"' not in line)
    silent = silent.replace("        a\n            a\n", "        a\n")
    for rules, reads in ((LEAKY_RULES, True), (silent, False)):
        effective = [
            base.first_run.trace.read != run.trace.read
            for base, _, run, _ in play_pairs(build_unchecked(rules), 6, 4, 1)
        ]
        assert effective and any(effective) == reads


def test_machine_code_continues_only_from_reachable_positions():
    """In machine code, a variable that no rule changes is a constant."""
    read = "rule match:\n    do begin_table\n    known = hint[dealer]\n    end match drawn\n"
    changed = read.replace("    known", "    hint[dealer] = 1\n    known")
    assert Interfaces(build_unchecked(read)).has_constants
    assert not Interfaces(build_unchecked(changed)).has_constants
    assert not Interfaces(build_unchecked(LEAKY_RULES)).has_constants


def test_the_same_key_gives_the_same_position():
    game = build_unchecked(LEAKY_RULES)
    code, bases = compile_observed(game), []
    for seed in range(20):
        try:
            bases.append(Base(game, code, seed, 0))
        except NotComparable:
            continue
    base = bases[0]
    first, second, other = (
        [[pile.cards() for pile in base.replay(key).zones[name]] for name in game.program.zones]
        for key in (5, 5, 6)
    )
    assert first == second != other
