"""Types as they are written."""

from __future__ import annotations

from trutdsl.syntax.ast.expressions import Expr
from trutdsl.syntax.ast.pieces import Node, Word
from trutdsl.tree import node


@node
class TypeName(Node):
    """`seat`, `seat?`, `cards`, ..."""

    name: str
    optional: bool


@node
class TypeRange(Node):
    """`0 to 3`."""

    low: Expr
    high: Expr


@node
class TypeEnum(Node):
    """`one of a | b`."""

    values: tuple[Word, ...]


@node
class TypeSet(Node):
    """`set of TYPE`."""

    of: Type


Type = TypeName | TypeRange | TypeEnum | TypeSet
