"""What the help names for things that happen, and for whom they happen to, is accepted."""

import pytest
from applied_help import assert_help_is_accepted

OURS = """\
variant: ours
language: 3
title: Ours
extends: trut
rules: |
"""
RULE = OURS + '  before rule play_tricks "x":\n'
BEGINS = "write `before rule NAME(...):` with the rule that begins it"
HAPPENS = "write `after rule NAME(...):` with the rule in which that happens"


@pytest.mark.parametrize(
    ("wrong", "help_", "right"),
    [
        (
            "      if dealer wins: return",
            "such as `winner == dealer`",
            "      let winner = on_lead\n      if winner == dealer: return",
        ),
        (
            "      for player in seats where partner calls: shuffle stock",
            "such as `caller == partner(player)`",
            "      let caller = on_lead\n"
            "      for player in seats where caller == partner(player): shuffle stock",
        ),
        (
            "      if trut is called: return",
            "name a variable of the rules that says so, such as `called`",
            "      let called = players > 2\n      if called: return",
        ),
        (
            "      if a team has 2 petits: return",
            "write `any side in teams has petits[side] >= 2`",
            "      if any side in teams has petits[side] >= 2: return",
        ),
        (
            "      longs[us] += 1",
            "write `team(SEAT)`, such as `team(dealer)`",
            "      longs[team(dealer)] += 1",
        ),
        (
            "      for side in them: petits[side] += 1",
            "write `opponents(SEAT)`, such as `opponents(dealer)`",
            "      for p in opponents(dealer): petits[team(p)] += 1",
        ),
    ],
)
def test_what_the_help_names_is_accepted_in_a_rule(tmp_path, capsys, wrong, help_, right):
    texts = f"{RULE}{wrong}\n", help_, f"{RULE}{right}\n"
    assert_help_is_accepted(tmp_path / "ours.yaml", capsys, *texts)


@pytest.mark.parametrize(
    ("wrong", "help_", "right"),
    [
        ("when trut is called:", HAPPENS, "after rule call(caller):"),
        ("when the dealer folds:", HAPPENS, "after rule call(caller):"),
        ("before the first trick:", BEGINS, "before rule play_tricks:"),
        ("before the deal:", BEGINS, "before rule play_deal:"),
        (
            "after rule call(a player):",
            "a parameter is a name and its type: `player: seat`",
            "after rule call(player: seat):",
        ),
        (
            "after rule call(player p):",
            "a parameter is a name and its type: `p: seat`",
            "after rule call(p: seat):",
        ),
    ],
)
def test_what_the_help_names_is_accepted_as_a_heading(tmp_path, capsys, wrong, help_, right):
    body = "\n      shuffle stock\n"
    texts = f"{OURS}  {wrong}{body}", help_, f"{OURS}  {right}{body}"
    assert_help_is_accepted(tmp_path / "ours.yaml", capsys, *texts)


def test_a_winner_has_a_name_where_the_deal_is_over(tmp_path, capsys):
    wrong = f"{RULE}      petits[winner] += 1\n"
    help_ = "write `if let side = winner:` in a piece `when a deal is over:`"
    right = f"{OURS}  when a deal is over:\n      if let side = winner: longs[side] += 1\n"
    assert_help_is_accepted(tmp_path / "ours.yaml", capsys, wrong, help_, right)


@pytest.mark.parametrize(
    ("wrong", "help_", "right"),
    [
        ("partner calls", "such as `caller == partner(me)`", "caller == partner(me)"),
        ("opponents called", "such as `team(who) != team(me)`", "caller != none"),
        ("trut is called", "such as `called`", "caller != none"),
    ],
)
def test_what_the_help_names_is_accepted_in_a_script(tmp_path, capsys, wrong, help_, right):
    script = (
        "strategy ours for trut:\n    on turn:\n        trut when {}\n    otherwise:\n        any\n"
    )
    texts = script.format(wrong), help_, script.format(right)
    assert_help_is_accepted(tmp_path / "ours.strategy", capsys, *texts)
