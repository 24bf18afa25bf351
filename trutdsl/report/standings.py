"""The standings as shown on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

NARROWEST = 100  # columns, where the output goes into a file or a pipe


def show_standings(results: Mapping[str, Any], folder: str, console: Console) -> None:
    """Print the table, and below it how it was made."""
    manifest, run = results["manifest"], results["run"]
    variant = manifest["variant"]
    table = Table(
        title=Text(f"{variant['name']}, {variant['players']} players"), title_justify="left"
    )
    for name in ("rank", "strategy", "score", "95 % interval", "won", "drawn", "lost"):
        table.add_column(name, justify="left" if name == "strategy" else "right", no_wrap=True)
    for row in results["standings"]:
        table.add_row(
            _ranks(row["ranks"]),
            Text(row["strategy"]),  # a name is shown as it is, not read as markup
            f"{row['score']['mean']:.4f}",
            interval(row["score"]),
            str(row["won"]),
            str(row["drawn"]),
            str(row["lost"]),
        )
    console.print(table)
    for line in (*_remarks(results), *_making(manifest, run), f"files: {folder}"):
        console.print(Text(line), soft_wrap=True)


def interval(estimate: Mapping[str, Any]) -> str:
    """Return an interval for reading; `*` marks one that was made without any variation."""
    if estimate["low"] is None:
        return "none"
    mark = "*" if estimate["method"] == "no-variation" else ""
    return f"{estimate['low']:.4f} to {estimate['high']:.4f}{mark}"


def _ranks(ranks: list[int]) -> str:
    best, worst = ranks
    return str(best) if best == worst else f"{best}-{worst}"


def _remarks(results: Mapping[str, Any]) -> Iterator[str]:
    standings = results["standings"]
    if results["run"]["sets"] < 2:
        yield "one set only: no interval and no separation can be given"
        return
    close = [
        f"{row['strategy']} and {after['strategy']}"
        for row, after in pairwise(standings)
        if not row["next_separated"]
    ]
    if close:
        yield f"not separated: {'; '.join(close)}"
    if any(row["score"]["method"] == "no-variation" for row in standings):
        yield "* every set gave the same score; Clopper-Pearson limit of the share that would not"


def _making(manifest: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[str]:
    variant = manifest["variant"]
    teams = len(run["team_scores"])
    deals, first = run["deals_per_match"], run["team_scores"][0]
    yield (
        f"{run['matches']} matches ({run['sets']} sets of deals, each with the {teams} seatings of "
        f"every combination), {run['deals']} deals"
    )
    yield (
        f"deals a match {deals['mean']:.2f} ({interval(deals)}), score of the first seat's team "
        f"{first['mean']:.4f} ({interval(first)})"
    )
    yield (
        f"seed {manifest['seed']}, variant {variant['fingerprint'][:12]}; intervals by Student's t "
        f"over sets, ranks by paired contrasts with Holm's correction"
    )
