"""One variant or module file as it is declared, before anything it builds on is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from trutdsl.diagnostics import Excerpt, Span
from trutdsl.variant.pack import PackDeclaration
from trutdsl.variant.parameters import Parameter
from trutdsl.variant.yaml_nodes import Scalar

Kind: TypeAlias = Literal["variant", "module"]
Direction: TypeAlias = Literal["clockwise", "counter-clockwise"]


@dataclass(frozen=True)
class Counter:
    """A number that every team has, never below `least`, which is 0 or less."""

    name: str
    help: str
    span: Span
    least: int = 0


@dataclass(frozen=True)
class Players:
    """The numbers of players that the game can have, as written."""

    counts: tuple[int, ...]
    span: Span


@dataclass(frozen=True)
class Teams:
    """How many teams there are for each number of players; seat i is in team i modulo that.

    spans: where each number of players stands.
    """

    of: Mapping[int, int]
    spans: Mapping[int, Span]
    span: Span


@dataclass(frozen=True)
class Citation:
    """A source: its id and one line about it."""

    id: str
    text: str
    span: Span


@dataclass(frozen=True)
class Manifest:
    """What one file declares; None or empty for what it does not say.

    name:       the text after `variant:` or `module:`.
    sets:       (name, value) of each entry of `set`, not yet checked against the parameter.
    rules:      the block after `rules: |`, or None.
    rules_file: the file named there instead, or None.
    vocabulary: the block after `vocabulary: |`, `define`s for strategies, or None.
    span:       the name.
    """

    kind: Kind
    name: str
    span: Span
    title: str | None
    summary: str | None
    sources: tuple[Citation, ...]
    extends: Scalar | None
    uses: tuple[Scalar, ...]
    players: Players | None
    teams: Teams | None
    direction: Direction | None
    pack: PackDeclaration | None
    counters: tuple[Counter, ...]
    parameters: tuple[Parameter, ...]
    sets: tuple[tuple[Scalar, Scalar], ...]
    rules: Excerpt | None
    rules_file: Scalar | None
    vocabulary: Excerpt | None
