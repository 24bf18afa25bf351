"""Common wrong spellings of statements: each gets one message that says what to write."""

import pytest

from trutdsl.cli.app import run

GAME = """\
variant: game
language: 3
title: Game
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 3 cards, seen by owner
  rule match:
      shuffle stock
"""


@pytest.mark.parametrize(
    ("line", "help_"),
    [
        ("      draw from stock face down to hand[dealer]", "a zone `seen by nobody`"),
        ("      hide hand[dealer] from dealer", "a zone `seen by nobody`"),
        ('      ask dealer "a":\n          yes = do lay(dealer)', "write `yes: do lay(dealer)`"),
        ('      ask dealer "a":\n          yes -> on_lead = dealer', "`yes: on_lead = dealer`"),
        (
            '      ask dealer "a":\n          all in do lay(dealer)',
            "write `all in: do lay(dealer)`",
        ),
        ("      pick up hand[dealer]", "write `move all from hand[dealer] to ZONE openly`"),
        ("      switch dealer:\n          0: return", "write `if ...:` and `else if ...:`"),
        ('      ask dealer "go" or "stop":\n          a\n          b', "a question has one name"),
        ("      draw from stock to hand[next_seat]", "say of what: `next_seat(...)`"),
        ("  define three -> number: return 3", "leave out `return`: `define ...: 3`"),
        ("  zone away[seat]", "say who sees its cards: `zone away[seat]: seen by nobody`"),
        (
            "      end deal because a if dealer == 0 else b",
            "write `if dealer == 0: end deal because a`, and below it `else: ...`",
        ),
        (
            '      ask dealer "name":\n          name s from suits where s != "h": return',
            "write `when` behind the choices",
        ),
        (
            "  define x(p):\n      let a = 1\n      next_seat(p) == p or a > 1",
            "to give a value, write `return next_seat(p) == p or a > 1`",
        ),
        ("      if dealer == 0: return", "name a seat, such as `dealer` or `next_seat(dealer)`"),
        ("      if 0 == team(dealer): return", "name a team by a seat of it"),
        ("      if players == 3 or 2: return", "write `players == 3 or players == 2`"),
        ("      if players != 3 or 2: return", "write `players != 3 and players != 2`"),
        ("      if players == (3 or 2): return", "write `players == 3 or players == 2`"),
        ("      if players in {2} or 3: return", "write `players in {2} or players == 3`"),
        ("      if players > 1 and < 3: return", "write `players > 1 and players < 3`"),
        ("      if dealer or on_lead == dealer: return", "`dealer == dealer or on_lead == dealer`"),
        ("      if players in 2: return", "write `players == 2`"),
        ("      if hand[dealer] or stock: return", "write `hand[dealer] + stock`"),
        ("      if stock: return", "write `not empty(stock)`"),
        ("      if any c in stock with dealer == 0: return", "`any c in stock has ...`"),
        ("      let n = count c in stock with dealer == 0", "`count c in stock where ...`"),
        ("      let n = (count stock) + 1", "or `size(stock)`"),
        ("      if players in (2, 3): return", "write the set in braces: `in {2, 3}`"),
        ('      if rank(top(stock)) in ["A", "K"]: return', 'in braces: `in {"A", "K"}`'),
        ('      if "A" of h in stock: return', 'any c in ZONE has rank(c) == "A" and suit(c) == h'),
        ("      if stock contains K: return", "write `any x in stock has ...`"),
        ('      if stock holds "Kh": return', 'write `"Kh" in stock`'),
        (
            "      announce players by dealer",
            "say who hears it: `announce players by dealer to all`",
        ),
        ("      announce players", "say who says it, and who hears it: `announce players by SEAT"),
        (
            '      ask dealer "go", seen by team:\n          a',
            "write `seen by team` without a comma",
        ),
        ("      let seen = 1", "choose another name"),
        ("  deal state:\n      sign: low | high", "write `one of low | high`"),
        ("  deal state:\n      coin: yes or no", "write `yes_no`"),
        ("  deal state:\n      coin[seat]: yes/no, seen by owner", "write `yes_no`"),
        ("      let n = 2\n      n *= 3", "write `n = n * 3`"),
        ("      let n: seat? = none\n      if n and dealer == dealer: return", "write `n != none`"),
        ("      if partner == none: return", "say of what: `partner(...)`"),
        ("      if stock == hand[player]: return", "no parameter here is called 'player'"),
        ("  zone away    # face down", "12:12: error: found the end of the line"),
        ("      move hand to stock", "say which: `hand[...]`"),
        ("  zone away    # face down", "say who sees its cards: `zone away: seen by nobody`"),
        ("  deal state:\n      won: number per team", "write `won[team]: number`"),
        ("  deal state:\n      won: number from 0 to 5", "write `0 to 5`"),
        (
            "  deal state:\n      won: 0 to 5\n  rule x(p): won[p] = 1",
            "or declare one for each: `won[seat]`",
        ),
        ('  score "x":\n      return', "write `rule score ...`"),
        ("  rule score points:\n      return", "a name is one word: `rule score_points`"),
        ("      if strength[top(stock)] > 2: return", "say of what: `strength(top(stock))`"),
        ("      if every c in stock rank(c) == 2: return", "write `has` before `rank`"),
        ("      let n = count c in stock strength(c) > 2", "write `where` before `strength`"),
        ("      stake = 2", "write `let stake = ...`, or declare it: `stake: TYPE` below"),
        ('      let some = stock + "Kh"', 'write `{"Kh"}`'),
        (
            "      dealer = seats - dealer",
            "`first p in seats - dealer where ...`; of all of them, `for p in",
        ),
        ("      dealer += 1", "write `dealer = next_seat(dealer)`"),
        ("      dealer -= 1", "write `dealer = previous_seat(dealer)`"),
        ("      dealer++", "write `dealer = next_seat(dealer)`"),
        ("      dealer = dealer + 1", "write `next_seat(dealer)`"),
        ("      on_lead = team(dealer) + 1", "write `other(team(dealer))`"),
        (
            "      let n = sum(strength(c) for c in stock)",
            "write `total strength(c) for c in stock`",
        ),
        ("      let n = total (strength(c) for c in stock)", "`total strength(c) for c in stock`"),
        ("      let n = size hand[dealer]", "write `size(hand[dealer])`"),
        ("      let n = count hand[dealer]", "write `size(hand[dealer])`"),
        ("      let n = strength(top(stock)) ? 1 : 2", "write `1 if strength(top(stock)) else 2`"),
        (
            "      let n = first k in 1 to 9 where k > 3",
            "write `lowest k for k in 1 to 9 where k > 3`",
        ),
        (
            "      let c = highest c in hand[dealer]",
            "`first c in hand[dealer] with highest strength(c)`",
        ),
        (
            "      let c = first c in stock sorted by rank(c)",
            "`with highest rank(c)`, or `with lowest",
        ),
        ("      let c = [c for c in stock]", "write `those c in stock where ...`"),
        ("      let c = stock minus hand[dealer]", "write `stock - hand[dealer]`"),
        ("      let c = stock union hand[dealer]", "write `stock + hand[dealer]`"),
        ("      let n = chance 1/4", "write `chance 1 out of 4`"),
        ("      let n = chance 1 in 4", "write `chance 1 out of 4`"),
        ("      if chance 1 out of 4: return", "above: `let lucky = chance 1 out of 4`"),
        ("      let n = random(1, 6)", "write `roll 1 to 6`"),
        ("      let a, b = 1, 2", "write two sentences: `let a = ...` and `let b = ...`"),
        ("      let p = seats[0]", "`dealer` or `next_seat(dealer)`; seats have no numbers"),
        (
            '      ask dealer "x":\n          give s from up to 2 cards of hand[dealer]: return',
            "write `0`",
        ),
        ("      int n = 3", "write `let n = ...`, or declare it"),
        ("      loop 3 times: shuffle stock", "write `repeat 3 times:`"),
        ("      for (p in seats): return", "write `for p in seats:`"),
        ("      for p in team(dealer): return", "write `seats_of(team(dealer))`"),
        (
            "      if players == 2: return\n      elsif players == 3: return",
            "`else if players == 3:`",
        ),
        ("      if players == 2: return\n      otherwise: return", "write `else`"),
        ("      if players equals 2: return", "to compare, write '=='"),
        ("      if players == 2 { return }", "a block has no braces"),
        ("      if players in 2 to 3: return", "write `players >= 2 and players <= 3`"),
        ("      if players between 2 and 3: return", "write `players >= 2 and players <= 3`"),
        ("      if no c in stock has special(c): return", "write `not any c in ...`"),
        ('      if any "K" in stock: return', 'write `any c in stock has rank(c) == "K"`'),
        ('      hand[dealer] += "Kh"', "write `move CARD from ZONE to hand[dealer]`"),
        ("      draw card from stock to hand[dealer]", "write `draw from stock to hand[dealer]`"),
        ("      move first card from stock to hand[dealer]", "`draw from stock to hand[dealer]`"),
        ("      move 2 cards from stock to hand[dealer]", "write `repeat 2 times:`, and below it"),
        ("      call score(dealer)", "write `do score(dealer)`"),
        ("      do nothing", "`trutdsl show VARIANT` lists the rules"),
        ("      let n = ask dealer", "`ask` is a sentence of its own"),
        (
            "  rule x(p): end match won by p",
            "write `team(p)`, or `p: team` there if it is a team",
        ),
        (
            '      ask dealer "a":\n          bid n from 1 to 5 if players == 2: return',
            "write `when`",
        ),
        (
            '      ask dealer "a":\n          bid unless players > 2: return',
            "write `when not (...)` instead of `unless`",
        ),
        (
            '      ask dealer "a":\n          throw c from at most 2 cards of hand[dealer]: return',
            "write `from 0 to 2 cards of hand[dealer]`",
        ),
        (
            '      ask dealer "a":\n          throw c from 2 cards of stock: move c to stock',
            "write `for one in c: move one from ZONE to stock`",
        ),
        (
            '      ask dealer "a":\n          r from ranks of hand[dealer]: return',
            "write `(those x in ranks where any c in hand[dealer] has rank(c) == x)`",
        ),
        (
            '      ask dealer "a":\n          s from suits except "h": return',
            'write `suits - {"h"}`',
        ),
        ('      ask dealer "a":\n          s from {"hearts"}: return', 'write `"h"`'),
        ("  zone away[seat]: visible to owner", "write `seen by owner`"),
        ("  zone away = pile", "write ':' instead of `=`"),
        ("  define three = 3", "write ':' instead of `=`"),
        ('  define three "x" -> number: 3', "write `-> TYPE` before the text"),
        ("  type t = one of a, b", "write `one of a | b`"),
        ("  deal state:\n      held: list of cards", "write `cards`"),
        ("  when the match begins: return", "write `before rule NAME(...):`"),
        ("  include lib/truc", "write `uses: [lib/truc]` in the first column"),
        ("  define x: 1\n  replace rule x: return", "write `replace define x`"),
        ("      for p in seats: shuffle hand", "say which: `hand[p]`"),
        ("      if dealer == Marie: return", "a seat has no name of a person: write `dealer`"),
        (
            "      if any c in stock has suit(c) == cœur: return",
            "12:40: error: there is no name 'cœur'",
        ),
    ],
)
def test_a_wrong_spelling_gets_one_message_with_help(tmp_path, capsys, line, help_):
    path = tmp_path / "game.yaml"
    path.write_text(f"{GAME}{line}\n")
    assert run(["check", str(path)]) == 2
    output = "".join(capsys.readouterr())
    assert output.count(": error: ") == 1
    assert help_ in output


