"""Players that are there before the match, such as a person at a terminal."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.strategy.calls import Strategy
from trutdsl.strategy.spec import StrategySpec


@dataclass(frozen=True)
class PersonSpec(StrategySpec):
    """A strategy that is an object already; it plays one match at a time.

    player: answers; a KeyboardInterrupt of its own ends the match.
    """

    player: Strategy

    def native_on(self, seat: int) -> None:
        """No policy of the native engine plays so."""

    def answers_in_arrays(self, seat: int) -> bool:  # noqa: ARG002
        """It is asked in one match at a time."""
        return False

    def make(self, place: str = "", seat: int = -1) -> Strategy:  # noqa: ARG002
        return self.player


def person(name: str, player: Strategy) -> PersonSpec:
    """Return a player as what is seated at a table."""
    return PersonSpec(name, type(player).__name__, "", "standard input", "", "", (), player)
