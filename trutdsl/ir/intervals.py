"""Interval arithmetic: bounds of numbers at check time, so that no result can overflow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from trutdsl.ir.types import NUMBER, WIDE, Element, Nobody, Number, SetOf, Type, Unknown
from trutdsl.language import say

# Limits of rules: the check refuses larger ones, and both engines stop a match at them.
#
# Games that people play stay far below: the largest shipped variant needs at most a fifth of each
# limit except that of cards. The limit of deals is no error of the rules: without bets a match may
# never end.

# Limits of play.
MOST_DEALS = 10_000  # of a match; without a winner it is then unfinished, and drawn
MOST_QUESTIONS = 10_000_000  # of a match
MOST_QUESTIONS_A_DEAL = 5_000  # and from the start of a match to its first deal
MOST_REPEATS = 1_000  # of a question in a row, by `again`
MOST_TURNS = 1_000_000  # of a repetition
MOST_STEPS = 20_000_000  # counted ones between two questions or deals, see `effects.Work`

MOST_STEPS_OF_A_DECISION = 1_000_000  # of a strategy's script, see `effects.Work`

# Limits of a strategy's script with its bases, built for one variant.
MOST_NODES_OF_ANSWERS = 12_000  # of all its answers, with called rules inlined
MOST_NODES_OF_AN_ANSWER = 3_000
MOST_MEMORY = 120
MOST_DEFINES = 300

DEEPEST_DEFINES = 30  # nested calls

# Limits of a variant with all its files.
MOST_NUMBERS = 4_096  # of a choice, unless its bounds allow fewer
MOST_ACTIONS = 16_384  # of a question, legal or not
MOST_ACTIONS_IN_ALL = 32_768  # of all questions together
MOST_NODES = 12_000  # of its rules and defines: words with a meaning of their own
MOST_NODES_OF_ONE = 1_500  # of one rule or define
MOST_RULES = 700  # and defines
MOST_QUESTIONS_WRITTEN = 100
MOST_ZONES = 50
MOST_VARIABLES = 120
MOST_COUNTERS = 16
MOST_PARAMETERS = 80

MOST_CARDS = 64  # of a pack


WORD = 2**63  # machine code is exact from its negative up to the number before it


def combine(op: str, left: Number, right: Number) -> Number:
    """Return the bounds of `left OP right`; for `div` and `mod` the divisor is at least 1."""
    match op:
        case "+":
            ends = [left.low + right.low, left.high + right.high]
        case "-":
            ends = [left.low - right.high, left.high - right.low]
        case "*":
            ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        case "div":
            ends = [a // b for a in (left.low, left.high) for b in (right.low, right.high)]
        case "mod":
            ends = [0, right.high - 1]
        case _:
            raise ValueError(op)
    return _span_of(ends, left, right)


def _span_of(ends: Iterable[int], *parts: Number) -> Number:
    ends = [*ends]
    derived = not any(part.is_wide for part in parts)
    return Number(min(ends), max(ends), derived=derived)


def is_exact(number: Number) -> bool:
    """Return whether machine code holds each of these numbers in one word."""
    return number.low >= -WORD and number.high < WORD


def of_name(number: Number) -> Number:
    """Return the type of a name without a type of its own, from its first value.

    It is `number`; if that depends on larger declared numbers, any value that it can have.
    """
    return hull(WIDE, number) if number.is_wide else NUMBER


def extreme(name: str, left: Type, right: Type) -> Number:
    if isinstance(left, Number) and isinstance(right, Number):
        pick = min if name == "min" else max
        ends = pick(left.low, right.low), pick(left.high, right.high)
        return _span_of(ends, left, right)
    return NUMBER


def most_hands(cards: int, size: Type) -> int:
    """Return the greatest number of hands of a size from so many cards."""
    low, high = (size.low, size.high) if isinstance(size, Number) else (0, cards)
    return max(comb(cards, k) for k in range(max(0, min(low, cards)), max(0, min(high, cards)) + 1))


def hand_sizes(cards: int, size: Type, last: Type | None) -> range:
    """Return the possible sizes of a choice from so many cards, by the types of its bounds."""
    low, high = (size.low, size.high) if isinstance(size, Number) else (0, cards)
    if last is not None:
        high = last.high if isinstance(last, Number) else cards
    return range(max(0, low), min(cards, high) + 1)


@dataclass(frozen=True)
class Window:
    """The numbers from `low` to `high` that can be chosen.

    cut: their types allow others, so play must check that there are none.
    """

    low: int
    high: int
    cut: bool

    @property
    def message(self) -> str:
        text = "only numbers from {low} to {high} can be chosen from here"
        return say(text, low=self.low, high=self.high)


def window_of(first: Type, last: Type) -> Window:
    """Return the numbers that can be chosen, by the types of the first and the last.

    If these allow more than `MOST_ACTIONS`, there are `MOST_NUMBERS` from the lowest one on. If
    that is far below, they are from 0 on, or up to the highest one if that is below 0.
    """
    assert isinstance(first, Number)
    assert isinstance(last, Number)
    low, high = first.low, max(first.low, last.high)
    if high - low < MOST_ACTIONS:
        return Window(low, high, False)
    if low <= -MOST_NUMBERS:
        low = 0 if high >= 0 else high - MOST_NUMBERS + 1
    return Window(low, min(high, low + MOST_NUMBERS - 1), True)


def choice_type(first: Type, last: Type) -> Number:
    """Return the type of a name for a choice of one of these numbers."""
    if not (isinstance(first, Number) and isinstance(last, Number)):
        return NUMBER
    window = window_of(first, last)
    return hull(NUMBER, Number(window.low, window.high))


def hull(left: Type, right: Type) -> Number:
    if isinstance(left, Number) and isinstance(right, Number):
        return _span_of((left.low, left.high, right.low, right.high), left, right)
    return NUMBER


def common_type(left: Type, right: Type) -> Type | None:
    """Return the common type of two; None if there is none."""
    match left, right:
        case (Unknown(), _) | (_, Unknown()):
            return Unknown()
        case Number(), Number():
            return hull(left, right)
        case (Element(kind), Nobody()) | (Nobody(), Element(kind)):
            return Element(kind, True)
        case Element(kind), Element(same) if kind == same:
            return Element(kind, left.optional or right.optional)
        case SetOf(Number() as one), SetOf(Number() as other):
            return SetOf(hull(one, other))
    return left if left == right else None
