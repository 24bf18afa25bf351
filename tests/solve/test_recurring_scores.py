"""Matches in which scores lead to each other: they are solved together."""

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from tests.solve.test_solve import LEDUC
from trutdsl import load_game
from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.diagnostics import BadUsage
from trutdsl.solve import trees
from trutdsl.solve.describe import describe_match
from trutdsl.solve.equilibrium import WORTHS, can_end, values_of_play
from trutdsl.solve.labels import LabelledTrees
from trutdsl.solve.match import MatchSolver, Mirrors, read_scores, write_policy
from trutdsl.solve.policy_file import SolvedPolicy
from trutdsl.solve.policy_run import SolvedMatch
from trutdsl.solve.scores import Outcome, Score
from trutdsl.solve.stored import strategy_from
from trutdsl.solve.tree import DealTree, SeatTree
from trutdsl.solve.trees import ScoreEnds, ScoreGraph

# ---------------------------------------------------------------- which scores belong together


def random_graph(rng):
    """Return for each number the numbers that it leads to."""
    count = rng.randrange(1, 12)
    return [rng.choices(range(count), k=rng.randrange(3)) for _ in range(count)]


def graph_of(leads_to, ends=1):
    """Return the graph of scores that lead to each other like numbers do, from 0 and the last."""
    scores = [Score((0,), (number,)) for number in range(len(leads_to))]

    def ends_at(score):
        others = dict.fromkeys(leads_to[score.values[0]])
        outcomes = [Outcome(scores[other], None) for other in others]
        return SimpleNamespace(outcomes=outcomes, tree=SimpleNamespace(kind=range(ends)))

    deals = SimpleNamespace(ends_at=ends_at, trees=())
    return ScoreGraph(deals, [scores[0], scores[-1]], lambda _text: None)


@pytest.mark.parametrize("seed", range(40))
def test_groups_are_the_strongly_connected_components(seed):
    leads_to = random_graph(Random(seed))
    graph = graph_of(leads_to)
    groups = [{score.values[0] for score in group} for group in graph.groups]
    pairs = [(one, other) for one, others in enumerate(leads_to) for other in others]
    rows = np.array(pairs, int).reshape(-1, 2).T
    size = (len(leads_to),) * 2
    _, labels = connected_components(
        csr_matrix((np.ones(len(pairs)), rows), size), connection="strong"
    )
    found = {number for group in groups for number in group}
    assert sum(map(len, groups)) == len(found) == len(graph.scores)
    assert {0, len(leads_to) - 1} <= found
    done = set()
    for group in groups:
        assert group == {number for number in found if labels[number] == labels[min(group)]}
        done |= group
        assert all({*leads_to[number]} <= done for number in group)


def test_too_many_ends_are_refused_as_soon_as_they_are_known(monkeypatch):
    monkeypatch.setattr(trees, "MOST_ENDS", 4_000_000)
    circle = [[(number + 1) % 5, 0] for number in range(5)]
    assert len(graph_of(circle, 800_000).groups) == 1
    with pytest.raises(BadUsage, match=r"3 scores or more .* more than 4 million ends"):
        graph_of(circle, 1_500_000)
    assert len(graph_of([[number + 1] for number in range(4)] + [[]], 1_500_000).groups) == 5


# ---------------------------------------------------------------- known answers

GAME = """variant: passing
title: Passing
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Nobody counts them.}}
rules: |
  rule match "The deal passes until somebody wins.":
      repeat at most 100000 times:
          deal: do play_deal
          dealer = next_seat(dealer)

  rule win(player): end match won by team(player)

"""
HIDE = """  deal state:
      coin[seat]: yes_no, seen by owner

  rule play_deal "The dealer hides a coin or none; a wrong guess of none passes the deal.":
      coin[dealer] = no
      ask dealer "hide" seen by owner:
          coin: coin[dealer] = yes
          none: coin[dealer] = no
      ask next_seat(dealer) "guess":
          coin:
              if openly(coin[dealer]): do win(dealer)
              end deal because void
          none:
              if openly(coin[dealer]): do win(next_seat(dealer))
              do win(dealer)
"""
WAIT = """  rule play_deal "The dealer may let the deal pass.":
      ask dealer "deal":
          wait: end deal because void
          WINS
"""


def write_game(folder, rules):
    path = folder / "passing.yaml"
    path.write_text(GAME + rules)
    return str(path)


def figures(capsys, *arguments):
    assert run([*arguments, "--json"]) == DONE
    return json.loads(capsys.readouterr().out)


