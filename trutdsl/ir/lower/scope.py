"""Scopes: the names that rules can use, and suggestions for names that do not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain

from trutdsl.diagnostics import Collector, Diagnostic, Edit, Note, Source, Span, did_you_mean
from trutdsl.ir import nodes
from trutdsl.ir.types import (
    FUNCTIONS,
    MOST_IN_SET,
    NAMES,
    NUMBERS_OF,
    PARTNERS,
    UNKNOWN,
    VARIABLES,
    Element,
    Kind,
    Number,
    Probability,
    SetOf,
    Type,
    YesNo,
)
from trutdsl.language import mark, say
from trutdsl.syntax import ast
from trutdsl.variant.pack import RANK_WORDS, SAME_RANK, card_meant_by, suit_meant_by

WORDS = """
    again all and announce any ask base chance count deal define div do draw else end every first
    for from gather has highest if in into let lowest mod move next no none not openly or random
    repeat replace return reveal roll rule seen setup shuffle stop those times to total trick under
    until when where while yes zone
"""
COMMON_WORDS = {  # common words of other languages and programming languages
    **{
        word: str(n)
        for n, word in enumerate("zero one two three four five six seven eight nine ten".split())  # noqa: SIM905
    },
    **dict.fromkeys(("nobody", "nothing", "null", "nil", "None", "noone", "personne"), "none"),
    **dict.fromkeys(("true", "True", "oui", "vrai"), "yes"),
    **dict.fromkeys(("false", "False", "non", "faux"), "no"),
    "range": mark("LOW to HIGH` without brackets, as in `1 to 3"),
    **dict.fromkeys(("len", "length"), "size"),
    **dict.fromkeys(("next_player", "player_after", "suivant"), "next_seat"),
    **dict.fromkeys(("previous_player", "player_before"), "previous_seat"),
    **dict.fromkeys(
        ("left_of", "left", "right_of", "right"),
        mark("next_seat(SEAT)` for who plays after it, or `previous_seat(SEAT)"),
    ),
    **dict.fromkeys(("all", "everybody", "everyone", "joueurs", "tous"), "seats"),
    **dict.fromkeys(("donneur", "le_donneur", "repartidor"), "dealer"),
    **dict.fromkeys(("équipes", "equipes"), "teams"),
    **dict.fromkeys(("equipe", "camp", "equip"), "team"),
    **dict.fromkeys(("gagnant", "vainqueur"), "winner"),
    **dict.fromkeys(("main",), "hand"),
    **dict.fromkeys(("talon",), "stock"),
    "up": "0",  # `up to 3 cards of`
    **dict.fromkeys(("un", "une"), "1"),
    **dict.fromkeys(("deux",), "2"),
    **dict.fromkeys(("trois",), "3"),
    "team": mark("teams`, or of a seat `team(SEAT)"),
    **dict.fromkeys(("us", "we", "nous"), mark("team(SEAT)`, such as `team(dealer)")),
    **dict.fromkeys(("them", "they", "eux"), mark("opponents(SEAT)`, such as `opponents(dealer)")),
    "winner": mark("if let side = winner:` in a piece `when a deal is over:"),
    "seat": mark("SEAT`, the name of one, such as `dealer"),
}
TYPE_WORDS = {  # common words for types
    **dict.fromkeys(("boolean", "bool", "flag", "yesno"), "yes_no"),
    **dict.fromkeys(("integer", "int", "nombre", "entier"), "number"),
    **dict.fromkeys(("player", "joueur", "place"), "seat"),
    **dict.fromkeys(("equipe", "side", "camp"), "team"),
    **dict.fromkeys(("carte",), "card"),
    **dict.fromkeys(("couleur", "colour", "color"), "suit"),
    **dict.fromkeys(("rang",), "rank"),
}
RESERVED_WORDS = frozenset(WORDS.split())


def mistake(
    errors: Collector,
    message: str,
    span: Span,
    *notes: Note,
    help: str | None = None,
    code: str = "type",
    edits: tuple[Edit, ...] = (),
) -> nodes.Const:
    """Report a mistake; return a value that fits everywhere, to avoid further reports."""
    errors.error(code, message, span, *notes, help=help, edits=edits)
    return nodes.Const(span, UNKNOWN, 0)


@dataclass(frozen=True)
class Head:
    """The signature of a rule or function for its callers."""

    name: str
    params: tuple[Type, ...]
    result: Type | None
    span: Span


@dataclass(frozen=True)
class PackTexts:
    """The texts of cards, ranks and suits, over all packs of a variant.

    shared: those that exist in every pack.
    """

    ranks: frozenset[str]
    suits: frozenset[str]
    cards: frozenset[str]
    shared: frozenset[str]
    values: frozenset[str]
    suit_names: Mapping[str, str]  # name -> letter

    def of(self, kind: Kind) -> frozenset[str]:
        """Return the texts of ranks, suits or cards; other kinds have none."""
        texts = {Kind.RANK: self.ranks, Kind.SUIT: self.suits, Kind.CARD: self.cards}
        return texts.get(kind, frozenset())

    def everywhere(self, kind: Kind) -> frozenset[str]:
        """Return the texts of ranks, suits or cards that every pack has."""
        return self.of(kind) & self.shared


@dataclass(frozen=True)
class OptionGroup:
    """Options that questions share; `base`: those of the base before a replacement."""

    node: ast.Group
    params: tuple[Type, ...]
    layer: str
    base: OptionGroup | None


@dataclass
class Names:
    """All declarations outside of rules, by name.

    groups, additions: shared options, and added options by question.
    used_groups, questions: those used in a question, and all questions, recorded during lowering.
    group_nodes: the number of nodes in options that questions have from groups so far.
    typed: the named types that something uses. numbers: the names of `NUMBERS_OF` in use.
    team_counts: the possible numbers of teams.
    files: those of the variant with rules, bases first.
    argument_errors: the errors of arguments, by rule or define and parameter.
    without_type: the parameters that need a type and have none.
    own: those that only a script or vocabulary has.
    """

    errors: Collector
    pack: PackTexts
    parameters: dict[str, Type] = field(default_factory=dict)
    zones: dict[str, nodes.Zone] = field(default_factory=dict)
    variables: dict[str, nodes.Variable] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    indexed: dict[str, Number] = field(default_factory=dict)  # variables with a place a number
    functions: dict[str, ast.Define] = field(default_factory=dict)
    rules: dict[str, Head] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    groups: dict[str, OptionGroup] = field(default_factory=dict)
    additions: dict[str, list[ast.Addition]] = field(default_factory=dict)
    used_groups: set[str] = field(default_factory=set)
    group_nodes: int = 0
    questions: set[str] = field(default_factory=set)
    typed: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    files: list[Source] = field(default_factory=list)
    argument_errors: dict[tuple[str, int], list[Diagnostic]] = field(default_factory=dict)
    without_type: set[tuple[str, int]] = field(default_factory=set)
    team_counts: frozenset[int] = frozenset()
    own: set[str] = field(default_factory=set)

    def declare(self, name: str, span: Span, what: str) -> bool:
        """Record a name as taken; reports a name that is reserved or already taken."""
        if name in RESERVED_WORDS:
            message = say("'{name}' is a word of the language", name=name)
            self.errors.error("reserved-word", message, span, help=say("choose another"))
            return False
        known = name in FUNCTIONS or name in NAMES or name in VARIABLES
        if known or name in self.pack.values:
            owner = (
                say("a name of the language") if known else say("the name of a value of the cards")
            )
            message = say("'{name}' is already {owner}", name=name, owner=owner)
            self.errors.error("defined-twice", message, span, help=say("choose another name"))
            return False
        if first := self.spans.get(name):
            help_ = say("to change what a base declares, write `replace` before it")
            if span.source in self.files and first.source not in self.files:
                # A parameter or counter of a later file; these are declared before all rules.
                first, span, help_ = span, first, say("choose another name")
                what = mark("parameter") if name in self.parameters else mark("counter")
            text = "there is already a '{name}'; this {what} needs another name"
            note = Note(say("the first one is here"), first)
            message = say(text, name=name, what=say(what))
            self.errors.error("defined-twice", message, span, note, help=help_)
            return False
        self.spans[name] = span
        return True

    def everything(self) -> Iterable[str]:
        """Return all names of the declarations, of the language and of the cards' values."""
        groups = self.parameters, self.zones, self.variables, self.functions
        language = NAMES, VARIABLES, NUMBERS_OF, FUNCTIONS, PARTNERS
        return chain(self.own, *groups, *language, self.pack.values)

    def unknown(
        self,
        what: str,
        name: str,
        span: Span,
        known: Iterable[str],
        of_rules: bool = False,
        of: str = "...",
    ) -> nodes.Const:
        """Report an unknown name; return a value that fits everywhere, see `mistake`.

        of_rules: whether it is the name of a rule or define that is replaced.
        of:       of what a function of that name can be asked.
        """
        help_ = (
            say("write `{spoken}`", spoken=say(word) if "`" in word else word)
            if (word := COMMON_WORDS.get(name)) and what != "rule"
            else did_you_mean(name, known)
        )
        if what == "type":
            meant = TYPE_WORDS.get(name.lower())
            names = ", ".join(f"`{one}`" for one in sorted({*known}))
            listing = say("the types are {names}", names=names)
            help_ = say("write `{spoken}`", spoken=meant) if meant else help_ or listing
        elif help_ is None and (what == "rule" or of_rules):
            help_ = say("`{command}` lists the rules", command="trutdsl show VARIANT")
        elif what == "function" and (name in self.zones or name in self.variables):
            help_ = say("say which: `{name}[{place}]`", name=name, place=of)
        elif what == "name" and (suit := self.pack.suit_names.get(name)):
            help_ = say('write `"{letter}"`', letter=suit)
        elif help_ is None and what == "variable":
            text = "write `let {name} = ...`, or declare it: `{name}: TYPE` below `deal state:`"
            help_ = say(text, name=name)
        elif re.fullmatch(r"(?:player|seat|team|joueur)_?\d|seats", name):
            help_ = say(
                "name a seat, such as `dealer` or `next_seat(dealer)`; seats have no numbers"
            )
        elif what == "name" and (name == "player" or (help_ is None and name in ("card", "side"))):
            help_ = say(
                "no parameter here is called '{name}', and those of other rules are unknown here",
                name=name,
            )
        elif help_ is None and what == "name" and name.istitle():  # a person
            text = "a seat has no name of a person: write {seats}"
            seats = "`dealer`, `on_lead`, `next_seat(dealer)`, `partner(player)`"
            help_ = say(text, seats=seats)
        asked = FUNCTIONS, PARTNERS, self.functions, self.pack.values
        if name not in COMMON_WORDS and any(name in functions for functions in asked):
            help_ = say("say of what: `{name}({of})`", name=name, of=of)
        message = say("there is no {what} '{name}'", what=say(what), name=name)
        return mistake(self.errors, message, span, help=help_, code="unknown-name")


