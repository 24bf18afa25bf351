"""Reasons of conditions: why one does not hold, and the values of the names in an expression.

Play may leave parts of an expression out, such as what follows `or`. Where such a part has no
value, the reasons leave it out, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from trutdsl.interp.compile_builtins import compile_domain
from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.machine import Slots
from trutdsl.interp.policy import PolicyCode
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.ir.script.history import HISTORY
from trutdsl.ir.types import Among, Element, Kind, Number, OneOf, Probability, SetOf, Type, YesNo
from trutdsl.language import figure, say, with_title
from trutdsl.table.faults import PolicyError
from trutdsl.table.setting import Setting

DEEPEST = 3  # levels of defines that are explained
MOST_ELEMENTS = 6  # of a quantifier that are explained one by one
WORDS = ("yes", "no", "none", "true", "false")  # values, not names


class Reasons:
    """Explains expressions of a policy, for a player `m` and a frame `f`."""

    def __init__(self, code: PolicyCode) -> None:
        self.code, self.program, self.setting = code, code.program, code.setting
        self.file = code.policy.span.source.name

    def against(
        self, node: nodes.Expression, m: Any, f: Slots, deep: int = 0, holds: bool = False
    ) -> Iterator[str]:
        """Yield why a condition does not hold, or why it does, with the values in it."""
        verdict = say("holds") if holds else say("does not hold")
        text = f"`{text_of(node)}` {verdict}"
        match node:
            case nodes.Logic(_, _, op, left, right) if (op == "and") is holds:
                yield from self.against(left, m, f, deep, holds)
                yield from self.against(right, m, f, deep, holds)
            case nodes.Logic(_, _, _, left, right):
                decides = left if bool(self._value(left, m, f)) is holds else right
                yield from self.against(decides, m, f, deep, holds)
            case nodes.Compare(_, _, _, left, right):
                sides = [s for s in (left, right) if not _is_plain(s)]
                values = say(" and ").join(self._is(s, m, f) for s in sides)
                yield with_title(text, values) if sides else text
            case nodes.Not(_, _, inner):
                lines = list(self.against(inner, m, f, deep, not holds))
                yield with_title(text, lines[0])
                yield from lines[1:]
            case nodes.Quantifier(_, _, "any" | "every"):
                yield from self._of_elements(node, text, m, f, deep, holds)
            case nodes.Call(_, _, name) if deep < DEEPEST and isinstance(
                self.program.functions[name].body, nodes.Expression
            ):
                yield say("{text}, as", text=text)
                body, frame = self._inside(node, m, f)
                for line in self.against(body, m, frame, deep + 1, holds):
                    yield "  " + line
            case _:
                yield text

    def by_choice(
        self, pick: nodes.Quantifier, choices: Iterable[int], m: Any, f: Slots
    ) -> Iterator[str]:
        """Yield the value of the key by which a quantifier picks, for each choice."""
        frame, key, values = list(f), pick.value, list[str]()
        assert key is not None
        kind = _kind_of(pick.domain)
        for choice in sorted(choices):
            frame[pick.slot] = choice
            with suppress(PolicyError):
                value = value_text(self._value(key, m, frame), key.type, self.setting)
                values.append(f"{self._element(kind, choice)} {value}")
        yield say("`{text}`: {values}", text=text_of(key), values=", ".join(values))
        yield from self.values(key, m, frame, frozenset({pick.slot}))

    def _of_elements(
        self, node: nodes.Quantifier, text: str, m: Any, f: Slots, deep: int, holds: bool
    ) -> Iterator[str]:
        """Yield the elements for which the condition of a quantifier holds, or does not."""
        frame, value, kind = list(f), node.value, _kind_of(node.domain)
        reasons = list[tuple[str, list[str]]]()
        for element in self._elements(node, m, frame):
            with suppress(PolicyError):
                if value is not None and bool(self._value(value, m, frame)) is holds:
                    lines = list(self.against(value, m, frame, deep + 1, holds))
                    reasons.append((self._element(kind, element), lines))
        if not reasons:
            yield say("{text}: there is none to look at", text=text) if value else text
            return
        if len(reasons) > MOST_ELEMENTS:
            names = ", ".join(name for name, _ in reasons[:MOST_ELEMENTS])
            yield say(
                "{text}, for {names} and {more} more",
                text=text,
                names=names,
                more=len(reasons) - MOST_ELEMENTS,
            )
            return
        yield say("{text}, as", text=text)
        for name, lines in reasons:
            first, *more = lines
            yield "  " + say("for {name}: {reason}", name=name, reason=first)
            yield from ("  " + line for line in more)

    def values(
        self, node: nodes.Node, m: Any, f: Slots, bound: frozenset[int] = frozenset(), deep: int = 0
    ) -> Iterator[str]:
        """Yield the value of each name in an expression, and of the names in the script's defines.

        bound: slots without a value here, of quantifiers around it.
        """
        if isinstance(node, nodes.Expression) and (name := self._name_of(node)):
            if not _depends_on(node, bound):
                try:
                    yield self._is(node, m, f)
                except PolicyError:
                    return
                if isinstance(node, nodes.Call) and self._is_own(node) and deep < DEEPEST:
                    body, frame = self._inside(node, m, f)
                    seen = dict.fromkeys(self.values(body, m, frame, frozenset(), deep + 1))
                    yield from ("  " + line for line in seen)
                    return
            if name is not node:
                return
        if isinstance(node, nodes.Quantifier) and _kind_of(node.domain) in (Kind.SEAT, Kind.TEAM):
            yield from self.values(node.domain.items, m, f, bound, deep)
            if node.value is not None and not _depends_on(node.domain, bound):
                yield from self._values_by_element(node, m, f, bound, deep)
            return
        inner = bound | {node.slot} if isinstance(node, nodes.Quantifier) else bound
        for part in node.children:
            yield from self.values(part, m, f, inner, deep)

    def _values_by_element(
        self, node: nodes.Quantifier, m: Any, f: Slots, bound: frozenset[int], deep: int
    ) -> Iterator[str]:
        frame, value = list(f), node.value
        assert value is not None
        for element in list(self._elements(node, m, frame)):
            frame[node.slot] = element
            name = self._element(_kind_of(node.domain), element)
            for line in self.values(value, m, frame, bound, deep):
                yield say("for {name}: {reason}", name=name, reason=line.lstrip())

    def _name_of(self, node: nodes.Expression) -> nodes.Node | bool:
        """Return whether an expression has a name of its own; the node if its parts count, too."""
        match node:
            case nodes.Local(_, _, _, name):
                return name not in ("", "me")
            case nodes.Const():
                return not _is_plain(node)
            case nodes.Remembered(_, _, name):
                return " at " not in name
            case nodes.Call():
                return node
            case nodes.Var():
                return True
        past = (n for n in walk(node) if isinstance(n, nodes.Var) and n.name.startswith(HISTORY))
        return any(one.span == node.span for one in past)

    def _is_own(self, call: nodes.Call) -> bool:
        function = self.program.functions[call.function]
        mine = function.span.source.name.endswith(".strategy")
        return mine and isinstance(function.body, nodes.Expression)

    def _inside(self, call: nodes.Call, m: Any, f: Slots) -> tuple[nodes.Expression, Slots]:
        """Return the body of a define, and the frame with the arguments of a call."""
        function = self.program.functions[call.function]
        assert isinstance(function.body, nodes.Expression)
        args = [self._value(arg, m, f) for arg in call.args]
        return function.body, [*args, *[None] * (function.slots - len(args))]

    def _elements(self, node: nodes.Quantifier, m: Any, frame: Slots) -> Iterator[Any]:
        with suppress(PolicyError):
            for _ in compile_domain(node, self.code, ordered=True)(m, frame):
                yield frame[node.slot]

    def _is(self, node: nodes.Expression, m: Any, f: Slots) -> str:
        value = value_text(self._value(node, m, f), node.type, self.setting)
        return say("{text} is {value}", text=text_of(node), value=value)

    def _value(self, node: nodes.Expression, m: Any, f: Slots) -> Any:
        return compile_expression(node, self.code)(m, list(f))

    def _element(self, kind: Among, value: Any) -> str:
        if isinstance(value, frozenset):
            return " ".join(element_text(Kind.CARD, one, self.setting) for one in sorted(value))
        return element_text(kind, value, self.setting)


def text_of(node: nodes.Expression) -> str:
    """Return the source of an expression, on one line."""
    span = node.span
    if span.line == span.end_line:
        return span.text
    return span.source.line(span.line)[span.col - 1 :].strip() + " ..."


def value_text(value: Any, type_: Type, setting: Setting) -> str:
    """Return a value, with seats and teams counted from 1."""
    match type_:
        case _ if value is None:
            return say("none")
        case YesNo():
            return say("yes") if value else say("no")
        case OneOf(names):
            return str(names[value])
        case Probability():
            return figure(value / 10**6, "g")
        case Element(kind):
            return element_text(kind, value, setting)
        case SetOf(kind):
            texts = [element_text(kind, one, setting) for one in sorted(value)]
            return ", ".join(texts) or say("nothing")
    return str(value)


def element_text(kind: Among, value: int, setting: Setting) -> str:
    """Return the name of a card, seat, team ..."""
    if kind == Kind.SEAT:
        return say("player {number}", number=value + 1)
    if kind == Kind.TEAM:
        return say("team {number}", number=value + 1)
    return setting.text_of(kind, value)


def _kind_of(domain: nodes.Domain) -> Among:
    """Return the kind of the elements of a domain; hands are sets of cards."""
    match domain.items.type:
        case SetOf(kind) | Element(kind):
            return kind
        case Number() as number:
            return number
    return Kind.CARD


def _is_plain(node: nodes.Expression) -> bool:
    """Return whether an expression is a value as written, not a parameter or another name."""
    if not isinstance(node, nodes.Const):
        return isinstance(node, nodes.PackText | nodes.Parameter)
    text = node.span.text
    return text in WORDS or not text.isidentifier() or isinstance(node.type, OneOf | Element)


def _depends_on(node: nodes.Node, slots: frozenset[int]) -> bool:
    return bool(slots) and any(isinstance(n, nodes.Local) and n.slot in slots for n in walk(node))
