"""Values of wanted types: what any expression is held to, or is reported not to be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from trutdsl.diagnostics import Note, counted
from trutdsl.ir import nodes
from trutdsl.ir.build.scope import Frame, Head, Names
from trutdsl.ir.build.suggestions import of_other_kind
from trutdsl.ir.types import (
    NUMBER,
    UNKNOWN,
    YES_NO,
    Among,
    Element,
    Kind,
    Number,
    SetOf,
    Type,
    Unknown,
    described,
    fits,
)
from trutdsl.source import Span
from trutdsl.syntax import ast

FunctionHead = Callable[[str], Head]


class ValueBuilder(ABC):
    """Builds values of the wanted types in the expressions of one rule or function.

    head:     gives a function's types, building it first if need be.
    replaced: the `define` that the one being built replaces, with its own parameters in `params`.
    pure:     in a `define` or a start, which make nothing known.
    """

    def __init__(self, names: Names, frame: Frame, head: FunctionHead) -> None:
        self.names, self.frame, self.head = names, frame, head
        self.errors = names.errors
        self.replaced: nodes.Function | None = None
        self.params: tuple[nodes.Local, ...] = ()
        self.pure = False

    @abstractmethod
    def build(self, node: ast.Expr, wanted: Type | None = None) -> nodes.Expression:
        """Return any expression; what builds them all says how."""

    def typed(self, node: ast.Expr, wanted: Type, what: str) -> nodes.Expression:
        """Return the expression as a value of the wanted type, or report that it is none."""
        return self.as_type(self.build(node, wanted), wanted, what)

    def converted(self, value: nodes.Expression, wanted: Type, what: str) -> nodes.Expression:
        """Return what is given to something of a type, or report that it cannot be given to it.

        Every value passes here on its way to a name, variable, parameter, result or memory. What
        may not be there, or lie beyond the type's bounds, is looked at in play.
        """
        return self.within(self.as_type(value, wanted, what), wanted)

    def as_type(self, value: nodes.Expression, wanted: Type, what: str) -> nodes.Expression:
        """Return the value as one of the wanted kind, or report that it is none.

        For a `number` any number will do: see `converted` for one that is kept.
        """
        if (
            isinstance(wanted, Element)
            and not wanted.optional
            and value.type == Element(wanted.kind, True)
        ):
            return nodes.Unwrap(value.span, wanted, value)
        if isinstance(wanted, Element) and wanted.optional and value.type == Element(wanted.kind):
            return value
        if not fits(value.type, wanted):
            self.errors.error(
                "type",
                f"{what} must be {described(wanted)}, but this is {described(value.type)}",
                value.span,
                help=of_other_kind(value, wanted),
            )
            return nodes.Const(value.span, UNKNOWN, 0)
        return value

    def within(self, value: nodes.Expression, wanted: Type) -> nodes.Expression:
        """Return a number within the wanted bounds, to be checked in play if it may lie outside."""
        match value.type, wanted:
            case Number(), Number(exact=(low, high)):
                return nodes.Within(value.span, wanted, value, low, high)
            case Number(low, high), Number(least, most) if low < least or high > most:
                return nodes.Within(value.span, wanted, value)
            case SetOf(Number()), SetOf(Number(exact=(low, high))):
                return nodes.Within(value.span, wanted, value, low, high)
            case SetOf(Number(low, high)), SetOf(Number(least, most)):
                if low < least or high > most:
                    return nodes.Within(value.span, wanted, value)
        return value

    def yes_no(self, node: ast.Expr) -> nodes.Expression:
        """Return the expression as a condition."""
        return self.typed(node, YES_NO, "a condition")

    def number(self, node: ast.Expr) -> nodes.Expression:
        """Return the expression as a number."""
        return self.typed(node, NUMBER, "this")

    def cards_in(self, node: ast.Expr, what: str) -> nodes.ZoneCards | None:
        """Return the zone that an expression names, or report that it names none."""
        value = self.build(node)
        if isinstance(value, nodes.ZoneCards):
            return value
        if not isinstance(value.type, Unknown):
            self.errors.error("type", f"{what} must be a zone", value.span)
        return None

    def item(self, value: nodes.Expression, kind: Among, what: str) -> nodes.Expression:
        """Return what may be in a set; what a pack does not have is in none."""
        if not isinstance(kind, Kind):
            return self.as_type(value, kind, what)
        if isinstance(value, nodes.PackText) and value.kind is kind:
            return value
        return self.as_type(value, Element(kind), what)

    def quoted(self, node: ast.Expr, wanted: Type) -> str | None:
        """Return the help for a card, rank or suit of the pack that stands without its quotes."""
        if not isinstance(wanted, Element) or not isinstance(node, ast.Name | ast.Number):
            return None
        text = node.name if isinstance(node, ast.Name) else str(node.value)
        known = self.names.pack.of(wanted.kind)
        if wanted.kind is Kind.SUIT:
            text = self.names.pack.suit_names.get(text, text)
        return f'write `"{text}"`' if text in known else None

    def arity(
        self, name: str, params: Sequence[Type | None], found: int, span: Span, *where: Note
    ) -> None:
        """Report that something is given other than as many arguments as it takes."""
        takes = counted(len(params), "argument")
        kinds = ", ".join("set" if kind is None else str(kind) for kind in params)
        self.errors.error(
            "type",
            f"'{name}' takes {takes}, but is given {found}",
            span,
            *where,
            help=f"`{name}({kinds})`" if kinds else f"write `{name}` alone",
        )
