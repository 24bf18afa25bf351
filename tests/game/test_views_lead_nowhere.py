"""From a view, a strategy can reach neither the match nor other seats."""

import copy
import enum
import gc
import json
import operator
import pickle

import pytest
from extent import THOROUGH

from trutdsl.game import ENGINES, HIDDEN, Action, DealStart, HistoryEntry, Question, View, load_game
from trutdsl.game.view import VIEW_FIELDS, Constants, Counters, Sizes, Variables, Zones, make_view
from trutdsl.streams import Stream

PLAIN = (str, int, float, bool, bytes, type(None))
MAPPINGS = (Zones, Sizes, Variables, Counters, Constants)
CONTAINERS = (View, Action, HistoryEntry, Stream, *MAPPINGS, dict, list, tuple, frozenset)
TABLES = [("trut", 2), ("trut-club", 3), ("truc-catalan", 4), ("tute", 2), ("truc-french", 2)]
# Each table in one engine after the other; a thorough run plays each in both.
CASES = [(*t, e) for n, t in enumerate(TABLES) for e in (ENGINES if THOROUGH else [ENGINES[n % 2]])]
OPERATORS = [
    "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod",
    "pow", "lshift", "rshift", "and_", "or_", "xor", "contains", "getitem",
]  # fmt: skip


class Thief:
    """An operand that keeps the other operand of every operator."""

    def __init__(self):
        self.loot = []

    def _take(self, *operands):
        self.loot += operands
        return NotImplemented

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __radd__ = __rsub__ = __rmul__ = _take
    __rmatmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rlshift__ = _take
    __rrshift__ = __rand__ = __ror__ = __rxor__ = _take

    def __hash__(self):
        return 0

    def __index__(self):
        return 0


def attributes_of(thing):
    """Return the values of an object's attributes."""
    names = (name for name in dir(type(thing)) if not name.startswith(("__", "_abc")))
    return [getattr(thing, name) for name in names]


def steal(thing):
    """Return what an object passes to the other operand of an operator."""
    thief = Thief()
    for name in OPERATORS:
        try:
            getattr(operator, name)(thing, thief)
        except (TypeError, KeyError, IndexError, ValueError):
            continue
    return thief.loot


def copies(thing):
    """Return the results of copying and pickling an object, and of their hooks."""
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
    """Yield every data object that can be reached from a view by any trick."""
    waiting, seen, kept = [view], set(), []
    while waiting:
        thing = waiting.pop()
        code = isinstance(thing, type) or (callable(thing) and not isinstance(thing, CONTAINERS))
        if id(thing) in seen or code or isinstance(thing, enum.Enum):
            continue
        seen.add(id(thing))
        kept.append(thing)  # so that no other object gets its id
        yield thing
        if isinstance(thing, CONTAINERS):
            waiting += [*gc.get_referents(thing), *steal(thing)]
        if isinstance(thing, (View, *MAPPINGS)):
            waiting += attributes_of(thing)
        if isinstance(thing, (View, Action, HistoryEntry, Stream, *MAPPINGS)):
            for twin in copies(thing):
                waiting += gc.get_referents(twin)


def states_at_questions(game):
    """Play a match; yield its state at each of its first questions."""
    state = game.start(1, 0)
    while state.pending is not None and state.decisions < 25:
        if isinstance(state.pending, Question):
            yield state
            state.apply(state.decisions % len(state.pending.actions))
        elif isinstance(state.pending, DealStart):
            state.next_deal()


@pytest.mark.parametrize(("name", "players", "engine"), CASES)
def test_only_plain_values_can_be_reached(name, players, engine):
    most = 0
    for state in states_at_questions(load_game(name, players, engine=engine)):
        found = list(reachable(state.view(Stream(1))))
        others = [x for x in found if not isinstance(x, PLAIN + CONTAINERS)]
        assert not others, others
        most = max(most, len(found))
    assert most > 100


@pytest.mark.parametrize("engine", ENGINES)
def test_changing_the_data_of_a_view_changes_nothing_else(engine):
    game = load_game("truc-catalan", 4, engine=engine)
    for state in states_at_questions(game):
        before, whole, random = state.view(), state.to_dict(), Stream(1)
        shown = repr(before.to_dict())
        for thing in list(reachable(state.view(random))):
            if isinstance(thing, dict):
                thing.update(dict.fromkeys(thing, 0) | {"more": 0})
            if isinstance(thing, list):
                thing.append(0)
            for name in getattr(thing, "__dict__", ()):
                object.__setattr__(thing, name, None)
            if isinstance(thing, (Action, HistoryEntry)):
                with pytest.raises(AttributeError):
                    object.__setattr__(thing, thing._fields[0], "else")
        assert state.to_dict() == whole
        for view in (before, state.view()):
            assert repr(view.to_dict()) == shown


def write_everywhere(thing):
    """Try to write to every attribute and item of an object; return whether any attempt worked."""
    done = False
    names = [name for name in dir(thing) if not name.startswith("__")]
    keys = list(thing) if isinstance(thing, (*MAPPINGS, dict, list, tuple)) else []
    for change in (setattr, object.__setattr__):
        for name in names:
            try:
                change(thing, name, "else")
                done = True
            except (AttributeError, TypeError):
                continue
    for key in keys:
        for write in (operator.setitem, dict.__setitem__):
            with pytest.raises(TypeError):
                write(thing, key, "else")
    return done


