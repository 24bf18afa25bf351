"""The past of a deal that strategies can ask for, and the names of the variables that keep it."""

from __future__ import annotations

from dataclasses import dataclass, field

from trutdsl.ir import nodes
from trutdsl.ir.intervals import hull
from trutdsl.ir.types import Element, Number, Type
from trutdsl.ir.walk import walk

MOST_TIMES = 5_000  # that something is said in a deal
SHOWN = "history:shown"
Words = tuple[str, ...]


@dataclass
class Past:
    """What is asked of the deal so far.

    said:      the words of options; shown: whether it is asked what all have seen.
    announced: of what is announced as these words, the value (`announced`), or whether (`heard`).
    players:   how many there are at most.
    """

    said: set[Words] = field(default_factory=set)
    shown: bool = False
    announced: set[tuple[str, str]] = field(default_factory=set)
    players: int = 0

    def __or__(self, other: Past) -> Past:
        """Return what one or the other asks for."""
        return Past(
            self.said | other.said,
            self.shown or other.shown,
            self.announced | other.announced,
            max(self.players, other.players),
        )


def said_name(words: Words) -> str:
    """Return the name of the variable that counts how often each seat chose an option."""
    return "history:said " + " ".join(words)


def announced_name(word: str, words: str, speaker: int | None) -> str:
    """Return the name of the variable that keeps for each seat what it heard somebody announce."""
    return f"history:{word} {words}" + ("" if speaker is None else f" by {speaker}")


def held(type_: Type) -> Type:
    """Return the type of what keeps such values: there may be none yet."""
    return Element(type_.kind, True) if isinstance(type_, Element) else type_


def announced_types(program: nodes.Program) -> dict[str, Type | None]:
    """Return what rules announce, as what and of which type; None if that differs."""
    found: dict[str, Type | None] = {}
    for rule in program.rules.values():
        for node in walk(rule.body):
            if isinstance(node, nodes.Announce):
                of = held(node.type)
                before = found.get(node.words, of)
                if isinstance(of, Number) and isinstance(before, Number):
                    found[node.words] = hull(of, before)
                else:
                    found[node.words] = of if before == of else None
    return found
