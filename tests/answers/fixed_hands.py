"""Fixed results of chance, for tests that enumerate all arrangements of cards."""

from __future__ import annotations

from trutdsl.game import DealStart
from trutdsl.table.chance import StreamChance


class FixedHands(StreamChance):
    """Deals these hands, one card at a time, and turns up this card; a seed decides the rest."""

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
    """Return a match at the first question of its first deal, with fixed hands."""
    state = game.start(0, 0, emit, chance=FixedHands(game, dealer, hands, turned))
    assert isinstance(state.pending, DealStart)
    state.next_deal()
    return state


def answer(state, text):
    """Answer the open question with the action of this text."""
    state.apply([action.text for action in state.pending.actions].index(text))


def z(count, trials, share):
    """Return the z-score of a count: its difference from an exact share in standard deviations."""
    return float((count - trials * share) / float(trials * share * (1 - share)) ** 0.5)
