"""Suggestions: what to write instead of a value of another kind, or a card of another name."""

from __future__ import annotations

from trutdsl.diagnostics import did_you_mean
from trutdsl.ir import nodes
from trutdsl.ir.build.scope import PackTexts
from trutdsl.ir.types import Element, Kind, Number, Probability, SetOf, Type, YesNo

SETS_OF = "a set holds numbers from 0 to 63, or up to 64 named values"
LONGEST_SHOWN = 60  # letters of the rules that a message repeats
MOST_LISTED = 16  # cards, ranks or suits that a message lists
SAME_RANK = {  # what a rank is called elsewhere: in English, French, Catalan and Spanish packs
    "1": "A As", "A": "1 As", "As": "A 1", "T": "10", "X": "10",
    "R": "K", "D": "Q", "V": "J", "K": "R", "Q": "D C", "J": "V S", "S": "J", "C": "Q",
}  # fmt: skip


def of_other_kind(value: nodes.Expression, wanted: Type) -> str | None:
    """Return the help where a seat stands for its team, or a team for its seats."""
    said = value.span.text if len(value.span.text) <= LONGEST_SHOWN else "..."
    match value.type, wanted:
        case Element(Kind.SEAT), Element(Kind.TEAM):
            return f"write `team({said})`"
        case Element(Kind.TEAM), Element(Kind.SEAT):
            return f"say which of its seats: `first s in seats_of({said}) where ...`"
        case Element(Kind.TEAM), SetOf(Kind.SEAT):
            return f"write `seats_of({said})`"
        case Element(_, True), YesNo():
            return f"write `{said} != none`"
        case Probability(), Number():
            return "numbers are whole: count everything twice, or a hundred times"
    return None


def gone_through(value: nodes.Expression) -> str | None:
    """Return the help where a number stands for what one goes through."""
    if value.span.text == "players":
        return "write `seats`"
    return f"write `1 to {value.span.text}`" if isinstance(value.type, Number) else None


def named_otherwise(text: str, kind: Kind, pack: PackTexts) -> str | None:
    """Return the help for what no pack has: what the same is called here, or what there is."""
    known = pack.of(kind)
    rank, suit = (text[:-1], text[-1:]) if kind is Kind.CARD else (text, "")
    same = [other + suit for other in SAME_RANK.get(rank, "").split() if other + suit in known]
    letters = ", ".join(f"{letter} {name}" for name, letter in pack.suit_names.items())
    if same and kind is Kind.CARD and rank.isalpha() and rank != "A":
        # Who calls a king `R` may mean another suit by the letter, too.
        return f"did you mean '{same[0]}'? The suits are {letters}"
    if same:
        return f"did you mean '{same[0]}'?"
    if kind is Kind.SUIT and text.lower() in pack.suit_names:
        return f'write `"{pack.suit_names[text.lower()]}"`'
    ranks = pack.of(Kind.RANK)
    if kind is Kind.CARD and (rank in ranks or len(known) > MOST_LISTED):
        return f"a card is a rank ({', '.join(sorted(ranks))}) and a suit ({letters})"
    listed = f"it has {', '.join(sorted(known))}" if len(known) <= MOST_LISTED else None
    return did_you_mean(text, known) or listed
