"""Plays a match in either engine and records everything observable, for tests that compare both."""

from typing import NamedTuple

from trutdsl.game import DealStart, Game
from trutdsl.game.view import VIEW_FIELDS
from trutdsl.ir import build_program
from trutdsl.streams import Stream, mix_in
from trutdsl.table.chance import StreamChance
from trutdsl.table.faults import RuleError

ENGINES = ("reference", "native")


class Length(NamedTuple):
    """How much of a match was played."""

    deals: int = 0
    decisions: int = 0


class ExternalChance(StreamChance):
    """Chance of a seed, which machine code requests from Python instead of drawing itself."""


def load_both(variant, players, parameters=(), ref="variant"):
    """Return the game of a variant in the reference engine and in the native engine."""
    program, bound = build_program(variant), variant.bind(dict(parameters))
    return [Game(variant, program, players, bound, ref, engine) for engine in ENGINES]


def random_player(key):
    """Return a function that chooses a legal action uniformly at random, for every seat."""
    random = Stream(key)
    return lambda state: random.below(len(state.pending.actions))


def view_of(state):
    """Return the view of the seat that is asked, as comparable values."""
    return fields_of(state.view())


def fields_of(view):
    """Return all fields of a view except its stream."""
    return {name: getattr(view, name) for name in VIEW_FIELDS}


def play(game, match, views, *, seed=3, choose=None, chance=None, most=10**9):
    """Play a match; return a list of everything observable, and the length of the match.

    most: the limit of decisions and deals together.
    choose: gets the match at each question and returns the index of an action; None: random.
    chance: decides instead of the seed. Then errors come from the engine itself, not from a replay
    in the reference engine.
    """
    shown, length = [], Length()
    choose = choose or random_player(mix_in(0, 8, match))
    try:
        state = game.start(seed, match, shown.append, chance=chance)
        for _ in range(most):
            if (pending := state.pending) is None:
                break
            length = Length(state.deals, state.decisions)
            if isinstance(pending, DealStart):
                state.next_deal()
                continue
            shown.append((pending.seat, pending.decision, [a.text for a in pending.actions]))
            if views:
                shown.append(view_of(state))
            state.apply(choose(state))
        shown.append((state.winner, state.deals, state.decisions, state.counters()))
        length = Length(state.deals, state.decisions)
    except RuleError as error:
        found = error.diagnostic
        shown.append((found.code, str(found.span), found.notes))
    return shown, length


def assert_same(one, two, where=""):
    """Check that both engines have shown the same items in the same order."""
    for number, (left, right) in enumerate(zip(one, two, strict=False)):
        assert left == right, f"{where}, item {number}: {left} and {right}"
    assert len(one) == len(two), f"{where}: {len(one)} and {len(two)} items"
