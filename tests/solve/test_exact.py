"""`exact` against independent results: formulas, enumeration in plain Python, and simulation."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import isclose

import numpy as np
import pytest
from extent import extent

from tests.answers.fixed_hands import z
from tests.solve.plain_kuhn import (
    HALF,
    KUHN,
    deal_of,
    evaluate_exactly,
    kuhn_deal,
    kuhn_lead_metrics,
    kuhn_match,
)
from tests.solve.test_solve import LEDUC
from trutdsl import load_game
from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.comparison.metrics import COMEBACK, expected_metrics
from trutdsl.diagnostics import BadUsage
from trutdsl.solve import chain
from trutdsl.solve import deals as enumeration
from trutdsl.solve.branches import Brancher
from trutdsl.solve.chain import most_deals, solve_chain
from trutdsl.solve.classes import find_classes
from trutdsl.solve.deals import DealEnumerator
from trutdsl.solve.exact import evaluate
from trutdsl.solve.players import UniformPlayer
from trutdsl.solve.positions import Stepper
from trutdsl.solve.scores import Outcome, Score
from trutdsl.stats.resampling import ratio_influences
from trutdsl.strategy.count import CLUSTERS, add_part, count_in_parts
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_with

# ---------------------------------------------------------------- Kuhn poker, in plain Python


def test_uniform_kuhn_poker_agrees_with_plain_python():
    deal = kuhn_deal([HALF] * 3, [HALF] * 3, [HALF] * 3)
    first_wins, length = kuhn_match(20, [deal, deal])
    found = evaluate_exactly(KUHN, "uniform", "uniform")
    assert isclose(found.first_dealer_wins, first_wins, rel_tol=1e-12)
    assert isclose(found.deals_per_match, length, rel_tol=1e-12)
    assert found.wins == pytest.approx((0.5, 0.5, 0), abs=1e-12)
    assert found.classes == 6
    assert isclose(sum(found.lengths), 1, rel_tol=1e-12)
    assert isclose(sum(n * p for n, p in enumerate(found.lengths)), length, rel_tol=1e-12)


def test_a_match_can_have_one_deal():
    deal = kuhn_deal([HALF] * 3, [HALF] * 3, [HALF] * 3)
    found = evaluate_exactly(KUHN, "uniform", "uniform", goal=1)
    share = sum(chance for (winner, _), chance in deal.items() if winner == 0)
    assert isclose(found.first_dealer_wins, share, rel_tol=1e-12)
    assert found.lengths == pytest.approx([0, 1])


def test_mixed_answers_of_scripts_are_exact(tmp_path):
    (tmp_path / "mixer.strategy").write_text(
        'strategy mixer "Bluffs with a jack, and mixes.":\n'
        "    define card: first c in hand[me]\n"
        "    on open:\n        bet when strength(card) == 3\n"
        "        bet when strength(card) == 1 with chance 1 out of 3\n        check\n"
        "    on speak:\n        bet with chance 0.25\n        check\n"
        "    on answer:\n        call when strength(card) > 1\n        fold\n"
        "    otherwise:\n        any\n"
    )
    own = [Fraction(1, 3), Fraction(0), Fraction(1)]
    speaks, calls = [Fraction(1, 4)] * 3, [Fraction(0), Fraction(1), Fraction(1)]
    # Each of the two answers the bets of the other one.
    mixer_deals = deal_of(own, [HALF] * 3, [HALF] * 3, calls)
    other_deals = deal_of([HALF] * 3, speaks, calls, [HALF] * 3)
    as_first = kuhn_match(5, [mixer_deals, other_deals])
    as_second = kuhn_match(5, [other_deals, mixer_deals])
    found = evaluate_exactly(KUHN, str(tmp_path / "mixer.strategy"), "uniform", goal=5)
    assert isclose(found.wins[0], (as_first[0] + 1 - as_second[0]) / 2, rel_tol=1e-12)
    assert isclose(found.deals_per_match, (as_first[1] + as_second[1]) / 2, rel_tol=1e-12)


def test_a_script_can_depend_on_the_score(tmp_path):
    (tmp_path / "scored.strategy").write_text(
        'strategy scored "Is bold once it has chips.":\n'
        "    define bold: chips[team(me)] > 0\n"
        "    on open:\n        bet when bold\n        check\n"
        "    on speak:\n        bet when bold\n        check\n"
        "    on answer:\n        call when bold\n        fold\n"
        "    otherwise:\n        any\n"
    )
    even = [HALF] * 3

    @cache
    def after(own, other, deals_first):
        if own >= 5 or other >= 5:
            return Fraction(own >= 5)
        acts = [Fraction(own > 0)] * 3
        chances = (acts, even, even, acts) if deals_first else (even, acts, acts, even)
        deal = deal_of(*chances)
        wins = Fraction(0)
        for (winner, chips), chance in deal.items():
            mine = chips * ((winner == 0) == deals_first)
            wins += chance * after(own + mine, other + chips - mine, not deals_first)
        return wins

    found = evaluate_exactly(KUHN, str(tmp_path / "scored.strategy"), "uniform", goal=5)
    assert isclose(found.wins[0], (after(0, 0, True) + after(0, 0, False)) / 2, rel_tol=1e-12)


def test_the_two_definitions_of_a_deal_agree():
    thirds = [Fraction(1, 3)] * 3
    assert kuhn_deal(thirds, [HALF] * 3, thirds) == deal_of(thirds, [HALF] * 3, thirds, thirds)


# ---------------------------------------------------------------- scores that can fall

RUIN = """\
variant: ruin
title: Ruin
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q, J]}
counters:
  coins: {help: What a player has.}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody

  rule match "A coin a deal, until a player has all six of them.":
      for player in seats: coins[team(player)] = 3
      repeat at most 100000 times:
          deal:
              shuffle stock
              let die = roll 1 to 5
              let winner = dealer if die <= 3 else next_seat(dealer)
              ask dealer "nothing":
                  pass
              coins[team(winner)] += 1
              coins[team(next_seat(winner))] -= 1
              end deal won by team(winner) because played
          for side in teams where coins[side] == 6: end match won by side
