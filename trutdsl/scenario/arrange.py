"""Arranges the start and the chance of a scenario: given results, else those of a fixed seed."""

from __future__ import annotations

from collections.abc import Sequence

from trutdsl.diagnostics import Rejected, Span, reject
from trutdsl.game import Game
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk, walk_calls, walk_rules
from trutdsl.ir.transforms import DEAL_START, ENTRY, LEFT_OUT
from trutdsl.ir.types import Among, Kind
from trutdsl.language import say
from trutdsl.scenario.middle import Middle
from trutdsl.scenario.model import SEED, DealCards, Scenario
from trutdsl.scenario.places import read_card
from trutdsl.syntax.ast import Audience
from trutdsl.table.chance import Draw, StreamChance
from trutdsl.table.match import Match
from trutdsl.variant import Scalar
from trutdsl.variant.read_values import parse_integer

SPECIAL_ZONE = "kept_special"  # the zone of a seat's special card, and the name of its `setup`
NOTHING = DealCards({}, (), None, ())
MOVES = nodes.Draw | nodes.Move | nodes.MoveAll


def is_dealt(game: Game, draw: Draw) -> bool:
    """Return whether a card goes to a hand, or face down to a place of a seat that nobody sees."""
    zone = game.program.zones[draw.target]
    face_down = draw.seats > 0 and zone.audience is Audience.NOBODY
    return draw.target == "hand" or face_down


