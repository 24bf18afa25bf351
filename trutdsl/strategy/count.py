"""Counts events of matches: in machine code if it plays them, else from their events."""

from __future__ import annotations

import time
from bisect import bisect
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Any

from trutdsl.arguments import check_arguments, check_range
from trutdsl.game import Action, Game, MatchResult, Question, RuleError, State
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.types import WHOLE
from trutdsl.strategy.fitness import Strategies, seat_all
from trutdsl.strategy.legs import (
    PlayedAnswers,
    answers_in_arrays,
    native_seating,
    play_side_by_side,
    read_leg,
    record_of,
)
from trutdsl.strategy.load import Spec
from trutdsl.strategy.play import play_checked
from trutdsl.table.counts import (
    BETS,
    LEADS,
    PATH,
    SCORES,
    STRENGTHS,
    VALUES,
    Counts,
    Records,
    Rows,
    clip_index,
    length_index,
    name_of_option,
)
from trutdsl.table.faults import PolicyError

CLUSTERS = 40
PART = 0.2  # seconds between two reports of progress
GROWTH = 4  # the largest ratio of a part's matches to those of the part before


def count_in_parts(
    game: Game, seating: Sequence[Spec], seed: int, matches: int, first: int = 0, brief: bool = True
) -> Iterator[tuple[int, Counts]]:
    """Yield the counts of further matches of a seed, with their cluster.

    A cluster is one of `cut_clusters`; a count is brief if it has only what `simulate` prints.
    A part takes about `PART`.
    """
    ends = [at + few for at, few in cut_clusters(matches, first)]
    in_arrays = native_seating(game, seating) is None and answers_in_arrays(game, seating)
    at, size = first, 1
    while at < first + matches:
        few, begin = min(size, first + matches - at), time.perf_counter()
        cuts = [*(end for end in ends if at < end < at + few), at + few]
        if in_arrays:
            each = list(_count_side_by_side(game, seating, seed, at, cuts, brief=brief))
            parts = [(begins, counts) for begins, _, counts in each]
        else:
            parts = [
                (begins, count_matches(game, seating, seed, begins, end - begins, brief=brief))
                for begins, end in pairwise([at, *cuts])
            ]
        by_time = int(few * PART / max(time.perf_counter() - begin, 1e-6))
        at, size = at + few, max(1, min(by_time, GROWTH * size))
        for begins, counts in parts:
            yield bisect(ends, begins), counts


def add_part(clusters: list[Counts], cluster: int, counts: Counts) -> None:
    """Add a part to its cluster: the last one or a new one."""
    clusters[cluster:] = [sum(clusters[cluster:], counts)]


