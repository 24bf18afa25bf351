"""Equilibrium play, compared with known values and with a solver in plain Python."""

import errno
import json
import os
import signal
from itertools import combinations, pairwise
from math import isclose
from pathlib import Path

import numpy as np
import pytest

from tests.answers.fixed_hands import start_deal, z
from tests.solve.plain_kuhn import KUHN
from tests.solve.plain_play import Chance, PlainSolver, grow
from trutdsl import load_game
from trutdsl.cli.app import BAD_INPUT, DONE, FAILED, run
from trutdsl.diagnostics import BadUsage
from trutdsl.solve.equilibrium import DealSolver, solve_deal
from trutdsl.solve.match import MatchSolver, read_scores, write_policy
from trutdsl.solve.policy_file import SolvedPolicy
from trutdsl.solve.steps import Deal
from trutdsl.solve.stored import round_shares
from trutdsl.solve.trees import TreeEnumerator
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.legs import play_leg
from trutdsl.table.counts import Rows

LEDUC = "variants/examples/leduc-poker.yaml"


def write_trut(folder, ranks, suits="c: clubs, d: diamonds", base="trut"):
    """Write Trut, or another base, with this number of ranks; return its path."""
    names = ", ".join(["7", "8", "A", "K"][:ranks])
    (folder / "short.yaml").write_text(
        "variant: short\ntitle: Short\nsummary: Trut with few cards.\n"
        f"extends: {base}\npack: {{suits: {{{suits}}}, ranks: [{names}]}}\n"
    )
    return str(folder / "short.yaml")


def solve_one_deal(variant, worth, iterations, **parameters):
    game = load_game(variant, 2, parameters, "native")
    return solve_deal(TreeEnumerator(game, alone=True), worth, iterations)


# ---------------------------------------------------------------- one deal


@pytest.mark.parametrize(
    ("variant", "value", "sets"),
    [
        pytest.param(KUHN, -1 / 18, 12, id="kuhn"),  # Kuhn 1950
        pytest.param(LEDUC, -0.085606, 288, id="leduc"),  # Southey et al. 2005
    ],
)
def test_the_values_of_poker_are_the_known_ones(variant, value, sets):
    found = solve_one_deal(variant, {"chips": 1}, 1000)
    assert found.exploitability < 2e-4
    assert abs(found.value - value) <= 2 * found.exploitability + 1e-6
    assert sum(len(seat.keys) for seat in found.tree.seats) == sets


def test_a_target_alone_is_reached_and_a_missed_one_is_said(capsys):
    command = ["solve", str(KUHN), "--deal", "chips=1", "--json", "--target", "2e-4"]
    assert run(command) == DONE
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["exploitability"] <= 2e-4 and found["iterations"] > 200
    assert "target" not in printed.err
    assert run([*command, "--iterations", "10"]) == DONE
    printed = capsys.readouterr()
    assert json.loads(printed.out)["iterations"] == 10
    assert "still above the target 0.0002; more --iterations reduce it" in printed.err


@pytest.mark.thorough
def test_a_target_that_rounding_prevents_is_said(tmp_path, capsys):
    policy = str(tmp_path / "kuhn.policy")
    assert run(["solve", str(KUHN), "--param", "goal=3", "--target", "5e-5", "-o", policy]) == DONE
    (line,) = capsys.readouterr().err.splitlines()
    assert "above the target 5e-05, because a match has many deals, or because the file" in line


@pytest.mark.parametrize("variant", [KUHN, LEDUC, None])
def test_the_probabilities_of_all_ends_sum_to_one(variant, tmp_path):
    """This holds for any strategies of the seats."""
    short = write_trut(tmp_path, 3, "c: clubs, d: diamonds, h: hearts")
    game = load_game(variant or short, 2, {"goal": 1}, "native")
    deals = TreeEnumerator(game, alone=True)
    score = next(iter(deals.first_scores()))
    if variant is None:  # at the fortial, a hand with three of a kind has no choice
        score = score._replace(values=(0, 0, 0, 2))
    tree = deals.ends_at(score).tree
    pairs = set(zip(*tree.ends.tolist(), strict=True))
    assert (len(pairs) < len(tree.kind)) == (variant is None)  # some ends share their sequences
    solver = DealSolver(tree)
    solver.set_gains(np.ones(len(tree.kinds)))
    chance = np.random.default_rng(1)
    for _ in range(5):
        plans = [
            seat.plan_of(seat.strategy_of(chance.random(seat.sequences))) for seat in solver.seats
        ]
        assert solver.value((plans[0], plans[1])) == pytest.approx(1, abs=1e-12)


COUNTED = "      repeat 7 times:\n"
BY_SEAT = "      for player in seats:\n"
TWICE = "      deal:\n          do play_deal\n"
REMEMBERED = "      let most = goal\n"


