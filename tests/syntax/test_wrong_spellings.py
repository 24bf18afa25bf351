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
        (
            "      let n = highest (strength(c) for c in stock)",
            "`highest strength(c) for c in stock`",
        ),
        ("      let n = min(strength(c) for c in stock)", "`lowest strength(c) for c in stock`"),
        ("      if any (c in stock where suit(c) == x): return", "`(any c in stock ...)`"),
        ("  define strong(a hand): 1", "a parameter is a name and its type: `hand: cards`"),
        ("  define worth(player, the bid): 1", "a parameter is a name and its type: `bid: TYPE`"),
        ("  define best -> cards:\n      let a = stock\n      stock & a", "`return stock & a`"),
        (
            "  define free -> yes_no:\n      if empty(stock): yes\n      return no",
            "to give a value, write `return yes`",
        ),
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
        (
            '      ask dealer "a":\n          l\'eau: return',
            "leave it out: `l eau`; the key `words`",
        ),
        ("      dеal: return", "digits and `_`\n"),  # a letter of another alphabet
    ],
)
def test_a_wrong_spelling_gets_one_message_with_help(tmp_path, capsys, line, help_):
    path = tmp_path / "game.yaml"
    path.write_text(f"{GAME}{line}\n")
    assert run(["check", str(path)]) == 2
    output = "".join(capsys.readouterr())
    assert output.count(": error: ") == 1
    assert help_ in output