@pytest.mark.thorough
def test_the_dealer_wins_by_the_golden_ratio(tmp_path, capsys):
    """The deal is a game with the matrix ((1, 0), (1 - v, 1)) and the value v.

    It has no saddle point, so v = 1 / (2 - (1 - v)).
    """
    game, policy = write_game(tmp_path, HIDE), str(tmp_path / "passing.policy")
    found = figures(capsys, "solve", game, "-o", policy, "--target", "0.00001")
    assert found["states"] == 2
    assert found["exploitability"] < 0.005  # parts of 254 in the file
    assert abs(found["value"] - (sqrt(5) - 1) / 2) <= 2 * found["exploitability"]
    (one,) = [figures(capsys, "exact", game, "--strategies", f"{policy},{policy}")]
    assert one["first_dealer_wins"] == pytest.approx(found["value"], abs=1e-10)


def test_a_response_looks_ahead_to_deals_that_come_back(tmp_path, capsys):
    """As a dealer it hides none, as the other it guesses none: 1/2 + y/2 and y = 1/2."""
    game, policy = write_game(tmp_path, HIDE), str(tmp_path / "response.policy")
    (found,) = figures(capsys, "exploit", game, "--against", "uniform", "-o", policy)
    assert found["wins"] == pytest.approx((3 / 4 + 1 / 2) / 2, abs=1e-10)
    one = figures(capsys, "exact", game, "--strategies", f"{policy},uniform")
    assert one["wins"][0] == pytest.approx(5 / 8, abs=1e-10)


@pytest.mark.parametrize(("wait", "win"), [("wait", "win"), ("win", "wait")])
def test_a_response_ends_a_match_that_it_could_win_later(wait, win, tmp_path, capsys):
    """To wait for the next own deal is as good as to win now, unless it waits for ever."""
    rules = WAIT.replace("wait:", f"{wait}:").replace("WINS", f"{win}: do win(dealer)")
    game = write_game(tmp_path, rules)
    policy, script = str(tmp_path / "response.policy"), tmp_path / "waiter.strategy"
    script.write_text(f"strategy waiter:\n    on deal:\n        {wait}\n")
    (found,) = figures(capsys, "exploit", game, "--against", str(script), "-o", policy)
    assert found["wins"] == pytest.approx(1)
    one = figures(capsys, "exact", game, "--strategies", f"{policy},{script}")
    assert one["wins"][0] == 1


def test_draws_of_deals_that_come_back_count(tmp_path, capsys):
    """The response waits until the script draws or loses, which are equally likely."""
    ends = "draw: end match drawn\n          lose: do win(next_seat(dealer))"
    game = write_game(tmp_path, WAIT.replace("WINS", ends))
    (found,) = figures(capsys, "exploit", game, "--against", "uniform")
    assert (found["wins"], found["draws"]) == pytest.approx((1 / 2, 1 / 2))


def values_of_coins(plans, later):
    """Return what the first team wins at this score, for each dealer, by the rules of `HIDE`.

    plans: for each dealer, how often the dealer hides a coin, and how often the other guesses it.
    later: what the first team wins if it or the other one wins a point here, for each next dealer.
    """
    system, own = np.eye(2), np.zeros(2)
    for dealer, (hides, guesses) in enumerate(plans):
        wins = hides * guesses + (1 - hides) * (1 - guesses), hides * (1 - guesses)
        system[dealer, 1 - dealer] -= (1 - hides) * guesses
        own[dealer] = sum(p * later[winner ^ dealer][1 - dealer] for winner, p in enumerate(wins))
    return np.linalg.solve(system, own)


def test_images_have_the_values_of_their_own_play(tmp_path):
    """A tie leads to scores that are images of each other, where play differs a little."""
    point = "rule win(player):\n      points[team(player)] += 1\n      end deal because won\n"
    goal = "for side in teams where points[side] >= 2: end match won by side\n          dealer = "
    path = Path(write_game(tmp_path, HIDE))
    text = path.read_text().replace("rule win(player): end match won by team(player)\n", point)
    path.write_text(text.replace("          dealer = ", f"          {goal}"))
    solver = MatchSolver(load_game(path, 2, (), "native"))
    known = dict(solver.solve_all(20, 0.0, {}))
    mirrors = Mirrors(solver)
    assert [bool(mirrors.image_of(group)) for group in solver.groups] == [False, True, False, False]

    def share(score, seat):
        return strategy_from(solver.scores[score].tree.seats[seat], known[score].play[seat])[-1]

    found = {(2, n): (1.0, 1.0) for n in (0, 1)} | {(n, 2): (0.0, 0.0) for n in (0, 1)}
    for values in ((1, 1), (1, 0), (0, 1), (0, 0)):
        scores = [Score((dealer,), values) for dealer in (0, 1)]
        plans = [(share(s, s.start[0]), share(s, 1 - s.start[0])) for s in scores]
        one, other = values
        found[values] = values_of_coins(plans, (found[one + 1, other], found[one, other + 1]))
        assert [known[score].value for score in scores] == pytest.approx(found[values], abs=1e-9)


