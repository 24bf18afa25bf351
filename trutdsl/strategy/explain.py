"""Explanation of a script's choice: its evaluated clauses, with their values, and its luck."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.game import DealStart, Game, Question, State
from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.machine import CompiledStatement, Evaluate, Slots
from trutdsl.interp.policy import Player, PolicyCode
from trutdsl.ir import nodes
from trutdsl.ir.nodes import questions_of, walk
from trutdsl.ir.script.forms import Form, form_of, options_called
from trutdsl.ir.types import Among
from trutdsl.language import say
from trutdsl.strategy.reasons import Reasons
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.streams import Stream, luck_start, mix_in, strategy_key
from trutdsl.syntax import strategy_ast as script
from trutdsl.syntax.ast import walk as walk_text
from trutdsl.table.chance import Luck
from trutdsl.table.faults import PolicyError
from trutdsl.table.setting import Setting

# The distribution of a script's answers over its own luck: exact, or sampled to save time.

MOST_WAYS = 300  # in which luck can go, that are summed
REPEATS = 2_000  # otherwise
SEED = 1


@dataclass(frozen=True)
class AnswerShares:
    """The probability of each action, by its index.

    repeats: the number of samples; 0 if the probabilities are exact.
    """

    shares: dict[int, Fraction]
    repeats: int


class _TooManyWaysError(Exception):
    pass


class _PlannedLuck(Stream, Luck):
    """Luck with fixed first outcomes; later ones are the first possible. It records all weights."""

    def __init__(self, plan: Sequence[int]) -> None:
        self.plan = plan
        self.draws: list[tuple[int, Sequence[int]]] = []

    def _draw(self, weights: Sequence[int]) -> int:
        place = len(self.draws)
        possible = (number for number, weight in enumerate(weights) if weight)
        outcome = self.plan[place] if place < len(self.plan) else next(possible)
        self.draws.append((outcome, weights))
        return outcome

    def below(self, count: int) -> int:
        """Return a number below `count`, as a stream does."""
        if count > MOST_WAYS:
            raise _TooManyWaysError
        return self._draw([1] * count)

    def number(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def element(self, elements: Sequence[int], _kind: Among) -> int:
        return elements[self.below(len(elements))]

    def yes(self, part: int, whole: int) -> bool:
        return self._draw([whole - part, part]) == 1


def answer_shares(player: Player, question: Question) -> AnswerShares:
    """Return the probability of each answer of a player now, with its present memory."""
    try:
        return AnswerShares(_sum_exactly(player, question), 0)
    except _TooManyWaysError:
        result: Counter[int] = Counter()
        for number in range(REPEATS):
            result[player.copy(Stream(mix_in(SEED, number))).choose(question)] += 1
        return AnswerShares({n: Fraction(many, REPEATS) for n, many in result.items()}, REPEATS)


def _sum_exactly(player: Player, question: Question) -> dict[int, Fraction]:
    shares: dict[int, Fraction] = {}
    plans: list[list[int]] = [[]]
    for _ in range(MOST_WAYS):
        if not plans:
            return shares
        plan = plans.pop()
        luck = _PlannedLuck(plan)
        index = player.copy(luck, luck).choose(question)
        share = Fraction(1)
        for place, (outcome, weights) in enumerate(luck.draws):
            share *= Fraction(weights[outcome], sum(weights))
            if place >= len(plan):
                before = [one for one, _ in luck.draws[:place]]
                later = range(outcome + 1, len(weights))
                plans += [[*before, one] for one in later if weights[one]]
        shares[index] = shares.get(index, Fraction(0)) + share
    raise _TooManyWaysError


# The clauses that a script evaluated.

Marked = script.Clause | script.IfChoice | script.Mix


@dataclass(frozen=True)
class ClauseTrace:
    """A clause, or an `if` between clauses, that was evaluated.

    why: the reasons against it, a line each; of the clause that was taken, and of a `mix`, the
         values of their names. taken: whether it is the clause that was taken.
    """

    span: Span
    why: tuple[str, ...]
    taken: bool = False

    @property
    def text(self) -> str:
        """Its first line in the source."""
        return self.span.source.line(self.span.line).strip()


@dataclass(frozen=True)
class Explanation:
    """The index of a script's choice, and the clauses that it evaluated; the last was taken.

    shares: how often its luck gives each answer; None if it was not asked for, or can fail.
    """

    index: int
    looked: tuple[ClauseTrace, ...]
    shares: AnswerShares | None = None


class Advisers:
    """Scripts that follow a match, each as if it sat on the asked seat.

    game: the game to play; it stores the past that the scripts ask for.
    fully: whether to return the shares of answers, too.
    """

    def __init__(
        self, game: Game, specs: Sequence[ScriptSpec], seed: int, match: int, fully: bool = False
    ) -> None:
        table = table_for(game, tuple(specs))
        self.fully = fully
        self.game, self.seed, self.match = table.game, seed, match
        program, setting = table.program, game.setting
        self._forms = [
            [form_of(option, ask.decision) for option in ask.options]
            for ask in questions_of(program)
        ]
        self._codes = {
            spec: _WatchedCode(program, table.policy_of(spec), setting, spec) for spec in specs
        }
        self._players: dict[tuple[ScriptSpec, int], Player] = {}

    def begin(self, match: int) -> None:
        """Continue with another match: without memory, with the random numbers of that match."""
        self.match = match
        self._players.clear()

    def choose(self, state: State, question: Question, spec: ScriptSpec) -> Explanation:
        """Return a script's choice, with its memory of earlier calls; raises `PolicyError`."""
        code, player = self._codes[spec], self.player(state, question.seat, spec)
        shares = _shares(player, question) if self.fully else None
        code.results.clear()
        index = player.choose(question)
        return Explanation(
            index, tuple(_trace_clauses(code.results, question, self._forms)), shares
        )

    def player(self, state: State, seat: int, spec: ScriptSpec) -> Player:
        """Return a script's player on a seat, with its memory of earlier calls."""
        place = (spec, seat)
        if place not in self._players:
            start = luck_start(strategy_key(self.seed, spec.name), self.match, seat)
            self._players[place] = Player(self._codes[spec], state.match, seat, Stream(start))
        return self._players[place]


