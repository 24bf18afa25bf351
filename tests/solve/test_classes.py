"""Card classes: cards are distinguished by what rules and scripts read, and by nothing else."""

from pathlib import Path

import pytest

from trutdsl import load_game
from trutdsl.ir.types import FUNCTIONS, NAMES
from trutdsl.solve import exact
from trutdsl.solve.card_reads import ATTRIBUTES, PLAIN, CardReads
from trutdsl.solve.classes import CardClasses, find_classes
from trutdsl.strategy import load_strategies
from trutdsl.strategy.script import table_for, table_with

SCRIPT = 'strategy probe "Looks at cards.":\n{}    otherwise:\n        any\n'


def classes_of(variant, *strategies):
    game = load_game(variant, 2, (), "native")
    scripts = tuple(load_strategies(strategies, game))
    table = table_for(game, scripts).compiled_game if scripts else game
    return find_classes(table.program, table.setting)


def write_probe(folder: Path, clauses: str) -> str:
    (folder / "probe.strategy").write_text(SCRIPT.format(clauses))
    return str(folder / "probe.strategy")


def test_every_function_either_reads_an_attribute_or_cannot_distinguish_cards():
    of_scripts = {"openly", "in_sight", "whole", "ways"}
    assert {*ATTRIBUTES, *PLAIN} == {*FUNCTIONS, *NAMES, *of_scripts}


@pytest.mark.parametrize(
    ("variant", "count"),
    [("trut", 8), ("trut-deux-sevres", 8), ("truc-catalan", 10), ("trut-gatinaise", 8)],
)
def test_suits_are_merged_in_shipped_games(variant, count):
    found = classes_of(variant, "steady", "bluffer", "actuary")
    assert found.count == count
    assert "nothing reads the suit" in found.sentence()


@pytest.mark.parametrize(
    ("variant", "count"), [("trut-club", 40), ("trut-club-gentiane", 40), ("tute", 40)]
)
def test_the_rules_of_some_shipped_games_distinguish_all_cards(variant, count):
    assert classes_of(variant).count == count


def test_a_script_distinguishes_the_cards_that_it_reads(tmp_path):
    cases = {
        "    on turn:\n        play card with highest strength(card)\n": 8,
        "    on turn:\n        play card where any d in hand[me] has suit(d) == suit(card)\n": 32,
        '    on turn:\n        any when any c in hand[me] has rank(c) == "K"\n': 8,
        # One card is named, so it has its own class. Each rank has a class for the other cards.
        '    on turn:\n        any when any c in hand[me] has c == "Kc"\n': 9,
        # The first card depends on the order of the pack, so all cards differ.
        "    define some: first c in hand[me]\n"
        "    on turn:\n        play card where card == some\n": 32,
    }
    for clauses, count in cases.items():
        assert classes_of("trut", write_probe(tmp_path, clauses)).count == count, clauses


def test_cards_that_tie_by_strength_are_merged(tmp_path):
    # Cards with the highest strength are alike, so it does not matter that the first is taken.
    best = "    define best: strength(first c in hand[me] with highest strength(c))\n"
    alike = best + "    on turn:\n        any when best > 3\n"
    assert classes_of("trut", write_probe(tmp_path, alike)).count == 8
    # Cards with the same figure differ in strength, so the order of the pack matters.
    figure = "    define best: strength(first c in hand[me] with highest figure(c))\n"
    separate_all_cards = figure + "    on turn:\n        any when best > 3\n"
    found = classes_of("trut", write_probe(tmp_path, separate_all_cards))
    assert found.count == 32
    assert "the order of the pack matters" in found.sentence()


# ---------------------------------------------------------------- proofs and near misses

TINY = """\
variant: tiny
title: Tiny
players: [2]
teams: {2: 2}
pack:
  suits: {c: clubs, d: diamonds, h: hearts}
  ranks: [K, Q, J]
  values: {figure: {K: 2, Q: 2, J: 1}}
counters:
  points: {help: Goal points win.}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: up to 4 cards, seen by all
  zone table[seat]: up to 1 card, seen by all
  zone spare: pile, seen by all
  zone place[seat]: pile, seen by all
  zone set_aside: seen by all

  rule match "Deal after deal.":
      setup dealer:
          dealer = random from seats
      repeat at most 100000 times:
          deal:
              do play_deal
          for side in teams where points[side] >= 3: end match won by side
          dealer = next_seat(dealer)

  rule play_deal "Two cards each, one is played, and the higher one wins.":
      do shuffle_pack
      repeat 2 times:
          for player in seats from dealer: draw from stock to hand[player]
      for player in seats from dealer: do turn(player)
      do settle

  rule shuffle_pack "All cards.":
      gather hand, table, spare, place, set_aside into stock
      shuffle stock

  rule turn(player) "Play a card.":
      ask player "turn":
          play card from hand[player]: move card to table[player]

  define worth(player) -> number: strength(top(table[player]))

  rule settle "The higher card wins, of equal ones the dealer's.":
      let winner = first p in seats from dealer with highest worth(p)
      points[team(winner)] += 1
      end deal won by team(winner) because played
"""

