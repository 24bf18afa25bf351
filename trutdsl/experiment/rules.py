"""When a tournament has been played for long enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from trutdsl.arena.run import StopRule
from trutdsl.arena.schedule import Experiment
from trutdsl.experiment.settings import MATCHES, Settings

GUESS = 16  # deals a match has, about; it only decides how often the rule is asked
OFTEN = 50  # times in a run


def rule_of(experiment: Experiment, settings: Settings) -> StopRule | None:
    """Return the rule by which a run ends before its last set, None if there is none."""
    rules: list[StopRule] = []
    if settings.deals is not None and settings.mode == MATCHES:
        rules.append(EnoughDeals(experiment, settings.deals))
    if settings.precision is not None or settings.test is not None:
        # Loaded only here: who asks for neither need not wait for it.
        from trutdsl.experiment.stopping import Decided, NarrowEnough

        if settings.precision is not None:
            rules.append(NarrowEnough(experiment, settings.precision))
        if settings.test is not None and settings.margin is not None:
            rules.append(Decided(experiment, settings.test, settings.margin))
    return FirstOf(rules) if len(rules) > 1 else rules[0] if rules else None


class EnoughDeals:
    """Stops at the first place by which so many deals were played.

    It is asked at multiples of a power of two. So what was kept for fewer deals fits those places,
    too, and the same journal serves when more are asked for.
    """

    def __init__(self, experiment: Experiment, deals: int) -> None:
        expected = deals // (GUESS * experiment.design.matches_per_set * OFTEN)
        self.every = 1 << max(0, expected.bit_length() - 1)
        self._left = deals

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether the deals suffice with those of these chunks."""
        self._left -= sum(one["counts"]["deals"] for one in kept)
        return self._left <= 0


class FirstOf:
    """Stops where the first of several rules does, each asked at its own places only.

    Places are multiples of powers of two, so that a rule's are also those of all that ask oftener.
    """

    def __init__(self, rules: Sequence[StopRule]) -> None:
        self.every = min(rule.every for rule in rules)
        self._rules, self._at = rules, 0
        self._waiting: list[list[Any]] = [[] for _ in rules]

    def settles(self, kept: Iterable[Any]) -> bool:
        """Tell whether one of those rules says so that have come to one of their places."""
        kept, found = list(kept), False
        self._at += sum(one["counts"]["sets"] for one in kept)
        for rule, waiting in zip(self._rules, self._waiting, strict=True):
            waiting += kept
            if self._at % rule.every == 0:
                found |= rule.settles(waiting)
                waiting.clear()
        return found
