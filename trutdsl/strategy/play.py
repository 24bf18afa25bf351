"""A match between strategies: once, twice to check them, or at one of many tables."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from trutdsl.arguments import check_arguments, check_range
from trutdsl.diagnostics import BadUsage, Error, Failure, did_you_mean
from trutdsl.game import Action, Game, MatchResult, Question, State
from trutdsl.game.view import make_view
from trutdsl.interp.policy import Player
from trutdsl.language import quote_name, say
from trutdsl.strategy.bots import Bot, BotSpec, end_process
from trutdsl.strategy.fitness import Strategies, seat_all
from trutdsl.strategy.load import Spec
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import MonteCarlo, MonteCarloSpec
from trutdsl.strategy.script import ScriptedGame, ScriptSpec, answer, table_for
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.strategy.spec import (
    OutOfTime,
    ProcessFailed,
    Strategy,
    StrategyCall,
    StrategyError,
    StrategySpec,
    calls_of,
    name_of_kind,
    shorten,
)
from trutdsl.streams import Stream, luck_start, strategy_key
from trutdsl.table.chance import StreamChance


def index_of(result: Any, question: Question, calling: StrategyCall) -> int | None:
    """Return the index of the legal action that a strategy result, as object or text; else None.

    calling: the call of the strategy; comparing its action may run its code.
    """
    try:
        if type(result) is str:
            return question.texts.index(result)
        if type(result) is Action:
            with calling:
                return question.actions.index(result) if result in question.actions else None
    except ValueError:
        pass
    return None


def describe_illegal(result: Any, texts: Sequence[str]) -> str:
    near = ""
    if type(result) is str:
        text = quote_name(shorten(result))
        near = f"; {suggestion}" if (suggestion := did_you_mean(result, texts)) else ""
    elif type(result) is Action and type(result.text) is str:
        text = say("the action '{answer}'", answer=shorten(result.text))
    elif result is None:
        text = "nothing"
    else:
        text = say("something of the kind {kind}", kind=name_of_kind(result))
    return say(
        "it returned {said}{near}; legal: {names}", said=text, near=near, names=", ".join(texts)
    )


# Arguments: the state, the question, the action, and whether a script took it by a clause `any`.
AnswerListener = Callable[[State, Question, Action, bool], None]
PauseListener = Callable[[State], None]
Emit = Callable[[dict[str, Any]], None]
Begin = Callable[[Game, Emit | None], State]


@check_arguments
def play_match(
    game: Game,
    seating: Strategies,
    seed: int,
    match: int = 0,
    emit: Callable[[dict[str, Any]], None] | None = None,
    on_answer: AnswerListener | None = None,
    on_pause: PauseListener | None = None,
    answers: Sequence[str] = (),
    begin: Begin | None = None,
) -> MatchResult:
    """Play one match to its end, one strategy a seat; raises `StrategyError` if one fails.

    seating: a strategy for all seats, for each team or for each seat, see `load_strategy`.
    seed: 0..2**128-1; match: its index under this seed. emit: receives every event as it happens.
    on_answer: receives every answer before it is applied. on_pause: receives the state before every
    deal and at the end. answers: the first answers, for which no strategy is asked; raises
    `BadUsage` if the rules do not allow one. begin: see `play_waiting`.
    """
    check_range("match", match, 0)
    seats = seat_all(game, seating)
    playing = play_waiting(game, seats, seed, match, emit, on_answer, on_pause, 0, answers, begin)
    while True:
        try:
            next(playing)
        except StopIteration as over:
            result: MatchResult = over.value
            return result
        except (Error, OutOfTime):
            raise
        except BaseException as problem:
            _blame_strategy(problem, seats, match)
            raise


def _blame_strategy(problem: BaseException, seats: Sequence[Spec], match: int) -> None:
    """Raise `StrategyError` if code of a strategy raised this outside of a call, as tracers can."""
    where = say("in match {match}, outside of its choices", match=match + 1)
    files = {file for file, _, _ in calls_of(problem.__traceback__)}
    for seat, spec in enumerate(seats):
        if is_program(spec) and spec.path in files:
            call = StrategyCall(
                spec.name, spec.path, lambda: say("failed {where}", where=where), seat
            )
            call.explain(problem, type(problem), problem.__traceback__)


class _Seats:
    """The strategies of one match, at their seats.

    driver: the history of the match if a strategy searches, else its state.
    """

    def __init__(
        self,
        game: Game,
        seating: Sequence[Spec],
        seed: int,
        match: int,
        table: ScriptedGame,
        driver: MatchHistory | State,
        bot_table: int,
    ) -> None:
        self.seating, self.match, self.legends = seating, match, table.game.legends
        self.state = state = driver if isinstance(driver, State) else driver.state
        keys = [strategy_key(seed, spec.name) for spec in seating]
        self.streams = [Stream(luck_start(key, match, seat)) for seat, key in enumerate(keys)]
        self.scripts: dict[int, Player] = {}
        self.searches: dict[int, MonteCarlo] = {}
        # Bots are apart, because `isinstance` of a strategy can run its code.
        self.bots: dict[int, tuple[Bot, StrategyCall]] = {}
        self.coded: dict[int, tuple[Strategy, StrategyCall]] = {}
        for seat, spec in enumerate(seating):
            if isinstance(spec, ScriptSpec):
                self.scripts[seat] = table.player(spec, state, seat, self.streams[seat])
            elif isinstance(spec, MonteCarloSpec):
                assert isinstance(driver, MatchHistory)
                self.searches[seat] = MonteCarlo(spec, table, driver, seat, self.streams[seat])
            else:
                call = StrategyCall(spec.name, spec.path, self._failure, seat)
                where = say(
                    " as player {player} in match {match}", player=seat + 1, match=match + 1
                )
                if isinstance(spec, BotSpec):
                    self.bots[seat] = spec.make(where, seat, bot_table), call
                elif isinstance(spec, SolvedSpec):
                    self.coded[seat] = spec.player_for(game, seat), call
                else:
                    self.coded[seat] = spec.make(where, seat), call

    def choose(self, question: Question) -> Generator[None, None, int]:
        """Return the index of the action that the strategy chooses; yield while a bot thinks.

        Raises `StrategyError` if the strategy fails or chooses no legal action.
        """
        seat = question.seat
        if seat in self.scripts:
            return answer(self.scripts[seat], self.seating[seat].name, question, self._place)
        if seat in self.searches:
            return self.searches[seat].choose()
        view = make_view(self.state.match, self.legends, question, self.streams[seat])
        choice: Any
        if seat in self.bots:
            bot, call = self.bots[seat]
            with call:
                bot.ask(view)
            yield
            with call:
                choice = bot.answer()
        else:
            player, call = self.coded[seat]
            with call:
                choice = player.choose(view)
        index = index_of(choice, question, call)
        if index is None:
            spec = self.seating[seat]
            message = say(
                "strategy '{spec}' ({path}) chose no legal action {place}: ",
                spec=spec.name,
                path=spec.path,
                place=self._place(),
            )
            message += describe_illegal(choice, question.texts)
            raise StrategyError(message, seat, say("chose no legal action"))
        return index

    def find_answer(self, question: Question, text: str) -> int:
        """Return the index of an answer that is known; raises `BadUsage` if it is not allowed."""
        if text not in question.texts:
            raise BadUsage(
                say("the rules do not allow '{text}' {place}", text=text, place=self._place())
            )
        return question.texts.index(text)

    def took_any(self, seat: int) -> bool:
        """Tell whether the last answer of a seat came from a clause `any` of its script."""
        return seat in self.scripts and self.scripts[seat].took_any

    def _place(self) -> str:
        question = self.state.pending
        assert isinstance(question, Question)
        return say(
            "in match {match}, deal {deal}, asked for '{decision}' as player {player}",
            match=self.match + 1,
            deal=self.state.deals,
            decision=question.decision,
            player=question.seat + 1,
        )

    def _failure(self) -> str:
        return say("failed {where}", where=self._place())


def play_waiting(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    match: int,
    emit: Callable[[dict[str, Any]], None] | None = None,
    on_answer: AnswerListener | None = None,
    on_pause: PauseListener | None = None,
    bot_table: int = 0,
    answers: Sequence[str] = (),
    begin: Begin | None = None,
) -> Generator[None, None, MatchResult]:
    """Play one match as `play_match` does; yield after each question to a bot.

    bot_table: the index of the match among those that the bots play at once. begin: returns the
    match of this game at another start, whose events go to `emit`; not for searches.
    """
    scripts = (spec for spec in seating if isinstance(spec, ScriptSpec))
    searching = {seat: s for seat, s in enumerate(seating) if isinstance(s, MonteCarloSpec)}
    playing_out = (spec.script_for(game) for spec in searching.values())
    table = table_for(game, tuple(dict.fromkeys((*scripts, *playing_out))))
    history = None
    if searching:
        chance = StreamChance(seed, match)
        history = MatchHistory(table.compiled_game, tuple(searching), chance, emit)
        state = history.state
    elif begin:
        state = begin(table.game, emit)
    else:
        state = table.game.start(seed, match, emit, pauses=on_pause is not None)
    seats = _Seats(game, seating, seed, match, table, history or state, bot_table)
    driver, known = history or state, iter(answers)
    while (pending := state.match.pending) is not None:
        if not isinstance(pending, Question):
            if on_pause is not None:
                on_pause(state)
            driver.next_deal()
            continue
        if (text := next(known, None)) is not None:
            index = seats.find_answer(pending, text)
        else:
            index = yield from seats.choose(pending)
        if on_answer is not None:
            on_answer(state, pending, pending.actions[index], seats.took_any(pending.seat))
        driver.apply(index)
    if on_pause is not None:
        on_pause(state)
    return MatchResult(state.winner, state.deals, state.choices, state.counters())


EVERY = 50  # one of so many matches, the first one, is played twice


def is_program(spec: Spec) -> bool:
    """Tell whether a strategy runs code of its own, which may choose differently each time."""
    return isinstance(spec, StrategySpec) and not isinstance(spec, SolvedSpec)


def play_checked(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    match: int,
    emit: Callable[[dict[str, Any]], None] | None = None,
    on_answer: AnswerListener | None = None,
) -> MatchResult:
    """Play one match as `play_match` does; repeat one of every `EVERY` if a strategy is a program.

    Only the first play is reported. Raises `StrategyError` also for a strategy that chooses
    differently the second time: by its own random numbers, a clock, or memory of other matches.
    The index of a match decides whether it is repeated.
    """
    if match % EVERY or not any(is_program(spec) for spec in seating):
        return play_match(game, seating, seed, match, emit, on_answer)
    actions: list[Action] = []
    result = play_match(game, seating, seed, match, emit, note_actions(actions, on_answer))
    play_again(game, seating, seed, match, actions)
    return result


def note_actions(actions: list[Action], on_answer: AnswerListener | None = None) -> AnswerListener:
    """Return a listener that adds each action to a list, and passes it on."""

    def note(state: State, question: Question, action: Action, took_any: bool) -> None:
        actions.append(action)
        if on_answer is not None:
            on_answer(state, question, action, took_any)

    return note


def play_again(
    game: Game, seating: Sequence[Spec], seed: int, match: int, actions: Sequence[Action]
) -> None:
    """Play a match again; raises `StrategyError` for a strategy that chooses differently."""
    before = iter(actions)

    def compare(_state: State, question: Question, action: Action, _took_any: bool) -> None:
        if (first := next(before)) != action:
            spec, seat = seating[question.seat], question.seat
            message = say(
                "strategy '{spec}' ({path}) does not choose the same again in match "
                "{match}, asked for '{decision}' as player {player}: '{first}', then "
                "'{action}'; take all luck from view.random, and remember no other match",
                spec=spec.name,
                path=spec.path,
                match=match + 1,
                decision=question.decision,
                player=seat + 1,
                first=first.text,
                action=action.text,
            )
            raise StrategyError(message, seat, say("does not choose the same again"))

    play_match(game, seating, seed, match, on_answer=compare)


# Tables: several matches at once between bots, which answer in all of them over one pipe.
#
# A bot gets the questions of all tables before it answers, in order. So no process is woken for a
# single question. Results do not depend on the other tables: if anything fails, the unfinished
# matches are repeated one by one.

BLOCK = 4  # matches for each table before any is reported

_failed: set[str] = set()  # bots that play one match at a time from now on


def tables_for(game: Game, seating: Sequence[Spec]) -> int:
    """Return at how many tables these strategies can play at once; 0 if one of them cannot.

    Two bots cannot in a game with secret questions: the order of tables would show one bot that
    the other was asked before.
    """
    bots = [spec for spec in seating if isinstance(spec, BotSpec)]
    others = any(isinstance(s, StrategySpec) and not isinstance(s, BotSpec) for s in seating)
    if len(bots) > 1 and game.secret_questions:
        return 0
    if others or any(spec.fingerprint in _failed for spec in bots):
        return 0
    return min((spec.tables for spec in bots), default=0)


def play_at_tables(
    game: Game, seating: Sequence[Spec], seed: int, first: int, count: int
) -> Iterator[MatchResult]:
    """Yield the results of matches; raises `StrategyError` as `play_leg` does.

    One of every `EVERY` matches is also played by itself, with the same actions.
    """
    at, end = first, first + count
    while at < end:
        tables = tables_for(game, seating)
        matches = range(at, min(at + BLOCK * max(tables, 1), end))
        actions: dict[int, list[Action]] = {match: [] for match in matches if match % EVERY == 0}
        results = _play(game, seating, seed, matches, tables, actions) if tables > 1 else {}
        for match in matches:
            if match not in results:
                yield play_checked(game, seating, seed, match)
                continue
            if match in actions:
                play_again(game, seating, seed, match, actions[match])
            yield results[match]
        at = matches.stop


def _play(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    matches: range,
    tables: int,
    actions: dict[int, list[Action]],
) -> dict[int, MatchResult]:
    """Return the results of the matches that ended before anything failed."""
    result: dict[int, MatchResult] = {}
    left = iter(matches)
    free = list(range(min(tables, len(matches))))
    playing: dict[int, tuple[int, Generator[None, None, MatchResult]]] = {}  # by table
    whole = False
    try:
        while True:
            for table in free:
                if (match := next(left, None)) is not None:
                    note = note_actions(actions[match]) if match in actions else None
                    one = play_waiting(game, seating, seed, match, None, note, bot_table=table)
                    playing[table] = match, one
            free = []
            if not playing:
                break
            # The order of the questions, the same in every round.
            for table, (match, one) in list(playing.items()):
                try:
                    next(one)
                except StopIteration as over:
                    result[match] = over.value
                    del playing[table]
                    free.append(table)
        whole = True
    except (Failure, OutOfTime, ProcessFailed):
        _failed.update(spec.fingerprint for spec in seating if isinstance(spec, BotSpec))
    finally:
        if not whole:
            for seat, spec in enumerate(seating):
                if isinstance(spec, BotSpec):
                    end_process(spec, seat)  # nobody waits for its open questions
    return result
