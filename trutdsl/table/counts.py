"""Counts of many matches: their declaration for one game, with a fixed size, and their sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from numbers import Integral
from operator import add
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadIndex, BadName, BadUsage
from trutdsl.ir import Program, nodes
from trutdsl.ir.nodes import questions_of, walk
from trutdsl.ir.types import STRENGTH, ChoiceType, Hands, Kind
from trutdsl.table.match import kind_of
from trutdsl.table.setting import Setting

Amount = TypeVar("Amount", bound=np.generic)

# Rows: the stored records of many matches, column by column.

# One row a match: winning team (-1 for a draw), deals, decisions (without forced answers),
# then each counter by team.
Records = NDArray[np.int64]
WINNER, DEALS, DECISIONS, COUNTERS = range(4)  # columns; the first one of counters
TYPES: tuple[type[np.signedinteger[Any]], ...] = (np.int8, np.int32, np.int32)


def column_type(place: int) -> type[np.signedinteger[Any]]:
    return TYPES[place] if place < COUNTERS else np.int64


@dataclass(frozen=True)
class Rows:
    """Arrays for the records of consecutive matches.

    columns: int8[matches] the winner, int32[matches] deals and decisions, int64[matches] a team's
             final counter, in the order of `Records`; None for a column that is not stored. Columns
             after the last are not stored.
    """

    columns: tuple[NDArray[Any] | None, ...]

    @classmethod
    def empty(cls, matches: int, fields: int) -> Self:
        """Return arrays for so many matches, with so many fields each."""
        return cls(tuple(np.empty(matches, column_type(place)) for place in range(fields)))

    def __len__(self) -> int:
        winner = self.columns[WINNER]
        return 0 if winner is None else len(winner)

    def part(self, begin: int, end: int) -> Self:
        """Return a range of the matches; it shares the same arrays."""
        return type(self)(tuple(None if c is None else c[begin:end] for c in self.columns))

    def put(self, at: int, records: Records) -> None:
        """Store some matches, the first of them at this place."""
        for column, values in zip(self.columns, records.T, strict=False):
            if column is not None:
                column[at : at + len(values)] = values

    def records(self) -> Records:
        """Return all records, of shape (matches, columns)."""
        return np.stack([c for c in self.columns if c is not None], axis=1, dtype=np.int64)


# Places of a histogram, from 0 on; the last includes larger values, the first smaller ones.
VALUES = 128
LEADS = 32
SCORES = 16
PATH = 256  # deals of a match whose scores are counted, the first ones
# Places of numbers of any size: each number up to 2 STEPS has its own, then STEPS an octave.
STEPS = 32
LENGTHS = 640  # the last one begins at 16,515,072, more than the deals or questions of any match
STRENGTHS = 10  # of hands, by tenths of the hands that they beat
BETS = 128  # the first bets of a deal, which are followed to its end

# The parts that `simulate` prints.
BRIEF = frozenset(
    (
        "matches", "deals", "decisions", "forced", "deals_sq", "decisions_sq", "deals_decisions",
        "winners", "unfinished", "chosen", "taken_any", "ended", "after_dealer",
    )
)  # fmt: skip

Decisions = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class CountPlan:
    """The counts of one game: all numbers in one row, one part after the other.

    decisions: name -> its options, `name_of_option`; questions of one name count together.
    reasons:   why a deal can end; counters: their names; all in the order of the rules.
    seats:     their number.
    bets:      (decision, option) of each option in words alone, of a question with others, if the
               strength of the asked seat's hand can be computed; else none.
    tricks:    whether the game has tricks.
    brief:     only the parts `BRIEF` are counted; the others have no numbers.

    The parts and their shapes, with S seats, T teams, R reasons, C counters, O options, B bets:
    matches, deals, decisions, forced: (); a decision is an answer with two legal actions or more;
                  with a single one it is forced.
    deals_sq, decisions_sq, deals_decisions: (), sums over matches of the products.
    winners:      (T + 1,), matches by the team that won; the last is of draws.
    unfinished:   (), those of the draws that nobody had won after `MOST_DEALS` deals.
    lengths, questions: (LENGTHS,), matches by their numbers of deals and of decisions, at
                  `length_index`.
    chosen:       (S, O), decisions by seat and option, question after question.
    taken_any:    (S, O), those of `chosen` that a script took by a clause `any`, with all legal
                  actions equally likely.
    ended:        (R, T + 1), deals by reason and by the team that won, the last nobody.
    after_dealer: (T,), deals by the distance of the winning team after the dealer's, in seats.
    after_leader: (T,) in games with tricks, else nothing: the same from the team of the first
                  leader, for the deals that have one. This is the leader of the first finished
                  trick. Without one it is the seat that `on_lead` named at the last answer.
    finals:       (C, T, VALUES), matches by a counter's value at the end.
    led, held:    (C, LEADS), deals by the lead of the team that is ahead over the next one at the
                  start, and those of them in matches that this team won. `held` is 0 for no lead.
    first_dealer: (T + 1,), matches by the distance of the winning team after the first dealer's;
                  the last is of draws.
    tricks:       (2,), tricks that somebody won, and that nobody did.
    gained:       (C,), sums over deals of the greatest gain of a team; negative gains count as 0.
    lead_changes: (C,), deals whose start has another team alone in the lead than the one before.
    behind:       (C, LEADS), won matches by the winner's greatest deficit at the start of a deal.
    deficits:     (C,), the sums of these deficits.
    stood, stood_won: (C, SCORES, SCORES), with two teams, else nothing. The score of the
                  dealer's team and of the other one at the start of a deal decides the place. They
                  count the first `PATH` deals of a match, and the matches that the dealer's team
                  won then. A win counts 2, a draw 1.
    offered:      (B, STRENGTHS), decisions where a bet was legal, by the strength of the hand.
    bet_ended:    (B, STRENGTHS, R, 3), bets that were decisions, of the first `BETS` of a deal. The
                  deal's end decides the place: the reason, and whether the own team, another one or
                  nobody won it.
    bet_points:   (B, STRENGTHS, 3, C), by winner of the deal, sums of the rise of the own team's
                  counter less the greatest rise of another team's; can be below 0.
    """

    teams: int
    decisions: Decisions
    reasons: tuple[str, ...]
    counters: tuple[str, ...]
    seats: int
    bets: Decisions = ()
    tricks: bool = False
    brief: bool = False

    @cached_property
    def betting(self) -> tuple[tuple[str, str], ...]:
        return tuple((decision, option) for decision, options in self.bets for option in options)

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        counters, options = len(self.counters), sum(len(of) for _, of in self.decisions)
        scored, bets = counters if self.teams == 2 else 0, len(self.betting)
        sums = ("deals", "decisions", "forced", "deals_sq", "decisions_sq", "deals_decisions")
        shapes: dict[str, tuple[int, ...]] = {
            "matches": (),
            **dict.fromkeys(sums, ()),
            "winners": (self.teams + 1,),
            "unfinished": (),
            "lengths": (LENGTHS,),
            "questions": (LENGTHS,),
            "chosen": (self.seats, options),
            "taken_any": (self.seats, options),
            "ended": (len(self.reasons), self.teams + 1),
            "after_dealer": (self.teams,),
            "after_leader": (self.teams if self.tricks else 0,),
            "finals": (counters, self.teams, VALUES),
            "led": (counters, LEADS),
            "held": (counters, LEADS),
            "first_dealer": (self.teams + 1,),
            "tricks": (2,),
            "gained": (counters,),
            "lead_changes": (counters,),
            "behind": (counters, LEADS),
            "deficits": (counters,),
            "stood": (scored, SCORES, SCORES),
            "stood_won": (scored, SCORES, SCORES),
            "offered": (bets, STRENGTHS),
            "bet_ended": (bets, STRENGTHS, len(self.reasons), 3),
            "bet_points": (bets, STRENGTHS, 3, counters),
        }
        if not self.brief:
            return shapes
        return {part: shape if part in BRIEF else (0,) for part, shape in shapes.items()}

    @cached_property
    def scratch(self) -> dict[str, int]:
        """The start of each working value while a match is counted, and `end`.

        dealer, first: the team of the dealer, and of the match's first dealer.
        first_leader: 1 + the team of the deal's first leader.
        trick_leader: the seat that leads the trick.
        tricks: 1 once a trick of the deal is finished.
        led: `led` by the team ahead, (C, T + 1, LEADS); the place after the last team stays 0.
        leader: 1 + the last team that was alone in the lead, (C,).
        begun: counters when the deal began, (C, T).
        deepest: the greatest deficit of each team, (C, T).
        deals: the number of deals in `path`.
        path: of each deal, by counter, its place in `stood`, twice, plus the dealer's team,
            (PATH, C).
        bets: the number of bets in `betting`.
        betting: of each bet of this deal its place in `offered`, times T, plus the team, (BETS,).
        """
        counters, teams = len(self.counters), self.teams
        sizes = {
            **dict.fromkeys(("dealer", "first", "first_leader", "trick_leader", "tricks"), 1),
            "led": counters * (teams + 1) * LEADS,
            "leader": counters,
            "begun": counters * teams,
            "deepest": counters * teams,
            "deals": 1,
            "path": PATH * counters if teams == 2 else 0,
            "bets": 1,
            "betting": BETS if self.bets else 0,
        }
        return dict(zip((*sizes, "end"), accumulate(sizes.values(), initial=0), strict=True))

    def __repr__(self) -> str:
        known = len(self.decisions), len(self.reasons), len(self.counters)
        return "<CountPlan: {} decisions, {} reasons, {} counters>".format(*known)

    @cached_property
    def offsets(self) -> dict[str, int]:
        """The start of each part in the row."""
        sizes = map(prod, self.shapes.values())
        return dict(zip(self.shapes, accumulate(sizes, initial=0), strict=False))

    def part(self, name: str, numbers: NDArray[Amount]) -> NDArray[Amount]:
        """Return a part of one row of numbers or more, each in the part's shape.

        Writing there changes the numbers.
        """
        shape, at = self.shapes[name], self.offsets[name]
        return numbers[..., at : at + prod(shape)].reshape((*numbers.shape[:-1], *shape))

    @cached_property
    def size(self) -> int:
        return sum(map(prod, self.shapes.values()))

    @cached_property
    def options(self) -> dict[tuple[str, str], int]:
        """The place in a row of `chosen` of each option of each decision."""
        pairs = [(decision, option) for decision, options in self.decisions for option in options]
        return {pair: place for place, pair in enumerate(pairs)}


def length_index(number: int) -> int:
    """Return the place of a number: its own up to 2 `STEPS`, then one for near numbers."""
    octave = max(0, number.bit_length() - STEPS.bit_length())
    return min(STEPS * octave + (number >> octave), LENGTHS - 1)


def length_from(place: int) -> int:
    octave = max(0, place // STEPS - 1)
    return (place - STEPS * octave) << octave


def clip_index(number: int, places: int) -> int:
    return max(0, min(number, places - 1))


@dataclass(frozen=True)
class Counts:
    """Counts of some matches, in exact integers; `a + b` counts the matches of both."""

    plan: CountPlan
    numbers: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<Counts: {self['matches']} matches, {self['deals']} deals>"

    @classmethod
    def none(cls, plan: CountPlan) -> Counts:
        """Return the counts of no match."""
        return cls(plan, (0,) * plan.size)

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        if self.plan != other.plan:
            raise BadUsage("counts of different games cannot be added")
        return Counts(self.plan, tuple(map(add, self.numbers, other.numbers)))

    def __getitem__(self, part: str) -> Any:
        """Return a part: an int, or tuples of tuples in its shape."""
        return _reshape(self.row(part), self.plan.shapes[part])

    def row(self, part: str) -> Sequence[int]:
        """Return the numbers of a part in one sequence."""
        if not isinstance(part, str) or part not in self.plan.offsets:
            raise BadName("part of counts", part, self.plan.offsets)
        offset = self.plan.offsets[part]
        return self.numbers[offset : offset + prod(self.plan.shapes[part])]

    def answers(self, *seats: int, part: str = "chosen") -> Iterator[tuple[str, dict[str, int]]]:
        """Yield every decision with the count of each of its options.

        seats: whose answers count; none are all of them. part: `chosen` or `taken_any`.
        """
        for seat in seats:
            if not isinstance(seat, Integral) or seat not in range(self.plan.seats):
                raise BadIndex(f"found {seat!r}, expected a seat, 0 to {self.plan.seats - 1}")
        rows = [self[part][seat] for seat in seats or range(self.plan.seats)]
        sums = map(sum, zip(*rows, strict=True))
        for decision, options in self.plan.decisions:
            yield decision, {option: next(sums) for option in options}


def declare_counts(program: Program, setting: Setting, brief: bool = False) -> CountPlan:
    """Return the layout of a program's counts at a table; brief: only of what `simulate` prints."""
    decisions: dict[str, dict[str, None]] = {}
    reasons: dict[str, None] = {}
    tricks = False
    for rule in program.rules.values():
        for node in walk(rule.body):
            match node:
                case nodes.TrickBlock():
                    tricks = True
                case nodes.Ask(_, _, decision, _, options):
                    names = map(name_of_option, options)
                    decisions.setdefault(decision, {}).update(dict.fromkeys(names))
                case nodes.EndDeal(_, _, reason):
                    reasons[reason] = None
                case nodes.EndMatch(_, _, reason):
                    reasons[reason or "match_over"] = None
    return CountPlan(
        setting.teams,
        tuple((name, tuple(options)) for name, options in decisions.items()),
        tuple(reasons),
        tuple(v.name for v in program.variables.values() if v.counter),
        setting.players,
        _bets(program) if STRENGTH in program.functions else (),
        tricks,
        brief,
    )


def _bets(program: Program) -> Decisions:
    """Return the options without choices of questions that have other options."""
    result: dict[str, dict[str, None]] = {}
    for ask in questions_of(program):
        words = [name_of_option(option) for option in ask.options if not option.binders]
        if len(ask.options) > 1 and words:
            result.setdefault(ask.decision, {}).update(dict.fromkeys(words))
    return tuple((decision, tuple(options)) for decision, options in result.items())


def name_of_option(option: nodes.Option) -> str:
    """Return an option's words and the kinds of its choices, such as `play CARD`."""
    choices = (part for b in option.binders for part in (_kind_name(kind_of(b)), *b.words))
    return " ".join([*option.words, *choices])


def _kind_name(kind: ChoiceType | None) -> str:
    if kind is None:
        return "NUMBER"
    if isinstance(kind, Hands):
        return "CARDS"
    return (kind.value if isinstance(kind, Kind) else kind.own_name or "value").upper()


def _reshape(numbers: Sequence[int], shape: tuple[int, ...]) -> Any:
    if not shape:
        return numbers[0]
    size = prod(shape[1:])
    return tuple(_reshape(numbers[size * i : size * (i + 1)], shape[1:]) for i in range(shape[0]))
