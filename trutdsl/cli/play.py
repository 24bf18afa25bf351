"""`trutdsl play`: a person plays a match against strategies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from io import StringIO, TextIOWrapper
from typing import Annotated, TextIO

import typer

from trutdsl.cli.hand import Hand, Left
from trutdsl.cli.options import EngineName, NoCache, Parameters, Players, Variant, read_seed
from trutdsl.cli.output import open_transcript, stopped_code
from trutdsl.game import Action, BadUsage, Game, Question, State, load_game
from trutdsl.strategy import (
    MONTE_CARLO,
    Spec,
    load_strategies,
    play_match,
    settle_seed,
    split_strategies,
)
from trutdsl.strategy.spec import person
from trutdsl.transcript import Follower, Recorder, record_to
from trutdsl.transcript.events import Event

YOU = "you"


def play(
    variant: Variant,
    strategies: Annotated[
        str,
        typer.Option(metavar="A,B,...", help="One for all other seats, or one for each of them."),
    ] = MONTE_CARLO,
    players: Players = None,
    seat: Annotated[int, typer.Option(metavar="N", help="Where you sit.")] = 0,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="What all chance derives from; default: other cards each time.",
            parser=read_seed,
        ),
    ] = None,
    param: Parameters = None,
    transcript: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every event as JSON lines, hidden cards too."),
    ] = None,
    engine: EngineName = "native",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Play a match yourself, by any rules, against strategies.

    You are shown what a player at your seat sees, and asked what you do.

    Example: trutdsl play trut --strategies caller
    """
    if transcript == "-":
        raise BadUsage("--transcript needs a file here: standard output is for you to read")
    game = load_game(variant, players, param or [], engine)
    if not 0 <= seat < game.players:
        raise BadUsage(f"--seat {seat}: the seats are 0 to {game.players - 1}")
    follower = Follower(seat)
    hand = Hand(follower, _answers(), sys.stdout)
    seating = _seat_all(game, strategies, seat, hand)
    seed = settle_seed(seed, seating)
    again = f"the same cards again: --seed {seed}"
    try:
        with ExitStack() as stack:
            recorders = _recorders(stack, game, seating, seed, transcript)
            _say_who(game, seating, seat)
            _play(game, seating, seed, [follower, *recorders], hand.watch(seat))
    except Left as left:
        if left.why is not None:
            raise left.why from None
        typer.echo(f"You left the match; {again}")
    except KeyboardInterrupt:
        typer.echo(f"\nYou left the match; {again}")
        raise typer.Exit(stopped_code()) from None
    else:
        typer.echo(again.capitalize())


def _play(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    events: Sequence[Callable[[Event], None]],
    watch: Callable[[State], None],
) -> None:
    """Play match 0 of a seed; `events` receive each event, `watch` the match at each stop."""

    def emit(event: Event) -> None:
        for take in events:
            take(event)

    def answered(state: State, _question: Question, _action: Action, _took_any: bool) -> None:
        watch(state)

    play_match(game, seating, seed, 0, emit, answered, watch)


def _recorders(
    stack: ExitStack, game: Game, seating: Sequence[Spec], seed: int, transcript: str | None
) -> list[Recorder]:
    """Return the recorder of match 0 into a file, if any; the stack closes the file."""
    if transcript is None:
        return []
    file = stack.enter_context(open_transcript(transcript, sys.stdout))
    recorder = record_to(file, game, [spec.name for spec in seating], seed, 0)
    stack.callback(recorder.flush)
    return [recorder]


def _answers() -> TextIO:
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin or StringIO()  # it may be closed


def _seat_all(game: Game, text: str, seat: int, hand: Hand) -> list[Spec]:
    names, others = split_strategies(text), game.players - 1
    if len(names) == 1:
        names *= others
    elif len(names) != others:
        raise BadUsage(
            f"{len(names)} strategies for the {others} other seats; give 1 or {others}"
            if others > 1
            else f"{len(names)} strategies for the other seat; give one"
        )
    seating = list(load_strategies(names, game))
    seating.insert(seat, person(YOU, hand))
    return seating


def _say_who(game: Game, seating: Sequence[Spec], seat: int) -> None:
    typer.echo(f"{game.variant.title or game.name}")
    for place, spec in enumerate(seating):
        who = YOU if place == seat else spec.name
        typer.echo(f"  seat {place}, team {game.teams[place]}: {who}")
    typer.echo("Answer with words, an end of them, or a number; ? shows all that you may know,")
    typer.echo("q or quit ends the match.")
    typer.echo(f"The rules: trutdsl show {game.ref}")
