"""Tells a match while it is played to one who sits there: what that seat notices, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trutdsl.game import Announced, Passed, Said
from trutdsl.transcript.show import tell_event
from trutdsl.transcript.write import Event

TOLD_TO_ALL = ("deal", "turned", "counter", "match_end")
NOTICED = ("action", "announced", "passed")


class Follower:
    """Takes all events of a match, and tells of them what one seat notices.

    Who said what comes from the seat's own history (`View.history`); the events only say in which
    order that stands with what everybody knows: what is turned up, how deals and tricks end, and
    what is won.
    """

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._events: list[Event] = []
        self._told = 0  # of the history of this deal

    def __call__(self, event: Event) -> None:
        """Take an event."""
        self._events.append(event)

    def tell(self, history: Sequence[Said]) -> Iterator[str]:
        """Yield lines on what has happened since the last time.

        history: what the seat noticed in this deal, oldest first.
        """
        events, self._events = self._events, []
        for event in events:
            kind = event["event"]
            if kind == "deal":
                self._told = 0
            if kind in TOLD_TO_ALL:
                yield from tell_event(event)
            elif kind == "trick":
                yield f"  {self._trick(event)}"
            elif kind == "deal_end":
                who = "nobody" if event["winner"] is None else f"team {event['winner']}"
                yield f"  {who} wins the deal ({event['reason']})"
            elif kind in NOTICED and self._told < len(history):
                said = history[self._told]
                if self._is_of(said, event):
                    self._told += 1
                    yield f"  {self._say(said)}"

    def _trick(self, event: Event) -> str:
        if event["winner"] is not None:
            return f"{self._who(event['winner'])} won the trick"
        return (
            "the trick is tied" if event["team"] is None else f"team {event['team']} won the trick"
        )

    def _say(self, said: Said) -> str:
        if isinstance(said, Announced):
            return f"{self._who(said.seat)} announced {said.decision}: {said.action}"
        if isinstance(said, Passed):
            cards, _, to = said.action.rpartition(" to ")
            if said.seat < 0:  # from one team to another
                return f"{cards} to {to}"
            gives = "give" if said.seat == self._seat else "gives"
            return f"{self._who(said.seat)} {gives} {self._who(int(to))}: {cards}"
        return f"{self._who(said.seat)}: {said.action}"

    def _who(self, seat: int) -> str:
        return "the table" if seat < 0 else "you" if seat == self._seat else f"seat {seat}"

    def _is_of(self, said: Said, event: Event) -> bool:
        """Tell whether what the seat noticed next is this event."""
        match event["event"]:
            case "announced":
                return isinstance(said, Announced) and self._seat in event["to"]
            case "passed":
                return isinstance(said, Passed)
        same = said.seat, said.decision, said.action
        return type(said) is Said and same == (event["seat"], event["decision"], event["action"])
