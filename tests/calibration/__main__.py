"""`python -m tests.calibration FOLDER`: writes each table as CSV, and all as Markdown.

After FOLDER may follow the number of runs for each row, and the names of tables: alarms, known,
live, self, compared, idle, worlds. Each table is rewritten whenever a part of it is finished. With
`worlds missing`, only those tables are played that `worlds.csv` in FOLDER lacks.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.calibration.comparisons import false_verdicts, interval_coverages
from tests.calibration.real_play import coverages, uneven_sets
from tests.calibration.sequences import (
    MARGIN,
    RARE_SHARE,
    errors_of_rare_differences,
    errors_of_test,
    live_misses,
    live_misses_of_rare_differences,
)
from tests.calibration.tournaments import POINTS, calibrate
from tests.calibration.worlds import (
    SEEDS,
    TruthRow,
    summary_rows,
    tables,
    title_of,
    worlds_of_table,
)
from trutdsl.stats.design import MATCHES
from trutdsl.strategy.threads import usable_cpus
from trutdsl.variant import list_variants, load_variant

RUNS = 1000
SHARES = ("alarms", "scores", "covered", "wrong", "single", "compared", "rounded")
SIZES = (20, 39, 40, 100, 200)
KNOWN_SIZES = (20, 40, 200)
SMALL = 40  # sets of a comparison, clusters of one each
DIFFERENT_STRATEGIES = ("bluffer", "steady", "tight")  # they differ at this size
Task = tuple[str, Callable[..., Any], tuple[Any, ...]]
ALARMS = """\
## Equal strategies

A/A tournaments: `alarms` is the share of tournaments in which any two are called different, that
is in which any of the intervals of their differences, which hold together, leaves out 0; `scores`
how often the 95 % interval of a score holds. In 1,000 tournaments a true 5 % shows as 3.6 % to
6.4 % in 95 of 100 such rows; scores of one tournament hang together.
"""
KNOWN = """\
## A game with a known answer

Uniform play of Trut for two against itself, in machine code: how often 95 % intervals hold what is
worked out from all deals by a Markov chain. Those of `simulate` are of as many matches as the
others have sets.
"""
LIVE = """\
## What is looked at while it grows

Each may be wrong in 5 % of the runs. `sets`: after how many it ended, on average. The test is
between a mean of 0.5 and one of 0.54, looked at after every 64 sets.
"""
COMPARED = """\
## Two comparisons of a game with itself

Trut for two against itself under another seed, clusters of one set each. `single`: how often the
interval of a metric of one game holds the truth, told by all runs; `compared`: how often that of
the difference, by itself, holds 0, and in the first row how often all of them do at once. `alone`
and `together` are the median widths of an interval by itself and at once with all others. `rounded`
is what coverage of 95 % becomes if the interval is widened as here by the 1/12 that whole numbers
add to the variance of a count; `counted` is how often in both games the rarer of two things
happened, what a share is of or the rest. Both are medians of the first 40 runs. Rows above 97 %
have 97 % or more there, so rounding is the reason. Most are shares of `uniform`, of which a cluster
is a single match with counts of 0 or 1, or of what hardly ever happens. The strategies differ at
this size. By actuary, bluffer and honest, which hardly do, the difference of `skill` is near the
end of its range, and its interval held 0 in 97.7 % of 2,000 runs.
"""
IDLE = """\
## A variant that does nothing

Trut for two against Trut with two dice that nobody looks at, on other deals (each has seeds of its
own), at the default size and by the default strategies: how often any verdict is false.
"""
SELF = """\
## A strategy without luck against itself

Always the last legal action, under as many names as there are teams: sets in which any two of
them differ.
"""
WORLDS = """\
## Worlds of monte-carlo

At each kind of question of a table: where the truth lies among three worlds that are drawn for the
seat. Matches are played by chance, so that the truth should have any place as likely as any other.
Each match gives one position at most, so that all places are independent. `positions` are matches
that came to the question, and `given_up` further ones, where 60 tries did not give three worlds
that fit. At `places` of the positions the worlds differ in what is looked at: cards seen in earlier
deals (where all cards are shuffled before a deal), what the next seat holds, pairs of a rank or of
a suit, where one card lies, secrets. One of these, by luck, gives the place of the position. `mean`
and `spread` are those of the places: 0.5 and 1 where they are even. `p` tests whether they are
even. `least` is the least p-value of all numbers, for mean and spread, times how many there are; it
needs 20 places. The last rows are of all kinds. In the row of all places, `p` is of their mean and
spread. In the other one it tests whether the values of `p` above are even, and `least` is the least
of all, times their number.

