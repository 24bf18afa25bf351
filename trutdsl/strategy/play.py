"""A match played by strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trutdsl.game import Action, Game, MatchResult, Question, State
from trutdsl.game.view import make_view
from trutdsl.interp.policy import Player
from trutdsl.strategy.answers import describe_illegal, index_of
from trutdsl.strategy.calls import Calling, StrategyError
from trutdsl.strategy.course import Course
from trutdsl.strategy.monte_carlo import MonteCarlo, MonteCarloSpec
from trutdsl.strategy.protocol import Strategy
from trutdsl.strategy.script import ScriptSpec, answer, table_for
from trutdsl.strategy.spec import Spec
from trutdsl.streams import Stream, luck_start, strategy_key
from trutdsl.table import StreamChance

# Gets the match at a question, the question, and what is going to be done.
Answered = Callable[[State, Question, Action], None]


def play_match(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    match: int,
    emit: Callable[[dict[str, Any]], None] | None = None,
    answered: Answered | None = None,
) -> MatchResult:
    """Play one match to its end, one strategy a seat; raises `StrategyError` if one fails.

    seed: 0..2**128-1; match: its index under this seed. emit gets every event as it happens,
    answered every question with what was chosen, before it is done.
    """
    scripts = (spec for spec in seating if isinstance(spec, ScriptSpec))
    searching = {seat: s for seat, s in enumerate(seating) if isinstance(s, MonteCarloSpec)}
    playing_out = (spec.script_for(game) for spec in searching.values())
    table = table_for(game, tuple(dict.fromkeys((*scripts, *playing_out))))
    course = None
    if searching:
        course = Course(table.compiled, tuple(searching), StreamChance(seed, match), emit)
    state = course.state if course else table.game.start(seed, match, emit)
    keys = [strategy_key(seed, spec.name) for spec in seating]
    streams = [Stream(luck_start(key, match, seat)) for seat, key in enumerate(keys)]
    scripted: dict[int, Player] = {}
    searches: dict[int, MonteCarlo] = {}
    coded: dict[int, tuple[Strategy, Calling]] = {}

    def place() -> str:
        question, deal = state.pending, state.deals - 1
        assert isinstance(question, Question)
        asked = f"asked for '{question.decision}' on seat {question.seat}"
        return f"in match {match}, deal {deal}, {asked}"

    for seat, spec in enumerate(seating):
        if isinstance(spec, ScriptSpec):
            scripted[seat] = table.player(spec, state, seat, streams[seat])
        elif isinstance(spec, MonteCarloSpec):
            assert course is not None
            searches[seat] = MonteCarlo(spec, table, course, seat, streams[seat])
        else:
            calling = Calling(spec.name, spec.path, lambda: f"failed {place()}", seat)
            coded[seat] = spec.make(f" on seat {seat} in match {match}", seat), calling
    go_on = course or state
    while (pending := state.pending) is not None:
        if not isinstance(pending, Question):
            go_on.next_deal()
            continue
        seat, actions = pending.seat, pending.actions
        index: int | None
        chosen: Any = None
        if seat in scripted:
            index = answer(scripted[seat], seating[seat].name, pending, place)
        elif seat in searches:
            index = searches[seat].choose()
        else:
            view = make_view(state.match, table.game, pending, streams[seat])
            player, calling = coded[seat]
            with calling:
                chosen = player.choose(view)
                index = index_of(chosen, actions)
        if index is None:
            spec = seating[seat]
            raise StrategyError(
                f"strategy '{spec.name}' ({spec.path}) chose no legal action {place()}: "
                + describe_illegal(chosen, actions),
                seat,
                "chose no legal action",
            )
        if answered is not None:
            answered(state, pending, actions[index])
        go_on.apply(index)
    return MatchResult(state.winner, state.deals, state.decisions, state.counters())
