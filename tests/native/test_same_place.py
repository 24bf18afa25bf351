"""Cards that move to the place where they lie already: both engines agree in every form.

Compilation takes most of the time. So one game plays several statements, each in two deals. It is
played step by step and in one of the two forms for whole matches: with counts or with records, in
turn. In a thorough run, each statement has its own game, and both forms are played.
"""

import json

import pytest
from both_engines import assert_same, play
from extent import THOROUGH, extent
from whole_runs import results_of_runs

from trutdsl.game import DealStart, load_game
from trutdsl.strategy.count import count_matches
from trutdsl.strategy.load import load_strategy
from trutdsl.table.setting import SeatedPlayer

MATCHES = 8
STATEMENTS_OF_A_GAME = extent(4, 1)
RULES = """\
variant: same-place
title: Cards that stay
players: [2, 3]
teams: {2: 2, 3: 3}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J, 10, 9]}
counters:
  points: {help: P.}
rules: |
  zone stock: pile, starts with pack_cards, seen by all
  zone box[seat]: pile, up to 8 cards, seen by all
  zone full[seat]: pile, up to 3 cards, seen by all
  zone hand[seat]: up to 3 cards, seen by all
  zone played: pile, seen by all
  zone drawn: pile, seen by all
  match state:
      turn: number
  deal state:
      here: seat = dealer
      order: number

  rule match:
      repeat DEALS times:
          deal:
              do lay_out
              DONE
              turn += 1
              ask here "look":
                  on
              for p in seats:
                  repeat size(box[p]) times:
                      draw from box[p] to drawn as c
                      do note(c)
                  repeat size(full[p]) times:
                      draw from full[p] to drawn as c
                      do note(c)
                  for c in hand[p]: do note(c)
              repeat size(played) times:
                  draw from played to drawn as c
                  do note(c)
              points[team(dealer)] += order
              gather stock, box, full, hand, played, drawn into stock openly
              shuffle stock
              dealer = next_seat(dealer)
              end deal because seen
      end match drawn

  rule lay_out:
      repeat 3 times: draw from stock to box[dealer]
      repeat 3 times: draw from stock to full[dealer]
      draw from stock to hand[dealer]
      draw from stock to played

  rule note(c: card):
      order = (order * 13 + strength(c)) mod 100003
"""
SHUFFLE = "shuffle box[dealer]\n      "
ACE = "let c = top(box[dealer])\n      "
LOW = "let d = bottom(box[dealer])\n      "
STATEMENTS = {
    "all, the same pile": "move all from played to played",
    "all, the same place": "move all from box[dealer] to box[dealer]",
    "all, perhaps the same place": "move all from box[dealer] to box[here]",
    "all, to another place": "move all from box[dealer] to box[next_seat(here)]",
    "all, under": "move all from box[dealer] under box[here]",
    "all, turned over": "move all from box[dealer] to box[here] turned over",
    "all, under, turned over": "move all from box[dealer] under box[here] turned over",
    "all of a full pile": "move all from full[dealer] to full[here]",
    "all of a full hand": "move all from hand[dealer] to hand[here]",
    "all, shuffled after": "move all from played to played\n      shuffle played",
    "all, some shuffled": SHUFFLE
    + "draw from stock to box[dealer]\n      move all from box[dealer] to box[here] turned over",
    "one": ACE + "move c from box[dealer] to box[here]",
    "one, under": ACE + "move c from box[dealer] under box[here]",
    "the lowest one": LOW + "move d from box[dealer] to box[here]",
    "one of a full pile": "move top(full[dealer]) from full[dealer] under full[here]",
    "one of a hand": "let c = top(hand[dealer])\n      move c from hand[dealer] to hand[here]",
    "drawn": "draw from box[dealer] to box[here]",
    "drawn of a shuffled pile": SHUFFLE + "draw from box[dealer] to box[here]",
    "drawn of a full pile": "repeat 2 times: draw from full[dealer] to full[here]",
    "gathered": "gather box into box[here] openly",
    "gathered from a seat": "gather box, full from here into box[dealer] openly",
    "gathered beside others": "gather played, hand into played openly",
    "swapped with itself": ACE + "swap c from box[dealer] with c from box[here]",
    "swapped in a pile": ACE + LOW + "swap c from box[dealer] with d from box[here]",
    "swapped below": LOW
    + "draw from stock to box[dealer]\n      let m = first x in box[dealer] where x != d\n      "
    "swap m from box[dealer] with d from box[here]",
    "swapped in a shuffled pile": ACE
    + SHUFFLE
    + "swap c from box[dealer] with c from box[here]\n      draw from box[dealer] to hand[here]",
    "swapped in and out of a shuffled group": ACE
    + LOW
    + SHUFFLE
    + "draw from stock to box[dealer]\n      swap d from box[dealer] with top(box[here]) from "
    "box[here]\n      swap c from box[dealer] with top(played) from played",
    "swapped in a hand": "let c = top(hand[dealer])\n      swap c from hand[dealer] with c from "
    "hand[here]",
}


NAMES = list(STATEMENTS)
GROUPS = [
    NAMES[at : at + STATEMENTS_OF_A_GAME] for at in range(0, len(NAMES), STATEMENTS_OF_A_GAME)
]


def rules_with(names):
    """Return a game in which each of these statements is played in two deals."""
    done = "\n              ".join(
        f"if turn div 2 == {number}: do one_{number}" for number in range(len(names))
    )
    rules_of_statements = "".join(
        f"\n  rule one_{number}:\n      {STATEMENTS[name]}\n" for number, name in enumerate(names)
    )
    return RULES.replace("DEALS", str(2 * len(names))).replace("DONE", done) + rules_of_statements


@pytest.mark.parametrize(
    "number", range(0, len(GROUPS), extent(2, 1)), ids=lambda number: GROUPS[number][0]
)
def test_both_engines_move_cards_within_a_place_alike(tmp_path, number):
    players, counts = 2 + number % 2, number // 2 % 2 == 0
    path = tmp_path / "same-place.yaml"
    path.write_text(rules_with(GROUPS[number]), encoding="utf-8")
    reference, native = (load_game(path, players, engine=e) for e in ("reference", "native"))
    for match in range(MATCHES):
        assert_same(play(reference, match, True)[0], play(native, match, True)[0], f"match {match}")
    uniform = [load_strategy("uniform")] * players
    if counts or THOROUGH:
        assert count_matches(native, uniform, 3, 0, MATCHES) == count_matches(
            reference, uniform, 3, 0, MATCHES
        )
    if counts and not THOROUGH:
        return
    results = results_of_runs(native, [SeatedPlayer("uniform")] * players, 3, 0, MATCHES)
    for match, result in enumerate(results):
        state = reference.start(3, match)
        while state.pending is not None:
            state.next_deal() if isinstance(state.pending, DealStart) else state.apply(0)
        assert (result.winner, result.deals) == (state.winner, state.deals)
        assert result.counters == state.counters()


@pytest.mark.parametrize("name", ["self-to", "self-alias"])
def test_a_pile_moved_to_itself_does_not_change(root, name):
    path = root / "tests" / "hostile" / f"{name}.yaml"
    games = [load_game(path, engine=engine) for engine in ("reference", "native")]
    shown = [play(game, 0, True)[0] for game in games]
    assert_same(*shown)
    assert json.dumps(shown[0][-1][0]) == "null"
    uniform = [load_strategy("uniform")] * 2
    one, two = (count_matches(game, uniform, 1, 0, MATCHES) for game in games)
    assert one == two
