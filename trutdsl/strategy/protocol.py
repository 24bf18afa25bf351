"""What a strategy in Python is."""

from __future__ import annotations

from typing import Protocol

from trutdsl.game import Action, View


class Strategy(Protocol):
    """Plays one seat in one match; a new instance is made for each, so that it may remember.

    A class may name in `native` the policy of the native engine that plays exactly as it does;
    there is one, "uniform". It can have `choose_batch(self, seen, names)`, which answers in many
    matches at once, see `docs/python.md`.
    """

    def choose(self, view: View) -> Action | str:
        """Return one of `view.actions`, or one as it is written, such as `"fold"`.

        Whatever luck it needs comes from `view.random`, so that a match can be played again.
        """
