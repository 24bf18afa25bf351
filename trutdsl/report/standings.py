"""The standings as shown on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from trutdsl.report.wording import counted, limits, shown

NARROWEST = 100  # columns, where the output goes into a file or a pipe
SCORE = ".4f"


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
            f"{row['score']['mean']:{SCORE}}",
            limits(row["score"], SCORE),
            str(row["won"]),
            str(row["drawn"]),
            str(row["lost"]),
        )
    console.print(table)
    for line in (*_remarks(results), *_making(manifest, run), f"files: {folder}"):
        console.print(Text(line), soft_wrap=True)


def _ranks(ranks: list[int]) -> str:
    best, worst = ranks
    return str(best) if best == worst else f"{best}-{worst}"


def _remarks(results: Mapping[str, Any]) -> Iterator[str]:
    if results["run"]["sets"] < 2:
        yield "one set only: no interval and no separation can be given"
        return
    apart = {frozenset((c["first"], c["second"])) for c in results["contrasts"] if c["separated"]}
    names = [row["strategy"] for row in results["standings"]]
    if not apart and len(names) > 2:
        yield "not separated: any two of them"
        return
    close = [
        f"{name} from {', '.join(near)}"
        for place, name in enumerate(names)
        if (near := [n for n in names[place + 1 :] if frozenset((name, n)) not in apart])
    ]
    if close:
        yield f"not separated: {'; '.join(close)}"


def _making(manifest: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[str]:
    variant = manifest["variant"]
    teams = len(run["team_scores"])
    sets = counted(run["sets"], "set", "sets")
    yield (
        f"{counted(run['matches'], 'match', 'matches')} ({sets} of deals, each with the {teams} "
        f"seatings of every combination), {counted(run['deals'], 'deal', 'deals')}"
    )
    yield (
        f"deals a match {shown(run['deals_per_match'], '.2f')}, score of seat 0's team "
        f"{shown(run['team_scores'][0], SCORE)}, {1 / teams:.4g} if seats are alike"
    )
    made = f"seed {manifest['seed']}, variant {variant['fingerprint'][:12]}"
    if run["sets"] < 2:
        yield made
        return
    yield (
        f"{made}; each interval by itself, by Student's t over sets and pseudo-sets; "
        f"ranks by paired contrasts with Holm's correction"
    )
