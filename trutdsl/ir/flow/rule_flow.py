"""The rule that is followed: how it is left, and what the flow of its sentences asks for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from trutdsl.diagnostics import Collector, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.builtins import SHOW
from trutdsl.ir.effects import Effects
from trutdsl.ir.flow.expressions import ValueFlow
from trutdsl.ir.flow.labels import NO_CONTROL, NO_MOVEMENT, Control, Label, Movement, Secret
from trutdsl.ir.flow.state import Binding, Env
from trutdsl.ir.walk import walk

# Leaks as diagnostics: each mistake is told once and as a whole.

NAMES = "\0"  # stands in a message for the names of the secrets
OPENLY = "write `openly(...)` around it if the rule makes it known"
CHOSEN = "this is done only if it is chosen"

LONGEST_SHOWN = 60


@dataclass
class _Leak:
    place: str | None
    help: str | None
    value: nodes.Expression | None
    by_value: bool = False
    given: bool = False  # the value is what a rule is given, where it is given
    names: set[str] = field(default_factory=set)
    notes: dict[Note, None] = field(default_factory=dict)


class Leaks:
    """What was found.

    place: the rule that is being looked at.
    calls: the rules around the present sentence as they are done, with the labels of what each is
           given; the outermost first.
    secret_questions: the ids of questions that a secret decides: whether they are asked, or whom.
    """

    def __init__(self) -> None:
        self.place: str | None = None
        self.calls: list[tuple[nodes.Do, Sequence[Label]]] = []
        self.found: dict[tuple[str, str, Span], _Leak] = {}
        self.deep: dict[tuple[Span, int], str | None] = {}
        self.secret_questions: set[int] = set()

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        secrets: Iterable[Secret],
        control: Control,
        help: str | None = None,
        value: nodes.Expression | None = None,
    ) -> None:
        """Note a mistake, if there are any secrets; its message has `NAMES` where theirs stand.

        value: what those secrets are from that do not decide whether this is done.
        help:  what to write instead; by default `openly(...)` around the value or condition.
        """
        for secret in secrets:
            leak = self.found.setdefault((code, message, span), _Leak(self.place, help, value))
            leak.names.add(f"'{secret.name}'")
            note = control.get(secret)
            leak.by_value |= note is None
            if note is None and value is not None and (given := self._given(value, secret)):
                leak.value, leak.given = given, True
                leak.notes[Note("it is given to the rule here", given.span)] = None
            if note is not None and note.span != span:
                leak.notes[note] = None

    def _given(self, value: nodes.Expression, secret: Secret) -> nodes.Expression | None:
        """Return what a rule is given that a secret comes from, where that is worked out."""
        found = None
        for do, labels in reversed(self.calls):
            slots = {node.slot for node in walk(found or value) if isinstance(node, nodes.Local)}
            args = enumerate(zip(do.args, labels, strict=True))
            one = next((a for n, (a, of) in args if n in slots and secret in of), None)
            if one is None:
                break
            found = one
        return found

    def too_deep(self, span: Span, most: int) -> None:
        """Note a loop or question that stands in too many others to be followed."""
        self.deep.setdefault((span, most), self.place)

    def report(self, errors: Collector) -> None:
        """Report all that was noted."""
        for (code, message, span), leak in self.found.items():
            errors.place = leak.place
            *others, last = sorted(leak.names)
            names = ", ".join(others) + " and " + last if others else last
            notes = sorted(leak.notes, key=lambda note: str(note.span))
            text = leak.help or _how_to_say_so(leak, notes)
            errors.error(code, message.replace(NAMES, names), span, *notes[:3], help=text)
        for (span, most), place in self.deep.items():
            errors.place = place
            errors.error(
                "too-deep",
                f"more than {most} loops and questions stand in each other here",
                span,
                help="make the inner ones a rule of their own",
            )
        errors.place = None


def _how_to_say_so(leak: _Leak, notes: list[Note]) -> str:
    """Return where `openly` has to stand if the rule makes the secrets known."""
    conditions = [note for note in notes if note.message != CHOSEN and note.span is not None]
    options = [note for note in notes if note.message == CHOSEN and note.span is not None]
    if leak.by_value and leak.value is not None:
        if isinstance(leak.value, nodes.Builtin) and leak.value.name in ("top", "bottom"):
            return SHOW
        text = _shown(leak.value.span, "the value")
        where = f" at line {leak.value.span.line}" if leak.given else ""
        return f"write {text}{where} if the rule makes it known"
    if conditions and conditions[0].span is not None:
        span = conditions[0].span
        text = _shown(span, "the condition")
        return f"write {text} at line {span.line} if the rule makes it known"
    if options and options[0].span is not None:
        line = options[0].span.line
        return f"write `openly` after the option at line {line} if all may know that it is chosen"
    return OPENLY


def _shown(span: Span, what: str) -> str:
    text = span.text
    return f"`openly({text})`" if 0 < len(text) <= LONGEST_SHOWN else f"`openly(...)` around {what}"


DEEPEST = 6  # each may be followed several times for each time that those around it are


@dataclass
class FlowFrame:
    """A rule that is being looked at.

    jumps:  what is left early (the rule, a loop's turn, ...) -> the ways that leave it.
    blocks: for each deal and trick around, the ways that may end it.
    movement: where cards were moved, whichever way led there.
    """

    result: list[Binding] = field(default_factory=list)
    jumps: dict[Hashable, list[Env]] = field(default_factory=dict)
    loops: list[int] = field(default_factory=list)
    asks: list[int] = field(default_factory=list)
    blocks: list[list[Env]] = field(default_factory=list)
    movement: Movement = NO_MOVEMENT

    @property
    def depth(self) -> int:
        """How many loops and questions are around the present sentence."""
        return len(self.loops) + len(self.asks)


class RuleFlow(ABC):
    """Follows the sentences of one rule after the other.

    effects: what rules look at and change.
    frame:   the rule that is being looked at.
    control: what decides whether the present sentence is done.
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
        """Follow a sentence; `pc` is what decides that it is come to, besides `env.taints`."""

    def move(self, movement: Movement, env: Env) -> None:
        self.frame.movement |= movement
        env.move(movement)

    def leave(self, what: Hashable, env: Env) -> None:
        """Follow the way that leaves a loop, a question or the rule early."""
        env.taint(what, self.control)
        self.frame.jumps.setdefault(what, []).append(env.copy())
        env.dead = True

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
