"""What chance gives, written down: for tests that go through all arrangements."""

from __future__ import annotations

from trutdsl.game import DealStart
from trutdsl.table.chance import StreamChance


class Given(StreamChance):
    """Deals these hands, one card at a time, and turns up this card; all else is by a seed."""

    def __init__(self, game, dealer, hands, turned=None):
        super().__init__(0, 0)
        number = {text: index for index, text in enumerate(game.deck.texts)}
        self.dealer = dealer
        self.hands = [[number[text] for text in hand] for hand in hands]
        self.turned = number.get(turned)

    def card(self, cards, draw):
        if draw.target == "turned":
            return self.turned
        return self.hands[draw.at].pop(0) if draw.target == "hand" else super().card(cards, draw)

    def element(self, elements, kind):
        return self.dealer if self.dealer in elements else super().element(elements, kind)


def start_deal(game, dealer, hands, turned=None, emit=None):
    """Return a match whose first deal is given, at the first question of that deal."""
    state = game.start(0, 0, emit, chance=Given(game, dealer, hands, turned))
    assert isinstance(state.pending, DealStart)
    state.next_deal()
    return state


def answer(state, text):
    """Answer the open question with the action that is written so."""
    state.apply([action.text for action in state.pending.actions].index(text))


def z(count, trials, share):
    """Return by how many standard deviations a count differs from what an exact share expects."""
    return float((count - trials * share) / float(trials * share * (1 - share)) ** 0.5)
