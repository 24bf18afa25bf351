"""Flow through statements: follows a rule along all ways of play; reports what it would show."""

from __future__ import annotations

from dataclasses import replace

from trutdsl.ir import nodes
from trutdsl.ir.flow.cards import check_cards
from trutdsl.ir.flow.expressions import holds_seat
from trutdsl.ir.flow.labels import (
    EVERYBODY,
    PUBLIC,
    UNKNOWN,
    Control,
    Movement,
    Reader,
    Shown,
    both,
    hidden_from,
    noted,
    told,
)
from trutdsl.ir.flow.loops import follow_block, follow_for, follow_repeat
from trutdsl.ir.flow.questions import follow_ask
from trutdsl.ir.flow.rule_flow import RuleFlow
from trutdsl.ir.flow.state import Binding, Env, Revealed, join
from trutdsl.syntax.ast import Audience


class Sentences(RuleFlow):
    """Follows sentences of every kind."""

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
                self.leave("return", env)
            case nodes.Stop():
                self.leave(("stop", self.frame.loops[-1]), env)
            case nodes.Next():
                self.leave(("next", self.frame.loops[-1]), env)
            case nodes.Again():
                self.leave(("again", self.frame.asks[-1]), env)
            case nodes.If():
                self._if(node, env, pc)
            case nodes.For():
                follow_for(node, env, pc, self)
            case nodes.Repeat():
                follow_repeat(node, env, pc, self)
            case nodes.DealBlock() | nodes.TrickBlock():
                follow_block(node, env, pc, self)
            case nodes.Setup(_, name, body):
                given = env.copy()
                if name in given.stored:
                    given.stored[name] = self.atoms.fresh()
                self.follow(body, env, pc)
                env.become(join([given, env], self.atoms))
            case nodes.Ask():
                follow_ask(node, env, pc, self)
            case nodes.EndTrick() | nodes.EndDeal() | nodes.EndMatch():
                found_winner = self.values.label(node.winner, env)
                known = found_winner | set(control)
                self.leak("all see how it ends", node.span, known, node.winner)
                for ways in self.frame.blocks:
                    ways.append(env.copy())
                env.dead = True
            case nodes.Reveal():
                self._reveal(node, env)
            case nodes.Announce():
                self._announce(node, env)
            case nodes.Take(_, _, chosen):
                for choice in chosen:
                    self.values.of(choice, env)
                env.dead = True
            case nodes.TakeAny():
                env.dead = True
            case _:
                self.move(check_cards(node, env, control, self.values, self.leaks), env)

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
        if isinstance(target, nodes.Remembered):
            return  # a policy's own, made of what its seat may see
        if holds_seat(target):
            env.stored[target.name] = key
        index, whose = None, PUBLIC
        if target.index is not None:
            where = self.values.of(target.index, env)
            index, whose = where.key, where.label
        readers = self.values.readers(target.name, index)
        variable = self.program.variables.get(target.name)
        who = SEES[variable.audience if variable is not None else Audience.ALL]
        hidden = hidden_from(label, readers)
        self.leak(f"{who} '{target.name}'", node.span, hidden, node.value)
        other = hidden_from(whose - label, readers)
        self.leak(f"{who} '{target.name}'", node.span, other, target.index)

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
        shown = [None] if readers is EVERYBODY else readers or ()
        if isinstance(node.what, nodes.ZoneCards):
            to = frozenset(Shown(node.what.name, reader) for reader in shown)
            self.move(Movement(shown=to), env)
        for reader in shown:
            if index != UNKNOWN and (reader is None or reader.known):
                env.facts |= {Revealed(node.what.name, index, reader)}

    def _announce(self, node: nodes.Announce, env: Env) -> None:
        """Follow what is said: those who hear it notice that, and know from now on what it is."""
        who = self.values.of(node.speaker, env) if node.speaker is not None else None
        hearers = self.values.reached(node.seats, env)
        if who is not None and hearers is not None:
            hearers |= {Reader(False, who.key or UNKNOWN)}
        label = set(self.control) | self.values.label(node.seats, env)
        why = "those who hear it notice that"
        self.leak(why, node.span, hidden_from(label, hearers), node.seats)
        if who is not None:
            self.leak(why, node.span, hidden_from(who.label, hearers), node.speaker)
        self.values.of(node.value, env)
        if isinstance(node.value, nodes.Local):
            held = env.locals[node.value.slot]
            env.locals[node.value.slot] = replace(held, label=told(held.label, hearers))

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


SEES = {
    Audience.ALL: "all may see",
    Audience.OWNER: "its owner may see",
    Audience.TEAM: "the whole team may see",
    Audience.NOBODY: "nobody may see",
}
