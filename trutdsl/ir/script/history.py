"""History: records the past of a deal for strategies that ask for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace

from trutdsl.ir import nodes
from trutdsl.ir.intervals import hull
from trutdsl.ir.nodes import put_first, questions_of, rebuild, walk_rules
from trutdsl.ir.types import (
    CARD,
    CARDS,
    NOBODY,
    SEAT,
    YES_NO,
    Element,
    Kind,
    Number,
    SetOf,
    Type,
    YesNo,
)
from trutdsl.syntax.ast import Audience

MOST_TIMES = 5_000  # an option is chosen in a deal
HISTORY = "history:"  # before the names of such variables
SHOWN, SHOWN_BY = f"{HISTORY}shown", f"{HISTORY}shown by"
Words = tuple[str, ...]


@dataclass
class Past:
    """The facts about the past of a deal that a script asks for.

    options:       those whose choices are counted.
    shown:         `SHOWN` for the cards that all seats have seen, `SHOWN_BY` for those that each
                   seat has shown to all.
    announcements: (`announced`, words) for the value of an announcement, (`heard`, words) for
                   whether a seat heard it.
    players:       the greatest number of players.

    Of the match:
    rates: options and decisions (empty for any) of which rates are asked.
    over: whether a script does something after each deal.
    kept: the variables of the deal that it asks for then.
    """

    options: set[Words] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    announcements: set[tuple[str, str]] = field(default_factory=set)
    players: int = 0
    rates: set[tuple[Words, str]] = field(default_factory=set)
    over: bool = False
    kept: set[str] = field(default_factory=set)

    def __or__(self, other: Past) -> Past:
        names = [one.name for one in fields(Past) if one.name != "players"]
        result = {name: getattr(self, name) | getattr(other, name) for name in names}
        return Past(players=max(self.players, other.players), **result)


def words_of(option: nodes.Option, decision: str) -> Words:
    """Return the words by which scripts name an option; the decision names one without words."""
    return option.words or (decision,)


def choice_count_name(words: Words) -> str:
    """Return the name of the variable that counts each seat's choices of an option."""
    return "history:said " + " ".join(words)


def announcement_name(word: str, words: str, speaker: int | None) -> str:
    """Return the name of the variable with what each seat heard somebody announce."""
    return f"history:{word} {words}" + ("" if speaker is None else f" by {speaker}")


def or_none(type_: Type) -> Type:
    """Return the type of a variable for such values, which may have none yet."""
    return Element(type_.kind, True) if isinstance(type_, Element) else type_


def announcement_types(program: nodes.Program) -> dict[str, Type | None]:
    """Return the type of each announcement by its words; None if types differ."""
    result: dict[str, Type | None] = {}
    for node in walk_rules(program, nodes.Announce):
        of = or_none(node.type)
        old = result.get(node.words, of)
        if isinstance(of, Number) and isinstance(old, Number):
            result[node.words] = hull(of, old)
        else:
            result[node.words] = of if old == of else None
    return result


def are_spoken(program: nodes.Program, words: str) -> set[bool]:
    """Return whether seats say such announcements: both values if only some of them."""
    announcements = walk_rules(program, nodes.Announce)
    return {one.speaker is not None for one in announcements if one.words == words}


# Instrumentation: facts that a match records for strategies that ask for the past of a deal.
#
# The rules set these variables like any other, so every engine records them. No rule reads them,
# and no view or transcript shows them.


