"""Nothing that leads to a seat distinguishes two runs that it may not distinguish.

Here are the channels that need no other library; those of learning agents are in `tests/rl`.
"""

import pytest
from extent import extent

from tests.fuzz.flow.channels import CHANNELS, LEARNING, Interfaces
from tests.fuzz.flow.observed import compiled
from tests.fuzz.flow.pairs import ENGINE, SECRETIVE, SHOWN, play_seeds, seeds_of, tells
from tests.fuzz.flow.power import found_by
from tests.fuzz.flow.runs import Base, Odd, pairs
from tests.fuzz.flow.table import unchecked
from trutdsl.ir.flow.check import check_visibility

PROGRAMS = extent(100, 800)
HERE = [name for name in CHANNELS if name not in LEARNING]


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", "")  # a program does not come again
    monkeypatch.setenv("TRUTDSL_QUICK", "1")


def test_no_channel_tells_of_a_secret():
    seeds = seeds_of(0, PROGRAMS, SECRETIVE)
    played = play_seeds(seeds, bases=4, each=8, through=4, channels=HERE)
    assert played.found == {}
    assert played.accepted >= PROGRAMS / 10
    assert played.effective[ENGINE] > PROGRAMS / 2
    assert all(played.effective[name] > PROGRAMS / 10 for name in HERE)


@pytest.mark.parametrize("name", HERE)
def test_a_channel_that_tells_of_a_secret_is_found(name):
    assert tells(name, SHOWN)


# A card comes into sight after luck of which only the dealer may know that there was any.
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


@pytest.mark.parametrize("name", HERE)
def test_no_channel_tells_whether_there_was_luck_in_secret(name):
    assert not found_by(check_visibility, unchecked(LUCK))
    assert not tells(name, LUCK)


def test_a_pair_is_effective_only_if_a_secret_was_read():
    """Luck in hands is read by these rules, and nothing by those without the two lines."""
    lines = SHOWN.splitlines(keepends=True)
    silent = "".join(line for line in lines if "luck_in" not in line and '"hint"' not in line)
    silent = silent.replace("        a\n            a\n", "        a\n")
    for rules, reads in ((SHOWN, True), (silent, False)):
        effective = [
            base.one.trace.read != run.trace.read
            for base, _, run, _ in pairs(unchecked(rules), 6, 4, 1)
        ]
        assert effective and any(effective) == reads


def test_machine_code_goes_on_only_from_positions_that_it_can_come_to():
    """It has built in what a variable holds that no rule changes."""
    read = "rule match:\n    do begin_table\n    known = hint[dealer]\n    end match drawn\n"
    changed = read.replace("    known", "    hint[dealer] = 1\n    known")
    assert Interfaces(unchecked(read)).built_in
    assert not Interfaces(unchecked(changed)).built_in
    assert not Interfaces(unchecked(SHOWN)).built_in


def test_the_same_key_gives_the_same_position():
    game = unchecked(SHOWN)
    code, bases = compiled(game), []
    for seed in range(20):
        try:
            bases.append(Base(game, code, seed, 0))
        except Odd:
            continue
    base = bases[0]
    held = [[pile.cards() for pile in base.again(5).zones[name]] for name in game.program.zones]
    again = [[pile.cards() for pile in base.again(5).zones[name]] for name in game.program.zones]
    other = [[pile.cards() for pile in base.again(6).zones[name]] for name in game.program.zones]
    assert held == again != other
