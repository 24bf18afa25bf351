"""Flow through cards: what is seen when they change their place, what decides where they lie."""

from __future__ import annotations

from typing import assert_never

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.flow.expressions import ValueFlow
from trutdsl.ir.flow.labels import (
    EVERYBODY,
    PUBLIC,
    UNKNOWN,
    Control,
    Key,
    Label,
    Movement,
    Readers,
    hidden_from,
)
from trutdsl.ir.flow.rule_flow import NAMES, Leaks
from trutdsl.ir.flow.state import Binding, Env

SIZES = f"this rests on {NAMES}, which not all may see, but how many cards lie where is seen by all"
CONTENT = f"this rests on {NAMES}, which somebody who sees these cards may not see"
LATER = f"this rests on {NAMES}, which not all may see, and would show once these cards are seen"
WIDER = f"this shows cards of {NAMES} to more than may see them there"
WIDER_HELP = "write `openly` at its end if whoever may see '{target}' is to see them"

Cards = nodes.Draw | nodes.Move | nodes.MoveAll | nodes.Swap | nodes.Gather | nodes.Shuffle


def check_cards(
    node: Cards, env: Env, control: Control, values: ValueFlow, leaks: Leaks
) -> Movement:
    """Report what a change of cards would show to those who may not see it; return the change."""
    cards = _Cards(env, control, values, leaks)
    cards.check(node)
    return Movement(frozenset(cards.left), frozenset(cards.in_turn))


class _Cards:
    """One change of cards; `left` and `in_turn` are those of its `Movement`."""

    def __init__(self, env: Env, control: Control, values: ValueFlow, leaks: Leaks) -> None:
        self.env, self.control, self.values, self.leaks = env, control, values, leaks
        self.left, self.in_turn = set[str](), set[str]()

    def check(self, node: Cards) -> None:
        match node:
            case nodes.Draw(span, origin, target, face_up, slot):
                _, _, index = self._sizes(span, origin, target)
                self.left.add(origin.name)
                if slot is not None:
                    shown = PUBLIC if face_up else self.values.own(target.name, index, self.env)
                    self.env.locals[slot] = Binding(self.values.atoms.fresh(), shown)
            case nodes.Move(span, card, origin, target):
                own, readers, index = self._sizes(span, origin, target)
                seen = self.values.readers(target.name, index) is EVERYBODY
                self._goes(span, card, origin, own, readers, seen)
            case nodes.MoveAll(span, origin, target, _, _, openly):
                own, _, index = self._sizes(span, origin, target)
                self.left.add(origin.name)
                if not openly:
                    self._wider(span, own, self.values.readers(target.name, index), target.name)
            case nodes.Gather(span, names, start, target, openly):
                _, _, index = self._sizes(span, target, target)
                readers = self.values.readers(target.name, index)
                order = self.values.label(start, self.env)
                self._add(LATER, span, hidden_from(order, EVERYBODY), start)
                self.left.update(names)
                for name in names if not openly else ():
                    if name != target.name or index is not None:
                        left = self.values.own(name, UNKNOWN, self.env)
                        self._wider(span, left, readers, target.name)
            case nodes.Swap(span, card, origin, other, target):
                self._swap(span, card, origin, other, target)
            case nodes.Shuffle(span, zone):
                _, _, where = self._place(zone)
                found = hidden_from(where | set(self.control), EVERYBODY)
                self._add(LATER, span, found, zone.index)
            case _:
                assert_never(node)

    def _place(self, zone: nodes.ZoneCards) -> tuple[Key | None, Readers, Label]:
        """Return a place's key, who sees it, and the secrets that decide which place it is."""
        if zone.index is None:
            return None, self.values.readers(zone.name, None), PUBLIC
        of = self.values.of(zone.index, self.env)
        return of.key, self.values.readers(zone.name, of.key), of.label

    def _sizes(
        self, span: Span, origin: nodes.ZoneCards, target: nodes.ZoneCards
    ) -> tuple[Label, Readers, Key | None]:
        """Check that all may know from where to where cards go.

        Return the secret in the origin, who sees the origin, and the key of the target.
        """
        key, readers, here = self._place(origin)
        index, _, there = self._place(target)
        found = hidden_from(here | there | set(self.control), EVERYBODY)
        self._add(SIZES, span, found, origin.index if here else target.index)
        return self.values.own(origin.name, key, self.env), readers, index

    def _goes(
        self,
        span: Span,
        card: nodes.Expression,
        origin: nodes.ZoneCards,
        own: Label,
        readers: Readers,
        seen: bool,
    ) -> None:
        """Check what decides which card goes, and whether it goes to where all see it.

        What lies in a place may decide it: a card that is shown later shows where it came from.
        So may the seat that picks it in an option, if all who see the place may know the choice.
        Nothing else may, for it would show with the card.
        """
        of = self.values.of(card, self.env)
        rest = frozenset(
            secret
            for secret in of.label
            if not any(secret.of_same_place(one) for one in own)
            or (secret.shrunk and not of.in_turn)
        )
        if of.picked:
            # Those whom the place may have been revealed to see which card leaves it, too.
            seeing = {shown.reader for shown in self.env.shown if shown.name == origin.name}
            others = frozenset(reader for reader in seeing if reader is not None)
            readers = None if readers is None or None in seeing else readers | others
            self._add(CONTENT, span, hidden_from(rest, readers), card)
        else:
            self._add(LATER, span, hidden_from(rest, EVERYBODY), card)
        selected = of.label and not rest
        if not (selected and seen):
            (self.in_turn if selected and of.in_turn else self.left).add(origin.name)

    def _swap(
        self,
        span: Span,
        card: nodes.Expression,
        origin: nodes.ZoneCards,
        other: nodes.Expression,
        target: nodes.ZoneCards,
    ) -> None:
        key, here, one = self._place(origin)
        index, there, two = self._place(target)
        found = hidden_from(one | two | set(self.control), EVERYBODY)
        self._add(LATER, span, found, origin.index if one else target.index)
        own = self.values.own(origin.name, key, self.env)
        theirs = self.values.own(target.name, index, self.env)
        self._goes(span, card, origin, own, here, seen=there is EVERYBODY)
        self._goes(span, other, target, theirs, there, seen=here is EVERYBODY)

    def _wider(self, span: Span, own: Label, readers: Readers, target: str) -> None:
        help_ = WIDER_HELP.format(target=target)
        self.leaks.error("leak", WIDER, span, hidden_from(own, readers), {}, help_)

    def _add(
        self,
        message: str,
        span: Span,
        secrets: Label,
        value: nodes.Expression | None,
    ) -> None:
        self.leaks.error("leak", message, span, secrets, self.control, value=value)
