"""Best play as figures: exact results, equilibria, best responses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.diagnostics import BadUsage, check_output
from trutdsl.game import Game
from trutdsl.language import mark, say
from trutdsl.strategy.load import Spec
from trutdsl.strategy.script import table_with
from trutdsl.strategy.solved_policy import exact_players

if TYPE_CHECKING:
    from trutdsl.comparison.metrics import Metric
    from trutdsl.solve.habits import ScriptResponse

SUFFIX = ".policy"
ITERATIONS, TO_A_TARGET = 200, 10_000  # the default maximum, alone and with a target


def exact_result(
    game: Game,
    first: Spec,
    second: Spec,
    show: Callable[[str], None] = lambda _: None,
    jobs: int = 1,
) -> tuple[dict[str, Any], list[tuple[Metric, float]], str]:
    """Return the exact result of two strategies as JSON, its metrics, and a table as CSV.

    The table has the chance of the first one to win from each score. jobs: processes.
    """
    from trutdsl.comparison.metrics import expected_metrics
    from trutdsl.solve.exact import evaluate, table_text

    table, (one, two) = exact_players(game, (first, second))
    result = evaluate(table, (one, two), show, jobs)
    metrics = list(expected_metrics(game.count_plan, result.counts))
    figures = {
        **_describe_game(game),
        "strategies": [first.name, second.name],
        "wins": list(result.wins),
        "first_dealer_wins": result.first_dealer_wins,
        "deals_per_match": result.deals_per_match,
        "deals_deviation": result.deviation,
        "lengths": list(result.lengths),
        "classes": result.classes,
        "scores": result.scores,
        "proved": result.proved,
        "metrics": {metric.name: value for metric, value in metrics},
    }
    return figures, metrics, table_text(game.count_plan.counters, result.chances)


def check_policy_file(out: Path | None) -> None:
    """Raise `BadUsage` if a policy file cannot have this path."""
    if out is not None:
        check_output("-o", out, mark("a policy file"), (SUFFIX,))


def most_iterations(iterations: int | None, target: float | None) -> int:
    """Return the maximum number of iterations that a caller asked for or left open."""
    if iterations is not None:
        return iterations
    return ITERATIONS if target is None else TO_A_TARGET


def deal_solution(
    game: Game,
    points: dict[str, float],
    iterations: int | None,
    target: float | None,
    jobs: int,
    show: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Return equilibrium play of one deal for points as figures."""
    from trutdsl.solve.equilibrium import solve_deal
    from trutdsl.solve.trees import TreeEnumerator

    deals = TreeEnumerator(game, show=show, alone=True, jobs=jobs)
    result = solve_deal(deals, points, most_iterations(iterations, target), target or 0.0, show)
    tree = result.tree
    return {
        **_describe_game(game),
        "deal": points,
        "value": result.value,
        "exploitability": result.exploitability,
        "states": 1,
        "public_nodes": tree.public_nodes,
        "classes": deals.classes,
        "information_sets": sum(len(seat.keys) for seat in tree.seats),
        "actions": sum(seat.sequences - 1 for seat in tree.seats),
        "ends": len(tree.kind),
        "iterations": result.iterations,
        "proved": deals.stepper.classes.sentence(),
    }


