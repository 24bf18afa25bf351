"""The numbers that the actions of each question have, the same whenever it is asked.

An action's number says its option and what was chosen; legal actions are the set bits of a mask of
as many 64-bit words as are needed, in the order in which the language counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from trutdsl.ir import Program, nodes
from trutdsl.ir.intervals import window_of
from trutdsl.ir.types import Kind, Number, OneOf, SetOf
from trutdsl.ir.walk import questions_of
from trutdsl.table.constants import NotFixedError, fold
from trutdsl.table.questions import action_of, chosen_kind
from trutdsl.table.setting import Setting


@dataclass(frozen=True)
class Choice:
    """What one `from` of an option can give: `size` values from `low` up."""

    kind: Kind | OneOf | None
    low: int
    size: int


@dataclass(frozen=True)
class OptionPlan:
    """An option whose actions have the numbers from `first`; the last choice counts fastest."""

    first: int
    choices: tuple[Choice, ...]

    @property
    def size(self) -> int:
        """How many actions the option can have."""
        return prod(c.size for c in self.choices)

    def values(self, action: int) -> tuple[int, ...]:
        """Return what was chosen in the action of this number."""
        rest, found = action - self.first, []
        for choice in reversed(self.choices):
            rest, digit = divmod(rest, choice.size)
            found.append(choice.low + digit)
        return tuple(reversed(found))

    def number_of(self, values: tuple[int, ...]) -> int:
        """Return the number of the action in which this was chosen; raises ValueError for none."""
        number = 0
        for choice, value in zip(self.choices, values, strict=True):
            if not choice.low <= value < choice.low + choice.size:
                raise ValueError(f"{value} is not among {choice.size} numbers from {choice.low}")
            number = choice.size * number + value - choice.low
        return self.first + number


@dataclass(frozen=True)
class AskPlan:
    """A question: its number among those of the program, and its options.

    same: pairs of actions that read the same, which may not both be legal.
    """

    number: int
    node: nodes.Ask
    options: tuple[OptionPlan, ...]
    words: int
    same: tuple[tuple[int, int], ...]

    def option_of(self, action: int) -> int:
        """Return which option the action of this number belongs to."""
        return max(i for i, o in enumerate(self.options) if o.first <= action)


def plan_actions(program: Program, setting: Setting) -> dict[int, AskPlan]:
    """Return the plan of every question, by the identity of its node; in the program's order."""
    asked = enumerate(questions_of(program))
    return {id(node): _plan(node, number, setting) for number, node in asked}


def _plan(node: nodes.Ask, number: int, setting: Setting) -> AskPlan:
    options: list[OptionPlan] = []
    first = 0
    for option in node.options:
        plan = OptionPlan(first, tuple(_choice(b, setting) for b in option.binders))
        # What fits into one word stands in one word, so that a set's mask is put there at once.
        if plan.size <= 64 and first % 64 + plan.size > 64:
            first = -(-first // 64) * 64
            plan = OptionPlan(first, plan.choices)
        options.append(plan)
        first += plan.size
    return AskPlan(number, node, tuple(options), -(-first // 64), _same(node, options, setting))


def _same(
    node: nodes.Ask, options: list[OptionPlan], setting: Setting
) -> tuple[tuple[int, int], ...]:
    first: dict[str, int] = {}
    found: list[tuple[int, int]] = []
    for place, (option, plan) in enumerate(zip(node.options, options, strict=True)):
        for number in range(plan.first, plan.first + plan.size):
            text = action_of(setting, option, place, plan.values(number)).text
            if text in first:
                found.append((first[text], number))
            first.setdefault(text, number)
    return tuple(found)


def _choice(binder: nodes.Binder, setting: Setting) -> Choice:
    if binder.last is None:
        assert isinstance(binder.items.type, SetOf)
        return Choice(chosen_kind(binder), 0, setting.count(binder.items.type.kind))
    low, high = _bound(binder.items, setting, 0), _bound(binder.last, setting, 1)
    window = window_of(binder.items.type, binder.last.type)
    low, high = max(low, window.low), min(high, window.high)
    return Choice(None, low, max(1, high - low + 1))


def _bound(node: nodes.Expression, setting: Setting, end: int) -> int:
    try:
        return fold(node, setting)
    except NotFixedError:
        assert isinstance(node.type, Number)
        return (node.type.low, node.type.high)[end]
