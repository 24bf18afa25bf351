"""A worked example: one played deal, told in sentences with the statement that decides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from trutdsl.diagnostics import BadUsage, Failure
from trutdsl.game import Game, load_game
from trutdsl.ir.transforms import MARK
from trutdsl.language import one_by_one, say
from trutdsl.report.people import People
from trutdsl.report.rulebook import option_forms
from trutdsl.strategy import load_strategy
from trutdsl.strategy.load import Spec
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import ScriptSpec, is_meant_for
from trutdsl.variant.words import words_of

# Scripts that bet; the first that is meant for the variant plays.
PLAYERS_OF_EXAMPLES = ("loose", "gambler", "retrucker", "tute-follower", "uniform")
DEALS = 60  # that are searched
MOST_ANSWERS = 64  # of a deal
MOST_STEPS, LAST = 18, 2  # that are told, and how many of them from the end
SILENT = ("pass", "none", "leave it")
QUOTED = re.compile(r"['`«]\s*([^'`»]+?)\s*['`»]")  # the name in a rule's heading
END = ". "

Event = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """A statement as it is told: values stand in their places.

    cites, tells, draw, card: see `variant.book.Case`. marked: a house rule, or another setting.
    """

    text: str
    cites: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    draw: str | None = None
    card: str | None = None
    marked: bool = False


@dataclass(frozen=True)
class WorkedExample:
    """A deal: who sits where, the cards dealt, and its course in sentences, with reasons."""

    seats: str
    hands: tuple[tuple[str, tuple[str, ...]], ...]
    steps: tuple[tuple[str, str], ...]


@dataclass
class _Deal:
    """The events of a deal, each with the rules that were reached since the one before."""

    events: list[tuple[Event, tuple[str, ...]]] = field(default_factory=list)

    def score(self) -> tuple[int, int, int]:
        """Return how much the deal shows: kinds of answers, tricks, and brevity."""
        answers = [e for e, _ in self.events if e["event"] == "action"]
        spoken = {(e["decision"], e["action"].split()[0]) for e in answers if _is_said(e)}
        seats = {e["seat"] for e in answers if _is_said(e) and e["decision"] != "turn"}
        tricks = sum(e["event"] == "trick" for e, _ in self.events)
        return len(spoken) + min(2, len(seats)), min(2, tricks), -len(answers)

    def is_over(self) -> bool:
        return bool(self.events) and self.events[-1][0]["event"] == "deal_end"

    def fits(self) -> bool:
        return self.is_over() and sum("decision" in e for e, _ in self.events) <= MOST_ANSWERS


def _is_said(event: Event) -> bool:
    return event["action"] not in SILENT


def work_example(game: Game, statements: Sequence[Told]) -> WorkedExample | None:
    """Return the most telling of the first deals; None if strategies cannot play the game.

    Each deal is the first of a match.
    """
    table = load_game(game.ref, game.players, game.parameter_texts(), engine="reference").one_deal(
        {}
    )
    with suppress(BadUsage, Failure):
        deals = [deal for deal in _deals(table, _player(table)) if deal.fits()]
        if deals:
            return _Teller(table, statements).tell(max(deals, key=_Deal.score))
    return None


def _player(game: Game) -> Spec:
    for name in PLAYERS_OF_EXAMPLES:
        spec = load_strategy(name)
        if not isinstance(spec, ScriptSpec) or is_meant_for(spec, game.variant):
            return spec
    return load_strategy(PLAYERS_OF_EXAMPLES[-1])


def _deals(game: Game, spec: Spec) -> list[_Deal]:
    """Return the first deals of the first matches."""
    counting, parts = game.covered
    deals: list[_Deal] = []
    reached: list[str] = []

    def take(event: Event) -> None:
        if event["event"] == "counter" and event["name"].startswith(MARK):
            reached.append(parts[event["name"]].place)
            return
        if event["event"] == "deal":
            deals.append(_Deal())
        if deals and not deals[-1].is_over():
            deals[-1].events.append((event, tuple(reached)))
        reached.clear()

    for match in range(DEALS):
        play_match(counting, [spec] * game.players, 1, match, take)
    return deals


class _Teller:
    def __init__(self, game: Game, statements: Sequence[Told]) -> None:
        self.game, self.words = game, words_of(game.variant)
        self.people = People(
            game.teams, [""] * game.players, words=self.words, forms=option_forms(game.program)
        )
        self.telling = {name: told for told in reversed(statements) for name in told.tells}
        self.given = set[str]()  # the reasons that were told
        self.plays: list[str] = []
        self.tricks = 0
        self.reached: list[str] = []

    def tell(self, deal: _Deal) -> WorkedExample:
        """Return a deal in sentences."""
        hands: dict[int, list[str]] = {}
        steps: list[tuple[str, str]] = []
        for event, reached in deal.events:
            if event["event"] == "cards" and not self.tricks and not self.plays:
                hands.setdefault(event["seat"], []).extend(event["cards"])
            self.reached = [*reached]
            steps += self.steps(event)
        dealt = tuple((self.player(seat), tuple(cards)) for seat, cards in sorted(hands.items()))
        if len(steps) > MOST_STEPS:
            steps = [*steps[: MOST_STEPS - LAST], ("...", ""), *steps[-LAST:]]
        return WorkedExample(self.seats(deal.events[0][0]), dealt, tuple(steps))

    def seats(self, event: Event) -> str:
        dealer = self.player(event["dealer"])
        if self.game.team_count == self.game.players:
            return say("{player} deals.", player=dealer)
        sides = [
            " + ".join(str(s + 1) for s, t in enumerate(self.game.teams) if t == team)
            for team in range(self.game.team_count)
        ]
        return say(
            "Teams: players {one} against players {other}. {player} deals.",
            one=sides[0],
            other=sides[1],
            player=dealer,
        )

    def steps(self, event: Event) -> Iterator[tuple[str, str]]:
        """Yield the sentences on an event, each with the statement that decides."""
        match event["event"]:
            case "action" if _is_said(event):
                words = self.answer(event["action"])
                said = say("{player}: {words}", player=self.player(event["seat"]), words=words)
                if "[" in words:
                    self.plays.append(said)
                else:
                    yield from self.played()
                    yield said + ("" if said[-1] in "!?." else "."), ""
            case "turned":
                yield say("Turned up: {card}.", card=f"[{event['card']}]"), ""
            case "random" if str(event["value"]).isdigit():
                told = self.people.outcome(event["what"], event["value"])
                yield say("Chance: {outcome}.", outcome=told), ""
            case "trick":
                self.tricks += 1
                plays = " ".join(text for text, _ in self.played())
                if event["winner"] is None:
                    result = say("The trick is tied.")
                else:
                    text = "{player} wins the trick."
                    result = say(text, player=self.player(event["winner"]))
                yield f"{plays} {result}".strip(), self.reason()
            case "counter":
                yield from self.played()
                yield self.gained(event), self.reason()
            case "deal_end":
                yield from self.played()
                why = self.first_sentence(event["reason"]) or self.reason()
                if event["winner"] is None:
                    yield say("Nobody wins the deal."), why
                else:
                    text = "{team} wins the deal."
                    yield say(text, team=self.team(event["winner"])), why

    def played(self) -> Iterator[tuple[str, str]]:
        if self.plays:
            yield one_by_one(self.plays) + ".", ""
        self.plays = []

    def reason(self) -> str:
        """Return the first sentence of the statement on the rule that was reached last."""
        for heading in reversed(self.reached):
            found = QUOTED.search(heading)
            name = found[1].rpartition(" ")[2] if found else ""
            if name in self.telling:
                return self.first_sentence(name)
        return ""

    def first_sentence(self, name: str) -> str:
        """Return the first sentence of the statement on a rule, or on a reason of ends."""
        told = self.telling.get(name)
        text = told.text.replace(" | ", say(": ")).replace("*", "") if told else ""
        sentence = text.partition(END)[0].rstrip(".")
        if sentence in self.given:
            return ""
        self.given.add(sentence)
        return sentence

    def answer(self, action: str) -> str:
        """Return an answer with its cards marked as cards."""
        parts, known = action.split(), set(self.game.deck.texts)
        cards = [f"[{part}]" for part in parts if part in known]
        words = self.people.action(" ".join(part for part in parts if part not in known))
        return " ".join([words, *cards]).strip()

    def gained(self, event: Event) -> str:
        many = abs(event["delta"])
        values = {
            "team": self.team(event["team"]),
            "many": many,
            "name": self.words.counter(event["name"], many),
            "now": event["value"],
        }
        if event["delta"] > 0:
            return say("{team} gains {many} {name}, and has {now}.", **values)
        return say("{team} loses {many} {name}, and has {now}.", **values)

    def player(self, seat: int) -> str:
        return say("Player {number}", number=seat + 1)

    def team(self, team: int) -> str:
        members = [seat for seat, side in enumerate(self.game.teams) if side == team]
        if len(members) == 1:
            return self.player(members[0])
        return say("The team of player {number}", number=members[0] + 1)
