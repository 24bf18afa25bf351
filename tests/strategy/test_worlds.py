"""Worlds of small games have the probabilities of an exhaustive walk over the tree of a deal."""

from collections import Counter, defaultdict

import pytest
from at_questions import LONG, WORLDS, endings_of, hidden_state, knowledge_of, play_to
from extent import THOROUGH, extent
from mutants import UnweightedWorld, draw_lower_cards, ignore_answer

import trutdsl.strategy.worlds as worlds
from trutdsl.game import ChanceNode, DealStart, Question, load_game
from trutdsl.strategy.match_history import Shares
from trutdsl.strategy.worlds import Replay, Tries
from trutdsl.streams import Stream

FOLLOW_GAME = """\
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
KEEP_GAME = """\
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
TOLD_GAME = """\
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
SMALL_GAMES = {"follow": (FOLLOW_GAME, 3), "keep": (KEEP_GAME, 2), "told": (TOLD_GAME, 3)}
ENGINES = ("reference", "native")
UNLIKELY = 5.0  # standard deviations of chi-square that a correct sampler does not reach


@pytest.fixture(scope="module")
def load_small(tmp_path_factory):
    """Return a function that loads one of the small games in an engine."""
    folder = tmp_path_factory.mktemp("small")

    def load(name, engine="reference"):
        text, players = SMALL_GAMES[name]
        path = folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return load_game(path, players, engine=engine)

    return load


def enumerate_worlds(game, seen, heard, seat):
    """Return the probability of each hidden state, given the observations of a seat in deal 1.

    seen: its views, the last one at the open question; heard: its history. The walk visits the
    whole tree: each secret answer and each outcome of chance, except cards that it never held.
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
            now = list(state.sight(seat).history)
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
                noticed = list(twin.sight(seat).history)
                if noticed != heard[: len(noticed)]:
                    continue
                walk(twin, weight, asked)

    walk(game.start(0, 0, open_chance=True), 1.0, 0)
    total = sum(found.values())
    return {key: weight / total for key, weight in found.items()}


def views_of(game, match, decisions, seat):
    """Return the views of the seat at its questions up to a position of `play_to`."""
    return [
        course.state.view().to_dict()
        for course in (play_to(game, match, n)[1] for n in range(decisions + 1))
        if course.state.pending.seat == seat
    ]


def chi_square(found, expected):
    """Return how many standard deviations chi-square is above its mean.

    found: the weights of the worlds of each cell. Their effective number is the square of the sum
    of the weights over the sum of their squares (Kish, Survey Sampling, 1965).
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


def compare(load_small, name, match, decisions, many=3000 if LONG else 300):
    """Return `chi_square` of worlds drawn at a position, against the whole tree."""
    game = load_small(name)
    _, course = play_to(game, match, decisions)
    seat = course.state.pending.seat
    seen = views_of(game, match, decisions, seat)
    heard = list(course.state.sight(seat).history)
    expected = enumerate_worlds(load_small(name, "native"), seen, heard, seat)
    assert len(expected) > 3
    knowledge, found = knowledge_of(course), defaultdict(list)
    for number in range(many):
        stream = Stream(number * 7919)
        world = knowledge.sample_world(stream, Tries(10**4, 10**4))
        found[hidden_state(Replay(knowledge, world, stream).play())].append(world.weight)
    assert set(found) <= set(expected)
    return chi_square(found, expected)


@pytest.mark.parametrize(("name", "match", "decisions"), list(POSITIONS)[:: extent(2, 1)])
def test_worlds_have_the_probabilities_of_the_whole_tree(load_small, name, match, decisions):
    assert compare(load_small, name, match, decisions) < UNLIKELY


MUTANTS = {
    "draw_lower_cards": (Shares, "draw", draw_lower_cards),
    "ignore_answer": (Replay, "_count", ignore_answer),
    "UnweightedWorld": (worlds, "World", UnweightedWorld),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", MUTANTS if LONG else ["UnweightedWorld"])
def test_a_mutant_is_killed(load_small, monkeypatch, name):
    monkeypatch.setattr(*MUTANTS[name])
    assert compare(load_small, "follow", 4, 6, 400) > UNLIKELY


@pytest.mark.parametrize("decisions", [1, 2])
def test_worlds_of_machine_code_agree_with_announcements(load_small, decisions):
    slow, fast = (play_to(load_small("told", engine), 3, decisions) for engine in ENGINES)
    expected = endings_of(*slow, 7)
    assert len(expected) == WORLDS
    assert endings_of(*fast, 7) == expected
    heard = slow[1].state.sight(slow[1].state.pending.seat).history
    assert "held" in {said.decision for said in heard}
    knowledge = knowledge_of(slow[1])
    for number in range(5):
        stream = Stream(number)
        world = knowledge.sample_world(stream, Tries(10**4, 10**4))
        assert Replay(knowledge, world, stream).play().view().history == heard
