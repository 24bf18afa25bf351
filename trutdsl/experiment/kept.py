"""What a run's journal holds, and the results that come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from trutdsl.arena.chunks import Chunk, chunk_key
from trutdsl.arena.counted import fits_experiment
from trutdsl.arena.faults import FaultCount, fits_faults, from_counts, merge_faults
from trutdsl.arena.journal import Fits, Journal
from trutdsl.arena.schedule import Experiment
from trutdsl.experiment.course import Course
from trutdsl.experiment.settings import Settings

LARGEST = 2**63 - 1


def fits(experiment: Experiment, settings: Settings) -> Fits:
    """Return what tells of rows of a journal, given in order, whether they are this run's."""
    course = Course(experiment, settings)

    def check(key: str, chunk: Chunk, kept: Any) -> bool:
        one = course.round_at(chunk)
        if one is None or key != chunk_key(one.experiment, chunk) or not isinstance(kept, dict):
            return False
        if kept.keys() != {"counts", "faults"} or not fits_faults(one.experiment, kept["faults"]):
            return False
        if not fits_experiment(one.experiment, chunk.sets, kept["counts"]):
            return False
        if course.format is not None:
            course.add(chunk, kept)
        return True

    return check


def collect(
    experiment: Experiment,
    settings: Settings,
    manifest: Mapping[str, Any],
    journal: Journal,
    beyond: int = LARGEST,
) -> dict[str, Any]:
    """Return the results of the chunks up to set `beyond`, at least one; see `results.json`.

    A run of so many sets never counts more, though it may hold some behind them: what workers were
    about when it was to end by a rule that has been given up since.
    """
    beyond = min(beyond, manifest.get("sets", LARGEST))
    course = Course(experiment, settings)
    faults: list[FaultCount] = []
    path = None
    if manifest["stop"]:
        from trutdsl.experiment.stopping import Path

        path = Path(experiment, manifest["stop"])
    for chunk, kept in journal.rows():
        if chunk.beyond <= beyond:
            course.add(chunk, kept)
            faults = merge_faults([*faults, *from_counts(kept["faults"])])
            if path is not None and (tally := course.rounds[0].tally) is not None:
                path.look(tally)
    results = _in_rounds if course.format is not None else _at_once
    found = results(course, manifest)
    if path is not None:
        found["stop"]["path"] = path.steps
    return {
        **found,
        "faults": [_show(course, fault) for fault in faults],
    }


def _at_once(course: Course, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of a tournament in which all meet at once."""
    from trutdsl.report.results import collect_results
    from trutdsl.stats.field import describe_field
    from trutdsl.stats.partners import rank_partners
    from trutdsl.stats.summary import summarize

    experiment, tally = course.whole, course.rounds[0].tally
    assert tally is not None
    stop, known = None, frozenset[int]()
    if manifest["stop"]:
        from trutdsl.experiment.stopping import describe_stop

        stop = describe_stop(experiment, manifest["stop"], tally)
        if stop.get("says") == "better":
            known = frozenset(map(experiment.place_of, stop["test"]))
    partners = None
    if experiment.partners:
        names = [strategy.name for strategy in experiment.strategies]
        ranked = rank_partners(experiment.design, tally, experiment.partners)
        partners = [{"strategy": names[p.strategy], "score": asdict(p.score)} for p in ranked]
    summary, names = summarize(experiment.design, tally, known), list(experiment.entrants)
    field = describe_field([(experiment.design, tally)], summary.pairs)
    return collect_results(manifest, summary, field, [tally], names, stop, partners)


def _in_rounds(course: Course, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of the rounds of which something was played."""
    from trutdsl.report.results import collect_results
    from trutdsl.stats.field import describe_field
    from trutdsl.stats.rounds import summarize_rounds

    rounds = [(r.experiment.design, r.tally) for r in course.rounds if r.tally is not None]
    summary = summarize_rounds(rounds, course.table())
    field, tallies = describe_field(rounds, summary.pairs), [tally for _, tally in rounds]
    return collect_results(manifest, summary, field, tallies, list(course.whole.entrants))


def _show(course: Course, fault: FaultCount) -> dict[str, Any]:
    """Return a kind of fault as the results have it, with a match in which it can be seen."""
    one = course.round_at(Chunk(fault.first.match, 1))
    assert one is not None
    strategies = course.whole.strategies
    seated = [strategies[i].name for i in one.experiment.legs[fault.first.leg]]
    return {
        "strategy": strategies[fault.strategy].name,
        "kind": fault.kind,
        "matches": fault.matches,
        "first": {"match": fault.first.match, "seat": fault.seat, "strategies": seated},
    }