# Name of a proof: rules to which it applies, and a near miss.
CASES = {
    "a pack is shuffled before it is dealt": (
        "",
        """
  replace rule shuffle_pack "All cards.": gather hand, table into stock
""",
    ),
    "cards in the order of the pack are shuffled before they are seen": (
        """
  before rule settle "Under the stock.": do put_back
  rule put_back "Under the stock.":
      for player in seats where size(hand[player]) > 0:
          move all from hand[player] under stock
          return
""",
        """
  before rule settle "Under the stock.":
      do put_back
      draw from stock to hand[dealer]
  rule put_back "Under the stock.":
      for player in seats where size(hand[player]) > 0:
          move all from hand[player] under stock
          return
""",
    ),
    "a loop follows the order of a pile": (
        """
  before rule settle "Seen.":
      repeat 2 times: draw from stock to spare
      let left = 2
      for card in spare:
          left -= 1
          if left == 1 and strength(card) == 1: points[team(dealer)] += 1
""",
        """
  before rule settle "Seen.":
      repeat 2 times: draw from stock to set_aside
      move all from set_aside to spare
      let left = 2
      for card in spare:
          left -= 1
          if left == 1 and strength(card) == 1: points[team(dealer)] += 1
""",
    ),
    "the first card of a pile": (
        """
  before rule settle "Seen.":
      repeat 2 times: draw from stock to spare
      if let card = first c in spare:
          if strength(card) == 1: points[team(dealer)] += 1
""",
        """
  before rule settle "Seen.":
      repeat 2 times: draw from stock to set_aside
      if let card = first c in set_aside:
          if strength(card) == 1: points[team(dealer)] += 1
""",
    ),
    "a pile breaks a tie": (
        """
  before rule settle "Seen.":
      repeat 2 times: draw from stock to spare
      if let card = first c in spare with highest figure(c):
          if strength(card) == 3: points[team(dealer)] += 1
""",
        """
  before rule settle "Seen.":
      repeat 2 times: draw from stock to set_aside
      if let card = first c in set_aside with highest figure(c):
          if strength(card) == 3: points[team(dealer)] += 1
""",
    ),
    "a loop lays cards": (
        """
  before rule settle "Away.":
      for player in seats:
          for card in hand[player] where strength(card) == 1: move card to set_aside
      if size(set_aside) == 1: points[team(dealer)] += 1
""",
        """
  before rule settle "Away.":
      for player in seats:
          for card in hand[player] where size(set_aside) == 0: move card to set_aside
      if strength(top(set_aside)) == 1: points[team(dealer)] += 1
""",
    ),
    "only one pile of several is shuffled": (
        """
  before rule settle "Seen.":
      for player in seats: move all from hand[player] to place[player]
      for player in seats: shuffle place[player]
      gather place into set_aside
""",
        """
  before rule settle "Seen.":
      for player in seats:
          repeat 2 times: draw from stock to hand[player]
          move all from hand[player] to place[player]
      shuffle place[dealer]
      move top(place[next_seat(dealer)]) from place[next_seat(dealer)] to set_aside
      if strength(top(set_aside)) == 1: points[team(dealer)] += 1
""",
    ),
    "a chosen card has no place in a pile": (
        """
  before rule settle "Seen.":
      repeat 2 times: draw from stock to place[dealer]
      if strength(top(place[dealer])) == 3: points[team(dealer)] += 1
""",
        """
  replace zone hand[seat]: pile, up to 4 cards, seen by all
  before rule settle "Seen.":
      if strength(top(hand[dealer])) == 3: points[team(dealer)] += 1
""",
    ),
    "by a parameter, suits do not matter": (
        """
  before rule settle "Suits.":
      if suited and suit(top(table[dealer])) == "c": points[team(dealer)] += 1
""",
        """
  before rule settle "Suits.":
      if not suited and suit(top(table[dealer])) == "c": points[team(dealer)] += 1
""",
    ),
    "statements after the end of a rule do not count": (
        """
  before rule settle "Suits.":
      if not suited: return
      if suit(top(table[dealer])) == "c": points[team(dealer)] += 1
""",
        """
  before rule settle "Suits.":
      if suited: return
      if suit(top(table[dealer])) == "c": points[team(dealer)] += 1
""",
    ),
    "rules may move any of several equal cards": (
        """
  before rule settle "Away.":
      for player in seats:
          repeat 1 times: draw from stock to hand[player]
          let best = first c in hand[player] with highest strength(c)
          move best from hand[player] to set_aside
      if (total strength(c) for c in set_aside) == 4: points[team(dealer)] += 1
""",
        """
  deal state:
      marked: card?
  before rule settle "Away.":
      marked = random from hand[dealer]
      draw from stock to hand[dealer]
      let best = first c in hand[dealer] with highest strength(c)
      move best from hand[dealer] to set_aside
      if marked in set_aside: points[team(dealer)] += 1
""",
    ),
    "a loop lays cards of the dealer": (
        """
  before rule settle "Away.":
      draw from stock to hand[dealer]
      for card in hand[dealer] where strength(card) == 1: move card to set_aside
      if size(set_aside) == 1: points[team(dealer)] += 1
""",
        """
  before rule settle "Away.":
      draw from stock to hand[dealer]
      for card in hand[dealer] where size(hand[dealer]) > 1: move card to set_aside
      if strength(top(set_aside)) == 1: points[team(dealer)] += 1
""",
    ),
    "a name stands for one of several equal cards, if there is any": (
        """
  before rule settle "Away.":
      draw from stock to hand[dealer]
      if let best = first c in hand[dealer] with highest strength(c):
          move best from hand[dealer] to set_aside
      if strength(top(set_aside)) == 1: points[team(dealer)] += 1
""",
        """
  deal state:
      marked: card?
  before rule settle "Away.":
      marked = random from hand[dealer]
      draw from stock to hand[dealer]
      if let best = first c in hand[dealer] with highest strength(c):
          move best from hand[dealer] to set_aside
      if marked in set_aside: points[team(dealer)] += 1
""",
    ),
    "a set of cards of another place": (
        """
  before rule settle "Away.":
      let low = those c in table[dealer] where strength(c) == 1
      let few = low & table[dealer]
      draw from stock to hand[dealer]
      let best = first c in hand[dealer] with highest strength(c)
      move best from hand[dealer] to set_aside
      if size(few & set_aside) == 0 and strength(best) == 1: points[team(dealer)] += 1
""",
        """
  before rule settle "Away.":
      let low = those c in hand[dealer] where strength(c) == 1
      let few = low & hand[dealer]
      draw from stock to hand[dealer]
      let best = first c in hand[dealer] with lowest strength(c)
      move best from hand[dealer] to set_aside
      if size(few & set_aside) == 0 and strength(best) == 1: points[team(dealer)] += 1
""",
    ),
    "cards that tie leave one place": (
        """
  before rule settle "Away.":
      for player in seats:
          draw from stock to set_aside
      let best = first c in set_aside with highest strength(c)
      if strength(best) == 1: points[team(dealer)] += 1
      move best from set_aside to spare
""",
        """
  before rule settle "Away.":
      let best = first c in hand[dealer] + hand[next_seat(dealer)] with highest strength(c)
      for c in {best}: draw from stock to set_aside
      for player in seats where size(hand[player]) > 0: move best from hand[player] to set_aside
""",
    ),
}


