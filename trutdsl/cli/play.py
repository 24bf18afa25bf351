"""`trutdsl play`: a person plays a match against strategies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from io import StringIO, TextIOWrapper
from secrets import randbits
from typing import Annotated, TextIO

import typer

from trutdsl.cli.hand import Hand, Left
from trutdsl.cli.options import NoCache, Parameters, Players, Seed
from trutdsl.cli.transcripts import open_transcript
from trutdsl.game import BadUsage, Game, State, load_game
from trutdsl.kept import keep_nothing
from trutdsl.strategy import MONTE_CARLO, Spec, load_strategies, play_match, split_strategies
from trutdsl.strategy.person import person
from trutdsl.transcript import Follower, Recorder, match_event
from trutdsl.transcript.write import Event, event_line

YOU = "you"


def play(
    variant: Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")],
    strategies: Annotated[
        str,
        typer.Option(metavar="A,B,...", help="One for all other seats, or one for each of them."),
    ] = MONTE_CARLO,
    players: Players = None,
    seat: Annotated[int, typer.Option(metavar="N", help="Where you sit.")] = 0,
    seed: Seed = None,
    param: Parameters = None,
    transcript: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every event as JSON lines, hidden cards too."),
    ] = None,
    engine: Annotated[str, typer.Option(help="What plays the rules.")] = "native",
    no_cache: NoCache = False,
) -> None:
    """Play a match yourself, by any rules, against strategies.

    You are shown what a player at your seat sees, and asked what you do. Without --seed the cards
    are others each time.

    Example: trutdsl play trut --strategies caller
    """
    if transcript == "-":
        raise BadUsage("--transcript needs a file here: standard output is for you to read")
    if no_cache:
        keep_nothing()
    game = load_game(variant, players, param or [], engine)
    if not 0 <= seat < game.players:
        raise BadUsage(f"--seat {seat}: the seats are 0 to {game.players - 1}")
    seed = randbits(128) if seed is None else seed
    follower = Follower(seat)
    hand = Hand(follower, _answers(), sys.stdout)
    seating = _seat_all(game, strategies, seat, hand)
    _say_who(game, seating, seat)
    again = f"the same cards again: --seed {seed}"
    try:
        _play(game, seating, seed, follower, hand.rest(seat), transcript)
    except Left as left:
        if left.why is not None:
            raise left.why from None
        typer.echo(f"You left the match; {again}")
    except KeyboardInterrupt:
        typer.echo(f"You left the match; {again}")
        raise typer.Exit(130) from None
    else:
        typer.echo(again.capitalize())


def _answers() -> TextIO:
    """Return where a person writes: standard input, of which any bytes can be read."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin or StringIO()  # it may be closed


def _seat_all(game: Game, text: str, seat: int, hand: Hand) -> list[Spec]:
    """Return who sits on each seat: the person, and strategies on all others."""
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
    """Say who sits where, and how one answers."""
    typer.echo(f"{game.variant.title or game.name}")
    for place, spec in enumerate(seating):
        who = YOU if place == seat else spec.name
        typer.echo(f"  seat {place}, team {game.teams[place]}: {who}")
    typer.echo("Answer with a number or the words; ? shows all that you may know, quit ends it.")
    typer.echo(f"The rules: trutdsl show {game.ref}")


def _play(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    follower: Follower,
    rested: Callable[[State], None],
    transcript: str | None,
) -> None:
    """Play match 0 of a seed, and write what happens into a file if one is named."""
    with ExitStack() as stack:
        taking: list[Callable[[Event], None]] = [follower]
        if transcript is not None:
            file = stack.enter_context(open_transcript(transcript, sys.stdout))

            def write(event: Event) -> None:
                file.write(event_line(event))

            recorder = Recorder(write)
            recorder(match_event(game, [spec.name for spec in seating], seed, 0))
            stack.callback(recorder.flush)
            taking.append(recorder)

        def emit(event: Event) -> None:
            for take in taking:
                take(event)

        play_match(game, seating, seed, 0, emit, rested=rested)