OURS = """\
variant: ours
language: 3
title: Ours
extends: trut
rules: |
"""
SCORE = '  after rule score(winner: team) "x":\n'
TRICKS = '  before rule play_tricks "x":\n'
GOAL = '  replace rule look_for_goal "x":\n      for side in teams:\n'
# What players write of cards, in a rule.
PLAYERS = [
    (
        'if top(stock).rank == "7": return',
        "`rank(top(stock))`",
        'if rank(top(stock)) == "7": return',
    ),
    ("on_lead = left of dealer", "write `next_seat(dealer)`", "on_lead = next_seat(dealer)"),
    ("on_lead = right of the dealer", "`previous_seat(dealer)`", "on_lead = previous_seat(dealer)"),
    ("if stock has 3 cards: return", "`size(stock) >= 3`", "if size(stock) >= 3: return"),
    (
        "if dealer has at least 2 cards: return",
        "write `size(hand[dealer]) >= 2`",
        "if size(hand[dealer]) >= 2: return",
    ),
    (
        "if hand[dealer] > 2: return",
        "write `size(hand[dealer])`",
        "if size(hand[dealer]) > 2: return",
    ),
    (
        "if played == suit(top(played)): return",
        "or `every c in played has suit(c) == ...`",
        "if every c in played has suit(c) == suit(top(played)): return",
    ),
    (
        "let led: suit = top(stock)",
        "write `suit(top(stock))`",
        "let led: suit = suit(top(stock))\n      if led == suit(bottom(stock)): return",
    ),
    (
        "let led = suit(stock)",
        "say which: `top(stock)`, `first c in stock where ...`",
        "let led = suit(top(stock))\n      if led == suit(bottom(stock)): return",
    ),
    (
        "let most = max(petits)",
        "of many, write `highest ... for x in SET`",
        "let most = highest petits[s] for s in teams\n      if most > 2: return",
    ),
    (
        "move played to stock",
        "write `move all from played to stock`",
        "move all from played to stock",
    ),
    (
        "move played, table to stock",
        "write `gather played, table into stock`",
        "gather played, table into stock",
    ),
    (
        "move all stock from stock to played",
        "write `for c in stock: move c from stock to played`",
        "for c in stock: move c from stock to played",
    ),
    (
        "end deal because nobody wants",
        "`because nobody_wants`",
        "if players > 2: end deal because nobody_wants",
    ),
    ('end deal because "no cards"', "`because WORD`", "if players > 2: end deal because no_cards"),
    ("3 times: shuffle stock", "write `repeat 3 times:`", "repeat 3 times: shuffle stock"),
    (
        "let n = 1 + if players == 2 then 1 else 0",
        "write `1 if players == 2 else 0`",
        "let n = 1 + (1 if players == 2 else 0)\n      if n > 2: return",
    ),
    (
        "let n = sum of strength in stock",
        "write `total strength(c) for c in stock`",
        "let n = total strength(c) for c in stock\n      if n > 2: return",
    ),
    (
        "let n = total(strength(stock))",
        "write `total strength(c) for c in stock`",
        "let n = total strength(c) for c in stock\n      if n > 2: return",
    ),
    (
        "let best = seats with highest size(hand[p])",
        "write `those x in seats with highest ...`",
        "let best = those x in seats with highest size(hand[x])\n      if size(best) > 2: return",
    ),
    (
        'if all hand[dealer] == "7h": return',
        "write `every c in hand[dealer] has ...`",
        'if every c in hand[dealer] has c == "7h": return',
    ),
    (
        "ask dealer to show:\n          pass\n          show",
        'write `ask dealer "show":`',
        'ask dealer "show":\n          pass\n          show',
    ),
    (
        'ask dealer "show":\n          show\n          hide: pass',
        "leave the block out",
        'ask dealer "show":\n          show\n          hide',
    ),
    (
        'ask dealer "bid":\n          pass\n          twenty-one',
        "write `twenty one`",
        'ask dealer "bid":\n          pass\n          twenty one',
    ),
    (
        'ask dealer "away":\n          throw 2 cards of hand[dealer]',
        "write `throw them from 2 cards of hand[dealer]`",
        'ask dealer "away":\n          throw them from 2 cards of hand[dealer]',
    ),
    ("on_lead = nothing", "write `none`", "on_lead = dealer"),
]
GAIN = '  replace define gain(side: team) -> number "x": '


