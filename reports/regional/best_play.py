"""Makes the chapter on best play anew: `make best-play`. The same bytes come out each time."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from two_runs import Pooled, pool

from trutdsl.comparison.best_play import compare_best_play
from trutdsl.comparison.run_comparison import Request
from trutdsl.files import canonical_json
from trutdsl.game import load_game
from trutdsl.options import NATIVE
from trutdsl.report.best_play import best_play_lines
from trutdsl.report.rounding import lower_bound, upper_bound
from trutdsl.solve.policy_run import read_value

HERE = Path(__file__).parent
SEEDS = (1, 2)
FIELDS = ("bluffing", "plain", "watchful")
BLUFFING = "bluffing"  # the field with a ledger
BASE = "trut"
LONGS = {"petits": 1.0, "longs": 3.0}
# What a deal is played for, by variant: points of each counter.
WORTH: Mapping[str, Mapping[str, float]] = {
    "trut": LONGS,
    "trut-gatinaise": LONGS,
    "trut-deux-sevres": LONGS,
    "trut-club": LONGS,
    "trut-club-gentiane": LONGS,
    "trut-deluxe": LONGS,
    "truc-catalan": {"points": 1.0},
    "truc-french": {"games": 1.0},
}
HALF, CLOSE = 0.5, 1e-4
Results = Mapping[str, Any]


@dataclass(frozen=True)
class Statement:
    """What scripts say of a variant, and best play.

    text: what it is about. fields: the values by field, each with its interval. best: under best
    play, None where that never comes. half: it is about which side of a half the share lies on.
    kind: `share` or `number`.
    """

    text: str
    fields: Mapping[str, Pooled]
    best: float | None
    half: bool = False

    def verdict(self) -> str:
        """Say whether the statement survives."""
        if self.best is None:
            return "best play never comes there"
        if self.half:
            sides = {_side(one) for one in self.fields.values()}
            if len(sides) > 1 or sides == {0}:
                return "the fields do not agree on a side of a half, so there is none to survive"
            return "survives" if sides == {_side_of(self.best)} else "does not survive"
        low = min(_end(one.low, one.mean) for one in self.fields.values())
        high = max(_end(one.high, one.mean) for one in self.fields.values())
        if low <= self.best <= high:
            return "survives"
        return (
            f"does not survive: best play is {'below' if self.best < low else 'above'} all fields"
        )

    def line(self) -> str:
        """Return the statement as a row of a table."""
        values = ", ".join(f"{field} {_shown(one)}" for field, one in self.fields.items())
        best = "-" if self.best is None else _figure(self.best, next(iter(self.fields.values())))
        return f"| {self.text} | {values} | {best} | {self.verdict()} |"


def _end(end: float | None, mean: float) -> float:
    return mean if end is None else end


def _side(one: Pooled) -> int:
    """Return on which side of a half an interval lies, 0 if on both."""
    low, high = _end(one.low, one.mean), _end(one.high, one.mean)
    return (low > HALF) - (high < HALF)


def _side_of(value: float) -> int:
    return 0 if abs(value - HALF) < CLOSE else (value > HALF) - (value < HALF)


def _figure(value: float, like: Pooled) -> str:
    return f"{100 * value:.1f} %" if like.kind == "share" else f"{value:.2f}"


def _shown(one: Pooled) -> str:
    low, high = (_figure(_end(end, one.mean), one) for end in (one.low, one.high))
    return f"{_figure(one.mean, one)} ({low} to {high})"


# ------------------------------------------------------------ what scripts say


def read_metrics(folder: Path, variant: str, metric: str) -> dict[str, Pooled]:
    """Return a metric of a variant for two players, by field; both runs together."""
    values = {}
    for field in FIELDS:
        runs = [
            _metric_row(folder / f"{field}-2-seed-{seed}-metrics.csv", variant, metric)
            for seed in SEEDS
        ]
        if all(runs):
            kind = "share" if runs[0]["kind"] == "share" else "number"
            values[field] = pool(runs[0], runs[1], kind)
    return values


def _metric_row(path: Path, variant: str, metric: str) -> dict[str, Any]:
    side = "base" if variant == BASE else "other"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            right = side == "base" or row["variant"] == variant
            if right and row["metric"] == metric and not row["point"] and row[side]:
                ends = {"low": f"{side}_low", "high": f"{side}_high", "mean": side}
                return {"kind": row["kind"], **_numbers(row, ends)}
    return {}


def read_weakest(
    folder: Path, variant: str, question: str, option: str, what: str, **more: str
) -> dict[str, Pooled]:
    """Return a figure of the ledger for hands that beat fewer than one hand in ten."""
    key = {"variant": variant, "question": question, "option": option, "beats": "0", **more}
    ends, runs = {"mean": what, "low": f"{what}_low", "high": f"{what}_high"}, []
    for seed in SEEDS:
        path = folder / f"{BLUFFING}-2-seed-{seed}-ledger.csv"
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if key.items() <= row.items() and row[what]]
        runs += [_numbers(row, ends) for row in rows[:1]]
    if len(runs) < len(SEEDS):
        return {}
    return {BLUFFING: pool(runs[0], runs[1], "number" if what == "worth" else "share")}


def read_points(
    folder: Path, variant: str, question: str, option: str, worth: Mapping[str, float]
) -> dict[str, Pooled]:
    """Return the points of a deal with such an answer; the interval is rather too wide."""
    parts = [
        (points, weakest[BLUFFING])
        for counter, points in worth.items()
        if (weakest := read_weakest(folder, variant, question, option, "worth", counter=counter))
    ]
    if len(parts) < len(worth):
        return {}
    mean, low, high = (
        sum(points * _end(getattr(one, end), one.mean) for points, one in parts)
        for end in ("mean", "low", "high")
    )
    return {BLUFFING: Pooled(mean, low, high, "number")}


def _numbers(row: Mapping[str, str], names: Mapping[str, str]) -> dict[str, float | None]:
    return {name: float(row[of]) if row[of] else None for name, of in names.items()}


# ------------------------------------------------------------ statements


def statements(folder: Path, one: Results) -> Iterator[Statement]:
    """Yield the statements on a variant that best play also makes, of a deal or a match."""
    name = one["name"]

    def of(text: str, metric: str, best: float | None, half: bool = False) -> Iterator[Statement]:
        fields = read_metrics(folder, name, metric)
        if fields:
            yield Statement(text, fields, best, half)

    if one["unit"] == "matches":
        share = one["value"]["mean"]
        yield from of(
            "decided matches won by the side that deals first", "first_dealer", share, half=True
        )
        yield from of("deals a match", "length.deals", one["deals"]["mean"])
    yield from of("decided deals won by the dealer's side", "dealer", one["dealer"], half=True)
    if one["leader"] is not None:
        yield from of(
            "decided deals won by the side that leads first", "leader", one["leader"], half=True
        )
    for row in one["answers"]:
        both, question, option = row["both"], row["question"], row["option"]
        answer = f"'{option}' where '{question}' is asked"
        if row["fold"]:
            yield from of(f"answers {answer}", f"answer.{question}.{option}", both["rate"])
        if not row["bet"]:
            continue
        for text, what, best in (
            (f"answers {answer}, with the weakest tenth of hands", "rate", both["by_tenth"][0]),
            (f"deals won after {answer}, with these hands", "wins", both["won_by_tenth"][0]),
        ):
            fields = read_weakest(folder, name, question, option, what)
            if fields:
                yield Statement(text, fields, best)
        if one["unit"] == "points" and name in WORTH:
            text = f"points of a deal after {answer}, with these hands"
            fields = read_points(folder, name, question, option, WORTH[name])
            if fields:
                yield Statement(text, fields, both["gain_by_tenth"][0])


# ------------------------------------------------------------ the chapter


def chapter(
    folder: Path, deals: Results, matches: Results | None, values: Mapping[str, Results]
) -> Iterator[str]:
    """Yield the chapter, line by line.

    values: what the side that deals first wins in matches, by variant.
    """
    yield "# The regional variants under best play"
    yield ""
    yield (
        "`findings.md` is about these variants as scripts play them. This chapter is about the "
        "games: two players play as well as possible. `docs/solve.md` explains the methods and the "
        "words; `make best-play` makes this page again, the same bytes each time."
    )
    yield ""
    yield (
        "One deal from the start of a match is played for points: a petit for 1, a long for 3. "
        "Values of whole matches come from the policies in `reports/best-play`, which `trutdsl "
        "solve` wrote before. The figures of scripts are means over their matches, for two "
        "players; best play of one deal begins without petits."
    )
    yield ""
    yield "## Which statements about script play survive"
    yield ""
    yield (
        "A statement about a side of a half survives if all three fields of scripts lie on that "
        "side for certain, and best play, too. Any other figure survives if best play lies among "
        "the fields, or in one of their intervals. The weakest tenth of hands is by the hands that "
        "they beat for scripts, and by what they gain for best play."
    )
    yield ""
    for name, value in values.items():
        fields = read_metrics(folder, name, "first_dealer")
        text = "decided matches won by the side that deals first"
        first = [Statement(text, fields, value["mean"], half=True)] if fields else []
        yield from _table(f"{name}, whole matches", first)
        low, high = lower_bound(100 * value["low"], ".2f"), upper_bound(100 * value["high"], ".2f")
        yield f"Under perfect play the first dealer wins {low} to {high} of 100 matches."
        yield ""
    for results in filter(None, (matches, deals)):
        for one in results["variants"]:
            if not one["why_not"] and max(map(abs, one["value"].values())) < CLOSE:
                yield (
                    f"{one['name']}: from this score a deal is worth nothing to either side. So "
                    "best play of a deal says nothing here."
                )
                yield ""
                continue
            rows = [] if one["why_not"] else list(statements(folder, one))
            what = "whole matches" if one["unit"] == "matches" else "one deal"
            yield from _table(f"{one['name']}, {what}", rows)
    for title, shown in (("Whole matches", matches), ("One deal", deals)):
        if shown is not None:
            yield f"## {title}"
            yield ""
            yield "```"
            yield from (line.rstrip() for line in best_play_lines(shown))
            yield "```"
            yield ""


def _table(title: str, rows: Sequence[Statement]) -> Iterator[str]:
    if rows:
        yield f"{title}:"
        yield ""
        yield "| what | by scripts | best play | the statement |"
        yield "|---|---|---|---|"
        yield from (statement.line() for statement in rows)
        yield ""


def main(folder: Path, policies: Path, whole: bool) -> None:
    """Solve a deal of every variant, and write the figures and the chapter into a folder.

    policies: those of matches. whole: describe all deals of these matches, not only their values.
    """
    deals: dict[str, Any] = {}
    for name, worth in WORTH.items():
        _say(f"one deal of {name}")
        one = compare_best_play(Request((name,), 2), policies, worth=worth)
        deals = {**one, "variants": [*deals.get("variants", []), *one["variants"]]}
    solved = tuple(name for name in WORTH if (policies / f"{name}.policy").exists())
    matches, values = None, {}
    if solved and whole:
        _say(f"matches of {', '.join(solved)}")
        matches = compare_best_play(Request(solved, 2), policies)
    else:
        for name in solved:
            game = load_game(name, 2, (), NATIVE)
            values[name] = read_value(game, policies / f"{name}.policy")._asdict()
    results = {"deals": deals, "matches": matches, "values": values}
    (folder / "best-play.json").write_text(canonical_json(results), encoding="utf-8")
    text = "\n".join(chapter(HERE, deals, matches, values)).rstrip() + "\n"
    (folder / "best-play.md").write_text(text, encoding="utf-8")


def _say(text: str) -> None:
    """Tell a person what is done next."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="the folder that is written")
    parser.add_argument("--policies", type=Path, default=HERE.parent / "best-play")
    parser.add_argument("--matches", action="store_true", help="describe whole matches, slowly")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    main(given.out, given.policies, given.matches)
