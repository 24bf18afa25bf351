"""The syntax tree of a rules text, before name resolution."""

from trutdsl.syntax.ast.expressions import *
from trutdsl.syntax.ast.statements import *
