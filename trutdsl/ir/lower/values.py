"""Values of expected types, calls of functions, and quantifiers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

from trutdsl.diagnostics import Edit, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_TURNS, combine, extreme, hull, most_hands
from trutdsl.ir.lower.scope import (
    LONGEST_SHOWN,
    Frame,
    Head,
    Names,
    gone_through,
    mistake,
    of_other_kind,
)
from trutdsl.ir.types import (
    A_KIND,
    CARD,
    CARDS,
    FUNCTIONS,
    MOST_IN_SET,
    NAMED_TYPES,
    NUMBER,
    PARTNERS,
    PRINTED,
    RANK,
    SEAT,
    SEATS,
    TEAM,
    TEAMS,
    UNKNOWN,
    WIDEST,
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
    described,
    element_of,
    fits,
    set_of,
)
from trutdsl.language import say, say_count
from trutdsl.syntax import ast

FunctionHead = Callable[[str], Head]


class ValueBuilder(ABC):
    """Builds values of expected types in the expressions of one rule or function.

    head:     returns a function's types, and builds it first if necessary.
    replaced: the `define` that the current one replaces, with its own parameters in `params`.
    pure:     in a `define` or a start value, which can release nothing.
    """

    def __init__(self, names: Names, frame: Frame, head: FunctionHead) -> None:
        self.names, self.frame, self.head = names, frame, head
        self.errors = names.errors
        self.replaced: nodes.Function | None = None
        self.params: tuple[nodes.Local, ...] = ()
        self.pure = False

    @abstractmethod
    def build(self, node: ast.Expr, wanted: Type | None = None) -> nodes.Expression:
        """Return any expression; subclasses implement it."""

    def typed(self, node: ast.Expr, wanted: Type, what: str) -> nodes.Expression:
        """Return the expression as a value of the wanted type, or report a mistake."""
        return self.as_type(self.build(node, wanted), wanted, what)

    def converted(self, value: nodes.Expression, wanted: Type, what: str) -> nodes.Expression:
        """Return the value for a target of a type, or report that it does not fit.

        Every value passes here on its way to a name, variable, parameter, result or memory. Play
        checks values that may be none or out of the type's bounds.
        """
        return self.within(self.as_type(value, wanted, what), wanted)

    def as_type(self, value: nodes.Expression, wanted: Type, what: str) -> nodes.Expression:
        """Return the value in the wanted kind, or report a mistake.

        A `number` accepts any number: see `converted` for one that is stored.
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
            message = say(
                "{what} must be {expected}, but this is {found}",
                what=what,
                expected=described(wanted),
                found=described(value.type),
            )
            notes, help_, edits = self.other_team(value, wanted)
            help_ = help_ or of_other_kind(value, wanted)
            return mistake(self.errors, message, value.span, *notes, help=help_, edits=edits)
        return value

    def other_team(
        self, value: nodes.Expression, wanted: Type
    ) -> tuple[list[Note], str | None, tuple[Edit, ...]]:
        """Return notes, help and edits where `opponents(TEAM)` stands for one team.

        In older files it was one.
        """
        call, notes = value.span, list[Note]()
        if isinstance(value, nodes.Local) and value.slot in self.frame.opponents:
            call = self.frame.opponents[value.slot]
            notes = [Note(say("it gets its value here"), call)]
        of_teams = value.type == TEAMS and isinstance(wanted, Element) and wanted.kind is Kind.TEAM
        if not of_teams or not call.text.startswith("opponents("):
            return [], None, ()
        rest = call.text.removeprefix("opponents")
        if self.names.team_counts != {2}:
            return notes, say("say which: `first side in {set} where ...`", set=call.text), ()
        word = replace(call, end_line=call.line, end_col=call.col + len("opponents"))
        help_ = say("write `{other}`, the only other team", other=f"other{rest}")
        return notes, help_, (Edit(word, "other"),)

    def within(self, value: nodes.Expression, wanted: Type) -> nodes.Expression:
        """Return a number within the wanted bounds; play checks it if it may lie outside."""
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
        return self.typed(node, YES_NO, say("a condition"))

    def number(self, node: ast.Expr) -> nodes.Expression:
        return self.typed(node, NUMBER, say("this"))

    def cards_in(self, node: ast.Expr, what: str) -> nodes.ZoneCards | None:
        """Return the zone that an expression names, or report a mistake."""
        value = self.build(node)
        if isinstance(value, nodes.ZoneCards):
            return value
        if not isinstance(value.type, Unknown):
            self.errors.error("type", say("{what} must be a zone", what=what), value.span)
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

    def quoted(self, node: ast.Expr, wanted: Type) -> str | None:
        """Return the help for a card, rank or suit of the pack without its quotes."""
        if not isinstance(wanted, Element) or not isinstance(node, ast.Name | ast.Number):
            return None
        text = node.name if isinstance(node, ast.Name) else str(node.value)
        known = self.names.pack.of(wanted.kind)
        if wanted.kind is Kind.SUIT:
            text = self.names.pack.suit_names.get(text, text)
        return say('write `"{text}"`', text=text) if text in known else None

    def arity(
        self, name: str, params: Sequence[Type | None], found: int, span: Span, *where: Note
    ) -> None:
        """Report a wrong number of arguments."""
        takes = say_count(len(params), "argument", "arguments")
        kinds = ", ".join("set" if kind is None else str(kind) for kind in params)
        message = say(
            "'{name}' takes {takes}, but is given {found}", name=name, takes=takes, found=found
        )
        help_ = f"`{name}({kinds})`" if kinds else say("write `{name}` alone", name=name)
        self.errors.error("type", message, span, *where, help=help_)


