"""Tables and `results.json`: the files of a run or comparison, as text."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.diagnostics import CANNOT_GO_ON, BadUsage, refuse_os_errors
from trutdsl.files import canonical_json, write_whole
from trutdsl.language import ENGLISH, say, speaking
from trutdsl.report.labels import in_words_of, point_name, verdict_words, words
from trutdsl.stats.contrast import Contrast
from trutdsl.stats.design import Tally
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.field import FieldSummary
from trutdsl.stats.summary import Summary
from trutdsl.strategy.load import FORMULA

if TYPE_CHECKING:
    import pandas as pd

# CSV: tables as text, without cells that a spreadsheet would read as formulas.

NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?(e[+-]?\d+)?", re.IGNORECASE)


def csv_text(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Return rows as CSV; None is an empty cell, and a text like a formula gets a quote."""
    out = StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows([_plain(value) for value in row] for row in rows)
    return out.getvalue()


def _plain(value: object) -> object:
    """Return a value that a spreadsheet shows as text, even from a hostile author."""
    if not isinstance(value, str):
        return value
    text = value.replace("\r", " ")  # `csv` does not quote it
    if not text.startswith(tuple(FORMULA)) or NUMBER.fullmatch(text):
        return text
    return f"'{text}"


TOTALS = ("matches", "seatings", "drawn", "unfinished", "deals", "decisions")


