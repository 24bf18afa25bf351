"""Writes a recorded deal as a scenario."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import BadUsage, Failure, Rejected, Source
from trutdsl.game import DealStart, Game, Question, State
from trutdsl.ir.types import Among, Kind, OneOf
from trutdsl.language import say
from trutdsl.scenario.arrange import SPECIAL_ZONE, is_dealt
from trutdsl.scenario.places import plain
from trutdsl.scenario.read import parse_scenarios
from trutdsl.scenario.run import run_scenario
from trutdsl.table.chance import Draw, StreamChance
from trutdsl.transcript.events import RecordedMatch
from trutdsl.transcript.replay import load_recorded

PLAIN_TEXT = re.compile(r"[^\W_][\w+/.-]*(?: [\w+/.]+)*")
HERE = Path("scenario.yaml")  # the future place of the scenario, for the paths in it


@dataclass
class _Part:
    """Actions and chance before the first deal, or in a deal."""

    actions: list[tuple[int, str]] = field(default_factory=list)
    draws: list[tuple[str, Draw]] = field(default_factory=list)
    random: list[str] = field(default_factory=list)


class _Watched(StreamChance):
    """The chance of a seed; records its results."""

    def __init__(self, game: Game, seed: int, match: int) -> None:
        self.game, self.parts = game, [_Part()]
        super().__init__(seed, match)
        self.parts = [_Part()]

    def start(self, part: int) -> None:
        super().start(part)
        if part:
            self.parts.append(_Part())

    def card(self, cards: Sequence[int], draw: Draw) -> int:
        card = super().card(cards, draw)
        self.parts[-1].draws.append((self.game.deck.texts[card], draw))
        return card

    def number(self, low: int, high: int) -> int:
        number = super().number(low, high)
        self.parts[-1].random.append(str(number))
        return number

    def element(self, elements: Sequence[int], kind: Among) -> int:
        element = super().element(elements, kind)
        is_text = kind is Kind.CARD or isinstance(kind, OneOf)
        text = self.game.setting.text_of(kind, element) if is_text else str(element)
        self.parts[-1].random.append(text)
        return element

    def yes(self, part: int, whole: int) -> bool:
        happened = super().yes(part, whole)
        self.parts[-1].random.append(plain(happened))
        return happened


def record_scenario(record: RecordedMatch, deal: int, name: str = "") -> str:
    """Return a deal of a recorded match as a scenario, which passes when it is played.

    name: of the scenario, by default from the variant, the match and the deal.
    Raises `BadUsage` for a deal that does not exist, `Rejected` if the match cannot be played, and
    `Failure` if no scenario can describe the deal.
    """
    game, first = load_recorded(record), record.events[0]
    chance = _Watched(game, first["seed"], first["match"])
    state = game.start(first["seed"], first["match"], chance=chance)
    start = state.to_dict()
    for text in [*record.actions, None]:
        while isinstance(state.pending, DealStart) and state.deals <= deal:
            start = state.to_dict()
            state.next_deal()
        question = state.pending
        if state.deals > deal + 1 or not isinstance(question, Question) or text is None:
            break
        texts = question.texts
        if text not in texts:
            raise BadUsage(
                say("the transcript cannot be played again; see `trutdsl replay --verify`")
            )
        chance.parts[-1].actions.append((question.seat, text))
        state.apply(texts.index(text))
        if state.deals > deal and not isinstance(state.pending, Question):
            break
    if state.deals <= deal:
        text = (
            "there is no deal {deal} in match {match}; its deals are 1 to {last}"
            if state.deals
            else "there is no deal {deal} in match {match}; it has none"
        )
        raise BadUsage(say(text, deal=deal + 1, match=first["match"] + 1, last=state.deals))
    deal_record = _ScenarioDeal(
        game, state, start, chance.parts[0], chance.parts[deal + 1], deal + 1
    )
    name = name or f"{Path(first['variant']).stem}-match-{first['match'] + 1}-deal-{deal + 1}"
    wrong = ""
    for ways in product((False, True) if deal else (False,), *[(False, True)] * 3):
        text = deal_record.text(name, first["variant"], *reversed(ways))
        try:
            (scenario,) = parse_scenarios(Source(HERE.name, text))
            outcome = run_scenario(scenario, HERE)
        except Rejected as rejected:
            wrong = wrong or rejected.diagnostics[0].message
            continue
        if outcome.passed:
            return text
        wrong = wrong or outcome.differences[0]
    raise Failure(say("this deal cannot be told as a scenario: {wrong}", wrong=wrong))


@dataclass
class _ScenarioDeal:
    """A deal with the values that its scenario needs.

    start: the match before it. number: of the deal in its match, from 1.
    """

    game: Game
    state: State
    start: Mapping[str, Any]
    opening: _Part
    deal: _Part
    number: int

    def text(
        self, name: str, variant: str, draws: bool, with_opening: bool, zones: bool, numbered: bool
    ) -> str:
        """Return the scenario.

        draws:        list every drawn card in order, not only hands and stock.
        with_opening: include the actions before the first deal.
        zones:        list the cards of every zone at the start of the deal.
        numbered:     begin at the deal's number in the match.
        """
        game = self.game
        lines = [
            f"scenario: {name}",
            f"variant: {write_scalar(variant)}",
            f"players: {game.players}",
        ]
        own = game.variant.bind({})
        set_here = {n: t for n, t in game.parameter_texts().items() if game.parameters[n] != own[n]}
        if set_here:
            lines.append(f"parameters: {_mapping(set_here)}")
        lines += ["start:", f"  dealer: {self.start['dealer']}"]
        if self.start["counters"]:
            lines.append(f"  counters: {_mapping(self.start['counters'])}")
        lines += self._deal_lines(draws, zones)
        random = [*(self.opening.random if with_opening else ()), *self.deal.random]
        if random:
            lines.append(f"  random: {_list(random)}")
        lines += self._state(zones, numbered)
        actions = [*(self.opening.actions if with_opening else ()), *self.deal.actions]
        lines.append("actions:" if actions else "actions: []")
        lines += [f"  - {seat}: {write_scalar(text)}" for seat, text in actions]
        return "\n".join([*lines, *self._expect_lines()]) + "\n"

    def _deal_lines(self, draws: bool, zones: bool) -> list[str]:
        if draws:
            return [f"  draws: {_list(text for text, _ in self.deal.draws)}"]
        hands: dict[int, list[str]] = {}
        stock, turnup = [], None
        for text, draw in self.deal.draws:
            if draw.face_up and turnup is None and draw.target != "hand":
                turnup = text
            elif is_dealt(self.game, draw):
                hands.setdefault(draw.at, []).append(text)
            else:
                stock.append(text)
        lines = []
        if hands:
            lines.append(f"  hands: {_mapping({s: hands[s] for s in sorted(hands)})}")
        if stock:
            lines.append(f"  stock: {_list(stock)}")
        if turnup is not None:
            lines.append(f"  turned: {write_scalar(turnup)}")
        special_cards = {} if zones else dict(enumerate(self.start["zones"].get(SPECIAL_ZONE, ())))
        if any(special_cards.values()):
            one_each = {seat: cards[0] for seat, cards in special_cards.items() if cards}
            lines.append(f"  special_cards: {_mapping(one_each)}")
        return lines

    def _state(self, zones: bool, numbered: bool) -> list[str]:
        """Return the variables from before the deal, and the cards of all zones."""
        fresh = self.game.start(0, 0).to_dict()["variables"]
        lasting = {
            name: values
            for name, values in self.start["variables"].items()
            if self.game.program.variables[name].lifetime == "match" and values != fresh[name]
        }
        state = {
            name: values if self.game.program.variables[name].index is not None else values[0]
            for name, values in lasting.items()
        }
        if zones and self.start["leader"]:
            state["on_lead"] = self.start["leader"]
        lines = ["  at: deal"] if state or zones else []
        lines = [f"  at: deal {self.number}"] if numbered else lines
        if state:
            lines.append(f"  variables: {_mapping(state)}")
        if zones:
            lines.append("  zones:")
            for name, places in self.start["zones"].items():
                lay = [self._in_draw_order(name, at, cards) for at, cards in enumerate(places)]
                index = self.game.program.zones[name].index
                lines.append(f"    {name}: {_value(lay if index is not None else lay[0])}")
        return lines

    def _in_draw_order(self, zone: str, at: int, cards: list[str]) -> list[str]:
        """Return the cards of a zone; cards drawn from a pile lie on top, in that order."""
        texts = dict.fromkeys(t for t, d in self.deal.draws if (d.origin, d.place) == (zone, at))
        on_top = [card for card in texts if card in cards]
        return [*(card for card in cards if card not in on_top), *reversed(on_top)]

    def _expect_lines(self) -> list[str]:
        state = self.state
        lines = ["expect:", f"  tricks: {plain(state.tricks)}"]
        if not isinstance(state.pending, Question):
            lines += ["  deal_over: true", f"  deal_winner: {plain(state.deal_winner)}"]
        if state.counters():
            lines.append(f"  counters: {_mapping(state.counters())}")
        if isinstance(state.pending, DealStart):
            lines.append(f"  next_dealer: {state.dealer}")
        if state.pending is None:
            winner = "draw" if state.winner is None else str(state.winner)
            lines.append(f"  match_winner: {winner}")
        return lines


def write_scalar(text: str) -> str:
    """Return a text as a value of YAML, in quotes if it needs them."""
    return text if PLAIN_TEXT.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _list(items: Iterable[object]) -> str:
    return "[" + ", ".join(map(_value, items)) + "]"


def _mapping(entries: Mapping[str, object] | Mapping[int, object]) -> str:
    return "{" + ", ".join(f"{key}: {_value(value)}" for key, value in entries.items()) + "}"


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return _list(value)
    return write_scalar(value) if isinstance(value, str) else plain(value)
