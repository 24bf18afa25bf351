"""From the text of rules to their syntax tree: layout, grammar, tree; nothing about meaning."""

from trutdsl.syntax.ast import Rules
from trutdsl.syntax.parse import parse_rules

__all__ = ["Rules", "parse_rules"]