BoundNames = dict[str, tuple[int, Type]]


@dataclass(frozen=True)
class UntypedParameter:
    """A parameter without a type: that of a rule or define, and which one of its parameters."""

    of: str
    number: int
    word: ast.Word


@dataclass
class Frame:
    """The names bound inside one rule or function, and their slots.

    origins:   the zone of a bound card. fixed_slots: the slots that no sentence may set.
    sets:      the set that a name goes through or is chosen from, where that is no zone.
    opponents: the call that gave a name the other teams, where it is one of `opponents(team)`.
    untyped:   the parameters without a type, which are seats.
    """

    names: Names
    bound: BoundNames = field(default_factory=dict)
    origins: dict[int, nodes.ZoneCards] = field(default_factory=dict)
    fixed_slots: set[int] = field(default_factory=set)
    sets: dict[int, ast.Expr] = field(default_factory=dict)
    opponents: dict[int, Span] = field(default_factory=dict)
    untyped: dict[int, UntypedParameter] = field(default_factory=dict)
    size: int = 0

    def bind(self, word: ast.Word, type_: Type, slot: int | None = None) -> int:
        """Return the slot of a name, else a new one; reports a name that is in use."""
        if word.text in self.bound:
            self._refuse(word, say("'{word}' is already in use here", word=word.text))
        elif word.text in RESERVED_WORDS:
            message = say("'{word}' is a word of the language", word=word.text)
            help_ = say("choose another name")
            self.names.errors.error("reserved-word", message, word.span, help=help_)
        elif word.text in VARIABLES or word.text in NAMES:
            self._refuse(word, say("'{word}' is already a name of the language", word=word.text))
        elif (first := self.names.spans.get(word.text)) and first.source is word.span.source:
            # A name of another file may be hidden, so that a base can get new names.
            message = say("'{word}' already means something else in this file", word=word.text)
            self._refuse(word, message, Note(say("here"), first))
        slot = self.slot() if slot is None else slot
        self.bound[word.text] = (slot, type_)
        return slot

    def _refuse(self, word: ast.Word, message: str, *notes: Note) -> None:
        help_ = say("choose another name")
        self.names.errors.error("defined-twice", message, word.span, *notes, help=help_)

    def slot(self) -> int:
        self.size += 1
        return self.size - 1

    @contextmanager
    def inner(self) -> Iterator[None]:
        """Forget the names bound within the block at its end."""
        outer = dict(self.bound)
        yield
        self.bound = outer


