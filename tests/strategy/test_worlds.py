"""Worlds of small games: as likely as a walk over the whole tree says; they fit what was told."""

from collections import Counter, defaultdict

import pytest
from at_questions import LONG, WORLDS, asking_of, endings_of, hidden_state, play_to
from extent import THOROUGH
from mutants import EvenWorld, count_nothing, draw_lower_cards

import trutdsl.strategy.worlds as worlds
from trutdsl.game import ChanceNode, DealStart, Question, load_game
from trutdsl.strategy.match_history import Shares
from trutdsl.strategy.worlds import Replay, Tries
from trutdsl.streams import Stream

FOLLOW = """\
variant: follow
title: Suits are followed, and some things are said in secret
players: [3]
teams: {3: 3}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 2 cards, seen by owner
  zone table[seat]: up to 1 card, seen by all
  zone played: seen by nobody

  rule match:
      repeat 3 times:
          deal:
              gather hand, table, played into stock
              shuffle stock
              repeat 2 times:
                  for player in seats: draw from stock to hand[player]
              on_lead = random from seats
              for player in seats:
                  ask player "sign" seen by owner:
                      pass
                      nod when any card in hand[player] has rank(card) == "A" openly
                      wink when any card in hand[player] has rank(card) == "K"
              repeat 2 times:
                  trick on table:
                      for player in seats from on_lead:
                          ask player "turn":
                              play card from hand[player] when fits(player, card):
                                  move card from hand[player] to table[player]
                      points[team(on_lead)] += 1
                      end trick won by on_lead
                  gather table into played
              end deal because played
      end match drawn

  define fits(player, card: card):
      empty(table[on_lead]) or suit(card) == suit(top(table[on_lead])) or
          not any held in hand[player] has suit(held) == suit(top(table[on_lead]))
"""
KEEP = """\
variant: keep
title: Cards are kept in secret, swapped by chance, and what is left is drawn again
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 6 cards, seen by owner
  zone kept[seat]: up to 1 card, seen by owner
  zone table[seat]: up to 1 card, seen by all

  rule match:
      repeat 3 times:
          deal:
              gather hand, kept, table into stock
              shuffle stock
              repeat 2 times:
                  for player in seats: draw from stock to hand[player]
              for player in seats:
                  ask player "keep" seen by owner:
                      keep card from hand[player]: move card from hand[player] to kept[player]
                  move all from hand[player] under stock
              for player in seats: draw from stock to hand[player]
              for player in seats from dealer:
                  ask player "play":
                      play card from kept[player]: move card from kept[player] to table[player]
                      show card from hand[player]: move card from hand[player] to table[player]
              for player in seats:
                  ask player "end":
                      pass
              points[team(dealer)] += 1
              end deal because played
      end match drawn
"""
TOLD = """\
variant: told
title: Each tells the next what it holds
players: [3]
teams: {3: 3}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
counters: {points: {help: Points.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 2 cards, seen by owner
  zone table[seat]: up to 2 cards, seen by all

  rule match:
      repeat 3 times:
          deal:
              gather hand, table into stock
              shuffle stock
              for player in seats:
                  repeat 2 times: draw from stock to hand[player]
              for player in seats:
                  let held = total strength(card) for card in hand[player]
                  announce held by player to next_seat(player)
                  ask player "turn":
                      play card from hand[player]: move card to table[player]
                  if held > 5: announce hand[player] as "left" to {player}
              announce 1 as "end" to all
              for player in seats:
                  ask player "end":
                      pass
              for player in seats:
                  points[team(player)] += openly(total strength(card) for card in hand[player])
              end deal because played
      end match drawn
"""
SMALL = {"follow": (FOLLOW, 3), "keep": (KEEP, 2), "told": (TOLD, 3)}
ENGINES = ("reference", "native")
UNLIKELY = 5.0  # standard deviations of chi-square that no sound sampler comes to


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return what loads one of the small games in an engine."""
    folder = tmp_path_factory.mktemp("small")

    def load(name, engine="reference"):
        text, players = SMALL[name]
        path = folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return load_game(path, players, engine=engine)

    return load


def enumerate_worlds(game, seen, heard, seat):
    """Return the probability of each way in which the first deal can have come to what a seat saw.

    seen: its views, the last one of the open question; heard: what it noticed each time. The whole
    tree is walked: each outcome of chance, but for cards that it never held, each secret answer.
    """
    found = Counter()
    own = {
        card
        for view in seen
        for zone in ("hand", "kept", "table")
        if zone in view["zones"]
        for card in view["zones"][zone][seat]
    }

    def walk(state, weight, asked):
        pending = state.pending
        if isinstance(pending, DealStart):
            if state.deals == 0:
                state.next_deal()
                walk(state, weight, asked)
        elif isinstance(pending, ChanceNode):
            to_hand = pending.zone == "hand" and pending.index == seat
            for index, odds in enumerate(pending.weights):
                if to_hand and pending.texts[index] not in own:
                    continue
                twin = state.clone()
                twin.decide(index)
                walk(twin, weight * odds / sum(pending.weights), asked)
        elif isinstance(pending, Question):
            mine = pending.seat == seat
            now = list(state.sight(seat).heard)
            if now != heard[: len(now)]:
                return
            if mine:
                if state.view().to_dict() != seen[asked]:
                    return
                asked += 1
                if asked == len(seen):
                    found[hidden_state(state)] += weight
                    return
            for index in range(len(pending.actions)):
                twin = state.clone()
                twin.apply(index)
                told = list(twin.sight(seat).heard)
                if told != heard[: len(told)]:
                    continue
                walk(twin, weight, asked)

    walk(game.start(0, 0, open_chance=True), 1.0, 0)
    total = sum(found.values())
    return {key: weight / total for key, weight in found.items()}


def views_of(game, match, decisions, seat):
    """Return what the seat saw at each of its questions on the way that `play_to` goes."""
    return [
        course.state.view().to_dict()
        for course in (play_to(game, match, n)[1] for n in range(decisions + 1))
        if course.state.pending.seat == seat
    ]


def chi_square(found, expected):
    """Return how many deviations too large chi-square is.

    found: of each cell the weights of the worlds there. The number of worlds is what their weights
    are worth (Kish, Survey Sampling, 1965): the square of their sum over the sum of their squares.
    """
    weights = [weight for of_cell in found.values() for weight in of_cell]
    worth = sum(weights) / sum(weight**2 for weight in weights)
    total = worth * sum(weights)
    cells = [(worth * sum(found.get(key, ())), p * total) for key, p in expected.items()]
    value = sum((seen - mean) ** 2 / mean for seen, mean in cells)
    free = len(cells) - 1
    return (value - free) / (2 * free) ** 0.5 if free else 0.0


POSITIONS = [
    ("follow", 2, 7), ("follow", 4, 6), ("keep", 0, 3), ("keep", 1, 4), ("told", 0, 1)
]  # fmt: skip
POSITIONS = POSITIONS if THOROUGH or LONG else POSITIONS[::2]


def compare(small, name, match, decisions, many=3000 if LONG else 300):
    """Return chi-square, as above, of worlds drawn at a position against the whole tree."""
    game = small(name)
    _, course = play_to(game, match, decisions)
    seat = course.state.pending.seat
    seen = views_of(game, match, decisions, seat)
    heard = list(course.state.sight(seat).heard)
    expected = enumerate_worlds(small(name, "native"), seen, heard, seat)
    assert len(expected) > 3
    asking, found = asking_of(course), defaultdict(list)
    for number in range(many):
        stream = Stream(number * 7919)
        world = asking.draw_world(stream, Tries(10**4, 10**4))
        found[hidden_state(Replay(asking, world, stream).play())].append(world.weight)
    assert set(found) <= set(expected)
    return chi_square(found, expected)


@pytest.mark.parametrize(("name", "match", "decisions"), POSITIONS)
def test_worlds_are_as_likely_as_the_whole_tree_says(small, name, match, decisions):
    assert compare(small, name, match, decisions) < UNLIKELY


MUTANTS = {
    "draw_lower_cards": (Shares, "draw", draw_lower_cards),
    "count_nothing": (Replay, "_count", count_nothing),
    "EvenWorld": (worlds, "World", EvenWorld),
}


@pytest.mark.parametrize("name", MUTANTS if LONG else ["EvenWorld"])
def test_a_mistake_is_found(small, monkeypatch, name):
    monkeypatch.setattr(*MUTANTS[name])
    assert compare(small, "follow", 4, 6, 400) > UNLIKELY


@pytest.mark.parametrize("decisions", [1, 2])
def test_worlds_of_machine_code_agree_with_what_was_announced(small, decisions):
    slow, fast = (play_to(small("told", engine), 3, decisions) for engine in ENGINES)
    expected = endings_of(*slow, 7)
    assert len(expected) == WORLDS
    assert endings_of(*fast, 7) == expected
    heard = slow[1].state.sight(slow[1].state.pending.seat).heard
    assert "held" in {said.decision for said in heard}
    asking = asking_of(slow[1])
    for number in range(5):
        stream = Stream(number)
        world = asking.draw_world(stream, Tries(10**4, 10**4))
        assert Replay(asking, world, stream).play().view().history == heard
