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
