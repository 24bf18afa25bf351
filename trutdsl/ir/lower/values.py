"""Values of expected types: each is converted, or reported where it does not fit."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

from trutdsl.diagnostics import Edit, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.lower.scope import Frame, Head, Names, mistake, of_other_kind
from trutdsl.ir.types import (
    A_KIND,
    NUMBER,
    TEAMS,
    UNKNOWN,
    YES_NO,
    Among,
    Element,
    Kind,
    Nobody,
    Number,
    OneOf,
    SetOf,
    Type,
    Unknown,
    describe_type,
    fits,
)
from trutdsl.language import say, say_count
from trutdsl.syntax import ast

FunctionHead = Callable[[str], Head]


class ValueBuilder(ABC):
    """Builds values of expected types in the expressions of one rule or function.

    head:        returns a function's types, and builds it first if necessary.
    base_define: the `define` that the current one replaces, with its own parameters in `params`.
    pure:        in a `define` or a start value, which can release nothing.
    call:        in a `define` of rules, what a rule writes to use it.
    """

    def __init__(self, names: Names, frame: Frame, head: FunctionHead) -> None:
        self.names, self.frame, self.head = names, frame, head
        self.errors = names.errors
        self.base_define: nodes.Function | None = None
        self.params: tuple[nodes.Local, ...] = ()
        self.pure = False
        self.call = ""

    @abstractmethod
    def build(self, node: ast.Expr, expected: Type | None = None) -> nodes.Expression:
        """Return any expression; subclasses implement it."""

    def build_as(self, node: ast.Expr, expected: Type, what: str) -> nodes.Expression:
        """Return the expression as a value of the wanted type, or report a mistake."""
        return self.as_type(self.build(node, expected), expected, what)

    def convert(self, value: nodes.Expression, expected: Type, what: str) -> nodes.Expression:
        """Return the value for a target of a type, or report that it does not fit.

        Every value passes here on its way to a name, variable, parameter, result or memory. Play
        checks values that may be none or out of the type's bounds.
        """
        return self.within(self.as_type(value, expected, what), expected)

    def as_type(self, value: nodes.Expression, expected: Type, what: str) -> nodes.Expression:
        """Return the value in the wanted kind, or report a mistake.

        A `number` accepts any number: see `convert` for one that is stored.
        """
        if (
            isinstance(expected, Element)
            and not expected.optional
            and value.type == Element(expected.kind, True)
        ):
            return nodes.Unwrap(value.span, expected, value)
        if not fits(value.type, expected):
            text = "{what} must be {expected}, but this is {found}"
            message = say(
                text, what=what, expected=describe_type(expected), found=describe_type(value.type)
            )
            if isinstance(value, nodes.Local) and self._is_untyped(value, expected):
                return self._refuse_untyped(value, expected, message)
            notes, help_, edits = self.other_team(value, expected)
            help_ = help_ or of_other_kind(value, expected)
            return mistake(self.errors, message, value.span, *notes, help=help_, edits=edits)
        return value

    def _is_untyped(self, value: nodes.Local, expected: Type) -> bool:
        """Return whether a value is a parameter without a type that is used as something else."""
        bound = self.frame.bound.get(value.name)
        known = value.slot in self.frame.untyped and bound is not None and bound[0] == value.slot
        return known and isinstance(expected, Element | Number)

    def _refuse_untyped(self, value: nodes.Local, expected: Type, message: str) -> nodes.Expression:
        """Report a parameter that needs a type, at its first use only, and not at calls."""
        parameter = self.frame.untyped[value.slot]
        type_ = "number" if isinstance(expected, Number) else str(expected).removesuffix("?")
        self.names.without_type.add((parameter.of, parameter.number))
        self.frame.bound[value.name] = (value.slot, UNKNOWN)
        note = Note(say("a parameter without a type is a seat"), parameter.word.span)
        help_ = say("write `{found}` there", found=f"{value.name}: {type_}")
        if isinstance(expected, Element) and expected.kind is Kind.TEAM:
            text = "write `team({name})`, or `{name}: team` there if it is a team"
            help_ = say(text, name=value.name)
        return mistake(self.errors, message, value.span, note, help=help_)

    def other_team(
        self, value: nodes.Expression, expected: Type
    ) -> tuple[list[Note], str | None, tuple[Edit, ...]]:
        """Return notes, help and edits where `opponents(TEAM)` stands for one team.

        In files of older editions it is one team.
        """
        call, notes = value.span, list[Note]()
        if isinstance(value, nodes.Local) and value.slot in self.frame.opponents:
            call = self.frame.opponents[value.slot]
            notes = [Note(say("it gets its value here"), call)]
        of_teams = (
            value.type == TEAMS and isinstance(expected, Element) and expected.kind is Kind.TEAM
        )
        if not of_teams or not call.text.startswith("opponents("):
            return [], None, ()
        rest = call.text.removeprefix("opponents")
        if self.names.team_counts != {2}:
            return notes, say("say which: `first one in {set} where ...`", set=call.text), ()
        word = replace(call, end_line=call.line, end_col=call.col + len("opponents"))
        help_ = say("write `{other}`, the only other team", other=f"other{rest}")
        return notes, help_, (Edit(word, "other"),)

    def within(self, value: nodes.Expression, expected: Type) -> nodes.Expression:
        """Return a number within the wanted bounds; play checks it if it may lie outside."""
        actual: Type | Among = value.type
        bounds: Type | Among = expected
        if isinstance(actual, SetOf) and isinstance(bounds, SetOf):
            actual, bounds = actual.kind, bounds.kind
        if isinstance(actual, Number) and isinstance(bounds, Number):
            if bounds.exact is not None:
                return nodes.Within(value.span, expected, value, *bounds.exact)
            if actual.low < bounds.low or actual.high > bounds.high:
                return nodes.Within(value.span, expected, value)
        return value

    def yes_no(self, node: ast.Expr) -> nodes.Expression:
        return self.build_as(node, YES_NO, say("a condition"))

    def number(self, node: ast.Expr) -> nodes.Expression:
        return self.build_as(node, NUMBER, say("this"))

    def cards_in(self, node: ast.Expr, what: str) -> nodes.ZoneCards | None:
        """Return the zone that an expression names, or report a mistake."""
        value = self.build(node)
        if isinstance(value, nodes.ZoneCards):
            return value
        if not isinstance(value.type, Unknown):
            message = say("{what} must be a zone", what=what)
            of_seats = [z.name for z in self.names.zones.values() if z.index is Kind.SEAT]
            help_ = None
            if isinstance(value.type, Element) and value.type.kind is Kind.SEAT and of_seats:
                zone = "hand" if "hand" in of_seats else of_seats[0]
                help_ = say("write `{found}`", found=f"{zone}[{value.span.text}]")
            self.errors.error("type", message, value.span, help=help_)
        return None

    def item(self, value: nodes.Expression, kind: Among, what: str) -> nodes.Expression:
        """Return a possible element of a set; a card that a pack lacks is in none."""
        if not isinstance(kind, Kind):
            return self.as_type(value, kind, what)
        if isinstance(value, nodes.PackText) and value.kind is kind:
            return value
        if isinstance(value.type, Nobody):
            message = say("no set of {many} holds `none`", many=say(A_KIND[kind][1]))
            choice = f"from {kind.value}s + {{none}}"
            help_ = say("leave it out; only an option of a question offers it: `{c}`", c=choice)
            return mistake(self.errors, message, value.span, help=help_)
        return self.as_type(value, Element(kind), what)

    def help_for_quotes(self, node: ast.Expr, expected: Type) -> str | None:
        """Return the help for a card, rank, suit or choice of a parameter without its quotes."""
        if isinstance(expected, OneOf) and isinstance(node, ast.YesNo | ast.Number):
            text = node.span.text
            return say('write `"{text}"`', text=text) if text in expected.names else None
        if not isinstance(expected, Element) or not isinstance(node, ast.Name | ast.Number):
            return None
        text = node.name if isinstance(node, ast.Name) else str(node.value)
        known = self.names.pack.of(expected.kind)
        if expected.kind is Kind.SUIT:
            text = self.names.pack.suit_names.get(text, text)
        return say('write `"{text}"`', text=text) if text in known else None

    def arity(
        self, name: str, params: Sequence[Type | None], number: int, span: Span, *where: Note
    ) -> None:
        """Report a wrong number of arguments."""
        takes = say_count(len(params), "argument", "arguments")
        kinds = ", ".join("set" if kind is None else str(kind) for kind in params)
        message = say(
            "'{name}' takes {takes}, but is given {found}", name=name, takes=takes, found=number
        )
        help_ = f"`{name}({kinds})`" if kinds else say("write `{name}` alone", name=name)
        if number == 1 and name in ("min", "max"):
            quantifier = "lowest" if name == "min" else "highest"
            help_ = say("of many, write `{spoken}`", spoken=f"{quantifier} ... for x in SET")
        if number > len(params) and (decimal := re.search(r"\d,\d+", span.text)):
            text = "numbers are whole, and `{decimal}` is two of them: count everything twice"
            help_ = say(text, decimal=decimal[0])
        self.errors.error("type", message, span, *where, help=help_)
