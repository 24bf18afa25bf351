"""Flow through statements and questions: follows a rule on all control paths and reports leaks."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.flow.labels import (
    EVERYBODY,
    NO_CONTROL,
    PUBLIC,
    UNKNOWN,
    Control,
    Label,
    Movement,
    PossibleRevelation,
    Reader,
    Readers,
    Secret,
    both,
    hidden_from,
    release,
    team_of,
)
from trutdsl.ir.flow.leaks import CHOSEN, DEEPEST, NAMES, CardFlow, Leaks
from trutdsl.ir.flow.values import Binding, Env, FlowFrame, Revelation, ValueFlow, holds_seat, join
from trutdsl.language import quote_name, say
from trutdsl.syntax.ast import Audience

SEES = {
    Audience.ALL: "all may see",
    Audience.OWNER: "its owner may see",
    Audience.TEAM: "the whole team may see",
    Audience.NOBODY: "nobody may see",
}

TURNS = "this decides how often the statement runs"
HIDDEN = "use only what that seat may see, or write `openly(...)` if the rule makes it known"
_NOTICE = {
    Audience.ALL: "all notice",
    Audience.OWNER: "the asked seat notices",
    Audience.TEAM: "the team notices",
    Audience.NOBODY: "the asked seat notices",
}
QUIETLY = "write `seen by owner` after the question, and `openly` after an option that all notice"


class StatementFlow:
    """Follows the statements of one rule after the other, and reports what seats could notice.

    effects: the names that rules read and change.
    frame:   the rule in progress.
    control: the secrets that decide whether the present statement runs.
    """

    def __init__(
        self, program: nodes.Program, values: ValueFlow, leaks: Leaks, effects: Effects
    ) -> None:
        self.program, self.values, self.leaks = program, values, leaks
        self.atoms, self.effects = values.atoms, effects
        self.frame = FlowFrame()
        self.control: Control = NO_CONTROL

    def follow(self, node: nodes.Statement | nodes.Block, env: Env, pc: Control) -> None:
        """Follow a sentence; `pc` is the control of reaching it, besides `env.taints`."""
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
                    binding = self.values.of(value, env)
                    label = binding.label | set(control)
                    self.frame.result.append(replace(binding, label=label))
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
                self._for(node, env, pc)
            case nodes.Repeat():
                self._repeat(node, env, pc)
            case nodes.DealBlock() | nodes.TrickBlock():
                self._block(node, env, pc)
            case nodes.Setup(_, name, body):
                branch = env.copy()
                if name in branch.stored_keys:
                    branch.stored_keys[name] = self.atoms.fresh()
                self.follow(body, env, pc)
                env.replace_by(join([branch, env], self.atoms))
            case nodes.Ask():
                self.ask(node, env, pc)
            case nodes.EndTrick() | nodes.EndDeal() | nodes.EndMatch():
                label_of_winner = self.values.label(node.winner, env)
                known = label_of_winner | set(control)
                self.leak(say("all see how it ends"), node.span, known, node.winner)
                for ways in self.frame.blocks:
                    ways.append(env.copy())
                env.dead = True
            case nodes.Reveal():
                self._reveal(node, env)
            case nodes.Announce():
                self._announce(node, env)
            case nodes.Take(_, _, choices):
                for choice in choices:
                    self.values.of(choice, env)
                env.dead = True
            case nodes.TakeAny():
                env.dead = True
            case _:
                self.move(CardFlow(env, control, self.values, self.leaks).check(node), env)

    def _assign(self, node: nodes.Assign, env: Env) -> None:
        target, value = node.target, self.values.of(node.value, env)
        if env.dead:
            return
        label = value.label | set(self.control)
        key = value.key if node.op == "=" else self.atoms.fresh()
        if isinstance(target, nodes.Local):
            old = env.locals[target.slot].label if node.op != "=" else PUBLIC
            env.locals[target.slot] = Binding(key, old | label)
            return
        if isinstance(target, nodes.Remembered):
            return  # a policy's own, computed from what its seat may see
        if holds_seat(target):
            env.stored_keys[target.name] = key
        index, whose = None, PUBLIC
        if target.index is not None:
            where = self.values.of(target.index, env)
            index, whose = where.key, where.label
        readers = self.values.readers(target.name, index)
        variable = self.program.variables.get(target.name)
        who = say(SEES[variable.audience if variable is not None else Audience.ALL])
        secrets = hidden_from(label, readers)
        self.leak(f"{who} {quote_name(target.name)}", node.span, secrets, node.value)
        other = hidden_from(whose - label, readers)
        self.leak(f"{who} {quote_name(target.name)}", node.span, other, target.index)

    def _reveal(self, node: nodes.Reveal, env: Env) -> None:
        where = self.values.of(node.what.index, env) if node.what.index is not None else None
        readers = self.values.readers_in(node.seats, env)
        label = self.values.label(node.seats, env) | set(self.control)
        label |= where.label if where is not None else PUBLIC
        self.leak(
            say("the seats that see the cards notice that"),
            node.span,
            hidden_from(label, readers),
            node.seats,
        )
        index = where.key if where is not None else None
        viewers = [None] if readers is EVERYBODY else readers or ()
        if isinstance(node.what, nodes.ZoneCards):
            to = frozenset(PossibleRevelation(node.what.name, reader) for reader in viewers)
            self.move(Movement(revelations=to), env)
        for reader in viewers:
            if index != UNKNOWN and (reader is None or reader.known):
                env.facts |= {Revelation(node.what.name, index, reader)}

    def _announce(self, node: nodes.Announce, env: Env) -> None:
        """Follow an announcement: the seats that hear it know its value from now on."""
        who = self.values.of(node.speaker, env) if node.speaker is not None else None
        seats = node.seats
        match seats:
            case nodes.SetOperation(_, _, "-", several, nodes.SetLiteral(_, _, (one,))):
                same = self.values.of(one, env).key
                if who is not None and same is not None and who.key == same != UNKNOWN:
                    seats = several  # all but the speaker, who hears it, too
        hearers = self.values.readers_in(seats, env)
        if who is not None and hearers is not None:
            hearers |= {Reader(False, who.key or UNKNOWN)}
        label = set(self.control) | self.values.label(node.seats, env)
        why = say("the seats that hear it notice that")
        self.leak(why, node.span, hidden_from(label, hearers), node.seats)
        if who is not None:
            self.leak(why, node.span, hidden_from(who.label, hearers), node.speaker)
        self.values.of(node.value, env)
        if isinstance(node.value, nodes.Local):
            binding = env.locals[node.value.slot]
            env.locals[node.value.slot] = replace(binding, label=release(binding.label, hearers))

    def _if(self, node: nodes.If, env: Env, pc: Control) -> None:
        ways, because = [], self.leaks.because
        why = say("the statement depends on this condition")
        for test, body in node.branches:
            label = self.values.label(test, env)
            pc = both(pc, because(label, why, test.span))
            ways.append(env.copy())
            self.follow(body, ways[-1], pc)
        ways.append(env.copy())
        self.follow(node.otherwise, ways[-1], pc)
        env.replace_by(join(ways, self.atoms))

    def move(self, movement: Movement, env: Env) -> None:
        self.frame.movement |= movement
        env.move(movement)

    def leave(self, what: Hashable, env: Env) -> None:
        """Follow an early exit from a loop, a question or the rule."""
        env.taint(what, self.control)
        self.frame.jumps.setdefault(what, []).append(env.copy())
        env.dead = True

    def _for(self, node: nodes.For, env: Env, pc: Control) -> None:
        values, because = self.values, self.leaks.because
        domain = node.domain
        items = values.label(domain.items, env)
        team = values.team_of_all(domain.items, env)
        label = items | values.label(domain.last, env) | values.label(domain.start, env)
        if isinstance(domain.items, nodes.ZoneCards) and domain.where is None:
            label = values.label(domain.items.index, env)  # all see the number of cards
        pick = _picked_value(domain, env)
        if pick is not None and pick.count_label is not None:
            label = pick.count_label

        # The elements of the loop were read before its turns, as if they had a name.
        items_slot = ~node.slot
        in_turn = isinstance(domain.items, nodes.ZoneCards)
        env.locals[items_slot] = Binding(self.atoms.fresh(), items, in_turn=in_turn)

        def turn(state: Env) -> Control:
            binding = state.locals[items_slot]
            _, where = values.bind_element(domain, node.slot, binding.label, team, state)
            element = state.locals[node.slot]
            state.locals[node.slot] = replace(
                element, picked=pick is not None, in_turn=binding.in_turn
            )
            span = domain.where.span if domain.where is not None else domain.span
            return both(because(label, TURNS, domain.items.span), because(where, TURNS, span))

        self._turns(node, turn, env, pc)
        del env.locals[items_slot]

    def _repeat(self, node: nodes.Repeat, env: Env, pc: Control) -> None:
        values, because = self.values, self.leaks.because
        times = values.label(node.times, env)
        span = node.condition.span if node.condition is not None else node.times.span

        def turn(state: Env) -> Control:
            test = values.label(node.condition, state)
            return both(because(times, TURNS, node.times.span), because(test, TURNS, span))

        self._turns(node, turn, env, pc)

    def _turns(
        self, node: nodes.For | nodes.Repeat, turn: Callable[[Env], Control], env: Env, pc: Control
    ) -> None:
        """Follow a loop until the state at its head covers each further turn.

        turn: binds the names of a turn; returns the control of whether there is one.
        """
        stop, next_ = ("stop", id(node)), ("next", id(node))
        if self.frame.depth >= DEEPEST:
            self.leaks.too_deep(node.span)
            return
        entry = env
        self.frame.loops.append(id(node))
        while True:
            mark, state = self.atoms.count, entry.with_new_keys(self.atoms)
            decides = turn(state)
            exit_state = state.copy()
            self.follow(node.body, state, both(pc, decides))
            jumps = self.frame.jumps
            end = join([state, *jumps.pop(next_, [])], self.atoms)
            ways = join([exit_state, *jumps.pop(stop, [])], self.atoms)
            end.taints.pop(next_, None)
            old, entry = entry, entry.widen(end, mark)
            if entry == old:
                break
        self.frame.loops.pop()
        ways.taints.pop(stop, None)
        ways.taints.pop(next_, None)
        env.replace_by(ways)

    def _block(self, node: nodes.DealBlock | nodes.TrickBlock, env: Env, pc: Control) -> None:
        """Follow a deal or trick, which any sentence in it, or a called rule, may end."""
        what = "deal" if isinstance(node, nodes.DealBlock) else "trick"
        self.leak(say("all see that a {what} begins", what=what), node.span, self.control)
        inner = env.copy()
        if what == "deal":
            inner.facts, inner.revelations = frozenset(), frozenset()
        for name in sorted(self.effects.starting(what) & inner.stored_keys.keys()):
            inner.stored_keys[name] = self.atoms.fresh()
        facts, ways = inner.facts, [inner]
        self.frame.blocks.append(ways)
        self.follow(node.body, inner, pc)
        self.frame.blocks.pop()
        end = join(ways, self.atoms)
        end.facts = facts
        writes = self.effects.writes_of(node)
        end.stored_keys = {
            name: self.atoms.fresh() if name in writes else key
            for name, key in env.stored_keys.items()
        }
        end.taints = {w: c for w, c in end.taints.items() if w in env.taints or w == "return"}
        env.replace_by(end)

    def leak(
        self,
        why: str,
        span: Span,
        secrets: Label | Control,
        value: nodes.Expression | None = None,
        help_: str | None = None,
    ) -> None:
        """Report secrets that become visible to all seats, or to those named.

        value: the source of the secrets that do not belong to the control.
        """
        message = say(
            "this depends on {names}, which not all seats may see, but {why}", names=NAMES, why=why
        )
        self.leaks.error("leak", message, span, secrets, self.control, help_, value)

    def ask(self, node: nodes.Ask, env: Env, pc: Control) -> None:
        """Follow a question, repeated by `again`, until its state no longer changes."""
        if self.frame.depth >= DEEPEST:
            self.leaks.too_deep(node.span)
            return
        values, atoms, frame = self.values, self.atoms, self.frame
        binding = values.of(node.seat, env)
        seat = Reader(False, binding.key or UNKNOWN)
        jump, entry = ("again", id(node)), env
        frame.asks.append(id(node))
        while True:
            mark, state = atoms.count, entry.with_new_keys(atoms)
            self.control = both(pc, *state.taints.values())
            if binding.label or self.control:
                self.leaks.secret_questions.add(id(node))
            secrets = hidden_from(binding.label | set(self.control), _noticing(node, seat))
            text = "{notice} that '{decision}' is asked"
            self.leak(
                say(text, notice=say(_NOTICE[node.audience]), decision=node.decision),
                node.span,
                secrets,
                node.seat,
                None if hidden_from(secrets, frozenset({seat})) else say(QUIETLY),
            )
            ways = [state.copy() for _ in node.options]
            for option, way in zip(node.options, ways, strict=True):
                self._option(option, node, seat, way, pc)
            repeats = frame.jumps.pop(jump, [])
            if not repeats:
                break
            old, entry = entry, entry.widen(join(repeats, atoms), mark)
            if entry == old:
                break
        frame.asks.pop()
        end = join(ways, atoms)
        end.taints.pop(jump, None)
        env.replace_by(end)

    def _option(
        self, option: nodes.Option, question: nodes.Ask, seat: Reader, env: Env, pc: Control
    ) -> None:
        values = self.values
        for binder in option.binders:
            label = values.label(binder.items, env) | values.label(binder.last, env)
            self._legality(binder.items.span, label, seat, option, question)
            key = values.atoms.fresh(values.team_of_all(binder.items, env))
            env.locals[binder.slot] = Binding(key, label)
        if option.condition is not None:
            label = values.label(option.condition, env)
            self._legality(option.condition.span, label, seat, option, question)
        choice: Label = PUBLIC
        if question.audience is not Audience.ALL and not option.openly:
            team = question.audience is Audience.TEAM
            owner = Reader(True, team_of(seat.key)) if team else seat
            choice = frozenset({Secret(question.decision, owner)})
        for binder in option.binders:
            how_many: Label | None = None
            if isinstance(binder.items, nodes.Hands) and binder.items.last is None:
                how_many = values.label(binder.items.size, env)
            env.locals[binder.slot] = Binding(env.locals[binder.slot].key, choice, True, how_many)
        taints = dict(env.taints)
        if option.openly:
            # All notice that this runs, and with it all its reasons that the seat may see.
            pc = _without(pc, seat)
            env.taints = {what: _without(control, seat) for what, control in taints.items()}
        elif len(question.options) > 1:
            # With one option the same sentences run for every choice, so only the choice is secret.
            pc = both(pc, self.leaks.because(choice, CHOSEN, option.span))
        self.follow(option.body, env, pc)
        for what, control in taints.items():
            env.taint(what, control)

    def _legality(
        self, span: Span, label: Label, seat: Reader, option: nodes.Option, question: nodes.Ask
    ) -> None:
        text = (
            "whether '{names}' is allowed depends on {secrets}, which the seat asked "
            "for '{decision}' may not see"
        )
        message = say(text, names=" ".join(option.words), secrets=NAMES, decision=question.decision)
        self.leaks.error(
            "hidden", message, span, hidden_from(label, frozenset({seat})), NO_CONTROL, HIDDEN
        )


def _noticing(node: nodes.Ask, seat: Reader) -> Readers:
    match node.audience:
        case Audience.ALL:
            return EVERYBODY
        case Audience.TEAM:
            return frozenset({Reader(True, team_of(seat.key))})
        case Audience.OWNER | Audience.NOBODY:
            return frozenset({seat})


def _without(control: Control, seat: Reader) -> Control:
    return {secret: some for secret, some in control.items() if not secret.known_to(seat)}


def _picked_value(domain: nodes.Domain, env: Env) -> Binding | None:
    """Return the abstract value of cards that a seat has just picked, in a loop through them."""
    if not isinstance(domain.items, nodes.Local) or domain.where is not None:
        return None
    binding = env.locals.get(domain.items.slot)
    return binding if binding is not None and binding.picked else None
