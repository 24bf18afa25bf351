"""Worlds of the shipped variants: each comes to the seat as the truth did; nobody peeks."""

import pytest
from at_questions import LONG, WORLDS, asking_of, endings_of, hidden_state, play_to

from trutdsl.game import DealStart, load_game
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.worlds import Replay, Tries
from trutdsl.streams import Stream


class GivenChance:
    """Chance that gives what it is told, in turn."""

    def __init__(self, values):
        self.values = list(values)

    def __deepcopy__(self, _memo):
        return GivenChance(self.values)

    def start(self, _part):
        """Nothing turns on it."""

    def card(self, cards, _draw):
        value = self.values.pop(0)
        assert value in cards
        return value

    def number(self, low, high):
        value = self.values.pop(0)
        assert low <= value <= high
        return value

    def element(self, elements, _kind):
        value = self.values.pop(0)
        assert value in elements
        return value

    def yes(self, _part, _whole):
        return bool(self.values.pop(0))


class Recording(Replay):
    """A replay that notes all that chance gave, and all answers."""

    def play(self):
        self.chances, self.answers, self.asked = [], [], True
        return super().play()

    def _past(self):
        value = super()._past()
        if self.asked:
            self.answers.append(value)
        return value

    def _noted(self, draw, given):
        self.asked = False
        self.chances.append(draw(*given))
        self.asked = True
        return self.chances[-1]

    def card(self, *given):
        return self._noted(super().card, given)

    def number(self, *given):
        return self._noted(super().number, given)

    def element(self, *given):
        return self._noted(super().element, given)

    def yes(self, *given):
        return self._noted(super().yes, given)

    def _answer(self, state, question):
        index = super()._answer(state, question)
        self.answers.append(index)
        return index


def play_given(game, chances, answers, seat):
    """Play a match so far; return the course, and what the seat saw at each of its questions."""
    course, views = MatchHistory(game, [seat], GivenChance(chances)), []
    course.chances, course.answers = chances, answers
    answers = list(answers)
    while True:
        if isinstance(course.state.pending, DealStart):
            answers.pop(0)
            course.next_deal()
            continue
        if course.state.pending.seat == seat:
            views.append(course.state.view().to_dict())
        if not answers:
            return course, views
        course.apply(answers.pop(0))


TABLES = [
    ("trut", 2, 9), ("truc-catalan", 4, 12), ("tute", 3, 5),
    ("trut", 3, 14), ("trut-club", 2, 4), ("trut-deluxe", 2, 1), ("trut-gatinaise", 2, 9),
    ("truc-french", 2, 9), ("tute", 2, 9), ("tute", 4, 5),
]  # fmt: skip


def other_truths(course, count):
    """Yield courses of the match that come to the asked seat as this one does."""
    seat, asking = course.state.pending.seat, asking_of(course)
    assert not course.permutes, "another start of the deal comes of no other chance in it"
    for number in range(count):
        stream = Stream(number)
        world = asking.draw_world(stream, Tries(300, 300))
        if world is not None:
            replay = Recording(asking, world, stream)
            replay.play()
            yield play_given(course.game, replay.chances, replay.answers[:-1], seat)


@pytest.mark.parametrize(("name", "players", "decisions"), TABLES)
def test_every_world_comes_to_the_seat_as_the_truth_did(name, players, decisions):
    """Played again by plain chance and plain answers it gives the same views."""
    found = 0
    for match in range(2):
        _, course = play_to(load_game(name, players, engine="reference"), match, decisions)
        seat, first = course.state.pending.seat, None
        for twin, views in other_truths(course, WORLDS):
            assert twin.noticed[seat].marks == course.noticed[seat].marks
            assert twin.noticed[seat].sights == course.noticed[seat].sights
            first = first or views
            assert views == first
            assert views[-1] == course.state.view().to_dict()
            found += 1
    assert found >= WORLDS


@pytest.mark.parametrize(("name", "players", "decisions"), TABLES if LONG else TABLES[:3])
def test_machine_code_draws_the_same_worlds_whatever_is_hidden(name, players, decisions):
    """Both engines give the same endings, and each other truth gives them as well."""
    for match in range(4 if LONG else 1):
        slow, fast = (
            play_to(load_game(name, players, engine=engine), match, decisions)
            for engine in ("reference", "native")
        )
        expected = endings_of(*slow, 7)
        assert expected
        assert endings_of(*fast, 7) == expected
        twins = list(other_truths(slow[1], 2))
        assert twins
        table, course = fast
        for twin, _ in twins:
            seat = twin.state.pending.seat
            other, _ = play_given(course.game, twin.chances, twin.answers, seat)
            assert hidden_state(other.state) == hidden_state(twin.state)
            assert endings_of(table, other, 7) == expected
