"""Descriptions of best play: Kuhn poker against its known equilibrium, and comparisons."""

import json
from dataclasses import replace
from itertools import pairwise, permutations, product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from tests.answers.fixed_hands import z
from tests.solve.plain_kuhn import KUHN
from tests.solve.test_solve import LEDUC, write_trut
from trutdsl import load_game
from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.comparison.best_play import name_of_policy, show_play, strengths_of_hands
from trutdsl.diagnostics import BadUsage
from trutdsl.report.best_play import best_play_page
from trutdsl.solve.describe import (
    DEALER,
    OTHER,
    PlayedDeal,
    PlaySums,
    describe_match,
    kinds_of_answers,
    without,
    worth_of,
)
from trutdsl.solve.equilibrium import DealSolver
from trutdsl.solve.labels import LabelledTrees
from trutdsl.solve.match import MatchSolver, write_policy
from trutdsl.solve.policy_run import read_match, read_value, solve_match, time_to_solve
from trutdsl.solve.tree import DealTree
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.legs import play_leg
from trutdsl.table.counts import Rows

JACK, QUEEN, KING = "Js", "Qs", "Ks"


def deal_for_points(variant, worth, iterations):
    """Return the trees of a game, its first score, and its first deal solved for points."""
    deals = LabelledTrees(load_game(variant, 2, (), "native"), alone=True)
    score = next(iter(deals.first_scores()))
    tree, gains = deals.points_at(score, worth)
    deals.ends_at(score)
    solver = DealSolver(tree)
    solver.set_gains(gains)
    for _ in range(iterations):
        solver.iterate()
    plans = solver.average()
    labels, chance = deals.labels[tree], tree.chance_of_ends(plans)
    deal = PlayedDeal(tree, labels, 0, plans, gains, deals.results[score], chance)
    return deals, score, deal


@pytest.fixture(scope="module")
def kuhn():
    deals, score, deal = deal_for_points(KUHN, {"chips": 1}, 3000)
    kinds = kinds_of_answers(deals, {score: deals.ends_at(score)})
    sums = PlaySums(deals, kinds)
    sums.add(deal)
    return deals, deal, kinds, sums


def rate_of(kuhn, table, role, hand, question, option):
    deals, _, _, sums = kuhn
    hands = {deals.hand_text(cards): number for cards, number in deals.hands.items()}
    place = role, hands[hand], deals.options[question, option]
    return getattr(sums, table)["given"][place] / sums.answers["offered"][place]


def test_folds_and_bets_of_poker_are_recognized(kuhn):
    deals, _, kinds, _ = kuhn
    names = np.array([" ".join(name) for name in deals.options])
    assert set(names[kinds.folds]) == {"answer fold"}
    assert set(names[kinds.bets]) == {"open bet", "speak bet"}


def test_kuhn_poker_has_its_known_equilibrium(kuhn):
    """Kuhn 1950: the first seat bets the jack at a rate up to 1/3, the king 3 times as often."""

    def bets(role, hand, question):
        return rate_of(kuhn, "answers", role, hand, question, "bet")

    def calls(role, hand):
        return rate_of(kuhn, "answers", role, hand, "answer", "call")

    alpha = bets(DEALER, JACK, "open")
    assert 0 <= alpha <= 1 / 3 + 0.01
    assert bets(DEALER, KING, "open") == pytest.approx(3 * alpha, abs=0.02)
    assert bets(DEALER, QUEEN, "open") == pytest.approx(0, abs=0.01)
    assert calls(DEALER, QUEEN) == pytest.approx(alpha + 1 / 3, abs=0.02)
    assert bets(OTHER, JACK, "speak") == pytest.approx(1 / 3, abs=0.01)
    assert calls(OTHER, QUEEN) == pytest.approx(1 / 3, abs=0.01)
    assert bets(OTHER, KING, "speak") == pytest.approx(1, abs=0.01)
    assert calls(OTHER, JACK) == pytest.approx(0, abs=0.01)


def test_only_a_bet_that_is_called_by_better_hands_is_a_bluff(kuhn):
    for role, question in ((DEALER, "open"), (OTHER, "speak")):
        bets = rate_of(kuhn, "answers", role, JACK, question, "bet")
        assert bets > 0
        assert rate_of(kuhn, "bluffs", role, JACK, question, "bet") == bets
        assert rate_of(kuhn, "bluffs", role, KING, question, "bet") == 0


