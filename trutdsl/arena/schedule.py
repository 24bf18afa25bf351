"""What an experiment consists of: combinations of strategies, duplicate sets, chunks of work.

Everything here is a pure function of the experiment, never of the machine or of the workers.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

from trutdsl.game import BadUsage, Game, MatchResult
from trutdsl.strategy import StrategySpec, play_match
from trutdsl.streams import LARGEST_SEED

PlayMatch = Callable[[Game, Sequence[StrategySpec], int, int], MatchResult]

# A chunk is what is lost when a run is stopped and what is sent to a worker at once: about a second
# of play, and at least some dozens in a short run so that all workers have something to do.
MATCHES_PER_CHUNK = 128
CHUNKS_IN_SHORT_RUN = 64


@dataclass(frozen=True)
class Experiment:
    """A round robin on shared deals.

    strategies: in order of their names, so that the order in which they were given changes nothing.
    sets:       duplicate sets per combination; set m is match index m, the same deals for everyone.
    play:       plays one match, one strategy per seat.
    """

    game: Game
    strategies: tuple[StrategySpec, ...]
    seed: int
    sets: int
    play: PlayMatch = play_match

    @cached_property
    def combinations(self) -> tuple[tuple[int, ...], ...]:
        """Every choice of one strategy per team, as indices into `strategies`."""
        return tuple(combinations(range(len(self.strategies)), self.game.team_count))

    @property
    def rotations(self) -> int:
        """How often a combination plays the same deals: once for each place of its strategies."""
        return self.game.team_count

    @property
    def matches_per_set(self) -> int:
        """Matches of all combinations on one set of deals."""
        return comb(len(self.strategies), self.game.team_count) * self.rotations

    @property
    def matches(self) -> int:
        """Matches of the whole experiment."""
        return self.sets * self.matches_per_set

    def team_strategies(self, combination: Sequence[int], rotation: int) -> tuple[int, ...]:
        """Return which strategy (an index) plays for each team."""
        count = len(combination)
        return tuple(combination[(team + rotation) % count] for team in range(count))

    def seating(self, combination: Sequence[int], rotation: int) -> tuple[StrategySpec, ...]:
        """Return the strategy of each seat; partners share one."""
        of_team = self.team_strategies(combination, rotation)
        return tuple(self.strategies[of_team[team]] for team in self.game.teams)


@dataclass(frozen=True)
class Chunk:
    """A range of sets, played by all combinations: `first` <= set index < `first + sets`."""

    index: int
    first: int
    sets: int


def plan_experiment(
    game: Game,
    strategies: Sequence[StrategySpec],
    seed: int,
    sets: int,
    play: PlayMatch = play_match,
) -> Experiment:
    """Return the experiment, or raise `BadUsage` if it cannot be held."""
    if sets < 1:
        raise BadUsage(f"--matches must be at least 1, not {sets}")
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
    return Experiment(game, tuple(sorted(strategies, key=lambda s: s.name)), seed, sets, play)


def sets_per_chunk(experiment: Experiment) -> int:
    """Return how many sets a chunk holds (the last one may hold fewer)."""
    by_length = MATCHES_PER_CHUNK // experiment.matches_per_set
    by_count = -(-experiment.sets // CHUNKS_IN_SHORT_RUN)
    return max(1, min(by_length, by_count))


def cut_chunks(experiment: Experiment) -> Iterator[Chunk]:
    """Yield the chunks in order; together they cover every set once."""
    number = 0
    while (chunk := chunk_at(experiment, number)) is not None:
        yield chunk
        number += 1


def chunk_at(experiment: Experiment, index: int) -> Chunk | None:
    """Return the chunk with this index, or None if there is none."""
    size = sets_per_chunk(experiment)
    first = index * size
    if not 0 <= first < experiment.sets:
        return None
    return Chunk(index, first, min(size, experiment.sets - first))


def chunk_key(experiment: Experiment, chunk: Chunk) -> str:
    """Return a hash of everything that decides what a chunk counts."""
    content = [
        experiment.game.fingerprint,
        [[s.name, s.fingerprint] for s in experiment.strategies],
        experiment.seed,
        chunk.first,
        chunk.sets,
    ]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
