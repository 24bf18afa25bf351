"""Worlds: as likely as a walk over the whole tree of a deal says; they fit; nobody peeks."""

import os
from collections import Counter

import pytest
from extent import THOROUGH

from trutdsl.game import ChanceNode, DealStart, Question, load_game
from trutdsl.strategy import load_strategy
from trutdsl.strategy.course import Course
from trutdsl.strategy.monte_carlo import wanted_of
from trutdsl.strategy.play_outs import play_worlds
from trutdsl.strategy.script import table_for
from trutdsl.strategy.worlds import Asking, Replay, Tries
from trutdsl.streams import Stream
from trutdsl.table import StreamChance

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
LONG = bool(os.environ.get("WORLDS"))  # `make worlds`
MATCHES = 100  # more than any test begins
UNIFORM = load_strategy("uniform")
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


def play_to(game, match, decisions):
    """Return a course in which all seats have answered so many questions of a match at random.

    Of one that is over before, another match is played.
    """
    table = table_for(game, (UNIFORM,))
    course = Course(table.compiled, range(game.players), StreamChance(5, match))
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


def asking_of(course):
    seat = course.state.pending.seat
    return Asking(course, course.noticed[seat])


def hidden_state(state):
    told = state.to_dict()
    return repr((told["zones"], told["history"], told["variables"]))


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


def chi_square(counts, expected, total):
    """Return how many deviations too large chi-square is, and how many cells were used."""
    cells = [(counts.get(key, 0), p * total) for key, p in expected.items()]
    value = sum((seen - mean) ** 2 / mean for seen, mean in cells)
    free = len(cells) - 1
    return (value - free) / (2 * free) ** 0.5 if free else 0.0


POSITIONS = [
    ("follow", 2, 7), ("follow", 4, 6), ("keep", 0, 3), ("keep", 1, 4), ("told", 0, 1)
]  # fmt: skip
POSITIONS = POSITIONS if THOROUGH or LONG else POSITIONS[::2]


@pytest.mark.parametrize(("name", "match", "decisions"), POSITIONS)
def test_worlds_are_as_likely_as_the_whole_tree_says(small, name, match, decisions):
    game = small(name)
    _, course = play_to(game, match, decisions)
    seat = course.state.pending.seat
    seen = views_of(game, match, decisions, seat)
    heard = list(course.state.sight(seat).heard)
    expected = enumerate_worlds(small(name, "native"), seen, heard, seat)
    assert len(expected) > 3
    asking, counts, total = asking_of(course), Counter(), 3000 if LONG else 300
    for number in range(total):
        stream = Stream(number * 7919)
        world = asking.draw_world(stream, Tries(10**4, 10**4))
        counts[hidden_state(Replay(asking, world, stream).play())] += 1
    assert set(counts) <= set(expected)
    assert chi_square(counts, expected, total) < UNLIKELY


# ---------------------------------------------------------------- the shipped variants


class GivenChance:
    """Chance that gives what it is told, in turn."""

    def __init__(self, values):
        self.values = list(values)

    def __deepcopy__(self, _memo):
        return GivenChance(self.values)

    def start(self, _part):
        """Nothing turns on it."""

    def card(self, cards, _draw):
        value = self.values.pop(0)
        assert value in cards
        return value

    def number(self, low, high):
        value = self.values.pop(0)
        assert low <= value <= high
        return value

    def element(self, elements, _kind):
        value = self.values.pop(0)
        assert value in elements
        return value

    def yes(self, _part, _whole):
        return bool(self.values.pop(0))


