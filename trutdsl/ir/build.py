"""Builds the program of a variant from the rules of its layers, base first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trutdsl.diagnostics import Collector, Note, reject
from trutdsl.ir import nodes
from trutdsl.ir.build_declarations import DeclarationBuilder
from trutdsl.ir.build_statements import StatementBuilder, always_returns
from trutdsl.ir.check_use import check_use
from trutdsl.ir.check_visibility import check_visibility
from trutdsl.ir.scope import Frame, Head, Names, PackTexts
from trutdsl.ir.types import (
    LEAST,
    MOST,
    NOBODY,
    SEAT,
    UNKNOWN,
    YES_NO,
    Nobody,
    Number,
    OneOf,
    Probability,
    Type,
)
from trutdsl.syntax import ast
from trutdsl.variant import Layer, Parameter, Variant


def build_program(variant: Variant) -> nodes.Program:
    """Return what the rules of a variant mean; raises `Rejected` with every mistake found."""
    return _Builder(variant).build()


@dataclass(frozen=True)
class _Declared:
    """A rule or function with the layer it stands in."""

    layer: Layer
    node: ast.Rule | ast.Define


class _Builder:
    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.errors = Collector()
        self.names = Names(self.errors, _pack_texts(variant))
        self.declarations = DeclarationBuilder(self.names, self.head)
        self.chains: dict[str, list[_Declared]] = {}
        self.functions: dict[str, nodes.Function] = {}
        self.building: list[str] = []
        self.rules: dict[str, nodes.Rule] = {}

    def build(self) -> nodes.Program:
        self._declare()
        self.errors.raise_if_any()
        self._build_variables()
        for name in self.names.functions:
            self.head(name)
        for name, chain in self.chains.items():
            if isinstance(chain[-1].node, ast.Rule):
                self._build_rules(name, chain)
        self.errors.place = None
        self.errors.raise_if_any()
        program = nodes.Program(self.names.zones, self.names.variables, self.functions, self.rules)
        check_use(program, self.variant, self.errors)
        self.errors.raise_if_any()
        check_visibility(program, self.errors)
        self.errors.raise_if_any()
        return program

    # -------------------------------------------------------- names

    def _declare(self) -> None:
        names = self.names
        for parameter in self.variant.parameters.values():
            if names.declare(parameter.name, parameter.span, "parameter"):
                names.parameters[parameter.name] = parameter_type(parameter)
        for counter in self.variant.counters:
            if names.declare(counter.name, counter.span, "counter"):
                built = self.declarations.counter(counter.name, counter.span)
                names.variables[counter.name] = built
        for layer in self.variant.layers:
            if layer.rules is not None:
                self._declare_layer(layer, layer.rules)

    def _declare_layer(self, layer: Layer, rules: ast.Rules) -> None:
        names = self.names
        for zone in rules.zones:
            name = zone.name.text
            if zone.replaces:
                if name not in names.zones:
                    self._no_base("zone", zone.name, names.zones)
                    continue
                built = self.declarations.zone(zone)
                if built.index is not names.zones[name].index:
                    self._differs("zone", zone.name, names.zones[name].span)
                names.zones[name] = built
            elif names.declare(name, zone.name.span, "zone"):
                names.zones[name] = self.declarations.zone(zone)
        for variable in rules.variables:
            name = variable.name.text
            if names.declare(name, variable.name.span, "variable"):
                # What it starts as may use functions, so that is built when all names are known.
                names.variables[name] = self._provisional(variable)
        for define in rules.defines:
            self._declare_callable(layer, define)
        for rule in rules.rules:
            self._declare_callable(layer, rule)

    def _provisional(self, variable: ast.Variable) -> nodes.Variable:
        built = self.declarations
        type_ = built.type_of(variable.type, UNKNOWN)
        index = built.index(variable.index)
        nothing = nodes.Const(variable.span, NOBODY, None)
        return nodes.Variable(
            variable.span, variable.name.text, index, type_, None, None, nothing,
            variable.audience, variable.lifetime, False, 0,
        )  # fmt: skip

    def _declare_callable(self, layer: Layer, node: ast.Rule | ast.Define) -> None:
        names, name = self.names, node.name.text
        what = "rule" if isinstance(node, ast.Rule) else "define"
        if node.replaces:
            before = self.chains.get(name)
            same = before is not None and type(before[-1].node) is type(node)
            if not same or before is None:
                known = [n for n, c in self.chains.items() if type(c[-1].node) is type(node)]
                self._no_base(what, node.name, known)
                return
            if before[-1].layer.name == layer.name and before[-1].layer is layer:
                self._no_base(what, node.name, ())
                return
            if self._params(node) != self._params(before[-1].node):
                self._differs(what, node.name, before[-1].node.name.span)
                return
            before.append(_Declared(layer, node))
        elif names.declare(name, node.name.span, what):
            self.chains[name] = [_Declared(layer, node)]
        else:
            return
        if isinstance(node, ast.Define):
            names.functions[name] = node
        else:
            result = self.declarations.type_of(node.result, UNKNOWN) if node.result else None
            head = Head("rule", name, self._params(node), result, node.name.span)
            if node.replaces and result is None and names.rules[name].result is not None:
                head = replace(head, result=names.rules[name].result)
            names.rules[name] = head

    def _params(self, node: ast.Rule | ast.Define) -> tuple[Type, ...]:
        return tuple(self.declarations.type_of(p.type, SEAT) for p in node.params)

    def _no_base(self, what: str, word: ast.Word, known: object) -> None:
        names = list(known)  # type: ignore[call-overload]
        self.names.unknown(f"{what} to replace, named", word.text, word.span, names)

    def _differs(self, what: str, word: ast.Word, before: object) -> None:
        self.errors.error(
            "replaced-differs",
            f"this {what} has other parameters than the one it replaces",
            word.span,
            Note("that one stands here", before),  # type: ignore[arg-type]
            help="give it the same parameters, of the same types",
        )

    # -------------------------------------------------------- bodies

    def _build_variables(self) -> None:
        for layer in self.variant.layers:
            for variable in layer.rules.variables if layer.rules else ():
                self.errors.place = f"variable '{variable.name.text}'"
                self.names.variables[variable.name.text] = self.declarations.variable(variable)
        self.errors.place = None

    def head(self, name: str) -> Head:
        """Return a function's types, building it first if need be."""
        node = self.names.functions[name]
        if name not in self.functions:
            if name in self.building:
                cycle = " -> ".join([*self.building[self.building.index(name) :], name])
                self.errors.error(
                    "recursion",
                    f"'{name}' is worked out from itself: {cycle}",
                    node.name.span,
                    help="use a loop or a quantifier",
                )
                return Head("define", name, self._params(node), UNKNOWN, node.name.span)
            place, self.errors.place = self.errors.place, f"define '{name}'"
            self.building.append(name)
            self.functions[name] = self._build_function(name, node)
            self.building.pop()
            self.errors.place = place
        built = self.functions[name]
        return Head("define", name, built.params, built.result, node.name.span)

    def _build_function(self, name: str, node: ast.Define) -> nodes.Function:
        frame = Frame(self.names)
        for param in node.params:
            frame.bind(param.name, self.declarations.type_of(param.type, SEAT))
        params = self._params(node)
        layer = self.chains[name][-1].layer.name
        wanted = self.declarations.type_of(node.result, UNKNOWN) if node.result else None
        builder = StatementBuilder(self.names, frame, self.head, wanted, pure=True)
        body: nodes.Expression | nodes.Block
        if isinstance(node.body, ast.Block):
            body = builder.block(node.body)
            if not always_returns(node.body):
                self._must_return(node)
            result = wanted or builder.found or UNKNOWN
        else:
            body = builder.values.build(node.body, wanted)
            if wanted is not None:
                body = builder.values.as_type(body, wanted, "the result")
            result = wanted or body.type
        if isinstance(result, Nobody):
            self.errors.error("type", "this is always none", node.name.span)
        return nodes.Function(
            node.span, name, params, result, frame.size, body, layer, node.help, node.cites
        )

    def _must_return(self, node: ast.Rule | ast.Define) -> None:
        self.errors.error(
            "type",
            f"'{node.name.text}' does not always return a value",
            node.name.span,
            help="end every way through it with `return`",
        )

    def _build_rules(self, name: str, chain: list[_Declared]) -> None:
        replaced: nodes.Rule | None = None
        for position, declared in enumerate(chain):
            node = declared.node
            assert isinstance(node, ast.Rule)
            last = position == len(chain) - 1
            ir_name = name if last else f"{name} of {declared.layer.name}"
            self.errors.place = f"rule '{name}'" + (f" [{node.cites}]" if node.cites else "")
            frame = Frame(self.names)
            params = self._params(node)
            slots = [frame.bind(p.name, t) for p, t in zip(node.params, params, strict=True)]
            result = self.names.rules[name].result
            builder = StatementBuilder(self.names, frame, self.head, result, replaced)
            builder.params = tuple(
                nodes.Local(node.name.span, t, s, p.name.text)
                for p, t, s in zip(node.params, params, slots, strict=True)
            )
            body = builder.block(node.body)
            if result is not None and not always_returns(node.body):
                self._must_return(node)
            replaced = self.rules[ir_name] = nodes.Rule(
                node.span, ir_name, params, result, frame.size, body, declared.layer.name,
                node.help, node.cites,
            )  # fmt: skip
        if name == "match" and self.names.rules[name].params:
            span = chain[-1].node.name.span
            raise reject("type", "the rule 'match' takes no parameters", span)


def parameter_type(parameter: Parameter) -> Type:
    """Return the type that a parameter has in rules."""
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


def _pack_texts(variant: Variant) -> PackTexts:
    packs = variant.packs.values()
    special = {card.name for pack in packs for card in pack.special_cards}
    return PackTexts(
        ranks=frozenset({rank.text for pack in packs for rank in pack.ranks} | special),
        suits=frozenset(suit.letter for pack in packs for suit in pack.suits),
        cards=frozenset(card for pack in packs for card in pack.cards),
        values=frozenset(v for pack in packs for v in pack.values if v != "strength"),
    )
