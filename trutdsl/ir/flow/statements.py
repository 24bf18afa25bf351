"""Flow through statements: follows a rule along all control paths and reports leaks."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.flow.labels import (
    EVERYBODY,
    NO_CONTROL,
    NO_MOVEMENT,
    PUBLIC,
    UNKNOWN,
    Atoms,
    Control,
    Label,
    Movement,
    PossibleRevelation,
    Reader,
    Readers,
    Secret,
    both,
    hidden_from,
    notes,
    release,
    team_of,
)
from trutdsl.ir.flow.leaks import CHOSEN, NAMES, Leaks, check_cards
from trutdsl.ir.flow.values import Binding, Env, Revelation, ValueFlow, holds_seat, join
from trutdsl.language import quoted, say
from trutdsl.syntax.ast import Audience

DEEPEST = 6  # nested loops and questions; each level multiplies the time of the check


@dataclass
class FlowFrame:
    """A rule during its check.

    jumps:  exit (from the rule, a loop's turn, ...) -> the states that take it.
    blocks: for each enclosing deal and trick, the states that may end it.
    movement: where cards were moved, on any path.
    """

    result: list[Binding] = field(default_factory=list)
    jumps: dict[Hashable, list[Env]] = field(default_factory=dict)
    loops: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    blocks: list[list[Env]] = field(default_factory=list)
    movement: Movement = NO_MOVEMENT

    @property
    def depth(self) -> int:
        """The number of loops and questions around the present sentence."""
        return len(self.loops) + len(self.asks)

    def result_value(self, atoms: Atoms) -> Binding:
        """Return the abstract value of the rule's result."""
        keys = {r.key for r in self.result}
        same = len(keys) == 1 and not keys & {None, UNKNOWN}
        label = PUBLIC.union(*(r.label for r in self.result))
        return Binding(keys.pop() if same else atoms.fresh(), label)


SEES = {
    Audience.ALL: "all may see",
    Audience.OWNER: "its owner may see",
    Audience.TEAM: "the whole team may see",
    Audience.NOBODY: "nobody may see",
}

HIDDEN = "use only what that seat may see, or write `openly(...)` if the rule makes it known"
_NOTICE = {
    Audience.ALL: "all notice",
    Audience.OWNER: "the asked seat notices",
    Audience.TEAM: "the team notices",
    Audience.NOBODY: "the asked seat notices",
}
QUIETLY = "write `seen by owner` after the question, and `openly` after an option that all notice"
TURNS = "this decides how often the statement runs"


class StatementFlow:
    """Follows the statements of one rule after the other.

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
                env.replace_by(join([given, env], self.atoms))
            case nodes.Ask():
                self._ask(node, env, pc)
            case nodes.EndTrick() | nodes.EndDeal() | nodes.EndMatch():
                found_winner = self.values.label(node.winner, env)
                known = found_winner | set(control)
                self.leak(say("all see how it ends"), node.span, known, node.winner)
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
            return  # a policy's own, computed from what its seat may see
        if holds_seat(target):
            env.stored[target.name] = key
        index, whose = None, PUBLIC
        if target.index is not None:
            where = self.values.of(target.index, env)
            index, whose = where.key, where.label
        readers = self.values.readers(target.name, index)
        variable = self.program.variables.get(target.name)
        who = say(SEES[variable.audience if variable is not None else Audience.ALL])
        hidden = hidden_from(label, readers)
        self.leak(f"{who} {quoted(target.name)}", node.span, hidden, node.value)
        other = hidden_from(whose - label, readers)
        self.leak(f"{who} {quoted(target.name)}", node.span, other, target.index)

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
        shown = [None] if readers is EVERYBODY else readers or ()
        if isinstance(node.what, nodes.ZoneCards):
            to = frozenset(PossibleRevelation(node.what.name, reader) for reader in shown)
            self.move(Movement(shown=to), env)
        for reader in shown:
            if index != UNKNOWN and (reader is None or reader.known):
                env.facts |= {Revelation(node.what.name, index, reader)}

    def _announce(self, node: nodes.Announce, env: Env) -> None:
        """Follow an announcement: the seats that hear it know its value from now on."""
        who = self.values.of(node.speaker, env) if node.speaker is not None else None
        hearers = self.values.readers_in(node.seats, env)
        if who is not None and hearers is not None:
            hearers |= {Reader(False, who.key or UNKNOWN)}
        label = set(self.control) | self.values.label(node.seats, env)
        why = say("the seats that hear it notice that")
        self.leak(why, node.span, hidden_from(label, hearers), node.seats)
        if who is not None:
            self.leak(why, node.span, hidden_from(who.label, hearers), node.speaker)
        self.values.of(node.value, env)
        if isinstance(node.value, nodes.Local):
            held = env.locals[node.value.slot]
            env.locals[node.value.slot] = replace(held, label=release(held.label, hearers))

    def _if(self, node: nodes.If, env: Env, pc: Control) -> None:
        ways = []
        for test, body in node.branches:
            found = self.values.label(test, env)
            pc = both(pc, notes(found, say("the statement depends on this condition"), test.span))
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

    def _ask(self, node: nodes.Ask, env: Env, pc: Control) -> None:
        """Follow a question, repeated by `again`, until its state no longer changes."""
        if self.frame.depth >= DEEPEST:
            self.leaks.too_deep(node.span, DEEPEST)
            return
        values, atoms, frame = self.values, self.atoms, self.frame
        asked = values.of(node.seat, env)
        seat = Reader(False, asked.key or UNKNOWN)
        again, entry = ("again", id(node)), env
        frame.asks.append(id(node))
        while True:
            mark, state = atoms.count, entry.with_new_keys(atoms)
            self.control = both(pc, *state.taints.values())
            if asked.label or self.control:
                self.leaks.secret_questions.add(id(node))
            secrets = hidden_from(asked.label | set(self.control), _noticing(node, seat))
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
            asked_again = frame.jumps.pop(again, [])
            if not asked_again:
                break
            before, entry = entry, entry.widen(join(asked_again, atoms), mark)
            if entry == before:
                break
        frame.asks.pop()
        end = join(ways, atoms)
        end.taints.pop(again, None)
        env.replace_by(end)

    def _option(
        self, option: nodes.Option, question: nodes.Ask, seat: Reader, env: Env, pc: Control
    ) -> None:
        values = self.values
        for binder in option.binders:
            found = values.label(binder.items, env) | values.label(binder.last, env)
            self._legality(binder.items.span, found, seat, option, question)
            key = values.atoms.fresh(values.team_of_all(binder.items, env))
            env.locals[binder.slot] = Binding(key, found)
        if option.condition is not None:
            found = values.label(option.condition, env)
            self._legality(option.condition.span, found, seat, option, question)
        chosen: Label = PUBLIC
        if question.audience is not Audience.ALL and not option.openly:
            team = question.audience is Audience.TEAM
            owner = Reader(True, team_of(seat.key)) if team else seat
            chosen = frozenset({Secret(question.decision, owner, chosen=True)})
        for binder in option.binders:
            how_many: Label | None = None
            if isinstance(binder.items, nodes.Hands) and binder.items.last is None:
                how_many = values.label(binder.items.size, env)
            env.locals[binder.slot] = Binding(env.locals[binder.slot].key, chosen, True, how_many)
        taints = dict(env.taints)
        if option.openly:
            # All notice that this runs, and with it all its reasons that the seat may see.
            pc = _without(pc, seat)
            env.taints = {what: _without(control, seat) for what, control in taints.items()}
        elif len(question.options) > 1:
            # With one option the same sentences run for every choice, so only the choice is secret.
            pc = both(pc, notes(chosen, CHOSEN, option.span))
        self.follow(option.body, env, pc)
        for what, control in taints.items():
            env.taint(what, control)

    def _legality(
        self, span: Span, found: Label, seat: Reader, option: nodes.Option, question: nodes.Ask
    ) -> None:
        text = (
            "whether '{names}' is allowed depends on {secrets}, which the seat asked "
            "for '{decision}' may not see"
        )
        message = say(text, names=" ".join(option.words), secrets=NAMES, decision=question.decision)
        self.leaks.error(
            "hidden", message, span, hidden_from(found, frozenset({seat})), NO_CONTROL, HIDDEN
        )

    def _for(self, node: nodes.For, env: Env, pc: Control) -> None:
        values = self.values
        domain = node.domain
        items = values.label(domain.items, env)
        team = values.team_of_all(domain.items, env)
        given = items | values.label(domain.last, env) | values.label(domain.start, env)
        if isinstance(domain.items, nodes.ZoneCards) and domain.where is None:
            given = values.label(domain.items.index, env)  # all see the number of cards
        picked = _picked_value(domain, env)
        if picked is not None and picked.counted is not None:
            given = picked.counted

        # The elements of the loop were read before its turns, as if they had a name.
        through = ~node.slot
        in_turn = isinstance(domain.items, nodes.ZoneCards)
        env.locals[through] = Binding(self.atoms.fresh(), items, in_turn=in_turn)

        def turn(state: Env) -> Control:
            now = state.locals[through]
            _, where = values.bind_element(domain, node.slot, now.label, team, state)
            element = state.locals[node.slot]
            state.locals[node.slot] = replace(
                element, picked=picked is not None, in_turn=now.in_turn
            )
            behind = domain.where.span if domain.where is not None else domain.span
            return both(notes(given, TURNS, domain.items.span), notes(where, TURNS, behind))

        self._turns(node, turn, env, pc)
        del env.locals[through]

    def _repeat(self, node: nodes.Repeat, env: Env, pc: Control) -> None:
        values = self.values
        times = values.label(node.times, env)
        span = node.condition.span if node.condition is not None else node.times.span

        def turn(state: Env) -> Control:
            test = values.label(node.condition, state)
            return both(notes(times, TURNS, node.times.span), notes(test, TURNS, span))

        self._turns(node, turn, env, pc)

    def _turns(
        self, node: nodes.For | nodes.Repeat, turn: Callable[[Env], Control], env: Env, pc: Control
    ) -> None:
        """Follow a loop until the state at its head covers each further turn.

        turn: binds the names of a turn; returns the control of whether there is one.
        """
        stop, next_ = ("stop", id(node)), ("next", id(node))
        if self.frame.depth >= DEEPEST:
            self.leaks.too_deep(node.span, DEEPEST)
            return
        entry = env
        self.frame.loops.append(id(node))
        while True:
            mark, state = self.atoms.count, entry.with_new_keys(self.atoms)
            decides = turn(state)
            leaving = state.copy()
            self.follow(node.body, state, both(pc, decides))
            jumps = self.frame.jumps
            back = join([state, *jumps.pop(next_, [])], self.atoms)
            ways = join([leaving, *jumps.pop(stop, [])], self.atoms)
            back.taints.pop(next_, None)
            before, entry = entry, entry.widen(back, mark)
            if entry == before:
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
            inner.facts, inner.shown = frozenset(), frozenset()
        for name in sorted(self.effects.starting(what) & inner.stored.keys()):
            inner.stored[name] = self.atoms.fresh()
        facts, ways = inner.facts, [inner]
        self.frame.blocks.append(ways)
        self.follow(node.body, inner, pc)
        self.frame.blocks.pop()
        end = join(ways, self.atoms)
        end.facts = facts
        changed = self.effects.writes_of(node)
        end.stored = {
            name: self.atoms.fresh() if name in changed else key for name, key in env.stored.items()
        }
        end.taints = {w: c for w, c in end.taints.items() if w in env.taints or w == "return"}
        env.replace_by(end)


def _noticing(node: nodes.Ask, seat: Reader) -> Readers:
    match node.audience:
        case Audience.ALL:
            return EVERYBODY
        case Audience.TEAM:
            return frozenset({Reader(True, team_of(seat.key))})
        case Audience.OWNER | Audience.NOBODY:
            return frozenset({seat})


def _without(control: Control, seat: Reader) -> Control:
    return {secret: note for secret, note in control.items() if not secret.known_to(seat)}


def _picked_value(domain: nodes.Domain, env: Env) -> Binding | None:
    """Return the abstract value of cards that a seat has just picked, in a loop through them."""
    if not isinstance(domain.items, nodes.Local) or domain.where is not None:
        return None
    binding = env.locals.get(domain.items.slot)
    return binding if binding is not None and binding.picked else None
