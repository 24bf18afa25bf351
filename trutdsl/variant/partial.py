"""Parts of a variant: what it changes in the rules of another one, piece by piece."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import sha256

from trutdsl.source import Span
from trutdsl.syntax.ast import Define, Rule, Rules
from trutdsl.variant.model import Layer, RulesText, Variant


@dataclass(frozen=True)
class Piece:
    """A rule or `define` of a base that a variant replaces, or does something before or after.

    how: `replace rule`, `replace define`, `before rule` or `after rule`.
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
    for layer in _added(variant, base):
        rules = layer.rules
        nodes: tuple[Rule | Define, ...] = (*rules.defines, *rules.rules) if rules else ()
        found += [_piece(layer, node) for node in nodes if _changes(node)]
    return tuple(found)


def with_pieces(variant: Variant, base: Variant, kept: Collection[Piece]) -> Variant:
    """Return a variant with only these of its changes of the base's rules.

    All that it adds stays, so that the pieces find what they use; what then nothing uses is no
    mistake. Whether the rest makes sense by itself is told when its program is built.
    """
    spans = {piece.span for piece in kept}
    added = {_key(layer) for layer in _added(variant, base)}

    def part(layer: Layer) -> Layer:
        if layer.text is None or _key(layer) not in added:
            return layer
        rules = layer.text.tree
        here = replace(
            rules,
            defines=tuple(d for d in rules.defines if not _changes(d) or d.name.span in spans),
            rules=tuple(r for r in rules.rules if not _changes(r) or r.name.span in spans),
        )
        return replace(layer, text=_PartOfRules(layer.text.excerpt, here))

    words = sorted(f"{piece.layer}: {piece.words}" for piece in kept)
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


def _added(variant: Variant, base: Variant) -> list[Layer]:
    known = {_key(layer) for layer in base.layers}
    return [layer for layer in variant.layers if _key(layer) not in known]


def _key(layer: Layer) -> tuple[str, str]:
    return layer.kind, layer.path


def _changes(node: Rule | Define) -> bool:
    return node.replaces or (isinstance(node, Rule) and node.piece is not None)


def _piece(layer: Layer, node: Rule | Define) -> Piece:
    what = "rule" if isinstance(node, Rule) else "define"
    how = (node.piece if isinstance(node, Rule) else None) or "replace"
    return Piece(f"{how} {what}", node.name.text, layer.name, node.help, node.name.span)
