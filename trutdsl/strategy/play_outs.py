"""Play-outs on the reference engine: a deal played to its end in each of some worlds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trutdsl.game import DealStart, Question, RuleError, State
from trutdsl.interp.policy import Player
from trutdsl.strategy.course import Course, Noticed
from trutdsl.strategy.script import ScriptSpec, Table
from trutdsl.strategy.worlds import Asking, Replay, Tries, World, tries_for
from trutdsl.streams import Stream, mixed
from trutdsl.table import PolicyError

Ending = tuple[int, ...]  # whether the match is over, who won it, who deals next, then all counters


def play_worlds(
    table: Table, course: Course, noticed: Noticed, script: ScriptSpec,
    seed: int, worlds: int,
) -> list[tuple[float, list[Ending]]]:  # fmt: skip
    """Return of some worlds the weight and how the deal ends, one ending for each legal action.

    seed: world w is drawn from a stream that starts at (seed, w). There are fewer worlds where too
    few were found in time.
    """
    asking, found = Asking(course, noticed), []
    tries = Tries(tries_for(worlds), tries_for(worlds))
    for number in range(worlds):
        stream = Stream(mixed(seed, number))
        world = asking.draw_world(stream, tries)
        if world is None:
            break
        actions = range(len(noticed.sights[-1][1]))
        weight, start = world.weight, stream.state
        endings = [_play_out(table, asking, world, start, script, i) for i in actions]
        found.append((weight, endings))
    return found


def _play_out(
    table: Table, asking: Asking, world: World, start: int, script: ScriptSpec, index: int
) -> Ending:
    """Return how the deal ends after an action; the luck is settled by where its streams start."""
    replay, game = Replay(asking, world, Stream(0)), asking.game
    state = replay.play()
    replay.set_free(start)
    players = [
        table.player(script, state, seat, Stream(mixed(start, 3 + seat)))
        for seat in range(game.players)
    ]
    opening = asking.course.opening
    deals = state.deals + (1 if opening else 0)
    try:
        state.apply(index)
        play_on(state, players, lambda state: state.deals == deals)
    except RuleError:
        return (1, -1)
    over, winner = state.pending is None, -1 if state.winner is None else state.winner
    counters = [value for of_teams in state.counters().values() for value in of_teams]
    return (int(over), winner, state.dealer, *counters)


def play_on(state: State, players: Sequence[Player], stops: Callable[[State], bool]) -> None:
    """Play a match on to its end, or to the start of a deal at which it is to stop."""
    while state.pending is not None:
        if isinstance(state.pending, Question):
            state.apply(_choice(players[state.pending.seat], state.pending))
        elif isinstance(state.pending, DealStart) and not stops(state):
            state.next_deal()
        else:
            return


def _choice(player: Player, question: Question) -> int:
    try:
        return player.choose(question)
    except PolicyError:
        return 0  # as machine code goes on after a fault