# Suggestions for a value of the wrong kind, or a card under another name.

LONGEST_SHOWN = 60  # letters of the rules that a message repeats
MOST_IN_TENS = 10 * MOST_IN_SET - 1
MOST_LISTED = 16  # cards, ranks or suits that a message lists


def help_for_no_set(element: Type) -> str:
    """Return the help for values of which there is no set: for numbers, how a set can hold them."""
    if isinstance(element, Number) and 0 < element.high - element.low <= MOST_IN_TENS:
        low, wide = element.low, element.high - element.low
        step = 1 if wide < MOST_IN_SET else 10
        offset = f"n {'-' if low > 0 else '+'} {abs(low)}" if low else "n"
        number = offset if step == 1 else f"({offset}) div 10" if low else "n div 10"
        return say(
            "a set holds numbers from 0 to 63: keep `{number}` of each n in a `set of 0 to {most}`",
            number=number,
            most=wide // step,
        )
    if isinstance(element, Element | SetOf) and isinstance(element.kind, Kind):
        return say("write `{spoken}`", spoken=f"set of {element.kind.value}")
    return say("a set holds numbers from 0 to 63, or up to 64 named values")


def of_other_kind(value: nodes.Expression, expected: Type) -> str | None:
    """Return the help for a value of another kind, such as a seat instead of its team."""
    phrase = value.span.text if len(value.span.text) <= LONGEST_SHOWN else "..."
    match value.type, expected:
        case Element(Kind.SEAT), Element(Kind.TEAM):
            return say("write `team({said})`", said=phrase)
        case SetOf(Kind() as kind), Element(other) if kind is other:
            one = {Kind.SEAT: "p", Kind.TEAM: "side", Kind.CARD: "c"}.get(kind, "x")
            first = f"first {one} in {phrase} where ..."
            if isinstance(value, nodes.ZoneCards):
                first = f"top({phrase})`, `{first}"
            text = "say which: `{first}`; of all of them, `for {one} in {said}:`"
            return say(text, first=first, one=one, said=phrase)
        case SetOf(Kind.CARD), Element(Kind.RANK | Kind.SUIT as kind):
            text = "say of which card: `{one}`, or `every c in {said} has {kind}(c) == ...`"
            return say(text, one=f"{kind.value}(top({phrase}))", said=phrase, kind=kind.value)
        case Element(Kind.CARD), Element(Kind.RANK | Kind.SUIT as kind):
            return say("write `{spoken}`", spoken=f"{kind.value}({phrase})")
        case SetOf(), Number():
            return say("write `{spoken}`", spoken=f"size({phrase})")
        case Element(Kind.TEAM), Element(Kind.SEAT):
            return say(
                "say which of its seats: `first s in seats_of({said}) where ...`", said=phrase
            )
        case Element(Kind.TEAM), SetOf(Kind.SEAT):
            return say("write `seats_of({said})`", said=phrase)
        case Number(), Element(Kind.TEAM):
            return say("name a team by a seat of it, such as `team(dealer)`; teams have no numbers")
        case Number(), Element(Kind.SEAT):
            return say(
                "name a seat, such as `dealer` or `next_seat(dealer)`; seats have no numbers"
            )
        case Element(_, True), YesNo():
            return say("write `{said} != none`", said=phrase)
        case SetOf(), YesNo():
            return say("write `{spoken}`", spoken=f"not empty({phrase})")
        case Number(), YesNo():
            return say("compare it, as in `{said} > 0`", said=phrase)
        case YesNo(), Number():
            return say("write `1 if {said} else 0`", said=phrase)
        case Element(Kind.RANK), Number() if phrase.startswith("rank("):
            return say("write `strength{said}`", said=phrase.removeprefix("rank"))
        case Element(Kind.CARD), Number():
            return say("write `strength({said})`", said=phrase)
        case Probability(), Number():
            return say("numbers are whole: count everything twice, or a hundred times")
    return None