CHANGED_HEAD = "variant: changed\ntitle: Changed\nextends: ./tiny.yaml\n"
SUITED = """\
parameters:
  suited: {type: boolean, default: off, help: Whether suits count.}
"""

BEST_AWAY = CASES["rules may move any of several equal cards"][0]

# Scripts that play one of several cards: rules, clauses, number of classes.
HIGHEST = "    on turn:\n        play card with highest strength(card)\n"
REMEMBERS_CARD = """\
    deal memory:
        kept: card? = none
    on turn:
        play card with highest strength(card): kept = card
"""
REMEMBERS_HAND = """\
    deal memory:
        at_first: cards = hand[me]
    on turn:
        any when size(at_first) > 1
"""
MARKED_CARD = """
  deal state:
      marked: card?
  before rule turn(player) "Mark one.":
      ask player "mark":
          mark card from hand[player]: marked = card
  after rule turn(player) "It counts.":
      if top(table[player]) == marked: points[team(player)] += 1
"""
TWO_PLACES = """
  replace rule turn(player) "From the hand or elsewhere.":
      draw from stock to set_aside
      ask player "turn":
          play card from hand[player] + set_aside:
              if card in hand[player]: move card from hand[player] to table[player]
              else: move card from set_aside to table[player]
"""
SCRIPT_CASES = {
    "cards lie in one hand": ("", HIGHEST, 3),
    "a card is marked": (MARKED_CARD, HIGHEST, 9),
    "cards lie in two places": (TWO_PLACES, HIGHEST, 9),
    "a hand has an order": (
        """
  replace zone hand[seat]: pile, seen by all
""",
        HIGHEST,
        9,
    ),
    "the script remembers a card": ("", REMEMBERS_CARD, 9),
    "rules move one of several cards": (BEST_AWAY, HIGHEST, 3),
    "the script remembers cards": ("", REMEMBERS_HAND, 3),
    "the script remembers cards and rules move one of them": (BEST_AWAY, REMEMBERS_HAND, 9),
}


