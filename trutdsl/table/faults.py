"""Run-time errors: rules or scripts that reach an impossible step, with the state and a cure."""

from __future__ import annotations

from trutdsl.diagnostics import Diagnostic, Note, Rejected, Span
from trutdsl.ir import Program, nodes
from trutdsl.ir.types import Kind, Type, describe_type
from trutdsl.language import mark, say
from trutdsl.table.match import Position
from trutdsl.table.setting import Setting

MOST_CARDS = 10
LONGEST_WORDS = 40
# What to write instead: by the code of the error, or by what was tried if a code has several cures.
CURES = {
    "nobody": mark("where it may be none, write `if let x = ...:` before"),
    "no-option": mark("give the question an option without `when`, such as `pass`"),
    "no-choice": mark("ask only if there is something to choose, or add an option such as `pass`"),
    "no-card": mark("ask before whether there is one, such as `if size(ZONE) > 0:`"),
    "elsewhere": mark("ask before whether it lies there, such as `if CARD in ZONE:`"),
    "nothing": mark("ask before whether there is anything, such as `if not empty(...):`"),
    "no-number": mark("put the smaller number first, and compare the two before"),
    "no-chance": mark("write `chance A out of B` with an A from 0 to B"),
    "out-of-range": mark("declare a wider range, or check the number before"),
    "too-large-a-number": mark("give it a type with wider bounds, as in `let x: 0 to 4000000000`"),
    "below-its-minimum": mark("declare the counter with a lower `min: -N`, or check it before"),
    "no-room": mark("declare the zone with a greater `up to N cards`, or take cards away before"),
    "no-end": mark("end it in every case, also after its last line"),
    "unknown-order": mark("take cards from a shuffled pile by `draw`"),
    "no-pile": mark("declare the zone as a `pile`, or choose a card, such as `first c in ZONE`"),
    "same-option": mark("give the options different words"),
    "two-places": mark("let only one zone start with these cards"),
    "too-long": mark("let loops inside one another go through fewer things"),
    "turns": mark("let the loop run less often, or give its number narrower bounds"),
    "repeated": mark("allow `again` only a few times, as in `raise when raises < 3: ... again`"),
    "no-new-deal": mark("end the deal or the match after some answers"),
    "far-numbers": mark("give the numbers of the choice closer bounds"),
}


class PolicyError(Exception):
    """A strategy's script failed at a place, when this seat was asked."""

    def __init__(self, diagnostic: Diagnostic, seat: int) -> None:
        super().__init__(f"{diagnostic.span}: {diagnostic.message}")
        self.diagnostic, self.seat = diagnostic, seat

    def __reduce__(self) -> tuple[type[PolicyError], tuple[Diagnostic, int]]:
        return PolicyError, (self.diagnostic, self.seat)


class RuleError(Rejected):
    """Rules failed at a sentence of a rule, in this state of the match."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__([diagnostic])
        self.diagnostic = diagnostic


def none_message(span: Span, expected: Type) -> str:
    """Return the message for a value that is none, in the words of the rule if they are short."""
    what = describe_type(expected)
    if 0 < len(span.text) <= LONGEST_WORDS:
        return say("'{name}' is none, expected {what}", name=span.text, what=what)
    return say("found none, expected {what}", what=what)


def rule_error(
    code: str,
    message: str,
    span: Span,
    state: str | None,
    place: str | None,
    cure: str | None = None,
) -> RuleError:
    """Return the error for an impossible step of the rules.

    state: see `describe_state`; None if it is not reliable. cure: a key of `CURES`, else the code.
    """
    notes = () if state is None else (Note(say("at this point: {state}", state=state)),)
    help = CURES.get(cure or code)
    return RuleError(Diagnostic(code, message, span, notes, help and say(help), place))


def describe_state(match: Position, program: Program, setting: Setting) -> str:
    """Return a line for messages: deal, dealer, counters, zones of at most `MOST_CARDS` cards.

    Deals, players and teams count from 1.
    """
    texts = setting.deck.texts
    dealer = match.values("dealer")[0]
    text = "deal {deal}, dealer player {dealer}"
    if not match.deals:
        text = "no deal has begun, dealer player {dealer}"
    parts = [say(text, deal=match.deals, dealer=dealer + 1)]
    counters = match.counters().items()  # those with a colon count for the program itself
    parts += [f"{name} {list(values)}" for name, values in counters if ":" not in name]
    for zone in program.zones.values():
        for i in range(setting.count(zone.index)):
            cards = match.cards(zone.name, i)
            if 0 < len(cards) <= MOST_CARDS:
                parts.append(f"{_place(zone, i)} " + " ".join(texts[c] for c in cards))
    return ", ".join(parts)


def _place(zone: nodes.Zone, number: int) -> str:
    """Return the name of one place of a zone."""
    if zone.index is None:
        return zone.name
    if zone.index is Kind.SEAT:
        return say("{zone} of player {number}:", zone=zone.name, number=number + 1)
    if zone.index is Kind.TEAM:
        return say("{zone} of team {number}:", zone=zone.name, number=number + 1)
    return f"{zone.name}[{number}]"