def _shares(player: Player, question: Question) -> AnswerShares | None:
    try:
        return answer_shares(player, question)
    except PolicyError:
        return None


def follow(
    game: Game,
    spec: ScriptSpec,
    seed: int,
    match: int,
    seat: int,
    answers: Sequence[str],
    begin: Callable[[Game], State] | None = None,
) -> Explanation:
    """Return a script's choice for a seat at the question after these answers of a match.

    The script plays along from the start of the match, with its luck on that seat. Raises
    `PolicyError` if it fails. begin: returns another start of the match.
    """
    advisers, left = Advisers(game, [spec], seed, match), list(answers)
    state = begin(advisers.game) if begin else advisers.game.start(seed, match)
    while True:
        while isinstance(state.pending, DealStart):
            state.next_deal()
        question = state.pending
        assert isinstance(question, Question)
        choice = advisers.choose(state, question, spec) if question.seat == seat else None
        if not left:
            assert choice is not None
            return choice
        state.apply(question.texts.index(left.pop(0)))


@dataclass(frozen=True)
class _StageResult:
    """The result of one stage of a clause or an `if`; at: what was tested."""

    node: Marked
    at: Span
    stage: str  # when, found, odds, taken; if; mix
    holds: bool
    lines: tuple[str, ...] = ()  # why it does not hold; else the values of its names


def _trace_clauses(
    seen: Sequence[_StageResult], question: Question, forms: Sequence[Sequence[Form]]
) -> Iterator[ClauseTrace]:
    """Yield the clauses that were evaluated, from the results of their stages, in order."""
    values: list[str] = []
    for place, one in enumerate(seen):
        first = not place or seen[place - 1].node is not one.node
        last = place + 1 == len(seen) or seen[place + 1].node is not one.node
        values = [*([] if first else values), *one.lines]
        if one.stage == "taken":
            yield ClauseTrace(one.node.span, tuple(dict.fromkeys(values)), True)
        elif one.stage == "mix":
            yield ClauseTrace(one.node.span, one.lines)
        elif one.stage == "if" and not one.holds:
            yield ClauseTrace(one.at, one.lines)
        elif isinstance(one.node, script.Clause) and not one.holds and last:
            why = _none_left(one.node, question, forms) if one.stage == "found" else one.lines
            yield ClauseTrace(one.node.span, why)


