"""Matches that wait for an answer, and worlds drawn for the asked seat."""

import os

from trutdsl.game import DealStart, Question
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import play_worlds, request_of
from trutdsl.strategy.script import table_for
from trutdsl.strategy.worlds import WorldKnowledge
from trutdsl.streams import Stream
from trutdsl.table.chance import StreamChance

LONG = bool(os.environ.get("WORLDS"))  # `make worlds`
MATCHES = 100  # more than any test starts
UNIFORM = load_strategy("uniform")
WORLDS = 3


def play_to(game, match, decisions):
    """Return the history of a match after so many random answers.

    If the match ends earlier, another one is played.
    """
    table = table_for(game, (UNIFORM,))
    course = MatchHistory(table.compiled_game, range(game.players), StreamChance(5, match))
    luck = Stream(match)
    while decisions or not isinstance(course.state.pending, Question):
        if course.state.pending is None:
            return play_to(game, match + MATCHES, decisions + course.state.decisions)
        if isinstance(course.state.pending, DealStart):
            course.next_deal()
            continue
        course.apply(luck.below(len(course.state.pending.actions)))
        decisions -= 1
    return table, course


def knowledge_of(course):
    seat = course.state.pending.seat
    return WorldKnowledge(course, course.noticed[seat])


def hidden_state(state):
    found = state.to_dict()
    return repr((found["zones"], found["history"], found["variables"]))


def endings_of(table, course, seed):
    """Return weights and endings of some worlds, drawn by the engine of the match."""
    seat = course.state.pending.seat
    if course.game.engine == "reference":
        return play_worlds(table, course, course.noticed[seat], UNIFORM, seed, WORLDS)
    weights, rows = course.game.steps.search(request_of(course, seat, UNIFORM.name, seed, WORLDS))
    endings = [[tuple(row) for row in of_world] for of_world in rows.tolist()]
    return list(zip(weights.tolist(), endings, strict=True))
