"""Random matches: the values of solved play are those of plain Python.

`solve` states what its play wins against itself, and what a best response wins against it. Here the
outcomes of each deal are followed one by one, and each score has an equation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from tests.fuzz.seeds import Search
from trutdsl import load_game
from trutdsl.diagnostics import BadUsage
from trutdsl.solve.match import MatchSolver
from trutdsl.solve.stored import strategy_from

from .write import Outcome, RandomMatch, draw_match, write_game

CLOSE = 1e-8
ITERATIONS = 12  # few, so that play for a score and for its mirror image differ
State = tuple[int, int, int]  # the dealer, and the points of both teams
Branch = tuple[
    float, State | None, float
]  # how likely, the next state, or what the first team wins
ANSWERS = [*product((0, 1), repeat=2)]  # whether the coin is hidden, and whether it is guessed


def follow(outcome: Outcome, state: State) -> Iterator[tuple[float, list[int] | float]]:
    """Yield how likely each result is: the points, or what the first team wins of the match."""
    dealer, points = state[0], list(state[1:])
    side = dealer if outcome.side == "dealer" else 1 - dealer
    match outcome.kind:
        case "wins":
            points[side] += outcome.number
            yield 1.0, points
        case "loses":
            points[side] -= outcome.number if points[side] >= outcome.number else 0
            yield 1.0, points
        case "match":
            yield 1.0, 1.0 - side
        case "void":
            yield 1.0, points
        case "both":
            yield 1.0, [points[0] + 1, points[1] + 1]
        case "drawn":
            yield 1.0, 0.5
        case "chance":
            lucky = outcome.number / 4
            for share, part in zip((lucky, 1 - lucky), outcome.parts, strict=True):
                yield from ((share * often, result) for often, result in follow(part, state))
        case kind:
            ahead = points[dealer] > points[1 - dealer]
            first = points[side] == outcome.number if kind == "score" else ahead
            yield from follow(outcome.parts[0 if first else 1], state)


def branches(match: RandomMatch, state: State, hidden: int, guessed: int) -> Iterator[Branch]:
    """Yield where a deal leads to after these answers."""
    dealer = state[0]
    for share, result in follow(match.outcomes[bool(hidden), bool(guessed)], state):
        if isinstance(result, float):
            yield share, None, result
        elif max(result) >= match.goal:  # the first team is asked first
            yield share, None, float(result[0] >= match.goal)
        else:
            leads = result[dealer] > result[1 - dealer]
            passes = match.dealer == "passes" or (match.dealer == "leader" and leads)
            yield share, (dealer ^ passes, *result), 0.0


Plan = dict[State, Sequence[float]]  # how often a coin is hidden, and how often it is guessed


def own_values(match: RandomMatch, plan: Plan) -> dict[State, float]:
    """Return what the first team wins from each score."""
    places = {state: place for place, state in enumerate(plan)}
    system, constant = np.eye(len(plan)), np.zeros(len(plan))
    for state, (hides, guesses) in plan.items():
        for hidden, guessed in ANSWERS:
            often = (hides if hidden else 1 - hides) * (guesses if guessed else 1 - guesses)
            for share, after, value in branches(match, state, hidden, guessed):
                if after is None:
                    constant[places[state]] += often * share * value
                elif often:
                    system[places[state], places[after]] -= often * share
    return dict(zip(plan, np.linalg.solve(system, constant).tolist(), strict=True))


def best_values(match: RandomMatch, plan: Plan, team: int) -> dict[State, float]:
    """Return what a best response of a team wins from each score; no end is half a match."""
    values = dict.fromkeys(plan, 0.5)
    while True:
        before = values.copy()
        for state, shares in plan.items():
            own = 0 if state[0] == team else 1  # the place of the team's answer
            gains = [0.0, 0.0]
            for answers in ANSWERS:
                share_of_other = shares[1 - own] if answers[1 - own] else 1 - shares[1 - own]
                for share, after, value in branches(match, state, *answers):
                    won = before[after] if after else (value if team == 0 else 1 - value)
                    gains[answers[own]] += share_of_other * share * won
            values[state] = max(gains)
        if max(abs(values[state] - before[state]) for state in plan) < 1e-13:
            return values


def compare(seed: int, folder: Path, met: Counter[str]) -> str | None:
    """Return how the values of a solved match differ, None if they do not."""
    path, match = folder / "matches.yaml", draw_match(seed)
    path.write_text(write_game(seed), encoding="utf-8")
    try:
        solver = MatchSolver(load_game(path, 2, (), "native"))
        found = dict(solver.solve_all(ITERATIONS, 0.0, {}))
    except BadUsage:
        met["refused"] += 1
        return None
    plan: Plan = {}
    values = dict[State, Sequence[float]]()
    for score, solved in found.items():
        dealer, seats = score.start[0], solver.scores[score].tree.seats
        by_seat = [strategy_from(seats[s], solved.play[s])[-1] for s in (0, 1)]
        state = (dealer, *score.values)
        plan[state] = by_seat[dealer], by_seat[1 - dealer]
        values[state] = solved.value, *solved.best
    met["compared"] += 1
    plain = [own_values(match, plan), *(best_values(match, plan, team) for team in (0, 1))]
    for state, own in values.items():
        others = [each[state] for each in plain]
        if not np.allclose(own, others, rtol=0, atol=CLOSE):
            return f"at {state}: {own} by `solve`, {others} by plain Python"
    return None


SEARCH = Search(write_game, compare)
add_options, main = SEARCH.add_options, SEARCH.main
