"""Known-answer test: whether strategies in Python have left the interpreter intact."""

from __future__ import annotations

import builtins
import resource
import sys
from collections.abc import Callable
from math import inf
from operator import lt

from trutdsl.game import Action, View
from trutdsl.strategy.bots import BotSpec
from trutdsl.strategy.load import Spec
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.strategy.spec import PersonSpec, StrategySpec, person, watch_calls


def runs_here(spec: Spec) -> bool:
    """Tell whether a strategy is code that runs in the playing process."""
    return isinstance(spec, StrategySpec) and not isinstance(
        spec, SolvedSpec | PersonSpec | BotSpec
    )


class _Uniform:
    """A strategy of the program's own, which the test plays as if it were a stranger's."""

    def choose(self, view: View) -> Action:
        return view.actions[view.random.below(len(view.actions))]


class _Failing:
    """One that fails, because the program does other work then."""

    def choose(self, _view: View) -> Action:
        raise ValueError


def stand_ins() -> tuple[PersonSpec, PersonSpec]:
    """Return two strategies that play as those in Python do; the second one fails."""
    return person("stand-in", _Uniform()), person("failing", _Failing())


LIMITS = [kind for name, kind in vars(resource).items() if name.startswith("RLIMIT_")]


def _limits() -> list[float]:
    """Return what this process may use of each resource."""
    limits = (resource.getrlimit(kind)[0] for kind in LIMITS if kind != resource.RLIMIT_CORE)
    return [inf if limit == resource.RLIM_INFINITY else limit for limit in limits]


class SelfTest:
    """Repeats some work of the program, whose result it knows from the time before.

    The test fails also if a built-in function or a module that was loaded then is replaced, or if
    a limit of the process is lowered.
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self._work, self._answer = work, work()
        self._names = [(space, {**space}) for space in (vars(builtins), sys.modules)]
        self._limits = _limits()

    def passes(self) -> bool:
        """Return whether the result is still the same; nothing that strategies do can raise."""
        watcher = watch_calls(None)
        try:
            for space, before in self._names:
                for name in before:
                    if space[name] is not before[name]:
                        return False
            lowered = any(map(lt, _limits(), self._limits))
            return not lowered and self._work() == self._answer
        except:  # noqa: E722 - a damaged interpreter may not even know the names of exceptions
            return False
        finally:
            watch_calls(watcher)
