"""What the other seats learn from an answer that moves a card to a hidden place."""

import pytest

from trutdsl.game import HIDDEN, load_game

LAID = """\
variant: laid
title: A card laid away
players: [3]
teams: {3: 3}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q]}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: up to 2 cards, seen by owner
  zone away: seen by nobody

  rule match:
      deal:
          shuffle stock
          repeat 2 times:
              for p in seats: draw from stock to hand[p]
          for p in seats:
              ask p "lay"NOTICED:
                  lay c from hand[p]: move c from hand[p] to away
          end deal because played
      end match drawn
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(("noticed", "heard"), [("", True), (" seen by owner", False)])
def test_an_answer_that_all_notice_names_the_card_that_goes_to_a_hidden_place(
    noticed, heard, engine, tmp_path
):
    path = tmp_path / "laid.yaml"
    path.write_text(LAID.replace("NOTICED", noticed))
    state = load_game(path, engine=engine).start(1, 0)
    state.next_deal()
    said = []
    for seat in range(3):
        view = state.view()
        assert view.seat == seat
        assert [entry.action for entry in view.history] == said * heard
        assert view.zones["away"] == (HIDDEN,)
        said.append(view.actions[0].text)
        state.apply(0)
