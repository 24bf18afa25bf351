"""What an experiment consists of: combinations of strategies, who sits where, duplicate sets.

Everything here is a pure function of the experiment, never of the machine or of the workers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import permutations, product

from trutdsl.game import BadUsage, Game
from trutdsl.stats.design import MATCHES, Design, TournamentMetric, everyone_meets, team_orders
from trutdsl.strategy import PlayLeg, Spec, play_leg
from trutdsl.streams import LARGEST_SEED


@dataclass(frozen=True)
class Experiment:
    """Strategies, or partnerships of them, that meet on shared deals.

    strategies: in order of their names, so that the order in which they were given changes nothing.
    sets:       duplicate sets per combination; set m is match index m, the same deals for everyone.
    play:       plays some matches in one seating of those who meet.
    metric:     what a match is worth.
    sequential: when play ends depends on what was played.
    partners:   who enters, as the strategies (indices) that share out a team's seats; none: each
                strategy by itself has all of them.
    meetings:   the entrants (indices) that meet, one for each team; None: every choice of them.
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
        """The names of those who are compared: strategies, or partnerships such as `a+b`."""
        names = [strategy.name for strategy in self.strategies]
        together = ("+".join(names[i] for i in members) for members in self.partners)
        return tuple(together) if self.partners else tuple(names)

    @cached_property
    def design(self) -> Design:
        """Who meets whom on the deals of a set, and in which orders."""
        teams, entrants = self.game.team_count, len(self.entrants)
        meetings = everyone_meets(entrants, teams) if self.meetings is None else self.meetings
        ways = len(self._exchanges)
        return Design(entrants, teams, meetings, self.metric, self.sequential, ways)

    @cached_property
    def _exchanges(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """In which orders partners take the seats of each team: all of them, one if alone."""
        if not self.partners:
            return (((0,),) * self.game.team_count,)
        orders = tuple(permutations(range(len(self.partners[0]))))
        return tuple(product(orders, repeat=self.game.team_count))

    @property
    def matches(self) -> int:
        return self.sets * self.design.matches_per_set

    @cached_property
    def legs(self) -> tuple[tuple[int, ...], ...]:
        """The matches of a set: the strategy (an index) of each seat, seating by seating."""
        return tuple(
            self._seated([combination[place] for place in order], exchange)
            for combination in self.design.combinations
            for order in team_orders(self.game.team_count)
            for exchange in self._exchanges
        )

    def _seated(
        self, entrants: Sequence[int], exchange: tuple[tuple[int, ...], ...]
    ) -> tuple[int, ...]:
        """Return the strategy of each seat; entrants: of each team."""
        if not self.partners:
            return tuple(entrants[team] for team in self.game.teams)
        taken: Counter[int] = Counter()
        found = []
        for team in self.game.teams:
            found.append(self.partners[entrants[team]][exchange[team][taken[team]]])
            taken[team] += 1
        return tuple(found)

    @cached_property
    def digest(self) -> str:
        """A hash of everything that decides the results of a set."""
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


def plan_experiment(
    game: Game,
    strategies: Sequence[Spec],
    seed: int,
    sets: int,
    play: PlayLeg = play_leg,
    metric: TournamentMetric = MATCHES,
    sequential: bool = False,
) -> Experiment:
    """Return the experiment, or raise `BadUsage` if it cannot be held."""
    if sets < 1:
        raise BadUsage(f"--sets must be at least 1, not {sets}")
    if not 0 <= seed <= LARGEST_SEED:
        raise BadUsage(f"--seed must be from 0 to 2**128-1, not {seed}")
    twice = [name for name, count in Counter(s.name for s in strategies).items() if count > 1]
    if twice:
        names = ", ".join(f"'{name}'" for name in sorted(twice))
        raise BadUsage(f"strategy {names} is given more than once; a name is for one strategy")
    if len(strategies) < game.team_count:
        raise BadUsage(
            f"{game.name} with {game.players} players has {game.team_count} teams and needs at "
            f"least as many strategies; {len(strategies)} given"
        )
    by_name = tuple(sorted(strategies, key=lambda s: s.name))
    return Experiment(game, by_name, seed, sets, play, metric, sequential)
