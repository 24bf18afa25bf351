"""Data dependence: pieces of a variant that write something new for other pieces to read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar

from trutdsl.diagnostics import Span
from trutdsl.syntax import ast
from trutdsl.syntax.ast import Addition, Define, Group, Rule, Word, walk
from trutdsl.variant.model import Layer, RulesText, Variant

# Pieces of a variant: its changes of its base's rules.

One = TypeVar("One", Rule, Define, Group, Addition)
Replaceable = Rule | Define | Group | Addition


@dataclass(frozen=True)
class Piece:
    """A change of the base: a replacement, a rule before or after another one, or an added option.

    how: `replace rule`, `replace define`, `replace options`, `before rule`, `after rule`, `when` or
         `add to ask`.
    """

    how: str
    name: str
    layer: str
    help: str | None
    span: Span

    @property
    def words(self) -> str:
        """Its name in a report, as the rules write it."""
        return f"{self.how} {self.name}"


def builds_on(variant: Variant, base: Variant) -> bool:
    """Tell whether a variant extends another one, directly or through others."""
    return variant.name != base.name and {_key(layer) for layer in base.layers} <= {
        _key(layer) for layer in variant.layers
    }


def pieces_of(variant: Variant, base: Variant) -> tuple[Piece, ...]:
    """Return the changes of a variant to the rules of its base, in the order of the files."""
    return tuple(
        _piece(layer, node) for layer, node in _own_definitions(variant, base) if is_change(node)
    )


def _own_definitions(variant: Variant, base: Variant) -> Iterator[tuple[Layer, Replaceable]]:
    """Yield the definitions of layers that the base does not have, in the order of the files."""
    for layer in added_layers(variant, base):
        if layer.rules is not None:
            rules = layer.rules
            nodes: tuple[Replaceable, ...]
            nodes = *rules.defines, *rules.rules, *rules.groups, *rules.additions
            yield from ((layer, node) for node in nodes)


def with_pieces(variant: Variant, base: Variant, pieces: Collection[Piece]) -> Variant:
    """Return a variant with only these of its changes of the base's rules.

    All its additions stay, because the pieces may use them; unused ones are no mistake. Building
    the program shows whether the rest is valid.
    """
    spans = {piece.span for piece in pieces}
    keys = {_key(layer) for layer in added_layers(variant, base)}

    def left(nodes: tuple[One, ...]) -> tuple[One, ...]:
        return tuple(node for node in nodes if not is_change(node) or name_of(node).span in spans)

    def part(layer: Layer) -> Layer:
        if layer.text is None or _key(layer) not in keys:
            return layer
        rules = layer.text.tree
        tree = replace(
            rules,
            defines=left(rules.defines),
            rules=left(rules.rules),
            groups=left(rules.groups),
            additions=left(rules.additions),
        )
        text = RulesText(layer.text.excerpt)
        vars(text)["tree"] = tree
        return replace(layer, text=text)

    files = [layer.text.excerpt.source if layer.text else None for layer in variant.layers]
    words = sorted(f"{files.index(p.span.source)}:{p.span.line}: {p.words}" for p in pieces)
    decides = "\n".join([variant.fingerprint, base.fingerprint, *words])
    return replace(
        variant,
        layers=tuple(part(layer) for layer in variant.layers),
        fingerprint=sha256(decides.encode()).hexdigest(),
        partial=True,
    )


def added_layers(variant: Variant, base: Variant) -> list[Layer]:
    """Return the layers of a variant that its base does not have, in their order."""
    known = {_key(layer) for layer in base.layers}
    return [layer for layer in variant.layers if _key(layer) not in known]


def _key(layer: Layer) -> tuple[str, str]:
    return layer.kind, layer.path


def is_change(node: Replaceable) -> bool:
    """Return whether a definition changes the base; otherwise it is an addition."""
    if isinstance(node, Addition):
        return True
    return node.replaces or (isinstance(node, Rule) and node.piece is not None)


def name_of(node: Replaceable) -> Word:
    """Return the name of a change or addition."""
    return node.decision if isinstance(node, Addition) else node.name


def _piece(layer: Layer, node: Replaceable) -> Piece:
    match node:
        case Addition():
            how = "add to ask"
        case Rule(piece="when"):
            how = "when"
        case Rule():
            how = f"{node.piece or 'replace'} rule"
        case Define():
            how = "replace define"
        case Group():
            how = "replace options"
    return Piece(how, name_of(node).text, layer.name, node.help, name_of(node).span)


@dataclass(frozen=True)
class PieceGroup:
    """Pieces that depend on each other, in the order of the files, and the names they share."""

    pieces: tuple[Piece, ...]
    shared_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Use:
    """The names that a piece writes and reads; questions are in quotes."""

    writes: frozenset[str]
    reads: frozenset[str]

    def names_shared_with(self, other: _Use) -> frozenset[str]:
        return self.writes & other.reads | other.writes & self.reads


def group_pieces(variant: Variant, base: Variant) -> tuple[PieceGroup, ...]:
    """Return the pieces of a variant in groups: one piece writes what another of its group reads.

    Only new names of the variant count: zones, variables and counters that it declares, questions
    that it asks. A piece also uses the names in the added rules, defines and options that it names.
    """
    pieces = pieces_of(variant, base)
    new, uses = _new_names(variant, base), _uses(variant, base)
    result: list[tuple[list[int], set[str]]] = []
    for number in range(len(pieces)):
        group, names = [number], set[str]()
        for one in list(result):
            by = {x for other in one[0] for x in uses[number].names_shared_with(uses[other]) & new}
            if by:
                result.remove(one)
                group, names = group + one[0], names | one[1] | by
        result.append((sorted(group), names))
    result.sort(key=lambda one: one[0])
    return tuple(
        PieceGroup(tuple(pieces[n] for n in numbers), tuple(sorted(names)))
        for numbers, names in result
    )


def _new_names(variant: Variant, base: Variant) -> frozenset[str]:
    """Return the zones, variables, counters and questions that only the variant has."""
    result = {c.name for c in variant.counters} - {c.name for c in base.counters}
    for layer in added_layers(variant, base):
        if layer.rules is not None:
            declarations: tuple[ast.Zone | ast.Variable, ...]
            declarations = *layer.rules.zones, *layer.rules.variables
            result |= {one.name.text for one in declarations if not one.replaces}
            result |= set(_questions(walk(layer.rules.rules)))
    for layer in base.layers:
        if layer.rules is not None:
            result -= set(_questions(walk(layer.rules.rules)))
    return frozenset(result)


def _questions(nodes: Iterable[ast.Node]) -> Iterator[str]:
    return (_quote(node.decision) for node in nodes if isinstance(node, ast.Ask))


def _quote(decision: ast.Word) -> str:
    return f'"{decision.text}"'


def _uses(variant: Variant, base: Variant) -> list[_Use]:
    """Return the names that each piece uses, in the order of `pieces_of`."""
    helpers, changes = dict[str, ast.Node](), list[ast.Node]()
    for _, node in _own_definitions(variant, base):
        if is_change(node):
            changes.append(node)
        else:
            helpers[name_of(node).text] = node
    return [_use_of(node, helpers) for node in changes]


def _use_of(node: ast.Node, helpers: Mapping[str, ast.Node]) -> _Use:
    """Return the names that a piece uses, directly and through added rules."""
    writes, reads, seen, queue = set[str](), set[str](), set[str](), [node]
    while queue:
        targets = set[int]()  # targets of assignments and moves, which do not read their names
        for part in walk(queue.pop()):
            changes, fills = _accesses(part)
            writes |= {_root(place) for place in (*changes, *fills)}
            targets |= set(map(id, fills))
            match part:
                case ast.Name(name=name) if id(part) not in targets:
                    reads.add(name)
                case ast.Index(name=word) if id(part) not in targets:
                    reads.add(word.text)
                case ast.Call(name=word) | ast.Do(name=word) | ast.Placed(name=word):
                    reads.add(word.text)
                case ast.Gather(names=words):
                    reads |= {word.text for word in words}
                    writes |= {word.text for word in words}
                case ast.TrickBlock(zone=word):
                    writes.add(word.text)
                case ast.Ask():
                    writes.add(_quote(part.decision))
                case ast.Addition():
                    reads.add(_quote(part.decision))
        names = (helpers.keys() & reads) - seen
        seen |= names
        queue += [helpers[name] for name in sorted(names)]
    return _Use(frozenset(writes), frozenset(reads))


def _accesses(node: ast.Node) -> tuple[list[ast.Expr], list[ast.Expr]]:
    """Return the places that a sentence reads and changes, and those that it only fills."""
    match node:
        case ast.Assign(target=target):
            return [], [target]
        case ast.Shuffle(zone=zone):
            return [zone], []
        case ast.Draw(origin=origin, target=target) | ast.MoveAll(origin=origin, target=target):
            return [origin], [target]
        case ast.Move(origin=origin, target=target):
            return [] if origin is None else [origin], [target]
        case ast.Swap(origin=origin, target=target):
            return [origin, target], []
        case ast.Gather(target=target):
            return [], [target]
    return [], []


def _root(place: ast.Expr) -> str:
    """Return the name of the variable or zone that contains a place."""
    match place:
        case ast.Name(name=name):
            return name
        case ast.Index(name=word):
            return word.text
    return ""
