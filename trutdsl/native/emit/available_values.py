"""Available values: what was worked out in a rule and still holds is not worked out again."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from trutdsl.ir.effects import Names
from trutdsl.native.llvm.function import FunctionWriter

Known = dict[Hashable, tuple[Any, Names]]


class ValueTable:
    """Values by what they are of, each with the names of what it rests on.

    Names are those of zones and variables, and of the rule's own slots, see `slot_name`.

    behind: what will be known behind the sentence that is being written.
    """

    def __init__(self) -> None:
        self._kept: list[Known] = [{}]
        self.behind: Known = {}

    def find(self, key: Hashable) -> Any:
        """Return what is known of a key, or None."""
        for scope in reversed(self._kept):
            if key in scope:
                return scope[key][0]
        return None

    def all_of(self, *start: Hashable) -> list[Any]:
        """Return all that is known of keys that start like this."""
        return [
            value
            for scope in self._kept
            for key, (value, _) in scope.items()
            if isinstance(key, tuple) and key[: len(start)] == start
        ]

    def keep(self, key: Hashable, value: Any, rests_on: Names) -> None:
        """Keep a value as long as nothing changes that it rests on, within this scope."""
        self._kept[-1][key] = value, rests_on

    def lower(self, flags: Names) -> None:
        """Note of these yes/no variables that all of them are no."""
        for name in flags:
            self.keep(("no", name), True, frozenset({name}))

    def is_lowered(self, name: str) -> bool:
        """Tell whether all of a yes/no variable are known to be no."""
        return bool(self.find(("no", name)))

    def forget(self, changed: Names) -> None:
        for scope in self._kept:
            for key in [k for k, (_, rests_on) in scope.items() if rests_on & changed]:
                del scope[key]

    def go_on(self, changed: Names) -> None:
        """Go on behind a sentence that changed these."""
        self.forget(changed)
        self._kept[-1].update(self.behind)
        self.behind = {}

    @contextmanager
    def scope(self) -> Iterator[Known]:
        """Drop at the end what was kept since: it is worked out only on some of the ways.

        Yields what is kept there, to be looked at when the scope has ended.
        """
        kept: Known = {}
        self._kept.append(kept)
        yield kept
        self._kept.pop()


class NoMemo(ValueTable):
    """Keeps nothing: for rules that can be left in the middle."""

    def go_on(self, _changed: Names) -> None:
        """Go on, knowing nothing."""
        self.behind = {}

    def keep(self, _key: Hashable, _value: Any, _rests_on: Names) -> None:
        """Keep nothing."""


class ValueCache(FunctionWriter):
    """Writes into a function, and remembers values."""

    memo: ValueTable


def value_key(value: Any) -> tuple[str, int]:
    """Return what tells a value of llvmlite from all others of its function."""
    return ("const", value.constant) if isinstance(value, ir.Constant) else ("made", id(value))


def is_of_define(key: Hashable, defines: Container[str]) -> bool:
    """Tell whether a key is that of a use of a define, with a key for each argument."""
    return (
        isinstance(key, tuple)
        and key[0] in defines
        and all(isinstance(argument, tuple) for argument in key[1:])
    )


def of_frame(name: str, frame: int) -> str:
    """Return what a name is called in a frame, if it is one of a slot."""
    return f"{name} of {frame}" if name.startswith("#slot") else name
