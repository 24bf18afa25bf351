"""Matches that are copied, left and gone on with in any order are what one straight run is."""

import copy
from itertools import count

import numpy as np
import pytest
from both_engines import ENGINES, AskedChance, view_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from trutdsl.game import DealStart, State, load_game
from trutdsl.native.batch import Batch
from trutdsl.streams import stream_key

TABLES = [("trut", 2), ("trut", 4), ("trut-club", 2), ("trut-deluxe", 3), ("truc-catalan", 4)]
TABLES += [("tute", 3)]
MOST_COPIES = 4
MOST = 180  # steps of a match
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

    def element(self, elements):
        elements = list(elements)
        return elements[self._pick("element", elements) % len(elements)]

    def yes(self, part, whole):
        return self._pick("yes", part, whole) % whole < part


CHANCES = {"drawn": lambda _seed, _match: None, "asked": AskedChance, "given": GivenChance}


class Played:
    """A match, and everything that has been done with it and has shown of it."""

    def __init__(self, game, settled, answers=()):
        self.game, self.settled = game, settled
        self.answers, self.shown = [], []
        seed, match, self.kind = settled
        self.chance = CHANCES[self.kind](seed, match)
        self.state = game.start(seed, match, self.tell, chance=self.chance)
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
        else:
            self.shown.append(view_of(self.state))
            self.state.apply(number % len(pending.actions))

    def go_far(self, key):
        turns = count()
        while self.state.pending is not None and len(self.answers) < MOST:
            self.go(stream_key(key, next(turns)))

    def look(self):
        """Looking changes nothing: it is not noted among what was done."""
        if self.state.pending is not None and not isinstance(self.state.pending, DealStart):
            assert view_of(self.state) == view_of(self.state)

    def copied(self):
        """Return a match of its own that stands where this one does."""
        if self.game.engine == "reference":
            return Played(self.game, self.settled, self.answers)
        twin = copy.copy(self)
        twin.answers, twin.shown = list(self.answers), list(self.shown)
        match = copy_match(self.state._machine)
        match.emit_to, twin.chance = twin.tell, match.chance
        twin.state = State(self.game, match)
        return twin

    def end(self):
        """Return all that has shown, where the match stands, and what chance was asked."""
        state = self.state
        stands = (state.winner, state.deals, state.decisions, state.counters(), state.tricks)
        view = None
        if state.pending is not None and not isinstance(state.pending, DealStart):
            view = view_of(state)
        asked = self.chance.asked if self.kind == "given" else None
        return [*self.shown, stands, state.pending, view, asked]


def copy_match(match):
    """Return a copy of a native match: its memory as it lies there, and what was told of it."""
    twin = copy.copy(match)
    for name in ("memory", "table"):
        setattr(twin, name, type(getattr(match, name)).from_buffer_copy(getattr(match, name)))
    for name in ("history", "tricks", "_trick_cards"):
        setattr(twin, name, list(getattr(match, name)))
    twin.chance = copy.deepcopy(match.chance)
    return twin


@pytest.fixture(scope="module", params=TABLES, ids=lambda t: f"{t[0]}-{t[1]}p")
def games(request):
    name, players = request.param
    return [load_game(name, players, engine=engine) for engine in ENGINES]


@DRAWN
@given(
    seed=st.integers(0, 2**64 - 1),
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
    """What is kept of a batch and put back plays on as it did."""
    game = load_game("trut", 4, engine="native")
    batch = Batch(game.steps, 5, 0, 8)

    def go_on(steps):
        for _ in range(steps):
            legal = batch.observe().legal
            if not len(legal):
                return
            key = stream_key(number, int(batch.decisions.sum()))
            batch.answer(np.array([pick(row, stream_key(key, r)) for r, row in enumerate(legal)]))

    parts = (batch.memory, batch.tables, batch.why)
    go_on(20 + number)
    kept, begun = [part.copy() for part in parts], batch.decisions
    go_on(500)
    first = [part.copy() for part in parts]
    for part, value in zip(parts, kept, strict=True):
        part[:] = value
    assert (batch.decisions == begun).all() and len(batch.waiting)
    go_on(500)
    assert all((part == value).all() for part, value in zip(parts, first, strict=True))
    assert not len(batch.waiting)
