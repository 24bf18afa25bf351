"""The complete variant: all its layers, merged and checked, and its definitions by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from trutdsl.diagnostics import Diagnostic, Excerpt, Span
from trutdsl.files import hash_of, read_cache, source_hash, write_cache
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.syntax.ast import Rules
from trutdsl.variant.book import Book
from trutdsl.variant.file_words import FileWords
from trutdsl.variant.manifest import Counter, Direction, Kind
from trutdsl.variant.pack import Pack
from trutdsl.variant.parameters import BadParameter, Parameter, Value, unknown_parameter
from trutdsl.variant.read_parameters import value_of_scalar
from trutdsl.variant.yaml_nodes import Scalar


@dataclass(frozen=True, eq=False)
class RulesText:
    """The rules or the vocabulary of a file, parsed on first use.

    older: a warning for each place that is rewritten from an older edition of the language.
    """

    excerpt: Excerpt
    is_vocabulary: bool = False
    older: tuple[Diagnostic, ...] = ()

    @cached_property
    def tree(self) -> Rules:
        """The syntax tree; raises `Rejected` with one diagnostic.

        That of a vocabulary holds only `define`s.
        """
        from trutdsl.syntax.parse import parse_rules  # not before: it needs Lark

        return parse_rules(self.excerpt, self.is_vocabulary)


@dataclass(frozen=True)
class Layer:
    """One file of a variant.

    title, summary: the name and description in the file, or empty.
    path:           the file's name in diagnostics.
    text:           its rules, or None if it has none. vocabulary_text: its vocabulary for
                    strategies, or None.
    words:          what it calls its things, by language.
    own:            it is the variant's own file, the last layer.
    below:          the names of all layers under this file.
    span:           its name in the file.
    edition:        that of the language in which it is written.
    """

    name: str
    kind: Kind
    title: str
    summary: str
    path: str
    text: RulesText | None
    vocabulary_text: RulesText | None
    words: Mapping[str, FileWords]
    own: bool
    below: frozenset[str]
    span: Span
    edition: int

    @property
    def rules(self) -> Rules | None:
        return self.text.tree if self.text else None

    @property
    def vocabulary(self) -> Rules | None:
        return self.vocabulary_text.tree if self.vocabulary_text else None

    def holds(self, span: Span) -> bool:
        """Return whether a position is in this file or its rules; two files may have one name."""
        rules = self.text.excerpt.source if self.text else self.span.source
        return span.source in (self.span.source, rules)


@dataclass(frozen=True)
class Change:
    """A default that the own file sets."""

    parameter: str
    old: Value
    new: Value
    span: Span


@dataclass(frozen=True)
class Differences:
    """The changes and additions of the own file; its layer has the rules.

    counters, restated: its new counters, and those of its base that it states again.
    pack:    the keys of the pack that it writes.
    seating: which of `players`, `teams` and `direction` it writes.
    """

    uses: tuple[str, ...]
    changes: tuple[Change, ...]
    parameters: tuple[str, ...]
    counters: tuple[str, ...]
    restated: tuple[str, ...]
    pack: tuple[str, ...]
    seating: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """A game that can be built and played.

    players:     the possible numbers of players, ascending.
    teams:       for each of them, the number of teams; seat i is in team i modulo that.
    packs:       one under None, or one for each choice of the parameter `pack_by`.
    parameters:  name -> parameter with its effective default, in the order of declaration.
    layers:      every file, bases first, then modules, the own file last.
    base:        the name of the variant that it extends, or None.
    sources:     id -> one line about it.
    fingerprint: SHA-256, in hexadecimal, of the text of every file in the order of the layers; the
                 same on every machine and in every folder. Vocabularies are left out, because they
                 only decide the choices of scripts; `vocabulary_fingerprint` is theirs. So are
                 words, whose fingerprint is `words_fingerprint`.
    older:       a warning for each place that is rewritten from an older edition of the language.
    partial:     some of its rules are left out, so unused declarations are allowed.
    book:        what its rulebook tells, section by section.
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
    words_fingerprint: str
    span: Span
    partial: bool = False
    older: tuple[Diagnostic, ...] = ()
    book: Book = ()

    def __repr__(self) -> str:
        return f"<Variant: {self.name}, for {', '.join(map(str, self.players))} players>"

    def bind(
        self, values: Mapping[str, str | Scalar | int | float] | None = None
    ) -> dict[str, Value]:
        """Return the value of every parameter; those not named have their default.

        values: texts as on a command line, scalars of a YAML file, or plain Python values; a
        probability is a decimal in all of them (0.25), and millionths in the result.
        Raises `BadParameter` for a name that does not exist or a value that is not allowed.
        """
        result = {name: parameter.default for name, parameter in self.parameters.items()}
        for name, value in (values or {}).items():
            if name not in self.parameters:
                raise unknown_parameter(
                    name, self.parameters, say("variant '{name}'", name=self.name)
                )
            result[name] = _value_of(self.parameters[name], value)
        return result

    @property
    def pack_choices(self) -> tuple[dict[str, str], ...]:
        """The parameters that select each pack: nothing for the default pack, which is first."""
        if self.pack_by is None:
            return ({},)
        default = self.parameters[self.pack_by].default
        others = [str(choice) for choice in self.packs if choice != default]
        return ({}, *({self.pack_by: choice} for choice in others))

    def pack_for(self, values: Mapping[str, Value]) -> Pack:
        """Return the pack for bound parameters."""
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
            message = say(
                "parameter '{parameter}' must be {allowed}",
                parameter=parameter.name,
                allowed=parameter.allowed,
            )
            raise BadParameter(parameter.name, message)
    return parameter.value_of(text)


