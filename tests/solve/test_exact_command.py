"""The command `exact`, its refusals, and constants that do not change its result."""

import json
from math import comb, isclose

import numpy as np
import pytest
from extent import extent

from tests.solve.plain_kuhn import KUHN, evaluate_exactly
from tests.solve.test_exact import REDRAW, SHORT
from trutdsl import load_game
from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.diagnostics import BadUsage
from trutdsl.solve.branches import Brancher
from trutdsl.solve.classes import find_classes
from trutdsl.solve.deals import DealEnumerator
from trutdsl.solve.players import UniformPlayer
from trutdsl.solve.positions import Stepper


def test_the_command_prints_what_the_page_shows(capsys, root):
    assert run(["exact", KUHN, "--players", "2", "--strategies", "uniform"]) == DONE
    page = (root / "docs" / "exact.md").read_text(encoding="utf-8")
    shown = page.split("--players 2 --strategies uniform\n")[1].split("```")[0]
    assert capsys.readouterr().out == shown
    assert "mean 24.9493784, standard deviation 3.288739954" in shown


def test_the_command_counts_one_thing_in_the_singular(tmp_path, capsys):
    text = REDRAW.replace("STATE", "").replace("KNOWN", "let known")
    (tmp_path / "redrawn.yaml").write_text(text)
    scripts = ["--players", "2", "--strategies", "uniform,uniform"]
    assert run(["exact", str(tmp_path / "redrawn.yaml"), *scripts]) == DONE
    out = capsys.readouterr().out
    assert out.count("% of matches have at most 1 deal\n") == 3  # all matches have one deal
    assert "  at least 5% of matches have at most 1 deal\n" in out
    assert "From 1 class of deals at 1 score, mean" in out


def test_json_has_the_documented_fields(capsys):
    assert run(["exact", KUHN, "--players", "2", "--strategies", "uniform", "--json"]) == DONE
    figures = json.loads(capsys.readouterr().out)
    names = {"wins", "first_dealer_wins", "deals_per_match", "classes", "proved", "metrics"}
    assert names <= figures.keys()
    assert figures["wins"] == pytest.approx([0.5, 0.5, 0], abs=1e-12)
    assert figures["metrics"]["length.per_deal"] == pytest.approx(2.25, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trut", "--players", "4"], "for two players, not 4"),
        (["trut", "--strategies", "caller,monte-carlo"], "'monte-carlo' is not a script"),
        (["trut", "--strategies", "caller,steady,tight"], "give one or two, not 3"),
        (["trut", "--strategies", "caler"], "'caler'"),
    ],
)
def test_a_table_that_cannot_be_evaluated_is_refused(arguments, message, capsys):
    assert run(["exact", *arguments]) == BAD_INPUT
    assert message in capsys.readouterr().err


def test_a_deal_with_too_many_positions_is_refused(capsys, monkeypatch):
    monkeypatch.setattr(DealEnumerator, "most_positions", 5)
    assert run(["exact", KUHN, "--param", "goal=1"]) == BAD_INPUT
    assert "million positions, more than 0 million: " in capsys.readouterr().err


