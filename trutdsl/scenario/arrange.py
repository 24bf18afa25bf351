"""Chance as a scenario gives it, and from a fixed seed where it gives nothing."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.diagnostics import Rejected, Span, reject
from trutdsl.game import Game
from trutdsl.ir import nodes
from trutdsl.ir.transforms import ENTRY
from trutdsl.ir.types import Among, Kind
from trutdsl.ir.walk import walk
from trutdsl.scenario.middle import Middle
from trutdsl.scenario.model import DealCards, Scenario
from trutdsl.scenario.places import read_card
from trutdsl.table import Draw, Match, StreamChance
from trutdsl.variant import Scalar
from trutdsl.variant.read_values import parse_integer

SEED = 0
KEPT = "kept_special"  # the zone of a seat's special card, and the name of its `setup`
NOTHING = DealCards({}, (), None, ())


class ArrangedChance(StreamChance):
    """Deals the given hands in each deal, then gives the stock's cards in the given order.

    A seat without a given hand gets cards that are not given elsewhere, if another has one.

    middle: what is put in place when play comes to where the scenario begins; None for nothing.
    """

    def __init__(self, game: Game, scenario: Scenario, middle: Middle | None = None) -> None:
        self.game, self.scenario, self.middle = game, scenario, middle
        self.random = list(scenario.start.random)
        self.missed: dict[int, Draw] = {}  # card of a hand or of all draws -> where it was not
        self.astray: tuple[Scalar, Draw] | None = None  # the first of all draws that was not there
        self.short: tuple[str, Span] | None = None  # what was not dealt in an earlier deal
        self.queue: list[int] = []
        for given in reversed(scenario.start.deals):
            self._refuse_doubles(given)
            self._take(given)  # that of the first deal last
        self.part = 0
        super().__init__(SEED, 0)

    def _take(self, given: DealCards) -> None:
        """Go on to the cards of a deal."""
        self.given, self.astray = given, None
        self.hands = {seat: [self._card(c) for c in cards] for seat, cards in given.hands.items()}
        self.turned = self._card(given.turned) if given.turned is not None else None
        self.draws = [self._card(c) for c in given.draws]
        self.queue = [self._card(c) for c in given.stock] or self.queue
        longest = max((len(h) for h in self.hands.values()), default=0)
        seats = range(self.game.players)
        self.others = {s: longest for s in seats if s not in self.hands and longest}

    # -------------------------------------------------------- as the engine asks

    def start(self, part: int) -> None:
        """Turn to another part of the match, with its own cards if it is a deal."""
        super().start(part)
        self.part = part
        if part > 1:
            self.short = self.unused()
            deals = self.scenario.start.deals
            self._take(deals[part - 1] if part <= len(deals) else NOTHING)

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        """Return the given card for this place, or one that is given nowhere."""
        if self.part and self.draws:
            if self.draws[0] in cards:
                return self.draws.pop(0)
            self.missed.setdefault(self.draws[0], draw)
            place = len(self.given.draws) - len(self.draws)
            self.astray = self.astray or (self.given.draws[place], draw)
        if self.part and draw.face_up and self.turned in cards:
            card, self.turned = self.turned, None
            assert card is not None
            return card
        if self.part and draw.target == "hand":
            hand = self.hands.get(draw.at)
            if hand and hand[0] in cards:
                return hand.pop(0)
            if hand:
                self.missed.setdefault(hand[0], draw)
            if self.others.get(draw.at, 0) > 0:
                self.others[draw.at] -= 1
                return self._free(cards)
        if self.queue and self.queue[0] in cards:
            return self.queue.pop(0)
        return self._free(cards)

    def number(self, low: int, high: int) -> int:
        """Return the next given result, or one by the seed."""
        given = self._next()
        if given is None:
            return super().number(low, high)
        value = parse_integer(given.text)
        if value is None or not low <= value <= high:
            raise self._no_such(given, f"a number from {low} to {high}")
        return value

    def element(self, elements: Sequence[int], kind: Among) -> int:
        """Return the next given element, by its text or its number, or one by the seed."""
        given = self._next()
        if given is None:
            return super().element(elements, kind)
        texts = {self.game.setting.text_of(kind, one): one for one in elements}
        value = texts.get(given.text)
        if value is None and kind is Kind.SUIT:
            value = self.game.deck.index_of(kind, given.text)
        if value is None and isinstance(kind, Kind):
            value = parse_integer(given.text)
        if value is None or value not in elements:
            raise self._no_such(given, f"one of {', '.join(texts)}")
        return value

    def yes(self, part: int, whole: int) -> bool:
        """Return the next given answer (true or false, 1 or 0), or one by the seed."""
        given = self._next()
        if given is None:
            return super().yes(part, whole)
        answers = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
        if given.text not in answers:
            raise self._no_such(given, "true or false")
        return answers[given.text]

    def settle(self, name: str, match: Match) -> bool:
        """Put what a `setup` block settles in its given state; tell whether it is given."""
        start = self.scenario.start
        if self.middle is not None and name == ENTRY:
            return self.middle.enter()
        if self.middle is not None and self.middle.settle(name, match):
            return True
        if name == "dealer" and start.dealer is not None:
            match.set_values("dealer", [start.dealer])
            return True
        if name == KEPT and start.kept:
            self._keep(match)
            return True
        return False

    def _keep(self, match: Match) -> None:
        """Give each seat its special card; who is given none gets one that the deal names, or any.

        Raises `Rejected` for a card that no seat could choose.
        """
        program, kept = self.game.program, self.scenario.start.kept
        places = (
            (zone, at)
            for zone in sources(program, KEPT)
            for at in range(self.game.setting.count(program.zones[zone].index))
        )
        left = sorted(card for zone, at in places for card in match.cards(zone, at))
        chosen: dict[int, int] = {}
        for seat, text in kept.items():
            card = self._card(text)
            if card in chosen.values():
                raise reject("duplicate-card", f"'{text.text}' is kept by two seats", text.span)
            if card not in left:
                message = f"'{text.text}' cannot be kept; one of {self._texts(left)} can"
                raise reject("bad-scenario", message, text.span)
            chosen[seat] = card
        left = [card for card in left if card not in chosen.values()]
        named = [self._card(text) for text in cards_of(self.scenario.start.deals[0])]
        for seat in range(self.game.players):
            if seat not in chosen and left:
                wanted = [card for card in named if card in left]
                chosen[seat] = wanted[0] if wanted else super().element(left, Kind.CARD)
                left.remove(chosen[seat])
        for seat, card in sorted(chosen.items()):
            match.lay(card, KEPT, seat)

    def unused(self) -> tuple[str, Span] | None:
        """Return which given card was never dealt or turned up, in words, or None if all were."""
        given = self.given
        if self.short is not None:
            return self.short
        for seat, hand in self.hands.items():
            if hand:
                place = len(given.hands[seat]) - len(hand)
                span, left = given.hands[seat][place].span, self._texts(hand)
                found = f"seat {seat} was dealt fewer cards than its hand lists: {left}"
                return found + self._why(hand[0]), span
        if self.draws and self.astray is not None:
            text, draw = self.astray
            return f"{text.text} is not in {self._where(draw)}, which is drawn from then", text.span
        if self.draws:
            span = given.draws[len(given.draws) - len(self.draws)].span
            return f"never drawn: {self._texts(self.draws)}", span
        if self.turned is not None and given.turned is not None:
            return "no card was turned up, but `turned` gives one", given.turned.span
        return None

    def _where(self, draw: Draw) -> str:
        """Return the place that a card is drawn from, as it is written."""
        index = self.game.program.zones[draw.origin].index
        if index is None:
            return draw.origin
        return f"{draw.origin}[{self.game.setting.text_of(index, draw.place)}]"

    def _texts(self, cards: Sequence[int]) -> str:
        return ", ".join(self.game.deck.texts[card] for card in cards)

    def _why(self, card: int) -> str:
        if card not in self.missed:
            return ""
        return f"; {self._texts([card])} could not be drawn from '{self.missed[card].origin}'"

    # -------------------------------------------------------- details

    def _free(self, cards: Sequence[int]) -> int:
        reserved = {c for hand in self.hands.values() for c in hand} | set(self.queue)
        if self.turned is not None:
            reserved.add(self.turned)
        free = [c for c in cards if c not in reserved] if self.part else list(cards)
        return super().element(free or cards, Kind.CARD)

    def _next(self) -> Scalar | None:
        return self.random.pop(0) if self.random else None

    def _card(self, text: Scalar) -> int:
        return read_card(self.game, text)

    def _refuse_doubles(self, given: DealCards) -> None:
        seen: set[str] = set()
        for text in cards_of(given):
            if text.text in seen:
                raise reject("duplicate-card", f"'{text.text}' lies in two places", text.span)
            seen.add(text.text)

    def _no_such(self, given: Scalar, wanted: str) -> Rejected:
        return reject("bad-random", f"chance gives {wanted} here, not '{given.text}'", given.span)


def cards_of(given: DealCards) -> list[Scalar]:
    """Return the cards that a deal names by their places: in hands, in the stock, turned up."""
    cards = [*(card for hand in given.hands.values() for card in hand), *given.stock]
    return [*cards, given.turned] if given.turned is not None else cards


def sources(program: nodes.Program, name: str) -> list[str]:
    """Return the zones from which a `setup` takes cards, in the order in which it does."""
    found: dict[str, None] = {}
    done: set[str] = set()
    left = [
        node.body
        for rule in program.rules.values()
        for node in walk(rule.body)
        if isinstance(node, nodes.Setup) and node.name == name
    ]
    while left:
        for node in walk(left.pop(0)):
            if isinstance(node, nodes.Draw | nodes.Move | nodes.MoveAll):
                found.setdefault(node.origin.name)
            elif isinstance(node, nodes.Do) and node.rule not in done:
                done.add(node.rule)
                left.append(program.rules[node.rule].body)
    return list(found)
