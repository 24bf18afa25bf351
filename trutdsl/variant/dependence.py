"""Data dependence: which pieces of a variant write something new that others of them read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from trutdsl.syntax import ast
from trutdsl.syntax.walk import walk
from trutdsl.variant.model import Variant
from trutdsl.variant.partial import Piece, Written, added_layers, is_change, name_of, pieces_of


@dataclass(frozen=True)
class Group:
    """Pieces that depend on each other, in the order of the files; shared: by what, if any do."""

    pieces: tuple[Piece, ...]
    shared: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Use:
    """What a piece writes and reads, by name; questions stand there in quotes."""

    writes: frozenset[str]
    reads: frozenset[str]


def group_pieces(variant: Variant, base: Variant) -> tuple[Group, ...]:
    """Return the pieces of a variant, those together of which one writes what the other reads.

    What counts is new in the variant: zones, variables and counters that it declares, questions
    that it asks. A piece uses what the rules, defines and options use that the variant adds and
    the piece names.
    """
    pieces = pieces_of(variant, base)
    new, uses = _new_names(variant, base), _uses(variant, base)
    found: list[tuple[list[int], set[str]]] = []
    for number in range(len(pieces)):
        joined, names = [number], set[str]()
        for one in list(found):
            by = {x for other in one[0] for x in _between(uses[number], uses[other]) & new}
            if by:
                found.remove(one)
                joined, names = joined + one[0], names | one[1] | by
        found.append((sorted(joined), names))
    found.sort(key=lambda one: one[0])
    return tuple(
        Group(tuple(pieces[n] for n in numbers), tuple(sorted(names))) for numbers, names in found
    )


def _between(one: _Use, other: _Use) -> frozenset[str]:
    return one.writes & other.reads | other.writes & one.reads


def _new_names(variant: Variant, base: Variant) -> frozenset[str]:
    """Return the zones, variables, counters and questions that only the variant has."""
    found = {c.name for c in variant.counters} - {c.name for c in base.counters}
    for layer in added_layers(variant, base):
        if layer.rules is not None:
            declared: tuple[ast.Zone | ast.Variable, ...]
            declared = *layer.rules.zones, *layer.rules.variables
            found |= {one.name.text for one in declared if not one.replaces}
            found |= set(_questions(walk(layer.rules.rules)))
    for layer in base.layers:
        if layer.rules is not None:
            found -= set(_questions(walk(layer.rules.rules)))
    return frozenset(found)


def _questions(nodes: Iterable[ast.Node]) -> Iterator[str]:
    return (_quoted(node.decision) for node in nodes if isinstance(node, ast.Ask))


def _quoted(decision: ast.Word) -> str:
    return f'"{decision.text}"'


def _uses(variant: Variant, base: Variant) -> list[_Use]:
    """Return what each piece uses, in the order of `pieces_of`."""
    helpers, changes = dict[str, ast.Node](), list[ast.Node]()
    for layer in added_layers(variant, base):
        rules = layer.rules
        if rules is not None:
            written: tuple[Written, ...]
            written = *rules.defines, *rules.rules, *rules.groups, *rules.additions
            for node in written:
                if is_change(node):
                    changes.append(node)
                else:
                    helpers[name_of(node).text] = node
    return [_use_of(node, helpers) for node in changes]


def _use_of(node: ast.Node, helpers: Mapping[str, ast.Node]) -> _Use:
    """Return what a piece uses, by itself and by the helpers that it names."""
    writes, reads, seen, left = set[str](), set[str](), set[str](), [node]
    while left:
        targets = set[int]()  # of assignments and moves, whose names are not read there
        for part in walk(left.pop()):
            changed, filled = _changed_by(part)
            writes |= {_root(place) for place in (*changed, *filled)}
            targets |= set(map(id, filled))
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
                    writes.add(_quoted(part.decision))
                case ast.Addition():
                    reads.add(_quoted(part.decision))
        named = (helpers.keys() & reads) - seen
        seen |= named
        left += [helpers[name] for name in sorted(named)]
    return _Use(frozenset(writes), frozenset(reads))


def _changed_by(node: ast.Node) -> tuple[list[ast.Expr], list[ast.Expr]]:
    """Return the places that a sentence looks at and changes, and those that it only fills."""
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
    """Return the name of a variable or zone, of which a place may be a part."""
    match place:
        case ast.Name(name=name):
            return name
        case ast.Index(name=word):
            return word.text
    return ""