# Partners and opponents: abbreviations for operations on sets of seats and teams.


def build_partners(values: ValueBuilder, node: ast.Call, name: str) -> nodes.Expression:
    """Return the expression for a function of `PARTNERS`."""
    span = node.span
    if len(node.args) != 1:
        (kind, *_) = PARTNERS[name]
        values.arity(name, (NAMED_TYPES[kind],), len(node.args), span)
        return nodes.Const(span, UNKNOWN, 0)
    given = values.build(node.args[0])
    if name == "other":
        return _other_team(values, given, span)
    if name in ("rank_above", "rank_below"):
        rank = values.as_type(given, RANK, say("the argument of '{name}'", name=name))
        return nodes.Builtin(span, Element(Kind.RANK, True), name, (rank,))
    is_team = isinstance(given.type, Element) and given.type.kind is Kind.TEAM
    if name == "opponents" and is_team:
        team = values.as_type(given, TEAM, say("the argument of 'opponents'"))
        alone = nodes.SetLiteral(team.span, TEAMS, (team,))
        return _without(span, nodes.Builtin(span, TEAMS, "teams", ()), alone)
    seat = values.as_type(given, SEAT, say("the argument of '{name}'", name=name))
    if seat.type == UNKNOWN:
        return seat
    side = nodes.Builtin(span, TEAM, "team", (seat,))
    own = nodes.Builtin(span, SEATS, "seats_of", (side,))
    if name == "opponents":
        return _without(span, nodes.Builtin(span, SEATS, "seats", ()), own)
    if name == "partners":
        return _without(span, own, nodes.SetLiteral(seat.span, SEATS, (seat,)))
    next_one = nodes.Domain(span, own, None, seat, True, None)
    return nodes.Quantifier(
        span, Element(Kind.SEAT, True), "first", values.frame.slot(), next_one, None
    )


