"""The state of a match as a dictionary, and the numbers of its actions, in both engines."""

import gc
import json
import re
from inspect import getdoc
from types import FunctionType, ModuleType

import pytest

from trutdsl.diagnostics import BadUsage
from trutdsl.game import DealStart, Question, State, View, load_game
from trutdsl.interp import Machine
from trutdsl.native.play.memory import MatchMemory
from trutdsl.streams import Stream, mix_in
from trutdsl.table.faults import RuleError

TABLES = [("trut", 4), ("trut-deluxe", 3), ("truc-catalan", 4), ("truc-french", 2), ("tute", 3)]
ENGINES = ("reference", "native")


@pytest.fixture(scope="module", params=TABLES, ids=lambda t: f"{t[0]}-{t[1]}p")
def games(request):
    name, players = request.param
    return [load_game(name, players, engine=engine) for engine in ENGINES]


def step(state, random):
    """Continue at random."""
    if isinstance(state.pending, DealStart):
        state.next_deal()
    elif isinstance(state.pending, Question):
        state.apply(random.below(len(state.pending.actions)))
    else:
        state.decide(state.pending.draw(random))


def play_and_stop(game, match, most=10**9, **how):
    """Play a match at random; yield it at each stop."""
    state, random = game.start(7, match, **how), Stream(mix_in(0, match))
    yield state
    while state.pending is not None and most > 0:
        step(state, random)
        yield state
        most -= 1


def test_events_and_pauses_do_not_change_a_match(games):
    """The states and the events are the same."""
    found = []
    for events, pauses in (([], True), ([], False), (None, True), (None, False)):
        emit = None if events is None else events.append
        state, random, shown, paused = games[1].start(7, 3, emit, pauses=pauses), Stream(5), [], 0
        while state.decisions < 45 and state.pending is not None:
            if isinstance(state.pending, Question):
                shown.append((state.decisions > 25) * [state.to_dict(), state.sight(0)])
                if state.decisions == 30:
                    state = state.clone(emit)
            paused += isinstance(state.pending, DealStart)
            step(state, random)
        assert (paused > 0) is pauses
        found.append((shown, events))
    assert [shown for shown, _ in found] == [found[0][0]] * 4
    first, second = found[0][1], found[1][1]  # without pauses, the next deal has started, too
    assert second[: len(first)] == first and len(first) > 45


def test_both_engines_show_the_same(games):
    reference, native = games
    seen, count = set(), 0
    for match, is_open in ((0, False), (1, False), (2, True)):
        most = 60 if is_open else 400
        both = (
            play_and_stop(game, match, most, open_chance=is_open) for game in (reference, native)
        )
        for one, other in zip(*both, strict=True):
            found = one.to_dict()
            assert found == other.to_dict()
            assert one.legal == other.legal
            assert json.loads(json.dumps(found)) == found
            seen |= {name for name, value in found.items() if value}
            count += 1
    assert count > 100
    assert {"deals", "dealer", "decisions", "zones", "variables", "history", "pending"} <= seen


def test_every_key_is_described(games):
    found = games[0].start(1, 0).to_dict()
    described = re.findall(r"^(\w[\w, ]*): ", getdoc(State.to_dict), re.M)
    assert [name for names in described for name in names.split(", ")] == list(found)


def test_the_state_has_every_card_once_and_agrees_with_the_view(games):
    """The zones of a view agree with those of the state."""
    game = games[0]
    texts = sorted(game.deck.texts)
    for state in play_and_stop(game, 3, 200):
        found = state.to_dict()
        assert sorted(c for places in found["zones"].values() for p in places for c in p) == texts
        if isinstance(state.pending, Question):
            view = state.view()
            for zone, places in view.zones.items():
                for place, cards in enumerate(places):
                    assert not isinstance(cards, tuple) or found["zones"][zone][place] == [*cards]
            assert [(s.seat, s.decision, s.action) for s in view.history] == [
                tuple(said.values()) for said in noticed_actions(view, found["history"])
            ]
            assert found["pending"]["actions"] == [action.text for action in view.actions]


