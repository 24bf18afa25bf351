"""Matches that are copied, left and gone on with in any order are what one straight run is."""

import copy
from itertools import count

import numpy as np
import pytest
from both_engines import ENGINES, AskedChance, view_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from trutdsl.game import ChanceNode, DealStart, Question, load_game
from trutdsl.native.batch import Batch
from trutdsl.streams import mixed

TABLES = [("trut", 2), ("trut", 4), ("trut-club", 2), ("trut-deluxe", 3), ("truc-catalan", 4)]
TABLES += [("tute", 3)]
MOST_COPIES = 4
MOST, MOST_OPEN = 180, 60  # steps of a match, of one whose chance is open
DRAWN = settings(
    max_examples=5,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
STEPS = st.tuples(
    st.sampled_from(["go", "go far", "copy", "look"]),
    st.integers(0, MOST_COPIES - 1),
    st.integers(0, 2**16),
)


class GivenChance(AskedChance):
    """Chance that somebody else decides, here by counting, and a note of all that it was asked."""

    def __init__(self, seed, match):
        self.asked, self.turns = [], seed
        super().__init__(seed, match)

    def _pick(self, *asked):
        self.asked.append(asked)
        self.turns += 7
        return self.turns

    def start(self, part, dealer):
        self.asked.append(("start", part, dealer))

    def card(self, cards, target, index, face_up):
        cards = list(cards)
        return cards[self._pick("card", cards, target, index, face_up) % len(cards)]

    def number(self, low, high):
        return low + self._pick("number", low, high) % (high - low + 1)

    def element(self, elements, _kind):
        elements = list(elements)
        return elements[self._pick("element", elements) % len(elements)]

    def yes(self, part, whole):
        return self._pick("yes", part, whole) % whole < part


def no_chance(_seed, _match):
    """The chance of a seed, or none where it is open."""


CHANCES = {"drawn": no_chance, "open": no_chance, "asked": AskedChance, "given": GivenChance}


class Played:
    """A match, and everything that has been done with it and has shown of it."""

    def __init__(self, game, settled, answers=()):
        self.game, self.settled = game, settled
        self.answers, self.shown = [], []
        seed, match, self.kind = settled
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
            self.state.apply(number % len(pending.actions))

    def go_far(self, key):
        turns = count()
        while self.state.pending is not None and len(self.answers) < self.most:
            self.go(mixed(0, key, next(turns)))

    def look(self):
        """Looking changes nothing: it is not noted among what was done."""
        assert self.state.to_dict() == self.state.to_dict()
        if isinstance(self.state.pending, Question):
            assert view_of(self.state) == view_of(self.state)

    def copied(self):
        """Return a match of its own that stands where this one does."""
        twin = copy.copy(self)
        twin.answers, twin.shown = list(self.answers), list(self.shown)
        twin.state = self.state.clone(twin.tell)
        return twin

    def end(self):
        """Return all that has shown, where the match stands, and what chance was asked."""
        state = self.state
        stands = (state.winner, state.deals, state.decisions, state.counters(), state.tricks)
        view = view_of(state) if isinstance(state.pending, Question) else None
        asked = state._machine.chance.asked if self.kind == "given" else None
        return [*self.shown, stands, state.pending, state.to_dict(), view, asked]


@pytest.fixture(scope="module", params=TABLES, ids=lambda t: f"{t[0]}-{t[1]}p")
def games(request):
    name, players = request.param
    return [load_game(name, players, engine=engine) for engine in ENGINES]


@DRAWN
@given(
    seed=st.integers(0, 2**128 - 1),
    kind=st.sampled_from(sorted(CHANCES)),
    steps=st.lists(STEPS, min_size=10, max_size=60),
)
def test_any_interleaving_is_a_straight_run(games, seed, kind, steps):
    settled = (seed, seed % 5, kind)
    ends = []
    for game in games:
        played = [Played(game, settled)]
        for what, which, number in steps:
            one = played[which % len(played)]
            if what == "go":
                one.go(number)
            elif what == "go far":
                for _ in range(number % 30):
                    one.go(number)
            elif what == "look":
                one.look()
            elif len(played) < MOST_COPIES:
                played.append(one.copied())
        for which, one in enumerate(played):
            one.go_far(which)
        ends.append([(one.answers, one.end()) for one in played])
    reference, native = ends
    assert reference == native
    for answers, end in reference:
        for game in games:
            assert Played(game, settled, answers).end() == end


def pick(words, key):
    """Return the number of a legal action."""
    legal = [i for i in range(64 * len(words)) if int(words[i // 64]) >> i % 64 & 1]
    return legal[key % len(legal)]


@pytest.mark.parametrize("number", range(3))
def test_matches_side_by_side_are_copied_as_memory(number):
    """A batch and its copy play on alike, each by itself."""
    game = load_game("trut", 4, engine="native")
    batch = Batch(game.steps, 5, 0, 8)

    def go_on(batch, steps):
        for _ in range(steps):
            legal = batch.observe().legal
            if not len(legal):
                return
            key = mixed(0, number, int(batch.decisions.sum()))
            batch.answer(np.array([pick(row, mixed(0, key, r)) for r, row in enumerate(legal)]))

    go_on(batch, 20 + number)
    twin, begun, heard = batch.clone(), batch.decisions, batch.history()
    go_on(batch, 15)
    said = batch.history()
    assert (twin.history() == heard).all()
    assert (twin.decisions == begun).all() and (batch.decisions > begun).any()
    go_on(twin, 15)
    assert (twin.history() == said).all()
    for one in (batch, twin):
        go_on(one, 500)
        assert not len(one.waiting)
    for one, other in ((batch.memory, twin.memory), (batch.why, twin.why)):
        assert (one == other).all() and one is not other
