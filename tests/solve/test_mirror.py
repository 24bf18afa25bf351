"""Mirror images of scores: they exist only if the rules treat both seats alike."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.solve.test_solve import write_trut
from trutdsl import load_game
from trutdsl.solve.match import MatchSolver, Mirrors, write_policy
from trutdsl.solve.policy_file import SolvedPolicy
from trutdsl.solve.scores import Score

UNFAIR_RULES = """rules: |
  replace define gain(side: team) -> number "The first team gains more.":
      2 if side == (first other in teams) else 1
"""


def solver_of(folder, rules=""):
    path = Path(write_trut(folder, 3))
    path.write_text(path.read_text() + rules)
    return MatchSolver(load_game(str(path), 2, {"goal": 1}, "native"))


@pytest.mark.thorough
def test_all_scores_of_trut_have_images(tmp_path):
    solver = solver_of(tmp_path)
    mirrors = Mirrors(solver)
    later = {}
    for group in solver.groups:
        later |= mirrors.image_of(group) or {}
    assert len(later) == len(solver.order) / 2
    assert set(later) | set(later.values()) == set(solver.order)
    for score, image in later.items():
        (dealer,), (left, right, mine, yours) = score
        assert image == Score((1 - dealer,), (right, left, yours, mine))


def test_a_score_and_its_image_are_solved_once(tmp_path):
    solver = solver_of(tmp_path)
    known = dict(solver.solve_all(50, 1e-5, {}))
    assert set(known) == set(solver.order)
    mirrors = Mirrors(solver)
    for score, found in known.items():
        images = mirrors.image_of((score,))
        if images is not None:
            image = images[score]
            assert found.value == 1 - known[image].value
            assert found.play[0] is known[image].play[1]
            again = solver.solve((score,), known, 50, 1e-5)[score]
            assert found.value == pytest.approx(
                again.value, abs=2 * (found.exploitability + again.exploitability) + 1e-12
            )
            assert found.exploitability < 2e-3
    write_policy(tmp_path / "short.policy", solver, known, 50, 1e-5)
    policy = SolvedPolicy(str(tmp_path / "short.policy"))
    places = {place for one in policy.head.scores for place in one.play}
    assert len(places) <= len(policy.head.scores)
    for one in policy.head.scores:
        play = known[Score(one.start, one.values)].play
        for seat in (0, 1):
            stored = policy.play_at(one.play[seat])
            assert np.array_equal(stored.reach, play[seat].reach)
            assert np.array_equal(stored.parts, play[seat].parts)


@pytest.mark.thorough
def test_scores_of_rules_that_favour_a_seat_have_no_images(tmp_path):
    """This holds for scores at which such a rule can matter."""
    solver = solver_of(tmp_path, UNFAIR_RULES)
    mirrors = Mirrors(solver)
    for score in solver.first:
        assert mirrors.image_of((score,)) is None


FAVOUR = """\
variant: favour
title: Favour
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q]}
counters: {points: {help: Two points win.}}
rules: |
  rule match "With two points each the first team wins.":
      setup dealer:
          dealer = random from seats
      repeat at most 100000 times:
          deal:
              do play_deal
          for side in teams where points[side] >= 2: end match won by side
          dealer = next_seat(dealer)

  rule play_deal "A point for both, or one that chance gives to either.":
      ask dealer "share":
          share:
              for side in teams: points[side] += 1
          toss:
              let winner = random from seats
              points[team(winner)] += 1
      end deal because over
"""


def worth_of_favour(dealer, one, other):
    """Return the chance of the first team."""
    if one == 2 or other == 2:
        return Fraction(one == 2)
    share = worth_of_favour(1 - dealer, one + 1, other + 1)
    toss = [worth_of_favour(1 - dealer, one + n, other + 1 - n) for n in (0, 1)]
    return (min if dealer else max)(share, sum(toss) / 2)


def test_scores_that_lead_to_unlike_scores_have_no_images(tmp_path):
    (tmp_path / "favour.yaml").write_text(FAVOUR)
    solver = MatchSolver(load_game(tmp_path / "favour.yaml", 2, (), "native"))
    mirrors = Mirrors(solver)
    assert not any(map(mirrors.image_of, solver.groups))
    known = dict(solver.solve_all(100, 1e-9, {}))
    assert len(known) == 8
    for (start, values), found in known.items():
        assert found.value == pytest.approx(float(worth_of_favour(*start, *values)), abs=1e-6)
