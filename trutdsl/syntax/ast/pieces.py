"""Pieces of a text: what all nodes of the syntax tree have, and the words in them."""

from __future__ import annotations

from enum import Enum

from trutdsl.source import Span
from trutdsl.tree import Tree, node


class Audience(Enum):
    """Who may see a zone, a variable or a choice."""

    ALL = "all"
    OWNER = "owner"
    TEAM = "team"
    NOBODY = "nobody"


@node
class Node(Tree):
    """A piece of the text and where it stands."""

    span: Span


@node
class Word(Node):
    """A name as written."""

    text: str
