"""Tournaments in Python: run, plan, and results as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from html import escape
from io import StringIO
from itertools import combinations
from math import ceil
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from trutdsl.arguments import check_arguments, check_range
from trutdsl.game import BadUsage
from trutdsl.language import figure, say
from trutdsl.options import (
    FORFEIT,
    FORMATS,
    LARGEST,
    MATCHES,
    OPTIONS,
    Means,
    Settings,
    check_difference,
    split,
)
from trutdsl.report.csv_files import data_frame, need_pyarrow, run_frame, write_parquet
from trutdsl.report.pictures import Picture, pictures_in_html, render_pictures
from trutdsl.report.terminal import NARROWEST
from trutdsl.report.tournament import cross_scores, run_page, show_standings
from trutdsl.report.tournament_answers import tournament_answers
from trutdsl.stats.contrast import contrast_bounds, contrast_sums
from trutdsl.stats.design import BY_MATCH, Tally
from trutdsl.stats.multiplicity import ALPHA
from trutdsl.stats.rounds import FORMATS as IN_ROUNDS
from trutdsl.stats.sequential import plan_size
from trutdsl.strategy.count import count_matches
from trutdsl.strategy.load import Spec, StrategyLike, split_objects
from trutdsl.strategy.objects import name_objects
from trutdsl.strategy.threads import limit_workers
from trutdsl.tournaments.folder import provide_folder
from trutdsl.tournaments.load import load_run, output_settings, with_budget
from trutdsl.tournaments.run import Notice, extend, load_for, play_run
from trutdsl.variant.parameters import format_value

if TYPE_CHECKING:
    import pandas as pd

ANSWERS = ("strategy", "decision", "option", "count", "share")


@dataclass(frozen=True, repr=False)
class Tournament:
    """The results of a tournament.

    results: everything, as in `results.json`.
    folder:  the folder of the run, None if nothing is left on disk.
    """

    results: Mapping[str, Any]
    folder: Path | None
    _settings: Settings
    _objects: tuple[Spec, ...] = ()

    @cached_property
    def standings(self) -> pd.DataFrame:
        """The strategies, the best first, with the columns of `standings.csv`."""
        return run_frame(self.results, "standings")

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """All pairs of strategies that met, with the columns of `pairs.csv`."""
        return run_frame(self.results, "pairs")

    @cached_property
    def matrix(self) -> pd.DataFrame:
        """Mean score of each strategy (row) against each (column), the best first; NaN if unmet."""
        names = [row["strategy"] for row in self.results["standings"]]
        scores = cross_scores(self.results)
        cells = [[scores.get((row, column)) for column in names] for row in names]
        return data_frame(cells, names, index=names, dtype=float)

    def answers(self, sets: int = 100) -> pd.DataFrame:
        """Return how often each strategy chooses each option, over the first sets of deals.

        Columns: strategy, decision, option, count, and the share of the strategy's answers to this
        decision. The sets are played again for it. Raises `BadUsage` for a format in rounds, and as
        `count_matches` does.
        """
        if self._settings.format in IN_ROUNDS:
            raise BadUsage(say("answers are counted where all meet at once, not in rounds"))
        with name_objects(self._objects):
            experiment = load_run(self._settings).experiment
        counts, questions = Counter[tuple[str, str, str]](), Counter[tuple[str, str]]()
        for leg in experiment.legs:
            seating = [experiment.strategies[i] for i in leg]
            counts_of_game = count_matches(experiment.game, seating, experiment.seed, 0, sets)
            for seat, spec in enumerate(seating):
                for decision, options in counts_of_game.answers(seat):
                    for option, many in options.items():
                        counts[spec.name, decision, option] += many
                        questions[spec.name, decision] += many
        rows = [
            (*key, many, many / questions[key[:2]])
            for key, many in sorted(counts.items())
            if questions[key[:2]]
        ]
        return data_frame(rows, ANSWERS)

    def to_parquet(self, folder: str | Path) -> None:
        """Write `standings.parquet` and `pairs.parquet`; raises `BadUsage` without pyarrow."""
        need_pyarrow()
        Path(folder).mkdir(parents=True, exist_ok=True)
        write_parquet(Path(folder), self.results)

    def to_html(self, language: str = "en") -> str:
        """Return the page of `trutdsl report`: one HTML file with figures, in `en` or `fr`."""
        from trutdsl.report.page import page_as_html

        return page_as_html(partial(run_page, self.results, self._output_settings()), language)

    @property
    def figures(self) -> Sequence[Picture]:
        """The figures of the page, such as the scores with their intervals, each with its `svg`."""
        return render_pictures(partial(run_page, self.results, self._output_settings()))

    def _output_settings(self) -> Mapping[str, Any]:
        return output_settings(self._settings, Means())

    @check_arguments
    def extend(
        self,
        *,
        sets: int | None = None,
        matches: int | None = None,
        deals: int | None = None,
        time: float | None = None,
        jobs: int | None = None,
    ) -> Tournament:
        """Return the tournament with more sets, matches, deals or seconds in all.

        Finished sets are not played again. Raises `BadUsage` without a folder, and as the command
        `extend` does.
        """
        if self.folder is None:
            raise BadUsage(say("only a tournament in a folder can be extended: give it out=FOLDER"))
        options = {"sets": sets, "matches": matches, "deals": deals, "time": time}
        budget = {name: value for name, value in options.items() if value is not None}
        with name_objects(self._objects):
            result = extend(self.folder, budget, Means(jobs=jobs))
        return replace(self, results=result.results, _settings=result.settings)

    @check_arguments
    def verify(self, chunks: int = 5, jobs: int | None = None) -> bool:
        """Play some random sets again, and tell whether their results are the same.

        Raises `BadUsage` without a folder, and as the command `verify` does.
        """
        from trutdsl.tournaments.merge import verify

        check_range("chunks", chunks, 1)
        if self.folder is None:
            raise BadUsage(say("only a tournament in a folder can be verified: give it out=FOLDER"))
        with name_objects(self._objects):
            return not verify(self.folder, chunks, Means(jobs=jobs)).wrong

    def __repr__(self) -> str:
        run, seed = self.results["run"], self.results["manifest"]["seed"]
        names = ", ".join(row["strategy"] for row in self.results["standings"])
        return f"<Tournament, the best first: {names}; {run['sets']} sets, seed {seed}>"

    def __str__(self) -> str:
        console = Console(file=StringIO(), width=NARROWEST, highlight=False)
        where = None if self.folder is None else str(self.folder)
        show_standings(self.results, where, console)
        text: str = console.file.getvalue()  # type: ignore[attr-defined]
        return text

    def _repr_html_(self) -> str:
        short = ["place", "strategy", "score", "score_low", "score_high", "won", "drawn", "lost"]
        parts = [self.standings[short].to_html(index=False, float_format="{:z.4f}".format)]
        if len(self.standings) > 2:
            parts.append(self.matrix.to_html(na_rep="", float_format="{:z.3f}".format))
        parts += [f"<p>{escape(line)}</p>" for line in tournament_answers(self.results)]
        parts.append(pictures_in_html(lambda: self.figures))
        return "\n".join(parts)


@check_arguments
def tournament(
    variant: str | PathLike[str],
    strategies: Sequence[StrategyLike],
    *,
    players: int | None = None,
    parameters: Mapping[str, object] | None = None,
    format: str = FORMATS[0],
    against: str | None = None,
    rounds: int | None = None,
    mode: str = MATCHES,
    score: Mapping[str, Sequence[int]] | None = None,
    sets: int | None = None,
    matches: int | None = None,
    deals: int | None = None,
    time: float | None = None,
    metric: str = BY_MATCH,
    precision: float | None = None,
    test: Sequence[str] | None = None,
    margin: float | None = None,
    seed: int | None = None,
    engine: str = "native",
    move_timeout: float = 10.0,
    on_error: str = FORFEIT,
    out: str | Path | None = None,
    jobs: int | None = None,
    start_method: str | None = None,
    chunk: int | None = None,
) -> Tournament:
    """Play a tournament, or continue the one in `out`, and return its results.

    Arguments are the keys of an experiment file. Strategies are names, paths, classes with
    `choose`, objects of them, or functions of the view. Parameters map names to values; score, for
    single deals, maps counters to a value for each team. Without `out` nothing is left on disk.
    Raises `Rejected` or `BadUsage` for bad arguments, `Failure` if it cannot go on.
    """
    options = dict(locals())
    names, objects = split_objects(strategies)
    options |= {
        "variant": fspath(variant),
        "strategies": names,
        "parameters": tuple(f"{name}={format_value(x)}" for name, x in (parameters or {}).items()),
        "score": tuple(f"{name}={','.join(map(str, of))}" for name, of in (score or {}).items()),
        "test": None if test is None else tuple(test),
    }
    with name_objects(objects), provide_folder(out) as folder:
        run = load_for(*split(options | {"out": str(folder)}))
        results = play_run(run).results
        return Tournament(results, None if out is None else folder, run.settings, objects)


def load_tournament(folder: Path) -> Tournament:
    """Return the tournament in a folder, as far as it is played; raises `BadUsage` as `show`."""
    from trutdsl.tournaments.merge import show

    result = show(folder)
    return Tournament(result.results, folder, result.settings)


PILOT = 100  # sets


def plan(
    settings: Settings,
    detect: float,
    power: float = 0.8,
    pilot: int = PILOT,
    means: Means | None = None,
    notice: Notice | None = None,
) -> dict[str, Any]:
    """Play a pilot and return its forecast as JSON; nothing is left on disk.

    detect: the least difference of mean scores to detect, from 0.000001 up, with probability
            `power` and level 5 % for all pairs together (Bonferroni).
    pilot:  its number of sets, at least two.
    `needed` is for the pair that needs most; `seconds` is the time of a set on the same workers.
    Raises as `run_tournament` does, and `Failure` if a strategy fails in the pilot.
    """
    if not (least := OPTIONS["margin"].least) <= detect <= LARGEST:
        text = "--detect must be at least {least}, such as 0.02, not {detect}"
        raise BadUsage(say(text, least=figure(least, "f"), detect=figure(detect, "g")))
    check_difference("detect", detect, settings.mode)
    if not 0.5 <= power < 1:
        raise BadUsage(
            say("--power must be from 0.5 to below 1, not {power}", power=figure(power, "g"))
        )
    if pilot < 2:
        raise BadUsage(say("--pilot must be at least 2, not {pilot}", pilot=pilot))
    if settings.format in IN_ROUNDS:
        text = "--format {format} cannot be planned: who meets is not known yet"
        raise BadUsage(say(text, format=settings.format))
    # Matches that are forfeited tell nothing of the deals that are needed.
    alone = replace(
        with_budget(settings, {"sets": pilot}),
        precision=None, test=None, margin=None, on_error="stop",
    )  # fmt: skip
    run, means, notice = load_run(alone), means or Means(), notice or Notice()
    with provide_folder() as folder:
        pilot_means = replace(means, out=str(folder / "pilot"), shard=None)
        results = play_run(replace(run, means=pilot_means), notice).results
    names, tally = results["sums"]["strategies"], Tally.from_counts(results["sums"])
    design = run.experiment.design
    pairs = list(combinations(range(design.strategies), 2))
    sizes = [
        plan_size(
            contrast_sums(tally, design, i, k),
            detect,
            contrast_bounds(design, i, k),
            design.metric.by_match,
            float(ALPHA) / len(pairs),
            power,
        )
        for i, k in pairs
    ]
    return {
        "detect": detect,
        "power": power,
        **{name: results["manifest"][name] for name in ("metric", "mode")},
        "seed": run.experiment.seed,
        "pilot": {name: results["run"][name] for name in ("sets", "matches", "deals")},
        "pairs": [
            {"first": names[i], "second": names[k], **asdict(size)}
            for (i, k), size in zip(pairs, sizes, strict=True)
        ],
        "needed": asdict(max(sizes, key=lambda size: size.sets)),
        "each_set": {
            "matches": design.matches_per_set,
            "deals": tally.deals / tally.sets,
            "seconds": _seconds(notice.lengths, limit_workers(means.jobs)),
        },
    }


def _seconds(lengths: Sequence[tuple[int, float]], jobs: int) -> float:
    """Return the time of a set on so many workers, without each worker's first chunk."""
    late = lengths[jobs:] if len(lengths) > ceil(1.5 * jobs) else lengths
    return sum(seconds for _, seconds in late) / sum(sets for sets, _ in late) / jobs
