"""Flow through questions: who notices them, what seats may choose, and what the others learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field

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
    Reader,
    Readers,
    Secret,
    both,
    hidden_from,
    notes,
    team_of,
)
from trutdsl.ir.flow.leaks import CHOSEN, NAMES, Leaks
from trutdsl.ir.flow.values import Binding, Env, ValueFlow, join
from trutdsl.language import say
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


HIDDEN = "use only what that seat may see, or write `openly(...)` if the rule makes it known"
_NOTICE = {
    Audience.ALL: "all notice",
    Audience.OWNER: "the asked seat notices",
    Audience.TEAM: "the team notices",
    Audience.NOBODY: "the asked seat notices",
}
QUIETLY = "write `seen by owner` after the question, and `openly` after an option that all notice"


class QuestionFlow(ABC):
    """Follows questions, and reports what seats could notice.

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

    @abstractmethod
    def follow(self, node: nodes.Statement | nodes.Block, env: Env, pc: Control) -> None:
        """Follow a sentence; `pc` is the control of reaching it, besides `env.taints`."""

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
            self.leaks.too_deep(node.span, DEEPEST)
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
            choice = frozenset({Secret(question.decision, owner, chosen=True)})
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
            pc = both(pc, notes(choice, CHOSEN, option.span))
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