@pytest.mark.thorough
def test_a_long_deal_is_refused_after_some_of_its_classes(tmp_path, monkeypatch):
    (tmp_path / "short-trut.yaml").write_text(SHORT.replace("NAME", "trut"))
    game = load_game(tmp_path / "short-trut.yaml", 2, {"goal": 2}, "native")
    stepper = Stepper(game, find_classes(game.program, game.setting))
    brancher = Brancher(stepper, (UniformPlayer(), UniformPlayer()))
    blocks = []

    def play(deals, deal, block):
        blocks.append(0)
        for count in _PLAY(deals, deal, block):
            blocks[-1] += count
            yield count

    monkeypatch.setattr(DealEnumerator, "_play", play)
    monkeypatch.setattr("trutdsl.solve.deals.ENOUGH", 64)
    deals = DealEnumerator(brancher)
    deals.outcomes(next(iter(deals.first_scores())))
    assert len(blocks) == 3  # of 64, 128 and 96 classes
    monkeypatch.setattr(DealEnumerator, "most_positions", sum(blocks) // 2)
    blocks.clear()
    deals = DealEnumerator(brancher)
    with pytest.raises(BadUsage, match="about 0 million positions, more than 0"):
        deals.outcomes(next(iter(deals.first_scores())))
    assert len(blocks) == 1


_PLAY = DealEnumerator._play


@pytest.mark.parametrize(
    ("name", "goal", "size"), [("kuhn-poker", 8, 1), ("leduc-poker", 1, 10)][: extent(1, None)]
)
def test_the_size_of_blocks_does_not_change_the_result(name, goal, size, monkeypatch):
    def found():
        one = evaluate_exactly(f"variants/examples/{name}.yaml", "uniform", "uniform", goal=goal)
        return one.deals_per_match, one.deviation, *one.wins

    whole = found()
    for constant in ("BLOCK", "DEALT_AT_ONCE", "PLAYED_AT_ONCE", "MOST_BRANCHES"):
        monkeypatch.setattr(f"trutdsl.solve.deals.{constant}", size)
    assert np.allclose(found(), whole, rtol=1e-12)


HOOKED = """variant: hooked
title: Kuhn poker, three deals
summary: A match of three deals at most, counted when each is over.
extends: examples/kuhn-poker
rules: |
  match state:
      dealt: number
  before rule match: do look_for_goal
  before rule play_deal: do look_for_goal
  rule look_for_goal "The chips win.":
      for side in teams where chips[side] >= goal: end match won by side
  when a deal is over "The third deal is the last one.":
      dealt += 1
      if dealt == 3: end match drawn
"""


def test_a_hook_of_the_deal_leaves_it_the_same_at_all_scores(tmp_path, monkeypatch):
    (tmp_path / "hooked.yaml").write_text(HOOKED)
    scores, enumerate_deal = [], DealEnumerator._enumerate
    monkeypatch.setattr(
        DealEnumerator,
        "_enumerate",
        lambda deals, score: scores.append(score) or enumerate_deal(deals, score),
    )
    found = evaluate_exactly(tmp_path / "hooked.yaml", "uniform", "uniform", goal=100)
    assert (found.deals_per_match, found.deviation) == (3, 0)
    assert len(scores) == 3  # one for each dealer, and one whose steps end the match


DICE = """variant: dice
title: Dice
summary: Two rolls decide who wins, and how much.
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q, J]}
counters:
  points: {help: What a player has won.}
parameters:
  sides: {type: integer, min: 2, max: 1000000000, default: 100, help: The sides of the die.}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  rule match "Deals until a player has points.":
      repeat at most 100000 times:
          deal:
              shuffle stock
              do play_deal
          for side in teams where points[side] > 0: end match won by side
  rule play_deal "The dealer rolls, and may let the other player roll, too.":
      let one = roll 1 to sides
      ask dealer "stop":
          stop: do win(dealer)
          go:
              let other = roll 1 to sides
              if other > one: do win(next_seat(dealer))
              do win(dealer)
  rule win(winner) "The winner gets a point.":
      points[team(winner)] += 1
      end deal won by team(winner) because higher
"""


@pytest.mark.thorough
def test_chance_with_many_outcomes_is_followed_in_parts(tmp_path, monkeypatch, capsys):
    """Only a few of the outcomes of dice are positions at once; too many are refused."""
    (tmp_path / "dice.yaml").write_text(DICE)
    sizes, follow = [], Brancher.by_chance

    def by_chance(brancher, positions):
        branches = follow(brancher, positions)
        sizes.append(len(branches.rows))
        return branches

    monkeypatch.setattr(Brancher, "by_chance", by_chance)
    monkeypatch.setattr("trutdsl.solve.deals.MOST_BRANCHES", 500)
    found = evaluate_exactly(tmp_path / "dice.yaml", "uniform", "uniform", sides=100)
    assert isclose(found.first_dealer_wins, 1 - 99 / 400, rel_tol=1e-12)
    assert max(sizes) <= 500
    arguments = ["exact", str(tmp_path / "dice.yaml"), "--param", "sides=10000000"]
    assert run([*arguments, "--players", "2"]) == BAD_INPUT
    assert "chance has about 10 million outcomes at once, more than 2" in capsys.readouterr().err


CUT_POKER = """variant: cut-poker
title: Kuhn poker with a cut
summary: The second player may cut the pack, which changes nothing.
extends: examples/kuhn-poker
rules: |
  before rule play_deal:
      ask next_seat(dealer) "cut":
          cut
          tap:
              ask dealer "deal":
                  deal
                  wait
"""


def test_questions_before_the_deal_add_no_classes(tmp_path):
    (tmp_path / "cut-poker.yaml").write_text(CUT_POKER)
    base = evaluate_exactly(KUHN, "uniform", "uniform", goal=3)
    found = evaluate_exactly(tmp_path / "cut-poker.yaml", "uniform", "uniform", goal=3)
    assert found.classes == base.classes == 6
    assert isclose(found.deals_per_match, base.deals_per_match, rel_tol=1e-12)


def test_a_script_may_read_the_score_before_the_cards_are_dealt(tmp_path):
    cut = "  deal state:\n      is_cut: yes_no = no\n  before rule play_deal:\n"
    cut += '      ask dealer "cut":\n          cut: is_cut = yes\n          tap\n'
    heading = CUT_POKER[: CUT_POKER.index("  before")]
    (tmp_path / "cut-poker.yaml").write_text(heading + cut)
    script = tmp_path / "leader.strategy"
    script.write_text(
        "strategy leader:\n    on cut:\n        cut when chips[team(me)] > 1\n        tap\n"
        "    on open, speak: check\n    on answer: fold\n"
    )
    found = evaluate_exactly(tmp_path / "cut-poker.yaml", str(script), str(script), goal=6)
    # Both check, so each deal is a chip for a random winner: the length is negative binomial.
    expected = [2 * comb(n - 1, 5) / 2**n for n in range(6, 12)]
    assert found.lengths == pytest.approx([0] * 6 + expected, abs=1e-12)


@pytest.mark.thorough
def test_a_game_with_too_many_deals_is_refused_soon(capsys, monkeypatch):
    limit = extent(20_000, 200_000)
    monkeypatch.setattr("trutdsl.solve.deals.MOST_CLASSES", limit)
    assert run(["exact", "tute", "--players", "2"]) == BAD_INPUT
    error = capsys.readouterr().err
    assert f"more than {limit:,} classes of deals" in error
    assert "all 40 cards differ" in error