def cut_clusters(matches: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the first match and the size of each cluster; there are at most `CLUSTERS`.

    The clusters show how much counts vary from match to match.
    """
    clusters = min(CLUSTERS, matches)
    for cluster in range(clusters):
        begin = matches * cluster // clusters
        yield first + begin, matches * (cluster + 1) // clusters - begin


@check_arguments
def count_matches(
    game: Game,
    seating: Strategies,
    seed: int,
    first: int,
    matches: int,
    meeting: Sequence[Spec] = (),
    brief: bool = False,
) -> Counts:
    """Return the counts of some matches of a seed, played in native code if possible.

    meeting: all strategies of the tournament; the game is compiled once for all of them.
    brief:   machine code counts only what `simulate` prints.
    """
    check_range("first", first, 0)
    check_range("matches", matches, 0)
    seating = seat_all(game, seating)
    native = native_seating(game, seating, meeting)
    if native is None and answers_in_arrays(game, seating):
        ends = [first + matches]
        parts = _count_side_by_side(game, seating, seed, first, ends, meeting, brief)
        none = Counts.none(replace(game.count_plan, brief=brief))
        return sum((counts for _, _, counts in parts), none)
    if native is None:
        counter = MatchCounter(game, seating, seed)
        for match in range(first, first + matches):
            counter.play(match)
        return counter.counts()
    try:
        return native.game.count(native.seats, seed, first, matches, brief)
    except (RuleError, PolicyError):
        seats = range(len(seating))
        deque(read_leg(game, seating, seats, seed, first, matches), maxlen=0)  # a better message
        raise


def _count_side_by_side(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    first: int,
    ends: Sequence[int],
    meeting: Sequence[Spec] = (),
    brief: bool = False,
) -> Iterator[tuple[int, Records, Counts]]:
    """Yield the first match, the records and the counts of each range; one ends at each of `ends`.

    Machine code plays the matches again with the same answers, and counts.
    """
    played = PlayedAnswers()
    for records in play_side_by_side(game, seating, seed, first, ends[-1] - first, played):
        begin, beyond = first, first + len(records)
        for end in [*(end for end in ends if begin < end < beyond), beyond]:
            native = native_seating(game, seating, meeting, played.by_seat(game.players, first))
            assert native is not None
            counts = native.game.count(native.seats, seed, first, end - first, brief)
            yield first, records[first - begin : end - begin], counts
            first = end


class CountedLegs:
    """Plays legs as `play_leg` does, and counts their events."""

    def __init__(self) -> None:
        self._cache: dict[tuple[tuple[int, ...], int], Counts] = {}

    def __call__(
        self,
        game: Game,
        meeting: Sequence[Spec],
        line_up: Sequence[int],
        seed: int,
        first: int,
        rows: Rows,
    ) -> Iterator[int]:
        """Write the rows of matches in one seating, and yield how many more; see `play_leg`."""
        seating, key = [meeting[index] for index in line_up], (tuple(line_up), first)
        native = native_seating(game, seating, meeting)
        if native is None and answers_in_arrays(game, seating):
            total, ends = Counts.none(game.count_plan), [first + len(rows)]
            parts = _count_side_by_side(game, seating, seed, first, ends, meeting)
            for begins, records, counts in parts:
                rows.put(begins - first, records)
                total += counts
                yield len(records)
            self._cache[key] = total
            return
        if native is None:
            counter = MatchCounter(game, seating, seed)
            for at in range(len(rows)):
                rows.put(at, record_of(counter.play(first + at)))
                yield 1
            self._cache[key] = counter.counts()
            return
        next_match = first
        try:
            chunks = native.game.counting.count_chunks(native.seats, seed, first, len(rows), rows)
            for more in self._noting(key, chunks):
                next_match += more
                yield more
        except (RuleError, PolicyError):
            deque(read_leg(game, seating, range(len(seating)), seed, next_match, 1), maxlen=0)
            raise

    def _noting(
        self, key: tuple[tuple[int, ...], int], counts: Generator[int, None, Counts]
    ) -> Iterator[int]:
        """Yield how many more matches of a leg were played, and store their counts."""
        self._cache[key] = yield from counts

    def take(self) -> list[tuple[tuple[int, ...], Counts]]:
        """Return the seating and counts of each leg since the last call; equal legs are one."""
        result = [(line_up, counts) for (line_up, _), counts in self._cache.items()]
        self._cache.clear()
        return result


class MatchCounter:
    """Plays matches and counts what happens in them, in the parts of `CountPlan`."""

    def __init__(self, game: Game, seating: Sequence[Spec], seed: int) -> None:
        self.game, self.seating, self.seed = game, seating, seed
        self.plan = game.count_plan
        self._signs = [game.program.variables[name].sign for name in self.plan.counters]
        self._numbers = [0] * self.plan.size
        questions = questions_of(game.program)
        self._names = [[name_of_option(option) for option in ask.options] for ask in questions]
        self._bets = {bet: number for number, bet in enumerate(self.plan.betting)}
        self._begin()

    def _begin(self) -> None:
        self._dealer = 0
        self._first_leader: int | None = None  # of this deal, the first one
        self._tricks_over = False
        self._first: int | None = None
        # Of this deal, by counter and team.
        self._gains = [[0] * self.plan.teams for _ in self.plan.counters]
        self._leads: Counter[tuple[int, int, int]] = Counter()  # counter, leading team, lead
        self._leader: dict[int, int] = {}  # counter -> the last team alone in the lead
        self._deepest: Counter[tuple[int, int]] = Counter()  # counter, team
        self._path: list[tuple[int, list[tuple[int, int]]]] = []  # dealing team, scores
        self._open_bets: list[tuple[int, int, int]] = []  # of this deal: bet, strength, team

    def counts(self) -> Counts:
        return Counts(self.plan, tuple(self._numbers))

    def take(self) -> Counts:
        """Return the counts so far, and start again from zero."""
        result, self._numbers = self.counts(), [0] * self.plan.size
        return result

    def play(self, match: int, emit: Callable[[dict[str, Any]], None] | None = None) -> MatchResult:
        """Play a match, count it, and return its result; emit gets every event."""

        def look(event: dict[str, Any]) -> None:
            self._look(event)
            if emit is not None:
                emit(event)

        self._begin()
        result = play_checked(self.game, self.seating, self.seed, match, look, self._count_answer)
        self._over(result)
        return result

    def _add(self, part: str, *index: int, amount: int = 1) -> None:
        shape, place = self.plan.shapes[part], self.plan.offsets[part]
        for depth, i in enumerate(index):
            place += i * prod(shape[depth + 1 :])
        self._numbers[place] += amount

    def _count_answer(
        self, state: State, question: Question, action: Action, took_any: bool
    ) -> None:
        if self.plan.tricks and not self._tricks_over:
            self._first_leader = state.match.values("on_lead")[0]
        if len(question.actions) == 1:
            self._add("forced")
            return
        name = self._names[question.number][action.option]
        place = self.plan.options[question.decision, name]
        self._add("chosen", question.seat, place)
        self._add("taken_any", question.seat, place, amount=int(took_any))
        offered = {
            self._bets[question.decision, " ".join(one.words)]: one
            for one in question.actions
            if not one.kinds and (question.decision, " ".join(one.words)) in self._bets
        }
        if all(question.decision != decision for decision, _ in self.plan.bets):
            return
        assert self.game.probe is not None
        strength = self.game.probe.strength(state.match, question.seat)
        tenth = max(0, min(strength * STRENGTHS // WHOLE, STRENGTHS - 1))
        for bet, one in offered.items():
            self._add("offered", bet, tenth)
            if one == action and len(self._open_bets) < BETS:
                self._open_bets.append((bet, tenth, question.seat % self.plan.teams))

    def _end_bets(self, reason: int, winner: int | None) -> None:
        for bet, tenth, team in self._open_bets:
            whose = 2 if winner is None else int(winner != team)
            self._add("bet_ended", bet, tenth, reason, whose)
            for place, raw in enumerate(self._gains):
                gains = [self._signs[place] * gain for gain in raw]
                others = max(gain for other, gain in enumerate(gains) if other != team)
                amount = gains[team] - others
                self._add("bet_points", bet, tenth, whose, place, amount=amount)
        self._open_bets = []

    def _look(self, event: dict[str, Any]) -> None:
        if event["event"] == "deal":
            self._deal(event["dealer"], event["counters"])
        elif event["event"] == "counter":
            gains = self._gains[self.plan.counters.index(event["name"])]
            gains[event["team"]] += event["delta"]
        elif event["event"] == "trick":
            self._add("tricks", int(event["winner"] is None))
            if not self._tricks_over:
                self._first_leader, self._tricks_over = event["leader"], True
        elif event["event"] == "deal_end":
            winner = event["winner"]
            reason = self.plan.reasons.index(event["reason"])
            self._add("ended", reason, self.plan.teams if winner is None else winner)
            if winner is not None:
                self._add("after_dealer", (winner - self._dealer) % self.plan.teams)
                if self._first_leader is not None:
                    self._add("after_leader", (winner - self._first_leader) % self.plan.teams)
            for place, gains in enumerate(self._gains):
                self._add("gained", place, amount=max(0, *gains))
            self._end_bets(reason, winner)

    def _deal(self, dealer: int, counters: Mapping[str, Sequence[int]]) -> None:
        teams = self.plan.teams
        self._dealer = dealer
        self._first_leader, self._tricks_over = None, False
        self._gains = [[0] * teams for _ in self.plan.counters]
        self._first = dealer if self._first is None else self._first
        scores = []
        for place, name in enumerate(self.plan.counters):
            values = [self._signs[place] * value for value in counters[name]]
            second, first = sorted(values)[-2:]
            leader, lead = values.index(first), first - second
            self._leads[place, leader, min(lead, LEADS - 1)] += 1
            if lead:
                if self._leader.get(place, leader) != leader:
                    self._add("lead_changes", place)
                self._leader[place] = leader
            for team, value in enumerate(values):
                self._deepest[place, team] = max(first - value, self._deepest[place, team])
            if teams == 2:
                mine, theirs = (counters[name][(dealer + other) % 2] for other in (0, 1))
                scores.append((clip_index(mine, SCORES), clip_index(theirs, SCORES)))
        self._path.append((dealer % teams, scores))

    def _over(self, result: MatchResult) -> None:
        deals, decisions, teams = result.deals, result.decisions, self.plan.teams
        winner = teams if result.winner is None else result.winner
        self._add("matches")
        self._add("winners", winner)
        self._add("unfinished", amount=int(result.unfinished))
        self._add("lengths", length_index(deals))
        self._add("questions", length_index(decisions))
        first = self._first or 0
        self._add("first_dealer", teams if winner == teams else (winner - first) % teams)
        self._add("deals", amount=deals)
        self._add("decisions", amount=decisions)
        self._add("deals_sq", amount=deals * deals)
        self._add("decisions_sq", amount=decisions * decisions)
        self._add("deals_decisions", amount=deals * decisions)
        for place, name in enumerate(self.plan.counters):
            for team, value in enumerate(result.counters[name]):
                self._add("finals", place, team, clip_index(value, VALUES))
            if winner < teams:
                deficit = self._deepest[place, winner]
                self._add("behind", place, min(deficit, LEADS - 1))
                self._add("deficits", place, amount=deficit)
        for (place, team, lead), times in self._leads.items():
            self._add("led", place, lead, amount=times)
            if lead and team == winner:
                self._add("held", place, lead, amount=times)
        for team, scores in self._path[:PATH]:
            for place, score in enumerate(scores):
                self._add("stood", place, *score)
                won = 1 if winner == teams else 2 * (winner == team)
                self._add("stood_won", place, *score, amount=won)
