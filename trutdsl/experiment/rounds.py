"""Rounds: who meets whom in each format of a tournament, all at once or round by round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Self

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.schedule import Experiment
from trutdsl.diagnostics import did_you_mean
from trutdsl.experiment.settings import Settings
from trutdsl.game import BadUsage
from trutdsl.stats.rounds import (
    FORMATS,
    RoundStandings,
    draw_lots,
    meetings_of,
    pair_round,
    rank_table,
    rounds_of,
)
from trutdsl.stats.tally import Tally

# Format of a tournament: who enters, who meets whom, and in rounds or all at once.

TWO = 2


def arrange(experiment: Experiment, settings: Settings) -> Experiment:
    """Return the experiment with those who meet all at once; in rounds, nobody yet.

    Raises `BadUsage` where the format is not for this game or these strategies.
    """
    names = [strategy.name for strategy in experiment.strategies]
    match settings.format:
        case "one-against-all":
            at = _index(names, settings.against)
            meetings = [c for c in experiment.design.combinations if at in c]
            return replace(experiment, meetings=tuple(meetings))
        case "partnerships":
            return replace(experiment, partners=_partnerships(experiment))
        case name if name in FORMATS:
            if experiment.game.team_count != TWO:
                raise BadUsage(
                    f"--format {name} is for two teams, not {experiment.game.team_count}"
                )
            return replace(experiment, meetings=())
    return experiment


def _index(names: Sequence[str], name: str | None) -> int:
    if name is None or name not in names:
        assert name is not None
        near = did_you_mean(name, tuple(names)) or f"choose from {', '.join(names)}"
        raise BadUsage(f"--against {name}: no such strategy is given; {near}")
    return names.index(name)


def _partnerships(experiment: Experiment) -> tuple[tuple[int, ...], ...]:
    """Return every two strategies as partners."""
    game = experiment.game
    sizes = {game.teams.count(team) for team in game.teams}
    if sizes != {TWO}:
        raise BadUsage(
            f"--format partnerships is for teams of two; {game.name} with {game.players} players "
            f"has teams of {', '.join(map(str, sorted(sizes)))}"
        )
    pairs = tuple(combinations(range(len(experiment.strategies)), TWO))
    if len(pairs) < game.team_count:
        raise BadUsage("--format partnerships needs three strategies or more")
    return pairs


# Course of a tournament: its rounds, each decided by those before; all at once is one round.


@dataclass
class Round:
    """Who meets on which sets, and the tally of what was played of them."""

    experiment: Experiment
    span: Chunk
    tally: Tally | None = None

    @property
    def played(self) -> bool:
        return self.tally is not None and self.tally.sets == self.span.sets


class RoundSequence:
    """The rounds of a tournament, as far as they are known from what was played.

    Round r plays the sets r S to (r + 1) S - 1, S sets each, so that no deal is played in two. Who
    meets in it follows from the rounds before, whoever played them and when.
    """

    def __init__(self, experiment: Experiment, settings: Settings) -> None:
        self.whole, self.settings = experiment, settings
        self.format = settings.format if settings.format in FORMATS else None
        self.rounds: list[Round] = []
        self._begin_round()

    @classmethod
    def replayed(
        cls, experiment: Experiment, settings: Settings, rows: Iterable[tuple[Chunk, Any]]
    ) -> Self:
        """Return the course as far as chunks that were played lead, given in their order."""
        course = cls(experiment, settings)
        if course.format is not None:
            for chunk, kept in rows:
                course.add(chunk, kept)
        return course

    @property
    def count(self) -> int:
        if self.format is None:
            return 1
        return rounds_of(self.format, len(self.whole.entrants), self.settings.rounds)

    @property
    def open(self) -> Round | None:
        """The round that is to be played, None if all are."""
        last = self.rounds[-1]
        return None if last.played else last

    def round_at(self, chunk: Chunk) -> Round | None:
        """Return the round that holds all sets of a chunk, None if none that is known does."""
        if self.format is None:
            return self.rounds[0]
        for one in self.rounds:
            if one.span.first <= chunk.first and chunk.beyond <= one.span.beyond:
                return one
        return None

    def add(self, chunk: Chunk, kept: Any) -> None:
        """Take what is kept of a chunk of a round, in whatever order within the round."""
        one, tally = self.round_at(chunk), Tally.from_counts(kept["counts"])
        assert one is not None
        one.tally = tally if one.tally is None else one.tally.merge(tally)
        if one.played and len(self.rounds) < self.count:
            self._begin_round()

    def table(self) -> RoundStandings:
        """Return where everybody stands after the rounds that are played to their end."""
        assert self.format is not None
        return rank_table(self.format, self._lots, self._past)

    @property
    def _lots(self) -> tuple[int, ...]:
        return draw_lots(self.whole.entrants, self.whole.seed)

    @property
    def _past(self) -> list[Any]:
        return [
            meetings_of(one.experiment.design, one.tally)
            for one in self.rounds
            if one.tally is not None and one.played
        ]

    def _begin_round(self) -> None:
        if self.format is None:
            self.rounds.append(Round(self.whole, Chunk(0, self.whole.sets)))
            return
        pairs = pair_round(self.format, self._lots, self._past)
        experiment = replace(self.whole, meetings=pairs)
        span = Chunk(len(self.rounds) * self.whole.sets, self.whole.sets)
        self.rounds.append(Round(experiment, span))
