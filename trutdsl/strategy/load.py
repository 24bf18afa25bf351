"""Finds strategies: files in the folder `strategies/`, or any Python file by its path.

A strategy is code: it can do whatever its writer pleases, so run only those you trust.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import did_you_mean, reject
from trutdsl.game import BadUsage
from trutdsl.source import Source, Span
from trutdsl.strategy.calls import Calling
from trutdsl.strategy.protocol import Strategy
from trutdsl.variant import read_source, shipped_folder


@dataclass(frozen=True)
class StrategySpec:
    """A strategy as it is known before a match: its file's text, so that workers need no file.

    name:        the file's name without `.py`.
    class_name:  the one class in it that has `choose`; summary is its first docstring line.
    fingerprint: SHA-256 of the text, in hexadecimal.
    """

    name: str
    class_name: str
    summary: str
    path: str
    fingerprint: str
    text: str = field(repr=False)

    @property
    def native(self) -> str | None:
        """The policy of the native engine that plays as this strategy does, if it names one.

        Raises `StrategyError`, as `make` does.
        """
        with Calling(self.name, self.path, "cannot start"):
            named = getattr(self._class(), "native", None)
        return named if type(named) is str else None

    def make(self, place: str = "") -> Strategy:
        """Return a fresh instance; raises `StrategyError`, which says for which place it was."""
        _ = self.native  # so that it starts, or does not, whatever engine plays
        with Calling(self.name, self.path, f"cannot start{place}"):
            made: Strategy = self._class()()
        return made

    def _class(self) -> Any:
        """Return what the class's name stands for once the file has run."""
        found = _classes(self.text, self.path)
        if self.class_name not in found:
            raise NameError(f"the class {self.class_name} is gone once the file has run")
        return found[self.class_name]


def list_strategies() -> tuple[str, ...]:
    """Return the names of the shipped strategies."""
    folder = shipped_folder("strategies")
    return tuple(sorted(p.stem for p in folder.glob("*.py") if not p.stem.startswith("_")))


def load_strategy(ref: str) -> StrategySpec:
    """Return a shipped strategy by its name, or the one in a file by its path.

    Raises `Rejected` for a faulty file, `BadUsage` for an unknown name.
    """
    if ref.endswith(".py"):
        path, shown = Path(ref), ref
    else:
        path, shown = shipped_folder("strategies") / f"{ref}.py", f"strategies/{ref}.py"
        if ref not in list_strategies():
            near = did_you_mean(ref, list_strategies())
            known = "shipped are " + ", ".join(list_strategies())
            raise BadUsage(f"there is no strategy '{ref}'; {near or known}")
    source = read_source(path, shown)
    class_name, summary = _find_class(source)
    fingerprint = sha256(source.text.encode()).hexdigest()
    return StrategySpec(path.stem, class_name, summary, shown, fingerprint, source.text)


def _find_class(source: Source) -> tuple[str, str]:
    try:
        tree = ast.parse(source.text, source.name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        line, col = getattr(e, "lineno", None) or 1, getattr(e, "offset", None) or 1
        at = Span(source, line, col, line, col + 1)
        raise reject("strategy-syntax", f"this is not Python: {getattr(e, 'msg', e)}", at) from None
    found = [
        node
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(f, ast.FunctionDef) and f.name == "choose" for f in node.body)
    ]
    if len(found) != 1:
        line = found[1].lineno if found else 1
        raise reject(
            "no-strategy",
            "a strategy's file holds one class with a method `choose`, "
            + (f"but here are {len(found)}" if found else "and here is none"),
            Span(source, line, 1, line, 2),
            help="write `class Name:` with `def choose(self, view): return view.actions[0]`",
        )
    doc = ast.get_docstring(found[0]) or ""
    return found[0].name, doc.split("\n")[0]


@lru_cache(maxsize=64)
def _classes(text: str, path: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": f"strategy:{path}"}
    exec(compile(text, path, "exec"), space)  # a strategy is code, run on purpose
    return space
