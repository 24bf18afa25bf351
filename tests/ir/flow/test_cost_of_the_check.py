"""How the check follows rules: its messages and its cost."""

import pytest
from extent import extent

from trutdsl.diagnostics import Collector
from trutdsl.ir.flow.check import check_visibility
from trutdsl.ir.flow.statements import StatementFlow


def test_a_leak_in_a_rule_is_reported_at_the_secret_condition(rejections):
    found = rejections("""
        rule match:
            if known > 1:
                if good(dealer):
                    do part
        rule part:
            do score
        rule score:
            points[team(dealer)] += 1
    """)
    assert [(code, line, notes) for code, line, _, notes in found] == [("leak", 3, [8])]


def test_one_error_names_all_its_secrets(rejections):
    found = rejections("""
        rule match:
            let x = 0
            repeat 3 times:
                known = x
                x = strength(top(crib)) + lost if good(dealer) else 0
    """)
    assert [(code, line) for code, line, _, _ in found] == [("leak", 4)]
    assert "'crib', 'hand' and 'lost'" in found[0][2]


def test_a_rule_is_not_checked_again_for_every_path_to_it(build):
    """Each of 40 rules calls the next one twice, and changes the dealer in between."""
    rules = "rule match:\n    do r0(dealer)\n" + "".join(
        f"rule r{i}(p):\n    do r{i + 1}(next_seat(p))\n    dealer = p\n    do r{i + 1}(dealer)\n"
        for i in range(40)
    )
    program = build(rules + 'rule r40(p):\n    ask p "turn":\n        play c from hand[p]\n')
    assert check_visibility(program, Collector()) < 40 * 80


def test_a_rule_with_very_many_situations_is_checked_in_a_joint_one(codes, build):
    rules = "rule match:\n    let p0 = dealer\n" + "".join(
        f"    let p{i + 1} = next_seat(p{i})\n    do part(p{i}, dealer)\n" for i in range(100)
    )
    part = 'rule part(p, q):\n    ask p "turn":\n        play c from hand[{}]\n'
    program = build(rules + part.format("p"))
    assert check_visibility(program, Collector()) < 80
    assert codes(rules + part.format("q")) == [("hidden", 205)]


NOTE = "rule part(p, n: number): lost += n * size(hand[p])\n"
ALTERNATING = {
    "arguments": ("do part({p}, {place}[dealer])", "hint", "mates", NOTE),
    "conditions": ("if {place}[dealer] > 0: do part({p}, 1)", "hint", "mates", NOTE),
    "revealed places": (
        "deal:\n        reveal {place}[dealer] to seats\n        do part({p})\n"
        "        end deal because over",
        "hand",
        "kept",
        "rule part(p): move all from hand[p] to kept[p]\n",
    ),
}


@pytest.mark.parametrize("what", list(ALTERNATING)[:: extent(2, 1)])
def test_the_joint_situation_covers_what_alternates(build, what):
    """Each of 100 calls differs from the one before, but not from all before."""
    call, *places, part = ALTERNATING[what]
    rules = "rule match:\n    let p0 = dealer\n" + "".join(
        f"    let p{i + 1} = next_seat(p{i})\n    {call.format(p=f'p{i}', place=places[i % 2])}\n"
        for i in range(100)
    )
    assert 60 < check_visibility(build(rules + part), Collector()) < 70


@pytest.mark.parametrize(("loops", "expected"), [(6, []), (18, [("too-deep", 15)])])
def test_nested_loops_are_bounded(codes, monkeypatch, loops, expected):
    rules, pad = "rule match:\n    let x0 = 0\n", "    "
    for i in range(loops):
        rules += f"{pad}for p{i} in seats:\n{pad}    let x{i + 1} = 0\n"
        pad += "    "
    for i in range(loops):
        of = f"those c in hand[p{i}] where strength(c) > 1"
        rules += f"{pad}x{i + 1} += x{i}\n{pad}x0 += size({of})\n"
    calls, follow = [], StatementFlow.follow
    monkeypatch.setattr(StatementFlow, "follow", lambda *args: calls.append(1) or follow(*args))
    assert codes(rules) == expected
    assert len(calls) < 60_000
