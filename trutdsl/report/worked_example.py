"""A worked example: one played deal, told in sentences with the statement that decides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from string import digits
from typing import Any

from trutdsl.diagnostics import BadUsage, Failure
from trutdsl.game import Game
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.ir.transforms import MARK
from trutdsl.language import one_by_one, say
from trutdsl.report.citations import BookSentence, Citations
from trutdsl.report.labels import SILENT
from trutdsl.report.people import People
from trutdsl.report.rulebook import module_of, option_forms
from trutdsl.strategy.load import Spec, load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import ScriptSpec, is_meant_for
from trutdsl.variant.read_values import parse_integer
from trutdsl.variant.words import words_of

# Scripts that bet; the first that is meant for the variant plays.
PLAYERS_OF_EXAMPLES = ("loose", "gambler", "retrucker", "tute-follower", "uniform")
SEEKERS = ("quiet", "uniform")  # of a score from which an example starts;
DEALS = 60  # that are searched
MOST_ANSWERS = 64  # of a deal
MOST_STEPS, LAST = 18, 2  # that are told, and how many of them from the end
SEARCH_LIMIT = 10  # matches, to find a score from which a deal asks a question that the base lacks
END = ". "
TITLE = re.compile(r"\*\*[^*]+\.\*\* ")  # before the first sentence of a statement

Event = dict[str, Any]
Score = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class WorkedExample:
    """A deal: who sits where, the score, the cards dealt, and its course, with reasons."""

    seats: str
    score: str
    hands: tuple[tuple[str, tuple[str, ...]], ...]
    steps: tuple[tuple[str, str], ...]


@dataclass
class _Deal:
    """The events of a deal, each with the rules that were reached since the one before."""

    events: list[tuple[Event, tuple[str, ...]]] = field(default_factory=list)

    def score(self) -> tuple[int, int, int]:
        """Return the value of the deal as an example: kinds of answers, tricks, and brevity."""
        answers = [e for e, _ in self.events if e["event"] == "action"]
        kinds = {
            (e["decision"], e["action"].split()[0].strip(digits)) for e in answers if _is_said(e)
        }
        seats = {e["seat"] for e in answers if _is_said(e) and e["decision"] != "turn"}
        tricks = sum(e["event"] == "trick" for e, _ in self.events)
        return len(kinds) + min(2, len(seats)), min(2, tricks), -len(answers)

    def asks(self, decisions: set[str]) -> bool:
        return any(e.get("decision") in decisions for e, _ in self.events)

    def is_over(self) -> bool:
        return bool(self.events) and self.events[-1][0]["event"] == "deal_end"

    def fits(self) -> bool:
        return self.is_over() and sum("decision" in e for e, _ in self.events) <= MOST_ANSWERS


def _is_said(event: Event) -> bool:
    return event["action"] not in SILENT


def work_example(game: Game, statements: Sequence[BookSentence]) -> WorkedExample | None:
    """Return the best example among some deals; None if strategies cannot play the game.

    Each deal is the first of a match. If none of them asks a question that the variant adds to its
    base, all start at a score from which a deal does.
    """
    match = game.in_engine("reference")
    with suppress(BadUsage, Failure):
        spec, decisions = _player(match, PLAYERS_OF_EXAMPLES), _own_decisions(match)
        start: Score = {}
        deals = _deals(match.one_deal(start), spec)
        if decisions and not any(deal.asks(decisions) for deal in deals):
            start = _telling_start(match, decisions)
            deals = _deals(match.one_deal(start), spec) if start else deals
        if examples := [deal for deal in deals if deal.fits()]:
            return _Teller(match, statements, start).tell(max(examples, key=_Deal.score))
    return None


def _own_decisions(game: Game) -> set[str]:
    """Return the decisions that only the variant's own file and its modules ask."""
    if not game.variant.base:
        return set()
    variant = game.variant
    layers = [module_of(variant, ref) for ref in variant.differences.uses] + [variant.layers[-1]]
    decisions: dict[bool, set[str]] = {True: set(), False: set()}
    for rule in game.program.rules.values():
        names = (node.decision for node in walk(rule.body) if isinstance(node, nodes.Ask))
        decisions[any(layer.holds(rule.span) for layer in layers)].update(names)
    return decisions[True] - decisions[False]


