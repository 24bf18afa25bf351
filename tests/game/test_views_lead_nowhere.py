"""Nothing that a strategy is given leads to anything else: not to the match, not to other seats."""

import copy
import enum
import gc
import operator
import pickle

import pytest

from trutdsl.game import ENGINES, Action, DealStart, Question, Said, View, load_game
from trutdsl.game.view import ReadOnly
from trutdsl.streams import Stream

PLAIN = (str, int, float, bool, bytes, type(None))
HOLDERS = (View, Action, Said, Stream, ReadOnly, dict, list, tuple, frozenset)
TABLES = [("trut", 2), ("trut-club", 3), ("truc-catalan", 4), ("tute", 2), ("truc-french", 2)]
TRICKS = [
    "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod",
    "pow", "lshift", "rshift", "and_", "or_", "xor", "contains", "getitem",
]  # fmt: skip


class Thief:
    """Stands on the other side of every operator and keeps what it is given."""

    def __init__(self):
        self.got = []

    def _take(self, *given):
        self.got += given
        return NotImplemented

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __radd__ = __rsub__ = __rmul__ = _take
    __rmatmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rlshift__ = _take
    __rrshift__ = __rand__ = __ror__ = __rxor__ = _take

    def __hash__(self):
        return 0

    def __index__(self):
        return 0


def stolen(thing):
    """Return what an object gives to the other side of an operator."""
    thief = Thief()
    for name in TRICKS:
        try:
            getattr(operator, name)(thing, thief)
        except (TypeError, KeyError, IndexError, ValueError):
            continue
    return thief.got


def copies(thing):
    """Return what copying, pickling and their hooks give of an object."""
    found = []
    for make in (
        copy.copy,
        lambda x: x.__reduce_ex__(4),
        lambda x: pickle.loads(pickle.dumps(x)),
        vars,
        lambda x: [getattr(x, name) for name in dir(x) if not hasattr(type(x), name)],
        list,
    ):
        try:
            found.append(make(thing))
        except (TypeError, AttributeError, pickle.PicklingError):
            continue
    return found


def reachable(view):
    """Yield every object of data that can be reached from a view, by whatever trick."""
    waiting, seen, kept = [view], set(), []
    while waiting:
        thing = waiting.pop()
        code = isinstance(thing, type) or (callable(thing) and not isinstance(thing, HOLDERS))
        if id(thing) in seen or code or isinstance(thing, enum.Enum):
            continue
        seen.add(id(thing))
        kept.append(thing)  # so that no other object gets its place
        yield thing
        if isinstance(thing, HOLDERS):
            waiting += [*gc.get_referents(thing), *stolen(thing)]
        if isinstance(thing, (View, Action, Said, Stream, ReadOnly)):
            for made in copies(thing):
                waiting += gc.get_referents(made)


def asked(game):
    """Yield a match at each of its first questions."""
    state = game.start(1, 0)
    while state.pending is not None and state.decisions < 25:
        if isinstance(state.pending, Question):
            yield state
            state.apply(state.decisions % len(state.pending.actions))
        elif isinstance(state.pending, DealStart):
            state.next_deal()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_only_plain_values_can_be_reached(name, players, engine):
    most = 0
    for state in asked(load_game(name, players, engine=engine)):
        found = list(reachable(state.view(Stream(1))))
        others = [x for x in found if not isinstance(x, PLAIN + HOLDERS)]
        assert not others, others
        most = max(most, len(found))
    assert most > 100


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_changed_in_a_view_changes_nothing_else(engine):
    game = load_game("truc-catalan", 4, engine=engine)
    for state in asked(game):
        before, whole, random = state.view(), state.to_dict(), Stream(1)
        shown = repr(vars(before) | {"random": None})
        for thing in list(reachable(state.view(random))):
            if isinstance(thing, dict):
                thing.update(dict.fromkeys(thing, 0) | {"more": 0})
            if isinstance(thing, list):
                thing.append(0)
            for name in getattr(thing, "__dict__", ()):
                object.__setattr__(thing, name, None)
            if isinstance(thing, (Action, Said)):
                with pytest.raises(AttributeError):
                    object.__setattr__(thing, thing._fields[0], "else")
        assert state.to_dict() == whole
        for view in (before, state.view()):
            assert repr(vars(view) | {"random": None}) == shown
