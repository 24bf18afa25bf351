"""Random games with hidden things: exact values are those of players who forget nothing.

The reference engine plays every course of a deal. A player remembers all that the own seat has ever
seen. If `exploit` accepts a game, the best response to uniform play must win as much as there. And
`exact` must give uniform play the same chance to win.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from unittest.mock import patch

from tests.fuzz.seeds import Search
from trutdsl import load_game
from trutdsl.diagnostics import BadUsage, Rejected
from trutdsl.interp import compile_program, compile_statements
from trutdsl.interp.machine import CompiledStatement, Machine
from trutdsl.solve.exact import evaluate
from trutdsl.solve.exploit import exploit_deal
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_with
from trutdsl.table.faults import RuleError
from trutdsl.table.match import Question

from .write import write_game

CLOSE = 1e-9
MOST_COURSES = 4000


class TooManyCourses(Exception):  # noqa: N818 - it is an outcome, not a fault
    """A deal has more courses than are played."""


class Course:
    """Chance and answers of one course of a deal: given numbers first, then zeros.

    taken: the number and the count of each event. probability: of chance, and of uniform answers by
    seat.
    """

    def __init__(self, numbers: list[int]) -> None:
        self.numbers, self.taken = numbers, list[tuple[int, int]]()
        self.probability = [1.0, 1.0, 1.0]  # by the answers of both seats, then by chance

    def take(self, count: int, who: int = 2) -> int:
        """Return the number of the next event, below `count`."""
        place = len(self.taken)
        number = self.numbers[place] if place < len(self.numbers) else 0
        self.taken.append((number, count))
        self.probability[who] /= count
        return number

    def next_numbers(self) -> list[int] | None:
        """Return the numbers of the next course, None after the last one."""
        taken = list(self.taken)
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        return [n for n, _ in taken[:-1]] + [taken[-1][0] + 1] if taken else None

    # The interface of `trutdsl.table.chance.Chance`.

    def start(self, part):
        pass

    def card(self, cards, _draw):
        return cards[self.take(len(cards))]

    def element(self, elements, _kind):
        return elements[self.take(len(elements))]

    def number(self, low, high):
        return low + self.take(high - low + 1)

    def yes(self, part, whole):
        return self.take(whole) < part


class WatchedMatch(Machine):
    """A match in which both seats remember everything that they see after each statement."""

    def __init__(self, code, chance):
        self.known, self.last = [0, 0], [None, None]
        super().__init__(code, chance)

    def watch(self):
        """Add what the seats see to their memory, if it is new."""
        for seat in (0, 1):
            sight = self.sight(seat)
            if sight != self.last[seat]:
                self.known[seat] = hash((self.known[seat], repr(sight)))
                self.last[seat] = sight


def compile_watched(game):
    """Return the compiled program of a game that watches after each statement."""
    plain = compile_statements.compile_statement

    def compile_statement(node, code):
        statement = plain(node, code)
        if statement.asks:

            def talk(m, f):
                signal = yield from statement.run(m, f)
                m.watch()
                return signal

            return CompiledStatement(True, talk)

        def run(m, f):
            signal = statement.run(m, f)
            m.watch()
            return signal

        return CompiledStatement(False, run)

    with patch.object(compile_statements, "compile_statement", compile_statement):
        return compile_program(game.program, game.setting)


def play_courses(game):
    """Yield, for each course of the first deal: probabilities, gain, and the choices of each seat.

    A choice is what the seat knows, its answer, and the number of its answers.
    """
    code, numbers, courses = compile_watched(game), [], 0
    while numbers is not None:
        course, choices = Course(numbers), ([], [])
        match = WatchedMatch(code, course)
        match.go_on(0)
        while isinstance(question := match.pending, Question):
            seat, count = question.seat, len(question.actions)
            match.watch()
            known = match.known[seat], question.decision, tuple(a.text for a in question.actions)
            number = course.take(count, seat) if count > 1 else 0
            choices[seat].append((known, number))
            match.go_on(number)
        points = match.counters()["points"]
        yield course.probability, points[0] - points[1], choices
        numbers, courses = course.next_numbers(), courses + 1
        if courses > MOST_COURSES:
            raise TooManyCourses


def respond(courses, seat, depth=0):
    """Return the most that a seat gains; courses: of equal knowledge so far."""
    gains, groups = 0.0, defaultdict(lambda: defaultdict(list))
    for weight, gain, choices in courses:
        if len(choices) == depth:
            gains += weight * gain
        else:
            known, number = choices[depth]
            groups[known][number].append((weight, gain, choices))
    return gains + sum(
        max(respond(some, seat, depth + 1) for some in by_number.values())
        for by_number in groups.values()
    )


def plain_values(game):
    """Return two values of the first deal by plain play, against uniform play.

    The first is the mean gain of best responses on both seats, of players who forget nothing. The
    second is the probability that uniform play of the first dealer wins.
    """
    courses = list(play_courses(game))
    wins = sum(p[0] * p[1] * p[2] for p, gain, _ in courses if gain > 0)
    gains = []
    for seat, sign in ((0, 1), (1, -1)):
        own = [(p[2] * p[1 - seat], sign * gain, c[seat]) for p, gain, c in courses]
        gains.append(respond(own, seat))
    return sum(gains) / 2, wins


def compare(seed: int, folder: Path, met: Counter[str]) -> str | None:
    """Return how values of uniform play differ, None if they do not."""
    (folder / "recall.yaml").write_text(write_game(seed), encoding="utf-8")
    try:
        game = load_game(folder / "recall.yaml", 2, (), "native")
    except Rejected:
        met["rejected"] += 1
        return None
    try:
        table, names = table_with(game, load_strategies(("uniform",), game))
        (response,) = exploit_deal(table, names, {"points": 1}, {})
        found = response.gains, evaluate(table, names * 2).first_dealer_wins
    except (BadUsage, RuleError):
        met["refused"] += 1
        return None
    try:
        plain = plain_values(game)
    except TooManyCourses:
        met["too many courses"] += 1
        return None
    met["compared"] += 1
    if any(abs(one - other) > CLOSE for one, other in zip(found, plain, strict=True)):
        return f"{found} by `exploit` and `exact`, {plain} by plain play"
    return None


SEARCH = Search(write_game, compare)
add_options, main = SEARCH.add_options, SEARCH.main
