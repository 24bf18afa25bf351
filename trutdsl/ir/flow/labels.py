"""Labels: the secrets in a value, their readers, and their owners.

A key stands for one seat or team at one moment of play: two equal keys mean the same one. Keys are
never used again for something else; a seat or team that may be another one gets a new number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from trutdsl.diagnostics import Note


@dataclass(frozen=True)
class Atom:
    """A seat or team (or any value); `team` is the key of its team if that is known."""

    number: int
    team: Key | None = None


@dataclass(frozen=True)
class SeatOffset:
    """The seat a number of places after another one."""

    of: Atom
    by: int


@dataclass(frozen=True)
class TeamOf:
    """The team of a seat."""

    of: Atom | SeatOffset


Key = Atom | SeatOffset | TeamOf
UNKNOWN = Atom(0)  # unequal to everything, even to itself: see `Reader.known`


class Atoms:
    """Creates keys that are equal to no other."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self, team: Key | None = None) -> Atom:
        self.count += 1
        return Atom(self.count, team if team != UNKNOWN else None)


def team_of(seat: Key) -> Key:
    if seat == UNKNOWN or isinstance(seat, TeamOf):
        return UNKNOWN
    if isinstance(seat, Atom) and seat.team is not None:
        return seat.team
    return TeamOf(seat)


def step(seat: Key, by: int) -> Key:
    if seat == UNKNOWN or isinstance(seat, TeamOf):
        return UNKNOWN
    if isinstance(seat, SeatOffset):
        return step(seat.of, seat.by + by)
    return SeatOffset(seat, by) if by else seat


def map_key(key: Key, number: Callable[[int], int]) -> Key:
    """Return the key with other numbers; 0 makes every key that contains it unknown."""
    match key:
        case Atom(old, team):
            new = number(old) if old else 0
            new_team = map_key(team, number) if team is not None else None
            return Atom(new, new_team if new_team != UNKNOWN else None) if new else UNKNOWN
        case SeatOffset(of, by):
            return step(map_key(of, number), by)
        case TeamOf(of):
            return team_of(map_key(of, number))


class KeyHolder:
    """A data class with keys in it: `map_keys` maps each of its fields, including any new one."""

    @property
    def known(self) -> bool:
        """Return whether it states anything; otherwise sets leave it out."""
        return True


Holder = TypeVar("Holder")


def map_keys(value: Holder, number: Callable[[int], int]) -> Holder:
    return _map(value, number)  # type: ignore[no-any-return]


def _map(value: Any, number: Callable[[int], int]) -> Any:
    if not value:
        return value  # most sets are empty
    match value:
        case Atom() | SeatOffset() | TeamOf():
            return map_key(value, number)
        case KeyHolder():
            return type(value)(*(_map(one, number) for one in field_values(value).values()))
        case frozenset():
            result = [_map(one, number) for one in value]
            return frozenset(one for one in result if not isinstance(one, KeyHolder) or one.known)
        case tuple():
            return tuple(_map(one, number) for one in value)
        case dict():
            # If two keys become one, its notes must not depend on the order of a set.
            by_place = sorted(value.items(), key=lambda item: _places_of(item[1]))
            return {_map(key, number): _map(one, number) for key, one in by_place}
    return value


def _places_of(value: Any) -> list[str]:
    return [str(note.span) for note in value] if isinstance(value, tuple) else []


_FIELDS: dict[type, tuple[str, ...]] = {}


def field_values(value: Any) -> dict[str, Any]:
    """Return the values of all fields of a data class, by name."""
    of = type(value)
    if of not in _FIELDS:
        _FIELDS[of] = tuple(field.name for field in fields(of))
    return {name: getattr(value, name) for name in _FIELDS[of]}


@dataclass(frozen=True)
class Reader(KeyHolder):
    """A seat, or every seat of a team."""

    team: bool
    key: Key

    @property
    def known(self) -> bool:
        """Return whether its seat or team is known."""
        return self.key != UNKNOWN


Readers = frozenset[Reader] | None  # None: everybody
EVERYBODY: Readers = None
NO_READER: frozenset[Reader] = frozenset()


