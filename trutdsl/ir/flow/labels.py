"""Labels: the secrets that a value is made of, who may see each, and to whom each belongs.

A key stands for one seat or team of one moment of play: two keys that are equal mean the same one.
Keys are never used again for something else; what is not known to be the same gets a new number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Note
from trutdsl.source import Span

# ---------------------------------------------------------------- keys


@dataclass(frozen=True)
class Atom:
    """Some seat or team (or any value); `team` is the key of its team where that is known."""

    number: int
    team: Key | None = None


@dataclass(frozen=True)
class Step:
    """The seat so many places after another one."""

    of: Atom
    by: int


@dataclass(frozen=True)
class TeamOf:
    """The team of a seat."""

    of: Atom | Step


Key = Atom | Step | TeamOf
UNKNOWN = Atom(0)  # equal to nothing, not even to itself: see `Reader.known`


class Atoms:
    """Gives out keys that are equal to no other."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self, team: Key | None = None) -> Atom:
        """Return a new key."""
        self.count += 1
        return Atom(self.count, team if team != UNKNOWN else None)


def team_of(seat: Key) -> Key:
    """Return the key of a seat's team."""
    if seat == UNKNOWN or isinstance(seat, TeamOf):
        return UNKNOWN
    if isinstance(seat, Atom) and seat.team is not None:
        return seat.team
    return TeamOf(seat)


def step(seat: Key, by: int) -> Key:
    """Return the key of the seat so many places after it."""
    if seat == UNKNOWN or isinstance(seat, TeamOf):
        return UNKNOWN
    if isinstance(seat, Step):
        return step(seat.of, seat.by + by)
    return Step(seat, by) if by else seat


def map_key(key: Key, number: Callable[[int], int]) -> Key:
    """Return the key with other numbers; 0 makes all that is built on it unknown."""
    match key:
        case Atom(old, team):
            new = number(old) if old else 0
            mapped = map_key(team, number) if team is not None else None
            return Atom(new, mapped if mapped != UNKNOWN else None) if new else UNKNOWN
        case Step(of, by):
            return step(map_key(of, number), by)
        case TeamOf(of):
            return team_of(map_key(of, number))


# ---------------------------------------------------------------- who sees it


@dataclass(frozen=True)
class Reader:
    """A seat, or every seat of a team."""

    team: bool
    key: Key

    @property
    def known(self) -> bool:
        """Tell whether it is known at all who this is."""
        return self.key != UNKNOWN


Readers = frozenset[Reader] | None  # None: everybody
EVERYBODY: Readers = None
NO_READER: frozenset[Reader] = frozenset()


@dataclass(frozen=True)
class Secret:
    """What lies in a place that not all may see, or what was chosen without all seeing it.

    name:   the zone, the variable or the decision.
    owner:  who may see it, None for nobody; also: whom it was revealed to when it was read.
    at:     the seat or team that the place belongs to; None where there is only one; unknown once
            cards that lay there may have gone, see `looked_at_before`.
    chosen: it is what was chosen, and not what lies in a place of that name.
    """

    name: str
    owner: Reader | None
    also: frozenset[Reader] = NO_READER
    at: Key | None = None
    chosen: bool = False

    def of_same_place(self, other: Secret) -> bool:
        """Tell whether both are known to be what lies in one and the same place."""
        named = (self.name, self.at) == (other.name, other.at) and self.at != UNKNOWN
        return named and not self.chosen and not other.chosen

    def known_to(self, reader: Reader) -> bool:
        """Tell whether that seat, or every seat of that team, may see it."""
        if not reader.known:
            return False
        readers = self.also | {self.owner}
        return reader in readers or (
            not reader.team and Reader(True, team_of(reader.key)) in readers
        )

    def mapped(self, number: Callable[[int], int]) -> Secret:
        """Return the secret with other numbers in its keys."""
        owner = self.owner and replace(self.owner, key=map_key(self.owner.key, number))
        also = (replace(r, key=map_key(r.key, number)) for r in self.also)
        at = map_key(self.at, number) if self.at is not None else None
        return replace(self, owner=owner, also=frozenset(r for r in also if r.known), at=at)


Label = frozenset[Secret]
PUBLIC: Label = frozenset()


def hidden_from(label: Iterable[Secret], readers: Readers) -> Label:
    """Return the secrets that some of the readers may not see."""
    if readers is None:
        return frozenset(label)
    return frozenset(s for s in label if not all(s.known_to(r) for r in readers))


def told(label: Label, readers: Readers) -> Label:
    """Return the secrets of a value that was told to these readers: they know it from now on."""
    if readers is None:
        return PUBLIC
    return frozenset(replace(s, also=s.also | readers) for s in label)


def map_label(label: Iterable[Secret], number: Callable[[int], int]) -> Label:
    """Return the secrets with other numbers in their keys."""
    return frozenset(s.mapped(number) for s in label)


def looked_at_before(label: Label, places: Collection[str]) -> Label:
    """Return the secrets, of which those of these places are no more what lies there now."""
    return frozenset(
        replace(s, at=UNKNOWN) if s.name in places and not s.chosen else s for s in label
    )


# ---------------------------------------------------------------- what decides what is done

Control = Mapping[Secret, Note]  # the secrets that decide whether this is done, and where they do
NO_CONTROL: Control = {}


def both(*controls: Control) -> Control:
    """Return all that decides; of two notes of one secret, the first."""
    given = [c for c in controls if c]
    if len(given) == 1:
        return given[0]
    return {secret: note for control in reversed(given) for secret, note in control.items()}


def map_control(control: Control, number: Callable[[int], int]) -> Control:
    """Return what decides with other numbers in its keys."""
    items = sorted(control.items(), key=lambda item: str(item[1].span))
    return {secret.mapped(number): note for secret, note in items}


def noted(label: Label, message: str, span: Span) -> Control:
    """Return the secrets as deciding something at this position."""
    return {secret: Note(message, span) for secret in label}
