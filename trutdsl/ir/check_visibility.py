"""Checks that nobody can learn from the rules what their seat may not see.

Every value carries the secrets it was made from: zones and variables that not all may see, with
whose they are. Three things are refused: an option whose legality rests on a secret of somebody
else than the asked seat; a secret stored where more may see it; and something done openly, such
as a question that all notice, only when a secret says so. `openly(x)` says that the rule makes x
known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from trutdsl.diagnostics import Collector
from trutdsl.ir import nodes
from trutdsl.ir.types import Kind
from trutdsl.ir.walk import children
from trutdsl.source import Span
from trutdsl.syntax.ast import Audience

Key = object  # whose something is: two keys that are equal mean the same seat or team


@dataclass(frozen=True)
class Secret:
    """A zone or variable that not all may see, with the seat or team it belongs to."""

    name: str
    audience: Audience
    owner: Key

    def known_to(self, seat: Key) -> bool:
        """Tell whether the seat with this key may see it."""
        match self.audience:
            case Audience.OWNER | Audience.TEAM:
                return self.owner in (seat, ("team", seat))
            case _:
                return False


Label = frozenset[Secret]
PUBLIC: Label = frozenset()


@dataclass
class Binding:
    """What is known of a local name: whose it is, and the secrets in its value."""

    key: Key
    label: Label


Env = dict[int, Binding]


def check_visibility(program: nodes.Program, errors: Collector) -> None:
    """Report every leak that a match could have."""
    checker = _Checker(program, errors)
    for variable in program.variables.values():
        errors.place = f"variable '{variable.name}'"
        secrets = checker.label(variable.initial, {})
        if variable.audience is not Audience.NOBODY and secrets:
            checker.leak(variable.initial.span, secrets, f"all may see '{variable.name}'")
    checker.rule("match", [], PUBLIC)
    errors.place = None


class _Checker:
    def __init__(self, program: nodes.Program, errors: Collector) -> None:
        self.program, self.errors = program, errors
        self.results: dict[object, Label] = {}
        self.returned: Label = PUBLIC
        self.tail: Label = PUBLIC

    # -------------------------------------------------------- values

    def key(self, node: nodes.Expression, env: Env) -> Key:
        match node:
            case nodes.Local(_, _, slot) if slot in env:
                return env[slot].key
            case nodes.Unwrap(_, _, value):
                return self.key(value, env)
            case nodes.Var(_, _, name, None):
                return ("variable", name)
            case nodes.Builtin(_, _, "team", (seat,)):
                return ("team", self.key(seat, env))
            case nodes.Const(_, _, value):
                return ("value", value)
        return ("at", node.span)

    def label(self, node: nodes.Expression, env: Env) -> Label:
        """Return the secrets that a value is made from."""
        match node:
            case nodes.Local(_, _, slot):
                return env[slot].label if slot in env else PUBLIC
            case nodes.Var(_, _, name, index):
                variable = self.program.variables.get(name)
                audience = variable.audience if variable else Audience.ALL
                return self._read(name, audience, index, env)
            case nodes.ZoneCards(_, _, name, index):
                return self._read(name, self.program.zones[name].audience, index, env)
            case nodes.Builtin(_, _, "openly"):
                return PUBLIC
            case nodes.Builtin(_, _, "size" | "empty", (nodes.ZoneCards(_, _, _, index),)):
                return self.label(index, env) if index is not None else PUBLIC
            case nodes.Call(_, _, name, args):
                return self._call(name, args, env)
            case nodes.Quantifier(_, _, _, slot, domain, value):
                inner = dict(env)
                found = self._domain(slot, domain, inner, self.label(domain.items, env))
                return found | (self.label(value, inner) if value is not None else PUBLIC)
            case nodes.Do(_, _, rule, args):
                return self.rule(rule, self._bind(args, env), PUBLIC)
        found = PUBLIC
        for child in children(node):
            if isinstance(child, nodes.Expression):
                found |= self.label(child, env)
        return found

    def _read(
        self, name: str, audience: Audience, index: nodes.Expression | None, env: Env
    ) -> Label:
        found = self.label(index, env) if index is not None else PUBLIC
        if audience is Audience.ALL:
            return found
        owner = self.key(index, env) if index is not None else None
        return found | {Secret(name, audience, owner)}

    def _domain(self, slot: int, domain: nodes.Domain, env: Env, items: Label) -> Label:
        """Bind the slot; return the secrets that decide which elements come, items included."""
        found = items
        for part in (domain.last, domain.start):
            found |= self.label(part, env) if part is not None else PUBLIC
        env[slot] = Binding(("each", domain.span), items)
        return found | (self.label(domain.where, env) if domain.where is not None else PUBLIC)

    def _bind(self, args: tuple[nodes.Expression, ...], env: Env) -> list[Binding]:
        return [Binding(self.key(a, env), self.label(a, env)) for a in args]

    def _call(self, name: str, args: tuple[nodes.Expression, ...], env: Env) -> Label:
        function = self.program.functions[name]
        inner: Env = dict(enumerate(self._bind(args, env)))
        if isinstance(function.body, nodes.Expression):
            return self.label(function.body, inner)
        return self._reads(function.body, inner)

    def _reads(self, node: nodes.Node, env: Env) -> Label:
        """Return every secret that a block of a `define` looks at."""
        if isinstance(node, nodes.Expression):
            return self.label(node, env)
        found = PUBLIC
        match node:
            case nodes.Let(_, slot, value):
                env[slot] = Binding(self.key(value, env), self.label(value, env))
                return env[slot].label
            case nodes.For(_, slot, domain, body):
                found = self._domain(slot, domain, env, self.label(domain.items, env))
                return found | self._reads(body, env)
            case nodes.Assign(_, nodes.Local(_, _, slot), _, value):
                env[slot] = Binding(env[slot].key, env[slot].label | self.label(value, env))
                return env[slot].label
        for child in children(node):
            found |= self._reads(child, env)
        return found

    # -------------------------------------------------------- sentences

    def rule(self, name: str, args: list[Binding], pc: Label) -> Label:
        """Check a rule done with these arguments; return the secrets in what it returns."""
        memo = (name, tuple((a.key, a.label) for a in args), pc)
        if memo in self.results:
            return self.results[memo]
        self.results[memo] = PUBLIC
        outer = self.returned, self.tail, self.errors.place
        self.returned, self.tail = PUBLIC, PUBLIC
        rule = self.program.rules[name]
        self.errors.place = rule.heading
        self._statement(rule.body, dict(enumerate(args)), pc)
        result = self.returned
        self.returned, self.tail, self.errors.place = outer
        self.results[memo] = result
        return result

    def _statement(self, node: nodes.Statement | nodes.Block, env: Env, pc: Label) -> None:
        pc = pc | self.tail
        match node:
            case nodes.Block(_, statements):
                for statement in statements:
                    self._statement(statement, env, pc)
            case nodes.Let(_, slot, value):
                found = self._source(value, env, pc)
                key = self.key(value, env)
                env[slot] = Binding(key, found | pc)
            case nodes.Assign(_, target, _, value):
                self._assign(node, self._source(value, env, pc) | pc, env)
            case nodes.Perform(_, do):
                self.rule(do.rule, self._bind(do.args, env), pc)
            case nodes.Return(_, value):
                self.returned |= pc
                self.tail |= pc
                if value is not None:
                    self.returned |= self._source(value, env, pc)
            case nodes.Stop() | nodes.Next() | nodes.Again():
                self.tail |= pc
            case nodes.If(_, branches, otherwise):
                for test, body in branches:
                    pc = pc | self.label(test, env)
                    self._statement(body, env, pc)
                self._statement(otherwise, env, pc)
            case nodes.For(_, slot, domain, body):
                zone = isinstance(domain.items, nodes.ZoneCards)
                items = self.label(domain.items, env)
                found = self._domain(slot, domain, env, items)
                if zone and domain.where is None:
                    found = PUBLIC  # how many cards lie in a zone is no secret
                self._statement(body, env, pc | found)
            case nodes.Repeat(_, times, _, condition, body):
                found = self.label(times, env)
                found |= self.label(condition, env) if condition is not None else PUBLIC
                self._statement(body, env, pc | found)
            case nodes.DealBlock(_, body) | nodes.Setup(_, _, body) | nodes.TrickBlock(_, _, body):
                self._statement(body, env, pc)
            case nodes.Ask():
                self._ask(node, env, pc)
            case (
                nodes.EndTrick(span, winner)
                | nodes.EndDeal(span, winner)
                | nodes.EndMatch(span, winner)
            ):
                found = pc | (self.label(winner, env) if winner is not None else PUBLIC)
                if found:
                    self.leak(span, found, "all see how it ends")
            case nodes.Reveal(span, _, seats):
                found = pc | self.label(seats, env)
                if found:
                    self.leak(span, found, "all see that something is revealed")
            case nodes.Draw(span, origin, target, slot):
                self._moved(span, (origin, target), pc)
                if slot is not None:
                    env[slot] = Binding(("drawn", span), self.label(target, env))
            case nodes.Move(span, _, origin, target) | nodes.MoveAll(span, origin, target):
                self._moved(span, (origin, target), pc)
            case nodes.Gather(span, _, _, target) | nodes.Shuffle(span, target):
                self._moved(span, (target,), pc)

    def _source(self, value: nodes.Expression, env: Env, pc: Label) -> Label:
        if isinstance(value, nodes.Do):
            return self.rule(value.rule, self._bind(value.args, env), pc)
        return self.label(value, env)

    def _assign(self, node: nodes.Assign, found: Label, env: Env) -> None:
        target = node.target
        if isinstance(target, nodes.Local):
            before = env.get(target.slot, Binding(("at", target.span), PUBLIC))
            env[target.slot] = replace(before, label=before.label | found)
            return
        variable = self.program.variables.get(target.name)
        audience = variable.audience if variable else Audience.ALL
        if target.index is not None:
            found |= self.label(target.index, env)
        if audience is Audience.NOBODY:
            return
        if audience is not Audience.ALL and target.index is not None:
            key = self.key(target.index, env)
            per_seat = variable is not None and variable.index is Kind.SEAT
            if per_seat:
                found = frozenset(s for s in found if not s.known_to(key))
            else:
                found = frozenset(s for s in found if s.owner != key)
        if found:
            self.leak(node.span, found, f"{_WHO[audience]} may see '{target.name}'")

    def _ask(self, node: nodes.Ask, env: Env, pc: Label) -> None:
        seat = self.key(node.seat, env)
        noticed = pc | self.label(node.seat, env)
        if node.audience is not Audience.ALL:
            noticed = frozenset(s for s in noticed if not s.known_to(seat))
        if noticed:
            self.leak(node.span, noticed, f"all notice that '{node.decision}' is asked")
        chosen: Label = PUBLIC
        if node.audience is not Audience.ALL:
            who = Audience.TEAM if node.audience is Audience.TEAM else Audience.OWNER
            chosen = frozenset({Secret(node.decision, who, seat)})
        for option in node.options:
            inner = dict(env)
            for binder in option.binders:
                found = self.label(binder.items, inner)
                if binder.last is not None:
                    found |= self.label(binder.last, inner)
                self._legality(binder.items.span, found, seat, option, node)
                inner[binder.slot] = Binding(("chosen", binder.span), found)
            if option.condition is not None:
                found = self.label(option.condition, inner)
                self._legality(option.condition.span, found, seat, option, node)
            for binder in option.binders:
                inner[binder.slot] = Binding(("chosen", binder.span), chosen)
            self._statement(option.body, inner, pc | chosen)

    def _legality(
        self, span: Span, found: Label, seat: Key, option: nodes.Option, ask: nodes.Ask
    ) -> None:
        hidden = [s for s in found if not s.known_to(seat)]
        if hidden:
            self.errors.error(
                "hidden",
                f"whether '{' '.join(option.words)}' is allowed rests on {_names(hidden)}, "
                f"which the seat asked for '{ask.decision}' may not see",
                span,
                help="use only what that seat may see, or write `openly(...)` if the rule makes "
                "it known",
            )

    def _moved(self, span: Span, zones: tuple[nodes.ZoneCards, ...], pc: Label) -> None:
        seen = any(self.program.zones[z.name].audience is Audience.ALL for z in zones)
        if pc and seen:
            self.leak(span, pc, "all see this move")

    def leak(self, span: Span, secrets: Label, why: str) -> None:
        """Report that something secret becomes known."""
        self.errors.error(
            "leak",
            f"this rests on {_names(list(secrets))}, which not all may see, but {why}",
            span,
            help="write `openly(...)` around it if the rule makes it known",
        )


_WHO = {Audience.ALL: "all", Audience.OWNER: "its owner", Audience.TEAM: "the whole team"}


def _names(secrets: list[Secret]) -> str:
    names = sorted({f"'{s.name}'" for s in secrets})
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