@dataclass(frozen=True)
class Secret(KeyHolder):
    """The content of a place that not all may see, or a choice that not all noticed.

    name:   the zone, the variable or the decision.
    owner:  who may see it, None for nobody; also the seats to which it was revealed when it was
            read.
    at:     the seat or team of the place; None for a choice or a shared place, which nobody owns;
            unknown once the present cards there no longer reveal the earlier ones: `Movement`.
    shrunk: since it was read, cards have left the place in the turns of a loop through it.
    """

    name: str
    owner: Reader | None
    also: frozenset[Reader] = NO_READER
    at: Key | None = None
    shrunk: bool = False

    @property
    def chosen(self) -> bool:
        """Return whether it is a choice: it has an owner, but no place."""
        return self.at is None and self.owner is not None

    def of_same_place(self, other: Secret) -> bool:
        """Return whether both certainly belong to the same place."""
        same = (self.name, self.at) == (other.name, other.at) and self.at != UNKNOWN
        return same and not self.chosen and not other.chosen

    def known_to(self, reader: Reader) -> bool:
        """Return whether that seat, or every seat of that team, may see it."""
        if not reader.known:
            return False
        readers = self.also | {self.owner}
        return reader in readers or (
            not reader.team and Reader(True, team_of(reader.key)) in readers
        )


Label = frozenset[Secret]
PUBLIC: Label = frozenset()


def hidden_from(label: Iterable[Secret], readers: Readers) -> Label:
    """Return the secrets that some of the readers may not see."""
    if readers is None:
        return frozenset(label)
    return frozenset(s for s in label if not all(s.known_to(r) for r in readers))


def release(label: Label, readers: Readers) -> Label:
    """Return the secrets of a value that these readers heard: they know it from now on."""
    if readers is None:
        return PUBLIC
    return frozenset(replace(s, also=s.also | readers) for s in label)


@dataclass(frozen=True)
class PossibleRevelation(KeyHolder):
    """A place of some zone that may have been revealed to a reader (None: everybody).

    It states more if the reader is unknown, so it stays when its key becomes unknown.
    """

    name: str
    reader: Reader | None


@dataclass(frozen=True)
class Movement:
    """The zones that may have lost cards, and those that may have been revealed.

    shrunk_zones: those that lost cards for any reason except the next two.
    in_turn:      in the turns of a loop through the cards of the zone, each in its own turn.
    revelations:  to whom places may have been revealed.

    Cards that were selected by the content of the zone and went where all see them are left out.
    With them the whole content is released (see the table of releases in `docs/architecture.md`).

    Invariant: a value with a secret `at` a place that is not `shrunk` was computed from cards that
    still lie there or are released. The card of a loop's turn is known by its number among the
    cards that still lie there or are released.
    """

    shrunk_zones: frozenset[str] = frozenset()
    in_turn: frozenset[str] = frozenset()
    revelations: frozenset[PossibleRevelation] = frozenset()

    def __or__(self, other: Movement) -> Movement:
        return Movement(
            self.shrunk_zones | other.shrunk_zones,
            self.in_turn | other.in_turn,
            self.revelations | other.revelations,
        )

    def update(self, label: Label) -> Label:
        """Return the secrets of a value after the cards have left."""
        return frozenset(map(self._update, label))

    def _update(self, secret: Secret) -> Secret:
        if secret.chosen or secret.at == UNKNOWN:
            return secret
        if secret.name in self.shrunk_zones:
            return replace(secret, at=UNKNOWN, shrunk=False)
        return replace(secret, shrunk=True) if secret.name in self.in_turn else secret


NO_MOVEMENT = Movement()

# The secrets that decide whether this runs, each with notes where, at most `MOST_NOTES`.
Control = Mapping[Secret, tuple[Note, ...]]
NO_CONTROL: Control = {}
MOST_NOTES = 3


def both(*controls: Control) -> Control:
    """Return the union of all controls; of the notes of one secret, the first."""
    parts = [c for c in controls if c]
    if len(parts) == 1:
        return parts[0]
    result: dict[Secret, tuple[Note, ...]] = {}
    for control in parts:
        for secret, some in control.items():
            old = result.get(secret, ())
            new = tuple(note for note in some if note not in old)
            result[secret] = (old + new)[:MOST_NOTES]
    return result
