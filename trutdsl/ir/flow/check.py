"""Information-flow check: nobody can learn from the rules what their seat may not see.

Every value carries the secrets that it depends on. A secret is a zone or variable that not all
seats may see, with its owner, or a choice that not all seats saw. A statement under a secret
condition carries that secret, too. The check refuses three things:
- an option whose legality depends on a secret of another seat than the asked one;
- a secret that is stored where more seats may see it;
- an event that other seats notice (a question, the size of a zone, ...), if a secret decides it.

The function `openly(x)` declares that the rule makes x known.

The check assumes that a seat sees its places all the time. It assumes that `reveal` shows a place,
with all cards that come there, until the deal ends. A failure at run time counts as revealing
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from trutdsl.diagnostics import MOST_SHOWN, Collector, Source
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects, Names
from trutdsl.ir.flow.labels import (
    NO_CONTROL,
    NO_MOVEMENT,
    UNKNOWN,
    Atom,
    Atoms,
    Control,
    Key,
    KeyHolder,
    Movement,
    PossibleRevelation,
    SeatOffset,
    TeamOf,
    field_values,
    map_key,
    map_keys,
)
from trutdsl.ir.flow.leaks import Leaks
from trutdsl.ir.flow.statements import SEES, StatementFlow
from trutdsl.ir.flow.values import (
    Binding,
    Env,
    FlowFrame,
    Revelation,
    ValueFlow,
    join,
    seat_variables,
)
from trutdsl.ir.nodes import questions_of
from trutdsl.language import say
from trutdsl.syntax.ast import Audience

# Procedure summaries: outcomes are stored, so a rule is checked once for each situation.
#
# Two situations are the same if they differ only in the numbers of their keys. A rule with very
# many situations is checked in one that covers all of them.

MOST_SITUATIONS = 60


@dataclass(frozen=True)
class Situation(KeyHolder):
    """All inputs of the check of a rule or function."""

    args: tuple[Binding, ...]
    stored_keys: tuple[tuple[str, Key], ...]
    control: Control
    facts: frozenset[Revelation]
    revelations: frozenset[PossibleRevelation] = frozenset()


@dataclass(frozen=True)
class FlowOutcome(KeyHolder):
    """The result of the check of a rule.

    dead:     it never returns.
    movement: where it may have moved cards, and to whom it may have revealed them.
    """

    result: Binding
    stored_keys: tuple[tuple[str, Key], ...]
    facts: frozenset[Revelation]
    dead: bool = False
    movement: Movement = NO_MOVEMENT


Check = Callable[[Situation], FlowOutcome]


@dataclass
class Numbering:
    """Numbers for atoms in the order of their first occurrence."""

    numbers: dict[int, int] = field(default_factory=dict)

    def __call__(self, number: int) -> int:
        """Return the number of an atom; a new one gets the next number."""
        return self.numbers.setdefault(number, len(self.numbers) + 1)

    def peek(self, number: int) -> int:
        """Return the number of an atom, or the one number for all atoms without any."""
        return self.numbers.get(number, 10**6)


class SummaryCache:
    """The outcomes found so far."""

    def __init__(self, atoms: Atoms, leaks: Leaks) -> None:
        self.atoms, self.leaks = atoms, leaks
        self.checks = 0
        self.outcomes: dict[Hashable, FlowOutcome] = {}
        self.leaking: dict[Hashable, int] = {}  # how often each may be checked again
        self.situation_counts: dict[Hashable, int] = {}
        self.widest: dict[Hashable, Situation] = {}

    def outcome(self, what: Hashable, situation: Situation, check: Check) -> FlowOutcome:
        """Return the outcome of a rule or function in this situation."""
        numbering = Numbering()
        case = (what, canonical(situation, numbering))
        if self.leaking.get(case):  # each call with a leak is reported
            self.leaking[case] -= 1
            return check(situation)
        if case not in self.outcomes:
            self.situation_counts[what] = self.situation_counts.get(what, 0) + 1
            if self.situation_counts[what] > MOST_SITUATIONS:
                return self._widest(what, situation, check)
            self.checks += 1
            count = self.leaks.count
            result = check(situation)
            if self.leaks.count > count:
                self.leaking[case] = MOST_SHOWN
            self.outcomes[case] = map_keys(result, numbering)
            return result
        originals = {new: old for old, new in numbering.numbers.items()}
        return map_keys(self.outcomes[case], lambda number: self._original(originals, number))

    def _original(self, originals: dict[int, int], number: int) -> int:
        """Return the number that a canonical one stands for."""
        if number not in originals:
            originals[number] = self.atoms.fresh().number
        return originals[number]

    def _widest(self, what: Hashable, situation: Situation, check: Check) -> FlowOutcome:
        """Check a situation that covers this one and all earlier ones of the rule."""
        unknown: Callable[[int], int] = lambda _number: 0  # noqa: E731
        old = self.widest.get(what)
        labels = [map_keys(a.label, unknown) for a in situation.args]
        control = map_keys(situation.control, unknown)
        revelations = map_keys(situation.revelations, unknown)
        if old is not None:
            labels = [a | b.label for a, b in zip(labels, old.args, strict=True)]
            control = {**control, **old.control}
            revelations |= old.revelations
        if (
            old is None
            or [b.label for b in old.args] != labels
            or control.keys() != old.control.keys()
            or revelations != old.revelations
        ):
            keys = tuple((name, self.atoms.fresh()) for name, _ in situation.stored_keys)
            args = tuple(Binding(self.atoms.fresh(), label) for label in labels)
            wide = Situation(args, keys, control, frozenset(), revelations)
            self.widest[what] = wide
            self.checks += 1
            self.outcomes[what, "widest"] = check(wide)
        originals: dict[int, int] = {}
        widest = self.outcomes[what, "widest"]
        return map_keys(widest, lambda number: self._original(originals, number))


def canonical(value: object, number: Numbering) -> Hashable:
    """Return a value that is equal for two values if they differ only in the numbers of their keys.

    It consists of every field of every data class in the value; see `KeyHolder`. Notes are left
    out, because they only affect the text of messages.
    """
    match value:
        case Atom() | SeatOffset() | TeamOf():
            return map_key(value, number)
        case KeyHolder():
            return tuple(canonical(one, number) for one in field_values(value).values())
        case frozenset():
            items = sorted(value, key=lambda one: repr(map_keys(one, number.peek)))
            return frozenset(canonical(one, number) for one in items)
        case tuple():
            return tuple(canonical(one, number) for one in value)
        case Mapping():
            return canonical(frozenset(value), number)
        case None | bool() | int() | str():
            return value
    raise TypeError(f"no key can be made of {value!r}")


def check_visibility(
    program: nodes.Program, errors: Collector, files: Sequence[Source] = ()
) -> int:
    """Report every leak that a match could have; return the number of rules that were checked.

    files: those of the variant, bases first.
    """
    checker = _Checker(program)
    checker.match()
    checker.leaks.report(errors, files)
    return checker.memo.checks


def find_secret_questions(program: nodes.Program) -> frozenset[int]:
    """Return the numbers of questions that some seats cannot notice."""
    checker = _Checker(program)
    checker.match()
    result = checker.leaks.secret_questions
    return frozenset(n for n, ask in enumerate(questions_of(program)) if id(ask) in result)


class _Checker:
    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.leaks, self.atoms = Leaks(), Atoms()
        self.memo, self.effects = SummaryCache(self.atoms, self.leaks), Effects(program)
        self.values = ValueFlow(program, self.atoms, self._perform)
        self.sentences = StatementFlow(program, self.values, self.leaks, self.effects)

    def match(self) -> None:
        env = Env({}, {name: self.atoms.fresh() for name in seat_variables(self.program)})
        for variable in self.program.variables.values():
            self.leaks.place = say("variable '{variable}'", variable=variable.name)
            label = self.values.label(variable.initial, env)
            if variable.audience is not Audience.NOBODY:
                why = f"{say(SEES[variable.audience])} '{variable.name}'"
                self.sentences.leak(why, variable.initial.span, label)
        keys = tuple((name, key or UNKNOWN) for name, key in sorted(env.stored_keys.items()))
        self._rule(self.program.rules["match"], Situation((), keys, NO_CONTROL, env.facts))

    def _perform(self, node: nodes.Do | nodes.Call, args: list[Binding], env: Env) -> Binding:
        """Check a rule or function with these arguments; return its result's abstract value."""
        names = self._rests_on(node)
        control = self.sentences.control if isinstance(node, nodes.Do) else NO_CONTROL
        situation = Situation(
            tuple(args),
            tuple((n, key or UNKNOWN) for n, key in sorted(env.stored_keys.items()) if n in names),
            control,
            frozenset(f for f in env.facts if f.name in names),
            frozenset(s for s in env.revelations if s.name in self.effects.writes_of(node)),
        )
        if isinstance(node, nodes.Do):
            rule = self.program.rules[node.rule]
            self.leaks.calls.append((node, [arg.label for arg in args]))
            self.leaks.places |= {arg.span: self.leaks.place for arg in node.args}
            outcome = self.memo.outcome(rule.name, situation, lambda s: self._rule(rule, s))
            self.leaks.calls.pop()
            self.sentences.move(outcome.movement, env)
            for ways in self.sentences.frame.blocks:
                ways.append(env.copy())
            env.stored_keys |= outcome.stored_keys
            # Only a deal removes facts, and a rule with a deal depends on every place.
            env.facts = (env.facts - situation.facts) | outcome.facts
            env.dead |= outcome.dead
            return outcome.result
        function = self.program.functions[node.function]
        return self.memo.outcome(
            (function.name, "define"), situation, lambda s: self._function(function, s)
        ).result

    def _rests_on(self, node: nodes.Do | nodes.Call) -> Names:
        """Return the places that affect the outcome of a rule or function."""
        names = self.effects.reads_of(node) | self.effects.writes_of(node)
        if isinstance(node, nodes.Do) and self.effects.plays_deals(node.rule):
            # Nothing is revealed any more.
            names |= {*self.program.zones, *self.program.variables}
        return names

    def _rule(self, rule: nodes.Rule, situation: Situation) -> FlowOutcome:
        place, self.leaks.place = self.leaks.place, rule.heading
        outcome = self._body(rule.body, situation)
        self.leaks.place = place
        return outcome

    def _function(self, function: nodes.Function, situation: Situation) -> FlowOutcome:
        if isinstance(function.body, nodes.Block):
            return self._body(function.body, situation)
        env = _entry(situation)
        return FlowOutcome(self.values.of(function.body, env), situation.stored_keys, env.facts)

    def _body(self, body: nodes.Block, situation: Situation) -> FlowOutcome:
        frame, self.sentences.frame = self.sentences.frame, FlowFrame()
        control, self.sentences.control = self.sentences.control, situation.control
        env = _entry(situation)
        self.sentences.follow(body, env, situation.control)
        end = join([*self.sentences.frame.jumps.get("return", []), env], self.atoms)
        result = self.sentences.frame.result_value(self.atoms)
        movement = self.sentences.frame.movement
        self.sentences.frame, self.sentences.control = frame, control
        keys = tuple((name, end.stored_keys[name] or UNKNOWN) for name, _ in situation.stored_keys)
        return FlowOutcome(result, keys, end.facts, end.dead, movement)


def _entry(situation: Situation) -> Env:
    args = dict(enumerate(situation.args))
    return Env(
        args, dict(situation.stored_keys), situation.facts, revelations=situation.revelations
    )