class ArrangedChance(StreamChance):
    """Deals the given hands in each deal, then gives the stock's cards in the given order.

    If some seat has a given hand, the others get cards that are not given elsewhere. A redeal
    begins when a pile holds a card again that was drawn from it in this deal.

    middle: the given state in the middle of a deal; None without one.
    """

    def __init__(self, game: Game, scenario: Scenario, middle: Middle | None = None) -> None:
        self.game, self.scenario, self.middle = game, scenario, middle
        self.random = list(scenario.start.random)
        self.missed: dict[int, Draw] = {}  # given card -> the draw that could not give it
        self.astray: tuple[Scalar, Draw] | None = None  # the first given draw that failed
        self.short: tuple[str, Span] | None = None  # the unused card of an earlier deal
        self.queue: list[int] = []
        self.drawn_cards: dict[
            tuple[str, int], set[int]
        ] = {}  # pile -> its cards drawn in this deal
        for deal in reversed(scenario.start.deals):
            for dealing in (*deal.redeals, deal):
                self._refuse_doubles(dealing)
                self._take(dealing)  # the first dealing of the first deal last
        self.redeals = list(scenario.start.redeals)
        self.part = 0
        super().__init__(SEED, 0)

    def _take(self, deal: DealCards) -> None:
        self.deal, self.astray = deal, None
        self.hands = {seat: [self._card(c) for c in cards] for seat, cards in deal.hands.items()}
        self.turned_card = self._card(deal.turned) if deal.turned is not None else None
        self.draws = [self._card(c) for c in deal.draws]
        self.queue = [self._card(c) for c in deal.stock] or self.queue
        longest = max((len(h) for h in self.hands.values()), default=0)
        seats = range(self.game.players)
        self.free_cards = {s: longest for s in seats if s not in self.hands and longest}

    # -------------------------------------------------------- called by the engine

    def start(self, part: int) -> None:
        """Begin another part of the match; a deal has its own cards."""
        super().start(part)
        self.part = part
        if part > 1:
            self.short = self.unused(begun=True)
            deals = self.scenario.start.deals
            deal = deals[part - 1] if part <= len(deals) else NOTHING
            self._take(deal)
            self.redeals = list(deal.redeals)
        self.drawn_cards.clear()

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        """Return the given card for this place, or one that is not given anywhere."""
        taken_cards = self.drawn_cards.setdefault((draw.origin, draw.place), set())
        if self.part and self.redeals and not taken_cards.isdisjoint(cards):
            self.short = self.short or self._undealt()
            self._take(self.redeals.pop(0))
            self.drawn_cards.clear()
        card = self._next_card(cards, draw)
        self.drawn_cards.setdefault((draw.origin, draw.place), set()).add(card)
        return card

    def _next_card(self, cards: Sequence[int], draw: Draw) -> int:
        if self.part and self.draws:
            if self.draws[0] in cards:
                return self.draws.pop(0)
            self.missed.setdefault(self.draws[0], draw)
            place = len(self.deal.draws) - len(self.draws)
            self.astray = self.astray or (self.deal.draws[place], draw)
        hand = self.hands.get(draw.at) if self.part and is_dealt(self.game, draw) else None
        if self.part and draw.face_up and self.turned_card in cards:
            card, self.turned_card = self.turned_card, None
            assert card is not None
            if hand and hand[0] == card:
                hand.pop(0)
            elif self._in_hands(card):
                raise self._doubled()
            return card
        if self.part and is_dealt(self.game, draw):
            if hand and hand[0] == self.turned_card:
                raise self._doubled()
            if hand and hand[0] in cards:
                return hand.pop(0)
            if hand:
                self.missed.setdefault(hand[0], draw)
            if self.free_cards.get(draw.at, 0) > 0:
                self.free_cards[draw.at] -= 1
                return self._free(cards)
        if self.queue and self.queue[0] in cards:
            return self.queue.pop(0)
        return self._free(cards)

    def number(self, low: int, high: int) -> int:
        """Return the next given result, or one from the seed."""
        scalar = self._next()
        if scalar is None:
            return super().number(low, high)
        value = parse_integer(scalar.text)
        if value is None or not low <= value <= high:
            raise self._no_such(scalar, say("a number from {low} to {high}", low=low, high=high))
        return value

    def element(self, elements: Sequence[int], kind: Among) -> int:
        """Return the next given element, by its text or its number, or one from the seed."""
        scalar = self._next()
        if scalar is None:
            return super().element(elements, kind)
        texts = {self.game.setting.text_of(kind, one): one for one in elements}
        value = texts.get(scalar.text)
        if value is None and kind is Kind.SUIT:
            value = self.game.deck.index_of(kind, scalar.text)
        if value is None and isinstance(kind, Kind):
            value = parse_integer(scalar.text)
        if value is None or value not in elements:
            raise self._no_such(scalar, say("one of {names}", names=", ".join(texts)))
        return value

    def yes(self, part: int, whole: int) -> bool:
        """Return the next given answer (true or false, 1 or 0), or one from the seed."""
        scalar = self._next()
        if scalar is None:
            return super().yes(part, whole)
        answers = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
        if scalar.text not in answers:
            raise self._no_such(scalar, say("true or false"))
        return answers[scalar.text]

    def settle(self, name: str, match: Match) -> bool:
        """Put the place of a `setup` block into its given state; return whether there is one."""
        start = self.scenario.start
        if self.middle is not None and name == ENTRY:
            return self.middle.enter()
        if self.middle is not None and name == LEFT_OUT:
            return self.middle.leave_out_deal(match)
        if self.middle is not None and name == DEAL_START:
            self.middle.begin_deal(match)
        if self.middle is not None and self.middle.settle(name, match):
            return True
        if name == "dealer" and start.dealer is not None:
            match.set_values("dealer", [start.dealer])
            return True
        if name == SPECIAL_ZONE and start.special_cards:
            self._keep(match)
            return True
        return False

    def _keep(self, match: Match) -> None:
        """Give each seat its special card; a seat without one gets one named in the deal, or any.

        Raises `Rejected` for a card that no seat could choose.
        """
        program, special_cards = self.game.program, self.scenario.start.special_cards
        origins = sources(program, SPECIAL_ZONE)
        places = (
            (zone, at)
            for zone in origins
            for at in range(self.game.setting.count(program.zones[zone].index))
        )
        left = sorted(card for zone, at in places for card in match.cards(zone, at))
        card_of_seat: dict[int, int] = {}
        for seat, text in special_cards.items():
            card = self._card(text)
            if card in card_of_seat.values():
                message = say("'{text}' is kept by two seats", text=text.text)
                raise reject("duplicate-card", message, text.span)
            if card not in left:
                form = "'{text}' cannot be kept; one of {texts} can"
                if not left:
                    form = "'{text}' cannot be kept; with these parameters no card can"
                message = say(form, text=text.text, texts=self._texts(left))
                advice = "parameters decide it: {names}; `trutdsl show {name}` explains them"
                names = ", ".join(parameters_of_moves(program, origins))
                help_ = say(advice, names=names, name=self.game.ref) if names else None
                raise reject("bad-scenario", message, text.span, help=help_)
            card_of_seat[seat] = card
        left = [card for card in left if card not in card_of_seat.values()]
        given_cards = [self._card(text) for text in cards_of(self.scenario.start.deals[0])]
        for seat in range(self.game.players):
            if seat not in card_of_seat and left:
                cards = [card for card in given_cards if card in left]
                card_of_seat[seat] = cards[0] if cards else super().element(left, Kind.CARD)
                left.remove(card_of_seat[seat])
        for seat, card in sorted(card_of_seat.items()):
            match.lay(card, SPECIAL_ZONE, seat)

    def unused(self, begun: bool) -> tuple[str, Span] | None:
        """Describe the first given card that was never dealt, or redeal that never came.

        begun: whether the deal has begun; if not, its cards may still come.
        """
        if not begun and not (self.part and self.drawn_cards):
            return self.short
        result = self.short or self._undealt()
        if result is None and self.redeals:
            redeal = self.redeals[0]
            for card in (*cards_of(redeal), *redeal.draws):
                return say(
                    "no redeal came: no drawn card was shuffled into its pile again; cards that "
                    "come off the rest of the pack stand in `stock`"
                ), card.span
        return result

    def _undealt(self) -> tuple[str, Span] | None:
        """Describe the first given card that was not dealt or turned up; None without one."""
        deal = self.deal
        for seat, hand in self.hands.items():
            if hand:
                place = len(deal.hands[seat]) - len(hand)
                span, left = deal.hands[seat][place].span, self._texts(hand)
                result = say(
                    "seat {seat} was dealt fewer cards than its hand lists: {left}",
                    seat=seat,
                    left=left,
                )
                if place == 0 and hand[0] not in self.missed:
                    result = say(
                        "seat {seat} was dealt no cards before `actions` ended; given: {left}",
                        seat=seat,
                        left=left,
                    )
                return result + self._why(hand[0]), span
        if self.draws and self.astray is not None:
            text, draw = self.astray
            return say(
                "{text} is not in {where}, which is drawn from then",
                text=text.text,
                where=self._where(draw),
            ), text.span
        if self.draws:
            span = deal.draws[len(deal.draws) - len(self.draws)].span
            return say("never drawn: {texts}", texts=self._texts(self.draws)), span
        if self.turned_card is not None and deal.turned is not None:
            return say("no card was turned up, but `turned` gives one"), deal.turned.span
        return None

    def _where(self, draw: Draw) -> str:
        """Return the text of the place that a card is drawn from."""
        index = self.game.program.zones[draw.origin].index
        if index is None:
            return draw.origin
        return f"{draw.origin}[{self.game.setting.text_of(index, draw.place)}]"

    def _texts(self, cards: Sequence[int]) -> str:
        return ", ".join(self.game.deck.texts[card] for card in cards)

    def _why(self, card: int) -> str:
        if card not in self.missed:
            return ""
        text = "; {texts} could not be drawn from '{origin}'"
        return say(text, texts=self._texts([card]), origin=self.missed[card].origin)

    # -------------------------------------------------------- details

    def _free(self, cards: Sequence[int]) -> int:
        reserved = {c for hand in self.hands.values() for c in hand} | set(self.queue)
        if self.turned_card is not None:
            reserved.add(self.turned_card)
        free = [c for c in cards if c not in reserved] if self.part else list(cards)
        return super().element(free or cards, Kind.CARD)

    def _next(self) -> Scalar | None:
        return self.random.pop(0) if self.random else None

    def _card(self, text: Scalar) -> int:
        return read_card(self.game, text)

    def _refuse_doubles(self, deal: DealCards) -> None:
        seen: set[str] = set()
        for text in cards_of(deal):
            if text.text in seen:
                raise _doubled_card(text)
            seen.add(text.text)

    def _in_hands(self, card: int) -> bool:
        return any(card in hand for hand in self.hands.values())

    def _doubled(self) -> Rejected:
        """Return the error for a turned-up card that a hand lists, but was not turned up into."""
        assert self.deal.turned is not None
        help_ = say("remove it from the hand, or remove `turned`: a card is dealt only once")
        return _doubled_card(self.deal.turned, help_)

    def _no_such(self, scalar: Scalar, expected: str) -> Rejected:
        message = say(
            "chance gives {wanted} here, not '{given}'", wanted=expected, given=scalar.text
        )
        return reject("bad-random", message, scalar.span)