def _none_left(
    clause: script.Clause, question: Question, forms: Sequence[Sequence[Form]]
) -> tuple[str, ...]:
    """Return why no action was left for a clause; forms: the options of each question."""
    called = options_called(clause, forms[question.number])
    legal = [a.text for a in question.actions if a.option in called]
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
        self.results: list[_StageResult] = []
        self._marks: dict[Span, tuple[Marked, str]] = {}
        for node in _choices(spec):
            stage = "if" if isinstance(node, script.IfChoice) else "found"
            if isinstance(node, script.Mix):
                self._marks[node.shares[0].weight.span] = node, "mix"
                continue
            self._marks[node.span] = node, stage
            if isinstance(node, script.Clause) and node.condition is not None:
                self._marks[node.condition.span] = node, "when"
            if isinstance(node, script.Clause) and node.odds is not None:
                self._marks[node.odds.span] = node, "odds"
        self._lets: dict[Span, nodes.Let] = {}
        self._picks = defaultdict[Span, list[nodes.Quantifier]](list)
        for part in walk(policy):
            if isinstance(part, nodes.Let):
                self._lets[part.span] = part
            elif isinstance(part, nodes.Quantifier) and part.span in self._marks:
                self._picks[part.span].append(part)
        super().__init__(program, policy, setting)
        self._reasons = Reasons(self)

    def observe_test(self, node: nodes.If, test: nodes.Expression, evaluate: Evaluate) -> Evaluate:
        """Return a test that records its result."""
        if node.span not in self._marks:
            return evaluate
        clause, stage = self._marks[node.span]

        def watch(m: Any, f: Slots) -> bool:
            holds = bool(evaluate(m, f))
            lines: Iterable[str] = ()
            if isinstance(clause, script.Mix):
                lines = self._weights(clause, test, m, f)
            elif stage in ("when", "if"):
                values, against = self._reasons.values, self._reasons.against
                lines = values(test, m, f) if holds else against(test, m, f)
            elif not holds and stage == "odds":
                lines = (say("`{span}` did not come up", span=node.span.text),)
            self.results.append(_StageResult(clause, test.span, stage, holds, tuple(lines)))
            return holds

        return watch

    def take(self, node: nodes.Take | nodes.TakeAny) -> CompiledStatement:
        """Return the statement that leaves the policy, and records the clause."""
        inner, (clause, _) = super().take(node), self._marks[node.span]

        def run(m: Any, f: Slots) -> Any:
            keys = self._keys(node, m, f) if isinstance(node, nodes.Take) else ()
            self.results.append(_StageResult(clause, node.span, "taken", True, tuple(keys)))
            return inner.run(m, f)

        return CompiledStatement(False, run)

    def _keys(self, node: nodes.Take, m: Any, f: Slots) -> Iterator[str]:
        """Yield the values by which one of the legal choices of an option was taken."""
        for pick in self._picks[node.span]:
            if pick.value is not None and len(node.values) == 1:
                yield from self._reasons.by_choice(pick, m.choices(node.option), m, f)

    def _weights(self, mix: script.Mix, test: nodes.Expression, m: Any, f: Slots) -> Iterator[str]:
        """Yield the weight of each part of a mix, and the values of their names."""
        lets = [self._lets[share.weight.span] for share in mix.shares]
        weights = [f[let.slot] for let in lets]
        assert isinstance(test, nodes.Compare)
        left = compile_expression(test.left, self)(m, f)
        if None in weights:  # it was drawn at an earlier question
            yield say("drawn earlier: `{part}`", part=mix.shares[left - 1].weight.span.text)
            return
        for number, (share, weight) in enumerate(zip(mix.shares, weights, strict=True), 1):
            yield say(
                "`{part}` weighs {weight}{drawn}",
                part=share.weight.span.text,
                weight=weight,
                drawn=say(": drawn") if number == left else "",
            )
        values = (line for let in lets for line in self._reasons.values(let.value, m, f))
        yield from ("  " + line for line in dict.fromkeys(values))


def _choices(spec: ScriptSpec) -> Iterator[Marked]:
    """Yield the clauses of a script and its bases, and the `if`s and `mix`es between them."""
    chains = [*spec.script.answers.values(), *spec.script.rules.values()]
    for node in (node for chain in chains for one in chain for node in walk_text(one)):
        if isinstance(node, Marked):
            yield node
