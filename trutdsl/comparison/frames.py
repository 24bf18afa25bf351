"""Comparisons in Python: functions to run them, and results as tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from trutdsl.arguments import check_arguments, check_range
from trutdsl.comparison import sweep as grids
from trutdsl.comparison.compare import OF_NUMBERS, OF_SHARES, Margins
from trutdsl.comparison.run_comparison import DEALS, Request
from trutdsl.comparison.run_comparison import compare as run_comparison
from trutdsl.comparison.stored import stored_seed
from trutdsl.diagnostics import did_you_mean
from trutdsl.files import canonical_json
from trutdsl.game import BadUsage
from trutdsl.language import ENGLISH, speaking
from trutdsl.report.blocks import Plot
from trutdsl.report.csv_files import COLUMNS, data_frame, flat_rows, metrics_rows, write_comparison
from trutdsl.report.labels import words
from trutdsl.report.pictures import Picture, pictures_in_html, render_picture
from trutdsl.strategy.load import Spec, StrategyLike, load_strategy, settle_seed, split_objects
from trutdsl.strategy.objects import name_objects
from trutdsl.tournaments.folder import provide_folder
from trutdsl.variant.parameters import format_value

if TYPE_CHECKING:
    import pandas as pd

SHORT = ["metric", "base", "other", "difference", "difference_low", "difference_high", "verdict"]


@dataclass(frozen=True, repr=False)
class Comparison:
    """The results of a comparison.

    results: everything, as in `comparison.json`.
    folder:  the folder with the files, None if there is none.
    """

    results: Mapping[str, Any]
    folder: Path | None
    _objects: tuple[Spec, ...] = ()

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Every metric of every variant against the base, with the columns of `metrics.csv`."""
        return data_frame(flat_rows(metrics_rows(self.results), COLUMNS), COLUMNS)

    @check_arguments
    def difference(self, metric: str, variant: str | None = None) -> Mapping[str, Any]:
        """Return the row of `differences` for a metric, such as `length.deals`.

        variant: compared with the base, by default the only one.
        """
        rows = self.differences[self.differences["point"] == ""]
        names = list(dict.fromkeys(rows["variant"]))
        if variant is None and len(names) > 1:
            raise BadUsage(f"name the variant whose difference is wanted: {', '.join(names)}")
        if not names:
            raise BadUsage("there is no difference: every cell of the sweep is the variant itself")
        choices = (("variant", variant or names[0], names), ("metric", metric, rows["metric"]))
        for column, name, known in choices:
            if name not in set(known):
                near = did_you_mean(name, known) or f"choose {', '.join(dict.fromkeys(known))}"
                raise BadUsage(f"there is no {column} '{name}' in the comparison; {near}")
            rows = rows[rows[column] == name]
        return {str(column): value for column, value in rows.iloc[0].items()}

    @cached_property
    def metrics(self) -> pd.DataFrame:
        """Every metric of every variant: variant, metric, words, mean, low, high."""
        with speaking(ENGLISH):
            rows = [
                {"variant": v["name"], "metric": m["metric"], "words": words(m)}
                | {name: m[name] for name in ("mean", "low", "high")}
                for v in self.results["variants"]
                for m in v["metrics"]
            ]
        return data_frame(rows)

    def to_html(self, language: str = "en") -> str:
        """Return the page of `trutdsl report`: one HTML file with figures, in `en` or `fr`."""
        from trutdsl.report.comparison import comparison_page
        from trutdsl.report.page import page_as_html

        return page_as_html(lambda: comparison_page(self.results), language)

    @check_arguments
    def extend(
        self, *, deals: int | None = None, sets: int | None = None, jobs: int | None = None
    ) -> Self:
        """Return the comparison with more deals or sets in all; finished sets are not replayed.

        Raises `BadUsage` if it has no folder, or if it has more.
        """
        if self.folder is None:
            raise BadUsage(
                "only a comparison in a folder can be extended: compare(..., out=FOLDER)"
            )
        if (deals is None) == (sets is None):
            raise BadUsage("extend needs deals or sets: how much is it to be?")
        present = {
            "sets": self.results["comparison"]["sets"],
            "deals": min(variant["deals"] for variant in self.results["variants"]),
        }
        for name, number in (("sets", sets), ("deals", deals)):
            least = present[name]
            if number is not None and number < least:
                raise BadUsage(f"it has {least} {name}; give {name}={least} or more")
        request = replace(_read_request(self.results), deals=deals or DEALS, sets=sets)
        return self._play_again(request, self.folder, jobs)

    @check_arguments
    def verify(self, jobs: int | None = None) -> bool:
        """Play everything again, and tell whether the results are the same."""
        with provide_folder() as folder:
            again = self._play_again(_read_request(self.results), folder, jobs)
        return canonical_json(again.results) == canonical_json(self.results)

    def _play_again(self, request: Request, folder: Path, jobs: int | None) -> Self:
        with name_objects(self._objects):
            results = self._play(request, folder, jobs)
        write_comparison(folder, results)
        return replace(self, results=results, folder=folder)

    def _play(self, request: Request, folder: Path, jobs: int | None) -> Mapping[str, Any]:
        if "readings" in self.results:
            return grids.ambiguities(request, folder, jobs)
        return run_comparison(request, folder, jobs)

    def __repr__(self) -> str:
        base, *others = (variant["name"] for variant in self.results["variants"])
        settings = self.results["comparison"]
        what = f"{base} against {', '.join(others)}"
        return f"<{type(self).__name__}: {what}; {settings['sets']} sets, seed {settings['seed']}>"

    def __str__(self) -> str:
        from trutdsl.report.comparison import comparison_lines

        return "\n".join(comparison_lines(self.results))

    @property
    def figures(self) -> Sequence[Picture]:
        """A forest plot of the differences of each variant, with its `svg`."""
        from trutdsl.report.comparison import difference_plots

        return list(map(render_picture, difference_plots(self.results).values()))

    def _repr_html_(self) -> str:
        frame = self.differences
        rows = frame[(frame["point"] == "") & (frame["verdict"] == "differs")]
        table = rows[["variant", *SHORT]].to_html(index=False, float_format="{:z.4g}".format)
        return self._html(table)

    def _html(self, table: str) -> str:
        return f"{pictures_in_html(lambda: self.figures)}\n{table}\n<pre>{escape(str(self))}</pre>"


