"""Parts of a variant: what it changes in the rules of another one, piece by piece."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar

from trutdsl.source import Span
from trutdsl.syntax.ast import Addition, Define, Group, Rule, Rules, Word
from trutdsl.variant.model import Layer, RulesText, Variant

One = TypeVar("One", Rule, Define, Group, Addition)
Written = Rule | Define | Group | Addition


@dataclass(frozen=True)
class Piece:
    """What a variant replaces of its base, does before or after one of its rules, or adds to ask.

    how: `replace rule`, `replace define`, `replace options`, `before rule`, `after rule` or
         `add to ask`.
    """

    how: str
    name: str
    layer: str
    help: str | None
    span: Span

    @property
    def words(self) -> str:
        """How it is called in a report, as it stands in the rules."""
        return f"{self.how} {self.name}"


def builds_on(variant: Variant, base: Variant) -> bool:
    """Tell whether a variant extends another one, directly or through others."""
    return variant.name != base.name and {_key(layer) for layer in base.layers} <= {
        _key(layer) for layer in variant.layers
    }


def pieces_of(variant: Variant, base: Variant) -> tuple[Piece, ...]:
    """Return what a variant changes in the rules of its base, in the order of the files."""
    found = []
    for layer in added_layers(variant, base):
        rules = layer.rules
        if rules is None:
            continue
        nodes: tuple[Written, ...] = *rules.defines, *rules.rules, *rules.groups, *rules.additions
        found += [_piece(layer, node) for node in nodes if is_change(node)]
    return tuple(found)


def with_pieces(variant: Variant, base: Variant, kept: Collection[Piece]) -> Variant:
    """Return a variant with only these of its changes of the base's rules.

    All that it adds stays, so that the pieces find what they use; what then nothing uses is no
    mistake. Whether the rest makes sense by itself is told when its program is built.
    """
    spans = {piece.span for piece in kept}
    added = {_key(layer) for layer in added_layers(variant, base)}

    def left(nodes: tuple[One, ...]) -> tuple[One, ...]:
        return tuple(node for node in nodes if not is_change(node) or name_of(node).span in spans)

    def part(layer: Layer) -> Layer:
        if layer.text is None or _key(layer) not in added:
            return layer
        rules = layer.text.tree
        here = replace(
            rules,
            defines=left(rules.defines),
            rules=left(rules.rules),
            groups=left(rules.groups),
            additions=left(rules.additions),
        )
        return replace(layer, text=_PartOfRules(layer.text.excerpt, here))

    words = sorted(f"{piece.layer}:{piece.span.line}: {piece.words}" for piece in kept)
    decides = "\n".join([variant.fingerprint, base.fingerprint, *words])
    return replace(
        variant,
        layers=tuple(part(layer) for layer in variant.layers),
        fingerprint=sha256(decides.encode()).hexdigest(),
        partial=True,
    )


class _PartOfRules(RulesText):
    """Rules of a file of which some are left out."""

    def __init__(self, excerpt: object, tree: Rules) -> None:
        object.__setattr__(self, "excerpt", excerpt)
        self.__dict__["tree"] = tree


def added_layers(variant: Variant, base: Variant) -> list[Layer]:
    """Return the layers of a variant that its base does not have, in their order."""
    known = {_key(layer) for layer in base.layers}
    return [layer for layer in variant.layers if _key(layer) not in known]


def _key(layer: Layer) -> tuple[str, str]:
    return layer.kind, layer.path


def is_change(node: Written) -> bool:
    """Tell whether what is written changes something of the base, and is not just added."""
    if isinstance(node, Addition):
        return True
    return node.replaces or (isinstance(node, Rule) and node.piece is not None)


def name_of(node: Written) -> Word:
    """Return what is changed or added, by its name."""
    return node.decision if isinstance(node, Addition) else node.name


def _piece(layer: Layer, node: Written) -> Piece:
    match node:
        case Addition():
            how = "add to ask"
        case Rule():
            how = f"{node.piece or 'replace'} rule"
        case Define():
            how = "replace define"
        case Group():
            how = "replace options"
    return Piece(how, name_of(node).text, layer.name, node.help, name_of(node).span)
