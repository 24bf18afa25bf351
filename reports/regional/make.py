"""Makes everything in this folder anew: `make regional`. The same bytes come out each time."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from findings import Played, findings

import trutdsl
from trutdsl.comparison.run_comparison import Request
from trutdsl.comparison.sweep import ambiguities
from trutdsl.report.csv_files import ledger_csv, metrics_csv, write_comparison
from trutdsl.report.page import write_up

HERE = Path(__file__).parent
CELLS = "regional-cells"  # beside it: what was played, kept for the next time
SEEDS = (1, 2)
TRUCS = ("truc-catalan", "truc-french")
TRUTS = (
    "trut",
    "trut-gatinaise",
    "trut-deux-sevres",
    "trut-club",
    "trut-club-gentiane",
    "trut-deluxe",
)
PLAYERS = (2, 4)
FIELDS = {
    "bluffing": ("bluffer", "honest", "loose", "steady", "tight"),
    "plain": ("caller", "quiet", "steady"),
    "watchful": ("last-card", "scorer", "stubborn", "trapper"),
}
TUTE = "tute"  # a match of it is one deal: it is played beside trut, by those who know it
BY_TUTE = "plain"
COMPARED = dict.fromkeys(FIELDS, (*TRUTS, *TRUCS)) | {TUTE: ("trut", TUTE)}
# The first run of these has a page with figures; the ledger is that of who bluffs.
PAGES = ("bluffing", "plain", TUTE)
LEDGERS = ("bluffing",)


def main(deals: int, few: int, folder: Path) -> None:
    """Play everything, and write the tables and the findings into a folder."""
    cells = folder.parent / CELLS

    def write(name: str, text: str) -> None:
        (folder / name).write_text(text, encoding="utf-8")

    comparisons = {
        (field, players): [_compared(field, players, seed, deals, cells, write) for seed in SEEDS]
        for players in PLAYERS
        for field in COMPARED
    }
    readings = {}
    for players in PLAYERS:
        for variant in (*TRUTS, *TRUCS, TUTE):
            for field in FIELDS if variant != TUTE else (BY_TUTE,):
                runs = _readings(variant, players, field, few, cells)
                if runs:
                    readings[variant, players, field] = runs
    played = Played(FIELDS, PLAYERS, SEEDS, comparisons, readings, deals, few)
    write("findings.md", "\n".join(findings(played)) + "\n")


def _compared(
    field: str, players: int, seed: int, deals: int, cells: Path, write: Callable[[str, str], None]
) -> dict[str, Any]:
    """Return one run of a comparison, and write its tables."""
    _say(f"{field}, {players} players, seed {seed}")
    where, name = cells / f"{field}-{players}-{seed}", f"{field}-{players}"
    results = dict(
        trutdsl.compare(
            *COMPARED[field],
            players=players,
            strategies=FIELDS[BY_TUTE if field == TUTE else field],
            deals=deals,
            seed=seed,
            apart=False,
            out=where,
        ).results
    )
    write(f"{name}-seed-{seed}-metrics.csv", metrics_csv(results))
    if field in LEDGERS:
        write(f"{name}-seed-{seed}-ledger.csv", ledger_csv(results))
    if field in PAGES and seed == SEEDS[0]:
        write_comparison(where, results)
        write(f"{name}.html", write_up(where, "en"))
    return results


def _readings(
    variant: str, players: int, field: str, few: int, cells: Path
) -> list[dict[str, Any]]:
    """Return both runs of what the readings of a variant change; none where nothing is unclear."""
    _say(f"unclear rules of {variant}, {players} players, {field}")
    runs = []
    for seed in SEEDS:
        asked = Request((variant,), players, strategies=FIELDS[field], deals=few, seed=seed)
        try:
            runs.append(ambiguities(asked, cells / "readings"))
        except trutdsl.BadUsage:
            return []  # nothing is marked as a choice
    return runs


def _say(text: str) -> None:
    """Tell a person what is done next."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--readings", type=int, default=200_000)
    parser.add_argument("--out", type=Path, default=HERE, help="the folder that is written")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    main(given.deals, given.readings, given.out)
