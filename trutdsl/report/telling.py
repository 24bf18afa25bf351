"""Narration of a match: its events in sentences, with the rules behind ends and questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trutdsl.game import Announcement, Game, HistoryEntry, PassedCards
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk, walk_rules
from trutdsl.ir.types import Kind
from trutdsl.language import ENGLISH, figure, one_by_one, say, say_count, with_title
from trutdsl.report.people import People, sentence
from trutdsl.report.rulebook import option_forms
from trutdsl.transcript.events import Event, RecordedMatch
from trutdsl.variant import Words, words_of


def tell_match(record: RecordedMatch, game: Game | None, deal: int | None = None) -> list[str]:
    """Return a recorded match in sentences; game: its rules, None if they are unknown here.

    deal: only this deal, the first is 0; empty without such a deal.
    """
    first = record.events[0]
    words = words_of(game.variant, values=game.parameters) if game else None
    forms = option_forms(game.program) if game else ()
    names = [say("you") if name == "you" else name for name in first["strategies"]]
    people = People(first["teams"], names, words=words, forms=forms)
    teller = Teller(people, RuleTexts(game, words) if game and words else None)
    if deal is None:
        return [line for event in record.events for line in teller.tell(event)]
    current, lines = None, list[str]()
    for event in record.events:
        current = event["deal"] if event["event"] == "deal" else current
        if current == deal:
            lines += teller.tell(event)
    return [*teller.tell(first), *lines] if lines else []


class Teller:
    """Tells events in sentences to the reader that `people` names."""

    def __init__(self, people: People, rules: RuleTexts | None = None) -> None:
        self.people, self.rules = people, rules

    def tell(self, event: Event) -> list[str]:
        people = self.people
        match event["event"]:
            case "match":
                return self._match(event)
            case "deal":
                return ["", *self._deal(event)]
            case "cards":
                who, cards = people.seat(event["seat"]), people.cards(event["cards"])
                line = say("Dealt to {who}: {cards}", who=who, cards=cards)
            case "given":  # of a scenario that begins in the middle of a deal
                line = say("Given: {what}", what=", ".join(event["given"]) or say("nothing"))
            case "turned":
                line = say("Turned up: {card}", card=people.card(event["card"]))
            case "random":
                outcome = people.outcome(event["what"], event["value"])
                line = say("Chance: {outcome}", outcome=outcome)
            case "action":
                line = self.answer(event["seat"], event["action"])
            case "announced":
                line = self._announcement(event)
            case "passed":
                one, other = (self._place(event[end]) for end in ("from", "to"))
                cards = people.cards(event["cards"])
                line = say("{cards}: from {one} to {other}", cards=cards, one=one, other=other)
            case "trick":
                lines = [self._trick_cards(event)] if event["cards"] else []
                return [f"  {line}" for line in (*lines, self.trick(event))]
            case "counter":
                line = self._counter(event)
            case "deal_end":
                return [f"  {line}" for line in self.deal_end(event)]
            case "match_end":
                return ["", *self._match_end(event), ""]
            case _:
                return []
        return [f"  {line}"]

    def _place(self, place: list[Any]) -> str:
        """Return the name of a zone of a seat or team, as far as the rules are known."""
        people, rules = self.people, self.rules
        match place:
            case [str(zone), int(at)] if rules or not people.partners:
                who = people.team if rules and zone in rules.zones_of_teams else people.seat
                name = people.words.zone(zone) if people.words else zone
                return say("{zone} of {who}", zone=name, who=who(at))
            case [str(zone), int(at)]:  # of a seat or of a team
                return f"{zone} {at + 1}"
        return " ".join(map(str, place))

    def _match(self, event: Event) -> list[str]:
        text = "Match {number} of {variant}, seed {seed}"
        values = {"number": event["match"] + 1, "variant": event["variant"], "seed": event["seed"]}
        teams = dict.fromkeys(event["teams"])
        if not self.people.partners:
            return [with_title(say(text, **values), ", ".join(map(self.people.members, teams)))]
        each = (with_title(sentence(self.people.team(t)), self.people.members(t)) for t in teams)
        return [say(text, **values), *(f"  {line}" for line in each)]

    def _deal(self, event: Event) -> list[str]:
        number, dealer = event["deal"] + 1, event["dealer"]
        if dealer == self.people.me:
            line = say("Deal {number}. You deal.", number=number)
        else:
            who = sentence(self.people.seat(dealer))
            line = say("Deal {number}. {who} deals.", number=number, who=who)
        score = self.score(event)
        return [line, *([f"  {score}"] if score else [])]

    def score(self, event: Event) -> str:
        """Return the counters of an event: for each the value of each team."""
        return one_by_one(
            with_title(
                self.people.counter(name),
                ", ".join(f"{self.people.team(team)} {n}" for team, n in enumerate(values)),
            )
            for name, values in event["counters"].items()
            if isinstance(values, list)
        )

    def answer(self, seat: int, action: str) -> str:
        return with_title(sentence(self.people.seat(seat)), self.people.action(action))

    def _announcement(self, event: Event) -> str:
        what = self.people.announcement(event["what"])
        if event["value"] is not True:
            kind = self.rules.announcements.get(event["what"]) if self.rules else None
            what += f" {self.people.value(tell_value(event['value']), kind)}"
        hearers = ", ".join(self.people.seat(to) for to in event["to"] if isinstance(to, int))
        who = sentence(
            say("the table") if event["seat"] is None else self.people.seat(event["seat"])
        )
        return say(
            "{who} says: {what} (heard by {heard})",
            who=who,
            what=what,
            heard=hearers or say("nobody"),
        )

    def _trick_cards(self, event: Event) -> str:
        cards = (
            c
            for c in event["cards"]
            if isinstance(c, list) and len(c) == 2 and isinstance(c[0], int)
        )
        each = (f"{self.people.card(str(card))} {self.people.seat(seat)}" for seat, card in cards)
        return with_title(say("Trick"), ", ".join(each))

    def trick(self, event: Event) -> str:
        """Return the sentence on who wins a trick."""
        people, winner, team = self.people, event["winner"], event["team"]
        if winner is None and team is None:
            return say("The trick is tied: nobody wins it.")
        if winner is not None and winner == people.me:
            return say("You win the trick.")
        who = people.seat(winner) if winner is not None else people.team(team)
        return say("{who} wins the trick.", who=sentence(who))

    def _counter(self, event: Event) -> str:
        name = self.people.counter(event["name"], abs(event["delta"]))
        values = {"counter": name, "change": figure(event["delta"], "+d"), "now": event["value"]}
        who = sentence(self.people.team(event["team"]))
        return say("{who}: {change} {counter}, now {now}", who=who, **values)

    def deal_end(self, event: Event) -> list[str]:
        """Return the sentence on who wins the deal, and the rules that decided."""
        people, winner, reason = self.people, event["winner"], event["reason"]
        cause = people.end(reason)
        if winner is None:
            line = say("Nobody wins the deal: {reason}.", reason=cause)
        elif self._is_me(winner):
            line = say("You win the deal: {reason}.", reason=cause)
        else:
            who = sentence(people.team(winner))
            line = say("{who} wins the deal: {reason}.", who=who, reason=cause)
        return [line, *(self.rules.of_end(reason) if self.rules else ())]

    def _is_me(self, team: int) -> bool:
        me = self.people.me
        return me is not None and self.people.team(team) == self.people.seat(me)

    def _match_end(self, event: Event) -> list[str]:
        winner, deals = event["winner"], say_count(event["deals"], "deal", "deals")
        if winner is None:
            line = say("A draw after {deals}.", deals=deals)
        elif self._is_me(winner):
            line = say("You win the match after {deals}.", deals=deals)
        else:
            who = sentence(self.people.team(winner))
            line = say("{who} wins the match after {deals}.", who=who, deals=deals)
        score = self.score(event)
        return [line, *([f"  {score}"] if score else [])]


def tell_value(value: Any) -> str:
    """Return a JSON value in the notation of actions."""
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if value in (None, []):
        return say("none")
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


PUBLIC_EVENTS = ("deal", "turned", "counter", "match_end", "deal_end")
NOTICED_EVENTS = ("action", "announced", "passed")


class Follower:
    """Receives all events of a match in play, and narrates those that one seat notices.

    Answers and announcements come from the seat's own history (`View.history`). The events only
    give their order among cards turned up, ends of deals and tricks, and counters.
    """

    def __init__(self, people: People, rules: RuleTexts | None = None) -> None:
        assert people.me is not None
        self.people, self._seat = people, people.me
        self._teller = Teller(people, rules)
        self._events: list[Event] = []
        self._entries = 0  # described entries of this deal's history
        self.deal: int | None = None  # its number, 0 for the first
        # Of this deal: its first lines, what was said and announced, what others announced.
        self.opening, self.answers, self.announcements = list[str](), list[str](), list[str]()

    def __call__(self, event: Event) -> None:
        self._events.append(event)

    def forget(self) -> None:
        """Begin again, for a match that is played again from its start."""
        self._events, self._entries, self.answers, self.announcements = [], 0, [], []
        self.deal = None

    def tell(self, history: Sequence[HistoryEntry]) -> Iterator[str]:
        """Yield lines on the events since the last call; history: the seat's, of this deal."""
        events, self._events = self._events, []
        for event in events:
            kind = event["event"]
            if kind == "deal":
                self._entries, self.opening = 0, self._teller.tell(event)
                self.deal = event["deal"]
                self.answers, self.announcements = [], []
            if kind in PUBLIC_EVENTS:
                yield from self._teller.tell(event)
            elif kind == "trick":
                yield f"  {self._teller.trick(event)}"
            elif kind in NOTICED_EVENTS and self._entries < len(history):
                entry = history[self._entries]
                if self._is_of(entry, event):
                    self._entries += 1
                    line = self._describe(entry)
                    self.answers.append(line)
                    if isinstance(entry, Announcement) and entry.seat != self._seat:
                        self.announcements.append(line)
                    yield f"  {line}"

    def _describe(self, entry: HistoryEntry) -> str:
        people, who = self.people, sentence(self.people.seat(entry.seat))
        if isinstance(entry, Announcement):
            what, rules = people.announcement(entry.decision), self._teller.rules
            if entry.action == "yes":
                return say("{who} announced: {what}", who=who, what=what)
            kind = rules.announcements.get(entry.decision) if rules else None
            value = people.value(entry.action, kind)
            return say("{who} announced {what}: {value}", who=who, what=what, value=value)
        if isinstance(entry, PassedCards):
            cards, _, to = entry.action.rpartition(" to ")
            if entry.seat < 0:  # "CARDS from team A to team B"
                cards, _, _ = cards.rpartition(" from ")
                other = people.team(int(to.removeprefix("team ")))
                return say("{cards}: to {other}", cards=self._cards(cards), other=other)
            other = people.seat(int(to))
            return say("{who} to {other}: {cards}", who=who, other=other, cards=self._cards(cards))
        return self._teller.answer(entry.seat, entry.action)

    def _cards(self, text: str) -> str:
        """Return the cards of an entry, or their number if the seat does not see them."""
        number, _, word = text.partition(" ")
        if word in ("card", "cards"):
            return say_count(int(number), "{number} card", "{number} cards")
        return self.people.text(text)

    def _is_of(self, entry: HistoryEntry, event: Event) -> bool:
        """Tell whether an entry of the seat's history is this event."""
        match event["event"]:
            case "announced":
                return isinstance(entry, Announcement) and self._seat in event["to"]
            case "passed":
                return isinstance(entry, PassedCards)
        same = entry == (event["seat"], event["decision"], event["action"])
        return type(entry) is HistoryEntry and same