def _telling_start(game: Game, decisions: set[str]) -> Score:
    """Return the score before the first deal that asks one of these; {} if none is found."""
    score: dict[str, list[int]] = {}
    result: list[Score] = []
    start: Score = {}
    spec = _player(game, SEEKERS)

    def take(event: Event) -> None:
        nonlocal start
        if event["event"] == "deal":
            start = {name: tuple(values) for name, values in score.items()}
        elif event["event"] == "counter":
            score.setdefault(event["name"], [0] * game.team_count)[event["team"]] = event["value"]
        elif event["event"] == "action" and event["decision"] in decisions:
            result.append(start)

    for match in range(SEARCH_LIMIT):
        score.clear()
        play_match(game, [spec] * game.players, 1, match, take)
        if result:
            return result[0]
    return {}


def _player(game: Game, names: Sequence[str]) -> Spec:
    for name in names:
        spec = load_strategy(name)
        if not isinstance(spec, ScriptSpec) or is_meant_for(spec, game.variant):
            return spec
    return load_strategy(names[-1])


def _deals(game: Game, spec: Spec) -> list[_Deal]:
    """Return the first deals of the first matches."""
    counting, parts = game.with_counters
    deals: list[_Deal] = []
    headings: list[str] = []

    def take(event: Event) -> None:
        if event["event"] == "counter" and event["name"].startswith(MARK):
            headings.append(parts[event["name"]].place)
            return
        if event["event"] == "deal":
            deals.append(_Deal())
        if deals and not deals[-1].is_over():
            deals[-1].events.append((event, tuple(headings)))
        headings.clear()

    for match in range(DEALS):
        play_match(counting, [spec] * game.players, 1, match, take)
    return deals


