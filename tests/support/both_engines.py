"""A match in either engine, and all of it that shows: shared by the tests that compare the two."""

from typing import NamedTuple

from trutdsl.game import DealStart, Game
from trutdsl.game.view import VIEW_FIELDS
from trutdsl.ir import build_program
from trutdsl.streams import Stream, mixed
from trutdsl.table.chance import StreamChance
from trutdsl.table.faults import RuleError

ENGINES = ("reference", "native")


class Length(NamedTuple):
    """How much of a match was played."""

    deals: int = 0
    decisions: int = 0


class AskedChance(StreamChance):
    """The chance of a seed, but not drawn by machine code itself: asked each time."""


def both(variant, players, parameters=(), ref="variant"):
    """Return a variant at a table in the reference engine and in the native one."""
    program, bound = build_program(variant), variant.bind(dict(parameters))
    return [Game(variant, program, players, bound, ref, engine) for engine in ENGINES]


def at_random(key):
    """Return a player of all seats who takes each legal action equally often."""
    random = Stream(key)
    return lambda state: random.below(len(state.pending.actions))


def view_of(state):
    """Return what the asked seat may know, as values that can be compared."""
    return everything_in(state.view())


def everything_in(view):
    """Return all of a view but its stream."""
    return {name: getattr(view, name) for name in VIEW_FIELDS}


def play(game, match, views, *, seed=3, choose=None, chance=None, most=10**9):
    """Play a match, at most so many decisions and deals; return what shows, and its length.

    choose: gets the match at each question and returns the index of an action; None: random.
    chance: decides instead of the seed; then the engine's own mistakes show, not the reference's.
    """
    shown, length = [], Length()
    choose = choose or at_random(mixed(0, 8, match))
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
    except RuleError as wrong:
        found = wrong.diagnostic
        shown.append((found.code, str(found.span), found.notes))
    return shown, length


def assert_same(one, two, where=""):
    """Both engines have shown the same, one thing after the other."""
    for number, (left, right) in enumerate(zip(one, two, strict=False)):
        assert left == right, f"{where}, item {number}: {left} and {right}"
    assert len(one) == len(two), f"{where}: {len(one)} and {len(two)} items"
