"""A match played by strategies."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from trutdsl.diagnostics import did_you_mean
from trutdsl.game import Action, Game, MatchResult, Question, State
from trutdsl.game.view import make_view
from trutdsl.interp.policy import Player
from trutdsl.strategy.bots import Bot, BotSpec
from trutdsl.strategy.calls import Strategy, StrategyCall, StrategyError, name_of_kind, shorten
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import MonteCarlo, MonteCarloSpec
from trutdsl.strategy.script import ScriptSpec, answer, table_for
from trutdsl.strategy.spec import Spec
from trutdsl.streams import Stream, luck_start, strategy_key
from trutdsl.table import StreamChance

# What a strategy has answered: which legal action, or if none, what it was.


def index_of(answer: Any, question: Question, calling: StrategyCall) -> int | None:
    """Return which legal action was answered, itself or as it is written; None for none.

    calling: of the strategy, whose code comparing may be, if it made the action itself.
    """
    try:
        if type(answer) is str:
            return question.texts.index(answer)
        if type(answer) is Action:
            with calling:
                return question.actions.index(answer) if answer in question.actions else None
    except ValueError:
        pass
    return None


def describe_illegal(answer: Any, texts: Sequence[str]) -> str:
    """Return what was answered instead of a legal action, and what is legal, in one line."""
    near = ""
    if type(answer) is str:
        said = f"'{shorten(answer)}'"
        near = f"; {found}" if (found := did_you_mean(answer, texts)) else ""
    elif type(answer) is Action and type(answer.text) is str:
        said = f"the action '{shorten(answer.text)}'"
    elif answer is None:
        said = "nothing"
    else:
        said = f"something of the kind {name_of_kind(answer)}"
    return f"it returned {said}{near}; legal: {', '.join(texts)}"


# Gets the match at a question, the question, what is going to be done, and whether a script took it
# by a clause `any`.
Answered = Callable[[State, Question, Action, bool], None]
Rested = Callable[[State], None]


def play_match(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    match: int,
    emit: Callable[[dict[str, Any]], None] | None = None,
    answered: Answered | None = None,
    rested: Rested | None = None,
) -> MatchResult:
    """Play one match to its end, one strategy a seat; raises `StrategyError` if one fails.

    seed: 0..2**128-1; match: its index under this seed. emit gets every event as it happens,
    answered every question with what was chosen, before it is done, rested the match before every
    deal and when it is over.
    """
    playing = play_waiting(game, seating, seed, match, emit, answered, rested)
    while True:
        try:
            next(playing)
        except StopIteration as over:
            result: MatchResult = over.value
            return result


def play_waiting(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    match: int,
    emit: Callable[[dict[str, Any]], None] | None = None,
    answered: Answered | None = None,
    rested: Rested | None = None,
    bot_table: int = 0,
) -> Generator[None, None, MatchResult]:
    """Play one match as `play_match` does; stop wherever a bot was asked, before its answer.

    bot_table: at which of the bots' tables it is played.
    """
    scripts = (spec for spec in seating if isinstance(spec, ScriptSpec))
    searching = {seat: s for seat, s in enumerate(seating) if isinstance(s, MonteCarloSpec)}
    playing_out = (spec.script_for(game) for spec in searching.values())
    table = table_for(game, tuple(dict.fromkeys((*scripts, *playing_out))))
    course = None
    if searching:
        course = MatchHistory(table.compiled, tuple(searching), StreamChance(seed, match), emit)
    state = (
        course.state if course else table.game.start(seed, match, emit, pauses=rested is not None)
    )
    keys = [strategy_key(seed, spec.name) for spec in seating]
    streams = [Stream(luck_start(key, match, seat)) for seat, key in enumerate(keys)]
    scripted: dict[int, Player] = {}
    searches: dict[int, MonteCarlo] = {}
    coded: dict[int, tuple[Strategy, StrategyCall]] = {}
    bots: dict[int, tuple[Bot, StrategyCall]] = {}

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
            calling = StrategyCall(spec.name, spec.path, lambda: f"failed {place()}", seat)
            where = f" on seat {seat} in match {match}"
            if isinstance(spec, BotSpec):
                bots[seat] = spec.make(where, seat, bot_table), calling
            else:
                coded[seat] = spec.make(where, seat), calling
    go_on, machine, rules = course or state, state.match, table.game
    while (pending := machine.pending) is not None:
        if not isinstance(pending, Question):
            if rested is not None:
                rested(state)
            go_on.next_deal()
            continue
        seat = pending.seat
        index: int | None
        chosen: Any = None
        if (code := coded.get(seat)) is not None:
            player, calling = code
            view = make_view(machine, rules, pending, streams[seat])
            chosen = calling.choose(player, view)
            index = index_of(chosen, pending, calling)
        elif seat in bots:
            bot, calling = bots[seat]
            view = make_view(machine, rules, pending, streams[seat])
            with calling:
                bot.ask(view)
            yield
            with calling:
                chosen = bot.answer()
            index = index_of(chosen, pending, calling)
        elif seat in scripted:
            index = answer(scripted[seat], seating[seat].name, pending, place)
        else:
            index = searches[seat].choose()
        if index is None:
            spec = seating[seat]
            raise StrategyError(
                f"strategy '{spec.name}' ({spec.path}) chose no legal action {place()}: "
                + describe_illegal(chosen, pending.texts),
                seat,
                "chose no legal action",
            )
        if answered is not None:
            took_any = seat in scripted and scripted[seat].took_any
            answered(state, pending, pending.actions[index], took_any)
        go_on.apply(index)
    if rested is not None:
        rested(state)
    return MatchResult(state.winner, state.deals, state.choices, state.counters())