def noticed_actions(view, history):
    """Return the actions of a deal that the seat of a view has noticed."""
    noticed = {(s.seat, s.decision, s.action) for s in view.history}
    return [said for said in history if tuple(said.values()) in noticed]


def reachable_from(thing):
    """Return all objects reachable from a value, except classes, modules and functions."""
    found, left = {}, [thing]
    while left:
        one = left.pop()
        if id(one) not in found and not isinstance(one, type | ModuleType | FunctionType):
            found[id(one)] = one
            left += gc.get_referents(one)
    return found.values()


def test_no_view_leads_to_the_match(games):
    for game in games:
        for state in play_and_stop(game, 0, 40):
            if isinstance(state.pending, Question):
                for one in reachable_from(state.view()):
                    assert not isinstance(one, State | Machine | MatchMemory)
                    assert isinstance(one, View) or not hasattr(one, "to_dict")
                    assert not hasattr(one, "clone")


def test_a_number_stands_for_one_action_of_its_question(games):
    numbers = {}
    for match in range(3):
        for state in play_and_stop(games[1], match, 300):
            if not isinstance(state.pending, Question):
                assert state.legal == ()
                continue
            assert len(state.legal) == len(state.pending.actions)
            assert list(state.legal) == sorted(set(state.legal))
            for number, action in zip(state.legal, state.pending.actions, strict=True):
                key = (state.pending.number, number)
                assert numbers.setdefault(key, action) == action
    assert len(set(numbers.values())) > 10


def test_a_copy_sends_events_only_to_its_own_receiver(games):
    for game in games:
        events, own = [], []
        state = game.start(5, 0, events.append)
        for _ in range(3):
            step(state, Stream(4))
        before = len(events)
        silent, loud = state.clone(), state.clone(own.append)
        for one in (silent, loud):
            for _ in range(5):
                step(one, Stream(4))
        assert len(events) == before and silent.to_dict() == loud.to_dict()
        for _ in range(5):
            step(state, Stream(4))
        assert events[before:] == own and own


@pytest.mark.parametrize("engine", ENGINES)
def test_a_copy_keeps_counters_that_were_set(engine):
    state = load_game("trut", 2, engine=engine).start(1, 0)
    state.set_counter("longs", (3, 2))
    twin = state.clone()
    assert twin.counters()["longs"] == (3, 2)
    twin.set_counter("longs", (1, 1))
    assert state.counters()["longs"] == (3, 2)
    again = twin.clone()
    again.next_deal()
    assert again.counters()["longs"] == twin.counters()["longs"] == (1, 1)


FAILS = """\
variant: fails
title: An answer that the rules cannot bear
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K]}
counters: {points: {help: Points.}}
rules: |
  match state:
      number: 0 to 3

  rule match:
      repeat 9 times:
          deal:
              ask dealer "choose":
                  wait
                  fail: number = 4 + points[team(dealer)]
              points[team(dealer)] += 1
              end deal because played
      end match drawn
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_answers_of_a_copy_do_not_explain_an_error_of_the_match(engine, tmp_path):
    """Machine code finds the position of an error by playing the match again."""
    path = tmp_path / "fails.yaml"
    path.write_text(FAILS, encoding="utf-8")
    found = []
    for other_answers in (0, 3):
        state = load_game(path, 2, engine=engine).start(1, 0)
        state.next_deal()
        twin = state.clone()
        for _ in range(other_answers):
            twin.apply(0)
            twin.next_deal()
        with pytest.raises(RuleError) as caught:
            state.apply(1)
        found.append([note.message for note in caught.value.diagnostic.notes])
    assert found[0] == found[1]
    assert "points [0, 0]" in found[0][0]


KINDS = """\
variant: kinds
title: Values of every kind
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 3 cards, seen by owner

  match state:
      named: cards
      calm: yes_no
      mood[team]: one of low | high
      last: card?
      who: seats

  rule match:
      deal:
          for player in seats: draw from stock to hand[player]
          let other = next_seat(dealer)
          draw from stock to hand[other]
          reveal hand[other] to dealer
          ask other "name":
              name c from hand[other], s from suits openly:
                  named = {"Qs", "Ah", "Ks", "Qh", c}
                  last = c
                  if suit(c) == s: mood[team(other)] = high
              none
          calm = yes
          who = seats
          points[team(dealer)] += 2
          ask dealer "more":
              more
          if calm and size(named) > size(who) and last != none and mood[team(dealer)] == low:
              points[team(other)] += 1
          end deal because played
      end match drawn
