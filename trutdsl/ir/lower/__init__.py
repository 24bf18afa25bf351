"""Name resolution and typing: from the syntax trees of a variant's layers to its program."""

from __future__ import annotations

import re
from dataclasses import replace

from trutdsl.diagnostics import Note, Span, reject
from trutdsl.ir import nodes
from trutdsl.ir.check import check_declared, check_size
from trutdsl.ir.check.use import check_reach, check_use
from trutdsl.ir.flow.check import check_visibility
from trutdsl.ir.lower.hooks import params_of_hook, reasons_of, run_hooks
from trutdsl.ir.lower.names import Declaration, NameDeclarer
from trutdsl.ir.lower.scope import Frame, Head, UntypedParameter
from trutdsl.ir.lower.statements import StatementBuilder, build_define, can_be_built, check_returns
from trutdsl.ir.nodes import walk
from trutdsl.ir.transforms import count_blocks
from trutdsl.ir.types import NOBODY, UNKNOWN, OneOf, Type, describe_type, fits
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.variant import Variant


def build_rules(variant: Variant) -> nodes.Program:
    """Return the program of a variant's rules; raises `Rejected` with every mistake."""
    builder = _Builder(variant)
    try:
        return builder.build()
    except RecursionError:
        message = say("the rules build on one another too deeply to be followed")
        help_ = say("make them simpler: fewer rules and defines inside one another")
        raise reject("too-deep", message, builder.where(), help=help_) from None


