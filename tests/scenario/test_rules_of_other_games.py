"""Rules of seven other games, in the words of those games, each with a scenario."""

import pytest

HEAD = """\
variant: game
language: 3
title: A piece of a game
players: [4]
teams: {4: 2}
counters: {points: {help: Points.}}
"""
PACK_OF_32 = """\
pack:
  suits: {c: clubs, d: diamonds, h: hearts, s: spades}
  ranks: [A, 10, K, Q, J, 9, 8, 7]
"""
PACK_OF_52 = """\
pack:
  suits: {c: clubs, d: diamonds, h: hearts, s: spades}
  ranks: [A, K, Q, J, 10, 9, 8, 7, 6, 5, 4, 3, 2]
"""
GERMAN_PACK = """\
pack:
  suits: {a: acorns, l: leaves, h: hearts, b: bells}
  ranks: [A, K, O, U, 10, 9, 8, 7]
  special_cards:
    weli: {strength: above U}
"""
ZONES = """\
rules: |
  zone stock: pile, starts with pack_cards + special_pack
  zone hand[seat]: up to 13 cards, seen by owner
  zone table[seat]: up to 1 card, seen by all
"""
DEAL = """\
  rule match:
      repeat at most 20 times:
          deal:
              gather hand, table into stock
              shuffle stock
              do play_deal
              end deal because played
          dealer = next_seat(dealer)
      end match drawn

"""
# game: pack, rules, start of the scenario, actions, expectations
GAMES = {
    "belote": (
        PACK_OF_32,
        """\
  deal state:
      shown: seats

  rule play_deal:
      repeat 3 times:
          for p in seats after dealer: draw from stock to hand[p]
          draw from stock to hand[dealer]
      for p in seats:
          if alike(p):
              ask p "announce" seen by owner:
                  show three openly:
                      shown += p
                      points[team(p)] += 20
                  pass
      for p in seats: do rest(p)

  rule rest(p):
      ask p "turn":
          play card from hand[p]: move card to table[p]

  define alike(p): any c in hand[p] has size(those d in hand[p] where rank(d) == rank(c)) == 3
""",
        "{dealer: 3, hands: {0: [Qc, Qd, Qh], 1: [7c, 8c, 9c], 2: [7d, 7h, 7s], 3: [Ac, Kc, Ad]}}",
        "[0: show three, 2: pass, 0: play Qc]",
        "{decision: {seat: 1, name: turn}, counters: {points: [20, 0]}, variables: {shown: [0]}}",
    ),
    "coinche": (
        PACK_OF_32,
        """\
  deal state:
      bid: number
      trump: suit?
      bidder: seat?

  rule play_deal:
      repeat at most 4 times until bid == 250:
          for p in seats from dealer:
              ask p "bid":
                  bid n from {80, 90, 100, 110, 250}, s from suits + {none} when n > bid:
                      bid = n
                      trump = s
                      bidder = p
                  pass
      if let p = bidder:
          if bid in {80, 250} and trump == none: points[other(team(p))] += bid
          else: points[team(p)] += bid
""",
        "{dealer: 0}",
        "[0: bid 80 hearts, 1: bid 250 none, 2: pass, 3: pass]",
        "{deal_over: true, counters: {points: [250, 0]}}",
    ),
    "manille": (
        PACK_OF_32,
        """\
  deal state:
      trump: suit?

  rule play_deal:
      for p in seats:
          draw from stock to hand[p]
      ask dealer "trump":
          trump is s from suits + {none}: trump = s
      for p in seats: move (first c in hand[p]) from hand[p] to table[p]
      let winner = first p in seats with highest power(top(table[p]))
      points[team(winner)] += abs(power(top(table[dealer])) - power(top(table[winner])))
      points[other(team(winner))] += 1

  define power(c: card): strength(c) + (20 if trump == suit(c) else 0)
""",
        "{dealer: 0, hands: {0: [Ac], 1: [7d], 2: [8d], 3: [Kc]}}",
        "[0: trump is diamonds]",
        "{deal_over: true, counters: {points: [14, 1]}}",
    ),
    "hearts": (
        PACK_OF_52,
        """\
  rule play_deal:
      repeat 13 times:
          for p in seats: draw from stock to hand[p]
      for p in seats:
          ask p "pass" seen by owner:
              pass three from 3 cards of hand[p] when every c in three has suit(c) != "h":
                  for c in three: move c from hand[p] to stock
""",
        "{dealer: 0, hands: {0: [2c, 3h, 4d, 5s, 6c, 7c, 8c, 9c, 10c, Jc, Qc, Kc, Ac]}}",
        "[0: pass 2c 4d 5s, 1: pass 2h 3c 3d]",
        "{error: illegal, decision: {seat: 1, name: pass}, zones: {hand: {0: 10, 1: 13}}}",
    ),
    "schnapsen": (
        PACK_OF_32,
        """\
  rule play_deal:
      for p in seats: draw from stock to hand[p]
      on_lead = dealer
      repeat 3 times: do play_trick

  rule play_trick:
      trick on table:
          ask on_lead "turn":
              play c from hand[on_lead] when trick_number == 1: move c to table[on_lead]
              lead nothing when trick_number > 1: points[team(on_lead)] += trick_number
          if let r = rank_below("K"):
              if rank_above(r) == "K" and trick_number == 3 and rank_above("A") == none:
                  points[team(dealer)] += 40
          end trick tied
""",
        "{dealer: 1, hands: {0: [7c], 1: [8c], 2: [9c], 3: [Jc]}}",
        "[1: play 8c, 1: lead nothing, 1: lead nothing]",
        "{deal_over: true, counters: {points: [0, 45]}}",
    ),
    "oh hell": (
        PACK_OF_52,
        """\
  deal state:
      bids: number

  rule play_deal:
      repeat deal_number times:
          for p in seats: draw from stock to hand[p]
      for p in seats after dealer: do bid_for(p)
      ask dealer "bid":
          n from 0 to 13 when bids + n != deal_number: points[team(dealer)] += n

  rule bid_for(p):
      ask p "bid":
          n from 0 to 13 when n <= deal_number: bids += n
""",
        "{dealer: 0}",
        "[1: 0, 2: 1, 3: 0, 0: 1, 2: 2, 3: 0, 0: 0, 1: 0]",
        "{error: illegal, decision: {seat: 1, name: bid}, counters: {points: [1, 0]}}",
    ),
    "watten": (
        GERMAN_PACK,
        """\
  deal state:
      right: rank?

  rule play_deal:
      for p in seats: draw from stock to hand[p]
      look at top(hand[dealer]) by next_seat(dealer)
      ask dealer "rank":
          rank r from ranks: right = r
      if let r = right:
          for p in seats:
              if let above = rank_above(r):
                  if openly(rank(top(hand[p])) == above): points[team(p)] += 10
          let weli = strength("weli")
          if right == "A" and weli > strength("Ub") and weli < strength("Ob"):
              points[team(dealer)] += 1
""",
        "{dealer: 0, hands: {0: [weli], 1: [Kb], 2: [Ol], 3: [7a]}}",
        "[0: rank O, 1: rank A]",
        "{counters: {points: [0, 11]}, deal_over: true}",
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_a_game_play_as_they_say(game, play, tmp_path):
    pack, rules, start, actions, expect = GAMES[game]
    (tmp_path / "game.yaml").write_text(HEAD + pack + ZONES + DEAL + rules, encoding="utf-8")
    scenario = (
        f"scenario: {game.replace(' ', '-')}\nvariant: game.yaml\nplayers: 4\n"
        f"start: {start}\nactions: {actions}\nexpect: {expect}\n"
    )
    for engine in ("reference", "native"):
        code, out, err = play(scenario, "--engine", engine)
        assert (code, err) == (0, ""), (engine, out, err)