def match_solution(
    game: Game,
    out: Path,
    iterations: int | None,
    target: float | None,
    jobs: int,
    show: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Write equilibrium play of a match to a policy file, and return its figures."""
    from trutdsl.solve.match import MatchSolver
    from trutdsl.solve.policy_run import TARGET, solve_match

    solver = MatchSolver(game, show, jobs=jobs)
    goal = TARGET if target is None else target
    result = solve_match(solver, out, most_iterations(iterations, target), goal, jobs, show)
    return {
        **_describe_game(game),
        "file": str(out),
        "value": result.value.mean,
        "exploitability": result.exploitability,
        "can_be_drawn": any(
            outcome.score is None and outcome.winner is None
            for ends in solver.scores.values()
            for outcome in ends.outcomes
        ),
        "states": len(solver.order),
        "public_nodes": max(tree.public_nodes for tree in solver.deals.trees.values()),
        "classes": solver.deals.classes,
        "iterations": max(one.iterations for one in result.scores.values()),
        "proved": solver.deals.stepper.classes.sentence(),
    }


def _describe_game(game: Game) -> dict[str, Any]:
    return {
        "variant": game.name,
        "players": game.players,
        "parameters": game.parameter_texts(),
        "fingerprint": game.fingerprint,
    }


def respond(
    game: Game,
    scripts: Sequence[Spec],
    at: dict[str, tuple[int, ...]],
    points: dict[str, float] | None,
    keep: bool,
    choices: int,
    jobs: int,
    show: Callable[[str], None] = lambda _: None,
) -> dict[Spec, ScriptResponse]:
    """Return the best response to each script, or what a learned response wins if that fails.

    keep: the response to one script can be saved (-o).
    Raises `BadUsage` for requests that do not fit.
    """
    from trutdsl.solve.exploit import MatchExploiter, exploit_deal
    from trutdsl.solve.learner import respond_by_learning

    if keep and points is not None:
        raise BadUsage(say("-o saves the play of a match, so it does not go with --deal"))
    if keep and len(scripts) > 1:
        text = "-o saves the response to one script, not to {number}: name one"
        raise BadUsage(say(text, number=len(scripts)))
    if choices < 1:
        raise BadUsage(say("--choices must be at least 1, not {choices}", choices=choices))
    result: dict[Spec, ScriptResponse] = {}
    for group in _groups(game, scripts):
        table, names = table_with(game, group)
        if points is not None:
            responses = exploit_deal(table, names, points, at, show, jobs)
        else:
            try:
                exploiter = MatchExploiter(game, table, at, show, jobs)
            except BadUsage as reason:
                if at or keep:
                    raise
                learn = partial(respond_by_learning, game, table)
                responses = [learn(name, choices, str(reason), show) for name in names]
            else:
                responses = exploiter.respond(names, keep)
        pairs = zip(group, responses, strict=True)
        result |= {spec: replace(one, against=spec.name) for spec, one in pairs}
    return result


def _groups(game: Game, scripts: Sequence[Spec]) -> list[list[Spec]]:
    """Return the scripts that are responded to together, because they see the same in cards.

    A script with memory stays alone.
    """
    from trutdsl.solve.classes import find_classes
    from trutdsl.solve.exploit import memory_of

    result: dict[object, list[Spec]] = {}
    for script in scripts:
        table, (name,) = table_with(game, (script,))
        key = name if memory_of(table, name) else find_classes(table.program, table.setting).of
        result.setdefault(key, []).append(script)
    return list(result.values())


def response_figures(response: ScriptResponse, points: dict[str, float] | None) -> dict[str, Any]:
    """Return a response as JSON; points: of one deal, None for a match."""
    gains = (
        {
            "wins": response.gains,
            "wins_by_seat": list(response.by_seat) or None,
            "draws": response.draws,
        }
        if points is None
        else {"deal": points, "gains": response.gains}
    )
    return {
        "against": response.against,
        **gains,
        "bound": "lower" if response.match_count else "exact",
        "interval": measured_interval(response),
        "note": response.note,
        "habits": [
            {
                "decision": habit.decision,
                "situation": habit.situation_text(),
                "answer": habit.answer_text(),
                "costs": habit.costs,
            }
            for habit in response.habits
        ],
    }


def measured_interval(response: ScriptResponse) -> tuple[float, float] | None:
    """Return the 95 % interval of a measured share of wins, None for an exact one."""
    if not response.match_count:
        return None
    from trutdsl.stats.estimate import estimate_share

    share = estimate_share(round(response.gains * response.match_count), response.match_count)
    assert share.low is not None
    assert share.high is not None
    return share.low, share.high
