"""Stored runs: the settings in a run's folder, and whether a new run may continue it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from trutdsl.game import BadUsage, Game
from trutdsl.language import say
from trutdsl.options import Means, Settings, settings_of
from trutdsl.stats.design import parse_metric
from trutdsl.strategy.spec import StrategySpec
from trutdsl.tournaments.folder import fresh_folder, read_journal, read_stored_manifest
from trutdsl.tournaments.journal import LARGEST_INDEX, Journal
from trutdsl.tournaments.load import with_budget
from trutdsl.tournaments.missing import stopping_set
from trutdsl.tournaments.results import fits
from trutdsl.tournaments.schedule import Chunk, Experiment, arrange, contiguous, shard
from trutdsl.tournaments.stopping import rule_of

FILES = (".yaml", ".yml", ".strategy", ".py", ".bot", ".policy")  # endings of rules and strategies
COUNT_BUDGETS = ("sets", "deals")  # budgets that can be compared


class StoredRun(NamedTuple):
    """The content of a run's folder.

    means: its folder, shard, table format and language; None for each that was not given.
    """

    manifest: Mapping[str, Any]
    settings: Settings
    means: Means

    def going_on(self, changes: Means) -> Means:
        """Return the means of a continued run: the given ones, else those in the folder."""
        means = self.means
        return replace(
            changes,
            out=means.out,
            shard=means.shard,
            csv_style=changes.csv_style or means.csv_style,
            lang=changes.lang or means.lang,
            parquet=means.parquet if changes.parquet is None else changes.parquet,
        )


def load_stored_run(folder: Path) -> StoredRun:
    """Return the run in a folder; raises `BadUsage` if there is none."""
    stored_manifest = read_stored_manifest(folder)
    manifest = {name: value for name, value in stored_manifest.items() if name != "given"}
    try:
        settings, options = settings_of(stored_manifest), stored_manifest["given"]
        part, style, lang = manifest.get("shard"), options.get("csv_style"), options.get("lang")
        if not all(isinstance(text, str | None) for text in (part, style, lang)):
            raise TypeError
        if any(name in manifest and manifest[name] is None for name in COUNT_BUDGETS):
            raise TypeError
        if part is not None:
            shard(manifest["sets"], part)
        parquet = True if options.get("parquet") is True else None
        means = Means(out=str(folder), shard=part, csv_style=style, lang=lang, parquet=parquet)
        return StoredRun(manifest, settings, means)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise of_another_version(folder) from None


def of_another_version(folder: Path) -> BadUsage:
    """Return the error for a run whose manifest lacks what each manifest of this version has."""
    text = (
        "{folder} holds a run of another version of trutdsl, or is damaged; use that version, or "
        "begin a new run, in a folder such as {fresh}"
    )
    return BadUsage(say(text, folder=folder, fresh=fresh_folder(folder)))


def refuse_missing_files(folder: Path, settings: Settings) -> None:
    """Raise `BadUsage` for a file of rules or of a strategy that is not where the run names it."""
    for ref in (settings.variant, *settings.strategies):
        file = ref.partition(":")[0]
        if file.endswith(FILES) and not Path(file).exists():
            text = (
                "{folder} needs the file {file}, which is not in this folder, {cwd}; change to the "
                "folder where the run began"
            )
            raise BadUsage(say(text, folder=folder, file=file, cwd=Path.cwd()))


@dataclass(frozen=True)
class Admission:
    """Refuses to continue a run as another shard, or with a budget below the finished sets.

    It checks the manifest and the journal of the folder before either changes. It deletes chunks
    that cross the new end of the run, to be played again.
    """

    _folder: Path
    _new: Mapping[str, Any]
    _experiment: Experiment
    _settings: Settings

    def __call__(self, manifest: Mapping[str, Any], journal: Journal) -> None:
        """Raise `BadUsage` if the run cannot continue like this."""
        manifest = {k: x for k, x in manifest.items() if k not in COUNT_BUDGETS or type(x) is int}
        self._refuse_other_part(manifest)
        for name in COUNT_BUDGETS:
            new, old = self._new.get(name), manifest.get(name)
            if new is None:
                continue
            if old is None:
                self._refuse_less(name, new, manifest, journal)
            elif new < old:
                raise self._less(say("is a run of --{name} {old}", name=name, old=old), name, old)
        sets = self._new.get("sets", 0)
        _forget(journal, [c for c in journal.chunks() if c.first < sets < c.end])

    def _refuse_other_part(self, manifest: Mapping[str, Any]) -> None:
        """Raise `BadUsage` for another shard; but a shard may become the whole run."""
        old, new = manifest.get("shard"), self._new.get("shard")
        if old is None and new is not None:
            text = "{folder} holds a run in one piece, not shard {new}; use another folder"
            raise BadUsage(say(text, folder=self._folder, new=new))
        if new is not None and (old, manifest.get("sets")) != (new, self._new.get("sets")):
            text = (
                "{folder} is shard {old} of {get} sets; trutdsl resume {folder} goes on "
                "with it; what is new goes to another folder"
            )
            raise BadUsage(say(text, folder=self._folder, old=old, get=manifest.get("sets")))

    def _refuse_less(
        self, name: str, new: int, manifest: Mapping[str, Any], journal: Journal
    ) -> None:
        """Raise `BadUsage` for fewer sets or deals than are in a run with another budget.

        A run with a number of deals ends at a multiple of its rule. The deals before the first gap
        are too few, so no multiple there can end the run. Later chunks must not cross a multiple.
        """
        before = with_budget(
            self._settings, {"deals": manifest["deals"]} if "deals" in manifest else {}
        )
        stop = stopping_set(self._experiment, rule_of(self._experiment, before), journal)
        end = stop or manifest.get("sets", LARGEST_INDEX)
        done = [chunk for chunk in journal.chunks() if chunk.end <= end]
        if name == "sets":
            least = done[-1].end if done else 0
            if new < least:
                raise self._less(say("holds {least} sets", least=least), name, least)
            return
        rows = ((chunk, record["counts"]) for chunk, record in journal.rows())
        deals = sum(counts["deals"] for chunk, counts in rows if chunk.end <= end)
        if new <= deals:
            raise self._less(say("holds {deals} deals", deals=deals), name, deals + 1)
        rule = rule_of(self._experiment, self._settings)
        assert rule is not None
        chunks = [c for c in journal.chunks() if c.first >= contiguous(done)]
        _forget(journal, [c for c in chunks if c.first % rule.every + c.sets > rule.every])

    def _less(self, holds: str, name: str, least: int) -> BadUsage:
        text = "{folder} {holds}; give --{name} {least} or more, or use another folder"
        return BadUsage(say(text, folder=self._folder, holds=holds, name=name, least=least))


def _forget(journal: Journal, chunks: Iterable[Chunk]) -> None:
    for chunk in chunks:
        journal.forget(chunk)


def read_stored(run: StoredRun) -> tuple[Experiment, Journal]:
    """Return the experiment of a run, from its manifest, and its checked journal, to be read.

    The experiment can be counted and compared, but not played. Raises `BadUsage` for another run.
    """
    (manifest, settings, _), folder = run, Path(run.means.out or ".")
    try:
        of = manifest["variant"]
        game = SimpleNamespace(
            name=of["name"],
            players=of["players"],
            teams=tuple(of["teams"]),
            fingerprint=of["fingerprint"],
            team_count=max(of["teams"]) + 1,
        )
        strategies = tuple(
            SimpleNamespace(name=name, fingerprint=fingerprint)
            for name, fingerprint in sorted(manifest["strategies"].items())
        )
        # The number of sets matters only in rounds, where results decide who meets.
        whole = Experiment(
            cast(Game, game),
            cast(tuple[StrategySpec, ...], strategies),
            manifest["seed"],
            settings.sets or 1,
            metric=parse_metric(settings.metric, settings.mode),
            sequential=settings.test is not None,
        )
        experiment = arrange(whole, settings)
        _ = experiment.digest
    except (KeyError, TypeError, AttributeError, ValueError, IndexError):
        raise of_another_version(folder) from None
    return experiment, read_journal(folder, manifest, fits(experiment, settings))
