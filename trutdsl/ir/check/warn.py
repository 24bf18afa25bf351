"""Warnings: rules that are valid but probably mistakes."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from trutdsl.diagnostics import Collector, Diagnostic, Note
from trutdsl.ir import nodes
from trutdsl.ir.check.dealing import Warnings, find_undealt
from trutdsl.ir.check.slips import find_left_out, find_names_of_scripts, find_words_of_options
from trutdsl.ir.check.use import DEAL, MATCH, NEXT, TRICK, Reach, Ways, read_parameters
from trutdsl.ir.intervals import combine
from trutdsl.ir.nodes import walk, walk_rules
from trutdsl.ir.types import Number, SetOf
from trutdsl.language import say
from trutdsl.variant import Variant

Names = frozenset[str]
NOTHING: Names = frozenset()


class Guards:
    """For each statement the variables that a condition reads on every path to it.

    A condition counts if it encloses the statement, or is part of an earlier statement of the same
    block or of an enclosing one. Variables that a `define` in it reads count, too.
    """

    def __init__(self, program: nodes.Program) -> None:
        self._calls: dict[str, list[tuple[str, Names]]] = {}
        self._at: dict[int, Names] = {}
        functions = program.functions
        self._names = lru_cache(maxsize=None)(lambda name: self._names_in(functions[name].body))
        for name, rule in program.rules.items():
            self._look(name, rule.body, NOTHING)
        self._of_rules: dict[str, Names] = {}

    def is_after_read(self, rule: str, node: nodes.Assign, name: str) -> bool:
        """Return whether a sentence of a rule runs only after something has read a variable.

        Uses of the variable in the sentence itself count.
        """
        names = self._names_in(node.value)
        return name in self._at.get(id(node), NOTHING) | names or name in self._of_rule(rule)

    def is_read_before(self, rule: str, node: nodes.Statement, name: str) -> bool:
        """Return whether something has read a variable before a sentence of a rule."""
        return name in self._at.get(id(node), NOTHING) or name in self._of_rule(rule)

    def _of_rule(self, name: str) -> Names:
        if name not in self._of_rules:
            self._of_rules[name] = NOTHING  # rules are not recursive
            ways = [names | self._of_rule(by) for by, names in self._calls.get(name, [])]
            self._of_rules[name] = frozenset.intersection(*ways) if ways else NOTHING
        return self._of_rules[name]

    def _look(self, rule: str, node: nodes.Node, reads: Names) -> Names:
        """Record the variables read before each sentence; return those read after the node."""
        match node:
            case nodes.Block(_, statements):
                for statement in statements:
                    reads |= self._look(rule, statement, reads)
                return reads
            case nodes.If(_, branches, otherwise):
                tests = NOTHING
                for test, body in branches:
                    tests |= self._names_in(test)
                    self._look(rule, body, reads | tests)
                self._look(rule, otherwise, reads | tests)
                return reads | tests
            case nodes.Option(_, _, binders, condition, _, _, body):
                # The bounds of a choice count as a read.
                for part in (*binders, *([condition] if condition is not None else [])):
                    reads |= self._names_in(part)
                self._look(rule, body, reads)
                return NOTHING
            case nodes.For(_, _, domain, body):
                inner = reads | self._names_in(domain)
                self._look(rule, body, inner)
                return inner
            case nodes.Repeat(_, times, _, condition, body):
                for part in (times, *([condition] if condition is not None else [])):
                    reads |= self._names_in(part)
                self._look(rule, body, reads)
                return reads
            case nodes.Ask() | nodes.Perform():
                self._at[id(node)] = reads
            case nodes.Assign() | nodes.Let():
                self._at[id(node)] = reads
                reads |= self._names_in(node.value)
        for part in node.children:
            if isinstance(part, nodes.Do):
                self._calls.setdefault(part.rule, []).append((rule, reads))
            self._look(rule, part, reads)
        return reads

    def _names_in(self, node: nodes.Node) -> Names:
        """Return the variables that a part names, also through its defines."""
        result: set[str] = set()
        for part in walk(node):
            if isinstance(part, nodes.Var):
                result.add(part.name)
            elif isinstance(part, nodes.Call):
                result |= self._names(part.function)
        return frozenset(result)


ENDS = (TRICK, DEAL, MATCH)
TERMS = re.compile(r"\s(?:[-+]|if|for|or|and)\s")  # what needs brackets behind a minus


def find_warnings(
    program: nodes.Program, variant: Variant, files: frozenset[str]
) -> tuple[Diagnostic, ...]:
    """Return the warnings for the rules of these files, with the names of files in messages.

    They concern conditions that are always true or false, lost or missing ends, and numbers beyond
    their bounds. They also name parameters that a replacement no longer reads. Those of
    `find_undealt`, `find_left_out` and `find_names_of_scripts` follow.
    """
    warnings = Warnings()
    reach = Reach(program, Collector())
    ways = {name: reach.ways_of(name) for name in program.rules}
    guards = Guards(program)
    for name, function in program.functions.items():
        if ":" not in name:
            warnings.place = say("define '{split}'", split=name.split(" of ")[0])
            _find_constant_tests(function.body, warnings)
            _find_beyond(function.body, warnings)
    for rule in program.rules.values():
        warnings.place = rule.heading
        _find_constant_tests(rule.body, warnings)
        _find_beyond(rule.body, warnings)
        _find_missing_ends(rule, reach, warnings)
        _find_escapes(rule, program, guards, warnings)
        _find_no_winner(rule, program, warnings)
        find_words_of_options(rule.body, warnings)
    _find_lost_ends(program, ways, warnings)
    _find_dead_parameters(program, variant, warnings)
    find_undealt(program, variant, files, warnings)
    find_left_out(program, warnings)
    find_names_of_scripts(program, variant, warnings)
    found = {(one.span, one.message): one for one in reversed(warnings.diagnostics)}
    own = [one for one in found.values() if one.span.source.name in files]
    own.sort(key=lambda one: (one.span.source.name, one.span.line, one.span.col))
    return tuple(replace(one, kind="warning") for one in own)


def _find_constant_tests(body: nodes.Node, warnings: Warnings) -> None:
    for node in walk(body):
        if isinstance(node, nodes.Compare) and (verdict := _constant_test(node)) is not None:
            always, why = verdict
            if always:
                warnings.warn("always-true", say("this always holds: {why}", why=why), node.span)
            else:
                warnings.warn("never-true", say("this never holds: {why}", why=why), node.span)


def _constant_test(node: nodes.Compare) -> tuple[bool, str] | None:
    """Return whether a comparison of numbers is always or never true, and why; else None."""
    left, right = node.left.type, node.right.type
    if not isinstance(left, Number) or not isinstance(right, Number):
        return None
    if node.op in ("==", "!="):
        if left.low <= right.high and right.low <= left.high:
            return None
        always = node.op == "!="
    else:
        holds = {
            "<": (left.high < right.low, left.low >= right.high),
            "<=": (left.high <= right.low, left.low > right.high),
            ">": (left.low > right.high, left.high <= right.low),
            ">=": (left.low >= right.high, left.high < right.low),
        }[node.op]
        if not any(holds):
            return None
        always = holds[0]
    sides = ((node.left, left), (node.right, right))
    texts = [_bounds(side, kind) for side, kind in sides if not isinstance(side, nodes.Const)]
    return always, " and ".join(texts) or say("both are constants")


def _bounds(side: nodes.Expression, kind: Number) -> str:
    span = side.span.text if side.span.line == side.span.end_line else "this"
    return say("`{span}` is {low}", span=span, low=kind.low) + (
        say(" to {high}", high=kind.high) if kind.high != kind.low else ""
    )


def _find_missing_ends(rule: nodes.Rule, reach: Reach, warnings: Warnings) -> None:
    for node in walk(rule.body):
        if not isinstance(node, nodes.TrickBlock | nodes.DealBlock):
            continue
        what = TRICK if isinstance(node, nodes.TrickBlock) else DEAL
        if not reach.block(node.body) & {*ENDS[ENDS.index(what) :]}:
            message = say("nothing in this `{what}` block reaches an `end {what}`", what=what)
            help_ = say("write `end {what} ...` in it, or in a rule that it does", what=what)
            warnings.warn("missing-end", message, node.span, help=help_)


def _find_lost_ends(program: nodes.Program, ways: dict[str, Ways], warnings: Warnings) -> None:
    """Warn of rules without an end that replace rules which always end."""
    for rule in program.rules.values():
        if rule.base_name is None or NEXT in ways[rule.base_name]:
            continue
        base = program.rules[rule.base_name]
        calls = {node.rule for node in walk(rule.body) if isinstance(node, nodes.Do)}
        end = next((what for what in ENDS if what in ways[base.name]), None)
        if end is None or base.name in calls or end in ways[rule.name]:
            continue
        warnings.place = rule.heading
        message = say(
            "the replaced rule always ends the {ended}, but this rule never does", ended=end
        )
        help_ = say("write `do base` where it should end, or `end {ended} ...`", ended=end)
        warnings.warn(
            "lost-end",
            message,
            rule.span,
            Note(say("the other one is here"), base.span),
            help=help_,
        )


def _find_dead_parameters(program: nodes.Program, variant: Variant, warnings: Warnings) -> None:
    """Warn of replacements without which some rule would read a parameter."""
    names = read_parameters(program, ["match"])
    if variant.pack_by is not None:
        names.add(variant.pack_by)
    parts: dict[str, nodes.Rule | nodes.Function] = {**program.functions, **program.rules}
    for parameter in variant.parameters.values():
        if parameter.name in names:
            continue
        for name, part in parts.items():
            bases = [n for n in parts if n.startswith(f"{name} of ")]
            bases = [n for n in bases if parameter.name in read_parameters(program, [n])]
            if not bases or part.layer == bases[-1].rpartition(" of ")[2]:
                continue
            warnings.place = None
            text = "with this replacement nothing reads the parameter '{parameter}'"
            message = say(text, parameter=parameter.name)
            help_ = say("use it in this replacement, or write `base`, which reads it")
            warnings.warn("dead-parameter", message, part.span, help=help_)
            break


def _find_beyond(body: nodes.Node, warnings: Warnings) -> None:
    """Warn of numbers that are never within the bounds of their target."""
    for node in walk(body):
        if not isinstance(node, nodes.Within):
            continue
        kind, value = node.type, node.value.type
        if isinstance(kind, SetOf):
            continue
        assert isinstance(kind, Number) and isinstance(value, Number)
        if value.high < kind.low or value.low > kind.high:
            message = say(
                "this must be {low} to {high}, but never is", low=kind.low, high=kind.high
            )
            warnings.warn("out-of-bounds", message, node.span)


def _find_none(rule: nodes.Rule, node: nodes.Statement, guards: Guards, warnings: Warnings) -> None:
    """Warn of a variable that may be none, where one is needed and nothing has looked at it."""
    for value in _needed_values(node):
        if not isinstance(value, nodes.Unwrap) or not isinstance(value.value, nodes.Var):
            continue
        if not guards.is_read_before(rule.name, node, value.value.name):
            text = value.span.text
            message = say("'{name}' may be none, but a value is required here", name=text)
            help_ = say("write `if let x = {name}: ...`, and use `x`", name=text)
            warnings.warn("may-be-none", message, value.span, help=help_)


def _find_no_winner(rule: nodes.Rule, program: nodes.Program, warnings: Warnings) -> None:
    """Warn of a hook that needs the winner, where an end names none and nothing has looked."""
    if not rule.name.startswith("when a deal is over"):
        return
    if all(end.winner for end in walk_rules(program, nodes.EndDeal)):
        return
    winner, reason = range(2)  # the slots of the parameters of a hook
    needed = [n for n in walk(rule.body) if isinstance(n, nodes.Unwrap)]
    needed = [n for n in needed if isinstance(n.value, nodes.Local) and n.value.slot == winner]
    looks = [n for n in walk(rule.body) if isinstance(n, nodes.Local)]
    looks = [n for n in looks if n.slot in (winner, reason)]
    if needed and len(looks) == len(needed):
        message = say("'{name}' may be none, but a value is required here", name="winner")
        help_ = say("write `if let x = {name}: ...`, and use `x`", name="winner")
        warnings.warn("may-be-none", message, needed[0].span, help=help_)


def _needed_values(node: nodes.Statement) -> tuple[nodes.Expression, ...]:
    """Return the values that a sentence uses as they are: stored, asked, or given to a rule."""
    match node:
        case nodes.Ask(_, seat):
            return (seat,)
        case nodes.Perform(_, do):
            return do.args
        case nodes.Assign(_, _, _, value) | nodes.Let(_, _, value):
            return value.args if isinstance(value, nodes.Do) else (value,)
    return ()


def _find_escapes(
    rule: nodes.Rule, program: nodes.Program, guards: Guards, warnings: Warnings
) -> None:
    for node in walk(rule.body):
        if isinstance(node, nodes.Assign | nodes.Let | nodes.Ask | nodes.Perform):
            _find_none(rule, node, guards, warnings)
        if not isinstance(node, nodes.Assign) or not isinstance(node.target, nodes.Var):
            continue
        variable = program.variables.get(node.target.name)
        kind, value = node.target.type, node.value.type
        if variable is None or not isinstance(kind, Number) or not isinstance(value, Number):
            continue
        name = variable.name
        if node.op == "-=" and variable.counter and value.high > 0:
            difference = combine("-", kind, value)
            if difference.low < kind.low and not guards.is_after_read(rule.name, node, name):
                what, _, less = (part.strip() for part in node.span.text.partition("-="))
                text = "'{name}' is never below {low}, but this value may be lower"
                message = say(text, name=name, low=kind.low)
                text = (
                    "write `{what} = max({low}, {what} - {less})`, or look at it with `if` before"
                )
                less = f"({less})" if TERMS.search(less) else less
                help_ = say(text, what=what, low=kind.low, less=less)
                warnings.warn("out-of-bounds", message, node.span, help=help_)
        elif node.op == "=" and (value.high < kind.low or value.low > kind.high):
            text = "'{name}' is {low} to {high}, but this value never is"
            message = say(text, name=name, low=kind.low, high=kind.high)
            warnings.warn("out-of-bounds", message, node.span)
