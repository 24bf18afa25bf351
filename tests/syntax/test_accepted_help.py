"""What the help for a wrong spelling names is accepted by the check."""

import pytest
from applied_help import assert_help_is_accepted
from extent import extent

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
            "  match state:\n",
            "      bonus: 0 to 3, starts at 1\n" + SCORE + "      petits[winner] += bonus",
            "write `0 to 3 = 1`",
            "      bonus: 0 to 3 = 1\n" + SCORE + "      petits[winner] += bonus",
        ),
        (
            "  match state:\n",
            "      last: seat or none\n" + SCORE + "      last = dealer",
            "write `seat?`",
            "      last: seat?\n" + SCORE + "      if last == none: last = dealer",
        ),
        (
            TRICKS + "      do gain(dealer, 1)\n",
            "  rule gain(p, n: 1-3):\n      petits[team(p)] += n",
            "write `n: 1 to 3`",
            "",
        ),
        (
            "",
            "  define worth of p: size(hand[p])",
            "write `define worth(p):`",
            "",
        ),
        (
            "",
            '  add to ask player "turn": sing',
            "write each option on a line of its own",
            '  add to ask player "turn":\n      sing',
        ),
        (
            "",
            "  add to ask turn: sing",
            'write `add to ask player "turn":`',
            '  add to ask player "turn":\n      sing',
        ),
        ("", "  zone discard pile: seen by all", "a name is one word: `zone discard_pile`", ""),
        ("", "  zone talon: pile face down", "write `seen by nobody` or `seen by owner`", ""),
        (
            "",
            '  replace define can_call "x": no if tricks_left > 2',
            "`no if tricks_left > 2 else ...`",
            '  replace define can_call "x": no if tricks_left > 2 else base',
        ),
        (
            "",
            "  can_call: base and tricks_left < 3",
            "write `define` or `rule` before `can_call`",
            '  replace define can_call "x": base and tricks_left < 3',
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
        *(
            (SCORE, f"      {wrong}", f"write `{help_}`", f"      {right or help_}")
            for wrong, help_, right in (
                ("petits[winner] += 1 when void", "if void: petits[winner] += 1", ""),
                ("do gain_petits(winner, 1) when void", "if void: do gain_petits(winner, 1)", ""),
                ("set petits[winner] to 3", "petits[winner] = 3", ""),
                ("petits.winner += 1", "petits[winner]", "petits[winner] += 1"),
                (
                    "if seats_of(winner) has dealer: return",
                    "dealer in seats_of(winner)",
                    "if dealer in seats_of(winner): return",
                ),
                (
                    "if caller in winner: return",
                    "team(caller) == winner",
                    "if team(caller) == winner: return",
                ),
                (
                    "dealer = left_of(dealer)",
                    "next_seat(SEAT)` for who plays after it, or `previous_seat(SEAT)",
                    "dealer = next_seat(dealer)",
                ),
            )
        ),
        *(
            ('  add to ask player "turn" "x":\n', f"      {wrong}", "write `bid x from ...`", right)
            for wrong, right in (
                ("bid 4 from 2 to 6: return", "      bid x from 2 to 6: return"),
                ('bid "7h" from hand[player]: return', "      bid x from hand[player]: return"),
            )
        ),
        *(
            (GAIN, wrong, f"write `{help_}`", "")
            for wrong, help_ in (
                ("count of c in hand[dealer]", "count c in hand[dealer]"),
                ("number of sevens in hand[dealer]", "count c in hand[dealer] where ..."),
                ("weakest c in hand[dealer]", "first c in hand[dealer] with lowest strength(c)"),
            )
        ),
        (TRICKS, "      gather hand to stock", "write `gather hand into stock`", ""),
        ("  deal state:\n", "      n: number of seat", "write `n[seat]: number`", ""),
        (
            '  replace define gain(side: team) "x": ',
            "yes",
            "give it a value that is a number",
            "2",
        ),
    ][:: extent(4, 1)],
)
def test_what_the_help_names_is_accepted(tmp_path, capsys, before, wrong, help_, right):
    right = f"{OURS}{before}{right}\n" if right else ""
    texts = f"{OURS}{before}{wrong}\n", help_, right
    assert_help_is_accepted(tmp_path / "ours.yaml", capsys, *texts)