FIRST = (
    '  rule play_deal "The first player has no choice.":\n      if dealer == (first p in seats): '
)
TOSS = """
  rule toss:
      let wins = chance 1 out of 2
      if wins: do win(dealer)
      end deal because void
"""


@pytest.mark.thorough
def test_deals_are_solved_until_all_are_good_enough(tmp_path, capsys):
    """The first player wins half of the own deals. The other one hides a coin.

    So v = 1 / (2 - v / 2), as above, and the first player wins 1 - v / 2 = sqrt(1 / 2).
    """
    rules = f"{FIRST}do toss\n      else: do hide_coin\n" + TOSS
    rules += HIDE.replace("play_deal", "hide_coin")
    game, policy = write_game(tmp_path, rules), str(tmp_path / "a.policy")
    found = figures(capsys, "solve", game, "-o", policy, "--target", "0.0001")
    assert abs(found["value"] - sqrt(1 / 2)) <= 2 * found["exploitability"] < 0.005


def test_a_match_can_end_after_deals_that_only_pass(tmp_path, capsys):
    rules = FIRST + "end deal because void\n      do choose\n"
    rules += WAIT.replace("play_deal", "choose").replace("WINS", "win: do win(dealer)")
    game, policy = write_game(tmp_path, rules), str(tmp_path / "a.policy")
    assert figures(capsys, "solve", game, "-o", policy)["value"] == pytest.approx(0, abs=1e-9)


def test_a_match_that_nobody_wants_to_end_is_refused(tmp_path, capsys):
    game = write_game(tmp_path, WAIT.replace("WINS", "lose: do win(next_seat(dealer))"))
    assert run(["solve", game, "-o", str(tmp_path / "a.policy")]) == BAD_INPUT
    assert "under best play a match of this game need not end" in capsys.readouterr().err


# ---------------------------------------------------------------- leads that shrink again

COINS = SeatTree(
    np.ones(1, np.uint64), np.zeros(1, int), np.zeros(1, int), np.array([1, 3]), (0, 1)
)


def deals_of_coins(goal):
    """Return the deals at each lead below the goal: both seats show a side of a coin.

    Two heads win a point for the first side. Two tails do so as often as not, else the other side
    wins it.
    """
    ends = np.array([[1, 1, 2, 2, 2], [1, 2, 1, 2, 2]], np.int32)
    kinds, kind = np.arange(2, dtype=np.uint64), np.array([0, 1, 1, 0, 1], np.int32)
    tree = DealTree((COINS, COINS), ends, np.array([1, 1, 1, 0.5, 0.5]), kinds, kind, 2)
    scores = {lead: Score((0,), (lead,)) for lead in range(1 - goal, goal)}
    outcomes = {lead: Outcome(score, None) for lead, score in scores.items()}
    outcomes |= {goal: Outcome(None, 0), -goal: Outcome(None, 1)}
    return {
        score: ScoreEnds(
            tree, (outcomes[lead + 1], outcomes[lead - 1]), np.arange(2, dtype=np.uint16)
        )
        for lead, score in scores.items()
    }


def solve_scores(scores):
    solver = SimpleNamespace(scores=scores, order=[*scores], show=id, _key_of=id)
    return MatchSolver.solve(solver, tuple(scores), {}, 40, 0.0)


def test_play_knows_how_much_a_lead_is_worth_from_early_on():
    found = solve_scores(deals_of_coins(5))
    assert found[Score((0,), (0,))].exploitability < 0.01


def test_a_sure_win_stays_within_bounds_if_probabilities_are_rounded_up():
    ((score, ends),) = deals_of_coins(1).items()
    tree = replace(ends.tree, chance=ends.tree.chance * (1 + 1e-15))
    sure = ScoreEnds(tree, (Outcome(None, 0),), np.zeros(2, np.uint16))
    found = solve_scores({score: sure})[score]
    assert (found.value, found.best) == (1.0, (1.0, 0.0))


@pytest.mark.parametrize(("void", "scale"), [(0.0, 1.0), (0.99, 1.0), (0.99, 1 + 1e-10)])
def test_values_are_those_of_a_gambler_before_ruin(void, scale):
    """Each side wins every second point, so a share of all leads is won.

    scale: what the probabilities of a deal sum to, after rounding.
    """
    scores = [Score((0,), (lead,)) for lead in range(1, 40)]
    ends = [Outcome(None, 1), *(Outcome(score, None) for score in scores), Outcome(None, 0)]
    chances = {
        score: {
            ends[n + step]: scale * share
            for step, share in ((-1, (1 - void) / 2), (0, void), (1, (1 - void) / 2))
        }
        for n, score in enumerate(scores, 1)
    }
    found = values_of_play(chances, {}, WORTHS[0], 0.5)
    assert [*found.values()] == pytest.approx([n / 40 for n in range(1, 40)], abs=1e-7)
    assert can_end(chances)