`python -m tests.calibration FOLDER 240 worlds missing` plays the tables that are not here, in the
same way. The question `look` of passing and secrets has one answer, so monte-carlo draws no worlds
there. At that point all is revealed, and random draws do not fit.
"""
HEADS = {
    "alarms": ALARMS,
    "known": KNOWN,
    "live": LIVE,
    "compared": COMPARED,
    "idle": IDLE,
    "self": SELF,
    "worlds": WORLDS,
}


@dataclass(frozen=True)
class Ties:
    """The number of sets in which a deterministic strategy does not tie with itself."""

    variant: str
    players: int
    sets: int
    uneven: int


def run_task(task: tuple[int, Task]) -> tuple[int, list[Any]]:
    """Run a task; return its number and its rows, which are a part of a table."""
    number, (_, function, arguments) = task
    found = function(*arguments)
    return number, found if isinstance(found, list) else [found]


def count_ties(variant: str, players: int, sets: int) -> Ties:
    """Return the number of sets in which a player of the last action does not tie with itself."""
    with TemporaryDirectory() as folder:
        return Ties(variant, players, sets, uneven_sets(variant, players, sets, Path(folder)))


def list_tasks(runs: int) -> list[Task]:
    """Return the tasks of all tables, in their order."""
    designs = [(2, 2, MATCHES), (6, 2, MATCHES), (6, 2, POINTS), (6, 3, MATCHES)]
    games = [(name, min(load_variant(name).players)) for name in list_variants()]
    return [
        *(("alarms", calibrate, (*one, sets, runs)) for one in designs for sets in SIZES),
        *(("known", coverages, (sets, 2 * runs)) for sets in KNOWN_SIZES),
        ("live", errors_of_test, (0.5, "lower", runs)),
        ("live", errors_of_test, (0.5 + MARGIN, "upper", runs)),
        ("live", errors_of_rare_differences, (0.0, "lower", runs)),
        ("live", errors_of_rare_differences, (RARE_SHARE, "upper", runs)),
        ("live", live_misses, (runs,)),
        ("live", live_misses_of_rare_differences, (runs,)),
        ("compared", interval_coverages, (DIFFERENT_STRATEGIES, SMALL, 2 * runs)),
        ("compared", interval_coverages, (("uniform",), SMALL, 2 * runs)),
        ("idle", false_verdicts, (max(1, runs // 5),)),
        *(("self", count_ties, (*one, max(2, runs // 20))) for one in (*games, ("trut", 3))),
        *(
            ("worlds", worlds_of_table, (*one, max(2, runs // 10), seed))
            for seed in SEEDS
            for one in tables()
        ),
    ]


def main(folder: Path, runs: int, names: Sequence[str]) -> None:
    """Make these tables, or all, and write `calibration.md` from all existing tables."""
    chosen = dict(enumerate(task for task in list_tasks(runs) if not names or task[0] in names))
    folder.mkdir(parents=True, exist_ok=True)
    found = _read_rows(folder / "worlds.csv", chosen) if "missing" in names else {}
    missing = [(number, task) for number, task in chosen.items() if number not in found]
    with get_context("fork").Pool(usable_cpus()) as pool:
        for number, rows in pool.imap_unordered(run_task, missing):
            found[number], name = rows, chosen[number][0]
            sys.stderr.writelines(f"{row}\n" for row in rows)
            table = [row for at in sorted(found) if chosen[at][0] == name for row in found[at]]
            last = summary_rows(table) if name == "worlds" else []
            (folder / f"{name}.csv").write_text(_csv([*table, *last]), encoding="utf-8")
    text = ["# Calibration\n", "Made by `make calibration`.\n"]
    for name, head in HEADS.items():
        if (file := folder / f"{name}.csv").exists():
            text += [head, _markdown(file.read_text(encoding="utf-8"))]
    (folder / "calibration.md").write_text("\n".join(text), encoding="utf-8")


def _read_rows(file: Path, chosen: Mapping[int, Task]) -> dict[int, list[TruthRow]]:
    """Read the rows of a table of worlds, by the number of their task."""
    rows = [
        TruthRow(int(seed), table, question, *map(int, rest[:3]), *map(float, rest[3:]))
        for seed, table, question, *rest in list(csv.reader(file.open(encoding="utf-8")))[1:]
    ]
    titles = {number: (task[2][-1], title_of(*task[2][:3])) for number, task in chosen.items()}
    found = {
        at: [row for row in rows if (row.seed, row.table) == key] for at, key in titles.items()
    }
    return {number: rows for number, rows in found.items() if rows}


def _csv(rows: Sequence[Any]) -> str:
    table = StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([field.name for field in fields(rows[0])])
    for row in rows:
        writer.writerow([f"{v:.5g}" if isinstance(v, float) else str(v) for v in astuple(row)])
    return table.getvalue()


def _markdown(text: str) -> str:
    names, *rows = csv.reader(StringIO(text))
    lines = [names, ["---"] * len(names)]
    lines += [[_text(*cell) for cell in zip(names, row, strict=True)] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _text(name: str, value: str) -> str:
    if value == "nan":
        return ""
    return f"{float(value):.1%}" if name in SHARES else value


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else RUNS, sys.argv[3:])
