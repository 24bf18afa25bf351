"""Analyses of a game as one call each; results are what the command prints with `--json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from trutdsl.arguments import check_arguments, check_range
from trutdsl.diagnostics import BadUsage
from trutdsl.game import Game, load_game, play_from
from trutdsl.options import MATCHES, OPTIONS, Means, Settings
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.run import Games, ScenarioOutcome, cover_scenarios, run_scenario
from trutdsl.strategy.count import add_part
from trutdsl.strategy.coverage import MOST_CLAUSE_MATCHES, cover_clauses, cover_matches
from trutdsl.strategy.fitness import list_all, load_strategies, names_of, seat_all
from trutdsl.strategy.load import Spec, StrategyLike, settle_seed, split_objects
from trutdsl.strategy.objects import name_objects
from trutdsl.strategy.threads import count_in_threads, limit_workers
from trutdsl.table.counts import Counts
from trutdsl.tournaments.api import plan as plan_tournament
from trutdsl.transcript.events import read_transcript
from trutdsl.transcript.replay import EventMismatch, replay_match
from trutdsl.variant.parameters import format_value

VariantLike = str | PathLike[str]


class SimulatedMatches(dict[str, Any]):
    """Statistics of simulated matches, as `trutdsl simulate --json` prints them."""

    def __init__(
        self,
        figures: Mapping[str, Any],
        game: Game,
        seating: Sequence[Spec],
        strategies: Sequence[str],
        first: int,
    ) -> None:
        """Keep also what the page needs; strategies: as the call named them."""
        super().__init__(figures)
        self._origin = game, seating, strategies, first

    def to_html(self, language: str = "en") -> str:
        """Return the page of `trutdsl simulate -o`: one HTML file, in `en` or `fr`."""
        from trutdsl.report.page import page_as_html
        from trutdsl.report.simulation_page import command_of_simulation, simulation_page

        game, seating, strategies, first = self._origin
        names, settings = ",".join(strategies), game.changed_parameters()
        command = command_of_simulation(self, str(game.ref), names, settings, first, game.engine)
        return page_as_html(lambda: simulation_page(self, game, seating, command), language)


@check_arguments
def simulate(
    variant: VariantLike,
    strategies: StrategyLike | Sequence[StrategyLike] = "uniform",
    *,
    matches: int = 1000,
    first: int = 0,
    players: int | None = None,
    parameters: Mapping[str, object] | None = None,
    score: Mapping[str, Sequence[int]] | None = None,
    seed: int | None = None,
    engine: str = "native",
    jobs: int | None = None,
) -> SimulatedMatches:
    """Return statistics of matches between strategies: lengths, winners, how deals end, answers.

    strategies: one for all seats, one for each team, or one for each seat.
    score:      for single deals instead of matches: where each counter starts, by team.
    jobs:       threads for scripts, by default one for each core; the figures are always the same.
    """
    from trutdsl.report.simulation import simulation_figures

    check_range("matches", matches, 1)
    check_range("first", first, 0)
    OPTIONS["jobs"].check(jobs)
    game = load_game(fspath(variant), players, parameters or {}, engine)
    if score is not None:
        game = play_from(game, [f"{name}={','.join(map(str, of))}" for name, of in score.items()])
    seating, threads = seat_all(game, strategies), limit_workers(jobs)
    actual_seed, clusters = settle_seed(seed, seating), list[Counts]()
    for part in count_in_threads(game, seating, actual_seed, matches, first, threads):
        add_part(clusters, *part)
    figures = _plain(simulation_figures(game, names_of(seating), actual_seed, clusters))
    names, _ = split_objects(list_all(strategies))
    return SimulatedMatches(figures, game, seating, names, first)


@check_arguments
def coverage(
    variant: VariantLike,
    strategies: StrategyLike | Sequence[StrategyLike] = "uniform",
    *,
    matches: int = 1000,
    scenarios: Sequence[str | PathLike[str]] = (),
    players: int | None = None,
    parameters: Mapping[str, object] | None = None,
    seed: int | None = None,
    engine: str = "native",
) -> dict[str, Any]:
    """Return how often each rule, option, branch and loop is reached, and each clause of scripts.

    scenarios: files whose scenarios of this variant count, too.
    """
    from trutdsl.report.simulation import coverage_figures

    if matches < 0 or (not matches and not scenarios):
        raise BadUsage(f"matches must be at least 1, not {matches}, or 0 with scenarios")
    game = load_game(fspath(variant), players, parameters or {}, engine)
    seating = seat_all(game, strategies)
    actual_seed, clause_matches = settle_seed(seed, seating), min(matches, MOST_CLAUSE_MATCHES)
    result = cover_matches(game, seating, actual_seed, matches, lambda *_: None)
    clauses = cover_clauses(game, seating, actual_seed, clause_matches)
    in_scenarios, many = cover_scenarios(game, [Path(name) for name in scenarios])
    names = names_of(seating)
    return _plain(
        coverage_figures(
            game, names, actual_seed, result, clauses, clause_matches, in_scenarios, many, {}
        )
    )


@check_arguments
def run_scenarios(*files: str | PathLike[str], engine: str = "reference") -> list[ScenarioOutcome]:
    """Play the scenarios of files; each outcome has `scenario`, `passed` and `differences`.

    Raises `Rejected` for a file that is not a scenario, or for one that cannot be played.
    """
    games: Games = {}
    return [
        run_scenario(one, Path(file), engine, games)
        for file in files
        for one in read_scenarios(Path(file), fspath(file))
    ]


@check_arguments
def explain_choice(
    strategy: StrategyLike,
    file: str | PathLike[str],
    *,
    scenario: str | None = None,
    match: int | None = None,
    deal: int | None = None,
    seat: int | None = None,
) -> list[dict[str, Any]]:
    """Return why a script, policy or search chooses as it does, in scenarios or a transcript.

    scenario: the only one of the file; match, deal: of a transcript, as in the file, by default the
    first ones. seat: where the strategy sits.
    """
    from trutdsl.api.explained_choices import choice_figures, explained_choices

    result = explained_choices(strategy, fspath(file), scenario, match, deal, seat)
    return [_plain(choice_figures(*one)) for one in result]


@check_arguments
def replay(file: str | PathLike[str]) -> EventMismatch | None:
    """Play a transcript again, and return its first event that differs, None if all are alike."""
    matches = read_transcript(Path(file), fspath(file))
    return next((result for one in matches if (result := replay_match(one)) is not None), None)


@check_arguments
def plan(
    variant: VariantLike,
    strategies: Sequence[StrategyLike],
    detect: float,
    *,
    power: float = 0.8,
    pilot: int = 100,
    players: int | None = None,
    parameters: Mapping[str, object] | None = None,
    metric: str = MATCHES,
    seed: int | None = None,
    jobs: int | None = None,
) -> dict[str, Any]:
    """Play a pilot, and return how many sets, deals and seconds a tournament needs.

    detect: the least difference of mean scores to detect, such as 0.02; power: how likely.
    """
    names, objects = split_objects(strategies)
    settings = Settings(
        variant=fspath(variant),
        strategies=names,
        players=players,
        parameters=tuple(f"{name}={format_value(one)}" for name, one in (parameters or {}).items()),
        metric=metric,
        seed=seed,
    )
    with name_objects(objects):
        return plan_tournament(settings, detect, power, pilot, Means(jobs=jobs))


@check_arguments
def exact(
    variant: VariantLike,
    strategies: Sequence[StrategyLike] = ("uniform", "uniform"),
    *,
    parameters: Mapping[str, object] | None = None,
    jobs: int = 1,
) -> dict[str, Any]:
    """Return the exact result of two scripts or solved policies, without simulation.

    jobs: processes; the result is the same for any number.
    """
    from trutdsl.api.best_play import exact_result

    check_range("jobs", jobs, 1)
    game = load_game(fspath(variant), 2, parameters or {}, engine="reference")
    if len(strategies) != 2:
        raise BadUsage(f"exact is for two strategies, not {len(strategies)}")
    first, second = load_strategies(strategies, game)
    return _plain(exact_result(game, first, second, jobs=jobs)[0])


@check_arguments
def best_play(
    variant: VariantLike,
    out: str | PathLike[str] | None = None,
    *,
    deal: Mapping[str, float] | None = None,
    iterations: int | None = None,
    target: float | None = None,
    parameters: Mapping[str, object] | None = None,
    jobs: int = 1,
) -> dict[str, Any]:
    """Compute equilibrium play for two players, and return its value and exploitability.

    out:  the policy file of a whole match; deal: instead, what each counter is worth in one deal.
    target: stop at this exploitability. iterations: at most so many for each score, by default 200,
    or 10,000 with a target. jobs: processes; the result is the same for any number.
    """
    from trutdsl.api.best_play import check_policy_file, deal_solution, match_solution

    if (out is None) == (deal is None):
        raise BadUsage(
            "best_play takes either out, for a whole match, or deal, what counters are worth"
        )
    if iterations is not None:
        check_range("iterations", iterations, 1)
    check_range("jobs", jobs, 1)
    if target is not None:
        check_range("target", target, 0)
    game = load_game(fspath(variant), 2, parameters or {}, engine="reference")
    if out is None:
        return _plain(deal_solution(game, dict(deal or {}), iterations, target, jobs))
    check_policy_file(Path(out))
    return _plain(match_solution(game, Path(out), iterations, target, jobs))


@check_arguments
def exploit(
    variant: VariantLike,
    against: StrategyLike | Sequence[StrategyLike],
    *,
    players: int = 2,
    parameters: Mapping[str, object] | None = None,
    deal: Mapping[str, float] | None = None,
    at: Mapping[str, Sequence[int]] | None = None,
    choices: int = 5_000_000,
    out: str | PathLike[str] | None = None,
    jobs: int = 1,
) -> list[dict[str, Any]]:
    """Return, for each script, what a perfect opponent wins, and by which of its habits.

    deal: one deal for points instead of a match; at: the score at its start. out: a policy file
    for the response to one script. choices: how long a lower bound is learned, if exact is too
    large. jobs: processes; the result is the same for any number.
    """
    from trutdsl.api.best_play import check_policy_file, respond, response_figures

    check_range("jobs", jobs, 1)
    game = load_game(fspath(variant), players, parameters or {}, engine="reference")
    scripts = tuple(dict.fromkeys(load_strategies(list_all(against), game)))
    if not scripts:
        raise BadUsage("found no strategy to play against, expected one or more")
    path = None if out is None else Path(out)
    check_policy_file(path)
    score = {name: tuple(values) for name, values in (at or {}).items()}
    points = None if deal is None else dict(deal)
    result = respond(game, scripts, score, points, path is not None, choices, jobs)
    for response in result.values():
        if path is not None and response.save is not None:
            response.save(path)
    return [_plain(response_figures(result[script], points)) for script in scripts]


def _plain(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures as they are read from JSON."""
    result: dict[str, Any] = json.loads(json.dumps(figures))
    return result
