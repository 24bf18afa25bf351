"""The results of a run, from the chunks in its journal, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from trutdsl.options import Settings
from trutdsl.stats.design import Tally
from trutdsl.stats.rounds import (
    FORMATS,
    RoundStandings,
    draw_lots,
    meetings_of,
    pair_round,
    rank_standings,
    rounds_of,
)
from trutdsl.tournaments.journal import LARGEST_INDEX, Fits, Journal
from trutdsl.tournaments.play import (
    FaultCount,
    fits_experiment,
    fits_faults,
    from_counts,
    merge_faults,
)
from trutdsl.tournaments.schedule import Chunk, Experiment, chunk_key
from trutdsl.tournaments.stopping import describe_stop, finds_difference, look_at


@dataclass
class Round:
    """The meetings of a round, its sets, and the tally of the finished ones."""

    experiment: Experiment
    span: Chunk
    tally: Tally | None = None

    @property
    def played(self) -> bool:
        return self.tally is not None and self.tally.sets == self.span.sets


class RoundSequence:
    """The rounds of a tournament that are known so far.

    Round r plays the sets r S to (r + 1) S - 1, so that no two rounds share a deal. The results of
    earlier rounds decide the meetings.
    """

    def __init__(self, experiment: Experiment, settings: Settings) -> None:
        self.experiment, self.settings = experiment, settings
        self.format = settings.format if settings.format in FORMATS else None
        self.rounds: list[Round] = []
        self._begin_round()

    @classmethod
    def replayed(
        cls, experiment: Experiment, settings: Settings, rows: Iterable[tuple[Chunk, Any]]
    ) -> Self:
        """Return the rounds after these finished chunks, which are in order."""
        course = cls(experiment, settings)
        if course.format is not None:
            for chunk, record in rows:
                course.add(chunk, record)
        return course

    @property
    def count(self) -> int:
        if self.format is None:
            return 1
        return rounds_of(self.format, len(self.experiment.entrants), self.settings.rounds)

    @property
    def open(self) -> Round | None:
        """The unfinished round, None if there is none."""
        last = self.rounds[-1]
        return None if last.played else last

    def round_at(self, chunk: Chunk) -> Round | None:
        """Return the round that contains a chunk, None if no known round does."""
        if self.format is None:
            return self.rounds[0]
        for one in self.rounds:
            if one.span.first <= chunk.first and chunk.end <= one.span.end:
                return one
        return None

    def add(self, chunk: Chunk, record: Any) -> None:
        """Add the counts of a chunk; chunks of one round may come in any order."""
        one, tally = self.round_at(chunk), Tally.from_counts(record["counts"])
        assert one is not None
        one.tally = tally if one.tally is None else one.tally.merge(tally)
        if one.played and len(self.rounds) < self.count:
            self._begin_round()

    def standings(self) -> RoundStandings:
        """Return the standings after the finished rounds."""
        assert self.format is not None
        return rank_standings(self.format, self._lots, self._past)

    @property
    def _lots(self) -> tuple[int, ...]:
        return draw_lots(self.experiment.entrants, self.experiment.seed)

    @property
    def _past(self) -> list[Any]:
        return [
            meetings_of(one.experiment.design, one.tally)
            for one in self.rounds
            if one.tally is not None and one.played
        ]

    def _begin_round(self) -> None:
        if self.format is None:
            self.rounds.append(Round(self.experiment, Chunk(0, self.experiment.sets)))
            return
        pairs = pair_round(self.format, self._lots, self._past)
        experiment = replace(self.experiment, meetings=pairs)
        span = Chunk(len(self.rounds) * self.experiment.sets, self.experiment.sets)
        self.rounds.append(Round(experiment, span))


def fits(experiment: Experiment, settings: Settings) -> Fits:
    """Return a function that tells whether a journal's rows, in order, can be this run's."""
    course = RoundSequence(experiment, settings)

    def check(key: str, chunk: Chunk, record: Any) -> bool:
        one = course.round_at(chunk)
        is_own = (
            one is not None
            and key == chunk_key(one.experiment, chunk)
            and isinstance(record, dict)
            and record.keys() == {"counts", "faults"}
            and fits_faults(one.experiment, record["faults"])
            and fits_experiment(one.experiment, chunk.sets, record["counts"])
        )
        if is_own and course.format is not None:
            course.add(chunk, record)
        return is_own

    return check


def collect(
    experiment: Experiment,
    settings: Settings,
    manifest: Mapping[str, Any],
    journal: Journal,
    end: int = LARGEST_INDEX,
) -> dict[str, Any]:
    """Return the results of the chunks up to set `end`, at least one; see `results.json`.

    A run with a fixed number of sets never counts more. Its journal may have later ones, from
    workers that were busy when a rule stopped the run.
    """
    end = min(end, manifest.get("sets", LARGEST_INDEX))
    course = RoundSequence(experiment, settings)
    faults: list[FaultCount] = []
    path, rule = list[tuple[int, float | None]](), manifest["stop"]
    for chunk, record in journal.rows():
        if chunk.end <= end:
            course.add(chunk, record)
            faults = merge_faults([*faults, *from_counts(record["faults"])])
            if rule and (tally := course.rounds[0].tally) is not None:
                path += filter(None, [look_at(experiment, rule, tally)])
    result = _results(course, manifest)
    if rule:
        result["stop"]["path"] = path
    return {**result, "faults": [_fault_row(course, fault) for fault in faults]}


def _results(course: RoundSequence, manifest: Mapping[str, Any]) -> dict[str, Any]:
    from trutdsl.report.csv_files import collect_results
    from trutdsl.stats.field import describe_field
    from trutdsl.stats.summary import rank_partners, summarize, summarize_rounds

    rounds = [(r.experiment.design, r.tally) for r in course.rounds if r.tally is not None]
    experiment, stop, partners = course.experiment, None, None
    if course.format is not None:
        summary = summarize_rounds(rounds, course.standings())
    else:
        known, ((design, tally),) = frozenset[int](), rounds
        if manifest["stop"]:
            stop = describe_stop(experiment, manifest["stop"], tally)
            if "test" in stop and finds_difference(stop):
                known = frozenset(map(experiment.place_of, stop["test"]))
        if experiment.partners:
            names = [strategy.name for strategy in experiment.strategies]
            ranked = rank_partners(design, tally, experiment.partners).items()
            partners = [{"strategy": names[i], "score": asdict(score)} for i, score in ranked]
        summary = summarize(design, tally, known)
    field, tallies = describe_field(rounds, summary.pairs), [tally for _, tally in rounds]
    return collect_results(
        manifest, summary, field, tallies, list(experiment.entrants), stop, partners
    )


def _fault_row(course: RoundSequence, fault: FaultCount) -> dict[str, Any]:
    one = course.round_at(Chunk(fault.first.match, 1))
    assert one is not None
    strategies = course.experiment.strategies
    names = [strategies[i].name for i in one.experiment.legs[fault.first.leg]]
    return {
        "strategy": strategies[fault.strategy].name,
        "kind": fault.kind,
        "matches": fault.matches,
        "first": {"match": fault.first.match, "seat": fault.seat, "strategies": names},
    }
