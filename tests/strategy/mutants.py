"""Mutants of the sampling of worlds, which the tests must kill."""

from trutdsl.strategy.match_history import pick
from trutdsl.strategy.worlds import World


def draw_lower_cards(shares, stream):
    """Draw two of the free cards and take the lower one."""
    for card, left in shares.due_cards:
        if stream.below(left) == 0:
            return card
    return min(pick(shares.rest, stream), pick(shares.rest, stream))


def ignore_answer(_replay, _likelier):
    """Ignore secret answers in the weight."""


class UnweightedWorld(World):
    """A world with the same weight as any other."""

    @property
    def weight(self):
        return 1.0

    @weight.setter
    def weight(self, _weight):
        pass