# Memo of checks: a variant that passed before is not checked again.

# The part of this program that decides whether rules are right.
CHECKED_BY = (
    "arguments.py", "diagnostics.py", "files.py", "ir", "language.py", "streams.py", "syntax",
    "tree.py", "variant",
)  # fmt: skip


class RuleCounts(NamedTuple):
    """The numbers of rules, pieces of rules and defines of a variant.

    own: in its own file. inherited: in other files. Replaced ones count only in their last file.
    """

    own: int
    inherited: int


def check_once(variant: Variant, check: Callable[[Variant], object]) -> RuleCounts:
    """Return the numbers of rules of a valid variant, checked now or before.

    Raises whatever `check` raises.
    """
    counts = _read_cached(variant)
    if counts is None:
        check(variant)
        counts = count_rules(variant)
        if not variant.older:  # else each use brings it up, with its warnings
            write_cache(_key(variant), json.dumps(counts).encode())
    return counts


def was_right(variant: Variant) -> bool:
    """Return whether this program has found no mistake in a variant with the same texts."""
    return _read_cached(variant) is not None


def was_clean(variant: Variant) -> bool:
    """Return whether this program found no warnings in a variant with the same texts."""
    return read_cache(_key(variant, "clean")) is not None


def note_clean(variant: Variant) -> None:
    """Record that a variant has no warnings."""
    write_cache(_key(variant, "clean"), b"")


def count_rules(variant: Variant) -> RuleCounts:
    """Return the numbers of rules of a variant; this parses its rules."""
    own = 0
    others: set[str | tuple[int, int]] = set()
    for place, layer in enumerate(variant.layers):
        if layer.rules is None:
            continue
        names = [(rule.name.text, rule.piece is not None) for rule in layer.rules.rules]
        names += [(define.name.text, False) for define in layer.rules.defines]
        for number, (name, is_piece) in enumerate(names):
            key = (place, number) if is_piece else name
            if layer.own:
                own += 1
                others.discard(key)
            else:
                others.add(key)
    return RuleCounts(own, len(others))


def _read_cached(variant: Variant) -> RuleCounts | None:
    data = read_cache(_key(variant))
    return None if data is None else RuleCounts(*json.loads(data))


def _key(variant: Variant, what: str = "right") -> str:
    layers = [f"{one.kind} {one.name} {sorted(one.below)}" for one in variant.layers]
    texts = variant.fingerprint, variant.vocabulary_fingerprint, variant.words_fingerprint
    return hash_of(what, source_hash(*CHECKED_BY), *texts, *layers)


Declaration = ast.Rule | ast.Define | ast.Group | ast.Addition | ast.Zone | ast.Variable


@dataclass(frozen=True)
class Definition:
    """A part of the rules with a name.

    name: such as `turn`, `before turn`, `options announced` or `add to ask turn`. kind: `rule`,
    `define`, `options`, `zone` or `state`. help: its sentence, or None. cites: the ids in its
    heading. layer: the file's name.
    """

    name: str
    kind: str
    help: str | None
    cites: tuple[str, ...]
    layer: str
    span: Span

    @property
    def text(self) -> str:
        """Its lines as they are written, without blank lines and comments at the end."""
        span = self.span
        end = span.end_line + (span.end_col > 1 and span.end_line == span.line)
        lines = span.source.lines[span.line - 1 : max(end, span.line + 1) - 1]
        while len(lines) > 1 and lines[-1].strip()[:1] in ("", "#"):
            lines.pop()
        return "\n".join(line[self._indent(line) :] for line in lines)

    def _indent(self, line: str) -> int:
        return min(self.span.col - 1, len(line) - len(line.lstrip()))


def definitions(variant: Variant) -> dict[str, list[Definition]]:
    """Return all definitions by name, those of the bases first."""
    result: dict[str, list[Definition]] = {}
    for layer in variant.layers:
        for one in definitions_in(layer.rules, layer.name) if layer.rules else ():
            result.setdefault(one.name, []).append(one)
    return result


def definitions_in(rules: Rules, layer: str) -> Iterator[Definition]:
    """Yield the definitions of one text of rules; layer: the name of its file."""
    parts: list[tuple[str, str, Declaration]] = [
        *((f"{r.piece} {r.name.text}" if r.piece else r.name.text, "rule", r) for r in rules.rules),
        *((d.name.text, "define", d) for d in rules.defines),
        *((f"options {g.name.text}", "options", g) for g in rules.groups),
        *((f"add to ask {a.decision.text}", "options", a) for a in rules.additions),
        *((z.name.text, "zone", z) for z in rules.zones),
        *((v.name.text, "state", v) for v in rules.variables),
    ]
    for name, kind, node in parts:
        help_text = None if isinstance(node, ast.Zone | ast.Variable) else node.help
        cites = None if isinstance(node, ast.Zone | ast.Variable) else node.cites
        yield Definition(name, kind, help_text, tuple((cites or "").split()), layer, node.span)
