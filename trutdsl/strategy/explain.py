"""Explanation of a script's choice: its evaluated clauses, and why each was not taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.game import DealStart, Game, Question, State
from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.machine import CompiledStatement, Evaluate, Slots
from trutdsl.interp.policy import Player, PolicyCode
from trutdsl.ir import nodes
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.script.answers import Form, form_of, is_called
from trutdsl.ir.types import Among, Element, Kind, OneOf, Probability, SetOf, Type, YesNo, among
from trutdsl.language import say
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.streams import Stream, luck_start, strategy_key
from trutdsl.syntax import strategy_ast as script
from trutdsl.syntax.ast import walk
from trutdsl.table.setting import Setting

DEEPEST = 3  # levels of defines that are explained
CONSTANT = nodes.Const | nodes.PackText | nodes.Parameter


@dataclass(frozen=True)
class ClauseTrace:
    """A clause, or an `if` between clauses, that was evaluated.

    why: the reasons against it, a line each; empty for the clause that was taken.
    """

    span: Span
    why: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its first line in the source."""
        return self.span.source.line(self.span.line).strip()


@dataclass(frozen=True)
class Explanation:
    """The index of a script's choice, and the clauses that it evaluated; the last was taken."""

    index: int
    looked: tuple[ClauseTrace, ...]


class Advisers:
    """Scripts that follow a match, each as if it sat on the asked seat.

    game: the game to play; it stores the past that the scripts ask for.
    """

    def __init__(self, game: Game, specs: Sequence[ScriptSpec], seed: int, match: int) -> None:
        table = table_for(game, tuple(specs))
        self.game, self.seed, self.match = table.game, seed, match
        program, setting = table.program, game.setting
        self._forms = [
            [form_of(option, ask.decision) for option in ask.options]
            for ask in questions_of(program)
        ]
        self._codes = {
            spec: _WatchedCode(program, program.policies[spec.name], setting, spec)
            for spec in specs
        }
        self._players: dict[tuple[ScriptSpec, int], Player] = {}

    def begin(self, match: int) -> None:
        """Continue with another match: without memory, with the random numbers of that match."""
        self.match = match
        self._players.clear()

    def choose(self, state: State, question: Question, spec: ScriptSpec) -> Explanation:
        """Return a script's choice, with its memory of earlier calls; raises `PolicyError`."""
        code, place = self._codes[spec], (spec, question.seat)
        if place not in self._players:
            start = luck_start(strategy_key(self.seed, spec.name), self.match, question.seat)
            self._players[place] = Player(code, state.match, question.seat, Stream(start))
        code.seen.clear()
        index = self._players[place].choose(question)
        return Explanation(index, tuple(_looked_at(code.seen, question, self._forms)))


def follow(
    game: Game, spec: ScriptSpec, seed: int, match: int, seat: int, answers: Sequence[str]
) -> Explanation:
    """Return a script's choice for a seat at the question after these answers of a match.

    The script plays along from the start of the match, with its luck on that seat. Raises
    `PolicyError` if it fails.
    """
    advisers = Advisers(game, [spec], seed, match)
    state, left = advisers.game.start(seed, match), list(answers)
    while True:
        while isinstance(state.pending, DealStart):
            state.next_deal()
        question = state.pending
        assert isinstance(question, Question)
        chosen = advisers.choose(state, question, spec) if question.seat == seat else None
        if not left:
            assert chosen is not None
            return chosen
        state.apply(question.texts.index(left.pop(0)))


@dataclass(frozen=True)
class _Seen:
    """The result of one stage of a clause or an `if`."""

    node: script.Clause | script.IfChoice
    stage: str  # when, found, odds, taken; if
    holds: bool
    why: tuple[str, ...] = ()


def _looked_at(
    seen: Sequence[_Seen], question: Question, forms: Sequence[Sequence[Form]]
) -> Iterator[ClauseTrace]:
    """Yield the clauses that were evaluated, from the results of their stages, in order."""
    for place, one in enumerate(seen):
        last = place + 1 == len(seen) or seen[place + 1].node is not one.node
        if one.stage == "taken":
            yield ClauseTrace(one.node.span, ())
        elif one.stage == "if" and not one.holds:
            yield ClauseTrace(one.node.span, one.why)
        elif isinstance(one.node, script.Clause) and not one.holds and last:
            why = _none_left(one.node, question, forms) if one.stage == "found" else one.why
            yield ClauseTrace(one.node.span, why)


def _none_left(
    clause: script.Clause, question: Question, forms: Sequence[Sequence[Form]]
) -> tuple[str, ...]:
    """Return why no action was left for a clause; forms: the options of each question."""
    own = forms[question.number]
    legal = [a.text for a in question.actions if is_called(clause, own[a.option])]
    if not legal:
        return (
            say("`{names}` is not legal now", names=" ".join(word.text for word in clause.words)),
        )
    where = clause.where.span.text if clause.where is not None else ""
    return (say("`{where}` holds for none of {names}", where=where, names=", ".join(legal)),)


