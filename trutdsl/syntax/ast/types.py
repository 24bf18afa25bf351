"""Types as they are written."""

from __future__ import annotations

from dataclasses import dataclass

from trutdsl.syntax.ast.expressions import Expr
from trutdsl.syntax.ast.pieces import Node, Word


@dataclass(frozen=True)
class TypeName(Node):
    """`seat`, `seat?`, `cards`, ..."""

    name: str
    optional: bool


@dataclass(frozen=True)
class TypeRange(Node):
    """`0 to 3`."""

    low: Expr
    high: Expr


@dataclass(frozen=True)
class TypeEnum(Node):
    """`one of a | b`."""

    values: tuple[Word, ...]


@dataclass(frozen=True)
class TypeSet(Node):
    """`set of TYPE`."""

    of: Type


Type = TypeName | TypeRange | TypeEnum | TypeSet
