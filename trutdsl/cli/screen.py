"""The screen of a person at a table: what the seat sees, drawn or in plain lines.

All functions here are pure: they make lines of text from a view, which has nothing hidden.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TextIO

from trutdsl.game import Action, HistoryEntry, View
from trutdsl.game.view import UNSEEN
from trutdsl.ir.types import Kind
from trutdsl.language import figure, say, say_count, with_title
from trutdsl.report.people import People, sentence
from trutdsl.report.telling import RuleTexts, tell_value
from trutdsl.table.sight import Hidden
from trutdsl.variant import Words

WIDTH, NO_BREAK = 78, "\N{NO-BREAK SPACE}"
MOST_SHOWN = 60  # actions
MOST_TOKENS = 12
PASS = "pass"
TOKEN, BACK = "●", "▒"
SIGNS = "▶╭╮╰╯│♣♦♥♠"
EMPTY: tuple[object, ...] = (0, False, None, "none", [])  # values of variables that need no mention
RULE = "─" * WIDTH


def can_draw(output: TextIO) -> bool:
    """Tell whether an output is a terminal with room and signs for drawn cards."""
    if not output.isatty():
        return False
    try:
        f"{RULE}{TOKEN}{BACK}{SIGNS}".encode(output.encoding or "ascii")
        columns = os.get_terminal_size(output.fileno()).columns
    except (UnicodeEncodeError, OSError):
        return False
    return not columns or columns >= WIDTH  # a terminal may not know its columns


@dataclass(frozen=True)
class Screen:
    """Makes the lines of a table for one person; drawn: with drawn cards, else in plain lines."""

    people: People
    rules: RuleTexts
    words: Words
    drawn: bool = False

    def table(
        self, view: View, announcements: Sequence[str] = (), deal: int | None = None
    ) -> Iterator[str]:
        """Yield the table at a question: score, players, what was announced to you, cards.

        deal: its number, 0 for the first; None before it.
        """
        if not self.drawn:
            yield from self._plain_cards(view)
            return
        yield RULE
        when = say("Before the first deal")
        if deal is not None:
            when = say("Deal {number}", number=deal + 1)
        title = f" {self.words.title} "
        if len(title) + len(when) >= WIDTH:
            yield from wrap_text(title)
            title = ""
        yield f"{title}{when:>{WIDTH - 1 - len(title)}}"
        yield from self.score(view)
        yield RULE
        yield from self._seats(view)
        for line in announcements:
            yield from wrap_text(f" {line}")
        yield from self._drawn_cards(view)

    def score(self, view: View) -> Iterator[str]:
        """Yield the score of each team as tokens, the person's own first."""
        teams = list(dict.fromkeys((view.team, *view.teams)))
        names = [self._side(team) for team in teams]
        marks = ["▶" if team == view.team else " " for team in teams]
        counters = [
            [f"{self.people.counter(name)} {_tokens(values[team])}" for team in teams]
            for name, values in view.counters.items()
        ]
        columns = list(map(_align, counters))
        scores = ["   ".join(c[n] for c in columns).rstrip() for n in range(len(teams))]
        sides = ["   ".join(both).rstrip() for both in zip(_align(names), scores, strict=True)]
        if max(map(len, sides)) <= WIDTH - 3:
            yield from (f" {mark} {side}" for mark, side in zip(marks, sides, strict=True))
            return
        for mark, name, score in zip(marks, names, scores, strict=True):
            yield f" {mark} {name}"
            yield f" {mark}   {score}"

    def _side(self, team: int) -> str:
        """Return the name of a team, with the numbers of its players if they are several."""
        people, seats = self.people, [s for s, of in enumerate(self.people.teams) if of == team]
        name = sentence(people.team(team))
        if len(seats) == 1:
            return name
        return with_title(name, ", ".join(map(self._short, seats)))

    def _short(self, seat: int) -> str:
        """Return the number of a player without its name."""
        return say("you") if seat == self.people.me else say("player {number}", number=seat + 1)

    def _seats(self, view: View) -> Iterator[str]:
        """Yield the other players in play order, with their hidden cards and their parts."""
        for step in range(1, view.players):
            seat = (view.seat + step) % view.players
            partner = [say("your partner")] if view.teams[seat] == view.team else []
            backs = sum(
                view.sizes[zone][seat]
                for zone, places in view.zones.items()
                if len(places) == view.players and isinstance(places[seat], Hidden)
            )
            text = self._with_parts(sentence(self.people.seat(seat)), view, seat, partner)
            yield from wrap_text(f" {text}  {BACK * backs}".rstrip())

    def _with_parts(self, name: str, view: View, seat: int, more: Sequence[str] = ()) -> str:
        """Return a name with the parts of its seat: it deals, it leads, what it said last."""
        mine = seat == view.seat
        deals = [say("you deal") if mine else say("dealer")] if seat == view.dealer else []
        first = seat == view.leader and view.deal >= 0
        leads = [say("you lead") if mine else say("leads the trick")] if first else []
        quotes = [
            say("“{words}”", words=self.people.action(words))
            for words in self._last_words(view, seat)
        ]
        return " · ".join([name, *more, *deals, *leads, *quotes])

    def _last_words(self, view: View, seat: int) -> Sequence[str]:
        """Return the last words of a seat in this deal: an answer without a card, except a pass."""
        words = [
            one.action
            for one in view.history
            if type(one) is HistoryEntry and one.seat == seat and not self._is_silent(one.action)
        ]
        return words[-1:]

    def _is_silent(self, action: str) -> bool:
        return action == PASS or any(part in self.words.cards for part in action.split())

    def _drawn_cards(self, view: View) -> Iterator[str]:
        own = list[str]()
        for zone, places in view.zones.items():
            by_seat = len(places) == view.players > 1
            hidden = [isinstance(cards, Hidden) for cards in places]
            if by_seat and any(hidden):
                own_cards = places[view.seat]
                if not isinstance(own_cards, Hidden) and own_cards:
                    captions = [""] * len(own_cards)
                    title = self._own_place(zone)
                    if not own:
                        title = self._with_parts(title, view, view.seat)
                    own += self._row(title, [*map(self.people.card, own_cards)], captions)
                for seat, cards in enumerate(places):
                    if seat != view.seat and not isinstance(cards, Hidden) and cards:
                        yield from self._inline(view, zone, seat, cards)
            elif by_seat:
                yield from self._by_seat(view, zone)
            else:
                for index, cards in enumerate(places):
                    if not isinstance(cards, Hidden) and cards:
                        yield from self._inline(
                            view, zone, index if len(places) > 1 else None, cards
                        )
        yield from own

    def _by_seat(self, view: View, zone: str) -> Iterator[str]:
        """Yield a row with the cards of all seats in play order, the names below them."""
        cards, names = list[str](), list[str]()
        for step in range(view.players):
            seat = (view.leader + step) % view.players
            zone_cards = view.zones[zone][seat]
            for card in () if isinstance(zone_cards, Hidden) else zone_cards:
                cards.append(self.people.card(card))
                names.append(self._short(seat))
        if cards:
            yield from self._row(sentence(self.words.zone(zone)), cards, names)

    def _row(self, title: str, cards: Sequence[str], names: Sequence[str]) -> Iterator[str]:
        yield f" {title}"
        wide = max(2, *map(len, cards))
        column = max(wide + 4, *map(len, names))
        at_once = max(1, (WIDTH - 3) // (column + 1))
        edges = f"╭{'─' * (wide + 2)}╮", f"╰{'─' * (wide + 2)}╯"
        for first in range(0, len(cards), at_once):
            some, captions = cards[first : first + at_once], names[first : first + at_once]
            faces = [f"│ {card:^{wide}} │" for card in some]
            for parts in ([edges[0]] * len(some), faces, [edges[1]] * len(some), captions):
                if any(parts):
                    yield ("   " + " ".join(f"{part:^{column}}" for part in parts)).rstrip()

    def _own_place(self, zone: str) -> str:
        if zone == "hand":
            return say("Your hand")
        return f"{sentence(self.words.zone(zone))}, {say('you')}"

    def _inline(self, view: View, zone: str, index: int | None, cards: Iterable[str]) -> list[str]:
        return wrap_text(with_title(self.place(view, zone, index), self.people.cards(cards)))

    def _plain_cards(self, view: View) -> Iterator[str]:
        """Yield the visible cards, place by place."""
        for zone, index, cards, _ in places_of(view):
            if cards:
                yield from self._inline(view, zone, index, cards)

    def place(self, view: View, name: str, index: int | None) -> str:
        """Return the name of a place: a seat's, or a team's if there are fewer teams than seats."""
        plain = self.words.zone(name)
        if index is None:
            return sentence(plain)
        many = len(view.zones[name])
        if many == view.players and index == view.seat:
            return self._own_place(name)
        whose = self.people.seat if many == view.players else self.people.team
        return f"{sentence(plain)}, {whose(index)}"

    def everything(
        self, view: View, announcements: Sequence[str], news: Mapping[str, str]
    ) -> Iterator[str]:
        """Yield all that the person may know: the rule in force, cards, what was said.

        news: what changed in the deal, see `state`.
        """
        for line in self.rules.of_question(view.decision):
            yield from wrap_text(line)
        dealer, leader = (self.people.player(seat) for seat in (view.dealer, view.leader))
        yield from wrap_text(
            say("Who deals: {dealer}. Who leads: {leader}.", dealer=dealer, leader=leader)
        )
        if not self.drawn:
            yield from self.score(view)
        for zone, index, cards, size in places_of(view):
            text = self.people.cards(cards) if cards else ""
            if not cards and size:
                text = say_count(size, "{number} card", "{number} cards")
            if text:
                yield from wrap_text(with_title(self.place(view, zone, index), text))
        if announcements:
            yield from wrap_text(with_title(say("Said in this deal"), " · ".join(announcements)))
        for meaning, value in news.items():
            yield from wrap_text(with_title(meaning, value))

    def state(self, view: View, indexed: bool = True) -> dict[str, str]:
        """Return the visible variables that have a meaning for readers, and their values.

        indexed: also those with a value for each seat or team, and those that name one.
        """
        result = dict[str, str]()
        for name, values in view.to_dict(("variables",))["variables"].items():
            meaning, kind = self.rules.meanings.get(name), self.rules.kinds.get(name)
            if not indexed and (len(values) > 1 or kind in ("seat", "team")):
                continue
            for index, value in enumerate(values):
                if meaning and value != UNSEEN and value not in EMPTY:
                    whole = len(values) == 1
                    place = "" if whole else f", {self.rules.place(name, index, self.people)}"
                    result[sentence(meaning) + place] = self.people.value(tell_value(value), kind)
        return result

    def actions(self, actions: Sequence[Action]) -> Iterator[str]:
        """Yield the legal actions in full lines, numbered if possible.

        Of many choices of several cards, one stands for all.
        """
        if len(actions) > MOST_SHOWN and all(one.has_several_cards for one in actions):
            text = "{example}, or other cards: {number} choices"
            example = self.people.action(actions[0].text)
            yield from wrap_text(
                say(text, example=example, number=figure(len(actions), ",")), indent="  "
            )
            return
        texts = [self.people.action(one.text) for one in actions]
        if have_numbers(actions):
            items = [(f"{number} {text}", 1) for number, text in enumerate(texts, 1)]
        else:
            items = _with_ranges(texts)
        some = [text.replace(" ", NO_BREAK) for text, _ in items[:MOST_SHOWN]]
        yield from wrap_text("   ".join(some), indent="  ")
        if len(items) > MOST_SHOWN:
            more = sum(many for _, many in items[MOST_SHOWN:])
            yield "  " + say(
                "and {more} more, up to {last}", more=figure(more, ","), last=texts[-1]
            )


def places_of(view: View) -> Iterator[tuple[str, int | None, Sequence[str], int]]:
    """Yield each zone's places: its name, the seat or team, the cards seen there, how many lie.

    Those of seats begin with the one that leads.
    """
    for zone, places in view.zones.items():
        begin = view.leader if len(places) == view.players else 0
        for index in ((begin + at) % len(places) for at in range(len(places))):
            seen = places[index]
            cards = () if isinstance(seen, Hidden) else seen
            yield zone, index if len(places) > 1 else None, cards, view.sizes[zone][index]


def _align(texts: Sequence[str]) -> list[str]:
    wide = max(map(len, texts))
    return [text.ljust(wide) for text in texts]


def _tokens(value: int) -> str:
    """Return a score as tokens, or as a number if that is large or negative."""
    return TOKEN * value if 0 < value <= MOST_TOKENS else str(value)


def have_numbers(actions: Sequence[Action]) -> bool:
    """Tell whether actions have numbers: not if one ends in a number, such as `raise 4`.

    The number of a seat or team is none of these: people see a name.
    """
    return not any(_split_number(action.text)[1] for action in actions if not names_people(action))


def names_people(action: Action) -> bool:
    """Tell whether a seat or team was chosen, for which a text has its number, from 0."""
    return not {Kind.SEAT, Kind.TEAM}.isdisjoint(action.kinds)


def _split_number(text: str) -> tuple[str, str]:
    """Return a text without its last word if that is a number, and the number or an empty text."""
    *_, last = text.split(" ")
    return (text.removesuffix(last), last) if last.isdecimal() else (text, "")


def _with_ranges(texts: Sequence[str]) -> list[tuple[str, int]]:
    """Return texts, those of successive numbers as one, each with how many it stands for."""
    result: list[tuple[str, int]] = []
    for head, same in groupby(map(_split_number, texts), itemgetter(0)):
        ends = [end for _, end in same]
        first, last = ends[0], ends[-1]
        if len(ends) > 2 and ends == [str(n) for n in range(int(first or 0), int(last or 0) + 1)]:
            text = say("{first} to {last}", first=head + first, last=last)
            result.append((text, len(ends)))
        else:
            result += [(head + end, 1) for end in ends]
    return result


def wrap_text(text: str, indent: str = "    ") -> list[str]:
    """Return a text as indented lines; it is not broken at no-break spaces, which become spaces.

    indent: of all lines but the first.
    """
    lines = textwrap.wrap(
        text, WIDTH, initial_indent="  ", subsequent_indent=indent, break_on_hyphens=False
    )
    return [line.replace(NO_BREAK, " ") for line in lines]