def collect_results(
    manifest: Mapping[str, Any],
    summary: Summary,
    field: FieldSummary,
    tallies: Sequence[Tally],
    names: list[str],
    stop: Mapping[str, Any] | None = None,
    partners: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return all results of a run, as JSON.

    field: the statistics of all strategies together.
    tallies: of each round.
    names: of the strategies, in the order of the tallies' indices.
    stop: the decision of the rule that ends the run.
    partners: the results of strategies with every partner.
    """
    sums = [tally.to_counts() for tally in tallies]
    in_rounds = "rounds" in manifest["meetings"]
    return {
        "manifest": manifest,
        "run": {
            "sets": sum(tally.sets for tally in tallies),
            "rounds": len(tallies),
            **{name: getattr(summary, name) for name in TOTALS},
            "deals_per_match": asdict(summary.deals_per_match),
            "first_score": summary.first_score and asdict(summary.first_score),
            "team_scores": [asdict(score) for score in summary.team_scores],
        },
        "standings": [
            {
                **asdict(one),
                "elo": field.strengths and asdict(field.strengths.elo[one.strategy]),
                "strategy": names[one.strategy],
                "ranks": list(one.ranks),
            }
            for one in summary.standings
        ],
        "pairs": [_contrast(pair, names) for pair in summary.pairs],
        "contrasts": [_contrast(contrast, names) for contrast in summary.contrasts],
        "partners": partners,
        "stop": stop,
        "field": _field(field, names),
        "sums": {"strategies": names, **({"rounds": sums} if in_rounds else sums[0])},
    }


def _field(field: FieldSummary, names: list[str]) -> dict[str, Any]:
    strengths, nash, alpha = field.strengths, field.nash, field.alpha_rank
    first_seat = strengths and strengths.first_seat
    return {
        "first_seat": first_seat and asdict(first_seat),
        "misfit": strengths and {"sum": strengths.misfit, "freedom": strengths.freedom},
        "cycles": [[names[i] for i in cycle] for cycle in field.cycles],
        "cyclic_share": field.cyclic_share and asdict(field.cyclic_share),
        "nash": nash
        and {"weights": _by_name(nash.weights, names), "scores": _by_name(nash.scores, names)},
        "alpha_rank": alpha
        and {
            "shares": _by_name(alpha.shares, names),
            "sweep": [
                {"alpha": intensity, "shares": dict(zip(names, shares, strict=True))}
                for intensity, shares in alpha.sweep
            ],
        },
    }


def _by_name(estimates: Sequence[Estimate], names: list[str]) -> dict[str, Any]:
    return {name: asdict(one) for name, one in zip(names, estimates, strict=True)}


def _contrast(contrast: Contrast, names: list[str]) -> dict[str, Any]:
    return {**asdict(contrast), "first": names[contrast.first], "second": names[contrast.second]}


ESTIMATE = ("", "_se", "_low", "_high", "_method")
STANDINGS = (
    "rank_best", "rank_worst", "strategy", *(f"score{part}" for part in ESTIMATE),
    "next_separated", "matches", "won", "drawn", "lost", "deals", "decisions",
    *(f"deals_per_match{part}" for part in ESTIMATE), *(f"elo{part}" for part in ESTIMATE),
    "place", "points", "forfeited", *(f"without_forfeits{part}" for part in ESTIMATE),
)  # fmt: skip
PAIRS = (
    "first", "second", "matches", "won", "lost", "drawn", "others",
    *(f"{name}{part}" for name in ("score", "second_score", "difference") for part in ESTIMATE),
    "gain", "gain_low", "gain_high", "correlation", "round",
)  # fmt: skip


RUN_TABLES = {"standings": STANDINGS, "pairs": PAIRS}


def _run_rows(results: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table of a run: strategies, the best first, or pairs."""
    for row in results[name]:
        best, worst = row.get("ranks", (None, None))
        yield {**row, "rank_best": best, "rank_worst": worst}


def data_frame(
    rows: Iterable[Any], columns: Iterable[str] | None = None, **more: Any
) -> pd.DataFrame:
    """Return rows as a table in Python."""
    import pandas as pd  # slow

    names = None if columns is None else list(columns)
    return pd.DataFrame(list(rows), columns=names, **more)


def run_frame(results: Mapping[str, Any], name: str) -> pd.DataFrame:
    """Return a table of a run in Python, by its name in `RUN_TABLES`."""
    columns = RUN_TABLES[name]
    return data_frame(flat_rows(_run_rows(results, name), columns), columns)


def run_csv(results: Mapping[str, Any], name: str, style: str = "plain") -> str:
    """Return a table of a run as CSV; style: see `Means.csv_style`."""
    return _table(RUN_TABLES[name], _run_rows(results, name), style)


def flat_rows(
    rows: Iterable[Mapping[str, Any]], columns: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield rows by columns: an estimate `score` becomes `score`, `score_se`, `score_low` ..."""
    for row in rows:
        flat = dict(row)
        for name, value in row.items():
            if isinstance(value, Mapping):
                flat |= {f"{name}_{part}": number for part, number in value.items()}
                flat[name] = value.get("mean")
        yield {name: flat.get(name) for name in columns}


def _table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], style: str = "plain") -> str:
    # A float is written in the shortest form that reads back as the same number, None as nothing.
    cells = [list(row.values()) for row in flat_rows(rows, columns)]
    if style != "fr":
        return csv_text([columns, *cells])
    french = [
        [repr(x).replace(".", ",") if isinstance(x, float) else x for x in row] for row in cells
    ]
    return csv_text([columns, *french], ";")


COLUMNS = (
    "variant", "point", "metric", "words", "kind", "base", "base_low", "base_high", "other",
    "other_low", "other_high", "difference", "difference_low", "difference_high", "effect",
    "pairing", "margin", "p", "p_together", "verdict",
)  # fmt: skip


def write_comparison(folder: Path, results: Mapping[str, Any]) -> None:
    """Write `comparison.json` and the tables; raises `BadUsage` if they cannot be written."""
    with refuse_os_errors(folder, CANNOT_GO_ON):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "comparison.json", canonical_json(results))
        write_whole(folder / "metrics.csv", metrics_csv(results))
        write_whole(folder / "ledger.csv", ledger_csv(results))


def write_best_play(folder: Path, results: Mapping[str, Any]) -> None:
    """Write `best-play.json`; raises `BadUsage` if it cannot be written."""
    with refuse_os_errors(folder, CANNOT_GO_ON):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "best-play.json", canonical_json(results))


PAYOFFS = ("worth", "gain", "loss", "break_even")
SHARES = ("rate", "wins")


LEDGER_KEYS = ("question", "option", "beats", "offered", "chosen")


def ledger_rows(results: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of `ledger.csv`: one for each bet, tenth of hands and counter, if any."""
    for variant in results["variants"]:
        for row in variant["ledger"]:
            same = {name: row[name] for name in (*LEDGER_KEYS, *SHARES)}
            same |= {f"won_by_{reason}": share for reason, share in row["won_by"].items()}
            for counter in sorted(row["worth"]) or [None]:
                payoffs = {name: row[name].get(counter) for name in PAYOFFS}
                yield {"variant": variant["name"], **same, "counter": counter, **payoffs}


def metrics_rows(results: Mapping[str, Any], points: bool = True) -> Iterator[dict[str, Any]]:
    """Yield the rows of `metrics.csv`; `point` is empty for a variant as a whole.

    points: include each point of a variant alone.
    """
    for difference in results["differences"]:
        for row in difference["metrics"]:
            yield _in_english(difference["variant"], "", row)
        for point in difference["points"] if points else ():
            with speaking(ENGLISH):
                name = point_name(point["pieces"])
            for row in point["metrics"]:
                yield _in_english(difference["variant"], name, row)


def metrics_csv(results: Mapping[str, Any], points: bool = True) -> str:
    """Return `metrics.csv`: numbers as in JSON, empty cells for None.

    points: see `metrics_rows`.
    """
    return _table(COLUMNS, metrics_rows(results, points))


def ledger_csv(results: Mapping[str, Any]) -> str:
    """Return `ledger.csv`, in the same form; games can have their own reasons for ends of deals."""
    reasons = {
        reason
        for variant in results["variants"]
        for row in variant["ledger"][:1]
        for reason in row["won_by"]
    }
    wins = [f"won_by_{reason}" for reason in sorted(reasons)]
    shares, payoffs = (
        [f"{name}{part}" for name in names for part in ("", "_low", "_high")]
        for names in ((*SHARES, *wins), PAYOFFS)
    )
    columns = ("variant", *LEDGER_KEYS, *shares, "counter", *payoffs)
    return _table(columns, ledger_rows(results))


def _in_english(variant: str, point: str, row: Mapping[str, Any]) -> dict[str, Any]:
    with speaking(ENGLISH), in_words_of({"variants": ()}):
        texts = {"words": words(row), "verdict": verdict_words(row)}
    return {**row, "variant": variant, "point": point, **texts}


def write_results(
    folder: Path, results: Mapping[str, Any], style: str = "plain", parquet: bool = False
) -> None:
    """Write `standings.csv`, `pairs.csv` and `results.json`; `manifest.json` exists already.

    style: of the tables, see `Means.csv_style`. parquet: see `write_parquet`.
    """
    with refuse_os_errors(folder, CANNOT_GO_ON):
        for name in RUN_TABLES:
            write_whole(folder / f"{name}.csv", run_csv(results, name, style))
        write_whole(folder / "results.json", canonical_json(results))
        if parquet:
            write_parquet(folder, results)


def write_parquet(folder: Path, results: Mapping[str, Any]) -> None:
    """Write `standings.parquet` and `pairs.parquet`, with the columns of the CSV files."""
    for name in RUN_TABLES:
        write_whole(folder / f"{name}.parquet", run_frame(results, name).to_parquet())


def need_pyarrow() -> None:
    """Raise `BadUsage` without pyarrow, which Parquet needs."""
    try:
        import pyarrow  # noqa: F401 - pandas writes with it
    except ImportError:
        raise BadUsage(
            say(
                "Parquet is written with pyarrow: pip install 'trutdsl[parquet]', "
                "or do without (--no-parquet)"
            )
        ) from None
