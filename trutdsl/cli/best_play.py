"""`trutdsl compare --strategies best-play`: the game itself, without scripts."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from trutdsl.cli.match_progress import LiveLine
from trutdsl.cli.options import language_flag
from trutdsl.cli.output import note, own_output, print_json, stopped_code
from trutdsl.cli.solve import read_points
from trutdsl.diagnostics import BadUsage
from trutdsl.language import one_by_one, say, say_key, spoken_time, with_title
from trutdsl.strategy.load import BEST_PLAY

SAMPLING_OPTIONS = (
    "deals",
    "sets",
    "seed",
    "margin",
    "primary",
    "executor",
    "scheduler",
)  # options of what is played


def is_best_play(strategies: str | None) -> bool:
    """Tell whether the strategies are best play, with or without a folder of policies."""
    return strategies is not None and strategies.partition(":")[0] == BEST_PLAY


def show_best_play(variants: list[str], flags: Mapping[str, Any], default: Path) -> None:
    """Solve and describe variants, write the results into a folder, and print them.

    default: the folder for the results without --out.
    """
    from trutdsl.comparison.best_play import compare_best_play
    from trutdsl.comparison.run_comparison import Request
    from trutdsl.report.best_play import best_play_lines
    from trutdsl.report.csv_files import write_best_play
    from trutdsl.report.terminal import fitting_lines

    for name in SAMPLING_OPTIONS:
        if flags.get(name) not in (None, []):
            text = "--{name}: {best_play} is computed, not sampled; leave --{name} out"
            raise BadUsage(say(text, name=name, best_play=BEST_PLAY))
    folder = Path(flags["out"] or default)
    path = flags["strategies"].partition(":")[2]
    policies = Path(path) if path else folder.parent / BEST_PLAY
    request = Request(
        variants=tuple(variants),
        players=flags["players"] or 2,
        parameters=tuple(flags.get("parameters") or ()),
    )
    points = None if flags["deal"] is None else read_points(flags["deal"])
    with own_output() as own:
        try:
            with LiveLine() as line:
                jobs = flags["jobs"] or 1
                results = compare_best_play(
                    request, policies, jobs, _tell_time, line.show, points, folder
                )
        except KeyboardInterrupt:
            text = "stopped; what is finished is kept in {folder}"
            typer.echo(say(text, folder=policies), err=True)
            raise typer.Exit(stopped_code()) from None
        failures = [one for one in results["variants"] if one["why_not"]]
        if len(failures) == len(results["variants"]):
            reasons = (with_title(one["name"], say_key(one["why_not"])) for one in failures)
            raise BadUsage(one_by_one(reasons))
        write_best_play(folder, results)
        if flags["json"]:
            print_json(results, own)
            return
        with fitting_lines(own):
            for one in best_play_lines(results):
                typer.echo(one, own)
        page = ["trutdsl", "report", str(folder), *language_flag()]
        typer.echo(say("As a page with figures: {command}", command=shlex.join(page)), own)


def _tell_time(variant: str, scores: int, seconds: float) -> None:
    text = "solving {variant} takes at most about {time}: {scores} scores"
    note(say(text, variant=variant, time=spoken_time(seconds), scores=scores))
