"""Scores: the state of a match between two deals, read from positions and written into them.

Exact evaluation treats a match as a chain of deals. So it needs all state that a deal can depend
on: the dealer, and the variables that keep their values. Rules must not keep any other state, such
as the turn of a loop around the deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np

from trutdsl.diagnostics import BadUsage, Span
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.nodes import Program
from trutdsl.ir.types import Element, Kind, SetOf
from trutdsl.language import say
from trutdsl.native import abi
from trutdsl.solve.positions import Masks, Numbers, Positions, Stepper
from trutdsl.table.setting import Setting

LIMIT = 1000  # a loop with at least so many turns only bounds the number of deals


def lasting_variables(program: Program) -> list[str]:
    """Return the variables that keep their values from deal to deal, counters first.

    Raises `BadUsage` if one of them can hold cards.
    """
    variables = [v for v in program.variables.values() if v.counter or v.lifetime == "match"]
    for variable in variables:
        if isinstance(variable.type, Element | SetOf) and variable.type.kind is Kind.CARD:
            raise _refuse(
                say("'{variable}' keeps cards from deal to deal", variable=variable.name),
                variable.span,
            )
    return [v.name for v in sorted(variables, key=lambda v: not v.counter)]


def check_rules(program: Program, setting: Setting) -> None:
    """Raise `BadUsage` if rules keep more than variables from deal to deal."""
    deals = list(islice(_deals(Effects(program), setting, program.rules["match"].body), 2))
    if len(deals) > 1:
        raise _refuse(say("this game deals in more than one place"), deals[1])


def changes_between_deals(program: Program) -> frozenset[str]:
    """Return the variables that rules can change before, between or after deals."""
    effects = Effects(program)

    def changed(node: nodes.Node) -> frozenset[str]:
        if isinstance(node, nodes.DealBlock):
            return frozenset()
        if isinstance(node, nodes.Do) and effects.plays_deals(node.rule):
            return changed(program.rules[node.rule].body)
        parts = nodes.walk(node)
        if any(isinstance(n, nodes.DealBlock | nodes.Do) and _plays(effects, n) for n in parts):
            return frozenset[str]().union(*map(changed, node.children))
        return effects.writes_of(node)

    return changed(program.rules["match"].body)


def _plays(effects: Effects, node: nodes.DealBlock | nodes.Do) -> bool:
    return isinstance(node, nodes.DealBlock) or effects.plays_deals(node.rule)


def _deals(effects: Effects, setting: Setting, block: nodes.Block) -> Iterator[Span]:
    """Yield the deals in a block, in the order of the rules."""
    remembered: Span | None = None
    for statement in block.statements:
        for deal in _deals_of(effects, setting, statement):
            if remembered is not None:
                raise _refuse(say("a rule remembers something from deal to deal"), remembered)
            yield deal
        if isinstance(statement, nodes.Let):
            remembered = statement.span


def _deals_of(effects: Effects, setting: Setting, node: nodes.Node) -> Iterator[Span]:
    """Yield the deals in a statement; refuse a statement that keeps state around them."""
    if isinstance(node, nodes.DealBlock):
        yield node.span
        return
    if isinstance(node, nodes.Do) and effects.plays_deals(node.rule):
        rule = effects.program.rules[node.rule]
        for deal in _deals(effects, setting, rule.body):
            if rule.params:
                raise _refuse(
                    say("{heading} has arguments and plays deals", heading=rule.heading), node.span
                )
            yield deal
        return
    for child in node.children:
        parts = (
            _deals(effects, setting, child)
            if isinstance(child, nodes.Block)
            else _deals_of(effects, setting, child)
        )
        for deal in parts:
            if isinstance(node, nodes.For) or (
                isinstance(node, nodes.Repeat) and not _only_bounds(node, setting)
            ):
                text = (
                    "a loop counts the deals; count them in a variable of `match state`, or, if the"
                    " number is only a limit, write {limit} or more"
                )
                raise _refuse(say(text, limit=LIMIT), node.span)
            yield deal


def _only_bounds(loop: nodes.Repeat, setting: Setting) -> bool:
    times = loop.times
    if isinstance(times, nodes.Parameter):
        value = setting.parameters[times.name]
    elif isinstance(times, nodes.Const):
        value = times.value or 0
    else:
        return False
    return isinstance(value, int) and value >= LIMIT


def _refuse(reason: str, at: Span) -> BadUsage:
    text = "{reason} ({at}): exact evaluation needs deals that depend on the score only"
    return BadUsage(say(text, reason=reason, at=at))


DEALER = "dealer"


class Score(NamedTuple):
    """The state that lasts from one deal to the next.

    start: the values of `ScoreCodec.start`, the dealer first. values: those of all lasting
    variables.
    """

    start: tuple[int, ...]
    values: tuple[int, ...]


class Outcome(NamedTuple):
    """The outcome of a deal: the next score, or the winner of the match (None for a draw)."""

    score: Score | None
    winner: int | None


class ScoreCodec:
    """Reads the scores of positions, and writes a score into them.

    start: the engine's fields that last from deal to deal. lasting: the variables that do; places:
    where each stands in `Score.values`.
    """

    def __init__(self, stepper: Stepper, start: Sequence[str], no_memories: Numbers) -> None:
        """no_memories: the memories of the seats before a deal, as `Positions.memories`."""
        self.stepper, self.start, self.no_memories = stepper, start, no_memories
        self.lasting = lasting_variables(stepper.program)
        sizes = [stepper.layout.fields[name].count for name in self.lasting]
        ends = accumulate(sizes)
        self.places = {
            name: slice(end - size, end)
            for name, size, end in zip(self.lasting, sizes, ends, strict=True)
        }

    def start_match(self, dealer: int) -> Positions:
        """Return the match before its first deal; dealer: the first one, if one is drawn."""
        stepper, position = self.stepper, self.stepper.start()
        while position.why[0] == abi.SETTLED:
            number = int(stepper.number(position.memory, "#luck_zone")[0])
            is_dealer = stepper.code.unit.setups[number] == DEALER
            if is_dealer:
                stepper.field(position.memory, DEALER)[:] = dealer
            stepper.step(position, np.array([int(is_dealer)]))
        if position.why[0] != abi.BEFORE_DEAL:
            raise settled_before()
        return position

    def begin(self, score: Score) -> Positions:
        """Return the match before a deal at this score."""
        position = self.start_match(score.start[0])
        position.memories = self.no_memories.copy()
        for name, value in zip(self.start, score.start, strict=True):
            self.stepper.field(position.memory, name)[:] = value
        self.set_values(position, score)
        return position

    def scores_of(self, positions: Positions) -> list[Score]:
        starts, values = self._starts(positions).tolist(), self.values_of(positions).tolist()
        return [Score(tuple(start), tuple(row)) for start, row in zip(starts, values, strict=True)]

    def _starts(self, positions: Positions) -> Numbers:
        columns = [self.stepper.values(positions.memory, name) for name in self.start]
        return np.concatenate(columns, axis=1)

    def values_of(self, positions: Positions) -> Numbers:
        """Return the values of all lasting variables, int64 (n, values)."""
        memory = positions.memory
        columns = [self.stepper.values(memory, name) for name in self.lasting]
        return np.concatenate([np.zeros((len(memory), 0), np.int64), *columns], axis=1)

    def marks_of(self, positions: Positions) -> Masks:
        """Return the score at which each position stands, as a row of words."""
        columns = [self._starts(positions), self.values_of(positions)]
        return np.ascontiguousarray(np.concatenate(columns, axis=1)).view(np.uint64)

    def set_values(self, positions: Positions, score: Score) -> None:
        """Set the lasting variables of positions to those of a score."""
        for name, place in self.places.items():
            self.stepper.field(positions.memory, name)[:] = np.array(score.values[place], np.int64)

    def outcomes_of(self, ends: Positions) -> tuple[list[Outcome], Numbers]:
        """Return the outcomes of ended deals, and the number of each deal's outcome."""
        over, width = ends.why == abi.OVER, 1 + len(self.start)
        starts, values = self._starts(ends), self.values_of(ends)
        winner = self.stepper.number(ends.memory, "#winner")
        starts[over], values[over] = winner[over, None], 0
        columns = np.concatenate([over[:, None], starts, values], axis=1)
        unique, numbers = np.unique(columns, axis=0, return_inverse=True)
        outcomes = [
            Outcome(None, row[1] if row[1] >= 0 else None)
            if row[0]
            else Outcome(Score(tuple(row[1:width]), tuple(row[width:])), None)
            for row in unique.tolist()
        ]
        return outcomes, numbers.ravel().astype(np.int64)


def settled_before() -> BadUsage:
    """Return the refusal of a game that settles more than a first dealer before the first deal."""
    text = (
        "something is decided before the first deal of this game; only `setup dealer:` may draw the"
        " first dealer"
    )
    return BadUsage(say(text))