AnyComparison = TypeVar("AnyComparison", bound=Comparison)


@dataclass(frozen=True, repr=False)
class Sweep(Comparison):
    """The results of a sweep: a comparison of every cell with the unchanged variant."""

    def _play(self, request: Request, folder: Path, jobs: int | None) -> Mapping[str, Any]:
        axes = self.results["sweep"]["axes"]
        texts = [f"{axis['name']}={';'.join(axis['values'])}" for axis in axes]
        return grids.sweep(request, texts, folder, jobs)

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Every metric in every cell: a column for each parameter, then metric, mean, low, high."""
        variants = {v["name"]: v for v in self.results["variants"]}
        rows = [
            {**cell["values"], **{name: m[name] for name in ("metric", "mean", "low", "high")}}
            for cell in self.results["sweep"]["cells"]
            for m in variants[cell["name"]]["metrics"]
        ]
        return data_frame(rows)

    @property
    def figures(self) -> Sequence[Picture]:
        """A figure of each reported metric over one parameter; two parameters have tables."""
        from trutdsl.report.sweep import sweep_blocks

        plots = [block for block in sweep_blocks(self.results) if isinstance(block, Plot)]
        return list(map(render_picture, plots))

    def _repr_html_(self) -> str:
        from trutdsl.report.sweep import cell_estimates, cell_text, shown_metrics

        axes = self.results["sweep"]["axes"]
        if len(axes) != 2:
            return self._html("")
        tables, (down, across) = [], axes
        for name, title in shown_metrics(self.results).items():
            cells = cell_estimates(self.results, name)
            texts = [[cell_text(cells[x, y]) for y in across["values"]] for x in down["values"]]
            frame = data_frame(texts, across["values"], index=down["values"])
            frame = frame.rename_axis(index=down["name"], columns=across["name"])
            tables.append(f"<p>{escape(title)}</p>\n{frame.to_html()}")
        return self._html("\n".join(tables))

    def __str__(self) -> str:
        from trutdsl.report.sweep import sweep_lines

        return "\n".join(sweep_lines(self.results))


@check_arguments
def compare(
    *variants: str | PathLike[str],
    players: int | None = None,
    strategies: Sequence[StrategyLike] | None = None,
    parameters: Mapping[str, object] | None = None,
    deals: int = DEALS,
    sets: int | None = None,
    seed: int | None = None,
    margin: float = OF_SHARES,
    margins: Mapping[str, float] | None = None,
    primary: str | None = None,
    apart: bool = True,
    engine: str = "native",
    out: str | Path | None = None,
    jobs: int | None = None,
) -> Comparison:
    """Compare variants with the first one: the same strategies on the same deals.

    strategies: names, paths, classes with `choose`, objects of them, or functions of the view.
    variants: names or files, optionally with parameters after a colon (`trut:goal=5`).
    parameters: NAME: value, for all of them. deals: the least number for each; sets replace it.
    margin: the least difference of a share that matters; margins: of metrics, by name.
    primary: the metric of interest, which is tested separately.
    apart: also measure each point of variants that build on the base.
    Without `out` no files remain. Raises `Rejected` or `BadUsage` for options that cannot be
    compared, `Failure` if it cannot continue.
    """
    if len(variants) < 2:
        raise BadUsage("compare needs two variants or more; the first is the base")
    for name, least in (("margin", margin), *(margins or {}).items()):
        if least <= 0:
            raise BadUsage(f"found {least} for {name}, expected a margin above 0")
    check_range("margin", margin, 0, 1)
    request, objects = _request(
        variants,
        strategies,
        parameters,
        seed,
        out,
        players=players,
        deals=deals,
        sets=sets,
        margins=Margins(margin, OF_NUMBERS, margins),
        primary=primary,
        apart=apart,
        engine=engine,
    )
    return _run(Comparison, partial(run_comparison, request, jobs=jobs), objects, out)


@check_arguments
def sweep(
    variant: str | PathLike[str],
    grid: Mapping[str, Sequence[object]],
    *,
    players: int | None = None,
    strategies: Sequence[StrategyLike] | None = None,
    parameters: Mapping[str, object] | None = None,
    deals: int = DEALS,
    sets: int | None = None,
    seed: int | None = None,
    engine: str = "native",
    out: str | Path | None = None,
    jobs: int | None = None,
) -> Sweep:
    """Play a variant with every combination of some parameters; see `compare`.

    grid: NAME: its values. Sets that are in `out` are not played again.
    """
    options = {"players": players, "deals": deals, "sets": sets, "engine": engine}
    request, objects = _request((variant,), strategies, parameters, seed, out, **options)
    if not grid:
        raise BadUsage("found no parameter to sweep, expected values by name: {'goal': [5, 7]}")
    axes = [f"{name}={';'.join(map(format_value, values))}" for name, values in grid.items()]
    return _run(Sweep, partial(grids.sweep, request, axes, jobs=jobs), objects, out)


@check_arguments
def ambiguities(
    variant: str | PathLike[str],
    *,
    players: int | None = None,
    strategies: Sequence[StrategyLike] | None = None,
    deals: int = DEALS,
    sets: int | None = None,
    seed: int | None = None,
    engine: str = "native",
    out: str | Path | None = None,
    jobs: int | None = None,
) -> Comparison:
    """Compare a variant with every other reading of the rules that its sources leave open.

    variant: a name or file, optionally with parameters after a colon; see `compare`.
    """
    options = {"players": players, "deals": deals, "sets": sets, "engine": engine}
    request, objects = _request((variant,), strategies, None, seed, out, **options)
    return _run(Comparison, partial(grids.ambiguities, request, jobs=jobs), objects, out)


def _read_request(results: Mapping[str, Any]) -> Request:
    """Return the options of a comparison from its results."""
    settings, options = results["comparison"], results["given"]
    shares, numbers, by_name = (settings["margins"][x] for x in ("shares", "numbers", "by_name"))
    strategies = options["strategies"]
    return Request(
        variants=tuple(options["variants"]),
        players=options["players"],
        parameters=tuple(options["parameters"]),
        strategies=None if strategies is None else tuple(strategies),
        sets=settings["sets"],
        seed=settings["seed"],
        margins=Margins(shares, numbers, by_name),
        engine=settings["engine"],
        apart=options["apart"],
        metrics=tuple(options["metrics"]),
        primary=settings["primary"],
        screening=settings["screening"],
    )


def _request(
    variants: Sequence[str | PathLike[str]],
    strategies: Sequence[StrategyLike] | None,
    parameters: Mapping[str, object] | None,
    seed: int | None,
    out: str | Path | None,
    **options: Any,
) -> tuple[Request, tuple[Spec, ...]]:
    """Return the options of a comparison, and the strategies that are objects."""
    for amount in ("deals", "sets"):
        if options[amount] is not None:
            check_range(amount, options[amount], 1)
    names, objects = split_objects(strategies or ())
    with name_objects(objects):
        given = stored_seed(out) if seed is None else seed
        settled = settle_seed(given, map(load_strategy, names))
    request = Request(
        variants=tuple(fspath(variant) for variant in variants),
        parameters=tuple(f"{name}={format_value(x)}" for name, x in (parameters or {}).items()),
        strategies=None if strategies is None else names,
        seed=settled,
        **options,
    )
    return request, objects


def _run(
    kind: type[AnyComparison],
    play: Callable[[Path], Mapping[str, Any]],
    objects: tuple[Spec, ...],
    out: str | Path | None,
) -> AnyComparison:
    """Play a comparison in its folder, write its files, and return its results."""
    with provide_folder(out) as folder, name_objects(objects):
        results = play(folder)
        write_comparison(folder, results)
        return kind(results, None if out is None else folder, objects)
