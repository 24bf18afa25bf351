"""Monte-Carlo: a strategy without knowledge of any game, which searches by play-outs.

For each legal action it plays the deal to its end many times, each time in another world that fits
its seat's observations (`worlds`), with one script on all seats. The value of an end is the share
of matches won from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256

from trutdsl.game import DealStart, Game, Question, RuleError, State
from trutdsl.interp.policy import Player
from trutdsl.language import figure, say
from trutdsl.native.play.search import Openings, SearchCode, SearchRequest
from trutdsl.strategy.match_history import MatchHistory, SeatObservations
from trutdsl.strategy.script import (
    ScriptedGame,
    ScriptSpec,
    is_meant_for,
    load_named,
    split_settings,
)
from trutdsl.strategy.worlds import Replay, Tries, World, WorldKnowledge, tries_for
from trutdsl.streams import Stream, luck_start, mix_in, strategy_key
from trutdsl.table.faults import PolicyError
from trutdsl.variant import BadParameter

Ending = tuple[int, ...]  # whether the match is over, who won it, who deals next, then all counters


def play_worlds(
    table: ScriptedGame, course: MatchHistory, noticed: SeatObservations, script: ScriptSpec,
    seed: int, worlds: int,
) -> list[tuple[float, list[Ending]]]:  # fmt: skip
    """Return the weight of each world and the ends of its deal, one for each legal action.

    The reference engine plays. World w is drawn from a stream that starts at (seed, w). There are
    fewer worlds if the tries run out.
    """
    asking, result = WorldKnowledge(course, noticed), []
    tries = Tries(tries_for(worlds), tries_for(worlds))
    for number in range(worlds):
        stream = Stream(mix_in(seed, number))
        world = asking.sample_world(stream, tries)
        if world is None:
            break
        actions = range(len(noticed.sights[-1][1]))
        weight, start = world.weight, stream.state
        endings = [_play_out(table, asking, world, start, script, i) for i in actions]
        result.append((weight, endings))
    return result


def _play_out(
    table: ScriptedGame,
    asking: WorldKnowledge,
    world: World,
    start: int,
    script: ScriptSpec,
    index: int,
) -> Ending:
    """Return the end of the deal after an action; `start` fixes its random streams."""
    replay, game = Replay(asking, world, Stream(0)), asking.game
    state = replay.play()
    replay.set_free(start)
    players = [
        table.player(script, state, seat, Stream(mix_in(start, 3 + seat)))
        for seat in range(game.players)
    ]
    opening = asking.course.opening
    deals = state.deals + (1 if opening else 0)
    failed = True  # a match whose rules fail is over, and drawn
    with suppress(RuleError):
        state.apply(index)
        play_on(state, players, lambda state: state.deals == deals)
        failed = False
    over = failed or state.pending is None
    winner = -1 if state.winner is None else state.winner
    counters = [value for of_teams in state.counters().values() for value in of_teams]
    return (int(over), winner, state.dealer, *counters)


def play_on(state: State, players: Sequence[Player], stops: Callable[[State], bool]) -> None:
    """Play a match to its end, or to the start of a deal at which it is to stop."""
    while state.pending is not None:
        if isinstance(state.pending, Question):
            try:
                index = players[state.pending.seat].choose(state.pending)
            except PolicyError:
                index = 0  # as machine code goes on after a fault
            state.apply(index)
        elif isinstance(state.pending, DealStart) and not stops(state):
            state.next_deal()
        else:
            return


NAME = "monte-carlo"
SUMMARY = "Plays on in worlds that fit what it has seen, and does what turned out best."
PLAYOUTS, MOST_PLAYOUTS = 1000, 1_000_000
MOST_MATCHES = 128  # for the worth of counters in a decision, for each play-out
WHOLE_WEIGHT = 2**30  # parts of the largest weight of a world
SCRIPTS = ("steady", "uniform")  # for play-outs, unless the user names one


@dataclass(frozen=True, eq=False)
class MonteCarloSpec:
    """The strategy before a match.

    playouts: the number for a decision, shared by its actions. scripts: the first one that is for
    the variant plays on every seat.
    """

    name: str
    fingerprint: str
    playouts: int
    scripts: tuple[ScriptSpec, ...] = field(repr=False)
    summary: str = SUMMARY
    path: str = NAME

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"

    @property
    def files(self) -> tuple[str, ...]:
        """Its name: all its files are shipped."""
        return (self.path,)

    def native_on(self, _seat: int) -> str | None:
        return None

    def script_for(self, game: Game) -> ScriptSpec:
        """Return the script of the play-outs; the last one if none is for the variant."""
        scripts = (script for script in self.scripts if is_meant_for(script, game.variant))
        return next(scripts, self.scripts[-1])


def load_monte_carlo(settings: str) -> MonteCarloSpec:
    """Return the strategy with its settings, `playouts=N,playout=SCRIPT`; raises `BadParameter`."""
    values = split_settings(settings, ("playouts", "playout"), NAME)
    text = values.get("playouts", str(PLAYOUTS))
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_PLAYOUTS):
        message = say(
            "'playouts' is a whole number from 1 to {most}, not '{text}'",
            most=figure(MOST_PLAYOUTS, ","),
            text=text,
        )
        raise BadParameter("playouts", message)
    playout = values.get("playout", "")
    scripts = tuple(load_named(ref) for ref in ((playout,) if playout else SCRIPTS))
    texts = [f"playouts={int(text)}"] * (int(text) != PLAYOUTS)
    texts += [f"playout={script.name}" for script in scripts if playout]
    name = NAME + (":" + ",".join(texts) if texts else "")
    parts = [NAME, str(int(text)), *(script.fingerprint for script in scripts)]
    return MonteCarloSpec(name, sha256(" ".join(parts).encode()).hexdigest(), int(text), scripts)


@dataclass(frozen=True)
class SearchResult:
    """The index of the action to take, and the worlds behind it.

    weights: of the worlds. worths: for each world what each action is worth there. whole: the
    worth of a won match.
    """

    index: int
    weights: Sequence[int] = ()
    worths: Sequence[Sequence[int]] = ()
    whole: int = 1


class MonteCarlo:
    """Plays one seat in one match."""

    def __init__(
        self,
        spec: MonteCarloSpec,
        table: ScriptedGame,
        course: MatchHistory,
        seat: int,
        stream: Stream,
    ) -> None:
        self.spec, self.table, self.course = spec, table, course
        self.seat, self.stream = seat, stream
        self.script = spec.script_for(course.game)
        self.standings = standings_of(table, self.script, spec.playouts)

    def choose(self) -> int:
        """Return the index of the best action, the first of equals; without worlds a random one."""
        return self.search().index

    def search(self) -> SearchResult:
        """Return the best action, and what each action is worth in each world."""
        actions = len(self.course.noticed[self.seat].sights[-1][1])
        if actions == 1:
            return SearchResult(0)
        seed = self.stream.next64()
        endings = self._endings(seed, max(1, self.spec.playouts // actions))
        if not endings:
            return SearchResult(self.stream.below(actions))
        weights = whole_weights([weight for weight, _ in endings])
        matches = self._matches_for({ending for _, of_world in endings for ending in of_world})
        worths = [[self._worth(ending, matches) for ending in of_world] for _, of_world in endings]
        sums = [
            sum(weight * worth for weight, worth in zip(weights, each, strict=True))
            for each in zip(*worths, strict=True)
        ]
        return SearchResult(sums.index(max(sums)), weights, worths, 2 * matches)

    def _endings(self, seed: int, worlds: int) -> Sequence[tuple[float, Sequence[Ending]]]:
        noticed, course = self.course.noticed[self.seat], self.course
        if course.game.engine == "reference":
            return play_worlds(self.table, course, noticed, self.script, seed, worlds)
        code = course.game.steps
        assert isinstance(code, SearchCode)
        policy = self.table.policy_keys[self.script]
        weights, rows = code.search(request_of(course, self.seat, policy, seed, worlds))
        endings = ([tuple(row) for row in of_world] for of_world in rows.tolist())
        return list(zip(weights.tolist(), endings, strict=True))

    def _matches_for(self, endings: Set[Ending]) -> int:
        """Return from how many matches the worth of counters is estimated.

        It is the number of play-outs. It is halved until the matches from all endings together are
        at most `MOST_MATCHES` for each play-out.
        """
        matches = self.spec.playouts
        while matches > 1 and matches * len(endings) > MOST_MATCHES * self.spec.playouts:
            matches //= 2
        return matches

    def _worth(self, ending: Ending, matches: int) -> int:
        """Return how many of so many matches are won, times two."""
        team = self.table.game.setting.team(self.seat)
        over, winner, dealer, *counters = ending
        if over:
            return matches * (1 if winner < 0 else 2 * (winner == team))
        return self.standings.wins(dealer, tuple(counters), matches)[team]


def search_after(
    answers: Sequence[str],
    spec: MonteCarloSpec,
    table: ScriptedGame,
    course: MatchHistory,
    seat: int,
    seed: int,
    match: int = 0,
) -> SearchResult:
    """Return what a search finds at a seat's question, after these answers of a match.

    course: the match at its start. seed, match: decide the luck of the search.
    """
    left = list(answers)
    while left or not isinstance(course.state.pending, Question):
        if isinstance(course.state.pending, Question):
            course.apply(course.state.pending.texts.index(left.pop(0)))
        else:
            course.next_deal()
    luck = luck_start(strategy_key(seed, spec.name), match, seat)
    return MonteCarlo(spec, table, course, seat, Stream(luck)).search()


def whole_weights(weights: Sequence[float]) -> list[int]:
    """Return weights as whole parts of the largest one, so that sums are exact."""
    most = max(weights)
    return [round(weight / most * WHOLE_WEIGHT) for weight in weights]


def request_of(
    course: MatchHistory, seat: int, policy: str, seed: int, worlds: int
) -> SearchRequest:
    noticed = course.noticed[seat]
    return SearchRequest(
        seat, seed, worlds, tries_for(worlds), course.opening, course.permutes,
        noticed.hidden_cards, noticed.seen_cards if course.permutes else 0, course.classes,
        course.start, noticed.marks, noticed.checks, len(noticed.sights[-1][1]), policy,
    )  # fmt: skip


class Standings:
    """The value of counters: how many matches each team wins from there.

    The script plays these matches on all seats, with the same luck for all counters.
    """

    def __init__(self, table: ScriptedGame, script: ScriptSpec, most: int) -> None:
        self.table, self.script, self.most = table, script, most
        self._known: dict[tuple[int, tuple[int, ...], int], list[int]] = {}

    def wins(self, dealer: int, counters: tuple[int, ...], matches: int) -> list[int]:
        """Return for each team how many matches it wins, times two, one for each drawn one.

        matches: how many are played; the first of those at other counters.
        """
        key = dealer, counters, matches
        if key not in self._known:
            wins = [0] * self.table.game.team_count
            for winner in self._winners(*key):
                for team in range(len(wins)):
                    wins[team] += 1 if winner < 0 else 2 * (winner == team)
            self._known[key] = wins
        return self._known[key]

    def _winners(self, dealer: int, counters: tuple[int, ...], matches: int) -> Sequence[int]:
        game = self.table.compiled_game
        if game.engine == "native":
            assert isinstance(game.steps, SearchCode)
            memory, tables = self._openings
            openings = memory[:matches], tables[:matches]
            winners: list[int] = game.steps.winners(openings, dealer, counters).tolist()
            return winners
        result = []
        key = strategy_key(0, self.script.name)
        for match in range(matches):
            state = game.start(0, match)
            players = [
                self.table.player(self.script, state, seat, Stream(luck_start(key, match, seat)))
                for seat in range(game.players)
            ]
            play_on(state, players, lambda _: True)
            machine, teams = state.match, game.team_count
            machine.set_values("dealer", [dealer])
            for place, name in enumerate(machine.counters()):
                machine.set_values(name, counters[teams * place : teams * (place + 1)])
            with suppress(RuleError):  # no team wins such a match
                play_on(state, players, lambda _: False)
            result.append(-1 if state.winner is None else state.winner)
        return result

    @cached_property
    def _openings(self) -> Openings:
        code = self.table.compiled_game.steps
        assert isinstance(code, SearchCode)
        return code.openings(self.table.policy_keys[self.script], self.most)


@lru_cache(maxsize=64)
def standings_of(table: ScriptedGame, script: ScriptSpec, most: int) -> Standings:
    """Return the standings of a table, the same for as long as the process lives."""
    return Standings(table, script, most)