class _WatchedCode(PolicyCode):
    """A policy that records the results of each of its script's clauses."""

    def __init__(
        self, program: nodes.Program, policy: nodes.Policy, setting: Setting, spec: ScriptSpec
    ) -> None:
        self.seen: list[_Seen] = []
        self._marks: dict[Span, tuple[script.Clause | script.IfChoice, str]] = {}
        for node in _choices(spec):
            self._marks[node.span] = node, "if" if isinstance(node, script.IfChoice) else "found"
            if isinstance(node, script.Clause) and node.condition is not None:
                self._marks[node.condition.span] = node, "when"
            if isinstance(node, script.Clause) and node.odds is not None:
                self._marks[node.odds.span] = node, "odds"
        super().__init__(program, policy, setting)

    def watched(self, node: nodes.If, test: nodes.Expression, evaluate: Evaluate) -> Evaluate:
        """Return a test that records its result."""
        if node.span not in self._marks:
            return evaluate
        marked, stage = self._marks[node.span]

        def watch(m: Any, f: Slots) -> bool:
            holds = bool(evaluate(m, f))
            why: tuple[str, ...] = ()
            if not holds and stage in ("when", "if"):
                why = tuple(self._why_not(test, m, f, 0))
            elif not holds and stage == "odds":
                why = (say("`{span}` did not come up", span=node.span.text),)
            self.seen.append(_Seen(marked, stage, holds, why))
            return holds

        return watch

    def take(self, node: nodes.Take | nodes.TakeAny) -> CompiledStatement:
        """Return the statement that leaves the policy, and records the clause."""
        inner, (marked, _) = super().take(node), self._marks[node.span]

        def run(m: Any, f: Slots) -> Any:
            self.seen.append(_Seen(marked, "taken", True))
            return inner.run(m, f)

        return CompiledStatement(False, run)

    def _why_not(self, node: nodes.Expression, m: Any, f: Slots, deep: int) -> Iterator[str]:
        """Yield why a condition does not hold, with the values in it."""
        match node:
            case nodes.Logic(_, _, "and", left, right):
                yield from self._why_not(right if self._value(left, m, f) else left, m, f, deep)
            case nodes.Logic(_, _, "or", left, right):
                yield from self._why_not(left, m, f, deep)
                yield from self._why_not(right, m, f, deep)
            case nodes.Compare(_, _, _, left, right):
                sides = [s for s in (left, right) if not isinstance(s, CONSTANT)]
                values = say(" and ").join(
                    say(
                        "{text} is {write_value}",
                        text=_text(s),
                        write_value=self._write_value(s, m, f),
                    )
                    for s in sides
                )
                yield say("`{text}` does not hold: {values}", text=_text(node), values=values)
            case nodes.Not(_, _, inner):
                yield say(
                    "`{condition}` does not hold: {part} does",
                    condition=_text(node),
                    part=_text(inner),
                )
            case nodes.Call(_, _, name, args) if deep < DEEPEST and isinstance(
                self.program.functions[name].body, nodes.Expression
            ):
                function = self.program.functions[name]
                assert isinstance(function.body, nodes.Expression)
                given = [self._value(arg, m, f) for arg in args]
                frame = [*given, *[None] * (function.slots - len(given))]
                yield say("`{text}` does not hold, as", text=_text(node))
                inside = self._why_not(function.body, m, frame, deep + 1)
                yield from ("  " + line for line in inside)
            case _:
                yield say("`{text}` does not hold", text=_text(node))

    def _value(self, node: nodes.Expression, m: Any, f: Slots) -> Any:
        return compile_expression(node, self)(m, list(f))

    def _write_value(self, node: nodes.Expression, m: Any, f: Slots) -> str:
        return _written(self._value(node, m, f), node.type, self.setting)


def _choices(spec: ScriptSpec) -> Iterator[script.Clause | script.IfChoice]:
    """Yield the clauses of a script and its bases, and the `if`s between them."""
    chains = [*spec.script.answers.values(), *spec.script.rules.values()]
    for node in (node for chain in chains for one in chain for node in walk(one)):
        if isinstance(node, script.Clause | script.IfChoice):
            yield node


def _text(node: nodes.Expression) -> str:
    """Return the source of an expression, on one line."""
    span = node.span
    if span.line == span.end_line:
        return span.text
    return span.source.line(span.line)[span.col - 1 :].strip() + " ..."


def _written(value: Any, type_: Type, setting: Setting) -> str:
    match type_:
        case _ if value is None:
            return "none"
        case YesNo():
            return "yes" if value else "no"
        case OneOf(names):
            return str(names[value])
        case Probability():
            return str(value / 10**6)
        case Element(kind):
            return _element(kind, value, setting)
        case SetOf(kind):
            return ", ".join(_element(kind, one, setting) for one in sorted(value)) or "nothing"
    return str(value)


def _element(kind: Among, value: int, setting: Setting) -> str:
    text = setting.text_of(kind, value)
    return f"{among(kind)} {text}" if kind in (Kind.SEAT, Kind.TEAM) else text
