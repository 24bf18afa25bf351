"""Choices of several cards: their numbers, and strategies that make them in either engine."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from trutdsl.game import load_game
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.table.actions import ChoiceRange

GAME = Path(__file__).parent.parent / "good" / "several-cards.yaml"


@pytest.mark.parametrize(("cards", "low", "high"), [(8, 0, 3), (6, 2, 2), (5, 1, 5), (40, 1, 2)])
def test_each_hand_has_its_own_number(cards, low, high):
    size = sum(comb(cards, n) for n in range(low, high + 1))
    choice = ChoiceRange(None, low, size, cards)
    hands = [
        mask
        for n in range(low, high + 1)
        for mask in sorted(sum(1 << c for c in held) for held in combinations(range(cards), n))
    ]
    assert [choice.value(number) for number in range(size)] == hands
    assert [choice.digit(mask) for mask in hands] == list(range(size))


def test_a_hand_of_the_wrong_size_has_no_number():
    choice = ChoiceRange(None, 1, 6 + 15, 6)
    assert not 0 <= choice.digit(0) < choice.size
    assert not 0 <= choice.digit(0b111) < choice.size


CHOOSER = """\
strategy chooser for "{game}":
    on how_many:
        change n with highest n with chance 2 out of 3
        none
    on throw:
        throw those_cards with lowest total strength(c) for c in those_cards with chance 3 out of 4
        throw any_two at random
    on show:
        show held where size(held) > 1 with highest total strength(c) - 2 for c in held
        show held
        any
"""


@pytest.fixture
def chooser(tmp_path):
    path = tmp_path / "chooser.strategy"
    path.write_text(CHOOSER.format(game=GAME), encoding="utf-8")
    return load_strategy(str(path))


@pytest.mark.parametrize("players", [2, 3])
def test_scripts_choose_the_same_in_both_engines(chooser, players):
    events_of_engines = []
    for engine in ("reference", "native"):
        events = []
        game = load_game(GAME, players, engine=engine)
        for match in range(3):
            play_match(game, [chooser] * players, 5, match, events.append)
        events_of_engines.append(events)
    assert events_of_engines[0] == events_of_engines[1]
    assert len(events_of_engines[0]) > 100


def test_a_script_throws_the_weakest_cards(tmp_path):
    path = tmp_path / "weakest.strategy"
    clause = "throw away with lowest total strength(c) for c in away"
    path.write_text(f'strategy weakest for "{GAME}":\n    on throw: {clause}\n    otherwise: any\n')
    weakest, game, thrown = load_strategy(str(path)), load_game(GAME, 2, engine="native"), 0
    strength = {
        c: 9 if c == "joker" else ["7", "8", "9", "10", "J", "Q", "K", "A"].index(c[:-1]) + 1
        for c in game.deck.texts
    }
    events = []
    play_match(game, [weakest] * 2, 5, 0, events.append)
    hands = {}
    for event in events:
        if event["event"] == "deal":
            hands = {0: [], 1: []}
        elif event["event"] == "cards":
            hands[event["seat"]] += event["cards"]
        elif event.get("decision") == "throw":
            gone = event["action"].split()[1:]
            held = sorted(strength[c] for c in hands[event["seat"]])
            assert sorted(strength[c] for c in gone) == held[: len(gone)]
            for card in gone:
                hands[event["seat"]].remove(card)
            thrown += 1
    assert thrown > 5


LARGE_HANDS = """\
variant: large-hands
title: Large hands
players: [2]
teams: {2: 2}
pack:
  suits: {c: clubs, d: diamonds, h: hearts, s: spades}
  ranks: [A, K, Q, J, 10, 9, 8, 7, 6, 5, 4, 3, 2]
counters: {points: {help: None.}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 13 cards, seen by owner
  zone gone: seen by nobody
  rule match:
      deal:
          shuffle stock
          for p in seats:
              repeat 13 times: draw from stock to hand[p]
          for p in seats:
              ask p "give" seen by owner:
                  give gifts from 3 cards of hand[p]:
                      for c in gifts: move c from hand[p] to gone
          end deal because given
      end match drawn
"""


def test_only_the_hand_counts_for_the_work_of_a_choice(tmp_path):
    (tmp_path / "large-hands.yaml").write_text(LARGE_HANDS)
    path = tmp_path / "worst.strategy"
    keys = "lowest total strength(c) for c in gifts then lowest total suit_of(c) for c in gifts"
    lines = [
        'strategy worst for "large-hands.yaml":',
        '    define suit_of(c: card): 4 if suit(c) == "c" else 3 if suit(c) == "d" else 2',
        f"    on give: give gifts where size(gifts) == 3 with {keys}",
        "    otherwise: any",
    ]
    path.write_text("\n".join(lines) + "\n")
    events = []
    game = load_game(tmp_path / "large-hands.yaml", 2, engine="native")
    play_match(game, [load_strategy(str(path))] * 2, 5, 0, events.append)
    order = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    hands = {0: [], 1: []}
    for event in events:
        if event["event"] == "cards":
            hands[event["seat"]] += event["cards"]
        elif event["event"] == "action":
            held = sorted(order.index(card[:-1]) for card in hands[event["seat"]])
            given = [card[:-1] for card in event["action"].split()[1:]]
            assert sorted(map(order.index, given)) == held[:3]


def test_uniform_picks_each_set_of_cards_equally_often():
    game, found = load_game(GAME, 2, engine="native"), Counter()
    seating = [load_strategy("uniform")] * 2
    for match in range(60):
        events, hands = [], {}
        play_match(game, seating, 8, match, events.append)
        for event in events:
            if event["event"] == "deal":
                hands = {0: [], 1: []}
            elif event["event"] == "cards":
                hands[event["seat"]] += event["cards"]
            elif event.get("decision") == "throw":
                held = sorted(hands[event["seat"]], key=game.deck.texts.index)
                gone = event["action"].split()[1:]
                if len(gone) == 2:
                    found[tuple(held.index(card) for card in gone)] += 1
                for card in gone:
                    hands[event["seat"]].remove(card)
    many = sum(found.values())
    assert many > 300
    assert sorted(found) == [(0, 1), (0, 2), (1, 2)]
    assert all(abs(n - many / 3) < 4.5 * (many * 2 / 9) ** 0.5 for n in found.values())


def test_monte_carlo_can_choose_several_cards():
    events = []
    seating = [load_strategy("monte-carlo:playouts=6"), load_strategy("uniform")]
    play_match(load_game(GAME, 2, engine="native"), seating, 2, 0, events.append)
    assert events[-1]["event"] == "match_end"
