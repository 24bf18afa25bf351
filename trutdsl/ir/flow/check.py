"""Information-flow check: nobody can learn from the rules what their seat may not see.

Every value carries the secrets it was made from: zones and variables that not all may see, with
whose they are, and what was chosen without all seeing it. So does every place in the rules, for
what is done there only because a secret says so. Refused are an option whose legality rests on a
secret of somebody else than the asked seat; a secret stored where more may see it; and something
that others notice, such as a question or how many cards lie somewhere, when a secret decides it.
`openly(x)` says that the rule makes x known.

A seat is taken to see its places all the time, and `reveal` to show a place with all that comes
to lie there until the deal ends. That a rule fails at run time is taken to tell nobody anything.
"""

from __future__ import annotations

from trutdsl.diagnostics import Collector
from trutdsl.ir import nodes
from trutdsl.ir.analysis.effects import Effects, Names
from trutdsl.ir.builtins import VARIABLES
from trutdsl.ir.flow.expressions import Values
from trutdsl.ir.flow.labels import NO_CONTROL, PUBLIC, UNKNOWN, Atoms
from trutdsl.ir.flow.report import Leaks
from trutdsl.ir.flow.rule_flow import Frame
from trutdsl.ir.flow.state import Binding, Env, join
from trutdsl.ir.flow.statements import SEES, Sentences
from trutdsl.ir.flow.summaries import Memo, Outcome, Situation
from trutdsl.ir.types import Element, Kind
from trutdsl.ir.walk import questions_of
from trutdsl.syntax.ast import Audience


def check_visibility(program: nodes.Program, errors: Collector) -> int:
    """Report every leak that a match could have; return how many rules were looked at for that."""
    checker = _Checker(program)
    checker.match()
    checker.leaks.report(errors)
    return checker.memo.checks


def find_secret_questions(program: nodes.Program) -> frozenset[int]:
    """Return the numbers of questions of which not all seats can tell whether they are asked."""
    checker = _Checker(program)
    checker.match()
    found = checker.leaks.secret_questions
    return frozenset(n for n, ask in enumerate(questions_of(program)) if id(ask) in found)


class _Checker:
    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.leaks, self.atoms = Leaks(), Atoms()
        self.memo, self.effects = Memo(self.atoms), Effects(program)
        self.values = Values(program, self.atoms, self._perform)
        self.sentences = Sentences(program, self.values, self.leaks, self.effects)
        self.seats = [*VARIABLES] + [
            v.name
            for v in program.variables.values()
            if v.index is None
            and isinstance(v.type, Element)
            and v.type.kind in (Kind.SEAT, Kind.TEAM)
        ]

    def match(self) -> None:
        """Check the variables' first values and the rule `match`."""
        env = Env({}, {name: self.atoms.fresh() for name in self.seats})
        for variable in self.program.variables.values():
            self.leaks.place = f"variable '{variable.name}'"
            found = self.values.label(variable.initial, env)
            if variable.audience is not Audience.NOBODY:
                why = f"{SEES[variable.audience]} '{variable.name}'"
                self.sentences.leak(why, variable.initial.span, found)
        stored = tuple((name, key or UNKNOWN) for name, key in sorted(env.stored.items()))
        self._rule(self.program.rules["match"], Situation((), stored, NO_CONTROL, env.facts))

    # -------------------------------------------------------- rules and functions

    def _perform(self, node: nodes.Do | nodes.Call, args: list[Binding], env: Env) -> Binding:
        """Do a rule or function with these arguments; return what is known of its result."""
        names = self._rests_on(node)
        control = self.sentences.control if isinstance(node, nodes.Do) else NO_CONTROL
        situation = Situation(
            tuple(args),
            tuple((n, key or UNKNOWN) for n, key in sorted(env.stored.items()) if n in names),
            control,
            frozenset(f for f in env.facts if f.name in names),
            frozenset(s for s in env.shown if s.name in self.effects.changed_by(node)),
        )
        if isinstance(node, nodes.Do):
            rule = self.program.rules[node.rule]
            self.leaks.calls.append((node, [arg.label for arg in args]))
            outcome = self.memo.outcome(rule.name, situation, lambda s: self._rule(rule, s))
            self.leaks.calls.pop()
            self.sentences.move(outcome.movement, env)
            for ways in self.sentences.frame.blocks:
                ways.append(env.copy())
            env.stored |= outcome.stored
            # Only a deal takes facts away, and a rule with a deal in it rests on every place.
            env.facts = (env.facts - situation.facts) | outcome.facts
            env.dead |= outcome.dead
            return outcome.result
        function = self.program.functions[node.function]
        return self.memo.outcome(
            (function.name, "define"), situation, lambda s: self._function(function, s)
        ).result

    def _rests_on(self, node: nodes.Do | nodes.Call) -> Names:
        """Return the places that decide what is found of a rule or function."""
        names = self.effects.read_by(node) | self.effects.changed_by(node)
        if isinstance(node, nodes.Do) and self.effects.plays_deals(node.rule):
            names |= {
                *self.program.zones,
                *self.program.variables,
            }  # all that was shown, is no more
        return names

    def _rule(self, rule: nodes.Rule, situation: Situation) -> Outcome:
        place, self.leaks.place = self.leaks.place, rule.heading
        outcome = self._body(rule.body, situation)
        self.leaks.place = place
        return outcome

    def _function(self, function: nodes.Function, situation: Situation) -> Outcome:
        if isinstance(function.body, nodes.Block):
            return self._body(function.body, situation)
        env = _entry(situation)
        return Outcome(self.values.of(function.body, env), situation.stored, env.facts)

    def _body(self, body: nodes.Block, situation: Situation) -> Outcome:
        frame, self.sentences.frame = self.sentences.frame, Frame()
        control, self.sentences.control = self.sentences.control, situation.control
        env = _entry(situation)
        self.sentences.follow(body, env, situation.control)
        end = join([*self.sentences.frame.jumps.get("return", []), env], self.atoms)
        results = self.sentences.frame.result
        first = results[0].key if results else None
        same = first is not None and all(r.key == first != UNKNOWN for r in results)
        label = PUBLIC.union(*(r.label for r in results))
        result = Binding(first if same else self.atoms.fresh(), label)
        movement = self.sentences.frame.movement
        self.sentences.frame, self.sentences.control = frame, control
        stored = tuple((name, end.stored[name] or UNKNOWN) for name, _ in situation.stored)
        return Outcome(result, stored, end.facts, end.dead, movement)


def _entry(situation: Situation) -> Env:
    args = dict(enumerate(situation.args))
    return Env(args, dict(situation.stored), situation.facts, shown=situation.shown)
