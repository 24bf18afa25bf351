"""What a strategy in Python is."""

from __future__ import annotations

from typing import Protocol

from trutdsl.game import Action, View


class Strategy(Protocol):
    """Plays one seat in one match; a new instance is made for each, so that it may remember."""

    def choose(self, view: View) -> Action:
        """Return one of `view.actions`.

        Whatever luck it needs comes from `view.random`, so that a match can be played again.
        """