@pytest.mark.parametrize("loop", [COUNTED, BY_SEAT, TWICE + COUNTED, REMEMBERED + COUNTED])
def test_one_deal_fits_whatever_the_match_remembers(loop, tmp_path):
    text = Path(KUHN).read_text().replace("      repeat at most 100000 times:\n", loop)
    last = "          dealer = next_seat(dealer)\n"
    (tmp_path / "kuhn-poker.yaml").write_text(text.replace(last, last + "      end match drawn\n"))
    found = solve_one_deal(tmp_path / "kuhn-poker.yaml", {"chips": 1}, 50)
    assert found.value == solve_one_deal(KUHN, {"chips": 1}, 50).value


def test_a_deal_keeps_one_step_of_each_kind(monkeypatch):
    """The steps of `leduc-poker` that read the score or end a deal are of 59 kinds."""
    merged, merge = [], Deal.merge_kinds
    monkeypatch.setattr(Deal, "merge_kinds", lambda deal: merged.append(merge(deal)))
    plain, calls = solve_one_deal(LEDUC, {"chips": 1}, 20), len(merged)
    monkeypatch.setattr("trutdsl.solve.deals.MOST_LOOSE", 0)
    assert solve_one_deal(LEDUC, {"chips": 1}, 20).value == pytest.approx(plain.value, abs=1e-9)
    assert len(merged) > 2 * calls
    monkeypatch.setattr("trutdsl.solve.deals.MOST_KINDS", 59)
    solve_one_deal(LEDUC, {"chips": 1}, 1)
    monkeypatch.setattr("trutdsl.solve.deals.MOST_KINDS", 58)
    with pytest.raises(BadUsage, match="reads the score or ends in more than 0 million ways"):
        solve_one_deal(LEDUC, {"chips": 1}, 1)


# Any card may be played, but the rules look at each. Of equal cards it is still one choice.
MAY_PLAY = """\
rules: |
  replace define may_play(player, card: card):
      any c in hand[player] has strength(c) == strength(card)
"""


@pytest.mark.thorough
def test_a_short_pack_of_trut_agrees_with_plain_python(tmp_path):
    path = Path(write_trut(tmp_path, 3))
    path.write_text(path.read_text() + MAY_PLAY)
    game = load_game(path, 2, (), "native")
    cards = list(game.deck.texts)
    hands_by_ranks = {}  # hands that differ only by suits, by their ranks
    for mine in combinations(range(6), 3):
        ranks = tuple(sorted(cards[card][:-1] for card in mine))
        hands_by_ranks.setdefault(ranks, []).append(mine)
    branches, dealers = [], set()
    for some in hands_by_ranks.values():
        hands = [[cards[c] for c in range(6) if (c in some[0]) == own] for own in (True, False)]
        state = start_deal(game, 0, hands)
        dealers.add(state.dealer)
        branches.append((len(some) / 20, grow(state, first_points)))
    plain = PlainSolver(Chance(branches))
    for turn in range(1, 41):
        plain.iterate(turn)
    bound = (plain.best_value(0) + plain.best_value(1)) / 2
    found = solve_deal(TreeEnumerator(game, alone=True), {"petits": 1, "longs": 3}, 400)
    assert bound < 0.1
    assert found.exploitability < 0.005
    (dealer,) = dealers
    value = plain.value() if dealer == 0 else -plain.value()
    assert abs(found.value - value) <= 2 * (bound + found.exploitability)


def first_points(state):
    counters = state.counters()
    longs, petits = counters["longs"], counters["petits"]
    return 3 * (longs[0] - longs[1]) + petits[0] - petits[1]


# ---------------------------------------------------------------- a match, stored and played


def solve_kuhn(folder, jobs=1, name="kuhn.policy", goal=3):
    game = load_game(KUHN, 2, {"goal": goal}, "native")
    solver = MatchSolver(game)
    known = dict(solver.solve_all(100, 1e-4, {}, jobs))
    write_policy(folder / name, solver, known, 100, 1e-4)
    return game, solver, known


def test_a_match_is_solved_backwards(tmp_path):
    _, solver, known = solve_kuhn(tmp_path, goal=1)
    first = known[next(iter(solver.first))]
    assert first.exploitability < 1e-3
    assert first.best[0] >= first.value - 1e-12
    assert first.best[1] >= 1 - first.value - 1e-12


