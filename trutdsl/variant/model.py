"""The complete variant: all its layers, merged and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from trutdsl.diagnostics import Excerpt, Span
from trutdsl.files import hash_of, read_kept, source_hash, write_kept
from trutdsl.syntax.ast import Rules
from trutdsl.variant.manifest import Counter, Direction, Kind
from trutdsl.variant.pack import Pack
from trutdsl.variant.parameters import (
    BadParameter,
    Parameter,
    Value,
    unknown_parameter,
    value_of_scalar,
)
from trutdsl.variant.yaml_nodes import Scalar


@dataclass(frozen=True, eq=False)
class RulesText:
    """The rules or the vocabulary of a file, parsed when their tree is first needed."""

    excerpt: Excerpt
    is_vocabulary: bool = False

    @cached_property
    def tree(self) -> Rules:
        """The syntax tree; raises `Rejected` with one diagnostic.

        That of a vocabulary holds only `define`s.
        """
        from trutdsl.syntax.parse import parse_rules, parse_vocabulary  # not before: it needs Lark

        return (parse_vocabulary if self.is_vocabulary else parse_rules)(self.excerpt)


@dataclass(frozen=True)
class Layer:
    """One file that a variant is made of.

    title, summary: what it is called and about, in the words of the file, or empty.
    path:  how the file is called in diagnostics.
    text:  its rules, or None if it has none. words: its vocabulary for strategies, or None.
    own:   it is the variant's own file, the last layer.
    below: the names of the layers that this file builds on, directly or through others.
    span:  its name in the file.
    """

    name: str
    kind: Kind
    title: str
    summary: str
    path: str
    text: RulesText | None
    words: RulesText | None
    own: bool
    below: frozenset[str]
    span: Span

    @property
    def rules(self) -> Rules | None:
        return self.text.tree if self.text else None

    @property
    def vocabulary(self) -> Rules | None:
        return self.words.tree if self.words else None


@dataclass(frozen=True)
class Change:
    """A default that the own file changes."""

    parameter: str
    old: Value
    new: Value
    span: Span


@dataclass(frozen=True)
class Differences:
    """What the own file sets or adds to what it builds on; rules stand in its layer.

    pack:    the keys of the pack that it writes.
    seating: which of `players`, `teams` and `direction` it writes.
    """

    uses: tuple[str, ...]
    changes: tuple[Change, ...]
    parameters: tuple[str, ...]
    counters: tuple[str, ...]
    pack: tuple[str, ...]
    seating: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """A game that can be built and played.

    players:     the numbers of players it can have, ascending.
    teams:       for each of them, how many teams there are; seat i is in team i modulo that.
    packs:       one under None, or one for each choice of the parameter `pack_by`.
    parameters:  name -> parameter with its effective default, in the order of declaration.
    layers:      every file, bases first, then modules, the own file last.
    base:        the name of the variant that it extends, or None.
    sources:     id -> one line about it.
    fingerprint: SHA-256, in hexadecimal, of the text of every file in the order of the layers; the
                 same on every machine and wherever the files lie. Vocabularies are left out, which
                 decide nothing in play but what scripts choose; `vocabulary_fingerprint` is theirs.
    partial:     some of its rules are left out, so that there may be what nothing uses.
    """

    name: str
    title: str
    summary: str
    sources: Mapping[str, str]
    direction: Direction
    players: tuple[int, ...]
    teams: Mapping[int, int]
    packs: Mapping[str | None, Pack]
    pack_by: str | None
    counters: tuple[Counter, ...]
    parameters: Mapping[str, Parameter]
    base: str | None
    layers: tuple[Layer, ...]
    differences: Differences
    fingerprint: str
    vocabulary_fingerprint: str
    span: Span
    partial: bool = False

    def bind(
        self, values: Mapping[str, str | Scalar | int | float] | None = None
    ) -> dict[str, Value]:
        """Return the value of every parameter, those not named at their default.

        values: texts as on a command line, scalars of a YAML file, or plain Python values; a
        probability is a decimal in all of them (0.25), and millionths in the result.
        Raises `BadParameter` for a name that does not exist or a value that is not allowed.
        """
        bound = {name: parameter.default for name, parameter in self.parameters.items()}
        for name, value in (values or {}).items():
            if name not in self.parameters:
                raise unknown_parameter(name, self.parameters, f"variant '{self.name}'")
            bound[name] = _value_of(self.parameters[name], value)
        return bound

    @property
    def pack_choices(self) -> tuple[dict[str, str], ...]:
        """The parameters that lead to each pack: nothing for the default pack, which is first."""
        if self.pack_by is None:
            return ({},)
        default = self.parameters[self.pack_by].default
        others = [str(choice) for choice in self.packs if choice != default]
        return ({}, *({self.pack_by: choice} for choice in others))

    def pack_for(self, values: Mapping[str, Value]) -> Pack:
        """Return the pack that goes with bound values."""
        choice = None if self.pack_by is None else values[self.pack_by]
        assert choice is None or isinstance(choice, str)
        return self.packs[choice]


def _value_of(parameter: Parameter, value: str | Scalar | int | float) -> Value:
    match value:
        case Scalar():
            return value_of_scalar(parameter, value)
        case bool():
            text = "true" if value else "false"
        case float():
            text = format(Decimal(repr(value)), "f")
        case int() | str():
            text = str(value)
        case _:
            message = f"parameter '{parameter.name}' must be {parameter.allowed}"
            raise BadParameter(parameter.name, message)
    return parameter.value_of(text)


# Memo of checks: a variant that was found right before need not be checked again.

# All of this program that has a say in whether rules are right.
CHECKED_BY = (
    "diagnostics.py", "files.py", "ir", "streams.py", "syntax",
    "tree.py", "variant",
)  # fmt: skip


class RuleCounts(NamedTuple):
    """How many rules, pieces of rules and defines a variant has.

    own: in its own file. inherited: in what it builds on. Of those replaced, the last one counts.
    """

    own: int
    inherited: int


def check_once(variant: Variant, check: Callable[[Variant], object]) -> RuleCounts:
    """Return what is in a variant that `check` finds nothing wrong with, now or at an earlier time.

    What `check` raises comes out of this.
    """
    counts = _found_right(variant)
    if counts is None:
        check(variant)
        counts = count_rules(variant)
        write_kept(_key(variant), json.dumps(counts).encode())
    return counts


def was_right(variant: Variant) -> bool:
    """Tell whether a variant of the same texts was checked before, by the same program."""
    return _found_right(variant) is not None


def was_clean(variant: Variant) -> bool:
    """Tell whether nothing was found doubtful in a variant of the same texts, by this program."""
    return read_kept(_key(variant, "clean")) is not None


def note_clean(variant: Variant) -> None:
    """Note that nothing is doubtful in a variant."""
    write_kept(_key(variant, "clean"), b"")


def count_rules(variant: Variant) -> RuleCounts:
    """Return how many rules a variant has; its rules are parsed for it."""
    own = 0
    others: set[str | tuple[str, int]] = set()
    for layer in variant.layers:
        if layer.rules is None:
            continue
        named = [(rule.name.text, rule.piece is not None) for rule in layer.rules.rules]
        named += [(define.name.text, False) for define in layer.rules.defines]
        for number, (name, is_piece) in enumerate(named):
            key = (layer.name, number) if is_piece else name
            if layer.own:
                own += 1
                others.discard(key)
            else:
                others.add(key)
    return RuleCounts(own, len(others))


def _found_right(variant: Variant) -> RuleCounts | None:
    kept = read_kept(_key(variant))
    return None if kept is None else RuleCounts(*json.loads(kept))


def _key(variant: Variant, what: str = "right") -> str:
    layers = [f"{one.kind} {one.name} {sorted(one.below)}" for one in variant.layers]
    texts = variant.fingerprint, variant.vocabulary_fingerprint
    return hash_of(what, source_hash(*CHECKED_BY), *texts, *layers)
