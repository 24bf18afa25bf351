"""Strategies that are Python objects: classes with `choose`, instances of them, and functions."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from trutdsl.diagnostics import BadUsage
from trutdsl.game import Action, View
from trutdsl.language import say
from trutdsl.strategy.spec import Strategy, StrategyCall, StrategySpec

CodedStrategy = type[Strategy] | Strategy | Callable[[View], Action | str]


@dataclass(frozen=True, repr=False)
class ObjectSpec(StrategySpec):
    """A strategy of this process; each match gets a new instance of a class, or a copy.

    made_from: the class, the instance or the function.
    """

    made_from: Any

    def make(self, place: str = "", seat: int = -1) -> Strategy:
        """Return a fresh instance; raises `StrategyError` as the class of a file does."""
        if inspect.isclass(self.made_from):
            return super().make(place, seat)
        if not hasattr(self.made_from, "choose"):
            return FunctionStrategy(self.made_from)
        with StrategyCall(
            self.name, self.path, partial(say, "cannot start{place}", place=place), seat
        ):
            strategy: Strategy = deepcopy(self.made_from)
        return strategy

    def _class(self) -> Any:
        return self.made_from if inspect.isclass(self.made_from) else type(self.made_from)


class FunctionStrategy:
    """A function of the view as a strategy."""

    def __init__(self, function: Callable[[View], Action | str]) -> None:
        self.choose = function


def make_spec(strategy: CodedStrategy) -> ObjectSpec:
    """Return the strategy of an object; raises `BadUsage` for an object that is none."""
    chooses = callable(getattr(strategy, "choose", None))
    if not chooses and (inspect.isclass(strategy) or not callable(strategy)):
        raise BadUsage(
            f"found {strategy!r}, expected a strategy: a name, a path, a class or an object with a "
            "method `choose`, or a function of the view"
        )
    source = strategy if hasattr(strategy, "__name__") else type(strategy)
    name = str(getattr(source, "__name__", "strategy")).strip("<>")
    code = strategy if inspect.isclass(strategy) or inspect.isroutine(strategy) else type(strategy)
    path = _path_of(code)
    summary = (inspect.getdoc(code) or "").split("\n")[0]
    mark = sha256(_identity(strategy, code)).hexdigest()
    if chooses and not inspect.isclass(strategy):
        try:
            deepcopy(strategy)
        except Exception as problem:  # whatever its own methods raise
            raise BadUsage(
                f"the strategy '{name}' cannot be copied, and each match needs a copy ({problem}); "
                "pass its class, or leave that out with `__deepcopy__`"
            ) from None
    return ObjectSpec(name, name, summary, path, mark, "", (), strategy)


def _path_of(code: Any) -> str:
    try:
        return inspect.getfile(code)
    except (TypeError, OSError):
        return "this session"


def _identity(value: Any, code: Any) -> bytes:
    """Return the source of an object and its state, as far as Python knows them."""
    source = _source_of(code)
    if code is value:
        return source
    try:
        return source + pickle.dumps(value)
    except Exception:  # whatever its own methods raise
        return source + repr(getattr(value, "__dict__", "")).encode()


@lru_cache(maxsize=64)
def _source_of(code: Any) -> bytes:
    try:
        return inspect.getsource(code).encode()
    except (TypeError, OSError):
        return repr(getattr(getattr(code, "__code__", None), "co_code", code)).encode()


_named: ContextVar[Mapping[str, Any]] = ContextVar("_named", default=MappingProxyType({}))


def find_object(name: str) -> Any:
    """Return the object that has this name in the present block of `name_objects`, if any."""
    return _named.get().get(name)


@contextmanager
def name_objects(specs: Iterable[Any]) -> Iterator[None]:
    """Let strategies be loaded by their names within the block.

    Raises `BadUsage` for different ones with one name.
    """
    names = dict(_named.get())
    for spec in specs:
        if names.setdefault(spec.name, spec) != spec:
            raise BadUsage(
                f"two strategies are called '{spec.name}'; give one of them another `__name__`"
            )
    token = _named.set(names)
    try:
        yield
    finally:
        _named.reset(token)