class Recording(Replay):
    """A replay that notes all that chance gave, and all answers."""

    def play(self):
        self.chances, self.answers, self.asked = [], [], True
        return super().play()

    def _past(self):
        value = super()._past()
        if self.asked:
            self.answers.append(value)
        return value

    def _noted(self, draw, given):
        self.asked = False
        self.chances.append(draw(*given))
        self.asked = True
        return self.chances[-1]

    def card(self, *given):
        return self._noted(super().card, given)

    def number(self, *given):
        return self._noted(super().number, given)

    def element(self, *given):
        return self._noted(super().element, given)

    def yes(self, *given):
        return self._noted(super().yes, given)

    def _answer(self, state, question):
        index = super()._answer(state, question)
        self.answers.append(index)
        return index


def play_given(game, chances, answers, seat):
    """Play a match so far; return the course, and what the seat saw at each of its questions."""
    course, views = Course(game, [seat], GivenChance(chances)), []
    course.chances, course.answers = chances, answers
    answers = list(answers)
    while True:
        if isinstance(course.state.pending, DealStart):
            answers.pop(0)
            course.next_deal()
            continue
        if course.state.pending.seat == seat:
            views.append(course.state.view().to_dict())
        if not answers:
            return course, views
        course.apply(answers.pop(0))


TABLES = [
    ("trut", 2, 9), ("truc-catalan", 4, 12), ("tute", 3, 5),
    ("trut", 3, 14), ("trut-club", 2, 4), ("trut-deluxe", 2, 1), ("trut-gatinaise", 2, 9),
    ("truc-french", 2, 9), ("tute", 2, 9), ("tute", 4, 5),
]  # fmt: skip
WORLDS = 3


def other_truths(course, count):
    """Yield courses of the match that come to the asked seat as this one does."""
    seat, asking = course.state.pending.seat, asking_of(course)
    assert not course.permutes, "another start of the deal comes of no other chance in it"
    for number in range(count):
        stream = Stream(number)
        world = asking.draw_world(stream, Tries(300, 300))
        if world is not None:
            replay = Recording(asking, world, stream)
            replay.play()
            yield play_given(course.game, replay.chances, replay.answers[:-1], seat)


@pytest.mark.parametrize(("name", "players", "decisions"), TABLES)
def test_every_world_comes_to_the_seat_as_the_truth_did(name, players, decisions):
    """Played again by plain chance and plain answers it gives the same views."""
    found = 0
    for match in range(2):
        _, course = play_to(load_game(name, players), match, decisions)
        seat, first = course.state.pending.seat, None
        for twin, views in other_truths(course, WORLDS):
            assert twin.noticed[seat].marks == course.noticed[seat].marks
            assert twin.noticed[seat].sights == course.noticed[seat].sights
            first = first or views
            assert views == first
            assert views[-1] == course.state.view().to_dict()
            found += 1
    assert found >= WORLDS


def endings_of(table, course, seed):
    """Return the endings of some worlds, as the engine of the course draws them."""
    seat = course.state.pending.seat
    if course.game.engine == "reference":
        return play_worlds(table, course, course.noticed[seat], UNIFORM, seed, WORLDS)
    rows = course.game.steps.search(wanted_of(course, seat, UNIFORM, seed, WORLDS))
    return [[tuple(row) for row in of_world] for of_world in rows.tolist()]


@pytest.mark.parametrize(("name", "players", "decisions"), TABLES if LONG else TABLES[:3])
def test_machine_code_draws_the_same_worlds_whatever_is_hidden(name, players, decisions):
    """Both engines give the same endings, and each other truth gives them as well."""
    for match in range(4 if LONG else 1):
        slow, fast = (
            play_to(load_game(name, players, engine=engine), match, decisions)
            for engine in ("reference", "native")
        )
        expected = endings_of(*slow, 7)
        assert expected
        assert endings_of(*fast, 7) == expected
        twins = list(other_truths(slow[1], 2))
        assert twins
        table, course = fast
        for twin, _ in twins:
            seat = twin.state.pending.seat
            other, _ = play_given(course.game, twin.chances, twin.answers, seat)
            assert hidden_state(other.state) == hidden_state(twin.state)
            assert endings_of(table, other, 7) == expected


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
