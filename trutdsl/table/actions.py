"""The numbers of each question's actions at a table, and constant folding for it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod

from trutdsl.ir import Program, nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.intervals import hand_sizes, window_of
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.types import ChoiceType, Kind, Number, OneOf, SetOf
from trutdsl.table.match import action_of, kind_of
from trutdsl.table.setting import Setting
from trutdsl.table.sight import bits_in

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "div": operator.floordiv, "mod": operator.mod,
}  # fmt: skip


class NotFixedError(Exception):
    """An expression has no value before a match."""


def constant_condition(
    node: nodes.Expression | None, setting: Setting, effects: Effects
) -> bool | None:
    """Return a condition that is constant at this table; None if it is not; none means yes.

    Arguments of a `define` must not fail, either.
    """
    if node is None:
        return True
    if isinstance(node, nodes.Call):
        body = effects.program.functions[node.function].body
        if not isinstance(body, nodes.Expression) or any(map(effects.can_fail, node.args)):
            return None
        return constant_condition(body, setting, effects)
    try:
        return bool(fold(node, setting))
    except NotFixedError:
        return None


def bounds_within(node: nodes.Within, setting: Setting) -> tuple[int, int]:
    """Return the bounds of a number at a table."""
    kind = node.type.kind if isinstance(node.type, SetOf) else node.type
    assert isinstance(kind, Number)
    low, high = node.low, node.high
    return (
        kind.low if low is None else fold(low, setting),
        kind.high if high is None else fold(high, setting),
    )


def fold(node: nodes.Expression, setting: Setting) -> int:
    """Return the value of an expression of numbers, parameters and the number of players.

    A comparison with a variable has one if it follows from the bounds of the variable. Raises
    `NotFixedError` for any other expression.
    """
    match node:
        case nodes.Const(_, _, value):
            return int(value or 0)
        case nodes.Parameter(_, type_, name) if not isinstance(
            fixed := setting.parameters[name], frozenset
        ):
            return type_.names.index(str(fixed)) if isinstance(type_, OneOf) else int(fixed)
        case nodes.Builtin(_, _, "players"):
            return setting.players
        case nodes.Builtin(_, _, "min", (one, two)):
            return min(fold(one, setting), fold(two, setting))
        case nodes.Builtin(_, _, "max", (one, two)):
            return max(fold(one, setting), fold(two, setting))
        case nodes.Choice(_, _, test, yes, no):
            return fold(yes if fold(test, setting) else no, setting)
        case nodes.Logic(_, _, op, left, right):
            first = fold(left, setting)
            return fold(right, setting) if bool(first) == (op == "and") else first
        case nodes.Not(_, _, inner):
            return int(not fold(inner, setting))
        case nodes.Compare(_, _, op, left, right):
            pairs = product(_ends(left, op, setting), _ends(right, op, setting))
            if len(outcomes := {COMPARE[op](one, two) for one, two in pairs}) == 1:
                return int(outcomes.pop())
        case nodes.Arithmetic(_, _, op, left, right):
            return ARITHMETIC[op](fold(left, setting), fold(right, setting))
    raise NotFixedError(node)


def _ends(node: nodes.Expression, op: str, setting: Setting) -> set[int]:
    """Return the values of a number that settle how it compares: of a variable its bounds."""
    match node:
        case nodes.Var(_, Number(low, high), _, None) if op not in ("==", "!="):
            return {low, high}
    return {fold(node, setting)}


@dataclass(frozen=True)
class ChoiceRange:
    """The values of one `from` of an option: `size` values from `low` up.

    Hands are masks, and each has a number: fewer cards first, for equally many cards the lower mask
    first (combinatorial number system).

    low: the least number of cards; cards: the number of cards to choose from, else 0.
    """

    kind: ChoiceType | None
    low: int
    size: int
    cards: int = 0

    def value(self, digit: int) -> int:
        """Return the value with a number below `size`."""
        if not self.cards:
            return self.low + digit
        size = self.low
        while digit >= comb(self.cards, size):
            digit, size = digit - comb(self.cards, size), size + 1
        mask = 0
        for card in range(self.cards - 1, -1, -1):
            if size and digit >= comb(card, size):
                digit, size, mask = digit - comb(card, size), size - 1, mask | 1 << card
        return mask

    def digit(self, value: int) -> int:
        """Return the number of a value; negative or at least `size` if it is not in the range."""
        if not self.cards:
            return value - self.low
        bits = bits_in(value)
        if len(bits) < self.low:
            return -1
        fewer = sum(comb(self.cards, size) for size in range(self.low, len(bits)))
        return fewer + sum(comb(card, place) for place, card in enumerate(bits, 1))


@dataclass(frozen=True)
class OptionPlan:
    """An option whose actions are numbered from `first`; the last choice varies fastest."""

    first: int
    choices: tuple[ChoiceRange, ...]

    @property
    def size(self) -> int:
        return prod(c.size for c in self.choices)

    def values(self, action: int) -> tuple[int, ...]:
        """Return the chosen values of the action with this number."""
        rest, result = action - self.first, []
        for choice in reversed(self.choices):
            rest, digit = divmod(rest, choice.size)
            result.append(choice.value(digit))
        return tuple(reversed(result))

    def number_of(self, values: tuple[int, ...]) -> int:
        """Return the number of the action with these chosen values; raises ValueError for none."""
        number = 0
        for choice, value in zip(self.choices, values, strict=True):
            digit = choice.digit(value)
            if not 0 <= digit < choice.size:
                raise ValueError(f"{value} is not among {choice.size} numbers from {choice.low}")
            number = choice.size * number + digit
        return self.first + number


@dataclass(frozen=True)
class AskPlan:
    """A question: its number in the program, and its options.

    same: pairs of actions with the same text, which may not both be legal.
    """

    number: int
    node: nodes.Ask
    options: tuple[OptionPlan, ...]
    words: int
    same: tuple[tuple[int, int], ...]

    def option_of(self, action: int) -> int:
        return max(i for i, o in enumerate(self.options) if o.first <= action)


def card_in(plan: AskPlan, number: int) -> int | None:
    """Return the card of an action that chooses one card and nothing else, or None."""
    option = plan.options[plan.option_of(number)]
    if [choice.kind for choice in option.choices] != [Kind.CARD]:
        return None
    return number - option.first if number < option.first + option.size else None


def plan_actions(program: Program, setting: Setting) -> dict[int, AskPlan]:
    """Return the plan of every question, by the identity of its node; in program order."""
    questions = enumerate(questions_of(program))
    return {id(node): _plan(node, number, setting) for number, node in questions}


def _plan(node: nodes.Ask, number: int, setting: Setting) -> AskPlan:
    options: list[OptionPlan] = []
    first = 0
    for option in node.options:
        plan = OptionPlan(first, tuple(_choice(b, setting) for b in option.binders))
        # A constant set that fits into one word is folded to its mask.
        if plan.size <= 64 and first % 64 + plan.size > 64:
            first = -(-first // 64) * 64
            plan = OptionPlan(first, plan.choices)
        options.append(plan)
        first += plan.size
    return AskPlan(number, node, tuple(options), -(-first // 64), _same(node, options, setting))


def _same(
    node: nodes.Ask, options: list[OptionPlan], setting: Setting
) -> tuple[tuple[int, int], ...]:
    by_text: dict[str, list[int]] = {}
    for place, (option, plan) in enumerate(zip(node.options, options, strict=True)):
        for number in range(plan.first, plan.first + plan.size):
            text = action_of(setting, option, place, plan.values(number)).text
            by_text.setdefault(text, []).append(number)
    return tuple(pair for numbers in by_text.values() for pair in combinations(numbers, 2))


def _choice(binder: nodes.Binder, setting: Setting) -> ChoiceRange:
    if isinstance(binder.items, nodes.Hands):
        last = binder.items.last.type if binder.items.last is not None else None
        cards = setting.count(Kind.CARD)
        sizes = hand_sizes(cards, binder.items.size.type, last)
        if not sizes:  # no action, so any number will do
            return ChoiceRange(None, 0, 1, cards)
        return ChoiceRange(None, sizes.start, sum(comb(cards, n) for n in sizes), cards)
    if binder.last is None:
        assert isinstance(binder.items.type, SetOf)
        return ChoiceRange(kind_of(binder), 0, setting.count(binder.items.type.kind))
    low, high = _bound(binder.items, setting, 0), _bound(binder.last, setting, 1)
    window = window_of(binder.items.type, binder.last.type)
    low, high = max(low, window.low), min(high, window.high)
    return ChoiceRange(None, low, max(1, high - low + 1))


def _bound(node: nodes.Expression, setting: Setting, end: int) -> int:
    try:
        return fold(node, setting)
    except NotFixedError:
        assert isinstance(node.type, Number)
        return (node.type.low, node.type.high)[end]