def test_a_bet_that_wins_as_often_as_it_loses_is_no_bluff(kuhn):
    """A better and a worse hand call the bet with a queen equally often, at any rate."""
    deals, deal, kinds, _ = kuhn
    tree, labels = deal.tree, deal.labels[0]
    hands = {deals.hand_text(cards): number for cards, number in deals.hands.items()}
    bet = deals.options["open", "bet"]
    call, fold = (deals.options["answer", option] for option in ("call", "fold"))
    with_jack = (labels.hands == hands[JACK]) & (labels.options == bet)
    for part in range(1, 254):
        rates = {call: part / 254, fold: 1 - part / 254}
        one, other = (
            seat.plan_of(np.array([rates.get(option, 0.5) for option in of.options]))
            for seat, of in zip(tree.seats, deal.labels, strict=True)
        )
        plans = one, other
        played, sums = (
            replace(deal, plans=plans, chance=tree.chance_of_ends(plans)),
            PlaySums(deals, kinds),
        )
        sums.add(played)
        bluffs = sums.bluffs["given"][DEALER, [hands[KING], hands[QUEEN], hands[JACK]], bet]
        assert bluffs == pytest.approx([0, 0, 1 / 6])
        if part % 50 == 3:
            worth = worth_of(tree, deal.gains, plans, 0, with_jack)
            assert sums.worth_of_bluffs(played, 0) == worth

    sums = kuhn[3]
    assert sums.deals == pytest.approx(1)
    assert sums.changes == pytest.approx([-1 / 18], abs=1e-3)
    assert sums.nobody == 0
    gain = sums.hands["gain"].sum(axis=1)
    assert gain == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)
    assert sums.hands["won"].sum() == pytest.approx(1)
    assert sums.hands["won"][DEALER].sum() == pytest.approx(sums.dealer)


def chips_won(first, second):
    """Return the gain of the first seat of Kuhn poker; first, second: bets and calls by card."""
    found = 0.0
    for mine, theirs in permutations(range(3), 2):
        best = 1 if mine > theirs else -1
        if first[0][mine]:
            found += (2 * best if second[1][theirs] else 1) / 6
        elif second[0][theirs]:
            found += (2 * best if first[1][mine] else -1) / 6
        else:
            found += best / 6
    return found


def value_of_matrix(firsts, seconds):
    """Return the value of a matrix game for the first seat, by linear programming."""
    table = np.array([[chips_won(one, other) for other in seconds] for one in firsts])
    rows, columns = table.shape
    found = linprog(
        [*np.zeros(rows), -1],
        A_ub=np.hstack([-table.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*np.ones(rows), 0]],
        b_eq=[1],
        bounds=[*[(0, None)] * rows, (None, None)],
    )
    return -found.fun


def test_the_value_of_bluffs_in_kuhn_poker(kuhn):
    _, deal, _, sums = kuhn
    pure = list(product(product((0, 1), repeat=3), repeat=2))
    honest = [one for one in pure if not one[0][0]]
    value = value_of_matrix(pure, pure)
    assert value == pytest.approx(-1 / 18)
    for seat, worth in (
        (0, value - value_of_matrix(honest, pure)),
        (1, value_of_matrix(pure, honest) - value),
    ):
        found = sums.worth_of_bluffs(deal, seat)
        assert found.low - 1e-9 <= worth <= found.high + 1e-9
        assert found.high - found.low < 0.005
        assert found.value == pytest.approx(worth, abs=0.003)
    assert worth > 0.01  # the second seat must bluff


def test_a_restricted_tree_keeps_the_other_actions(kuhn):
    _, deal, _, _ = kuhn
    tree: DealTree = deal.tree
    for seat in (0, 1):
        none = np.zeros(tree.seats[seat].sequences, np.bool_)
        same = without(tree, seat, none)
        assert np.array_equal(same.ends, tree.ends)
        assert np.array_equal(same.seats[seat].parents, tree.seats[seat].parents)
        every = ~none
        every[0] = False
        assert len(without(tree, seat, every).kind) == len(tree.kind)  # no set may become empty
        first = tree.seats[seat].first
        for begin, end in pairwise(first):  # all actions of one set alone
            alone = none.copy()
            alone[begin:end] = True
            assert len(without(tree, seat, alone).kind) == len(tree.kind)


def test_folds_and_bets_of_trut_are_recognized(tmp_path):
    game = load_game(write_trut(tmp_path, 3), 2, {"goal": 1}, "native")
    solver = MatchSolver(game, trees=LabelledTrees)
    kinds = kinds_of_answers(solver.deals, solver.scores)
    names = np.array([" ".join(name) for name in solver.deals.options])
    assert set(names[kinds.folds]) == {"respond fold", "fortial pass"}
    assert (
        {"turn trut", "interrupt trut"}
        <= set(names[kinds.bets])
        <= {
            "turn trut",
            "interrupt trut",
            "fortial trut",
        }
    )
    assert set(solver.deals.leads.values()) == {True}
    assert "7 7 8" in set(map(solver.deals.hand_text, solver.deals.hands))


