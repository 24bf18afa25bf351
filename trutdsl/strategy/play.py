"""A match played by strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from trutdsl.game import Action, Game, MatchResult, Question, RuleError
from trutdsl.strategy.calls import Calling, StrategyError
from trutdsl.strategy.load import StrategySpec
from trutdsl.streams import Stream, luck_start, strategy_key


def play_matches(
    game: Game, seating: Sequence[StrategySpec], seed: int, matches: int
) -> Iterator[MatchResult]:
    """Yield the results of the first matches of a seed; all in native code where that can be."""
    if is_uniform(game, seating):
        played = 0
        try:
            for result in game.run_uniform([spec.name for spec in seating], seed, 0, matches):
                yield result
                played += 1
        except RuleError:
            # The reference engine says best what went wrong.
            play_match(game.in_engine("reference"), seating, seed, played)
            raise
        return
    for match in range(matches):
        yield play_match(game, seating, seed, match)


def is_uniform(game: Game, seating: Sequence[StrategySpec]) -> bool:
    """Tell whether matches can be played in native code alone: every seat's strategy is uniform."""
    return game.engine == "native" and all(spec.native == "uniform" for spec in seating)


def play_match(
    game: Game,
    seating: Sequence[StrategySpec],
    seed: int,
    match: int,
    emit: Callable[[dict[str, Any]], None] | None = None,
    answered: Callable[[Question, Action], None] | None = None,
) -> MatchResult:
    """Play one match to its end, one strategy a seat; raises `StrategyError` if one fails.

    seed: 0..2**128-1; match: its index under this seed. emit gets every event as it happens,
    answered every question with what was chosen.
    """
    state = game.start(seed, match, emit)
    players = [spec.make(f" on seat {seat} in match {match}") for seat, spec in enumerate(seating)]
    keys = [strategy_key(seed, spec.name) for spec in seating]
    streams = [Stream(luck_start(key, match, seat)) for seat, key in enumerate(keys)]
    while (pending := state.pending) is not None:
        if not isinstance(pending, Question):
            state.next_deal()
            continue
        seat, actions = pending.seat, pending.actions
        spec, view = seating[seat], state.view(streams[seat])
        place = f"in match {match}, deal {state.deals - 1}, asked for '{pending.decision}'"
        with Calling(spec.name, spec.path, f"failed {place} on seat {seat}"):
            chosen = players[seat].choose(view)
            # Comparing may be code of the strategy, too, if it made the action itself.
            index = actions.index(chosen) if type(chosen) is Action and chosen in actions else None
        if index is None:
            legal = ", ".join(action.text for action in actions)
            raise StrategyError(
                f"strategy '{spec.name}' ({spec.path}) chose no legal action {place} "
                f"on seat {seat}; legal: {legal}"
            )
        state.apply(index)
        if answered is not None:
            answered(pending, actions[index])
    return MatchResult(state.winner, state.deals, state.decisions, state.counters())
