"""What the help for a wrong sentence of a rule names is accepted by the check."""

import pytest
from applied_help import assert_help_is_accepted
from extent import extent

RULE = """\
variant: ours
language: 3
title: Ours
extends: trut
rules: |
  before rule play_tricks "x":
      """


@pytest.mark.parametrize(
    ("wrong", "help_", "right"),
    [
        (
            'if top(stock).rank == "7": return',
            "`rank(top(stock))`",
            'if rank(top(stock)) == "7": return',
        ),
        ("on_lead = left of dealer", "write `next_seat(dealer)`", "on_lead = next_seat(dealer)"),
        (
            "on_lead = right of the dealer",
            "`previous_seat(dealer)`",
            "on_lead = previous_seat(dealer)",
        ),
        ("if stock has 3 cards: return", "`size(stock) >= 3`", "if size(stock) >= 3: return"),
        (
            "if dealer has at least 2 cards: return",
            "write `size(hand[dealer]) >= 2`",
            "if size(hand[dealer]) >= 2: return",
        ),
        (
            "if dealer has hearts: return",
            "write `any x in hand[dealer] has ...`",
            'if any x in hand[dealer] has suit(x) == "h": return',
        ),
        (
            'ask dealer "away":\n          throw them from 2 cards in hand[dealer]',
            "write `from 2 cards of hand[dealer]`",
            'ask dealer "away":\n          throw them from 2 cards of hand[dealer]',
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
        (
            'end deal because "no cards"',
            "`because WORD`",
            "if players > 2: end deal because no_cards",
        ),
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
            "let best = those x in seats with highest size(hand[x])\n"
            "      if size(best) > 2: return",
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
        ("on_lead = the player after dealer", "`next_seat(dealer)`", "on_lead = next_seat(dealer)"),
        ("the dealer leads", "write `on_lead = dealer`", "on_lead = dealer"),
        ("dealer loses 1 petit", "write `petits[team(dealer)] -= 1`", "petits[team(dealer)] -= 1"),
        (
            "dealer gains one petit",
            "write `petits[team(dealer)] += 1`",
            "petits[team(dealer)] += 1",
        ),
        ("dealer shows hand", "`reveal hand[dealer] to seats`", "reveal hand[dealer] to seats"),
        (
            "dealer wins the match",
            "write `end match won by team(dealer)`",
            "if players > 2: end match won by team(dealer)",
        ),
        (
            "dealer may pass",
            'write `ask dealer "NAME":`',
            'ask dealer "NAME":\n          pass\n          go',
        ),
        (
            "dealer takes a card",
            "write `draw from PILE to hand[dealer]`",
            "draw from stock to hand[dealer]",
        ),
        (
            "each player gets 2 cards",
            "below it `repeat 2 times: draw from PILE to hand[player]`",
            "for player in seats:\n          repeat 2 times: draw from stock to hand[player]",
        ),
        ("if it is the first trick: return", "`trick_number == 1`", "if trick_number == 1: return"),
        ("if trick 2: return", "write `trick_number == 2`", "if trick_number == 2: return"),
        (
            "if dealer has a pair: return",
            "`any r in ranks has (count c in hand[dealer] where rank(c) == r) >= 2`",
            "if any r in ranks has (count c in hand[dealer] where rank(c) == r) >= 2: return",
        ),
        (
            "if dealer holds 7 of hearts: return",
            'write `"7h" in hand[dealer]`',
            'if "7h" in hand[dealer]: return',
        ),
        (
            'if (count(hand[dealer], "7")) > 1: return',
            'write `(count c in hand[dealer] where rank(c) == "7")`',
            'if (count c in hand[dealer] where rank(c) == "7") > 1: return',
        ),
        ("if there are no cards in stock: return", "`empty(stock)`", "if empty(stock): return"),
        (
            "if top(stock) is a 7: return",
            'rank(top(stock)) == "7"',
            'if rank(top(stock)) == "7": return',
        ),
        ("if dealer == player 1: return", "seats have no numbers", "if dealer == on_lead: return"),
        (
            "on_lead = player who has the ace",
            "write `first x in SET where ...`",
            "on_lead = openly(first x in seats where size(hand[x]) > 0)",
        ),
        (
            "ask dealer:\n          go\n          pass",
            'write `ask dealer "NAME":`',
            'ask dealer "NAME":\n          go\n          pass',
        ),
        (
            'ask dealer "go" with options go, pass',
            "end the line with ':'; its options stand below",
            'ask dealer "go":\n          go\n          pass',
        ),
        (
            'ask dealer "go":\n          go =>\n              return\n          pass',
            "write `:` instead of `=>`",
            'ask dealer "go":\n          go:\n              return\n          pass',
        ),
        (
            "if players => 3: return",
            "write `>=`",
            "if players >= 3: return",
        ),
        (
            'ask dealer "go":\n          go: 1\n          pass',
            "start with a word such as `do` or `if`",
            'ask dealer "go":\n          go: on_lead = dealer\n          pass',
        ),
        (
            "end match",
            "write `end match won by TEAM`, or `end match drawn`",
            "if players > 2: end match drawn",
        ),
        (
            "the deal is over",
            "write `end deal because WORD`",
            "if players > 2: end deal because over",
        ),
        ("go to pass_the_deal", "write `do pass_the_deal`", "do pass_the_deal"),
        (
            "for i from 1 to 3: shuffle stock",
            "write `for i in 1 to 3:`",
            "for i in 1 to 3: shuffle stock",
        ),
        (
            "for each other player: shuffle stock",
            "write `for p in seats where p != SEAT:`",
            "for p in seats where p != dealer: shuffle stock",
        ),
        ("for p in all players: shuffle stock", "`in seats`", "for p in seats: shuffle stock"),
    ][:: extent(4, 1)],
)
def test_what_the_help_names_is_accepted(tmp_path, capsys, wrong, help_, right):
    texts = f"{RULE}{wrong}\n", help_, f"{RULE}{right}\n"
    assert_help_is_accepted(tmp_path / "ours.yaml", capsys, *texts)