def test_a_match_without_end_is_worth_what_a_cut_match_is():
    (score,) = scores = [Score((0,), ())]
    chances = {score: {Outcome(score, None): 1.0}}
    assert values_of_play(chances, {}, WORTHS[0], 0.5) == dict.fromkeys(scores, 0.5)
    assert not can_end(chances)


# ---------------------------------------------------------------- Leduc poker, where ties pass


@pytest.fixture(scope="module")
def leduc():
    game = load_game(LEDUC, 2, {"goal": 3}, "native")
    solver = MatchSolver(game, trees=LabelledTrees)
    return solver, dict(solver.solve_all(60, 1e-4, {}))


def test_ties_lead_to_the_other_dealer_and_back(leduc):
    solver, known = leduc
    assert len(solver.groups) < len(solver.order) == len(known)
    for group in solver.groups:
        assert {score.values for score in group} == {group[0].values}
    assert sum(len(group) == 2 for group in solver.groups) > 3


def test_a_group_and_its_mirror_image_are_solved_once(leduc):
    solver, known = leduc
    mirrors = Mirrors(solver)
    images = [image for group in solver.groups if (image := mirrors.image_of(group))]
    assert len(images) == sum(len({*score.values}) > 1 for score in solver.order) / 4
    for image in images:
        for score, other in image.items():
            error = known[score].exploitability + known[other].exploitability
            assert known[score].value == pytest.approx(1 - known[other].value, abs=2 * error)
            assert known[score].play[0] is known[other].play[1]


def test_the_file_has_the_same_bytes_for_workers_and_after_a_stop(leduc, tmp_path):
    solver, known = leduc
    files = [tmp_path / f"{name}.policy" for name in ("one", "two", "begun", "resumed")]
    write_policy(files[0], solver, known, 60, 1e-4)
    write_policy(files[1], solver, dict(solver.solve_all(60, 1e-4, {}, 2)), 60, 1e-4)
    half = next(group for group in solver.groups if len(group) == 2)[:1]  # one of two scores
    write_policy(files[2], solver, {score: known[score] for score in half}, 60, 1e-4)
    begun = read_scores(SolvedPolicy(str(files[2])))
    rest = dict(solver.solve_all(60, 1e-4, begun))
    assert set(rest) == set(solver.order) - set(half)
    write_policy(files[3], solver, begun | rest, 60, 1e-4)
    assert files[0].read_bytes() == files[1].read_bytes() == files[3].read_bytes()


@pytest.mark.parametrize("jobs", [1, 2])
def test_scores_that_are_solved_alone_or_together_show_their_progress(jobs):
    """With two workers this process solves a group if there is no other one to solve."""
    texts = []
    solver = MatchSolver(load_game(LEDUC, 2, {"goal": 1}, "native"), texts.append)
    texts.clear()
    list(solver.solve_all(30, 0.0, {}, jobs))
    (both,) = solver.groups
    assert len(both) == 2
    assert texts == [
        f"0 of 2 scores solved, 2 more after {number} of at most 30 iterations"
        for number in (10, 20, 30)
    ]


def test_workers_do_not_write_on_the_line_of_their_parent(tmp_path):
    texts, shown = [], tmp_path / "shown"

    def show(text):
        texts.append(text)
        with shown.open("a") as file:
            file.write(f"{text}\n")

    solver = MatchSolver(load_game(LEDUC, 2, {"goal": 3}, "native"), show)
    list(solver.solve_all(10, 0.0, {}, 2))
    assert shown.read_text().splitlines() == texts


def test_all_deals_of_a_match_are_described(leduc):
    """The visits of scores that recur add up to the length of the match."""
    solver, known = leduc
    found = describe_match(SolvedMatch(solver, known), solver.deals)
    assert found.deals > 1.2
    assert found.sums.deals == pytest.approx(found.deals, rel=1e-9)


def test_a_habit_is_the_same_on_both_seats(capsys):
    """The places of the own seat and of the other one have the same order for both dealers."""
    (found,) = figures(capsys, "exploit", LEDUC, "--param", "goal=1", "--against", "uniform")
    texts = [habit["situation"] for habit in found["habits"]]
    answers = [habit["answer"] for habit in found["habits"]]
    assert len(texts) == len({*zip(texts, answers, strict=True)}) == 10
    assert "hand (own) K; paid (own) = 1; paid (other) = 3; raises = 1" in texts
    assert not any("(other) = 3; paid (own)" in text for text in texts)
