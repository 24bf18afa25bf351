"""Finds unused and unreachable parts, recursive rules, and misplaced ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trutdsl.diagnostics import Collector, Note, Span, did_you_mean
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk, walk_calls
from trutdsl.ir.types import YES_NO
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.variant import Layer, Variant

# The exits of a sentence, other than to the next one.
NEXT, TRICK, DEAL, MATCH, ELSEWHERE = "next", "trick", "deal", "match", "elsewhere"
Ways = frozenset[str]
BEFORE = "before"  # prefix of the names of rules before another one


def check_reach(program: nodes.Program, errors: Collector) -> None:
    """Report sentences after a rule that never returns."""
    checker = Reach(program, errors)
    for name in program.rules:
        checker.ways_of(name)
    errors.place = None


class Reach:
    """Computes the ways in which each rule can end.

    A rule that always ends the trick, the deal or the match never returns to its caller. The
    statements `return`, `stop`, `next` and `again` continue at another place.
    """

    def __init__(self, program: nodes.Program, errors: Collector) -> None:
        self.program, self.errors = program, errors
        self.known: dict[str, Ways] = {}

    def ways_of(self, name: str) -> Ways:
        """Return the exits of a rule: to the sentence after it, or beyond."""
        if name not in self.known:
            self.known[name] = frozenset({NEXT})  # rules are not recursive
            place, self.errors.place = self.errors.place, self.program.rules[name].heading
            body = self.program.rules[name].body
            ways = self.block(body)
            if any(isinstance(node, nodes.Return) for node in walk(body)):
                ways |= {NEXT}
            self.known[name] = ways - {ELSEWHERE} or ways
            self.errors.place = place
        return self.known[name]

    def block(self, block: nodes.Block) -> Ways:
        """Return the exits of a block."""
        ways: set[str] = set()
        for number, statement in enumerate(block.statements):
            exits = self._statement(statement)
            ways |= exits - {NEXT}
            if NEXT not in exits:
                rest = block.statements[number + 1 :]
                rule = _rule_in(statement)
                # A rule with a result must return one, even if nothing uses it. Each option of
                # `ask any` has an implicit `stop` at its end.
                idle = nodes.Return | nodes.Stop
                if rest and rule is not None and not isinstance(rest[0], idle):
                    self._report(rest[0], rule, exits)
                    ways.add(NEXT)  # reported once, not again for each rule that calls this one
                return frozenset(ways)
        return frozenset(ways | {NEXT})

    def _statement(self, node: nodes.Statement) -> Ways:
        match node:
            case nodes.EndTrick():
                return frozenset({TRICK})
            case nodes.EndDeal():
                return frozenset({DEAL})
            case nodes.EndMatch():
                return frozenset({MATCH})
            case nodes.Stop() | nodes.Next() | nodes.Again() | nodes.Return():
                return frozenset({ELSEWHERE})
            case nodes.If(_, branches, otherwise):
                inner = [self.block(body) for _, body in branches]
                return frozenset().union(*inner, self.block(otherwise))
            case nodes.Ask(_, _, _, _, options):
                return frozenset().union(*(self.block(option.body) for option in options))
            case nodes.For(_, _, _, body) | nodes.Repeat(_, _, _, _, body):
                return self.block(body) | {NEXT}
            case nodes.Setup(_, _, body):
                return self.block(body) | {NEXT}
            case nodes.DealBlock(_, body):
                return _after(self.block(body), DEAL)
            case nodes.TrickBlock(_, _, body):
                return _after(self.block(body), TRICK)
        rule = _rule_in(node)
        return self.ways_of(rule) if rule is not None else frozenset({NEXT})

    def _report(self, statement: nodes.Statement, rule: str, ways: Ways) -> None:
        end = next((what for what in (TRICK, DEAL, MATCH) if what in ways), None)
        name, *piece = rule.split(" ")
        how = say("always ends the {ended}", ended=end) if end else say("never comes to an end")
        if name == BEFORE:
            self._report_before(rule, piece[0], how)
            return
        where = say(", or behind the `{ended}` block", ended=end) if end in (TRICK, DEAL) else ""
        self.errors.error(
            "unreachable",
            say("this never runs: the rule '{name}' before it {how}", name=name, how=how),
            statement.span,
            Note(say("'{name}' is here", name=name), self.program.rules[rule].span),
            help=say("do it before that rule") + where,
        )

    def _report_before(self, rule: str, name: str, how: str) -> None:
        """Report a `before rule` that never returns, in its own file."""
        own = self.program.rules[rule]
        place, self.errors.place = self.errors.place, own.heading
        self.errors.error(
            "unreachable",
            say("this {how}, so the rule '{name}' after it never runs", how=how, name=name),
            own.span,
            Note(say("'{name}' is here", name=name), self.program.rules[name].span),
            help=say("let it do so in an `if` only, or write `replace rule {name}`", name=name),
        )
        self.errors.place = place


def _after(ways: Ways, what: str) -> Ways:
    """Return the exits of a deal or trick: its own end leads to the statement after it."""
    return frozenset(NEXT if way == what else way for way in ways) | (
        {NEXT} if NEXT in ways else frozenset()
    )


def _rule_in(node: nodes.Statement) -> str | None:
    match node:
        case nodes.Perform(_, do):
            return do.rule
        case nodes.Let(_, _, nodes.Do(_, _, rule)) | nodes.Assign(_, _, _, nodes.Do(_, _, rule)):
            return rule
    return None


DEEPEST_RULES = 60


def check_use(program: nodes.Program, variant: Variant, errors: Collector) -> None:
    """Report a missing rule `match`, recursion, unused parameters, unreachable rules, stray ends.

    Only declarations of the file itself are reported as unused; bases and modules may have more.
    """
    own = next(layer for layer in variant.layers if layer.own)
    if "match" not in program.rules:
        message = say("there is no rule 'match', with which play begins")
        help_ = did_you_mean("match", program.rules) or say("write `rule match:`")
        errors.error("no-match-rule", message, own.span, help=help_)
        return
    _check_recursion(program, errors)
    errors.raise_if_any()
    first = nodes.Do(program.rules["match"].span, YES_NO, "match", ())
    used_rules, used_functions, used_parameters = _uses(program, [first, *program.declarations])
    if variant.pack_by is not None:
        used_parameters.add(variant.pack_by)
    for parameter in variant.parameters.values():
        if own.holds(parameter.span) and parameter.name not in used_parameters:
            message = say("no rule looks at the parameter '{parameter}'", parameter=parameter.name)
            help_ = say("use it in a rule, or delete it")
            errors.error("unused-parameter", message, parameter.span, help=help_)
    for rule in program.rules.values():
        if not own.holds(rule.span) or rule.name in used_rules or own.kind != "variant":
            continue
        for what, event in ast.HOOKS.items():
            if rule.name.startswith(f"when {event} of "):
                message = say("this never runs, because nothing reaches an `end {what}`", what=what)
                help_ = say("write `end {what} ...` in a rule that is called", what=what)
                errors.error("unreachable-rule", message, rule.span, help=help_)
        if not rule.name.startswith("when "):
            name = re.sub("^(before|after) | .*", "", rule.name)
            message = say("no rule calls the rule '{rule}'", rule=name)
            help_ = say("write `do {rule}` where it applies, or delete it", rule=name)
            errors.error("unreachable-rule", message, rule.span, help=help_)
    for function in program.functions.values():
        if own.holds(function.span) and function.name not in used_functions:
            message = say("nothing uses '{function}'", function=function.name)
            help_ = say("use it in a rule, or delete it")
            errors.error("unreachable-rule", message, function.span, help=help_)
    _check_additions(program, own, used_rules, errors)
    _check_places_used(program, own, errors)
    _check_starts(program, errors)
    _Places(program, errors).check()
    for rule in program.rules.values():
        errors.place = rule.heading
        _check_exits(rule.body, "", frozenset(), errors)
    errors.place = None


def _check_additions(
    program: nodes.Program, own: Layer, used_rules: set[str], errors: Collector
) -> None:
    """Report options that are added to a question which no rule asks any more."""
    decisions = {
        node.decision
        for name in used_rules
        for node in walk(program.rules[name].body)
        if isinstance(node, nodes.Ask)
    }
    for addition in own.rules.additions if own.rules else ():
        word = addition.decision
        if word.text not in decisions and own.kind == "variant":
            message = say("no called rule asks '{word}'", word=word.text)
            help_ = say("add the options to a question that is asked, or delete them")
            errors.error("unreachable-rule", message, word.span, help=help_)


def _check_places_used(program: nodes.Program, own: Layer, errors: Collector) -> None:
    """Report zones and variables of the file itself that nothing else names."""
    if own.rules is None or own.kind != "variant":
        return
    uses: set[str] = set()
    for node in walk([*program.callables, *program.declarations]):
        match node:
            case nodes.Var(_, _, name, _) | nodes.ZoneCards(_, _, name, _):
                uses.add(name)
            case nodes.TrickBlock(_, name, _) | nodes.Setup(_, name, _):
                uses.add(name)
            case nodes.Gather(_, names):
                uses.update(names)
    places: tuple[ast.Zone | ast.Variable, ...] = (*own.rules.zones, *own.rules.variables)
    for place in places:
        if place.name.text not in uses and not place.replaces:
            what = "zone" if isinstance(place, ast.Zone) else "variable"
            message = say("no rule uses the {what} '{place}'", what=what, place=place.name.text)
            errors.error(
                "unused", message, place.name.span, help=say("use it in a rule, or delete it")
            )


LIFETIMES = ("match", "deal", "trick")


def _check_starts(program: nodes.Program, errors: Collector) -> None:
    """Report a start value that uses something which does not exist yet at that moment."""
    ready = {v.name for v in program.variables.values() if v.counter}
    for zone in program.zones.values():
        if zone.content is not None:
            _check_start(
                zone.content, say("zone '{zone}'", zone=zone.name), set(), False, program, errors
            )
    for lifetime in LIFETIMES:
        for variable in program.variables.values():
            if variable.lifetime == lifetime and not variable.counter:
                what = say("variable '{variable}'", variable=variable.name)
                _check_start(variable.initial, what, ready, lifetime != "match", program, errors)
                ready.add(variable.name)


def _check_start(
    start: nodes.Expression,
    what: str,
    ready: set[str],
    cards: bool,
    program: nodes.Program,
    errors: Collector,
) -> None:
    queue: list[nodes.Node] = [start]
    seen: set[str] = set()
    while queue:
        for node in walk(queue.pop()):
            missing = None
            match node:
                case nodes.Var(_, _, name, _) if name not in ready:
                    if name in program.variables or not cards:
                        missing = name
                case nodes.ZoneCards(_, _, name, _) if not cards:
                    missing = name
                case nodes.Call(_, _, name, _) if name not in seen:
                    seen.add(name)
                    queue.append(program.functions[name].body)
            if missing is not None:
                text = "{what} starts from '{missing}', which is not there yet at that moment"
                message = say(text, what=what, missing=missing)
                help_ = say("declare that one above, or set this one in a rule")
                errors.error("misplaced", message, start.span, help=help_)
                return


def _check_recursion(program: nodes.Program, errors: Collector) -> None:
    calls = {
        name: [n for n in walk(rule.body) if isinstance(n, nodes.Do)]
        for name, rule in program.rules.items()
    }
    depth: dict[str, int] = {}  # finished rules: the depth of calls in them

    def visit(name: str, path: tuple[str, ...]) -> None:
        deepest = 0
        for do in calls[name]:
            if do.rule in path or do.rule == name:
                chain = (*path, name)
                cycle = " -> ".join([*chain[chain.index(do.rule) :], do.rule])
                message = say("the rule '{rule}' calls itself: {cycle}", rule=do.rule, cycle=cycle)
                help_ = say("use `repeat at most N times` or `again`")
                errors.error("recursion", message, do.span, help=help_)
            elif do.rule in calls:
                if do.rule not in depth and len(path) < DEEPEST_RULES:
                    visit(do.rule, (*path, name))
                deepest = max(deepest, depth.get(do.rule, DEEPEST_RULES))
        depth[name] = deepest + 1
        if depth[name] > DEEPEST_RULES and not errors.diagnostics:
            message = say("more than {deepest} rules are nested", deepest=DEEPEST_RULES)
            errors.error(
                "too-deep", message, program.rules[name].span, help=say("join some of them")
            )

    for name in calls:
        if name not in depth:
            visit(name, ())


def read_parameters(program: nodes.Program, names: Sequence[str]) -> set[str]:
    """Return the parameters that these rules and defines read; with `match`, declarations, too."""
    parts = [program.rules.get(name) or program.functions[name] for name in names]
    declarations = program.declarations if "match" in names else []
    return _uses(program, [*parts, *declarations])[2]


def _uses(program: nodes.Program, parts: list[nodes.Node]) -> tuple[set[str], set[str], set[str]]:
    """Return the rules, defines and parameters that these parts use, also through others."""
    every = list(walk_calls(program, *parts))
    return (
        {node.rule for node in every if isinstance(node, nodes.Do)} & program.rules.keys(),
        {node.function for node in every if isinstance(node, nodes.Call)},
        {node.name for node in every if isinstance(node, nodes.Parameter)},
    )


class _Places:
    """Follows the rules from `match`, to check that each end is inside the block that it ends."""

    def __init__(self, program: nodes.Program, errors: Collector) -> None:
        self.program, self.errors = program, errors
        self.seen: set[tuple[str, bool, bool]] = set()

    def check(self) -> None:
        self._rule("match", False, False)

    def _rule(self, name: str, deal: bool, trick: bool) -> None:
        rule = self.program.rules.get(name)
        if rule is None or (name, deal, trick) in self.seen:
            return
        self.seen.add((name, deal, trick))
        self.errors.place = rule.heading
        self._node(rule.body, deal, trick)
        self.errors.place = None

    def _node(self, node: nodes.Node, deal: bool, trick: bool) -> None:
        match node:
            case nodes.EndTrick(span) if not trick:
                self._stray("trick", span)
            case nodes.EndDeal(span) if not deal:
                self._stray("deal", span)
            case nodes.DealBlock(span, body):
                if deal:
                    self.errors.error("misplaced", say("a deal is inside a deal"), span)
                self._node(body, True, trick)
            case nodes.TrickBlock(span, _, body):
                if trick or not deal:
                    where = say("inside a trick") if trick else say("outside of a deal")
                    self.errors.error("misplaced", say("a trick is {where}", where=where), span)
                self._node(body, deal, True)
            case nodes.Do(_, _, rule, _):
                place = self.errors.place
                self._rule(rule, deal, trick)
                if rule.startswith("when "):  # it cannot end a trick around it
                    self._rule(rule, deal, False)
                self.errors.place = place
            case _:
                for child in node.children:
                    self._node(child, deal, trick)

    def _stray(self, what: str, span: Span) -> None:
        message = say("this ends a {what}, but runs outside of any `{what}` block", what=what)
        help_ = say("put it, or the `do` that leads here, inside a `{what}` block", what=what)
        self.errors.error("misplaced", message, span, help=help_)


LOOP, QUESTION = "loop", "question"


def _check_exits(node: nodes.Node, block: str, inner: frozenset[str], errors: Collector) -> None:
    """Report sentences that leave a deal or trick without its end.

    block: the deal or trick around the node. inner: what is around the node inside that block.
    """
    left = ""
    match node:
        case nodes.DealBlock():
            block, inner = DEAL, frozenset()
        case nodes.TrickBlock():
            block, inner = TRICK, frozenset()
        case nodes.For() | nodes.Repeat():
            inner |= {LOOP}
        case nodes.Option():
            inner |= {QUESTION}
        case nodes.Return():
            left = "return"
        case nodes.Stop() | nodes.Next() if LOOP not in inner:
            left = "stop" if isinstance(node, nodes.Stop) else "next"
        case nodes.Again() if QUESTION not in inner:
            left = "again"
    if left and block:
        text = "'{word}' leaves the `{what}` block without an `end {what}`"
        help_ = say("write `end {what} ...` in its place", what=block)
        errors.error("misplaced", say(text, word=left, what=block), node.span, help=help_)
    for child in node.children:
        _check_exits(child, block, inner, errors)
