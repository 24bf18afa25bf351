"""Worlds of the shipped variants: each gives the seat the same views; sampling does not peek."""

import pytest
from at_questions import LONG, WORLDS, endings_of, hidden_state, knowledge_of, play_to

from trutdsl.game import DealStart, load_game
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.worlds import Replay, Tries
from trutdsl.streams import Stream


class ReplayedChance:
    """Chance that replays a list of outcomes."""

    def __init__(self, values):
        self.values = list(values)

    def __deepcopy__(self, _memo):
        return ReplayedChance(self.values)

    def start(self, _part):
        """Do nothing: the outcomes do not depend on the part."""

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


class RecordingReplay(Replay):
    """A replay that records all outcomes of chance and all answers."""

    def play(self):
        self.chances, self.answers, self.asked = [], [], True
        return super().play()

    def _past(self):
        value = super()._past()
        if self.asked:
            self.answers.append(value)
        return value

    def _record(self, draw, arguments):
        self.asked = False
        self.chances.append(draw(*arguments))
        self.asked = True
        return self.chances[-1]

    def card(self, *arguments):
        return self._record(super().card, arguments)

    def number(self, *arguments):
        return self._record(super().number, arguments)

    def element(self, *arguments):
        return self._record(super().element, arguments)

    def yes(self, *arguments):
        return self._record(super().yes, arguments)

    def _answer(self, state, question):
        index = super()._answer(state, question)
        self.answers.append(index)
        return index


def play_again(game, chances, answers, seat):
    """Play a match with these outcomes and answers; return its history and the seat's views."""
    course, views = MatchHistory(game, [seat], ReplayedChance(chances)), []
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
    """Yield histories of the match that the asked seat cannot distinguish from this one."""
    seat, knowledge = course.state.pending.seat, knowledge_of(course)
    assert not course.permutes, "chance in the deal alone cannot replay another start"
    for number in range(count):
        stream = Stream(number)
        world = knowledge.sample_world(stream, Tries(300, 300))
        if world is not None:
            replay = RecordingReplay(knowledge, world, stream)
            replay.play()
            yield play_again(course.game, replay.chances, replay.answers[:-1], seat)


@pytest.mark.parametrize(("name", "players", "decisions"), TABLES)
def test_every_world_shows_the_seat_the_same_views(name, players, decisions):
    """A normal match with the outcomes and answers of the world gives the same views."""
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
def test_machine_code_draws_the_same_worlds_for_any_hidden_state(name, players, decisions):
    """Both engines give the same endings, also for other hidden states."""
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
            other, _ = play_again(course.game, twin.chances, twin.answers, seat)
            assert hidden_state(other.state) == hidden_state(twin.state)
            assert endings_of(table, other, 7) == expected
