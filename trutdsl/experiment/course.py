"""Course of a tournament: its rounds, each decided by those before; all at once is one round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

from trutdsl.arena.chunks import Chunk
from trutdsl.arena.schedule import Experiment
from trutdsl.experiment.settings import Settings
from trutdsl.stats.pairings import FORMATS, Table, draw_lots, pair_round, rank_table, rounds_of
from trutdsl.stats.rounds import meetings_of
from trutdsl.stats.tally import Tally


@dataclass
class Round:
    """Who meets on which sets, and the tally of what was played of them."""

    experiment: Experiment
    span: Chunk
    tally: Tally | None = None

    @property
    def played(self) -> bool:
        """Whether all its sets were played."""
        return self.tally is not None and self.tally.sets == self.span.sets


class Course:
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
        """How many rounds there are in all."""
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

    def table(self) -> Table:
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
