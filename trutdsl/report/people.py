"""The people of a table in words: seats and teams count from 1."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from trutdsl.language import say
from trutdsl.variant import Words
from trutdsl.variant.read_values import parse_integer


@dataclass(frozen=True)
class People:
    """Names for the seats and teams of a table.

    names: of the seats. me: the reader's seat, None for one who only reads. words: those of the
    variant, None if its rules are unknown here. forms: those of its options, such as `target SEAT`.
    """

    teams: Sequence[int]
    names: Sequence[str]
    me: int | None = None
    words: Words | None = None
    forms: Collection[str] = ()

    @property
    def partners(self) -> bool:
        """Whether some team has more than one seat."""
        return len(set(self.teams)) < len(self.teams)

    def seat(self, seat: int) -> str:
        """Return the name of a seat, for the middle of a sentence."""
        if seat < 0:
            return say("the table")
        if seat == self.me:
            return say("you")
        return self.player(seat)

    def player(self, seat: int) -> str:
        """Return the number and the name of a seat, `you` for the reader's."""
        name = say("you") if seat == self.me else _at(self.names, seat)
        if not name:
            return say("player {number}", number=seat + 1)
        return say("player {number} ({name})", number=seat + 1, name=name)

    def team(self, team: int) -> str:
        """Return the name of a team: a player if it has one seat, else its side."""
        seats = [seat for seat, of in enumerate(self.teams) if of == team]
        if len(seats) == 1:
            return self.seat(seats[0])
        if self.me is not None and self.teams[self.me] == team:
            return say("your team")
        if self.me is not None and len(set(self.teams)) == 2:
            return say("the other team")
        return say("team {number}", number=team + 1)

    def members(self, team: int) -> str:
        return ", ".join(self.player(s) for s, of in enumerate(self.teams) if of == team)

    def card(self, card: str) -> str:
        return self.words.card(card) if self.words else card

    def cards(self, cards: Iterable[object]) -> str:
        texts = [self.card(str(card)) for card in cards]  # a transcript may name anything
        return (", " if any(" " in text for text in texts) else " ").join(texts)

    def action(self, text: str) -> str:
        """Return what a player says who takes an action; a chosen seat or team by its name.

        A number that may be one of several things, by the forms of the options, stays a number.
        """
        fits = [match for form in self.forms if (match := _pattern(form).fullmatch(text))]
        parts, names = text.split(" "), dict[str, str]()
        for group, found in fits[0].groupdict().items() if len(fits) == 1 else ():
            at = text.count(" ", 0, fits[0].start(group))
            parts[at] = group  # no word of an option or choice
            name = self.player if group.startswith("seat") else self.team
            names[group] = name(int(found))

        def of_choice(part: str) -> str:
            return names.get(part) or self.text(part)

        if self.words:
            return self.words.action(" ".join(parts), of_choice)
        return " ".join(map(of_choice, parts))

    def outcome(self, what: str, value: object) -> str:
        """Return the outcome of a die or another chance."""
        if isinstance(value, bool):
            value = say("yes") if value else say("no")
        number = parse_integer(str(value))
        if what in ("seat", "team") and number is not None:
            return self.player(number) if what == "seat" else self.team(number)
        text = self.text(str(value))
        # A set without a name, such as `0 to 12`, is not told.
        return f"{say(what)} {text}" if what.isidentifier() else text

    def counter(self, name: str, number: int | None = None) -> str:
        """Return a counter's name: its plural, except for a number that takes the singular."""
        return self.words.counter(name, number) if self.words else name

    def end(self, reason: str) -> str:
        return self.words.end(reason) if self.words else reason.replace("_", " ")

    def announcement(self, name: str) -> str:
        return self.words.announcement(name) if self.words else name.replace("_", " ")

    def value(self, text: str, kind: str | None = None) -> str:
        """Return a value; kind: the type of its variable, such as `seat` or `teams`."""
        names = {"seat": self.seat, "seats": self.seat, "team": self.team, "teams": self.team}
        numbers = [parse_integer(part) for part in text.split()]
        known = [number for number in numbers if number is not None]
        if kind in names and known == numbers:
            return ", ".join(map(names[kind], known))
        return self.text(text)

    def text(self, text: str) -> str:
        """Return a value with its cards, suits and named values as people call them."""
        if self.words is None:
            return text.replace("_", " ")
        return " ".join(map(self.words.of_choice, text.split(" ")))


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """Return the pattern of the texts of a form such as `give CARD SEAT`, a group for each seat."""
    words = enumerate(form.split(" "))
    return re.compile(" ".join(_text_of(word, place) for place, word in words))


def _text_of(word: str, place: int) -> str:
    """Return the pattern of what a word of a form stands for."""
    if word in ("SEAT", "TEAM"):
        return f"(?P<{word.lower()}_{place}>[0-9]{{1,2}})"
    if word == "NUMBER":
        return "-?[0-9]+"
    if word == "RANK":  # a rank may be a number
        return "[^ ]+"
    return r".*\D.*" if word.isupper() else re.escape(word)


def _at(names: Sequence[str], seat: int) -> str:
    return names[seat] if 0 <= seat < len(names) else "?"  # a transcript may name any seat


def sentence(text: str) -> str:
    """Return a text with a capital letter first."""
    return text[:1].upper() + text[1:]