"""


def test_a_score_that_can_fall_agrees_with_the_gamblers_ruin(tmp_path):
    (tmp_path / "ruin.yaml").write_text(RUIN)
    found = evaluate_exactly(tmp_path / "ruin.yaml", "uniform", "uniform")
    # Feller, An Introduction to Probability Theory I, XIV.2 and 3, with p = 3/5, z = 3, a = 6.
    q_p = Fraction(2, 3)
    lost = (q_p**6 - q_p**3) / (q_p**6 - 1)
    length = (3 - 6 * (1 - q_p**3) / (1 - q_p**6)) / (Fraction(2, 5) - Fraction(3, 5))
    assert isclose(found.first_dealer_wins, 1 - lost, rel_tol=1e-12)
    assert isclose(found.deals_per_match, length, rel_tol=1e-12)
    assert found.scores == 5
    assert found.wins[2] == 0


def test_a_deal_variable_may_start_from_the_score(tmp_path):
    sure = "  deal state:\n      sure: yes_no = coins[team(dealer)] == 4\n\n  rule match"
    text = RUIN.replace("  rule match", sure).replace("if die <= 3", "if sure or die <= 3")
    (tmp_path / "ruin.yaml").write_text(text)
    found = evaluate_exactly(tmp_path / "ruin.yaml", "uniform", "uniform")
    # With four coins the dealer is sure to reach five, and again at each return. So a = 4.
    q_p = Fraction(2, 3)
    lost = (q_p**4 - q_p**3) / (q_p**4 - 1)
    assert isclose(found.first_dealer_wins, 1 - lost, rel_tol=1e-12)


def test_the_score_may_change_before_a_question_of_the_deal(tmp_path):
    asked = '              ask dealer "nothing":\n                  pass\n'
    text = RUIN.replace(asked, "").replace(
        "              end deal", asked + "              end deal"
    )
    (tmp_path / "ruin.yaml").write_text(text)
    found = evaluate_exactly(tmp_path / "ruin.yaml", "uniform", "uniform")
    q_p = Fraction(2, 3)
    lost = (q_p**6 - q_p**3) / (q_p**6 - 1)
    assert isclose(found.first_dealer_wins, 1 - lost, rel_tol=1e-12)


def test_a_match_that_need_not_end_is_refused(tmp_path):
    (tmp_path / "ruin.yaml").write_text(RUIN.replace("= 1\n", "= 0\n"))
    with pytest.raises(BadUsage, match="a match need not end"):
        evaluate_exactly(tmp_path / "ruin.yaml", "uniform", "uniform")


def test_a_match_without_an_end_is_refused_although_probabilities_are_rounded():
    scores = [Score((0,), (n,)) for n in range(7)]
    outcomes = {Outcome(score, None): 1 / 7 for score in scores}
    assert np.cumsum(list(outcomes.values()))[-1] < 1
    with pytest.raises(BadUsage, match="a match need not end"):
        solve_chain({scores[0]: 1.0}, lambda _score: outcomes)
    won = {Outcome(None, 0): 0.1, Outcome(scores[0], None): 0.9}
    assert solve_chain({scores[0]: 1.0}, lambda _score: won).deals == pytest.approx([10])


@pytest.mark.thorough
def test_errors_of_rounding_do_not_add_up_over_a_match():
    score, rounded = Score((0,), ()), 1 - 1e-13
    won = {Outcome(None, 0): 0.001 * rounded, Outcome(score, None): 0.999 * rounded}
    found = solve_chain({score: 1.0}, lambda _score: won)
    assert found.deals == pytest.approx([1000], rel=1e-12)
    assert found.wins == pytest.approx(np.array([[1, 0, 0]]), rel=1e-12)


def test_a_match_that_hardly_ends_is_refused(monkeypatch):
    """After 393 deals 0.9 ** n is below 1e-19 of the sum, which is 10."""
    score = Score((0,), ())
    won = {Outcome(None, 0): 0.1, Outcome(score, None): 0.9}
    monkeypatch.setattr(chain, "MOST_DEALS", 500)
    assert solve_chain({score: 1.0}, lambda _score: won).deals == pytest.approx([10], rel=1e-14)
    monkeypatch.setattr(chain, "MOST_DEALS", 380)
    with pytest.raises(BadUsage, match="can have more than 380 deals"):
        solve_chain({score: 1.0}, lambda _score: won)


# ---------------------------------------------------------------- metrics


@pytest.mark.thorough
def test_metrics_of_uniform_kuhn_poker_agree_with_plain_python():
    deal = kuhn_deal([HALF] * 3, [HALF] * 3, [HALF] * 3)
    dealer_wins = sum(chance for (winner, _), chance in deal.items() if winner == 0)
    found = metrics_of(
        load_game(KUHN, 2, (), "native"), evaluate_exactly(KUHN, "uniform", "uniform")
    )
    changes, ahead, held = kuhn_lead_metrics(20, [deal, deal])
    length = kuhn_match(20, [deal, deal])[1]
    wanted = {
        "length.deals": length,
        "length.decisions": length * Fraction(9, 4),
        "length.per_deal": Fraction(9, 4),  # two, and a third one after check and bet
        "length.forced": 0,
        "dealer": dealer_wins,
        "ends.played": Fraction(5, 8),  # after a call, or two checks
        "ends.folded": Fraction(3, 8),
        "stake.chips": sum(chips * chance for (_, chips), chance in deal.items()),
        "answer.speak.bet": HALF,
        "lead_changes.chips": changes,
        "held.chips": held / ahead,
    }
    for name, value in wanted.items():
        assert found[name] == pytest.approx(float(value), rel=1e-11), name


def test_deficits_of_winners_agree_with_plain_python():
    deal, goal = kuhn_deal([HALF] * 3, [HALF] * 3, [HALF] * 3), 6

    @cache
    def winners(chips, dealer, deepest):
        """Return the probability of each deficit of the winner."""
        if max(chips) >= goal:
            return Counter({deepest[chips[1] >= goal]: Fraction(1)})
        gap, found = chips[1] - chips[0], Counter()
        deepest = max(deepest[0], gap), max(deepest[1], -gap)
        for (winner, won), chance in deal.items():
            seat = winner if dealer == 0 else 1 - winner
            after = chips[0] + won * (seat == 0), chips[1] + won * (seat == 1)
            for deficit, share in winners(after, 1 - dealer, deepest).items():
                found[deficit] += chance * share
        return found

    game = load_game(KUHN, 2, {"goal": goal}, "native")
    found = metrics_of(game, evaluate_exactly(KUHN, "uniform", "uniform", goal=goal))
    shares = winners((0, 0), 0, (0, 0))
    mean = sum(deficit * share for deficit, share in shares.items())
    back = sum(share for deficit, share in shares.items() if deficit >= COMEBACK)
    assert found["deficit.chips"] == pytest.approx(float(mean), rel=1e-11)
    assert found["comebacks.chips"] == pytest.approx(float(back), rel=1e-11)
    assert 0.01 < back < 0.5


def metrics_of(game, found):
    return {m.name: value for m, value in expected_metrics(game.count_plan, found.counts)}


def test_changes_between_deals_are_no_gain_of_a_deal(tmp_path):
    (tmp_path / "ruin.yaml").write_text(RUIN)
    game = load_game(tmp_path / "ruin.yaml", 2, (), "native")
    found = metrics_of(game, evaluate_exactly(tmp_path / "ruin.yaml", "uniform", "uniform"))
    assert "stake.coins" not in found  # each player gets three coins before the first deal
    assert found["length.forced"] == pytest.approx(1)
    assert found["dealer"] == pytest.approx(0.6)


# ---------------------------------------------------------------- the simulator


# With twelve cards Trut has few different deals, so the test is fast.
SHORT = """\
variant: short-trut
title: Trut with twelve cards
extends: NAME
pack:
  suits: {c: clubs, d: diamonds, h: hearts}
  ranks: [7, A, K, J]
