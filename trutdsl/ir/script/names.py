"""The names and expressions of a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from trutdsl.diagnostics import Collector, Span
from trutdsl.ir import nodes
from trutdsl.ir.lower.declarations import DeclarationBuilder
from trutdsl.ir.lower.expressions import ExpressionBuilder
from trutdsl.ir.lower.names import NameDeclarer
from trutdsl.ir.lower.scope import Frame, Head, Names, mistake
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.script.history import (
    MOST_TIMES,
    SHOWN,
    SHOWN_BY,
    Past,
    Words,
    announcement_name,
    announcement_types,
    are_spoken,
    choice_count_name,
    words_of,
)
from trutdsl.ir.script.record import MOST_ANSWERS, last_name, rate_names
from trutdsl.ir.script.tables import ScriptTable, look_up
from trutdsl.ir.types import (
    CARDS,
    SCRIPT_FUNCTIONS,
    SCRIPT_VALUES,
    SEAT,
    UNKNOWN,
    WHOLE,
    YES_NO,
    Element,
    Hands,
    Kind,
    Number,
    OneOf,
    Probability,
    Type,
    Unknown,
    YesNo,
    describe_type,
)
from trutdsl.language import figure, say, say_count
from trutdsl.syntax import ast
from trutdsl.variant import Variant

ME = "me"
OWN = (*SCRIPT_VALUES, *SCRIPT_FUNCTIONS)


class _VariantNames(NameDeclarer):
    """The names of a variant whose program exists already."""

    def __init__(self, variant: Variant, program: nodes.Program) -> None:
        super().__init__(variant)
        self.program = program

    def head(self, name: str) -> Head:
        """Return the types of a `define` of the variant."""
        function = self.program.functions[name]
        return Head(name, function.params, function.result, function.span)


@dataclass(frozen=True)
class OwnDefine:
    """A `define` of a script or vocabulary as its callers see it.

    memory: the script's memory that it receives after its arguments.
    """

    function: nodes.Function
    memory: tuple[str, ...]

    @property
    def head(self) -> Head:
        """Its types without the seat and the memory, which callers do not write."""
        params = self.function.params[1 : len(self.function.params) - len(self.memory)]
        name = self.function.name.rpartition(":")[2]
        return Head(name, params, self.function.result, self.function.span)


@dataclass
class Scope:
    """All names that the expressions of one script, or of a vocabulary, can use.

    parameters: the script's, as constants; memory: their types.
    find: returns a `define` of the script or vocabulary, or None; builds it if necessary.
    past: the facts about the past of the deal that it asks for.
    announcement_types: the type of each announcement of the rules, by its words.
    tables: the script's. draws: its memory of draws that are made once a trick, deal or match.
    indexed: how many elements each memory with an index has, and of which kind.
    option_counts: the options of which it asks how often they were chosen, where it asks, and for
        which decision (None for any).
    """

    names: Names
    program: nodes.Program
    declarations: DeclarationBuilder
    find: Callable[[str], OwnDefine | None]
    parameters: Mapping[str, nodes.Const] = field(default_factory=dict)
    memory: dict[str, Type] = field(default_factory=dict)
    past: Past = field(default_factory=Past)
    announcement_types: Mapping[str, Type | None] = field(default_factory=dict)
    tables: Mapping[str, ScriptTable] = field(default_factory=dict)
    draws: dict[str, nodes.Memory] = field(default_factory=dict)
    indexed: dict[str, tuple[Kind, int]] = field(default_factory=dict)
    option_counts: dict[Span, tuple[Words, str | None]] = field(default_factory=dict)

    def places(self, name: str) -> tuple[str, ...]:
        """Return the names of an indexed memory's elements."""
        return tuple(place_of(name, number) for number in range(self.indexed[name][1]))


def place_of(name: str, number: int) -> str:
    """Return the name of one element of a memory with an index."""
    return f"{name}[{number}]"


def make_scope(
    variant: Variant,
    program: nodes.Program,
    find: Callable[[str], OwnDefine | None],
    errors: Collector,
) -> Scope:
    """Return the names of a variant, to which a script can add its own."""
    variant_names = _VariantNames(variant, program)
    variant_names.declare()
    names = variant_names.names
    names.errors, names.variables, names.own = errors, dict(program.variables), {*OWN}
    return Scope(
        names,
        program,
        DeclarationBuilder(names, variant_names.head),
        find,
        past=Past(players=max(variant.players)),
        announcement_types=announcement_types(program),
    )