"""


@pytest.fixture(params=ENGINES)
def kinds(request, tmp_path):
    (tmp_path / "kinds.yaml").write_text(KINDS, encoding="utf-8")
    state = load_game(tmp_path / "kinds.yaml", engine=request.param).start(0, 0)
    state.next_deal()
    return state


def test_the_state_shows_values_of_every_kind(kinds):
    assert kinds.to_dict()["shown"] == {"hand": [[], [0]]}
    kinds.apply(3)
    assert kinds.to_dict() == {
        "deals": 1,
        "decisions": 1,
        "deal_open": True,
        "dealer": 0,
        "leader": 0,
        "winner": None,
        "deal_winner": None,
        "tricks": [],
        "counters": {"points": [2, 0]},
        "variables": {
            "named": [["Ah", "Qh", "Ks", "Qs"]],
            "calm": [True],
            "mood": ["low", "high"],
            "last": ["Ks"],
            "who": [[0, 1]],
        },
        "zones": {"stock": [["Ah", "Kh", "Qh"]], "hand": [["Qs"], ["As", "Ks"]]},
        "shown": {"hand": [[], [0]]},
        "history": [{"seat": 1, "decision": "name", "action": "name Ks spades"}],
        "pending": {"seat": 0, "decision": "more", "actions": ["more"]},
    }


def test_an_action_of_several_choices_is_numbered_by_all_of_them(kinds):
    texts = [action.text for action in kinds.pending.actions]
    assert texts == ["name As hearts", "name As spades", "name Ks hearts", "name Ks spades", "none"]
    # A number counts every card of the pack times every suit; later options have higher numbers.
    assert kinds.legal == (6, 7, 8, 9, 12)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("longs", (-1, 0), "'longs' is from 0 to 1000000"),
        ("longs", (0, 1_000_001), "'longs' is from 0 to 1000000"),
        ("longs", (1,), "'longs' needs a value for each of 2 teams"),
        ("caller", (1, 1), "there is no counter 'caller'"),
        ("long", (1, 1), "there is no counter 'long'"),
    ],
)
def test_a_counter_is_set_within_its_bounds(engine, name, values, message):
    state = load_game("trut", 2, engine=engine).start(1, 0)
    with pytest.raises(ValueError, match=message):
        state.set_counter(name, values)
    assert state.counters() == {"longs": (0, 0), "petits": (0, 0)}


def test_the_repr_of_a_question_and_a_view_is_one_line(games):
    """It shows the decision and the actions."""
    for game in games:
        state = next(s for s in play_and_stop(game, 0) if isinstance(s.pending, Question))
        texts = state.pending.texts
        for shown in (repr(state.pending), repr(state.view())):
            assert f"decision={state.pending.decision!r}" in shown
            assert len(shown) < 80 + len(repr(texts)) and repr(texts) in shown


@pytest.mark.parametrize("engine", ENGINES)
def test_no_step_follows_one_that_failed(engine, root):
    """The reference engine took such a match for one that is over."""
    failed = load_game(root / "tests/bad/runtime/no-card-deal.yaml", engine=engine).start(1, 0)
    for step in (failed.next_deal, failed.next_deal, failed.clone):
        with pytest.raises(RuleError, match=r"no-card-deal.yaml:"):
            step()

    def listen(_event):
        raise ZeroDivisionError

    failed = load_game("trut", 2, engine=engine).start(1, 0).clone(listen)
    with pytest.raises(ZeroDivisionError):
        failed.next_deal()
    for step in (failed.next_deal, failed.clone):
        with pytest.raises(BadUsage, match="the last step ended with ZeroDivisionError"):
            step()