@pytest.mark.parametrize(
    ("before", "wrong", "help_", "right"),
    [
        (
            TRICKS,
            "      if a player has no card of the suit led: return",
            "`any p in seats has not any c in hand[p] has ...`",
            '      if any p in seats has not any c in hand[p] has suit(c) == "h": return',
        ),
        (
            TRICKS,
            "      if dealer has no hearts: return",
            "`any p in seats has not any c in hand[p] has ...`",
            '      if not any c in hand[dealer] has suit(c) == "h": return',
        ),
        (
            SCORE,
            "      petits[winner] plus 1",
            "write `petits[winner] += 1`",
            "      petits[winner] += 1",
        ),
        (
            SCORE,
            "      winner gains 2 petits",
            "write `petits[winner] += 2`",
            "      petits[winner] += 2",
        ),
        (
            SCORE,
            "      do gain_petits winner, 1",
            "write `do gain_petits(winner, 1)`",
            "      do gain_petits(winner, 1)",
        ),
        (
            SCORE,
            "      if winner is the team of the dealer: return",
            "write `== team(dealer)`",
            "      if winner == team(dealer): return",
        ),
        (
            SCORE,
            "      if petits[winner] is less than 3: return",
            "write `< 3`",
            "      if petits[winner] < 3: return",
        ),
        (
            SCORE,
            "      if petits[winner] is at least 3: return",
            "write `>= 3`",
            "      if petits[winner] >= 3: return",
        ),
        (
            SCORE,
            "      if winner == team 1: return",
            "teams have no numbers: write `team(SEAT)`",
            "      if winner == team(dealer): return",
        ),
        (
            "",
            "  after score(winner: team):\n      petits[winner] += 1",
            "write `after rule score`",
            "  after rule score(winner: team):\n      petits[winner] += 1",
        ),
        (
            SCORE,
            "      pour chaque joueur: petits[winner] += 1",
            "write `for joueur in seats:`",
            "      for joueur in seats: petits[winner] += 1",
        ),
        (
            SCORE,
            "      for all seats: petits[winner] += 1",
            "write `for seat in seats:`",
            "      for seat in seats: petits[winner] += 1",
        ),
        (
            "  match state:\n",
            "      bonus: 0-3\n" + SCORE + "      petits[winner] += bonus",
            "write `0 to 3`",
            "      bonus: 0 to 3 = 1\n" + SCORE + "      petits[winner] += bonus",
        ),
        (
            SCORE,
            "      if any p in seats have 7h: return",
            "write `has`",
            '      if any p in seats has "7h" in hand[p]: return',
        ),
        (
            SCORE,
            '      if dealer has "7h": return',
            'write `"7h" in hand[dealer]`',
            '      if "7h" in hand[dealer]: return',
        ),
        (
            SCORE,
            "      if petits of team(dealer) > 0: return",
            "write `petits[team(dealer)]`",
            "      if petits[team(dealer)] > 0: return",
        ),
        (
            "",
            "  when a trick is over:\n      longs[team(dealer)] += 1",
            "write `after rule NAME(...):` with the rule that holds `trick on`",
            "  after rule play_trick:\n      longs[team(dealer)] += 1",
        ),
        (
            GOAL,
            "          if longs[side] > longs[other side] + 6: end match won by side",
            "write `other(side)`",
            "          if players == 2 and every o in opponents(side) has longs[side] > longs[o]:\n"
            "              end match won by side",
        ),
        (
            GOAL,
            "          if longs[side] >= goal: match won by side",
            "write `end match won ...`",
            "          if longs[side] >= goal: end match won by side",
        ),
        (
            GOAL,
            "          if longs[side] >= goal: end match, side wins",
            "write `end match won by side ...`",
            "          if longs[side] >= goal: end match won by side",
        ),
        (
            "",
            '  replace define can_call "x" base and tricks_left < 3',
            "write ':' before `base`",
            '  replace define can_call "x": base and tricks_left < 3',
        ),
        (
            "",
            '  replace rule can_call "x": base and tricks_left < 3',
            "what has a value is a `define`",
            '  replace define can_call "x": base and tricks_left < 3',
        ),
        (
            GAIN,
            "if team(dealer) == side then 2 else 1",
            "write `2 if team(dealer) == side else 1`",
            "2 if team(dealer) == side else 1",
        ),
        (
            GAIN,
            '1 + count "7h" in played',
            'write `count c in played where c == "7h"`',
            '1 + count c in played where c == "7h"',
        ),
        (
            TRICKS,
            '      ask dealer: "show"\n          pass\n          show',
            'write `ask dealer "show":`',
            '      ask dealer "show":\n          pass\n'
            "          show: reveal hand[dealer] to seats",
        ),
        (
            TRICKS,
            '      ask dealer "show":\n          pass\n          show: reveal hand[dealer]',
            "say to whom: `reveal hand[dealer] to seats`",
            '      ask dealer "show":\n          pass\n'
            "          show: reveal hand[dealer] to seats",
        ),
        (
            TRICKS,
            "      if the dealer holds the 7h: return",
            'write `"7h" in hand[dealer]`',
            '      if "7h" in hand[dealer]: return',
        ),
        (
            TRICKS,
            '      ask dealer "bid":\n          bid n in 1 to 5: do gain_petits(team(dealer), n)',
            "write `n from 1 to 5`",
            '      ask dealer "bid":\n          bid n from 1 to 5: do gain_petits(team(dealer), n)',
        ),
        (
            TRICKS,
            '      ask dealer "bid":\n          bid n when n > 2: do gain_petits(team(dealer), 1)',
            "write `n from SET`",
            '      ask dealer "bid":\n          bid n from {1, 3} when n > 2',
        ),
        (
            TRICKS,
            "      let n be 3\n      do gain_petits(team(dealer), n)",
            "write `let n = 3`",
            "      let n = 3\n      do gain_petits(team(dealer), n)",
        ),
        (
            TRICKS,
            "      add 1 to petits[team(dealer)]",
            "write `petits[team(dealer)] += 1`",
            "      petits[team(dealer)] += 1",
        ),
        (
            TRICKS,
            "      increase petits[team(dealer)] by 1",
            "write `petits[team(dealer)] += 1`",
            "      petits[team(dealer)] += 1",
        ),
        (
            TRICKS,
            '      if top card of played == "7h": return',
            "write `top(played)`",
            '      if top(played) == "7h": return',
        ),
        (
            TRICKS,
            '      if suit of top of played == "h": return',
            "write `suit(top(played))`",
            '      if suit(top(played)) == "h": return',
        ),
        (
            TRICKS,
            '      ask all players "ready":\n          ready',
            "write `for p in seats:`, and below it `ask p ...`",
            '      for p in seats:\n          ask p "ready":\n              ready',
        ),
        (
            TRICKS,
            '      ask dealer "ready":\n          go -> petits[team(dealer)] += 1\n          pass',
            "write `go: petits[team(dealer)] += 1`",
            '      ask dealer "ready":\n          go: petits[team(dealer)] += 1\n          pass',
        ),
        (
            "  match state\n",
            "      bonus: number\n" + SCORE + "      bonus += 1",
            "end the line with ':'",
            "",
        ),
        ("", "  set goal = 5", "`set:` is a key of the file", ""),
        (
            SCORE,
            "      petits[winner] += 1\n        petits[winner] += 1",
            "begin it in the column of the line above",
            "      petits[winner] += 1\n      petits[winner] += 1",
        ),
        (
            SCORE,
            "      do gain_petits(winner, 1,5)",
            "`1,5` is two of them: count everything twice",
            "      do gain_petits(winner, 3)",
        ),
        (
            SCORE,
            "      for side in team: petits[side] += 1",
            "write `teams`",
            "      for side in teams: petits[side] += 1",
        ),
        (
            GOAL,
            "          if longs[side] > longs[opponents(side)] + 6: end match won by side",
            "say which: `first one in opponents(side) where ...`",
            "          if longs[side] > longs[first one in opponents(side) where longs[one] > 0]:\n"
            "              end match won by side",
        ),
        (
            GAIN,
            "2 if dealer in side else 1",
            "write `team(dealer) == side`",
            "2 if team(dealer) == side else 1",
        ),
        (
            TRICKS,
            "      move hand[dealer] from hand[dealer] to played",
            "write `move all from hand[dealer] to played`",
            "      move all from hand[dealer] to played openly",
        ),
        (
            TRICKS,
            '      ask dealer "want a card?":\n          yes\n          no',
            'write `"want_a_card"`',
            '      ask dealer "want_a_card":\n          yes\n          no',
        ),
        (
            TRICKS,
            '      ask dealer "bid":\n          bid n from 0 to 1000000 by 500000',
            "offer the number of the step",
            '      ask dealer "bid":\n          bid n from 0 to 2',
        ),
        (
            "  when a deal is over:\n",
            "      if let side = first s in teams where any c in hand[dealer] has special(c):\n"
            "          longs[side] += 1",
            "write `openly(first s in teams where any c in hand[dealer] has special(c))`",
            "      if let side = openly(first s in teams where any c in hand[dealer] has "
            "special(c)):\n          longs[side] += 1",
        ),
        (
            TRICKS,
            "      draw a card from the stock to hand[dealer]",
            "write `draw from stock to hand[dealer]`",
            "      draw from stock to hand[dealer]",
        ),
        (
            TRICKS,
            "      let x = random 1 to 6\n      if x == 6: return",
            "write `roll 1 to 6`",
            "      let x = roll 1 to 6\n      if x == 6: return",
        ),
        (
            TRICKS,
            "      if roll 1 to 6 == 6: return",
            "give it a name in a line above: `let x = roll 1 to 6`",
            "      let x = roll 1 to 6\n      if x == 6: return",
        ),
        (
            TRICKS,
            '      ask dealer "swap":\n          pass\n'
            "          swap c from hand[dealer]: swap c with top of stock",
            "say where both lie: `swap c from ZONE with CARD from ZONE`",
            '      ask dealer "swap":\n          pass\n          swap c from hand[dealer]:\n'
            "              draw from stock to hand[dealer]\n"
            "              move c from hand[dealer] to stock",
        ),
        *[(TRICKS, f"      {wrong}", help_, f"      {right}") for wrong, help_, right in PLAYERS],
    ],
)
def test_what_the_help_names_is_accepted(tmp_path, capsys, before, wrong, help_, right):
    path = tmp_path / "ours.yaml"
    path.write_text(f"{OURS}{before}{wrong}\n")
    assert run(["check", str(path)]) == 2
    output = "".join(capsys.readouterr())
    assert output.count(": error: ") == 1
    assert help_ in output
    if not right:
        return
    path.write_text(f"{OURS}{before}{right}\n")
    assert run(["check", str(path)]) == 0, "".join(capsys.readouterr())
