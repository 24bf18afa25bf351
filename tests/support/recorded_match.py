"""A match that records its actions and everything observable, and that can be cloned."""

import copy
from itertools import count

from both_engines import ExternalChance, view_of

from trutdsl.game import ChanceNode, DealStart, Question
from trutdsl.streams import mix_in

MOST, MOST_OPEN = 180, 60  # the limit of steps of a match, and of a match with open chance


class CountingChance(ExternalChance):
    """Chance that counts up instead of drawing, and records all requests."""

    def __init__(self, seed, match):
        self.asked, self.counter = [], seed
        super().__init__(seed, match)

    def _pick(self, *asked):
        self.asked.append(asked)
        self.counter += 7
        return self.counter

    def start(self, part):
        self.asked.append(("start", part))

    def card(self, cards, draw):
        cards = list(cards)
        return cards[self._pick("card", cards, *draw) % len(cards)]

    def number(self, low, high):
        return low + self._pick("number", low, high) % (high - low + 1)

    def element(self, elements, _kind):
        elements = list(elements)
        return elements[self._pick("element", elements) % len(elements)]

    def yes(self, part, whole):
        return self._pick("yes", part, whole) % whole < part


def no_chance(_seed, _match):
    """Return None: the seed decides, or chance is open."""


CHANCES = {"drawn": no_chance, "open": no_chance, "asked": ExternalChance, "given": CountingChance}


class RecordedMatch:
    """A match with a record of its answers and of everything observable.

    source: seed, number of the match, kind of chance (a key of `CHANCES`).
    """

    def __init__(self, game, source, answers=()):
        self.game = game
        self.answers, self.shown = [], []
        seed, match, self.kind = source
        chance, self.most = CHANCES[self.kind](seed, match), MOST
        if self.kind == "open":
            self.most = MOST_OPEN
        is_open = self.kind == "open"
        self.state = game.start(seed, match, self.tell, chance=chance, open_chance=is_open)
        for answer in answers:
            self.go(answer)

    def tell(self, event):
        self.shown.append(event)

    def go(self, number):
        pending = self.state.pending
        if pending is None:
            return
        self.answers.append(number)
        self.shown.append(pending)
        if isinstance(pending, DealStart):
            self.state.next_deal()
        elif isinstance(pending, ChanceNode):
            self.state.decide(number % len(pending.outcomes))
        else:
            self.shown.append(view_of(self.state))
            self.shown.append(self.state.sight((pending.seat + 1) % self.game.players))
            self.state.apply(number % len(pending.actions))

    def go_far(self, key):
        turns = count()
        while self.state.pending is not None and len(self.answers) < self.most:
            self.go(mix_in(0, key, next(turns)))

    def look(self):
        """Check that reading the match twice gives the same; this is not recorded."""
        assert self.state.to_dict() == self.state.to_dict()
        if isinstance(self.state.pending, Question):
            assert view_of(self.state) == view_of(self.state)

    def clone(self):
        """Return an independent copy of this match."""
        twin = copy.copy(self)
        twin.answers, twin.shown = list(self.answers), list(self.shown)
        twin.state = self.state.clone(twin.tell)
        return twin

    def end(self):
        """Return everything observed so far, the current state, and all requests of chance."""
        state = self.state
        results = (state.winner, state.deals, state.decisions, state.counters(), state.tricks)
        view = view_of(state) if isinstance(state.pending, Question) else None
        asked = state._machine.chance._chance.asked if self.kind == "given" else None
        return [*self.shown, results, state.pending, state.to_dict(), view, asked]