def add_history(program: nodes.Program, past: Past) -> nodes.Program:
    """Return a program that records the past that scripts ask for.

    Its events, questions and mistakes are the same as before.
    """
    variables = dict(program.variables)
    new_words = {words for words in past.options if choice_count_name(words) not in variables}
    shown = sorted(past.shown - variables.keys())
    announcements = {
        one for one in past.announcements if announcement_name(*one, None) not in variables
    }
    if not (new_words or shown or announcements):
        return program
    types = announcement_types(program)
    for word, as_what in sorted(announcements):
        type_ = types.get(as_what) if word == "announced" else YES_NO
        for speaker in (None, *range(past.players)):
            name = announcement_name(word, as_what, speaker)
            variables[name] = _history_variable(program, name, type_ or YES_NO)
    for words in sorted(new_words):
        variables[choice_count_name(words)] = _counter(program, words)
    span = program.rules["match"].span
    empty = nodes.SetLiteral(span, CARDS, ())
    for name in shown:
        index = Kind.SEAT if name == SHOWN_BY else None
        variables[name] = nodes.Variable(span, name, index, CARDS, empty, lifetime="deal")
    writer = _HistoryWriter(program.zones, new_words, shown, announcements, past.players)
    rules = {name: writer.rewrite(rule) for name, rule in program.rules.items()}
    return replace(program, variables=variables, rules=rules)


def _history_variable(program: nodes.Program, name: str, type_: Type) -> nodes.Variable:
    """Return the variable of what each seat has heard, which only that seat may see."""
    span = program.rules["match"].span
    initial: nodes.Expression
    match type_:
        case Element():
            initial = nodes.Const(span, NOBODY, None)
        case SetOf():
            initial = nodes.SetLiteral(span, type_, ())
        case YesNo():
            initial = nodes.Const(span, YES_NO, False)
        case _:
            initial = nodes.Const(span, type_, 0)
    return nodes.Variable(span, name, Kind.SEAT, type_, initial, Audience.OWNER, "deal")


def _counter(program: nodes.Program, words: Words) -> nodes.Variable:
    """Return the variable that counts an option, visible to all who see the option chosen."""
    span = program.rules["match"].span
    audience = audience_of(
        Audience.ALL if option.openly else ask.audience
        for ask in questions_of(program)
        for option in ask.options
        if words_of(option, ask.decision) == words
    )
    zero = nodes.number(span, 0)
    most = nodes.number(span, MOST_TIMES)
    return nodes.Variable(
        span, choice_count_name(words), Kind.SEAT, Number(0, MOST_TIMES), zero, audience, "deal",
        zero, most,
    )  # fmt: skip


def audience_of(audiences: Iterable[Audience]) -> Audience:
    """Return who sees a count of answers that these audiences notice: the smallest of them."""
    known = set(audiences)
    order = (Audience.NOBODY, Audience.OWNER, Audience.TEAM, Audience.ALL)
    least = next((one for one in order if one in known), Audience.ALL)
    return Audience.OWNER if least is Audience.NOBODY else least


class RuleRewriter(ABC):
    """Rewrites rules with further statements; slots: those that the present rule then needs."""

    slots: int

    def rewrite(self, rule: nodes.Rule) -> nodes.Rule:
        self.slots = rule.slots
        body = rebuild(rule.body, self.change)
        return replace(rule, body=body, slots=self.slots)

    @abstractmethod
    def change(self, node: nodes.Node, _before: nodes.Node) -> nodes.Changed:
        """Return a node with what is added to it, see `rebuild`."""


