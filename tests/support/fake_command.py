"""`trutdsl tournament` with the fake game; strategies are NAME:SKILL or NAME:SKILL:TROUBLE:AT."""

from __future__ import annotations

import signal

import typer
from fake_game import FakeGame, FakeStrategy, play

import trutdsl.tournaments.load as load
from trutdsl.cli.tournament import resume_run, tournament
from trutdsl.diagnostics import Failure
from trutdsl.game import BadUsage
from trutdsl.tournaments.schedule import plan_experiment


def load_fake_game(variant: str, players: int | None, params: list[str], engine: str) -> FakeGame:
    assert engine == "native"
    parameters = dict(p.split("=") for p in params)
    teams = tuple(range(players or 2))
    return FakeGame(variant, len(teams), teams, parameters, f"{variant} {teams} {parameters}")


def load_fake_strategy(ref: str) -> FakeStrategy:
    name, skill, *misdeed = ref.split(":")
    trouble, at = misdeed or ("", "-1")
    return FakeStrategy(name, float(skill), trouble, int(at))


def load_fake_strategies(names: tuple[str, ...], _game: FakeGame) -> list[FakeStrategy]:
    return [load_fake_strategy(name) for name in names]


def plan_with_fake_play(*args, **how):
    return plan_experiment(*args, play, **how)


if __name__ == "__main__":
    # A shell starts background processes with SIGINT ignored; this enables it again.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    load.load_game = load_fake_game
    load.load_strategies = load_fake_strategies
    load.plan_experiment = plan_with_fake_play
    app = typer.Typer()
    app.command()(tournament)
    app.command("resume")(resume_run)
    try:
        app()
    except (BadUsage, Failure) as problem:  # as the real command's `main` does
        typer.echo(f"error: {problem}", err=True)
        raise SystemExit(2 if isinstance(problem, BadUsage) else 1) from None
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # so does `main`, at its end
