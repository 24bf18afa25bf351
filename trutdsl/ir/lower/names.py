"""Collects the declarations of all layers of a variant, base first."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.lower.declarations import DeclarationBuilder
from trutdsl.ir.lower.scope import RESERVED_WORDS, Head, Names, OptionGroup, PackTexts
from trutdsl.ir.types import (
    CARDS,
    LEAST,
    MOST,
    NAMED_TYPES,
    NOBODY,
    SEAT,
    UNKNOWN,
    YES_NO,
    Number,
    OneOf,
    Probability,
    Type,
    describe_type,
)
from trutdsl.language import mark, say
from trutdsl.syntax import ast
from trutdsl.variant import Layer, Parameter, Variant
from trutdsl.variant.yaml_nodes import BoundedCollector

NamedRule = ast.Rule | ast.Define | ast.Group
NamedPlace = ast.Zone | ast.Variable | ast.NamedType


@dataclass(frozen=True)
class Declaration:
    """A rule or function with its layer."""

    layer: Layer
    node: ast.Rule | ast.Define


class NameDeclarer(ABC):
    """The declarations, by name.

    chains: for each rule and `define` the first declaration and its replacements, in order.
    pieces: the rules before and after a rule. hooks: those that run when something is over.
    """

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.errors = BoundedCollector()
        counts = frozenset(variant.teams.values())
        self.names = Names(self.errors, _pack_texts(variant), team_counts=counts)
        self.declarations = DeclarationBuilder(self.names, self.head)
        self.chains: dict[str, list[Declaration]] = {}
        self.pieces: dict[str, list[Declaration]] = {}
        self.hooks: dict[str, list[Declaration]] = {}
        self.type_nodes: dict[str, ast.NamedType] = {}
        self._latest: dict[tuple[type[ast.Node], str], NamedPlace] = {}

    @abstractmethod
    def head(self, name: str) -> Head:
        """Return the types of a `define`; subclasses build them."""

    def declare(self) -> None:
        """Declare everything; mistakes go to `errors`."""
        names = self.names
        for parameter in self.variant.parameters.values():
            if names.declare(parameter.name, parameter.span, mark("parameter")):
                names.parameters[parameter.name] = _parameter_type(parameter)
        for counter in self.variant.counters:
            if names.declare(counter.name, counter.span, mark("counter")):
                variable = self.declarations.counter(counter)
                names.variables[counter.name] = variable
        layers = [layer for layer in self.variant.layers if layer.rules is not None]
        for layer in layers:
            self._declare_types(layer.rules.types if layer.rules else ())
        for layer in layers:
            if layer.text is not None and layer.rules is not None:
                names.files.append(layer.text.excerpt.source)
                self._declare_layer(layer, layer.rules)
        for name, pieces in self.pieces.items():
            for piece in pieces:
                self._check_piece(name, piece.node)

    def _declare_types(self, types: tuple[ast.NamedType, ...]) -> None:
        """Declare the types of one file; they may use those above and those of its bases."""
        known = self.names.types
        for node in types:
            name, type_ = node.name.text, self._named_type(node)
            if name in RESERVED_WORDS:
                message = say("'{name}' is a word of the language", name=name)
                self.errors.error(
                    "reserved-word", message, node.name.span, help=say("choose another")
                )
            elif node.replaces and name not in known:
                self._no_base("type", node.name, known)
            elif not node.replaces and (name in known or name in NAMED_TYPES):
                self.errors.error(
                    "defined-twice",
                    say("there is already a type '{name}'", name=name),
                    node.name.span,
                    help=say("choose another name")
                    if name in NAMED_TYPES
                    else say("to change what a base declares, write `replace` before it"),
                )
            elif node.replaces and type(known[name]) is not type(type_):
                text = "this is {new}, but what it replaces is {old}"
                message = say(text, new=describe_type(type_), old=describe_type(known[name]))
                help_ = say("give this one another name")
                self.errors.error("replaced-differs", message, node.name.span, help=help_)
            elif not self._is_second(node):
                self.type_nodes[name] = node
                known[name] = type_
                for one in self.type_nodes.values() if node.replaces else ():
                    known[one.name.text] = self._named_type(one)  # one may use the replaced type

    def _named_type(self, node: ast.NamedType) -> Type:
        type_ = self.declarations.type_of(node.type, UNKNOWN)
        return replace(type_, own_name=node.name.text) if isinstance(type_, OneOf) else type_

    def _declare_layer(self, layer: Layer, rules: ast.Rules) -> None:
        names = self.names
        for zone in rules.zones:
            name = zone.name.text
            if self._is_second(zone):
                continue
            if zone.replaces:
                if name not in names.zones:
                    self._no_base("zone", zone.name, names.zones)
                    continue
                new_zone = self.declarations.zone(zone, names.zones[name])
                if new_zone.index is not names.zones[name].index:
                    self._differs(
                        "zone", zone.name, names.zones[name].span, say("belongs to others")
                    )
                names.zones[name] = new_zone
            elif names.declare(name, zone.name.span, "zone"):
                names.zones[name] = self.declarations.zone(zone)
        for variable in rules.variables:
            name = variable.name.text
            if self._is_second(variable):
                continue
            if variable.replaces:
                self._replace_variable(variable)
            elif names.declare(name, variable.name.span, mark("variable")):
                # Its start value may use functions, so it is built when all names are known.
                names.variables[name] = self._provisional(variable)
        for define in rules.defines:
            self._declare_callable(layer, define)
        for rule in rules.rules:
            self._declare_callable(layer, rule)
        for group in rules.groups:
            self._declare_group(layer, group)
        for addition in rules.additions:
            names.additions.setdefault(addition.decision.text, []).append(addition)

    def _declare_group(self, layer: Layer, node: ast.Group) -> None:
        names, name = self.names, node.name.text
        base = names.groups.get(name)
        if not node.replaces:
            if names.declare(name, node.name.span, mark("group of options")):
                names.groups[name] = OptionGroup(node, self.params_of(node), layer.name, None)
            return
        if base is None:
            self._no_base(say("group of options"), node.name, names.groups)
        elif base.node.span.source.name == node.span.source.name:
            self._twice(base.node, node)
        elif self.params_of(node) != base.params:
            self._differs(
                say("group of options"), node.name, base.node.name.span, say("is given others")
            )
        else:
            names.groups[name] = OptionGroup(node, base.params, layer.name, base)
            lost = None if _uses_base(node) else base
            while lost is not None and lost.base is not None:
                if lost.layer not in layer.below:
                    advice = say("write `options base` in this one")
                    self.conflict(lost.layer, lost.node, node, advice)
                    break
                lost = lost.base if _uses_base(lost.node) else None

    def _is_second(self, node: NamedPlace) -> bool:
        """Report a replacement of what the same file declares; return whether it is one."""
        key = type(node), node.name.text
        first = self._latest.setdefault(key, node)
        self._latest[key] = node
        same = first is not node and first.name.span.source is node.name.span.source
        if same and node.replaces:
            self._twice(first, node)
        return same and node.replaces

    def _twice(self, first: NamedRule | NamedPlace, node: NamedRule | NamedPlace) -> None:
        text = (
            "this file already replaces '{node}'"
            if first.replaces
            else "this file already declares '{node}'"
        )
        message = say(text, node=node.name.text)
        help_ = say("change that one; `replace` is for what a base or module declares")
        self.errors.error(
            "defined-twice", message, node.name.span, Note(say("here"), first.name.span), help=help_
        )

    def conflict(self, layer: str, first: NamedRule, node: NamedRule, advice: str) -> None:
        """Report a replacement that undoes one in a file that its own file does not build on."""
        self.errors.error(
            "conflict",
            say(
                "'{node}' is replaced in '{layer}' and again here", node=node.name.text, layer=layer
            ),
            node.name.span,
            Note(say("the other one would have no effect"), first.name.span),
            help=advice,
        )

    def _replace_variable(self, variable: ast.Variable) -> None:
        names, name = self.names, variable.name.text
        base, new = names.variables.get(name), self._provisional(variable)
        if base is None or base.counter:
            known = [v.name for v in names.variables.values() if not v.counter]
            self._no_base("variable", variable.name, known)
            return
        same = base.type == new.type
        same = same or (isinstance(base.type, Number) and isinstance(new.type, Number))
        if base.index != new.index or not same or base.lifetime != new.lifetime:
            self.errors.error(
                "replaced-differs",
                say("this variable is of another kind than the one it replaces"),
                variable.name.span,
                Note(say("the other one is here"), base.span),
                help=say("keep its lifetime, index and type; its bounds and start may change"),
            )
        names.variables[name] = new

    def _provisional(self, variable: ast.Variable) -> nodes.Variable:
        declarations = self.declarations
        type_ = declarations.type_of(variable.type, UNKNOWN)
        index = declarations.place(variable)
        nothing = nodes.Const(variable.span, NOBODY, None)
        return nodes.Variable(
            variable.span, variable.name.text, index, type_, nothing,
            declarations.audience(variable), variable.lifetime,
        )  # fmt: skip

    def _declare_callable(self, layer: Layer, node: ast.Rule | ast.Define) -> None:
        names, name = self.names, node.name.text
        what = mark("rule") if isinstance(node, ast.Rule) else mark("define")
        if isinstance(node, ast.Rule) and node.piece == "when":
            self.hooks.setdefault(f"when {name}", []).append(Declaration(layer, node))
            return
        if isinstance(node, ast.Rule) and node.piece is not None:
            self.pieces.setdefault(name, []).append(Declaration(layer, node))
            return
        if node.replaces:
            chain = self.chains.get(name)
            same = chain is not None and type(chain[-1].node) is type(node)
            if not same or chain is None:
                known = [n for n, c in self.chains.items() if type(c[-1].node) is type(node)]
                other = mark("define") if isinstance(node, ast.Rule) else mark("rule")
                self._no_base(what, node.name, known, other if chain else None)
                return
            if chain[-1].layer is layer:
                self._twice(chain[-1].node, node)
                return
            if self.params_of(node) != self.params_of(chain[-1].node):
                self._differs(
                    what, node.name, chain[-1].node.name.span, say("has other parameters")
                )
                return
            if isinstance(node, ast.Rule) and node.result is not None:
                result_type = self.declarations.type_of(node.result, UNKNOWN)
                if result_type != names.rules[name].result:
                    span = chain[-1].node.name.span
                    self._differs(what, node.name, span, say("returns something else"))
                    return
            chain.append(Declaration(layer, node))
        elif names.declare(name, node.name.span, what):
            self.chains[name] = [Declaration(layer, node)]
        else:
            return
        if isinstance(node, ast.Define):
            names.functions[name] = node
        else:
            result = self.declarations.type_of(node.result, UNKNOWN) if node.result else None
            head = Head(name, self.params_of(node), result, node.name.span)
            if node.replaces and result is None and names.rules[name].result is not None:
                head = replace(head, result=names.rules[name].result)
            names.rules[name] = head

    def _check_piece(self, name: str, node: ast.Rule | ast.Define) -> None:
        chain = self.chains.get(name)
        if chain is None or not isinstance(chain[-1].node, ast.Rule):
            known = [n for n, c in self.chains.items() if isinstance(c[-1].node, ast.Rule)]
            self.names.unknown("rule", name, node.name.span, known)
        elif self.params_of(node) != self.params_of(chain[-1].node):
            was = chain[-1].node.name.span
            self._differs(mark("piece"), node.name, was, say("has other parameters"))
        elif node.result is not None:
            message = say("a `before` or `after` piece cannot return a value")
            help_ = say("to change what the rule returns, write `replace rule`")
            self.errors.error("type", message, node.name.span, help=help_)

    def params_of(self, node: NamedRule) -> tuple[Type, ...]:
        return tuple(self.declarations.type_of(p.type, SEAT) for p in node.params)

    def _no_base(
        self, what: str, word: ast.Word, known: Iterable[str], other: str | None = None
    ) -> None:
        kind = say("{what} to replace called", what=say(what))
        if other:
            message = say("there is no {what} '{name}'", what=kind, name=word.text)
            help_ = say("write `{spoken}`", spoken=f"replace {other} {word.text}")
            self.errors.error("unknown-name", message, word.span, help=help_)
            return
        of_rules = what in ("rule", "define")
        self.names.unknown(kind, word.text, word.span, known, of_rules)

    def _differs(self, what: str, word: ast.Word, span: Span, how: str) -> None:
        needs = say("the same parameters and result")
        pattern = rf"\s*.*?\b({word.text}(?:\([^)]*\))?(?:\s*->[\s\w?]+\w\??)?)"
        head = re.match(pattern, span.source.line(span.line))
        if head and what != "zone":
            needs = f"{needs}: `{head[1]}`"
        if what == "zone":
            needs = say("the same seat or team in [ ]")
        other = say("its rule") if what == "piece" else say("the one it replaces")
        message = say("this {what} {how} than {other}", what=say(what), how=how, other=other)
        self.errors.error(
            "replaced-differs",
            message,
            word.span,
            Note(say("the other one is here"), span),
            help=say("give it {needs}", needs=needs),
        )


def _uses_base(group: ast.Group) -> bool:
    return any(isinstance(one, ast.Placed) and one.name.text == "base" for one in group.options)


def _parameter_type(parameter: Parameter) -> Type:
    match parameter.type:
        case "integer":
            least = LEAST if parameter.least is None else parameter.least
            return Number(least, MOST if parameter.most is None else parameter.most)
        case "boolean":
            return YES_NO
        case "choice":
            return OneOf(parameter.choices)
        case "probability":
            return Probability()
        case "cards":
            return CARDS


def _pack_texts(variant: Variant) -> PackTexts:
    packs = variant.packs.values()
    special = {card.name for pack in packs for card in pack.special_cards}
    texts = [
        {*(r.text for r in pack.ranks), *(s.letter for s in pack.suits), *pack.cards}
        for pack in packs
    ]
    return PackTexts(
        shared=frozenset(set.intersection(*texts)),
        ranks=frozenset({rank.text for pack in packs for rank in pack.ranks} | special),
        suits=frozenset(suit.letter for pack in packs for suit in pack.suits),
        suit_names={suit.name: suit.letter for pack in packs for suit in pack.suits},
        cards=frozenset(card for pack in packs for card in pack.cards),
        values=frozenset(v for pack in packs for v in pack.values if v != "strength"),
    )
