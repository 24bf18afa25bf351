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
        ("      pick up hand[dealer]", "write `move all from hand[dealer] to ZONE openly`"),
        ("      switch dealer:\n          0: return", "write `if ...:` and `else if ...:`"),
        ('      ask dealer "go" or "stop":\n          a\n          b', "a question has one name"),
        ("      draw from stock to hand[next_seat]", "say of what: `next_seat(...)`"),
        ("  define three -> number: return 3", "leave out `return`: `define ...: 3`"),
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
        ("      if every c in stock rank(c) == 2: return", "write `has` before `rank`"),
        ("      let n = count c in stock strength(c) > 2", "write `where` before `strength`"),
        ("      stake = 2", "write `let stake = ...`, or declare it: `stake: TYPE` below"),
        ('      let some = stock + "Kh"', 'write `{"Kh"}`'),
        ("      dealer = seats - dealer", "take one after the other: `for p in seats - dealer:`"),
        ("      dealer += 1", "write `dealer = next_seat(dealer)`"),
        ("      dealer -= 1", "write `dealer = previous_seat(dealer)`"),
        ("      dealer++", "write `dealer = next_seat(dealer)`"),
        ("      dealer = dealer + 1", "write `next_seat(dealer)`"),
        ("      on_lead = team(dealer) + 1", "write `other(team(dealer))`"),
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