class _Builder(NameDeclarer):
    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self.functions: dict[str, nodes.Function] = {}
        self.building: list[str] = []
        self.rules: dict[str, nodes.Rule] = {}
        self.kept: dict[str, list[Declaration]] = {}  # the replacements that have an effect so far

    def where(self) -> Span:
        inner = self.building[-1] if self.building else None
        return self.names.functions[inner].name.span if inner else self.variant.span

    def build(self) -> nodes.Program:
        rules = [layer.rules for layer in self.variant.layers if layer.rules]
        check_declared(
            self.variant,
            [zone.span for r in rules for zone in r.zones],
            [variable.span for r in rules for variable in r.variables],
            [one.span for r in rules for one in (*r.rules, *r.defines)],
            self.errors,
        )
        self.errors.raise_if_any()
        self.declare()
        self.errors.raise_if_any()
        self._build_variables()
        for name in self.names.functions:
            self.head(name)
        for name, chain in self.chains.items():
            if isinstance(chain[-1].node, ast.Rule):
                self._build_rules(name, chain)
        self._build_hooks()
        self.errors.place = None
        self._check_options()
        self._check_types()
        self._drop_argument_errors()
        self.errors.raise_if_any()
        program = nodes.Program(self.names.zones, self.names.variables, self.functions, self.rules)
        if "match" in self.rules:
            program = count_blocks(program, self.names.numbers)
            program = run_hooks(program, self.errors)
            self.errors.raise_if_any()
        check_size(program, self.variant, self.errors)
        self.errors.raise_if_any()
        if not self.variant.partial:
            check_use(program, self.variant, self.errors)
        self.errors.raise_if_any()
        check_reach(program, self.errors)
        self.errors.raise_if_any()
        check_visibility(program, self.errors, self.names.files)
        self.errors.raise_if_any()
        return program

    def _drop_argument_errors(self) -> None:
        """Drop the errors of arguments for parameters whose type is missing."""
        names = self.names
        moot = [e for key in names.without_type for e in names.argument_errors.get(key, ())]
        self.errors.diagnostics = [one for one in self.errors.diagnostics if one not in moot]

    def _build_variables(self) -> None:
        for layer in self.variant.layers:
            for variable in layer.rules.variables if layer.rules else ():
                self.errors.place = say("variable '{variable}'", variable=variable.name.text)
                self.names.variables[variable.name.text] = self.declarations.variable(variable)
        self.errors.place = None

    def _check_options(self) -> None:
        for decision, additions in self.names.additions.items():
            if decision not in self.names.questions:
                word = additions[0].decision
                self.names.unknown("question", decision, word.span, self.names.questions)
        own = next(layer for layer in self.variant.layers if layer.own)
        if self.variant.partial or own.kind != "variant":
            return
        for group in own.rules.groups if own.rules else ():
            if group.name.text not in self.names.used_groups:
                name = group.name.text
                message = say("no question has the options '{name}'", name=name)
                text = "write `options {name}{what}` in a question"
                help_ = say(text, name=name, what="(...)" if group.params else "")
                self.errors.error("unreachable-rule", message, group.name.span, help=help_)

    def _check_types(self) -> None:
        """Report types of the file itself that neither its rules nor its vocabulary use."""
        own = next(layer for layer in self.variant.layers if layer.own)
        if self.variant.partial or own.kind != "variant":
            return
        vocabulary = own.vocabulary_text.excerpt.text if own.vocabulary_text else ""
        for node in own.rules.types if own.rules else ():
            name = node.name.text
            if not node.replaces and name not in {
                *self.names.typed,
                *re.findall(r"\w+", vocabulary),
            }:
                message = say("no rule uses the type '{name}'", name=name)
                help_ = say("use it in a rule, or delete it")
                self.errors.error("unused", message, node.name.span, help=help_)

    def head(self, name: str) -> Head:
        node = self.names.functions[name]
        if name not in self.functions:
            if not can_be_built(node, self.building, self.errors, self._latest_of(name)):
                return Head(name, self.params_of(node), UNKNOWN, node.name.span)
            place, self.errors.place = self.errors.place, say("define '{name}'", name=name)
            self.building.append(name)
            chain = self.chains[name]
            self.functions[name] = self._build_function(name, len(chain) - 1)
            self.building.pop()
            self.errors.place = place
        function = self.functions[name]
        return Head(name, function.params, function.result, node.name.span)

    def _latest_of(self, name: str) -> Span:
        """Return where a `define` is, or the one of its cycle in the file that builds on others."""
        cycle = self.building[self.building.index(name) :] if name in self.building else [name]
        spans = [self.names.functions[one].name.span for one in cycle]
        return max(spans, key=lambda span: self.names.files.index(span.source))

    def _build_function(self, name: str, position: int) -> nodes.Function:
        chain = self.chains[name]
        layer, node = chain[position].layer, chain[position].node
        assert isinstance(node, ast.Define)
        base = None
        if position > 0:
            base = self._build_function(name, position - 1)
            base = replace(base, name=_name_of_base(name, chain, position - 1))
            self.functions[base.name] = base
        frame = Frame(self.names)
        params = self.params_of(node)
        expected = self.declarations.type_of(node.result, UNKNOWN) if node.result else None
        if expected is None and base is not None and isinstance(base.result, OneOf):
            expected = base.result
        builder = StatementBuilder(self.declarations, frame, expected, pure=True)
        builder.values.base_define, builder.values.pure = base, True
        builder.values.call = f"{name}(...)" if params else name
        builder.values.params = self._bind_params(node, params, frame)
        body, result = build_define(node, builder)
        if base is not None:
            if not fits(result, base.result):
                old = describe_type(base.result)
                text = "this is {described}, but what it replaces is {was}"
                message = say(text, described=describe_type(result), was=old)
                note = Note(say("the other one is here"), base.span)
                help_ = say("give it a value that is {was}", was=old)
                self.errors.error("replaced-differs", message, node.name.span, note, help=help_)
                result = base.result  # one report is enough
            self._check_conflict(chain, position, body, base.name)
        return nodes.Function(
            node.span, name, params, result, frame.size, body, layer.name, node.help, node.cites
        )

    def _bind_params(
        self, node: ast.Rule | ast.Define, types: tuple[Type, ...], frame: Frame
    ) -> tuple[nodes.Local, ...]:
        result = tuple(
            nodes.Local(node.name.span, type_, frame.bind(p.name, type_), p.name.text)
            for p, type_ in zip(node.params, types, strict=True)
        )
        for number, (p, local) in enumerate(zip(node.params, result, strict=True)):
            if p.type is None:
                frame.untyped[local.slot] = UntypedParameter(node.name.text, number, p.name)
        return result

    def _check_conflict(
        self, chain: list[Declaration], position: int, body: nodes.Node, base_name: str
    ) -> None:
        """Report a replacement that undoes one in a file that its own file does not build on."""
        own = chain[position]
        kept = self.kept.setdefault(own.node.name.text, [])
        called = {node.rule for node in walk(body) if isinstance(node, nodes.Do)}
        called |= {node.function for node in walk(body) if isinstance(node, nodes.Call)}
        if base_name not in called:
            lost = [one for one in kept if one.layer.name not in own.layer.below]
            if lost:
                advice = say("use `base` in this one, or write `before rule` or `after rule`")
                self.conflict(lost[-1].layer.name, lost[-1].node, own.node, advice)
            kept.clear()
        kept.append(own)

    def _build_rules(self, name: str, chain: list[Declaration]) -> None:
        base: nodes.Rule | None = None
        pieces = self.pieces.get(name, [])
        for position, declaration in enumerate(chain):
            last = position == len(chain) - 1
            ir_name = _name_of_base(name, chain, position)
            if last:
                ir_name = f"{name} itself" if pieces else name
            rule = self._build_rule(name, ir_name, declaration, base)
            if base is not None:
                self._check_conflict(chain, position, rule.body, base.name)
            base = rule
        if pieces and base is not None:
            self.rules[name] = self._with_pieces(name, base, pieces)
        if name == "match" and self.names.rules[name].params:
            span = chain[-1].node.name.span
            raise reject("type", say("the rule 'match' takes no parameters"), span)

    def _build_rule(
        self, name: str, ir_name: str, declaration: Declaration, base: nodes.Rule | None
    ) -> nodes.Rule:
        node = declaration.node
        assert isinstance(node, ast.Rule)
        self.errors.place = say("rule '{name}'", name=name) + (
            f" [{node.cites}]" if node.cites else ""
        )
        frame = Frame(self.names)
        params = self.params_of(node)
        result = self.names.rules[name].result if node.piece is None else None
        builder = StatementBuilder(self.declarations, frame, result, base)
        builder.params = self._bind_params(node, params, frame)
        body = builder.block(node.body)
        if result is not None:
            check_returns(node, body, self.errors)
        self.rules[ir_name] = nodes.Rule(
            node.span, ir_name, params, result, frame.size, body, declaration.layer.name,
            node.help, node.cites, base.name if base is not None else None,
        )  # fmt: skip
        return self.rules[ir_name]

    def _build_hooks(self) -> None:
        """Build the rules that run when a deal or the match is over, those of bases first."""
        for hook, reasons in reasons_of(self.variant).items():
            rules = [self._build_hook(one, hook, reasons) for one in self.hooks.get(hook, ())]
            if rules:
                params = tuple(params_of_hook(reasons).values())
                first = rules[0]
                args = tuple(nodes.Local(first.span, t, n, "") for n, t in enumerate(params))
                calls = (nodes.Do(one.span, NOBODY, one.name, args) for one in rules)
                body = nodes.Block(first.span, tuple(nodes.Perform(do.span, do) for do in calls))
                self.rules[hook] = replace(first, name=hook, slots=len(params), body=body)

    def _build_hook(
        self, declaration: Declaration, hook: str, reasons: tuple[str, ...]
    ) -> nodes.Rule:
        node, layer = declaration.node, declaration.layer
        assert isinstance(node, ast.Rule)
        self.errors.place = f"`{hook}`" + (f" [{node.cites}]" if node.cites else "")
        frame, known = Frame(self.names), params_of_hook(reasons)
        for name, kind in known.items():
            frame.fixed_slots.add(frame.bind(ast.Word(node.name.span, name), kind))
        body = StatementBuilder(self.declarations, frame).block(node.body)
        name = f"{hook} of {layer.name}"
        while name in self.rules:
            name += "'"
        self.rules[name] = nodes.Rule(
            node.span, name, tuple(known.values()), None, frame.size, body, layer.name, node.help,
            node.cites,
        )  # fmt: skip
        return self.rules[name]

    def _with_pieces(self, name: str, core: nodes.Rule, pieces: list[Declaration]) -> nodes.Rule:
        """Return the rule with the pieces of all layers, base first, around the core."""
        span = core.span
        args = tuple(nodes.Local(span, t, slot, "") for slot, t in enumerate(core.params))
        sides: dict[str, list[nodes.Statement]] = {"before": [], "after": []}
        for number, piece in enumerate(pieces, 1):
            assert isinstance(piece.node, ast.Rule) and piece.node.piece is not None
            ir_name = f"{piece.node.piece} {name} of {piece.layer.name}"
            if ir_name in self.rules:
                ir_name += f" ({number})"
            rule = self._build_rule(name, ir_name, piece, None)
            do = nodes.Do(rule.span, NOBODY, ir_name, args)
            sides[piece.node.piece].append(nodes.Perform(rule.span, do))
        do = nodes.Do(span, core.result or NOBODY, core.name, args)
        body = [*sides["before"], nodes.Perform(span, do), *sides["after"]]
        if core.result is not None:
            slot = len(core.params)
            result = nodes.Local(span, core.result, slot, "")
            let, back = nodes.Let(span, slot, do), nodes.Return(span, result)
            body = [*sides["before"], let, *sides["after"], back]
        block = nodes.Block(span, tuple(body))
        return replace(core, name=name, slots=len(args) + 1, body=block, base_name=None)


def _name_of_base(name: str, chain: list[Declaration], position: int) -> str:
    """Return the name of a rule or define that is replaced; files can have the same name."""
    layer = chain[position].layer.name
    return f"{name} of {layer}" + "'" * sum(one.layer.name == layer for one in chain[:position])
