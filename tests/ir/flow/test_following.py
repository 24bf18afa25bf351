"""How rules are followed: what a refusal says, and how much is looked at."""

import pytest

from trutdsl.diagnostics import Collector
from trutdsl.ir.flow.check import check_visibility
from trutdsl.ir.flow.statements import StatementFlow


def test_a_leak_in_a_rule_says_where_its_control_began(refused):
    found = refused("""
        rule match:
            if known > 1:
                if good(dealer):
                    do part
        rule part:
            do score
        rule score:
            points[team(dealer)] += 1
    """)
    assert [(code, line, notes) for code, line, _, notes in found] == [("leak", 8, [3])]


def test_all_secrets_of_one_mistake_are_told_at_once(refused):
    found = refused("""
        rule match:
            let x = 0
            repeat 3 times:
                known = x
                x = strength(top(crib)) + lost if good(dealer) else 0
    """)
    assert [(code, line) for code, line, _, _ in found] == [("leak", 4)]
    assert "'crib', 'hand' and 'lost'" in found[0][2]


def test_rules_are_not_looked_at_again_for_every_way_that_leads_to_them(build):
    """Each of 40 rules does the next one twice, with the dealer moved on in between."""
    rules = "rule match:\n    do r0(dealer)\n" + "".join(
        f"rule r{i}(p):\n    do r{i + 1}(next_seat(p))\n    dealer = p\n    do r{i + 1}(dealer)\n"
        for i in range(40)
    )
    program = build(rules + 'rule r40(p):\n    ask p "turn":\n        play c from hand[p]\n')
    assert check_visibility(program, Collector()) < 40 * 80


def test_rules_met_in_very_many_situations_are_looked_at_in_one_for_all(codes, build):
    rules = "rule match:\n    let p0 = dealer\n" + "".join(
        f"    let p{i + 1} = next_seat(p{i})\n    do part(p{i}, dealer)\n" for i in range(100)
    )
    part = 'rule part(p, q):\n    ask p "turn":\n        play c from hand[{}]\n'
    program = build(rules + part.format("p"))
    assert check_visibility(program, Collector()) < 80
    assert codes(rules + part.format("q")) == [("hidden", 205)]


@pytest.mark.parametrize(("loops", "expected"), [(6, []), (18, [("too-deep", 15)])])
def test_loops_in_each_other(codes, monkeypatch, loops, expected):
    rules, pad = "rule match:\n    let x0 = 0\n", "    "
    for i in range(loops):
        rules += f"{pad}for p{i} in seats:\n{pad}    let x{i + 1} = 0\n"
        pad += "    "
    for i in range(loops):
        of = f"those c in hand[p{i}] where strength(c) > 1"
        rules += f"{pad}x{i + 1} += x{i}\n{pad}x0 += size({of})\n"
    followed, follow = [], StatementFlow.follow
    monkeypatch.setattr(StatementFlow, "follow", lambda *args: followed.append(1) or follow(*args))
    assert codes(rules) == expected
    assert len(followed) < 60_000