@dataclass
class _HistoryWriter(RuleRewriter):
    zones: Mapping[str, nodes.Zone]
    words: Collection[Words]
    names: Collection[str]
    announcements: Collection[tuple[str, str]]
    players: int

    def change(self, node: nodes.Node, _before: nodes.Node) -> nodes.Changed:
        if isinstance(node, nodes.Ask):
            options = tuple(self._count_choice(option, node) for option in node.options)
            changed = any(a is not b for a, b in zip(options, node.options, strict=True))
            return replace(node, options=options) if changed else node
        if isinstance(node, nodes.Announce):
            return self._record_announcement(node)
        if self.names and isinstance(node, nodes.CardMove | nodes.Reveal):
            return self._record_cards(node)
        return node

    def _count_choice(self, option: nodes.Option, ask: nodes.Ask) -> nodes.Option:
        words, span = words_of(option, ask.decision), option.span
        if words not in self.words:
            return option
        target = nodes.Var(span, Number(0, MOST_TIMES), choice_count_name(words), ask.seat)
        one = nodes.number(span, 1)
        increment = nodes.Assign(span, target, "+=", one)
        return replace(option, body=put_first(option.body, increment))

    def _record_announcement(self, node: nodes.Announce) -> list[nodes.Statement]:
        """Return an announcement with assignments that record it for each seat that hears it."""
        words = [word for word, words in sorted(self.announcements) if words == node.words]
        if not words:
            return [node]
        span, slot, who = node.span, self.slots, node.speaker
        self.slots += 1
        first = [nodes.Let(span, slot, node.value)]
        value = nodes.Local(span, node.type, slot, "")
        known = nodes.Builtin(span, node.type, "openly", (value,))  # to those who hear it

        def record(speaker: int | None) -> nodes.Block:
            result: list[nodes.Statement] = []
            for word in words:
                name = announcement_name(word, node.words, speaker)
                what = known if word == "announced" else nodes.Const(span, YES_NO, True)
                result += self._for_hearers(
                    nodes.Var(span, or_none(what.type), name, who), what, node
                )
            return nodes.Block(span, tuple(result))

        announcement = replace(node, value=value)
        if who is None:
            return [*first, announcement, *record(None).statements]
        branches = tuple(
            (
                nodes.Compare(span, YES_NO, "==", who, nodes.Const(span, SEAT, number)),
                record(number),
            )
            for number in range(self.players)
        )
        return [*first, announcement, nodes.If(span, branches, nodes.Block(span, ()))]

    def _for_hearers(
        self, target: nodes.Var, what: nodes.Expression, node: nodes.Announce
    ) -> Iterator[nodes.Statement]:
        span, seats = node.span, node.seats
        hearers = list(seats.items) if isinstance(seats, nodes.SetLiteral) else []
        if not hearers:
            hearer = nodes.Local(span, SEAT, self.slots, "")
            self.slots += 1
            turns = nodes.Domain(span, seats)
            note = nodes.Assign(span, replace(target, index=hearer), "=", what)
            yield nodes.For(span, hearer.slot, turns, nodes.Block(span, (note,)))
        for seat in (*hearers, *([node.speaker] if node.speaker is not None else [])):
            yield nodes.Assign(span, replace(target, index=seat), "=", what)

    def _record_cards(self, node: nodes.CardMove | nodes.Reveal) -> list[nodes.Statement]:
        """Return a sentence and, if it shows cards to all seats, assignments that record them."""
        cards: list[tuple[nodes.Expression, nodes.Expression | None]] = []
        if isinstance(node, nodes.CardMove) and self._is_open(node.target):
            cards.append((node.target, self._owner(node.target)))
        elif isinstance(node, nodes.Draw) and node.face_up:
            slot = node.slot
            if slot is None:
                slot, self.slots = self.slots, self.slots + 1
                node = replace(node, slot=slot)
            card = nodes.Local(node.span, CARD, slot, "")
            cards.append((nodes.SetLiteral(node.span, CARDS, (card,)), self._owner(node.target)))
        if isinstance(node, nodes.Swap) and self._is_open(node.origin):
            cards.append((node.origin, self._owner(node.origin)))
        if isinstance(node, nodes.Reveal) and isinstance(node.what, nodes.ZoneCards):
            to = node.seats
            if isinstance(to, nodes.Builtin) and to.name == "seats":
                cards.append((node.what, self._owner(node.what)))
        result: list[nodes.Statement] = [node]
        for items, owner in cards:
            for name in self.names:
                index = owner if name == SHOWN_BY else None
                if name == SHOWN or index is not None:
                    target = nodes.Var(node.span, CARDS, name, index)
                    result.append(nodes.Assign(node.span, target, "+=", items))
        return result

    def _owner(self, zone: nodes.ZoneCards) -> nodes.Expression | None:
        """Return the seat that a place belongs to, if it is one of a zone for each seat."""
        return zone.index if self.zones[zone.name].index is Kind.SEAT else None

    def _is_open(self, zone: nodes.ZoneCards) -> bool:
        return self.zones[zone.name].audience is Audience.ALL