MAY_LEAD = """\
rules: |
  before rule open_play "The dealer says who leads.":
      ask dealer "start":
          mine: on_lead = dealer
          yours: on_lead = next_seat(dealer)
"""


@pytest.mark.parametrize(
    ("base", "rules", "dealer_leads"),
    [
        pytest.param("trut", "", True, id="dealer"),  # T5
        pytest.param("truc-catalan", "", False, id="other"),  # K4; a cut is asked before
        pytest.param("trut", MAY_LEAD, None, id="either"),
    ],
)
def test_who_leads_is_known_in_tricks(base, rules, dealer_leads, tmp_path):
    suits = "c: clubs, d: diamonds, h: hearts"
    path = Path(write_trut(tmp_path, 2, suits, base))
    path.write_text(path.read_text() + rules)
    deals = LabelledTrees(load_game(str(path), 2, (), "native"), alone=True)
    deals.ends_at(next(iter(deals.first_scores())))
    assert list(deals.leads.values()) == [dealer_leads]


def test_the_description_of_a_match_agrees_with_its_play(tmp_path):
    game = load_game(KUHN, 2, {"goal": 3}, "native")
    solver, path = MatchSolver(game, trees=LabelledTrees), tmp_path / "kuhn.policy"
    assert time_to_solve(solver) > 0
    found = describe_match(solve_match(solver, path, 100, 0.01), solver.deals)
    again = describe_match(read_match(solver, path), solver.deals)
    assert again.lengths == found.lengths
    assert again.bluffing == found.bluffing
    assert read_value(game, path) == found.value == again.value
    assert found.value.low <= found.value.mean <= found.value.high
    assert found.sums.deals == pytest.approx(found.deals)
    policy, count = load_strategies((str(path),) * 2, game), 4_000
    rows = Rows.empty(count, 5)
    assert sum(play_leg(game, policy, (0, 1), 1, 0, rows)) == count
    lengths = rows.records()[:, 1]
    assert abs(lengths.mean() - found.deals) < 4 * lengths.std() / np.sqrt(count)
    assert abs(z(int((rows.records()[:, 0] == 0).sum()), count, found.value.mean)) < 4


GUESS = """
variant: guess
title: Guess
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q, J]}
counters: {points: {help: Deals won., best: lowest}}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: up to 1 card, seen by owner

  rule match "The higher card wins; after the first deal the dealer may exchange the cards.":
      repeat at most 1000 times:
          deal:
              gather hand into stock
              shuffle stock
              for player in seats: draw from stock to hand[player]
              let best = first p in seats with highest strength(top(hand[p]))
              if any side in teams has points[side] > 0:
                  ask dealer "cards":
                      n from 1 to 2: do win(openly(best))
                      exchange: do win(openly(next_seat(best)))
              else:
                  do win(openly(best))
          for side in teams where points[side] >= 2: end match won by side

  rule win(player):
      points[team(player)] += 1
      end deal won by team(player) because played
"""


def test_deals_may_leave_a_seat_or_both_without_choices(tmp_path):
    """Solve a match in which only the dealer chooses, and nobody in its first deal.

    The dealer keeps a king, exchanges a jack, and so wins each later deal with probability 5/6. So
    the match is won with 1/2 (1 - 1/36) + 1/2 * 25/36.
    """
    (tmp_path / "guess.yaml").write_text(GUESS)
    game, path = load_game(tmp_path / "guess.yaml", 2, (), "native"), tmp_path / "guess.policy"
    solver = MatchSolver(game, trees=LabelledTrees)
    assert time_to_solve(solver) > 0
    solved = solve_match(solver, path, 10)
    assert (solved.value.mean, solved.exploitability) == (pytest.approx(5 / 6), pytest.approx(0))
    found = describe_match(solved, solver.deals)
    assert describe_match(read_match(solver, path), solver.deals).lengths == found.lengths
    assert found.deals == pytest.approx(2.5)
    shown = show_play(found, solver.deals)
    assert {row["option"] for row in shown["answers"]} == {"NUMBER", "exchange"}
    assert shown["dealer_gains"]["points"] < 0, "the side with the fewest points is ahead"


def test_a_deal_without_choices_is_not_described(tmp_path, capsys):
    (tmp_path / "guess.yaml").write_text(GUESS)
    assert compare(tmp_path, "--deal", "points=1", variants=(str(tmp_path / "guess.yaml"),)) == 2
    assert "guess: no answer changes the outcome of a deal" in capsys.readouterr().err


