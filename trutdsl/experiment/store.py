"""The store: what a run's folder and journal hold, and whether the run can go on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from trutdsl.arena.chunks import Chunk, chunk_key, contiguous
from trutdsl.arena.folder import read_begun
from trutdsl.arena.journal import LARGEST, Fits, Journal
from trutdsl.arena.play import FaultCount, fits_experiment, fits_faults, from_counts, merge_faults
from trutdsl.arena.run import Assignment, settled_at
from trutdsl.arena.schedule import Experiment
from trutdsl.experiment.manifest import enlarged, settings_of
from trutdsl.experiment.rounds import RoundSequence
from trutdsl.experiment.settings import Means, Settings
from trutdsl.experiment.stopping import rule_of
from trutdsl.game import BadUsage

# A run that was begun: what its folder says it is, and whether it can go on as is asked now.

COUNTED = ("sets", "deals")  # budgets of which one is more than another


class StoredRun(NamedTuple):
    """What the folder of a run says.

    means: where it lies, which part it is, and how its tables are written and in which language,
           None where that was not said.
    """

    manifest: Mapping[str, Any]
    settings: Settings
    means: Means

    def going_on(self, said: Means) -> Means:
        """Return by what means it goes on: those that are said, and what it keeps where none is."""
        kept = self.means
        return replace(
            said,
            out=kept.out,
            shard=kept.shard,
            csv_style=said.csv_style or kept.csv_style,
            lang=said.lang or kept.lang,
            parquet=kept.parquet if said.parquet is None else said.parquet,
        )


def begun_with(folder: Path) -> StoredRun:
    """Return what the folder of a run says, or raise `BadUsage`."""
    begun = read_begun(folder)
    manifest = {name: value for name, value in begun.items() if name != "given"}
    try:
        settings, given = settings_of(begun), begun["given"]
        part, style, lang = manifest.get("shard"), given.get("csv_style"), given.get("lang")
        if not all(isinstance(text, str | None) for text in (part, style, lang)):
            raise TypeError
        parquet = True if given.get("parquet") is True else None
        means = Means(str(folder), shard=part, csv_style=style, lang=lang, parquet=parquet)
        return StoredRun(manifest, settings, means)
    except (KeyError, TypeError, AttributeError):
        raise BadUsage(f"{folder} holds a run of another version of trutdsl") from None


class Admission:
    """Refuses to go on with a run as another part of it, or with less of it than is there.

    It is given the manifest in the folder and the journal there, before either is changed. What
    does not fit the new end of the run is forgotten, to be played again.
    """

    def __init__(
        self,
        folder: Path,
        manifest: Mapping[str, Any],
        experiment: Experiment,
        settings: Settings,
    ) -> None:
        self._folder, self._new = folder, manifest
        self._experiment, self._settings = experiment, settings

    def __call__(self, there: Mapping[str, Any], journal: Journal) -> None:
        """Raise `BadUsage` if the run is not to go on like this."""
        there = {name: x for name, x in there.items() if name not in COUNTED or type(x) is int}
        self._refuse_other_part(there)
        for name in COUNTED:
            new, old = self._new.get(name), there.get(name)
            if new is None:
                continue
            if old is None:
                self._refuse_less(name, new, there, journal)
            elif new < old:
                raise self._less(f"is a run of --{name} {old}", name, old)
        sets = self._new.get("sets", 0)
        _forget(journal, [c for c in journal.chunks() if c.first < sets < c.beyond])

    def _refuse_other_part(self, there: Mapping[str, Any]) -> None:
        """Refuse another shard than the one in the folder; but a shard can become the whole."""
        old, new = there.get("shard"), self._new.get("shard")
        if old is None and new is not None:
            raise BadUsage(
                f"{self._folder} holds a run in one piece, not shard {new}; use another folder"
            )
        if new is not None and (old, there.get("sets")) != (new, self._new.get("sets")):
            raise BadUsage(
                f"{self._folder} is shard {old} of {there.get('sets')} sets; trutdsl resume "
                f"{self._folder} goes on with it; what is new goes to another folder"
            )

    def _refuse_less(self, name: str, new: int, there: Mapping[str, Any], journal: Journal) -> None:
        """Refuse fewer sets or deals than a run holds that was to end otherwise.

        A run of so many deals ends at a place of its rule. Those before the first gap are passed,
        with fewer deals in all, whether a chunk ends there or not; over no other may a chunk reach.
        """
        before = enlarged(self._settings, {"deals": there["deals"]} if "deals" in there else {})
        whole = Assignment(self._experiment, Chunk(0, LARGEST), rule_of(self._experiment, before))
        settled = settled_at(whole, journal)
        end = settled or there.get("sets", LARGEST)
        done = [chunk for chunk in journal.chunks() if chunk.beyond <= end]
        if name == "sets":
            least = done[-1].beyond if done else 0
            if new < least:
                raise self._less(f"holds {least} sets", name, least)
            return
        rows = ((chunk, kept["counts"]) for chunk, kept in journal.rows())
        deals = sum(counts["deals"] for chunk, counts in rows if chunk.beyond <= end)
        if new <= deals:
            raise self._less(f"holds {deals} deals", name, deals + 1)
        rule = rule_of(self._experiment, self._settings)
        assert rule is not None
        behind = [c for c in journal.chunks() if c.first >= contiguous(done)]
        _forget(journal, [c for c in behind if c.first % rule.every + c.sets > rule.every])

    def _less(self, holds: str, name: str, least: int) -> BadUsage:
        """Return what refuses a budget, which says what would do."""
        return BadUsage(
            f"{self._folder} {holds}; give --{name} {least} or more, or use another folder"
        )


def _forget(journal: Journal, chunks: Iterable[Chunk]) -> None:
    for chunk in chunks:
        journal.forget(chunk)


# What a run's journal holds, and the results that come of it.

LARGEST_RESULT = 2**63 - 1


def fits(experiment: Experiment, settings: Settings) -> Fits:
    """Return what tells of rows of a journal, given in order, whether they are this run's."""
    course = RoundSequence(experiment, settings)

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
    beyond: int = LARGEST_RESULT,
) -> dict[str, Any]:
    """Return the results of the chunks up to set `beyond`, at least one; see `results.json`.

    A run of so many sets never counts more, though it may hold some behind them: what workers were
    about when it was to end by a rule that has been given up since.
    """
    beyond = min(beyond, manifest.get("sets", LARGEST_RESULT))
    course = RoundSequence(experiment, settings)
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


def _at_once(course: RoundSequence, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of a tournament in which all meet at once."""
    from trutdsl.report.csv_files import collect_results
    from trutdsl.stats.contrast import rank_partners
    from trutdsl.stats.field import describe_field
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


def _in_rounds(course: RoundSequence, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of the rounds of which something was played."""
    from trutdsl.report.csv_files import collect_results
    from trutdsl.stats.field import describe_field
    from trutdsl.stats.rounds import summarize_rounds

    rounds = [(r.experiment.design, r.tally) for r in course.rounds if r.tally is not None]
    summary = summarize_rounds(rounds, course.table())
    field, tallies = describe_field(rounds, summary.pairs), [tally for _, tally in rounds]
    return collect_results(manifest, summary, field, tallies, list(course.whole.entrants))


def _show(course: RoundSequence, fault: FaultCount) -> dict[str, Any]:
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
