"""The schedule of an experiment: who meets whom on which seats, set by set, in chunks.

It depends only on the experiment, never on the machine or the workers.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

from trutdsl.diagnostics import did_you_mean
from trutdsl.game import BadUsage, Game
from trutdsl.language import quote_name, say
from trutdsl.options import Settings
from trutdsl.stats.design import MATCHES, Design, TournamentMetric, everyone_meets, team_orders
from trutdsl.stats.rounds import FORMATS
from trutdsl.strategy.legs import PlayLeg, play_leg
from trutdsl.strategy.load import Spec
from trutdsl.streams import LARGEST_SEED


@dataclass(frozen=True)
class Experiment:
    """Strategies, or partnerships of them, that meet on shared deals.

    strategies: in order of their names, so that their order on the command line has no effect.
    sets:       duplicate sets per combination; set m is match index m, the same deals for everyone.
    play:       plays some matches in one seating.
    metric:     the value of a match.
    sequential: the results decide when play ends.
    partners:   the entrants, each as the strategies (indices) that share a team's seats; if empty,
                each strategy is an entrant and has all seats of its team.
    meetings:   the entrants (indices) of each meeting, one for each team; None: all combinations.
    """

    game: Game
    strategies: tuple[Spec, ...]
    seed: int
    sets: int
    play: PlayLeg = play_leg
    metric: TournamentMetric = MATCHES
    sequential: bool = False
    partners: tuple[tuple[int, ...], ...] = ()
    meetings: tuple[tuple[int, ...], ...] | None = None

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The names of the entrants: strategies, or partnerships such as `a+b`."""
        names = [strategy.name for strategy in self.strategies]
        together = ("+".join(names[i] for i in members) for members in self.partners)
        return tuple(together) if self.partners else tuple(names)

    @cached_property
    def design(self) -> Design:
        """The meetings on the deals of a set, and their orders."""
        teams, entrants = self.game.team_count, len(self.entrants)
        meetings = everyone_meets(entrants, teams) if self.meetings is None else self.meetings
        ways = len(self._exchanges)
        return Design(entrants, teams, meetings, self.metric, self.sequential, ways)

    @cached_property
    def _exchanges(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The orders in which partners take the seats of each team."""
        if not self.partners:
            return (((0,),) * self.game.team_count,)
        orders = tuple(permutations(range(len(self.partners[0]))))
        return tuple(product(orders, repeat=self.game.team_count))

    @cached_property
    def legs(self) -> tuple[tuple[int, ...], ...]:
        """The matches of a set, each as the strategy (an index) of each seat."""
        return tuple(
            self._strategies_by_seat([combination[place] for place in order], exchange)
            for combination in self.design.combinations
            for order in team_orders(self.game.team_count)
            for exchange in self._exchanges
        )

    def _strategies_by_seat(
        self, entrants: Sequence[int], exchange: tuple[tuple[int, ...], ...]
    ) -> tuple[int, ...]:
        """Return the strategy of each seat; entrants: one for each team."""
        if not self.partners:
            return tuple(entrants[team] for team in self.game.teams)
        counts: Counter[int] = Counter()
        result = []
        for team in self.game.teams:
            result.append(self.partners[entrants[team]][exchange[team][counts[team]]])
            counts[team] += 1
        return tuple(result)

    @cached_property
    def digest(self) -> str:
        """A hash of everything that affects the results of a set."""
        content = {
            "variant": self.game.fingerprint,
            "strategies": [[s.name, s.fingerprint] for s in self.strategies],
            "legs": self.legs,
            "seed": self.seed,
            "metric": self.metric.name,
        }
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def place_of(self, name: str) -> int:
        """Return the index of the entrant of this name."""
        return self.entrants.index(name)


def refuse_twice(strategies: Sequence[Spec]) -> None:
    """Raise `BadUsage` if two strategies have the same name."""
    twice = [name for name, count in Counter(s.name for s in strategies).items() if count > 1]
    if twice:
        names = ", ".join(quote_name(name) for name in sorted(twice))
        text = (
            "strategy {names} is given more than once; leave it out, or give another strategy "
            "another name"
        )
        raise BadUsage(say(text, names=names))


def plan_experiment(
    game: Game,
    strategies: Sequence[Spec],
    seed: int,
    sets: int,
    play: PlayLeg = play_leg,
    metric: TournamentMetric = MATCHES,
    sequential: bool = False,
) -> Experiment:
    """Return the experiment; raises `BadUsage` if it is impossible."""
    if sets < 1:
        raise BadUsage(say("--sets must be at least 1, not {sets}", sets=sets))
    if not 0 <= seed <= LARGEST_SEED:
        raise BadUsage(say("--seed must be from 0 to 2**128-1, not {seed}", seed=seed))
    refuse_twice(strategies)
    if len(strategies) < game.team_count:
        raise BadUsage(
            say(
                "{game} with {players} players has {team_count} teams and needs at least "
                "as many strategies; {number} given",
                game=game.name,
                players=game.players,
                team_count=game.team_count,
                number=len(strategies),
            )
        )
    by_name = tuple(sorted(strategies, key=lambda s: s.name))
    return Experiment(game, by_name, seed, sets, play, metric, sequential)


TWO = 2


def arrange(experiment: Experiment, settings: Settings) -> Experiment:
    """Return the experiment with the meetings of its format; formats in rounds have none yet.

    Raises `BadUsage` if the format does not suit the game or the strategies.
    """
    names = [strategy.name for strategy in experiment.strategies]
    match settings.format:
        case "one-against-all":
            if settings.against not in names:
                near = did_you_mean(settings.against or "", names)
                near = near or say("choose from {names}", names=", ".join(names))
                text = "--against {against}: no such strategy is given; {near}"
                raise BadUsage(say(text, against=settings.against, near=near))
            at = names.index(settings.against)
            meetings = [c for c in experiment.design.combinations if at in c]
            return replace(experiment, meetings=tuple(meetings))
        case "partnerships":
            result = replace(experiment, partners=_partnerships(experiment))
            (name, many), *_ = Counter(result.entrants).most_common()
            if many > 1:
                text = (
                    "--format partnerships: two of them are called {name}; give a strategy a name "
                    "without +"
                )
                raise BadUsage(say(text, name=quote_name(name)))
            return result
        case name if name in FORMATS:
            if experiment.game.team_count != TWO:
                text = "--format {name} is for two teams, not {team_count}"
                raise BadUsage(say(text, name=name, team_count=experiment.game.team_count))
            return replace(experiment, meetings=())
    return experiment


def _partnerships(experiment: Experiment) -> tuple[tuple[int, ...], ...]:
    game = experiment.game
    sizes = {game.teams.count(team) for team in game.teams}
    if sizes != {TWO}:
        raise BadUsage(
            say(
                "--format partnerships is for teams of two; {game} with {players} players "
                "has teams of {names}",
                game=game.name,
                players=game.players,
                names=", ".join(map(str, sorted(sizes))),
            )
        )
    pairs = tuple(combinations(range(len(experiment.strategies)), TWO))
    if len(pairs) < game.team_count:
        raise BadUsage(say("--format partnerships needs three strategies or more"))
    return pairs


class Chunk(NamedTuple):
    """A range of sets, played by all combinations: `first` <= set index < `end`."""

    first: int
    sets: int

    @property
    def end(self) -> int:
        """The first set after the chunk."""
        return self.first + self.sets

    @property
    def range(self) -> range:
        return range(self.first, self.end)


def chunk_key(experiment: Experiment, chunk: Chunk) -> str:
    """Return a hash of everything that affects the counts of a chunk."""
    content = f"{experiment.digest} {chunk.first} {chunk.sets}"
    return sha256(content.encode()).hexdigest()


class MissingSets:
    """The missing sets of a range, in order.

    done:  the finished chunks; they do not overlap.
    every: no chunk crosses a multiple of this number of sets; None for no such limit.
    """

    def __init__(self, span: Chunk, done: Iterable[Chunk] = (), every: int | None = None) -> None:
        self._every = every
        self._gaps: list[Chunk] = []
        at = span.first
        for chunk in sorted(done):
            self._add(at, min(chunk.first, span.end))
            at = max(at, chunk.end)
        self._add(at, span.end)
        self.left = sum(gap.sets for gap in self._gaps)

    def _add(self, first: int, end: int) -> None:
        if first < end:
            self._gaps.append(Chunk(first, end - first))

    def take(self, most: int) -> Chunk | None:
        """Return the next chunk of at most so many sets (1 or more); None at the end."""
        if not self._gaps:
            return None
        gap = self._gaps[0]
        sets = min(most, gap.sets)
        if self._every is not None:
            sets = min(sets, self._every - gap.first % self._every)
        if sets == gap.sets:
            del self._gaps[0]
        else:
            self._gaps[0] = Chunk(gap.first + sets, gap.sets - sets)
        self.left -= sets
        return Chunk(gap.first, sets)


def contiguous(done: Iterable[Chunk], first: int = 0) -> int:
    """Return the first missing set from `first` on."""
    for chunk in sorted(done):
        if chunk.first > first:
            break
        first = max(first, chunk.end)
    return first


def overlapping(chunks: Iterable[Chunk]) -> bool:
    """Tell whether two of the chunks hold the same set."""
    return any(one.end > other.first for one, other in pairwise(sorted(chunks)))


def most_sets(chunks: Iterable[Chunk]) -> set[Chunk]:
    """Return those of the chunks that hold the most sets together, each set once.

    This is weighted interval scheduling. Up to each end, the best choice either leaves out the last
    chunk, or takes it and the best choice of those before it.
    """
    ordered = sorted(set(chunks), key=lambda chunk: (chunk.end, chunk.first))
    ends = [chunk.end for chunk in ordered]
    before = [bisect_right(ends, chunk.first) for chunk in ordered]
    most = [0]
    for chunk, count in zip(ordered, before, strict=True):
        most.append(max(most[-1], most[count] + chunk.sets))
    result, left = set[Chunk](), len(ordered)
    while left:
        is_taken = most[left] > most[left - 1]
        result |= {ordered[left - 1]} if is_taken else set()
        left = before[left - 1] if is_taken else left - 1
    return result


def shard(sets: int, text: str) -> Chunk:
    """Return the K-th of N equal parts of so many sets, for a text `K/N`.

    Raises `BadUsage` for any other text.
    """
    part, slash, parts = text.partition("/")
    if not slash or not part.isdecimal() or not parts.isdecimal() or len(text) > 20:
        raise BadUsage(say("--shard must be K/N, such as 3/8, not '{text}'", text=text))
    k, n = int(part), int(parts)
    if not 1 <= k <= n:
        raise BadUsage(
            say("--shard {text}: the first number must be from 1 to {n}", text=text, n=n)
        )
    first, end = sets * (k - 1) // n, sets * k // n
    return Chunk(first, end - first)