def test_a_game_without_counters_is_described(tmp_path, capsys):
    """The dealer exchanges a jack: it wins the only deal with probability 5/6, as above."""
    text = GUESS.replace("counters: {points: {help: Deals won., best: lowest}}\n", "")
    text = text.replace("if any side in teams has points[side] > 0:", "if size(hand[dealer]) == 1:")
    text = text.replace(
        "          for side in teams where points[side] >= 2: end match won by side\n", ""
    )
    text = text.replace("points[team(player)] += 1\n      end deal", "end match")
    text = text.replace("won by team(player) because played", "won by team(player)")
    (tmp_path / "guess.yaml").write_text(text)
    assert compare(tmp_path, variants=(str(tmp_path / "guess.yaml"),)) == DONE
    out = capsys.readouterr().out
    assert "  The side that deals first wins 83.33 (83.33 to 83.34) of 100 matches." in out
    assert "0.0% of all deals have no winner.\n" in out, "no counter has a lead"


def test_a_file_without_all_scores_is_refused(tmp_path):
    game = load_game(KUHN, 2, {"goal": 2}, "native")
    solver, path = MatchSolver(game, trees=LabelledTrees), tmp_path / "kuhn.policy"
    solved = dict(solve_match(solver, path, 10).scores)
    assert read_match(solver, path).scores.keys() == solved.keys()
    solved.pop(next(iter(solver.first)))
    write_policy(path, solver, solved, 10, 0.01)
    for read in (lambda: read_match(solver, path), lambda: read_value(game, path)):
        with pytest.raises(BadUsage, match="does not hold all of this game"):
            read()


# ---------------------------------------------------------------- the command


def compare(folder, *args, variants=(f"{KUHN}:goal=1", f"{KUHN}:goal=2", "trut-deluxe")):
    return run(
        ["compare", *variants, "--strategies", "best-play", "--out", str(folder / "out"), *args]
    )


def test_a_comparison_with_best_play(tmp_path, capsys):
    assert compare(tmp_path) == DONE
    captured = capsys.readouterr()
    assert captured.err.count("takes at most about") == 2
    for text in (
        "Best play: Kuhn poker (goal=1); Kuhn poker (goal=2); Trut with special cards",
        "Trut with special cards: cards or words pass between the seats",
        "bet (open)",
    ):
        assert text in captured.out
    content = (tmp_path / "out" / "best-play.json").read_bytes()
    assert len(list((tmp_path / "best-play").glob("*.policy"))) == 2
    assert compare(tmp_path, "--json") == DONE  # reads the policies
    captured = capsys.readouterr()
    assert "takes" not in captured.err
    assert (tmp_path / "out" / "best-play.json").read_bytes() == content
    results = json.loads(captured.out)
    assert [bool(one["why_not"]) for one in results["variants"]] == [False, False, True]
    assert results["variants"][0]["deals"]["mean"] == pytest.approx(1)  # the first chip wins
    page = best_play_page(results)
    assert len(page.checks) == 4
    assert all(check.holds for check in page.checks)
    assert run(["report", str(tmp_path / "out")]) == DONE


def test_a_comparison_of_one_deal_with_best_play(tmp_path, capsys):
    """This works for games of which only one deal can be solved."""
    assert compare(tmp_path, "--deal", "chips=1", variants=(KUHN, LEDUC)) == DONE
    output = capsys.readouterr().out
    assert "(0.1104 to 0.1135), points" in " ".join(output.split())  # 1/9, for the second seat
    results = json.loads((tmp_path / "out" / "best-play.json").read_text())
    for one, value in zip(results["variants"], (-1 / 18, -0.085606), strict=True):
        assert one["value"]["low"] - 1e-6 <= value <= one["value"]["high"] + 1e-6
        assert one["dealer_gains"]["chips"] == pytest.approx(one["value"]["mean"])
        assert one["deals"]["mean"] == 1
    check_kuhn(results["variants"][0])
    leduc = {f"{row['question']} {row['option']}": row for row in results["variants"][1]["answers"]}
    assert {name for name, row in leduc.items() if row["fold"]} == {"answer fold"}
    assert {name for name, row in leduc.items() if row["bet"]} == {
        "open bet",
        "speak bet",
        "answer raise",
    }
    assert all(check.holds for check in best_play_page(results).checks)
    # A side without a choice in a deal has no hand there, so gains of hands need not cancel out.
    results["variants"][0]["hands"][0]["gain"] += 0.1
    assert all(check.holds for check in best_play_page(results).checks)
    results["variants"][0]["value"]["low"] = 1.0
    assert not all(check.holds for check in best_play_page(results).checks)
    assert not (tmp_path / "best-play").exists()