def _doubled_card(text: Scalar, help_: str | None = None) -> Rejected:
    message = say("'{text}' lies in two places", text=text.text)
    return reject("duplicate-card", message, text.span, help=help_)


def cards_of(deal: DealCards) -> list[Scalar]:
    """Return the cards that a deal names: in hands, in the stock, turned up.

    A turned-up card that a hand lists, too, is named once: it may be turned up into that hand.
    """
    held = [card for hand in deal.hands.values() for card in hand]
    turned = deal.turned
    if turned is None or turned.text in {card.text for card in held}:
        return [*held, *deal.stock]
    return [*held, *deal.stock, turned]


def sources(program: nodes.Program, name: str) -> list[str]:
    """Return the zones from which a `setup` takes cards, in that order."""
    setups = (one.body for one in walk_rules(program, nodes.Setup) if one.name == name)
    parts = walk_calls(program, *setups)
    return list(dict.fromkeys(part.origin.name for part in parts if isinstance(part, MOVES)))


def parameters_of_moves(program: nodes.Program, zones: Sequence[str]) -> list[str]:
    """Return the parameters on which it depends what is moved from these zones."""
    return sorted(
        {
            part.name
            for block in walk_rules(program, nodes.For, nodes.If)
            if any(isinstance(one, MOVES) and one.origin.name in zones for one in walk(block))
            for part in walk_calls(program, block)
            if isinstance(part, nodes.Parameter)
        }
    )
