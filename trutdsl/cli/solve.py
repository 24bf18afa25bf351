"""`trutdsl solve` and `compare --strategies best-play`: play that hardly any opponent can beat."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from trutdsl.cli.match_progress import LiveLine
from trutdsl.cli.options import NoCache, Parameters, Players, PrintJson, Variant, language_flag
from trutdsl.cli.output import note, own_output, print_json, print_lines, stopped_code, tell_stopped
from trutdsl.diagnostics import BadUsage
from trutdsl.language import figure, one_by_one, say, say_count, say_key, spoken_time, with_title
from trutdsl.options import NATIVE

MOST_JOBS, USUAL_JOBS = 64, 2  # with four, `exploit` took 4.4 GB
SolverJobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", metavar="N", help="Workers; default: one for each CPU, at most 2."
    ),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write this file; a policy, .policy."),
]
DealPoints = Annotated[
    str | None,
    typer.Option(metavar="COUNTER=POINTS,...", help="Play one deal for points; not a match."),
]


def solve(
    variant: Variant,
    out: PolicyFile = None,
    deal: DealPoints = None,
    players: Players = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The maximum number of iterations for each score; default: 200, or 10,000 "
            "with --target.",
        ),
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(metavar="X", help="Stop at this exploitability: in points, or in matches."),
    ] = None,
    jobs: SolverJobs = None,
    param: Parameters = None,
    as_json: PrintJson = False,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Compute equilibrium play for two players, and how much a perfect opponent gains against it.

    The policy of a match can play: name its path as a strategy. A stopped run continues where it
    ended.

    Example: trutdsl solve trut --players 2 --param goal=1 -o trut.policy
    """
    from trutdsl.api.best_play import (
        check_policy_file,
        deal_solution,
        match_solution,
        most_iterations,
    )
    from trutdsl.game import load_game
    from trutdsl.solve.policy_run import STOPS, kept_files
    from trutdsl.variant import words_of

    if iterations is not None and iterations < 1:
        raise BadUsage(
            say("--iterations must be at least 1, not {iterations}", iterations=iterations)
        )
    if target is not None and target < 0:
        raise BadUsage(say("--target must be at least 0, not {target}", target=f"{target:g}"))
    workers = count_workers(jobs)
    if (out is None) == (deal is None):
        raise BadUsage(
            say("give either -o FILE for a whole match, or --deal COUNTER=POINTS for a deal")
        )
    check_policy_file(out)
    game = load_game(variant, 2 if players is None else players, param or [], "native")
    with own_output() as output:
        with LiveLine() as line:
            if deal is not None:
                points = read_points(deal)
                figures = deal_solution(game, points, iterations, target, workers, line.show)
            else:
                assert out is not None
                try:
                    figures = match_solution(game, out, iterations, target, workers, line.show)
                except STOPS as problem:
                    if not (files := kept_files(out)):
                        raise
                    text = "stopped; what is solved is kept in {kept}; the same command goes on"
                    message = say(text, kept=files[0])
                    if isinstance(problem, KeyboardInterrupt):
                        tell_stopped(message)
                        raise typer.Exit(stopped_code()) from None
                    typer.echo(message, err=True)
                    raise
        figures["seconds"] = round(_seconds(), 2)
        if target is not None and figures["exploitability"] > target:
            if figures["iterations"] < most_iterations(iterations, target):
                text = (
                    "the exploitability is still above the target {target}, because a match has"
                    " many deals, or because the file rounds probabilities; a lower --target helps"
                    " in the first case"
                )
            else:
                text = (
                    "the exploitability is still above the target {target}; more --iterations"
                    " reduce it"
                )
            note(say(text, target=f"{target:g}"))
        if as_json:
            print_json(figures, output)
            return
        print_lines(_lines(figures, words_of(game.variant).title), output)


def count_workers(jobs: int | None) -> int:
    """Return how many processes compute; jobs: of `SolverJobs`. Raises `BadUsage`."""
    from trutdsl.strategy.threads import usable_cpus

    if jobs is None:
        return min(usable_cpus(), USUAL_JOBS)
    if not 1 <= jobs <= MOST_JOBS:
        raise BadUsage(
            say("--jobs must be from 1 to {most_jobs}, not {jobs}", most_jobs=MOST_JOBS, jobs=jobs)
        )
    return jobs


def read_points(text: str) -> dict[str, float]:
    """Return the points of each counter, from COUNTER=POINTS,...; raises `BadUsage`."""
    result: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        try:
            points = float(number)
        except ValueError:
            raise BadUsage(
                say("--deal {text}: write COUNTER=POINTS, such as petits=1", text=text)
            ) from None
        if name.strip() in result:
            raise BadUsage(
                say("--deal {text}: '{name}' is given twice", text=text, name=name.strip())
            )
        result[name.strip()] = points
    return result


def _seconds() -> float:
    """Return the processor time of this process and its workers so far."""
    return sum(os.times()[:4])


