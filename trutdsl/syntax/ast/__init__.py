"""The syntax tree: what a rules text says, node by node, before any name is looked up."""

from trutdsl.syntax.ast.expressions import *
from trutdsl.syntax.ast.statements import *