def check_kuhn(row):
    """Check what is known of each hand: kings always win, and jacks bluff a third of the time."""
    king, queen, jack = row["hands"]
    assert [one["hand"] for one in row["hands"]] == [KING, QUEEN, JACK]
    for one in row["hands"]:
        assert one["chance"] == pytest.approx(1 / 3)
        assert one["answers"]["open bet"] + one["answers"]["open check"] == pytest.approx(1)
    assert king["won"] == pytest.approx(1)
    assert queen["won"] + jack["won"] == pytest.approx(1 / 2)
    assert sum(one["gain"] for one in row["hands"]) == pytest.approx(0)
    assert (king["answers"]["answer call"], king["bluffs"]) == (1, 0)
    assert jack["answers"]["speak bet"] == pytest.approx(1 / 3, abs=0.001)
    for card, hand in zip(row["cards"], row["hands"], strict=True):
        assert card["card"] == hand["hand"]
        assert card["won"] == pytest.approx(hand["won"] - 1 / 2)
        assert card["gain"] == pytest.approx(hand["gain"])
    call = next(one for one in row["answers"] if one["option"] == "call")["both"]
    assert call["by_third"] == pytest.approx([0, queen["answers"]["answer call"], 1])
    for name, of_king in (("by_tenth", 1), ("won_by_tenth", 1), ("gain_by_tenth", 2)):
        assert call[name][8] == pytest.approx(of_king)
    bets = row["bluffs"]["bets"]
    for what in ("bets", "bluffs"):
        of_roles = bets["dealer"][what] + bets["other"][what]
        assert bets["both"][what] == pytest.approx(of_roles)
    assert bets["both"]["share"] == pytest.approx(bets["both"]["bluffs"] / bets["both"]["bets"])
    assert bets["both"]["bluffs"] == pytest.approx(2 / 3 * jack["bluffs"], abs=0.001)


def test_hands_of_equal_worth_are_equally_strong():
    deals, worth = np.array([1.0, 2, 3, 4]), np.array([0.1, 0.7, 0.1, 0.3])
    gain = deals * worth * np.array([1, 1, 1 + 1e-15, 1])
    assert strengths_of_hands(deals, gain) == pytest.approx([0.2, 0.9, 0.2, 0.6])


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--deal", "chip=1"], "did you mean 'chips'"),
        (["--deals", "100"], "computed, not sampled; leave --deals out"),
        (["--players", "3"], "kuhn-poker"),
        (["--players", "0"], "kuhn-poker"),
        (["--whole"], "computed, not sampled; leave --whole out"),
        (["--engine", "reference"], "computed, not sampled; leave --engine out"),
        (
            ["--deal", "chips=1", "--strategies", "best-play:policies"],
            "leave out the folder behind best-play",
        ),
    ],
)
def test_wrong_options_are_refused(args, message, tmp_path, capsys):
    assert compare(tmp_path, *args, variants=(KUHN,)) == BAD_INPUT
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_variant_is_solved_once_for_each_value_of_its_parameters(tmp_path):
    policies = tmp_path / "policies"
    for goal in ("1", "2"):
        values = ["--param", f"goal={goal}", "--strategies", f"best-play:{policies}"]
        assert compare(tmp_path / goal, *values, variants=(KUHN,)) == DONE
    files = sorted(one.name for one in policies.iterdir())
    assert files == ["kuhn-poker-goal=1.policy", "kuhn-poker-goal=2.policy"]


def test_names_of_policies_are_unique_and_fit_in_a_folder():
    cards = load_game("trut-deluxe", 2).variant.parameters["special_cards"].choices
    chosen = ["owl", "all", *(",".join(cards[:last]) for last in range(2, len(cards)))]
    games = [load_game("trut-deluxe", 2, {"special_cards": values}) for values in chosen]
    names = [name_of_policy(game) for game in games]
    assert names[:2] == ["trut-deluxe-special_cards=owl", "trut-deluxe"]
    assert len({*names}) == len(names)
    assert max(map(len, names)) <= 60


def test_equal_variants_are_refused(tmp_path, capsys):
    assert compare(tmp_path, variants=(KUHN, KUHN)) == BAD_INPUT
    assert "kuhn-poker is given twice" in " ".join(capsys.readouterr().err.split())


def test_a_game_that_cannot_be_solved_is_refused_with_the_reason(tmp_path, capsys):
    assert compare(tmp_path, variants=("trut-deluxe",)) == BAD_INPUT
    assert "cards or words pass between the seats" in " ".join(capsys.readouterr().err.split())
