"""Comparisons in Python: functions to run them, and results as tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from trutdsl.comparison import sweep as grids
from trutdsl.comparison.compare import OF_NUMBERS, OF_SHARES, Margins
from trutdsl.comparison.run_comparison import DEALS, Request
from trutdsl.comparison.run_comparison import compare as run_comparison
from trutdsl.game import BadUsage
from trutdsl.strategy import load_strategy, settle_seed
from trutdsl.variant.parameters import written

if TYPE_CHECKING:
    import pandas as pd

    from trutdsl.report.blocks import Plot

SHORT = ["metric", "base", "other", "difference", "difference_low", "difference_high", "verdict"]


# The colours of figures in a notebook; a page of results has its own.
COLOURS = (
    "--paper: #ffffff; --ink: #1c1e21; --faint: #6a6f76; --grid: #e3e5e8; --band: #e6e9f5; "
    "--strong: #b3261e; --mild: #b26a00; --even: #2f6690; --open: #6a6f76"
)


@dataclass(frozen=True)
class Picture:
    """A figure as SVG, whose colours are variables of the style sheet around it."""

    caption: str
    svg: str

    def _repr_html_(self) -> str:
        style = f"{COLOURS}; background: var(--paper); font-family: sans-serif; max-width: 55rem"
        caption = f'<figcaption style="color: var(--ink)">{escape(self.caption)}</figcaption>'
        return f'<figure style="{style}">{self.svg}{caption}</figure>'


def _picture(plot: Plot) -> Picture:
    from trutdsl.report.figures import draw_svg

    return Picture(plot.caption, draw_svg(plot, wide=True))


@dataclass(frozen=True)
class Comparison:
    """The results of a comparison.

    results: everything, as in `comparison.json`.
    folder:  the folder with the files, None if there is none.
    """

    results: Mapping[str, Any]
    folder: Path | None

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Every metric of every variant against the base, with the columns of `metrics.csv`."""
        import pandas as pd

        from trutdsl.report.csv_files import COLUMNS, metrics_rows

        rows = list(metrics_rows(self.results))
        return pd.DataFrame(rows, columns=list(COLUMNS))

    @cached_property
    def metrics(self) -> pd.DataFrame:
        """Every metric of every variant: variant, metric, words, mean, low, high."""
        import pandas as pd

        from trutdsl.language import ENGLISH, speaking
        from trutdsl.report.labels import words

        with speaking(ENGLISH):
            rows = [
                {"variant": v["name"], "metric": m["metric"], "words": words(m)}
                | {name: m[name] for name in ("mean", "low", "high")}
                for v in self.results["variants"]
                for m in v["metrics"]
            ]
        return pd.DataFrame(rows)

    def __str__(self) -> str:
        from trutdsl.report.comparison import comparison_lines

        return "\n".join(comparison_lines(self.results))

    @property
    def figures(self) -> Sequence[Picture]:
        """A forest plot of the differences of each variant, with its `svg`."""
        from trutdsl.report.comparison import difference_plots

        return list(map(_picture, difference_plots(self.results).values()))

    def _repr_html_(self) -> str:
        found = self.differences
        rows = found[(found["point"] == "") & (found["verdict"] == "differs")]
        table = rows[["variant", *SHORT]].to_html(index=False, float_format="{:z.4g}".format)
        return self._html(table)

    def _html(self, table: str) -> str:
        pictures = "\n".join(picture._repr_html_() for picture in self.figures)
        return f"{pictures}\n{table}\n<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True)
class Sweep(Comparison):
    """The results of a sweep: a comparison of every cell with the unchanged variant."""

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Every metric in every cell: a column for each parameter, then metric, mean, low, high."""
        import pandas as pd

        variants = {v["name"]: v for v in self.results["variants"]}
        rows = [
            {**cell["values"], **{name: m[name] for name in ("metric", "mean", "low", "high")}}
            for cell in self.results["sweep"]["cells"]
            for m in variants[cell["name"]]["metrics"]
        ]
        return pd.DataFrame(rows)

    @property
    def figures(self) -> Sequence[Picture]:
        """A figure of each reported metric over one parameter; two parameters have tables."""
        from trutdsl.report.blocks import Plot
        from trutdsl.report.sweep import sweep_blocks

        plots = [block for block in sweep_blocks(self.results) if isinstance(block, Plot)]
        return list(map(_picture, plots))

    def _repr_html_(self) -> str:
        from trutdsl.report.sweep import cell_estimates, cell_text, shown_metrics

        axes = self.results["sweep"]["axes"]
        if len(axes) != 2:
            return self._html("")
        import pandas as pd

        tables = []
        for name, words in shown_metrics(self.results).items():
            cells = cell_estimates(self.results, name)
            frame = pd.DataFrame(
                [[cell_text(cells[x, y]) for y in axes[1]["values"]] for x in axes[0]["values"]],
                index=pd.Index(axes[0]["values"], name=axes[0]["name"]),
                columns=pd.Index(axes[1]["values"], name=axes[1]["name"]),
            )
            tables.append(f"<p>{escape(words)}</p>\n{frame.to_html()}")
        return self._html("\n".join(tables))

    def __str__(self) -> str:
        from trutdsl.report.sweep import sweep_lines

        return "\n".join(sweep_lines(self.results))


def compare(
    *variants: str,
    players: int | None = None,
    strategies: Sequence[str] | None = None,
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

    variants: names or files, optionally with parameters after a colon (`trut:goal=5`).
    parameters: NAME: value, for all of them. deals: of each, at least; sets instead, if given.
    margin: the least difference of a share that matters; margins: of metrics, by name.
    primary: the metric of interest, which is tested separately.
    apart: also measure each point of variants that build on the base.
    Without `out` no files remain. Raises `Rejected` or `BadUsage` for options that cannot be
    compared, `Failure` if it cannot continue.
    """
    if len(variants) < 2:
        raise BadUsage("compare needs two variants or more; the first is the base")
    asked = _request(
        variants,
        strategies,
        parameters,
        seed,
        players=players,
        deals=deals,
        sets=sets,
        margins=Margins(margin, OF_NUMBERS, margins),
        primary=primary,
        apart=apart,
        engine=engine,
    )
    with _folder(out) as folder:
        return Comparison(run_comparison(asked, folder, jobs), None if out is None else folder)


def sweep(
    variant: str,
    grid: Mapping[str, Sequence[object]],
    *,
    players: int | None = None,
    strategies: Sequence[str] | None = None,
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
    asked = _request((variant,), strategies, parameters, seed, **options)
    axes = [f"{name}={';'.join(map(written, values))}" for name, values in grid.items()]
    with _folder(out) as folder:
        return Sweep(grids.sweep(asked, axes, folder, jobs), None if out is None else folder)


def _request(
    variants: Sequence[str],
    strategies: Sequence[str] | None,
    parameters: Mapping[str, object] | None,
    seed: int | None,
    **options: Any,
) -> Request:
    return Request(
        variants=tuple(variants),
        parameters=tuple(f"{name}={written(x)}" for name, x in (parameters or {}).items()),
        strategies=None if strategies is None else tuple(strategies),
        seed=settle_seed(seed, map(load_strategy, strategies or ())),
        **options,
    )


@contextmanager
def _folder(out: str | Path | None) -> Iterator[Path]:
    if out is not None:
        yield Path(out)
        return
    with TemporaryDirectory(prefix="trutdsl-") as folder:
        yield Path(folder)