def _lines(figures: dict[str, Any], title: str) -> Iterator[str]:
    from trutdsl.report.rounding import upper_bound

    value, loss = figures["value"], figures["exploitability"]
    iterations = say_count(figures["iterations"], "{number} iteration", "{number} iterations")
    seconds = say_count(round(figures["seconds"]), "{number} second", "{number} seconds")
    effort = say(
        "{iterations}, {seconds} of processor time", iterations=iterations, seconds=seconds
    )
    if "deal" in figures:
        points = ", ".join(f"{name} {worth:g}" for name, worth in figures["deal"].items())
        yield say(
            "{variant}, 2 players: one deal for points ({points})", variant=title, points=points
        )
        yield say("  value for the dealer: {value} points", value=figure(value, "+.6f"))
        yield say(
            "  exploitability:       {loss} points (exact: a perfect opponent gains this)",
            loss=upper_bound(loss, ".6f"),
        )
        yield say(
            "From {classes} classes of deals, {information_sets} information sets, "
            "{public_nodes} public nodes, {ends} ends; {effort}.",
            effort=effort,
            **{
                name: figure(figures[name], ",d")
                for name in ("classes", "information_sets", "public_nodes", "ends")
            },
        )
    else:
        yield say("{variant}, 2 players: a whole match", variant=title)
        yield say("  the first dealer wins {what} of 100 matches", what=figure(100 * value, ".4f"))
        yield say(
            "  exploitability: {what} of 100 matches (exact, of the stored play)",
            what=upper_bound(100 * loss, ".4f"),
        )
        if figures["can_be_drawn"]:
            yield f"  {say('A drawn match counts as half a win.')}"
        yield say(
            "From {scores}; at most {effort}. Written: {path}",
            scores=say_count(figures["states"], "{number} score", "{number} scores"),
            effort=effort,
            path=figures["file"],
        )
    yield say("Proved: {what}.", what=figures["proved"])


# `trutdsl compare --strategies best-play`: the game itself, without scripts.

# Options of what is played.
SAMPLING_OPTIONS = (
    "deals", "sets", "seed", "margin", "primary", "whole", "executor", "scheduler", "engine",
)  # fmt: skip


def is_best_play(strategies: str | None) -> bool:
    """Tell whether the strategies are best play, with or without a folder of policies."""
    from trutdsl.strategy.load import BEST_PLAY

    return strategies is not None and strategies.partition(":")[0] == BEST_PLAY


def show_best_play(variants: list[str], flags: Mapping[str, Any], default: Path) -> None:
    """Solve and describe variants, write the results into a folder, and print them.

    default: the folder for the results without --out.
    """
    from trutdsl.comparison.best_play import compare_best_play
    from trutdsl.comparison.run_comparison import Request
    from trutdsl.report.best_play import best_play_lines
    from trutdsl.report.csv_files import write_best_play
    from trutdsl.strategy.load import BEST_PLAY

    for name in SAMPLING_OPTIONS:
        if flags.get(name) not in (None, [], False, NATIVE):
            text = "--{name}: {best_play} is computed, not sampled; leave --{name} out"
            raise BadUsage(say(text, name=name, best_play=BEST_PLAY))
    folder = Path(flags["out"] or default)
    path = flags["strategies"].partition(":")[2]
    if path and flags["deal"] is not None:
        text = "--deal: the play of one deal is not kept; leave out the folder behind {best_play}"
        raise BadUsage(say(text, best_play=BEST_PLAY))
    policies = Path(path) if path else folder.parent / BEST_PLAY
    request = Request(
        variants=tuple(variants),
        players=2 if flags["players"] is None else flags["players"],
        parameters=tuple(flags.get("parameters") or ()),
    )
    points = None if flags["deal"] is None else read_points(flags["deal"])
    with own_output() as own:
        try:
            with LiveLine() as line:
                workers = count_workers(flags["jobs"])
                results = compare_best_play(
                    request, policies, workers, _tell_time, line.show, points, folder
                )
        except KeyboardInterrupt:
            text = "stopped; what is finished is kept in {folder}"
            tell_stopped(say(text, folder=policies))
            raise typer.Exit(stopped_code()) from None
        failures = [one for one in results["variants"] if one["why_not"]]
        if len(failures) == len(results["variants"]):
            reasons = (with_title(one["name"], say_key(one["why_not"])) for one in failures)
            raise BadUsage(one_by_one(reasons))
        write_best_play(folder, results)
        if flags["json"]:
            print_json(results, own)
            return
        print_lines(best_play_lines(results), own)
        page = ["trutdsl", "report", str(folder), *language_flag()]
        typer.echo(say("As a page with figures: {command}", command=shlex.join(page)), own)


def _tell_time(variant: str, scores: int, seconds: float) -> None:
    text = "solving {variant} takes at most about {time}: {scores} scores"
    note(say(text, variant=variant, time=spoken_time(seconds), scores=scores))