def _other_team(values: ValueBuilder, given: nodes.Expression, span: Span) -> nodes.Expression:
    """Return the other one of two teams."""
    team = values.as_type(given, TEAM, say("the argument of '{name}'", name="other"))
    counts = sorted(values.names.team_counts)
    if counts != [2]:
        teams = ", ".join(map(str, counts))
        message = say("`other` needs two teams, and here can be {teams}", teams=teams)
        loop = f"for side in opponents({given.span.text}):"
        help_ = say("go through the others: `{loop}`", loop=loop)
        return mistake(values.errors, message, span, help=help_)
    others = _without(
        span, nodes.Builtin(span, TEAMS, "teams", ()), nodes.SetLiteral(span, TEAMS, (team,))
    )
    found = nodes.Quantifier(
        span, Element(Kind.TEAM, True), "first", values.frame.slot(),
        nodes.Domain(span, others, None, None, False, None), None,
    )  # fmt: skip
    return nodes.Unwrap(span, TEAM, found)


def _without(span: Span, all_: nodes.Expression, less: nodes.Expression) -> nodes.Expression:
    return nodes.SetOperation(span, all_.type, "-", all_, less)


class CallBuilder(ValueBuilder):
    """Builds calls in the expressions of one rule or function."""

    def _call(self, node: ast.Call) -> nodes.Expression:
        name, span = node.name.text, node.span
        if name == "openly" and len(node.args) == 1:
            if self.pure:
                message = say("`openly` belongs in a rule; a computed value reveals nothing")
                help_ = say("write it in the rule that makes this known, around the computed value")
                start = replace(span, end_line=span.line, end_col=span.col + len("openly("))
                end = replace(span, line=span.end_line, col=span.end_col - 1)
                edits = Edit(start, ""), Edit(end, "")
                self.errors.error("misplaced", message, span, help=help_, edits=edits)
            value = self.build(node.args[0])
            return nodes.Builtin(span, value.type, "openly", (value,))
        if name in self.names.functions:
            head = self.head(name)
            args = self.arguments(head, node.args, span)
            return nodes.Call(span, head.result or UNKNOWN, name, args)
        if name in self.names.pack.values:
            if len(node.args) != 1:
                return mistake(self.errors, say("'{name}' is read off one card", name=name), span)
            card = self.typed(node.args[0], CARD, say("the argument of '{name}'", name=name))
            return nodes.CardValue(span, PRINTED, name, card)
        if name in FUNCTIONS:
            return self._builtin(name, node)
        if name == "abs" and len(node.args) == 1:
            less = ast.Negate(span, node.args[0])
            return self._builtin("max", ast.Call(span, node.name, (node.args[0], less)))
        if name in PARTNERS:
            return build_partners(self, node, name)
        if name in self.names.rules:
            message = say(
                "'{name}' is a rule; a rule is called by a sentence of its own", name=name
            )
            help_ = say(
                "write `do {name}(...)`, or `let x = do {name}(...)` for what it returns", name=name
            )
            self.errors.error("type", message, node.name.span, help=help_)
        else:
            known = [*self.names.functions, *FUNCTIONS, *PARTNERS]
            known += self.names.pack.values
            self.names.unknown("function", name, node.name.span, known)
        for arg in node.args:
            self.build(arg)
        return nodes.Const(span, UNKNOWN, 0)

    def _base(self, node: ast.Base) -> nodes.Expression:
        replaced = self.replaced
        if replaced is None:
            message = say("there is nothing here that `base` could mean")
            help_ = say("in a rule write `do base`; in a `define` it needs `replace define`")
            return mistake(self.errors, message, node.span, help=help_, code="unknown-name")
        args: tuple[nodes.Expression, ...] = self.params
        if node.args is not None:
            head = Head("base", replaced.params, replaced.result, node.span)
            args = self.arguments(head, node.args, node.span)
        return nodes.Call(node.span, replaced.result, replaced.name, args)

    def _builtin(self, name: str, node: ast.Call) -> nodes.Expression:
        signature = FUNCTIONS[name]
        if len(node.args) != len(signature.params):
            self.arity(name, signature.params, len(node.args), node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        args: list[nodes.Expression] = []
        for wanted, arg in zip(signature.params, node.args, strict=True):
            if wanted is None:
                value = self.build(arg)
                if not isinstance(value.type, SetOf | Unknown):
                    message = say(
                        "'{name}' is asked of a set or zone, not {described}",
                        name=name,
                        described=described(value.type),
                    )
                    self.errors.error("type", message, arg.span)
                args.append(value)
            else:
                args.append(self.typed(arg, wanted, say("the argument of '{name}'", name=name)))
        result = signature.result
        if name in ("top", "bottom") and not isinstance(args[0], nodes.ZoneCards):
            message = say(
                "only a zone has a {name} card, not {described}",
                name=name,
                described=described(args[0].type),
            )
            help_ = say("write `first c in ...` for the first in the order of the pack")
            self.errors.error("type", message, node.span, help=help_)
        if name in ("min", "max"):
            result = extreme(name, args[0].type, args[1].type)
        return nodes.Builtin(node.span, result, name, tuple(args))

    def arguments(
        self, head: Head, args: tuple[ast.Expr, ...], span: Span
    ) -> tuple[nodes.Expression, ...]:
        """Return the arguments of a rule or function, checked against its parameters."""
        if len(args) != len(head.params):
            where = [] if head.span == span else [Note(say("it is here"), head.span)]
            self.arity(head.name, head.params, len(args), span, *where)
        what = say("this argument of '{head}'", head=head.name)
        wanted = [*head.params, *[UNKNOWN] * len(args)]
        return tuple(
            self.converted(self.build(a, t), t, what) for a, t in zip(args, wanted, strict=False)
        )


def large_numbers(node: ast.Expr) -> tuple[int, ...]:
    """Return the written numbers of a set that no set of 64 can hold; else nothing.

    Where such a set is only gone through or looked into, comparisons take its place.
    """
    if not isinstance(node, ast.SetOf):
        return ()
    numbers = tuple(one.value for one in node.items if isinstance(one, ast.Number))
    whole = len(numbers) == len(node.items)
    return numbers if whole and max(numbers, default=0) >= MOST_IN_SET else ()


def one_of(name: ast.Word, numbers: Sequence[int]) -> ast.Expr:
    """Return the condition that a name is one of these numbers."""
    span, value = name.span, ast.Name(name.span, name.text)
    tests: list[ast.Expr] = [
        ast.Binary(span, "==", value, ast.Number(span, number)) for number in sorted({*numbers})
    ]
    return reduce(lambda one, other: ast.Binary(span, "or", one, other), tests)


class QuantifierBuilder(ValueBuilder):
    """Builds quantifiers and their domains, also for loops."""

    def domain(self, node: ast.Domain, name: ast.Word) -> tuple[int, nodes.Domain]:
        """Return the slot bound to each element in turn, and the domain."""
        if isinstance(node.items, ast.SetOf) and (numbers := large_numbers(node.items)):
            span, among = node.items.span, one_of(name, numbers)
            if node.where is not None:
                among = ast.Binary(span, "and", among, node.where)
            low, high = (ast.Number(span, end(numbers)) for end in (min, max))
            node = replace(node, items=low, last=high, where=among)
        last = None
        element: Type = UNKNOWN
        if node.last is not None:
            assert not isinstance(node.items, ast.Hands)
            items, last = self.number(node.items), self.number(node.last)
            element = hull(items.type, last.type)
        elif isinstance(node.items, ast.Hands):
            items, element = self.hands(node.items), CARDS
        else:
            items = self.build(node.items)
            if isinstance(items.type, SetOf):
                element = element_of(items.type)
            elif not isinstance(items.type, Unknown):
                message = say(
                    "one can only go through a set or zone, not {described}",
                    described=described(items.type),
                )
                self.errors.error("type", message, items.span, help=gone_through(items))
        start = None
        if node.start is not None:
            start = self.typed(node.start, SEAT, say("the first seat of the turn"))
            if items.type not in (SEATS, UNKNOWN) or last is not None:
                self.errors.error("type", say("only seats have an order of play"), node.start.span)
        slot = self.frame.bind(name, element)
        self.frame.fixed.add(slot)
        if isinstance(items, nodes.ZoneCards):
            self.frame.origins[slot] = items
        elif not isinstance(node.items, ast.Hands):
            self.frame.sets[slot] = node.items
        where = self.yes_no(node.where) if node.where is not None else None
        return slot, nodes.Domain(node.span, items, last, start, node.after, where)

    def hands(self, node: ast.Hands) -> nodes.Expression:
        """Return hands as a domain, or report that only a strategy can use them."""
        message = say("only a strategy goes through hands that somebody could hold")
        help_ = say("write it in a strategy, or under `vocabulary`")
        return mistake(self.errors, message, node.span, help=help_, code="misplaced")

    def _most(self, domain: nodes.Domain) -> int:
        """Return the greatest number of elements of a quantifier."""
        first, last = domain.items.type, domain.last.type if domain.last is not None else None
        if isinstance(domain.items, nodes.Hands):
            return most_hands(min(64, len(self.names.pack.cards)), domain.items.size.type)
        if isinstance(first, Number) and isinstance(last, Number):
            return min(max(0, last.high - first.low + 1), MOST_TURNS + 1)
        return MOST_IN_SET

    def _quantifier(self, node: ast.Quantifier) -> nodes.Expression:
        if self._reaches_too_far(node):
            return nodes.Const(node.span, UNKNOWN, 0)
        outer = self.frame.inner()
        slot, domain = self.domain(node.domain, node.name)
        element = self.frame.bound[node.name.text][1]
        value: nodes.Expression | None = None
        result: Type
        most = self._most(domain)
        match node.kind:
            case "count":
                result = Number(0, most)
            case "any" | "every":
                value = self.yes_no(node.value) if node.value is not None else None
                result = YES_NO
            case "first" | "those":
                result = UNKNOWN
                of = set_of(element)
                if isinstance(element, Element):
                    result = of if node.kind == "those" and of else Element(element.kind, True)
                elif of is not None and (node.kind == "those" or domain.last is None):
                    result = of if node.kind == "those" else element
                elif not isinstance(element, Unknown):
                    self.errors.error(
                        "type", say("'{kind}' is asked of a set", kind=node.kind), node.span
                    )
                value = self.number(node.value) if node.value is not None else None
            case _:
                assert node.value is not None
                value = self.number(node.value)
                result = value.type
                if node.kind == "total" and isinstance(value.type, Number):
                    result = combine("*", value.type, Number(0, most))
                    if max(abs(result.low), abs(result.high)) > WIDEST:
                        self.errors.error(
                            "too-large", say("this total may be too large"), node.span
                        )
        self.frame.leave(outer)
        if isinstance(domain.items, nodes.Hands) and node.kind == "count" and not domain.where:
            hands = domain.items
            size = nodes.Builtin(hands.cards.span, Number(0, 64), "size", (hands.cards,))
            return nodes.Builtin(node.span, result, "ways", (size, hands.size))
        made = nodes.Quantifier(node.span, result, node.kind, slot, domain, value, order=node.order)
        if node.kind == "first" and isinstance(result, OneOf | Number):
            return nodes.Unwrap(node.span, result, made)  # these types have no `none`
        return made

    def _reaches_too_far(self, node: ast.Quantifier) -> bool:
        """Report a quantifier that includes the comparison or sum around it."""
        items = node.domain.items
        if not isinstance(items, ast.Binary) or items.op in ("and", "or", "in", "&"):
            return False
        if items.op in ("+", "-") and not isinstance(items.right, ast.Number):
            return False
        span = node.span
        head = Span(span.source, span.line, span.col, items.left.span.end_line,
                    items.left.span.end_col).text  # fmt: skip
        written = head if 0 < len(head) <= LONGEST_SHOWN else f"{node.kind} ..."
        message = say(
            "the `{kind}` reaches too far: its set is everything after `in`", kind=node.kind
        )
        help_ = say(
            "put the `{kind} ...` in brackets: `({written}) {op} ...`",
            kind=node.kind,
            written=written,
            op=items.op,
        )
        self.errors.error("type", message, items.span, help=help_)
        return True