def help_for_range(value: nodes.Expression) -> str | None:
    """Return the help for a number instead of a range or set in a loop."""
    if value.span.text == "players":
        return say("write `seats`")
    if isinstance(value.type, Element) and value.type.kind is Kind.TEAM:
        return say("write `seats_of({said})`", said=value.span.text)
    return (
        say("write `1 to {span}`", span=value.span.text) if isinstance(value.type, Number) else None
    )


def help_for_text(text: str, kind: Kind, pack: PackTexts) -> str | None:
    """Return the help for a text that no pack has: its name here, or all names."""
    known = pack.of(kind)
    letters_by_name = pack.suit_names
    meant = suit_meant_by(text, letters_by_name) if kind is Kind.SUIT else None
    if kind is Kind.RANK and RANK_WORDS.get(text.lower()) in known:
        meant = RANK_WORDS[text.lower()]
    if kind is Kind.CARD:
        meant = card_meant_by(text, known, letters_by_name)
    if meant:
        return say('write `"{letter}"`', letter=meant)
    rank, suit = (text[:-1], text[-1:]) if kind is Kind.CARD else (text, "")
    same = [other + suit for other in SAME_RANK.get(rank, "").split() if other + suit in known]
    letters = ", ".join(f"{letter} {name}" for name, letter in pack.suit_names.items())
    if same and kind is Kind.CARD and rank.isalpha() and rank != "A":
        # Users who call a king `R` may also use another letter for the suit.
        return say("did you mean '{same}'? The suits are {letters}", same=same[0], letters=letters)
    if same:
        return say("did you mean '{same}'?", same=same[0])
    ranks = pack.of(Kind.RANK)
    if kind is Kind.CARD and (rank in ranks or len(known) > MOST_LISTED):
        return say(
            "a card is a rank ({names}) and a suit ({letters})",
            names=", ".join(sorted(ranks)),
            letters=letters,
        )
    listing = (
        say("it has {names}", names=", ".join(sorted(known))) if len(known) <= MOST_LISTED else None
    )
    return did_you_mean(text, known) or listing
