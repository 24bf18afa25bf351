"""Check of exact results: compares them with simulated matches, for pairs of scripts.

    python tools/check_exact.py FOLDER [--matches N] [--pairs N] [--goal N]

Each pair of some scripts is evaluated and simulated in four variants. Each pair is stored in
FOLDER, so a run that was stopped goes on. Remove FOLDER after a change of the program. The exit
code is 1 if any |z| is above 4, or if a sum of z squared is outside of its 99 % range.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from itertools import combinations, islice
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from trutdsl.comparison.metrics import Metric, expected_metrics
from trutdsl.files import write_whole
from trutdsl.game import load_game
from trutdsl.solve.exact import evaluate
from trutdsl.strategy.count import add_part, count_in_parts
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.solved_policy import exact_players
from trutdsl.table.counts import Counts

SCRIPTS = {
    "trut": ("steady", "tight", "bluffer", "caller", "quiet"),
    "trut-deux-sevres": ("steady", "tight", "bluffer", "announcer", "quiet"),
    "truc-catalan": ("steady", "tight", "loose", "caller", "quiet"),  # a bluffer takes much longer
    "trut-gatinaise": ("steady", "caller"),  # others sing at random, which is too much
}
MAIN = ("wins", "first dealer wins", "deals a match")
MOST = 4  # standard errors
LEVEL = 0.001  # of all other metrics together


def check_pair(
    variant: str, names: tuple[str, str], goal: int | None, matches: int, seed: int
) -> dict[str, Any]:
    """Return the z value of each figure of a pair; those of metrics have 39 degrees of freedom."""
    game = load_game(variant, 2, {} if goal is None else {"goal": goal}, "native")
    seating = load_strategies(names, game)
    table, (one, other) = exact_players(game, seating)
    exact = evaluate(table, (one, other))
    played = []
    for turn, seats in enumerate((seating, seating[::-1])):
        clusters: list[Counts] = []
        for cluster, counts in count_in_parts(
            game, seats, 2 * seed + turn, matches // 2, brief=False
        ):
            add_part(clusters, cluster, counts)
        played.append(clusters)
    totals = [sum(clusters[1:], clusters[0]) for clusters in played]
    wins = [total["winners"][turn] for turn, total in enumerate(totals)]
    first_dealer = [total["first_dealer"][0] for total in totals]
    won = [sum(total["winners"][:2]) for total in totals]
    deals = [(t["deals"], t["deals_sq"], t["matches"]) for t in totals]
    of_deals = [(d / n, (sq - d * d / n) / (n - 1) / n) for d, sq, n in deals]
    metrics = expected_metrics(game.count_plan, exact.counts)
    rows, others = (np.array([counts.numbers for counts in clusters]) for clusters in played)
    return {
        "wins": z_of(
            [share_of(w, t["matches"]) for w, t in zip(wins, totals, strict=True)], exact.wins[0]
        ),
        "first dealer wins": z_of(
            [share_of(f, w) for f, w in zip(first_dealer, won, strict=True)],
            exact.first_dealer_wins,
        ),
        "deals a match": z_of(of_deals, exact.deals_per_match),
        "metrics": {m.name: metric_z(m, value, rows + others) for m, value in metrics},
        "exact": {"wins": exact.wins, "deals": exact.deals_per_match},
    }


def share_of(count: int, whole: int) -> tuple[float, float]:
    """Return a share and the variance of its error."""
    share = count / whole
    return share, share * (1 - share) / whole


def z_of(seatings: list[tuple[float, float]], exact: float) -> float:
    """Return z of the mean over both seatings, each with the variance of its error."""
    (one, of_one), (two, of_two) = seatings
    error = sqrt(of_one + of_two) / 2
    return ((one + two) / 2 - exact) / error if error else 0.0


def metric_z(metric: Metric, exact: float, rows: np.ndarray[Any, Any]) -> float:
    """Return z of a metric from the counts of clusters; 0 if it never varies."""
    assert metric.ratio is not None
    parts, wholes = (row.sums(rows) for row in metric.ratio)
    ratio = parts.sum() / wholes.sum()
    residuals = parts - ratio * wholes
    error = sqrt(len(rows) / (len(rows) - 1) * (residuals**2).sum()) / wholes.sum()
    return float((ratio - exact) / error) if error > 1e-12 else 0.0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """Check all pairs, print the table, and return the exit code."""
    parser = ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--pairs", type=int, default=10, help="of each variant, at most 10")
    parser.add_argument("--goal", type=int, help="of each match; a small one takes less time")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    results: dict[tuple[str, ...], dict[str, Any]] = {}
    for variant, scripts in SCRIPTS.items():
        for number, names in enumerate(islice(combinations(scripts, 2), options.pairs)):
            length = "" if options.goal is None else f"-goal-{options.goal}"
            name = f"{variant}{length}-{'-'.join(names)}-{options.matches}.json"
            path = options.folder / name
            if not path.exists():
                pair = check_pair(variant, names, options.goal, options.matches, 100 + number)
                write_whole(path, json.dumps(pair, indent=1).encode())
            results[variant, *names] = pair = json.loads(path.read_text())
            largest = max(pair["metrics"], key=lambda name: abs(pair["metrics"][name]))
            shown = "  ".join(f"{name} {pair[name]:+.2f}" for name in MAIN)
            say(
                f"{variant:17} {names[0]:9} {names[1]:9}  z: {shown}  "
                f"metrics at most {pair['metrics'][largest]:+.2f} ({largest})"
            )
    return report(list(results.values()))


def report(pairs: list[dict[str, Any]]) -> int:
    """Print the sums over all pairs; return 1 if a figure is outside of its range."""
    wrong = False
    low, high = (stats.chi2.ppf(p, len(pairs)) for p in (0.005, 0.995))
    for name in MAIN:
        values = [pair[name] for pair in pairs]
        largest, total = max(map(abs, values)), sum(z * z for z in values)
        wrong |= largest > MOST or not low <= total <= high
        say(f"{name}: largest |z| {largest:.2f}, sum of z^2 {total:.1f} of {low:.1f} to {high:.1f}")
    others = [z for pair in pairs for z in pair["metrics"].values()]
    most = stats.t.isf(LEVEL / len(others) / 2, 39)
    largest = max(map(abs, others))
    wrong |= largest > most
    say(f"{len(others)} metrics: largest |z| {largest:.2f} of at most {most:.2f}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