def test_the_file_is_the_same_for_any_number_of_workers_and_after_a_stop(tmp_path):
    _, solver, known = solve_kuhn(tmp_path)
    solve_kuhn(tmp_path, 2, "two.policy")
    begun = {score: known[score] for score in solver.order[:7]}
    write_policy(tmp_path / "begun.policy", solver, begun, 100, 1e-4)
    read = read_scores(SolvedPolicy(str(tmp_path / "begun.policy")))
    assert list(read) == solver.order[:7]
    rest = dict(solver.solve_all(100, 1e-4, read))
    write_policy(tmp_path / "resumed.policy", solver, read | rest, 100, 1e-4)
    content = (tmp_path / "kuhn.policy").read_bytes()
    assert (tmp_path / "two.policy").read_bytes() == content
    assert (tmp_path / "resumed.policy").read_bytes() == content


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (KeyboardInterrupt, 130, ""),
        (MemoryError("of NumPy"), FAILED, "error: there is not enough memory\n"),
        (OSError(errno.ENOMEM, "of fork"), FAILED, "error: there is not enough memory\n"),
    ],
)
def test_a_stopped_command_names_its_file_and_resumes(
    tmp_path, monkeypatch, capsys, error, code, reason
):
    whole, stopped = tmp_path / "whole.policy", tmp_path / "stopped.policy"
    command = ["solve", KUHN, "--param", "goal=2", "--iterations", "20", "--jobs", "1", "-o"]
    assert run([*command, str(whole)]) == DONE
    solve, scores = MatchSolver.solve, []

    def stop_at_third(*args):
        scores.append(args[1])
        if len(scores) == 3:
            raise error
        return solve(*args)

    monkeypatch.setattr(MatchSolver, "solve", stop_at_third)
    capsys.readouterr()
    assert run([*command, str(stopped)]) == code
    message = f"stopped; what is solved is kept in {stopped}.part; the same command goes on\n"
    assert capsys.readouterr().err == message + reason
    assert not stopped.exists()
    assert run([*command, str(stopped)]) == DONE
    assert stopped.read_bytes() == whole.read_bytes()
    assert not stopped.with_name("stopped.policy.part").exists()
    assert len(set(scores)) == len(scores) - 1, "only the third score is solved twice"


def test_the_scores_before_a_worker_is_killed_are_kept(tmp_path, monkeypatch, capfd):
    policy, this, solve = tmp_path / "killed.policy", os.getpid(), MatchSolver.solve

    def solve_here(*args):
        if os.getpid() != this:  # not the first scores, which nothing can be solved beside
            os.kill(os.getpid(), signal.SIGKILL)
        return solve(*args)

    monkeypatch.setattr(MatchSolver, "solve", solve_here)
    command = ["solve", LEDUC, "--param", "goal=3", "--iterations", "10", "--jobs", "2", "-o"]
    assert run([*command, str(policy)]) == FAILED
    assert capfd.readouterr().err == (
        f"stopped; what is solved is kept in {policy}.part; the same command goes on\n"
        "error: a worker process was killed, perhaps because there was not enough memory\n"
    )


def test_the_wins_of_a_policy_agree_with_its_value(tmp_path):
    game, solver, known = solve_kuhn(tmp_path)
    policy = load_strategies((str(tmp_path / "kuhn.policy"),) * 2, game)
    count = 4_000
    rows = Rows.empty(count, 5)
    assert sum(play_leg(game, policy, (0, 1), 1, 0, rows)) == count
    wins = int((rows.records()[:, 0] == 0).sum())
    assert abs(z(wins, count, known[next(iter(solver.first))].value)) < 4


# ---------------------------------------------------------------- edge cases and refusals


@pytest.mark.parametrize("weight", [5e-324, 1e-310, 1e-300])
def test_sequences_with_tiny_weights_have_probabilities(weight):
    """Their reciprocals are infinite. They occur in a deal of Trut for equal points."""
    deals = TreeEnumerator(load_game(KUHN, 2, {}, "native"), alone=True)
    tree, _ = deals.points_at(next(iter(deals.first_scores())), {"chips": 1})
    seat = DealSolver(tree).seats[0]
    shares = seat.strategy_of(np.full(tree.seats[0].sequences, weight))
    for first, last in pairwise(tree.seats[0].first.tolist()):
        assert isclose(shares[first:last].sum(), 1.0)