class _Teller:
    def __init__(self, game: Game, statements: Sequence[BookSentence], start: Score) -> None:
        self.game, self.words, self.start = (
            game,
            words_of(game.variant, values=game.parameters),
            start,
        )
        self.people = People(
            game.teams, [""] * game.players, words=self.words, forms=option_forms(game.program)
        )
        self.citations = Citations(game.program, statements)
        self.reasons = set[str]()  # the reasons that were told
        self.plays: list[str] = []
        self.asking: dict[str, set[str]] = {"": set()}  # which rules ask a question
        for rule in game.program.rules.values():
            for node in walk(rule.body):
                if isinstance(node, nodes.Ask):
                    self.asking.setdefault(node.decision, set()).add(rule.name)
        self.last_answer = ("", False, 0)  # its question, whether it has cards, and its seat
        self.tricks = 0
        self.answers = 0  # since the first cards were dealt
        self.new_cards: dict[int, list[str]] = {}  # cards that each player was dealt since then
        self.headings: Sequence[str] = ()  # rules since the last event
        self.since_answer: list[str] = []

    def tell(self, deal: _Deal) -> WorkedExample:
        hands: dict[int, list[str]] = {}
        steps: list[tuple[str, str]] = []
        for event, headings in deal.events:
            if event["event"] == "cards" and not self.answers:
                hands.setdefault(event["seat"], []).extend(event["cards"])
            elif event["event"] == "cards":
                self.new_cards.setdefault(event["seat"], []).extend(event["cards"])
                continue
            if event["event"] == "action":
                self.answers += bool(hands)
                self.since_answer.clear()
            self.headings = headings
            self.since_answer += headings
            steps += self.taken_cards()
            steps += self.steps(event)
        all_hands = tuple(
            (self.player(seat), tuple(cards)) for seat, cards in sorted(hands.items())
        )
        if len(steps) > MOST_STEPS:
            steps = [*steps[: MOST_STEPS - LAST], ("...", ""), *steps[-LAST:]]
        seats = self.seats(deal.events[0][0])
        return WorkedExample(seats, self.score_before(), all_hands, tuple(steps))

    def score_before(self) -> str:
        """Return the score of each team before the deal; empty if nobody has any points."""
        sentences = []
        for team in range(self.game.team_count):
            counts = ((name, values[team]) for name, values in self.start.items())
            amounts = [f"{many} {self.words.counter(name, many)}" for name, many in counts if many]
            if amounts:
                has = say(" and ").join(amounts)
                sentences.append(say("{team} has {counters}.", team=self.team(team), counters=has))
        return " ".join(sentences)

    def seats(self, event: Event) -> str:
        dealer = self.player(event["dealer"])
        if self.game.team_count == self.game.players:
            return say("{player} deals.", player=dealer)
        sides = [
            " + ".join(str(s + 1) for s, t in enumerate(self.game.teams) if t == team)
            for team in range(self.game.team_count)
        ]
        text = "Teams: players {teams}. {player} deals."
        return say(text, teams=say(" against players ").join(sides), player=dealer)

    def steps(self, event: Event) -> Iterator[tuple[str, str]]:
        """Yield the sentences on an event, each with the statement that decides."""
        match event["event"]:
            case "action" if _is_said(event):
                yield from self.answered(event)
            case "turned":
                yield from self.tell_plays()
                yield say("Turned up: {card}.", card=f"[{event['card']}]"), ""
            case "random" if not isinstance(event["value"], bool):
                yield from self.tell_plays()
                outcome = self.people.outcome(event["what"], event["value"])
                yield say("Chance: {outcome}.", outcome=outcome), ""
            case "trick":
                self.tricks += 1
                plays = " ".join(text for text, _ in self.tell_plays())
                if event["winner"] is None:
                    result = say("The trick is tied.")
                else:
                    text = "{player} wins the trick."
                    result = say(text, player=self.player(event["winner"]))
                why = self.first_sentence(self.citations.of_end(self.since_answer))
                yield f"{plays} {result}".strip(), why
            case "counter":
                yield from self.tell_plays()
                why = self.first_sentence(self.citations.of_score(event["name"], self.headings))
                yield self.describe_gain(event), why
            case "deal_end":
                yield from self.tell_plays()
                why = self.first_sentence(self.citations.of_end(self.headings, event["reason"]))
                if event["winner"] is None:
                    yield say("Nobody wins the deal."), why
                else:
                    text = "{team} wins the deal."
                    yield say(text, team=self.team(event["winner"])), why

    def answered(self, event: Event) -> Iterator[tuple[str, str]]:
        """Collect an answer; before it, yield those that another rule asked for.

        Answers with cards stay apart.
        """
        words, cards = self.answer(event["action"])
        if parse_integer(words) is not None:
            words = self.words.decision(event["decision"]) + say(": ") + words
        last = (event["decision"], bool(cards), event["seat"])
        previous = self.last_answer
        together = self.asking[last[0]] & self.asking[previous[0]] and last[1] == previous[1]
        if self.plays and not together:
            yield from self.tell_plays()
        if self.plays and last == previous and cards:
            self.plays[-1] += f" {cards}"
        else:
            who = self.player(event["seat"])
            self.plays.append(
                say("{player}: {words}", player=who, words=f"{words} {cards}".strip())
            )
        self.last_answer = last

    def taken_cards(self) -> Iterator[tuple[str, str]]:
        """Yield the cards that each player was dealt after the first answer."""
        sentences = []
        for seat, cards in sorted(self.new_cards.items()):
            names = " ".join(f"[{card}]" for card in cards)
            sentences.append(say("{player} gets {cards}", player=self.player(seat), cards=names))
        self.new_cards.clear()
        if sentences:
            yield from self.tell_plays()
            yield one_by_one(sentences) + ".", ""

    def tell_plays(self) -> Iterator[tuple[str, str]]:
        if self.plays:
            text = one_by_one(self.plays)
            yield text + ("" if text[-1] in "!?." else "."), ""
        self.plays = []

    def first_sentence(self, statement: BookSentence | None) -> str:
        """Return the first sentence of a statement, with its title; empty if it was told."""
        text = statement.text if statement else ""
        title = TITLE.match(text)
        start = title.end() if title else 0
        sentence = text[start:].partition(END)[0].rstrip(".")
        sentence = (text[:start] + sentence).replace(" | ", say(": ")).replace("*", "")
        if sentence in self.reasons:
            return ""
        self.reasons.add(sentence)
        return sentence

    def answer(self, action: str) -> tuple[str, str]:
        """Return the words of an answer, and its cards."""
        parts, known = action.split(), set(self.game.deck.texts)
        words = self.people.action(" ".join(part for part in parts if part not in known))
        return words, " ".join(f"[{part}]" for part in parts if part in known)

    def describe_gain(self, event: Event) -> str:
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