def own_frame(names: Names) -> Frame:
    """Return a frame whose slot 0 is the seat that is asked."""
    return Frame(names, bound={ME: (0, SEAT)}, fixed_slots={0}, size=1)


class PolicyExpressions(ExpressionBuilder):
    """Builds the expressions of a script; `memory`: slots of the memory that a `define` gets."""

    counts = False

    def __init__(self, scope: Scope, frame: Frame, memory: Mapping[str, int] | None = None) -> None:
        super().__init__(scope.names, frame, scope.declarations.head)
        self.scope, self.memory_slots = scope, dict(memory or {})
        self.pure = True
        self.over = False  # whether it speaks of the deal that is over

    def me(self, span: Span) -> nodes.Local:
        return nodes.Local(span, SEAT, 0, ME)

    def memory_value(self, name: str, span: Span) -> nodes.Expression:
        type_ = self.scope.memory[name]
        if name in self.memory_slots:
            return nodes.Local(span, type_, self.memory_slots[name], name)
        return nodes.Remembered(span, type_, name)

    def _name(self, node: ast.Name, expected: Type | None) -> nodes.Expression:
        name, span = node.name, node.span
        if name in self.frame.bound:
            return super()._name(node, expected)
        if name in self.scope.memory:
            return self.memory_value(name, span)
        if name in self.scope.parameters:
            parameter = self.scope.parameters[name]
            return nodes.Const(span, parameter.type, parameter.value)
        if self.scope.find(name) is not None or name in self.scope.tables:
            return self._call(ast.Call(span, ast.Word(span, name), ()))
        if name in self.scope.indexed:
            kind = self.scope.indexed[name][0]
            message = say("'{name}' has a value for each {kind}", name=name, kind=say(kind.value))
            help_ = say("write {code}", code=f"`{name}[{kind.value.upper()}]`")
            return mistake(self.errors, message, span, help=help_)
        if name == "shown":
            self.scope.past.shown.add(SHOWN)
            return nodes.Var(span, CARDS, self._of_deal(SHOWN), None)
        return super()._name(node, expected)

    def _of_deal(self, name: str) -> str:
        """Return the variable of this deal, or after a deal the one of the deal that is over."""
        if not self.over:
            return name
        self.scope.past.kept.add(name)
        return last_name(name)

    def _index(self, node: ast.Index) -> nodes.Expression:
        name, span = node.name.text, node.span
        if name == "shown":
            self.scope.past.shown.add(SHOWN_BY)
            seat = self.build_as(node.index, SEAT, "the seat that has shown the cards")
            return nodes.Var(span, CARDS, self._of_deal(SHOWN_BY), seat)
        if name in self.scope.indexed:
            kind, count = self.scope.indexed[name]
            index = self.build_as(node.index, Element(kind), f"the index of '{name}'")
            result = self.memory_value(place_of(name, count - 1), span)
            for number in reversed(range(count - 1)):
                element = nodes.Const(span, Element(kind), number)
                test = nodes.Compare(span, YES_NO, "==", index, element)
                value = self.memory_value(place_of(name, number), span)
                result = nodes.Choice(span, value.type, test, value, result)
            return result
        if name in self.scope.memory:
            message = say("'{name}' has one value", name=name)
            help_ = say("write `{name}`, or declare it as `{name}[seat]: ...`", name=name)
            return mistake(self.errors, message, span, help=help_)
        return super()._index(node)

    def _rate(self, node: ast.Rate) -> nodes.Expression:
        """Return how often a seat chose an option, of a thousand times that it could."""
        span, words = node.span, tuple(node.words.text.split())
        decision = node.decision.text if node.decision is not None else None
        seat = self.build_as(node.seat, SEAT, "the seat of the rate")
        self.scope.past.rates.add((words, decision or ""))
        self.scope.option_counts[span] = words, decision
        chose, could = (
            nodes.Var(span, Number(0, MOST_ANSWERS), name, seat)
            for name in rate_names(words, decision or "")
        )
        if node.kind == "opportunities":
            return could
        zero, one, thousand = (nodes.number(span, number) for number in (0, 1, WHOLE))
        part, whole = [self.number(number) for number in node.prior] or [zero, zero]
        for number in (part, whole):
            type_ = number.type
            if isinstance(type_, Number) and not 0 <= type_.low <= type_.high <= MOST_ANSWERS:
                text = "a prior is given by numbers from 0 to {most}"
                message = say(text, most=figure(MOST_ANSWERS, ",d"))
                help_ = say("write `prior 1 out of 4`, as if that had been seen before")
                return mistake(self.errors, message, number.span, help=help_)
        most = Number(0, 2 * MOST_ANSWERS)
        times = nodes.Arithmetic(span, most, "+", chose, part)
        all_times = nodes.Arithmetic(span, most, "+", could, whole)
        of_thousand = Number(0, WHOLE * most.high)
        product = nodes.Arithmetic(span, of_thousand, "*", thousand, times)
        divisor = nodes.Builtin(span, Number(1, most.high), "max", (all_times, one))
        share = nodes.Arithmetic(span, of_thousand, "div", product, divisor)
        return nodes.Builtin(span, Number(0, WHOLE), "min", (share, thousand))

    def _call(self, node: ast.Call) -> nodes.Expression:
        name, span = node.name.text, node.span
        own = self.scope.find(name)
        if own is not None:
            args = self.arguments(own.head, node.args, span)
            memory = tuple(self.memory_value(m, span) for m in own.memory)
            function = own.function
            return nodes.Call(span, function.result, function.name, (self.me(span), *args, *memory))
        if name in self.scope.tables:
            return self._look_up(self.scope.tables[name], node)
        match name:
            case "said":
                return self._build_said(node)
            case "announced" | "heard":
                return self._build_announced(node)
            case "in_sight":
                return self._in_sight(node)
            case "openly":
                message = say("only the rules of a game can make something known")
                help_ = say("leave out `openly`")
                if len(node.args) == 1 and (inner := node.args[0].span.text):
                    help_ = say("write `{spoken}`", spoken=inner)
                return mistake(self.errors, message, span, help=help_, code="misplaced")
        return super()._call(node)

    def _look_up(self, table: ScriptTable, node: ast.Call) -> nodes.Expression:
        keys = [self.build(arg) for arg in node.args]
        if len(keys) != len(table.columns):
            if table.columns:  # a table with mistakes has none
                own = say_count(len(table.columns), "{number} key", "{number} keys")
                text = "'{name}' has {columns}, but is given {keys}"
                what = say(text, name=table.name, columns=own, keys=len(keys))
                call = f"`{table.name}({', '.join(table.columns)})`"
                help_ = say("write {code}", code=call)
                self.errors.error("type", what, node.span, help=help_)
            return nodes.number(node.span, 0)
        for key in keys:
            if not isinstance(key.type, Number | YesNo | OneOf | Unknown):
                text = "a key is a number, yes or no, or a named value, not {kind}"
                message = say(text, kind=describe_type(key.type))
                help_ = say("give a number for it, such as `strength(CARD)`")
                return mistake(self.errors, message, key.span, help=help_)
        if any(isinstance(key.type, Unknown) for key in keys):
            return nodes.number(node.span, 0)
        return look_up(table, keys, node.span, self.errors)

    def hands(self, node: ast.Hands) -> nodes.Expression:
        """Return all hands of a size from a set."""
        size = self.number(node.size)
        cards = self.build_as(node.cards, CARDS, say("the source of the hands"))
        return nodes.Hands(node.span, Hands(), size, cards)

    def _build_said(self, node: ast.Call) -> nodes.Expression:
        match node.args:
            case (who, ast.Text(_, text)) if text.split():
                words = tuple(text.split())
                asks = questions_of(self.scope.program)
                options = {words_of(o, ask.decision) for ask in asks for o in ask.options}
                if text in self.scope.announcement_types and words not in options:
                    message = say("'{text}' is an announcement, not an option", text=text)
                    cure = say("write `{spoken}`", spoken=f'heard({who.span.text}, "{text}")')
                    return mistake(self.errors, message, node.span, help=cure)
                seat = self.build_as(who, SEAT, say("the seat of the counted choices"))
                self.scope.past.options.add(words)
                self.scope.option_counts[node.span] = words, None
                name = self._of_deal(choice_count_name(words))
                return nodes.Var(node.span, Number(0, MOST_TIMES), name, seat)
        message = say("`said` is asked of a seat and of the words of an option")
        return mistake(self.errors, message, node.span, help=say('write `said(SEAT, "WORD")`'))

    def _build_announced(self, node: ast.Call) -> nodes.Expression:
        """Return what `me` has heard somebody announce, or for `heard` whether it has."""
        span, word = node.span, node.name.text
        if self.over:
            message = say("`{word}` is forgotten when the deal is over", word=word)
            help_ = say("remember it during the deal, in `match memory`")
            return mistake(self.errors, message, span, help=help_)
        match node.args:
            case (ast.Text(_, text),):
                speakers: list[tuple[int | None, nodes.Expression | None]] = [(None, None)]
            case (who, ast.Text(_, text)):
                seat = self.build_as(who, SEAT, say("the speaker of the announcement"))
                speakers = [(number, seat) for number in range(self.scope.past.players)]
            case _:
                message = say(
                    "`{word}` is asked of a seat and of the words of an announcement", word=word
                )
                help_ = say(
                    'write `{word}(SEAT, "WORDS")`; of what nobody says, `{word}("WORDS")`',
                    word=word,
                )
                return mistake(self.errors, message, span, help=help_)
        types = self.scope.announcement_types
        if text not in types:
            self.names.unknown("announcement", text, span, types)
            return nodes.Const(span, UNKNOWN, 0)
        of_seat = speakers[0][0] is not None
        if of_seat not in are_spoken(self.scope.program, text):
            message = say("no seat announces '{text}'", text=text)
            cure = f'{word}("{text}")'
            if not of_seat:
                message = say("'{text}' is always announced by a seat", text=text)
                cure = f'{word}(SEAT, "{text}")'
            return mistake(self.errors, message, span, help=say("write `{spoken}`", spoken=cure))
        type_ = types[text]
        if type_ is None and word == "announced":
            message = say("'{text}' is announced of values of several kinds", text=text)
            help_ = say('ask whether it was, `heard(SEAT, "{text}")`', text=text)
            return mistake(self.errors, message, span, help=help_)
        self.scope.past.announcements.add((word, text))
        kind = type_ if type_ is not None and word == "announced" else YES_NO
        result: nodes.Expression | None = None
        for number, seat_asked in speakers:
            value = nodes.Var(span, kind, announcement_name(word, text, number), self.me(span))
            if result is None or seat_asked is None:
                result = value
                continue
            by = nodes.Compare(span, YES_NO, "==", seat_asked, nodes.Const(span, SEAT, number))
            result = nodes.Choice(span, kind, by, value, result)
        assert result is not None
        return result

    def _in_sight(self, node: ast.Call) -> nodes.Expression:
        if len(node.args) != 1:
            self.arity("in_sight", (CARDS,), len(node.args), node.span)
            return nodes.Const(node.span, UNKNOWN, 0)
        zone = self.cards_in(node.args[0], say("the argument of `in_sight`"))
        if zone is None:
            return nodes.Const(node.span, UNKNOWN, 0)
        return nodes.Builtin(node.span, CARDS, "in_sight", (zone, self.me(node.span)))

    def _base(self, node: ast.Base) -> nodes.Expression:
        base = self.base_define
        if base is None or node.args is None:
            return super()._base(node)
        params = base.params[1 : len(base.params) - len(self.memory_slots)]
        head = Head("base", params, base.result, node.span)
        args = self.arguments(head, node.args, node.span)
        memory = tuple(self.memory_value(m, node.span) for m in self.memory_slots)
        all_args = (self.me(node.span), *args, *memory)
        return nodes.Call(node.span, base.result, base.name, all_args)


def value_type(value: object, choices: tuple[str, ...], kind: str) -> tuple[Type, int | bool]:
    """Return the type and value of a script's parameter in expressions."""
    match kind, value:
        case "choice", str():
            return OneOf(choices), choices.index(value)
        case "probability", int():
            return Probability(), value
        case "boolean", bool():
            return YesNo(), value
        case _, int():
            return Number(value, value), value
    raise ValueError(value)