def test_many_equal_choices_are_stored_without_loss():
    counts = np.array([2, 200])
    starts, owner = np.array([0, 2]), np.repeat([0, 1], counts)
    parts = round_shares(np.repeat(1 / counts, counts), starts, owner)
    assert np.add.reduceat(parts.astype(int), starts).tolist() == [254, 254]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["solve", KUHN], "give either -o FILE"),
        (["solve", KUHN, "-o", "x.txt"], "ends in .policy"),
        (["solve", KUHN, "-o", "nowhere/x.policy"], "there is no folder nowhere"),
        (["solve", KUHN, "--deal", "chips"], "write COUNTER=POINTS"),
        (["solve", KUHN, "--deal", "chip=1"], "did you mean 'chips'"),
        (["solve", "trut", "--players", "4", "--deal", "petits=1"], "only games of two players"),
        (["exploit", KUHN, "--against", "monte-carlo"], "is not a script"),
        (["exploit", KUHN, "--at", "chips=1"], "needs 2 values"),
        (["exploit", KUHN, "--at", "chips=x"], "write COUNTER=A,B"),
        (["exploit", KUHN, "--at", "chips=1,1", "chip=0,0"], "did you mean 'chips'"),
        (["exploit", KUHN, "--deal", "chip=1"], "did you mean 'chips'"),
        (["exploit", KUHN, "--deal", "chips=1", "-o", "x.policy"], "does not go with --deal"),
        (["exploit", KUHN, "-o", "x.txt"], "ends in .policy"),
        (["exploit", KUHN, "--against", "uniform,caller", "-o", "x.policy"], "to one script"),
    ],
)
def test_wrong_options_are_refused(args, message, capsys):
    assert run(args) == BAD_INPUT
    assert message in " ".join(capsys.readouterr().err.split())


def test_the_title_of_responses_names_the_score_where_they_begin(capsys):
    for options, title in (
        ([], "2 players, a whole match: responses"),
        (["--at", "chips=1,1"], "2 players, a whole match, from chips=1,1: responses"),
        (["--deal", "chips=1", "--at", "chips=1,1"], "2 players, one deal, from chips=1,1: "),
    ):
        assert run(["exploit", KUHN, "--param", "goal=2", "--against", "uniform", *options]) == DONE
        assert title in capsys.readouterr().out


SHOWN_CARD = """variant: shown-poker
title: Kuhn poker with a card shown
summary: From some score on, the first player shows the card to the other.
extends: examples/kuhn-poker
parameters:
  told_from: {type: integer, min: 0, max: 9, default: 9, help: From how many chips on.}
rules: |
  before rule second_speaks:
      if chips[team(dealer)] >= told_from:
          announce strength(top(hand[dealer])) to next_seat(dealer)
"""


def test_a_deal_is_refused_only_if_seats_exchange_information(tmp_path, capsys):
    (tmp_path / "shown-poker.yaml").write_text(SHOWN_CARD)
    arguments = ["--deal", "chips=1", "--iterations", "100", "--json"]
    assert run(["solve", KUHN, *arguments]) == DONE
    base = json.loads(capsys.readouterr().out)
    shown = str(tmp_path / "shown-poker.yaml")
    assert run(["solve", shown, *arguments]) == DONE
    assert isclose(json.loads(capsys.readouterr().out)["value"], base["value"], rel_tol=1e-9)
    assert run(["solve", shown, *arguments, "--param", "told_from=0"]) == BAD_INPUT
    assert "cards or words pass between the seats in this deal" in capsys.readouterr().err
    assert run(["solve", shown, "-o", str(tmp_path / "shown.policy")]) == BAD_INPUT
    assert "in this game: only --deal may fit" in capsys.readouterr().err


KEPT = """\
variant: kept
title: A name for one of two alike cards
players: [2]
teams: {2: 2}
pack: {suits: {a: acorns, b: bells}, ranks: [K]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: seen by owner
  rule match:
      shuffle stock
      deal:
          draw from stock to hand[dealer]
          draw from stock to hand[dealer] as kept
          ask dealer "show":
              card from hand[dealer]: points[team(dealer)] += openly(strength(kept))
          end deal because shown
      end match drawn
"""


def test_a_choice_between_alike_cards_of_which_a_name_has_one_is_refused(tmp_path, capsys):
    path = tmp_path / "kept.yaml"
    path.write_text(KEPT)
    assert run(["solve", str(path), "--deal", "points=1"]) == BAD_INPUT
    assert "kept.yaml:15:11: a seat chooses between alike cards" in capsys.readouterr().err


def test_the_size_of_a_deal_is_printed(capsys):
    assert run(["solve", KUHN, "--deal", "chips=1", "--iterations", "10"]) == DONE
    assert "From 6 classes of deals, 12 information sets, 4 public" in capsys.readouterr().out


def test_the_figures_of_solve_and_exploit(tmp_path, capsys):
    path = str(tmp_path / "kuhn.policy")
    assert run(["solve", KUHN, "-o", path, "--param", "goal=1", "--json"]) == DONE
    figures = json.loads(capsys.readouterr().out)
    wanted = {
        "classes",
        "value",
        "exploitability",
        "states",
        "public_nodes",
        "iterations",
        "seconds",
    }
    assert wanted <= figures.keys()
    assert run(["exploit", KUHN, "--against", "uniform", "--param", "goal=1", "--json"]) == DONE
    (one,) = json.loads(capsys.readouterr().out)
    assert one["bound"] == "exact"
    assert one["interval"] is None
    assert {"decision", "situation", "answer", "costs"} == one["habits"][0].keys()