BASE_MARK = " of "  # in the name of a rule that another one replaces


def _winner_of(end: nodes.EndDeal, rule: nodes.Rule) -> Iterator[nodes.Node]:
    """Yield the nodes that say who wins; before a hook of ends, they are those of a `let`."""
    yield from walk(end.winner)
    if isinstance(end.winner, nodes.Local):
        for node in walk(rule.body):
            if isinstance(node, nodes.Let) and node.slot == end.winner.slot:
                yield from walk(node.value)


class RuleTexts:
    """The texts of a game's rules, in the words of its files.

    meanings: what each variable means to readers, for those that say so. kinds: what each variable
    holds, such as `seat`. announced: what each announcement says. zones_of_teams: the names of
    zones of which each team has one.
    """

    def __init__(self, game: Game, words: Words) -> None:
        self._words = words
        self._ends: dict[str, list[str]] = {}
        self._questions: dict[str, list[str]] = {}
        program = game.program
        for rule in program.rules.values():
            for node in walk(rule.body) if BASE_MARK not in rule.name else ():
                if isinstance(node, nodes.EndDeal):
                    names = [
                        n.function for n in _winner_of(node, rule) if isinstance(n, nodes.Call)
                    ]
                    defines = [program.functions[name] for name in names if BASE_MARK not in name]
                    self._add(self._ends.setdefault(node.reason, []), *defines, rule)
                elif isinstance(node, nodes.Ask):
                    self._add(self._questions.setdefault(node.decision, []), rule)
        announcements = walk_rules(program, nodes.Announce)
        self.announcements = {one.words: str(one.type).rstrip("?") for one in announcements}
        self.kinds = {name: str(v.type).rstrip("?") for name, v in program.variables.items()}
        self._setting, self._variables = game.setting, program.variables
        zones = program.zones.values()
        self.zones_of_teams = {zone.name for zone in zones if zone.index is Kind.TEAM}
        self.meanings = dict(self._meanings(game))

    def of_end(self, reason: str) -> Sequence[str]:
        """Return a line for each rule that ends a deal for this reason."""
        return self._ends.get(reason, ())

    def of_question(self, decision: str) -> Sequence[str]:
        """Return a line for each rule that asks this question."""
        return self._questions.get(decision, ())

    def place(self, variable: str, index: int, people: People) -> str:
        """Return the name of what a variable has a value for: a player, a team, a suit, ..."""
        one = self._variables[variable]
        if one.index is Kind.SEAT:
            return people.seat(index)
        if one.index is Kind.TEAM:
            return people.team(index)
        assert one.index is not None
        return people.text(self._setting.text_of(one.index, index + one.first))

    def _add(self, lines: list[str], *rules: nodes.Rule | nodes.Function) -> None:
        for rule in rules:
            if text := self._words.rule(rule.name):
                line = with_title(say("Rule") + (f" [{rule.cites}]" if rule.cites else ""), text)
                lines += [line] if line not in lines else []

    def _meanings(self, game: Game) -> Iterator[tuple[str, str]]:
        """Yield the comment on each variable's declaration, or its word in another language."""
        for layer in game.variant.layers:
            for place in layer.rules.variables if layer.rules else ():
                name = place.name.text
                comment = place.span.source.line(place.span.line).partition("#")[2].strip()
                word = self._words.state(name)
                if self._words.language == ENGLISH:
                    yield from [(name, comment)] if comment else []
                elif word != name.replace("_", " "):
                    yield name, word