def write_variant(folder: Path, rules: str) -> Path:
    (folder / "tiny.yaml").write_text(TINY)
    head = CHANGED_HEAD + (SUITED if "suited" in rules else "")
    (folder / "changed.yaml").write_text(head + ("rules: |" + rules if rules else ""))
    return folder / "changed.yaml"


def separate_all_cards(program, setting):
    cards = range(len(setting.deck.texts))
    return CardClasses(tuple(cards), (), find_classes(program, setting).order_span)


def figures_of(variant, *strategies):
    game = load_game(variant, 2, (), "native")
    found = exact.evaluate(*table_with(game, load_strategies(strategies, game)))
    return [*found.wins, found.first_dealer_wins, found.deals_per_match, found.deviation]


@pytest.mark.parametrize("case", CASES)
def test_cards_are_merged_by_a_proof_and_not_in_a_near_miss(case, tmp_path):
    applies, misses = CASES[case]
    assert classes_of(write_variant(tmp_path, applies)).count == 3
    assert classes_of(write_variant(tmp_path, misses)).count == 9


@pytest.mark.parametrize("case", CASES)
def test_results_are_the_same_without_merged_cards(case, tmp_path, monkeypatch):
    variant = write_variant(tmp_path, CASES[case][0])
    together = figures_of(variant, "uniform", "uniform")
    monkeypatch.setattr(exact, "find_classes", separate_all_cards)
    assert figures_of(variant, "uniform", "uniform") == pytest.approx(together, abs=1e-12)


@pytest.mark.parametrize("case", SCRIPT_CASES)
def test_a_script_may_play_any_of_several_cards(case, tmp_path):
    rules, clauses, count = SCRIPT_CASES[case]
    assert classes_of(write_variant(tmp_path, rules), write_probe(tmp_path, clauses)).count == count


def test_results_of_a_script_are_the_same_without_merged_cards(tmp_path, monkeypatch):
    variant, script = write_variant(tmp_path, ""), write_probe(tmp_path, HIGHEST)
    together = figures_of(variant, script, "uniform")
    monkeypatch.setattr(exact, "find_classes", separate_all_cards)
    assert figures_of(variant, script, "uniform") == pytest.approx(together, abs=1e-12)


@pytest.mark.parametrize("rules", [MARKED_CARD, TWO_PLACES])
def test_uniform_play_merges_cards_that_scripts_distinguish(rules, tmp_path, monkeypatch):
    variant = write_variant(tmp_path, rules)
    assert classes_of(variant).count == 3
    together = figures_of(variant, "uniform", "uniform")
    monkeypatch.setattr(exact, "find_classes", separate_all_cards)
    assert figures_of(variant, "uniform", "uniform") == pytest.approx(together, abs=1e-12)


@pytest.mark.parametrize(
    "case", ["the first card of a pile", "rules may move any of several equal cards"]
)
def test_without_a_proof_results_would_be_wrong(case, tmp_path, monkeypatch):
    variant = write_variant(tmp_path, CASES[case][1])
    right = figures_of(variant, "uniform", "uniform")
    monkeypatch.setattr(CardReads, "note_order", lambda _self, _span: None)
    assert classes_of(variant).count == 3
    wrong = figures_of(variant, "uniform", "uniform")
    assert max(abs(one - other) for one, other in zip(right, wrong, strict=True)) > 0.01
