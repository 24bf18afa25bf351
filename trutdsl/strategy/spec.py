"""Strategies as they are known before a match: in Python, as a script, or drawn from worlds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from secrets import randbits
from typing import Any

from trutdsl.game import BadUsage
from trutdsl.strategy.calls import Strategy, StrategyCall
from trutdsl.strategy.monte_carlo import MonteCarloSpec
from trutdsl.strategy.script import ScriptSpec
from trutdsl.strategy.settings import Value
from trutdsl.streams import LARGEST_SEED


@dataclass(frozen=True)
class StrategySpec:
    """A strategy as it is known before a match: its file's text, so that workers need no file.

    name:        the file's name without `.py`, with what is set of its parameters.
    class_name:  the one class in it that has `choose`; summary is its first docstring line.
    fingerprint: SHA-256 of the text and of what is set, in hexadecimal.
    settings:    what the class is made with.
    """

    name: str
    class_name: str
    summary: str
    path: str
    fingerprint: str
    text: str = field(repr=False)
    settings: tuple[tuple[str, Value], ...]

    def native_on(self, seat: int) -> str | None:
        """Return the policy of the native engine that plays as this strategy does, if it names one.

        Raises `StrategyError`, as `make` does.
        """
        with StrategyCall(self.name, self.path, lambda: "cannot start", seat):
            named = getattr(self._class(), "native", None)
        return named if type(named) is str else None

    def answers_in_arrays(self, seat: int) -> bool:
        """Tell whether it can answer in many matches at once; raises `StrategyError` as above."""
        with StrategyCall(self.name, self.path, lambda: "cannot start", seat):
            return callable(getattr(self._class(), "choose_batch", None))

    def make(self, place: str = "", seat: int = -1) -> Strategy:
        """Return a fresh instance; raises `StrategyError`, which says for which place it was.

        seat: where it will play, -1 for nowhere.
        """
        _ = self.native_on(seat)  # so that it starts, or does not, whatever engine plays
        with StrategyCall(self.name, self.path, lambda: f"cannot start{place}", seat):
            made: Strategy = self._class()(**dict(self.settings))
        return made

    def _class(self) -> Any:
        """Return what the class's name stands for once the file has run."""
        found = _classes(self.text, self.path)
        if self.class_name not in found:
            raise NameError(f"the class {self.class_name} is gone once the file has run")
        return found[self.class_name]


@dataclass(frozen=True)
class InstalledSpec(StrategySpec):
    """A strategy of an installed package, imported from its module; text is that of its file."""

    module: str

    def _class(self) -> Any:
        return getattr(import_module(self.module), self.class_name)


Spec = StrategySpec | ScriptSpec | MonteCarloSpec


@lru_cache(maxsize=64)
def _classes(text: str, path: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": f"strategy:{path}"}
    exec(compile(text, path, "exec"), space)  # a strategy is code, run on purpose
    return space


# The seed of play for which none was given.
#
# Who knows the seed knows all cards. A script can do nothing with it; a program, in Python or a
# bot, could guess the one that is usual and deal the match itself.

USUAL = 1


def settle_seed(seed: int | None, specs: Iterable[Spec]) -> int:
    """Return the seed given; for None 1 where only scripts play, else 128 random bits.

    specs: who plays, not looked at where a seed is given. Raises `BadUsage` for a seed that is not
    from 0 to 2**128-1.
    """
    if seed is None:
        strangers = any(isinstance(spec, StrategySpec) for spec in specs)
        return randbits(128) if strangers else USUAL
    if not 0 <= seed <= LARGEST_SEED:
        raise BadUsage(f"--seed must be from 0 to 2**128-1, not {seed}")
    return seed
