"""Side by side: many matches at once, for strategies in Python that answer in arrays.

Such a strategy has a method `choose_batch` besides `choose`. Its matches come to the same either
way, whatever others are played beside them: what fails among many is played again by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np

from trutdsl.diagnostics import Failure
from trutdsl.game import Game
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.observation import Observation
from trutdsl.strategy.calls import StrategyCall, StrategyError, several_matches
from trutdsl.strategy.monte_carlo import MonteCarloSpec
from trutdsl.strategy.repeat import EVERY, play_checked
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.strategy.spec import Spec, StrategySpec
from trutdsl.table import PolicyError, RuleError
from trutdsl.table.actions import AskPlan
from trutdsl.table.counts import Records
from trutdsl.table.match import action_of

MOST = 1024  # matches side by side


@dataclass(frozen=True)
class ObservationNames:
    """What the numbers of an observation stand for.

    decisions: the name of each question, by its number.
    actions:   of each question, how its actions are written -> their numbers.
    strengths: of each card, the weakest rank 1, int64 (cards,); a card is a bit of a mask.
    """

    decisions: tuple[str, ...]
    actions: tuple[dict[str, int], ...]
    strengths: Records


def answers_in_arrays(game: Game, seating: Sequence[Spec]) -> bool:
    """Tell whether matches of these strategies can be played side by side.

    On two seats they cannot where some questions are asked in secret: which matches one is asked in
    together would tell it where the other was asked something before.
    """
    coded = [(s, spec) for s, spec in enumerate(seating) if not isinstance(spec, ScriptSpec)]
    if game.engine != "native" or not coded or (len(coded) > 1 and game.secret_questions):
        return False
    return all(
        isinstance(spec, StrategySpec) and spec.answers_in_arrays(seat) for seat, spec in coded
    )


def play_side_by_side(
    game: Game, seating: Sequence[Spec], seed: int, first: int, count: int
) -> Iterator[Records]:
    """Yield the records of matches, some at a time; raises `StrategyError` as `play_leg` does.

    One of every `EVERY` matches is also played by `choose`, and must come to the same.
    """
    play = partial(_play, game, seating, seed)
    for begin in range(first, first + count, MOST):
        many = min(MOST, first + count - begin)
        good: list[Records] = []
        failed: StrategyError | None = None
        with several_matches(many):
            try:
                found = play(begin, many)
            except Failure:  # of whatever match: each is played by itself
                parts = (partial(play, match, 1) for match in range(begin, begin + many))
            else:
                parts = (partial(found.__getitem__, slice(i, i + 1)) for i in range(many))
            try:
                for match, part in enumerate(parts, begin):
                    good.append(_compared(game, seating, seed, match, part))
            except StrategyError as error:
                failed = error
        if good:
            yield np.concatenate(good)
        if failed is not None:
            raise failed


def _compared(
    game: Game, seating: Sequence[Spec], seed: int, match: int, play: Callable[[], Records]
) -> Records:
    """Return the record of a match; raises `StrategyError` if `choose` makes it another."""
    try:
        row = play()
    except (PolicyError, RuleError):
        play_checked(game, seating, seed, match)  # which says what it was
        raise
    if match % EVERY:
        return row
    told = play_checked(game, seating, seed, match)
    winner = -1 if told.winner is None else told.winner
    values = [value for of_teams in told.counters.values() for value in of_teams]
    if row[0].tolist() != [winner, told.deals, told.decisions, *values]:
        coded = [(i, s) for i, s in enumerate(seating) if not isinstance(s, ScriptSpec)]
        seat, names = coded[0][0], " or ".join(dict.fromkeys(_called(s) for _, s in coded))
        raise StrategyError(
            f"match {match} goes otherwise with `choose_batch` than with `choose`, of {names}",
            seat,
            "does not choose the same with `choose_batch`",
        )
    return row


def _called(spec: StrategySpec | MonteCarloSpec) -> str:
    return f"strategy '{spec.name}' ({spec.path})"


def _play(game: Game, seating: Sequence[Spec], seed: int, first: int, count: int) -> Records:
    """Return the records of matches, all at once."""
    scripts = {seat: s.name for seat, s in enumerate(seating) if isinstance(s, ScriptSpec)}
    specs = tuple(dict.fromkeys(s for s in seating if isinstance(s, ScriptSpec)))
    code = (table_for(game, specs).compiled if specs else game).steps
    seats = {
        seat: _Seat(game, cast(StrategySpec, spec), seat)
        for seat, spec in enumerate(seating)
        if seat not in scripts
    }
    reads = [seat.reads for seat in seats.values()]
    wanted = None if None in reads else frozenset(name for names in reads for name in names or ())
    batch = Batch(code, seed, first, count, scripts)
    while len(rows := batch.waiting):
        seen, answers = batch.observe(wanted), np.empty(len(rows), np.int64)
        for seat in np.unique(seen.seat).tolist():
            which = seen.seat == seat
            answers[which] = seats[seat].answer(seen.take(which), first)
        batch.answer(answers)
    return batch.rows()


class _Seat:
    """A strategy on one seat of many matches."""

    def __init__(self, game: Game, spec: StrategySpec, seat: int) -> None:
        self.spec, self.seat, self.plans = spec, seat, game.plans
        self.names = _names_of(game)
        self.made: Any = spec.make(f" on seat {seat}", seat)
        with StrategyCall(spec.name, spec.path, lambda: "cannot start", seat):
            named = getattr(self.made, "reads", None)
            self.reads = None if named is None else frozenset(map(str, named))

    def answer(self, seen: Observation, first: int) -> Records:
        """Return the number of a legal action for each match; first: the match of row 0."""
        matches, legal = first + seen.matches, seen.legal.copy()
        where = (
            f"in one of {len(matches)} matches" if len(matches) > 1 else f"in match {matches[0]}"
        )
        asked = seen.decision.copy()
        with StrategyCall(self.spec.name, self.spec.path, lambda: f"failed {where}", self.seat):
            chosen = np.array(self.made.choose_batch(seen, self.names))
        if chosen.shape != matches.shape or chosen.dtype.kind not in "iu":
            shape, kind = chosen.shape, chosen.dtype
            raise self._error(f"returned {kind} {shape} for {len(matches)} matches {where}")
        found: Records = chosen.astype(np.int64)
        inside = (found >= 0) & (found < 64 * legal.shape[1])
        at = np.where(inside, found, 0)
        words = legal[np.arange(len(at)), at // 64]
        wrong = np.flatnonzero(~inside | (words >> (at % 64).astype(np.uint64) & np.uint64(1) == 0))
        if len(wrong):
            row = int(wrong[0])
            name = self.names.decisions[asked[row]]
            raise self._error(
                f"chose no legal action in match {matches[row]}, asked for '{name}' on seat "
                f"{self.seat}: it returned {chosen[row]}"
            )
        return found

    def _error(self, what: str) -> StrategyError:
        said = f"strategy '{self.spec.name}' ({self.spec.path}) {what}"
        return StrategyError(said, self.seat, "chose no legal action")


def _names_of(game: Game) -> ObservationNames:
    """Return what numbers stand for, in what is this strategy's alone."""
    return ObservationNames(
        tuple(plan.node.decision for plan in game.plans),
        tuple(dict(_actions(game, plan)) for plan in game.plans),
        np.array(game.deck.strength, np.int64),
    )


def _actions(game: Game, plan: AskPlan) -> Iterator[tuple[str, int]]:
    for place, option in enumerate(plan.options):
        for number in range(option.first, option.first + option.size):
            node = plan.node.options[place]
            yield action_of(game.setting, node, place, option.values(number)).text, number
