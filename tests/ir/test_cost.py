"""Bounds of the steps that rules take."""

import pytest

from trutdsl.ir import nodes
from trutdsl.ir.effects import FEW, Work
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import Kind

COUNTS = {None: 1, Kind.SEAT: 4, Kind.TEAM: 2, Kind.CARD: 32, Kind.SUIT: 4, Kind.RANK: 8}


def work_and_node(load, kind, rules):
    """Return the bounds for four players, and the first node of this kind."""
    _, program = load(rules)
    found = [node for rule in program.rules.values() for node in walk(rule.body)]
    return Work(program, COUNTS.__getitem__), next(n for n in found if isinstance(n, kind))


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("let often = do drawn\n    do turns(often)", True),
        ("do turns(2)\n    do turns(3)", True),
        ("let often = do drawn\n    often += known\n    do turns(often)", False),
        ("let often = known\n    do turns(often)", False),
        ("do turns(3)\n    do turns(known)", False),
    ],
)
def test_the_number_of_turns_is_known_from_the_results_of_a_rule(load, body, known):
    rules = f"""
rule match:
    known = do drawn
    {body}
    end match drawn
rule drawn -> number:
    if noted: return 1
    return 3
rule turns(amount: number):
    repeat amount times: draw from stock to hand[dealer]
"""
    work, repeat = work_and_node(load, nodes.Repeat, rules)
    assert (work.of(repeat) <= FEW) is known
    assert bool(work.cost(repeat)) is not known


def test_the_block_of_an_option_runs_for_one_choice(load):
    work, ask = work_and_node(
        load,
        nodes.Ask,
        """
rule match:
    ask dealer "lay":
        lay card from hand[dealer]: do look
        away card from (those c in hand[dealer] where good(dealer)) when card != top(row): do look
    end match drawn
rule look:
    for player in seats: known += size(hand[player])
""",
    )
    lay, away = ask.options
    for option in (lay, away):
        (binder,) = option.binders
        asked = 32 * work.of(option.condition) if option.condition is not None else 0
        assert work.of(option) == 1 + work.of(binder) + asked + work.of(option.body)
    assert work.of(away.binders[0]) > work.of(lay.binders[0])


def test_choices_are_computed_for_each_earlier_choice(load):
    work, ask = work_and_node(
        load,
        nodes.Ask,
        """
rule match:
    ask dealer "give":
        give card from hand[dealer], other from (those p in seats where points[team(p)] > 0):
            move card from hand[dealer] to kept[other]
    end match drawn
""",
    )
    (option,) = ask.options
    first, second = option.binders
    one_each = work.of(first) + 32 * work.of(second)
    assert work.of(option) == 1 + one_each + work.of(option.body)
