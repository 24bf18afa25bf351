"""A person's hand at the terminal: shows what a seat sees, and reads what it does."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TextIO

from trutdsl.diagnostics import did_you_mean
from trutdsl.game import HIDDEN, Action, State, View
from trutdsl.strategy.calls import shorten
from trutdsl.transcript import Follower

WIDTH, NO_BREAK = 78, "\N{NO-BREAK SPACE}"
MOST_SHOWN = 60  # actions
ALL, QUIT = "?", ("quit", "q")


class Left(KeyboardInterrupt):
    """The person leaves the match.

    why: what is wrong with the terminal, if it is that.
    """

    def __init__(self, why: OSError | None = None) -> None:
        super().__init__()
        self.why = why


class Hand:
    """A strategy whose choices a person makes.

    answers: where the person writes; what comes from no terminal is shown as well.
    screen:  where the person reads. A decision with one legal action is made at once.
    """

    def __init__(self, follower: Follower, answers: TextIO, screen: TextIO) -> None:
        self._follower, self._answers, self._screen = follower, answers, screen
        self._echo = not answers.isatty()

    def rest(self, seat: int) -> Callable[[State], None]:
        """Return what tells how a deal ended, given the match between two deals."""

        def rested(state: State) -> None:
            for line in self._follower.tell(state.sight(seat).heard):
                self._say(line)

        return rested

    def choose(self, view: View) -> Action:
        """Return what the person does; raises `Left`."""
        try:
            return self._ask(view)
        except OSError as why:
            raise Left(why) from None

    def _ask(self, view: View) -> Action:
        for line in self._follower.tell(view.history):
            self._say(line)
        if len(view.actions) == 1:
            return view.actions[0]
        for line in (*zone_lines(view), *action_lines(view.actions)):
            self._say(line)
        while True:
            answer = self._read(f"{view.decision}> ")
            if answer == ALL:
                for line in (*all_lines(view), *action_lines(view.actions)):
                    self._say(line)
                continue
            found = action_for(answer, view.actions)
            if isinstance(found, Action):
                return found
            self._say(f"  {found}")

    def _read(self, prompt: str) -> str:
        """Return the next line that says anything; raises `Left` where there is none."""
        while True:
            self._screen.write(prompt)
            self._screen.flush()
            line = self._answers.readline()
            text = shorten(" ".join(line.split()))
            if self._echo or not line:
                self._say(text)
            if not line or text.lower() in QUIT:
                raise Left
            if text:
                return text

    def _say(self, line: str) -> None:
        self._screen.write(f"{line}\n")


def action_for(answer: str, actions: Sequence[Action]) -> Action | str:
    """Return the action that is meant, or a sentence on why none is.

    It is written whole, or by its number from 1, or by an end of it that no other has: `7h`.
    """
    wanted = answer.lower()
    for action in actions:
        if action.text.lower() == wanted:
            return action
    if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(actions):
        return actions[int(answer) - 1]
    ends = [action for action in actions if action.text.lower().endswith(f" {wanted}")]
    if len(ends) == 1:
        return ends[0]
    if ends:
        return f"'{answer}' may be {' or '.join(action.text for action in ends)}; write it whole"
    near = did_you_mean(answer, [action.text for action in actions[:MOST_SHOWN]])
    return f"'{answer}' cannot be done now; {near or f'write a number from 1 to {len(actions)}'}"


def action_lines(actions: Sequence[Action]) -> Iterator[str]:
    """Yield the legal actions with their numbers, as many in a line as there is room for."""
    shown = (f"{number} {one.text}" for number, one in enumerate(actions[:MOST_SHOWN], 1))
    unbroken = "   ".join(text.replace(" ", NO_BREAK) for text in shown)
    for line in textwrap.wrap(unbroken, WIDTH - 2):
        yield f"  {line.replace(NO_BREAK, ' ')}"
    if len(actions) > MOST_SHOWN:
        yield f"  and {len(actions) - MOST_SHOWN:,} more, up to {actions[-1].text}"


def zone_lines(view: View) -> Iterator[str]:
    """Yield the cards that the seat sees, place by place."""
    for zone, index, cards, _ in _places(view):
        if cards:
            yield f"  {_place(view, zone, index)}: {' '.join(cards)}"


def all_lines(view: View) -> Iterator[str]:
    """Yield all that the seat may know of cards, variables and counters."""
    for zone, index, cards, size in _places(view):
        shown = " ".join(cards) if cards else f"{size} cards" if size else "nothing"
        yield f"  {_place(view, zone, index)}: {shown}"
    for name, values in (*view.variables.items(), *view.counters.items()):
        told = ("?" if value is HIDDEN else _told(value) for value in values)
        yield f"  {name}: {', '.join(told)}"


def _places(view: View) -> Iterator[tuple[str, int | None, Sequence[str], int]]:
    """Yield each zone's places: its name, the seat or team, the cards seen there, how many lie."""
    for zone, places in view.zones.items():
        for index, seen in enumerate(places):
            cards = () if seen is HIDDEN else seen
            yield zone, index if len(places) > 1 else None, cards, view.sizes[zone][index]


def _place(view: View, zone: str, index: int | None) -> str:
    """Return how a place is called: a seat's, or of teams that are fewer than seats a team's."""
    if index is None:
        return zone
    by_seat = len(view.zones[zone]) == view.players
    if index == (view.seat if by_seat else view.team):
        return f"your {zone}" if by_seat else f"your team's {zone}"
    return f"{zone} of {'seat' if by_seat else 'team'} {index}"


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return " ".join(sorted(map(str, value))) or "none"
    return "nobody" if value is None else str(value)
