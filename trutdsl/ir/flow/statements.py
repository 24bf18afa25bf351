"""Flow through statements: follows a rule along all ways of play; reports what it would show."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from trutdsl.ir import nodes
from trutdsl.ir.flow.cards import check_cards
from trutdsl.ir.flow.expressions import Values, holds_seat
from trutdsl.ir.flow.labels import (
    EVERYBODY,
    NO_CONTROL,
    PUBLIC,
    UNKNOWN,
    Control,
    Label,
    both,
    hidden_from,
    noted,
)
from trutdsl.ir.flow.questions import ask
from trutdsl.ir.flow.report import NAMES, Leaks
from trutdsl.ir.flow.state import Binding, Env, Revealed, join
from trutdsl.ir.flow.summaries import Mentions
from trutdsl.source import Span
from trutdsl.syntax.ast import Audience

TURNS = "how often this is done rests on this"
DEEPEST = 6  # each may be followed several times for each time that those around it are


@dataclass
class Frame:
    """A rule that is being looked at.

    jumps:  what is left early (the rule, a loop's turn, ...) -> the ways that leave it.
    blocks: for each deal and trick around, the ways that may end it.
    left:   the zones from which cards were taken by other than what lies there.
    """

    result: list[Binding] = field(default_factory=list)
    jumps: dict[Hashable, list[Env]] = field(default_factory=dict)
    loops: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    blocks: list[list[Env]] = field(default_factory=list)
    left: set[str] = field(default_factory=set)

    @property
    def depth(self) -> int:
        """How many loops and questions are around the present sentence."""
        return len(self.loops) + len(self.asks)


class Sentences:
    """Follows sentences.

    frame:   the rule that is being looked at.
    control: what decides whether the present sentence is done.
    """

    def __init__(
        self, program: nodes.Program, values: Values, leaks: Leaks, mentions: Mentions
    ) -> None:
        self.program, self.values, self.leaks = program, values, leaks
        self.atoms, self.mentions = values.atoms, mentions
        self.frame = Frame()
        self.control: Control = NO_CONTROL

    def follow(self, node: nodes.Statement | nodes.Block, env: Env, pc: Control) -> None:
        """Follow a sentence; `pc` is what decides that it is come to, besides `env.taints`."""
        if env.dead:
            return
        self.control = control = both(pc, *env.taints.values())
        match node:
            case nodes.Block(_, sentences):
                for sentence in sentences:
                    self.follow(sentence, env, pc)
            case nodes.Let(_, slot, value):
                env.locals[slot] = self.values.of(value, env)
            case nodes.Assign():
                self._assign(node, env)
            case nodes.Perform(_, do):
                self.values.of(do, env)
            case nodes.Return(_, value):
                if value is not None:
                    found = self.values.of(value, env)
                    label = found.label | set(control)
                    self.frame.result.append(replace(found, label=label))
                self._leave("return", env)
            case nodes.Stop():
                self._leave(("stop", self.frame.loops[-1]), env)
            case nodes.Next():
                self._leave(("next", self.frame.loops[-1]), env)
            case nodes.Again():
                self._leave(("again", self.frame.asks[-1]), env)
            case nodes.If():
                self._if(node, env, pc)
            case nodes.For():
                self._for(node, env, pc)
            case nodes.Repeat():
                self._repeat(node, env, pc)
            case nodes.DealBlock() | nodes.TrickBlock():
                self._block(node, env, pc)
            case nodes.Setup(_, name, body):
                given = env.copy()
                if name in given.stored:
                    given.stored[name] = self.atoms.fresh()
                self.follow(body, env, pc)
                env.become(join([given, env], self.atoms))
            case nodes.Ask():
                if self.frame.depth >= DEEPEST:
                    self.leaks.too_deep(node.span, DEEPEST)
                else:
                    ask(node, env, pc, self)
            case nodes.EndTrick() | nodes.EndDeal() | nodes.EndMatch():
                found_winner = self.values.label(node.winner, env)
                known = found_winner | set(control)
                self.leak("all see how it ends", node.span, known, node.winner)
                for ways in self.frame.blocks:
                    ways.append(env.copy())
                env.dead = True
            case nodes.Reveal():
                self._reveal(node, env)
            case _:
                self.left(check_cards(node, env, control, self.values, self.leaks), env)

    def left(self, places: frozenset[str], env: Env) -> None:
        """Note the zones from which cards were taken by other than what lies there."""
        self.frame.left |= places
        env.left(places)

    def _leave(self, what: Hashable, env: Env) -> None:
        env.taint(what, self.control)
        self.frame.jumps.setdefault(what, []).append(env.copy())
        env.dead = True

    def _assign(self, node: nodes.Assign, env: Env) -> None:
        target, value = node.target, self.values.of(node.value, env)
        if env.dead:
            return
        label = value.label | set(self.control)
        key = value.key if node.op == "=" else self.atoms.fresh()
        if isinstance(target, nodes.Local):
            before = env.locals[target.slot].label if node.op != "=" else PUBLIC
            env.locals[target.slot] = Binding(key, before | label)
            return
        if holds_seat(target):
            env.stored[target.name] = key
        index = None
        if target.index is not None:
            where = self.values.of(target.index, env)
            index, label = where.key, label | where.label
        readers = self.values.readers(target.name, index)
        variable = self.program.variables.get(target.name)
        who = SEES[variable.audience if variable is not None else Audience.ALL]
        hidden = hidden_from(label, readers)
        self.leak(f"{who} '{target.name}'", node.span, hidden, node.value)

    def _reveal(self, node: nodes.Reveal, env: Env) -> None:
        where = self.values.of(node.what.index, env) if node.what.index is not None else None
        readers = self.values.reached(node.seats, env)
        label = self.values.label(node.seats, env) | set(self.control)
        label |= where.label if where is not None else PUBLIC
        self.leak(
            "those who are shown something notice that",
            node.span,
            hidden_from(label, readers),
            node.seats,
        )
        index = where.key if where is not None else None
        for reader in [None] if readers is EVERYBODY else readers or ():
            if index != UNKNOWN and (reader is None or reader.known):
                env.facts |= {Revealed(node.what.name, index, reader)}

    def _if(self, node: nodes.If, env: Env, pc: Control) -> None:
        ways = []
        for test, body in node.branches:
            found = self.values.label(test, env)
            pc = both(pc, noted(found, "what is done rests on this condition", test.span))
            ways.append(env.copy())
            self.follow(body, ways[-1], pc)
        ways.append(env.copy())
        self.follow(node.otherwise, ways[-1], pc)
        env.become(join(ways, self.atoms))

    # -------------------------------------------------------- loops and blocks

    def _for(self, node: nodes.For, env: Env, pc: Control) -> None:
        domain = node.domain
        items = self.values.label(domain.items, env)
        team = self.values.team_of_all(domain.items, env)
        given = items | self.values.label(domain.last, env) | self.values.label(domain.start, env)
        if isinstance(domain.items, nodes.ZoneCards) and domain.where is None:
            given = self.values.label(domain.items.index, env)  # how many there are, all see

        # What the loop goes through was looked at before its turns, as if a name stood for it.
        through = ~node.slot
        env.locals[through] = Binding(self.atoms.fresh(), items)

        def turn(state: Env) -> Control:
            now = state.locals[through].label
            _, where = self.values.bind_element(domain, node.slot, now, team, state)
            behind = domain.where.span if domain.where is not None else domain.span
            return both(noted(given, TURNS, domain.items.span), noted(where, TURNS, behind))

        self._loop(node, turn, env, pc)
        del env.locals[through]

    def _repeat(self, node: nodes.Repeat, env: Env, pc: Control) -> None:
        times = self.values.label(node.times, env)
        span = node.condition.span if node.condition is not None else node.times.span

        def turn(state: Env) -> Control:
            test = self.values.label(node.condition, state)
            return both(noted(times, TURNS, node.times.span), noted(test, TURNS, span))

        self._loop(node, turn, env, pc)

    def _loop(
        self,
        node: nodes.For | nodes.Repeat,
        turn: Callable[[Env], Control],
        env: Env,
        pc: Control,
    ) -> None:
        """Follow a loop until what holds at its head holds after each further turn as well.

        turn: binds what each turn binds; returns what decides whether there is one.
        """
        stop, next_ = ("stop", id(node)), ("next", id(node))
        if self.frame.depth >= DEEPEST:
            self.leaks.too_deep(node.span, DEEPEST)
            return
        entry = env
        self.frame.loops.append(id(node))
        while True:
            mark, state = self.atoms.count, entry.named(self.atoms)
            decides = turn(state)
            leaving = state.copy()
            self.follow(node.body, state, both(pc, decides))
            jumps = self.frame.jumps
            back = join([state, *jumps.pop(next_, [])], self.atoms)
            ways = join([leaving, *jumps.pop(stop, [])], self.atoms)
            back.taints.pop(next_, None)
            before, entry = entry, entry.widened(back, mark)
            if entry == before:
                break
        self.frame.loops.pop()
        ways.taints.pop(stop, None)
        ways.taints.pop(next_, None)
        env.become(ways)

    def _block(self, node: nodes.DealBlock | nodes.TrickBlock, env: Env, pc: Control) -> None:
        """Follow a deal or trick, which may be ended anywhere in it, also by a rule it does."""
        deal = isinstance(node, nodes.DealBlock)
        self.leak(f"all see that a {'deal' if deal else 'trick'} begins", node.span, self.control)
        inner = env.copy()
        if deal:
            inner.facts = frozenset()
        for name in self.mentions.timed["deal" if deal else "trick"] & inner.stored.keys():
            inner.stored[name] = self.atoms.fresh()
        facts, ways = inner.facts, [inner]
        self.frame.blocks.append(ways)
        self.follow(node.body, inner, pc)
        self.frame.blocks.pop()
        end = join(ways, self.atoms)
        end.facts = facts
        changed = self.mentions.changed(node)
        end.stored = {
            name: self.atoms.fresh() if name in changed else key for name, key in env.stored.items()
        }
        end.taints = {w: c for w, c in end.taints.items() if w in env.taints or w == "return"}
        env.become(end)

    def leak(
        self,
        why: str,
        span: Span,
        secrets: Label | Control,
        value: nodes.Expression | None = None,
    ) -> None:
        """Report secrets that are shown by what all, or those named, notice.

        value: what the secrets are from that do not decide whether this is done.
        """
        message = f"this rests on {NAMES}, which not all may see, but {why}"
        self.leaks.error("leak", message, span, secrets, self.control, value=value)


SEES = {
    Audience.ALL: "all may see",
    Audience.OWNER: "its owner may see",
    Audience.TEAM: "the whole team may see",
    Audience.NOBODY: "nobody may see",
}