@pytest.mark.parametrize("engine", ENGINES)
def test_writing_to_a_view_changes_nothing_else(engine):
    game, writes = load_game("truc-catalan", 4, engine=engine), 0
    for state in states_at_questions(game):
        before, whole = state.view(), state.to_dict()
        shown, constants = repr(before.to_dict()), (dict(before.parameters), dict(before.strengths))
        view = state.view(Stream(1))
        data = [x for x in reachable(view) if not isinstance(x, (dict, list, Stream))]
        for thing in [x for x in data if x is not view] + [view]:
            if isinstance(thing, CONTAINERS):
                writes += write_everywhere(thing)
        assert state.to_dict() == whole
        for one in (before, state.view()):
            assert repr(one.to_dict()) == shown
            assert (one.parameters, one.strengths) == constants
    assert (game.parameters, game.strengths) == constants
    assert writes > 0


def test_constants_are_read_only_mappings():
    game = load_game("trut", 2, engine="reference")
    state = next(states_at_questions(game))
    for part, same in ((state.view().parameters, game.parameters),
                       (state.view().strengths, game.strengths)):  # fmt: skip
        assert part == same and same == part and part != {**same, "more": 1}
        assert list(part.items()) == list(same.items())
        assert not isinstance(part, dict)
        assert part.get("nothing", 7) == 7
        with pytest.raises(KeyError, match="nothing"):
            part["nothing"]
        with pytest.raises(TypeError):
            part[next(iter(part))] = 1


@pytest.mark.parametrize(("name", "players", "engine"), CASES)
def test_hidden_cards_leave_no_trace_in_a_view(name, players, engine):
    """Exchanging hidden cards does not change a byte of the view."""
    exchanged = 0
    for state in states_at_questions(load_game(name, players, engine=engine)):
        match = state.clone()._machine
        before = state.view(Stream(1))
        hidden = [
            (zone, at, card)
            for zone, places in before.zones.items()
            for at, seen in enumerate(places)
            if seen is HIDDEN
            for card in match.cards(zone, at)
        ]
        for (zone, at, _), (_, _, card) in zip(hidden, reversed(hidden), strict=True):
            match.lay(card, zone, at)
        others = [(zone, at, match.cards(zone, at)) for zone, at, _ in hidden]
        exchanged += [
            (zone, at, state._machine.cards(zone, at)) for zone, at, _ in hidden
        ] != others
        after = make_view(match, state.game.legends, state.pending, Stream(1))
        assert repr(after.to_dict()) == repr(before.to_dict())
        assert pickle.dumps(after) == pickle.dumps(before)
        assert json.dumps(after.to_dict()) == json.dumps(before.to_dict())
    assert exchanged > 10


def test_a_view_can_be_read_repeatedly_and_pickled():
    game = load_game("truc-catalan", 4, engine="native")
    for state in states_at_questions(game):
        view, twin = state.view(), pickle.loads(pickle.dumps(state.view()))
        assert repr(twin.to_dict()) == repr(view.to_dict())
        assert json.loads(json.dumps(view.to_dict()))["zones"]["stock"] == ["?"]
        state = state.clone()
        shown = repr(view.to_dict())
        state.apply(0)
        assert repr(view.to_dict()) == shown
        for part in ("zones", "sizes", "variables", "counters"):
            entries = getattr(view, part)
            assert {name: entries[name] for name in entries} == dict(entries.items())
            assert entries.get("nothing", 7) == 7
            with pytest.raises(KeyError, match="nothing"):
                entries["nothing"]
        for read in (view.cards, view.lying):
            with pytest.raises(KeyError, match="nothing"):
                read("nothing")
        assert set(view.to_dict()) == set(VIEW_FIELDS)
        assert view.texts == tuple(action.text for action in view.actions)


@pytest.mark.parametrize(("name", "players"), TABLES[1:4])
def test_lying_returns_the_cards_of_visible_places(name, players):
    several = 0
    for state in states_at_questions(load_game(name, players, engine="native")):
        view = state.view()
        for zone, places in view.zones.items():
            shown = [(i, cards) for i, cards in enumerate(places) if cards is not HIDDEN]
            assert view.lying(zone) == tuple((i, card) for i, cards in shown for card in cards)
            assert len(places) == len(view.sizes[zone])
            assert all(len(cards) == view.sizes[zone][i] for i, cards in shown)
            several += len(view.lying(zone)) > 1
    assert several > 2


def test_cards_of_a_team_zone_are_those_of_the_seats_team(root):
    game, several = load_game(str(root / "tests/good/passing.yaml"), 4, engine="native"), set()
    for state in states_at_questions(game):
        view = state.view()
        for zone in view.zones:
            places = view.zones[zone]
            own = {1: 0, 2: view.team, 4: view.seat}[len(places)]
            several.add((len(places), own))
            assert view.cards(zone) == (() if places[own] is HIDDEN else places[own])
            for index, cards in enumerate(places):
                assert view.cards(zone, index) == (() if cards is HIDDEN else cards)
    assert {(2, 0), (2, 1), (4, 2), (4, 3)} <= several
