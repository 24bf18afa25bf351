"""Rules and scripts for which cards are alike by a proof, and near misses."""

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
          for side in teams where points[side] >= 1: end match won by side
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