"""


def test_the_table_of_scores_agrees_with_plain_python_and_a_script_reads_it(tmp_path, capsys):
    deal = kuhn_deal([HALF] * 3, [HALF] * 3, [HALF] * 3)
    file = tmp_path / "chances.csv"
    arguments = [KUHN, "--strategies", "uniform", "--param", "goal=3", "--scores", str(file)]
    assert run(["exact", *arguments]) == DONE
    head, *lines = file.read_text().splitlines()
    assert head == "chips,their_chips,chance"
    table = {(own, their): chance for own, their, chance in map(numbers_of, lines)}
    assert table[0, 0] == 5000
    for (own, their), chance in table.items():
        assert abs(chance + table[their, own] - 10_000) <= 1
    after = {(own, their): kuhn_match(3, [deal, deal], own, their)[0] for own, their in table}
    as_dealer, as_other = after[2, 1], 1 - after[1, 2]
    assert min(as_dealer, as_other) <= table[2, 1] / 10_000 <= max(as_dealer, as_other)
    (tmp_path / "reader.strategy").write_text(
        'strategy reader:\n    table chance from "chances.csv" else 5000\n'
        "    define them: first t in teams where t != team(me)\n"
        "    on open: bet when chance(chips[team(me)], chips[them]) > 6000\n    otherwise: any\n"
    )
    capsys.readouterr()
    assert run(["check", str(tmp_path / "reader.strategy"), "--for", KUHN]) == DONE
    assert run(["exact", *arguments[:-1], str(tmp_path / "none" / "a.csv")]) == BAD_INPUT
    assert "there is no folder" in capsys.readouterr().err


def numbers_of(line):
    return map(int, line.split(","))


def test_few_steps_are_stored_for_other_scores(tmp_path):
    (tmp_path / "short-trut.yaml").write_text(SHORT.replace("NAME", "trut"))
    game = load_game(tmp_path / "short-trut.yaml", 2, {"goal": 2}, "native")
    stepper = Stepper(game, find_classes(game.program, game.setting))
    deals = DealEnumerator(Brancher(stepper, (UniformPlayer(), UniformPlayer())))
    deal = deals.at(next(iter(deals.first_scores())), lambda deal, _score: deal)
    assert deals.classes == 288
    # Without stops there are 15,118, which distinguish hands. With traces of finished rules: 1,174.
    assert sum(len(steps.answers) for steps in deal.last) < 200


SCRIPTS = ("caller", "steady")
NINE_CARDS = {"trut", "trut-deux-sevres", "truc-catalan"}  # the other variants have twelve
SIMULATED_TABLES = {  # parameters and strategies
    "trut": ({"goal": 2}, SCRIPTS),
    "trut-deux-sevres": ({"goal": 1}, SCRIPTS),
    "trut-gatinaise": ({"goal": 1}, SCRIPTS),
    "truc-catalan": ({"goal": 4}, SCRIPTS),
    "truc-french": ({"goal": 2, "rubber": 1, "max_redeals": 0}, ("steady", "uniform")),
    "leduc-poker": ({"goal": 8}, ("uniform", "uniform")),
}


@pytest.mark.parametrize("name", [*SIMULATED_TABLES][: extent(1, None)])
def test_simulated_matches_agree_with_the_exact_result(name, tmp_path):
    jacks = "]" if name in NINE_CARDS else ", J]"
    path = tmp_path / "short-trut.yaml"
    path.write_text(SHORT.replace("NAME", name).replace(", J]", jacks))
    if name == "leduc-poker":
        path = f"variants/examples/{name}.yaml"
    parameters, names = SIMULATED_TABLES[name]
    game = load_game(path, 2, parameters, "native")
    seating = tuple(load_strategies(names, game))
    found, matches = evaluate(*table_with(game, seating)), 10_000
    won, clusters = 0, []
    for number, seats in enumerate((seating, seating[::-1])):
        for cluster, counts in count_in_parts(game, seats, 7 + number, matches, brief=False):
            won += counts["winners"][number]
            add_part(clusters, cluster + number * CLUSTERS, counts)
    assert abs(z(won, 2 * matches, found.wins[0])) < 4
    rows = np.array([counts.numbers for counts in clusters])
    compared = 0
    for metric, value in expected_metrics(game.count_plan, found.counts):
        estimate = ratio_influences(*(row.sums(rows) for row in metric.ratio)).estimate()
        error = (estimate.high - estimate.low) / 2 / 1.96
        assert abs(estimate.mean - value) < 4.5 * error, metric.name
        compared += 0 < value < 1 or value > 1
    assert compared >= 10


def test_classes_of_deals_are_all_pairs_of_hands(tmp_path):
    (tmp_path / "short-trut.yaml").write_text(SHORT.replace("NAME", "trut"))
    hands = list(combinations_with_replacement(range(4), 3))
    pairs = (Counter(mine + theirs) for mine, theirs in product(hands, hands))
    found = evaluate_exactly(tmp_path / "short-trut.yaml", "quiet", "quiet", goal=1)
    assert found.classes == sum(max(pair.values()) <= 3 for pair in pairs)


@pytest.mark.thorough
def test_only_classes_that_differ_count_towards_the_limit(monkeypatch):
    found = evaluate_exactly(LEDUC, "uniform", "uniform", goal=1)
    at_once = 2
    monkeypatch.setattr("trutdsl.solve.deals.DEALT_AT_ONCE", at_once)
    monkeypatch.setattr("trutdsl.solve.deals.MOST_CLASSES", found.classes)
    again = evaluate_exactly(LEDUC, "uniform", "uniform", goal=1)
    assert (again.classes, again.wins[0]) == (found.classes, pytest.approx(found.wins[0]))
    # Too many are refused before they are all in memory.
    merged, limit = list[int](), found.classes // 2
    monkeypatch.setattr("trutdsl.solve.deals.MOST_CLASSES", limit)
    merge = enumeration.merge_equal
    monkeypatch.setattr(
        enumeration, "merge_equal", lambda s, p: merged.append(len(p)) or merge(s, p)
    )
    with pytest.raises(BadUsage, match=f"more than {limit} classes of deals"):
        evaluate_exactly(LEDUC, "uniform", "uniform", goal=1)
    assert max(merged) <= limit + at_once


REDRAW = """
variant: redrawn
title: Redrawn
summary: Two of four cards are seen, all are shuffled, and one is drawn.
players: [2]
teams: {2: 2}
pack: {suits: {c: clubs, d: diamonds, h: hearts, s: spades}, ranks: [K]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone table: up to 4 cards, seen by all
STATE
  rule match "One deal.":
      deal:
          shuffle stock
          repeat 2 times: draw from stock to table
          KNOWN = table
          gather table into stock
          shuffle stock
          ask dealer "go":
              yes: points[team(dealer)] += 1
              no: points[team(dealer)] += 2
          draw from stock to table
          if any c in table has c in known: points[team(dealer)] += 10
          end deal won by team(dealer) because played
      end match won by (first side in teams with highest points[side])
"""


@pytest.mark.parametrize(
    ("state", "known"),
    [("", "let known"), ("  deal state:\n      known: cards\n", "known")],
    ids=["name", "variable"],
)
def test_cards_that_an_open_rule_remembers_keep_their_identity(state, known, tmp_path):
    text = REDRAW.replace("STATE", state).replace("KNOWN", known)
    (tmp_path / "redrawn.yaml").write_text(text)
    game = load_game(tmp_path / "redrawn.yaml", 2, (), "native")
    found = metrics_of(game, evaluate_exactly(tmp_path / "redrawn.yaml", "uniform", "uniform"))
    assert found["stake.points"] == pytest.approx(1.5 + 10 * 2 / 4, abs=1e-9)


@pytest.mark.thorough
def test_rounding_makes_no_match_longer():
    """A match of 1 to 10 deals, each equally likely: nine in ten have at most 9."""
    lengths = [0.0] + [0.1] * 10
    assert [most_deals(lengths, tenths / 10) for tenths in range(1, 11)] == [*range(1, 11)]
    assert most_deals(lengths, 0.85) == 9
    assert most_deals(lengths, 0.05) == 1
