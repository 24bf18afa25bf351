"""Mistakes in how worlds are drawn, which the tests have to find."""

from trutdsl.strategy.match_history import pick
from trutdsl.strategy.worlds import World


def draw_lower_cards(shares, stream):
    """Draw two of the free cards, and take the lower one."""
    for card, left in shares.due:
        if stream.below(left) == 0:
            return card
    return min(pick(shares.rest, stream), pick(shares.rest, stream))


def count_nothing(_replay, _likelier):
    """Weigh no secret answer."""


class EvenWorld(World):
    """A world that counts as much as any other."""

    @property
    def weight(self):
        return 1.0

    @weight.setter
    def weight(self, _weight):
        pass
