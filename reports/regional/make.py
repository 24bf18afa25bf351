"""Makes everything in this folder anew: `make regional`. The same bytes come out each time."""

import argparse
import sys
from pathlib import Path

import trutdsl
from trutdsl.comparison.asked import Asked
from trutdsl.comparison.sweep import ambiguities
from trutdsl.report.compared import weight
from trutdsl.report.comparison_tables import ledger_csv, metrics_csv, write_comparison
from trutdsl.report.html.stored import write_up

HERE = Path(__file__).parent
CELLS = "regional-cells"  # beside it: what was played, kept for the next time
SEED = 1
TRUCS = ("truc-catalan", "truc-french")
TRUTS = (
    "trut",
    "trut-gatinaise",
    "trut-deux-sevres",
    "trut-club",
    "trut-club-gentiane",
    "trut-deluxe",
)
GROUPS = {
    "plain": ((*TRUTS, *TRUCS), ("caller", "quiet", "steady")),
    "tute": (("trut", "tute"), ("caller", "quiet", "steady")),  # a match of it is one deal
    "bluffing": ((*TRUTS, *TRUCS), ("bluffer", "honest", "loose", "steady", "tight")),
}
PLAYERS = (2, 4)


def main(deals, readings, folder):
    """Play everything, and write the tables and the findings into a folder."""

    def write(name, text):
        (folder / name).write_text(text, encoding="utf-8")

    found, cells = {}, folder.parent / CELLS
    for players in PLAYERS:
        for name, (variants, strategies) in GROUPS.items():
            say(f"{name}, {players} players")
            compared = trutdsl.compare(
                *variants,
                players=players,
                strategies=strategies,
                deals=deals,
                seed=SEED,
                apart=False,
                out=cells / f"{name}-{players}",
            )
            found[name, players] = compared.results
            write(f"{name}-{players}-metrics.csv", metrics_csv(compared.results))
            write(f"{name}-{players}-ledger.csv", ledger_csv(compared.results))
            write_comparison(cells / f"{name}-{players}", compared.results)
            write(f"{name}-{players}.html", write_up(cells / f"{name}-{players}", "en"))
    unclear = {}
    for players in PLAYERS:
        for variant in (*TRUTS, *TRUCS, "tute"):
            say(f"unclear rules of {variant}, {players} players")
            asked = Asked((variant,), players, deals=readings, seed=SEED)
            try:
                unclear[variant, players] = ambiguities(asked, cells / "readings")
            except trutdsl.BadUsage:
                continue  # nothing is marked as a choice
    write("findings.md", "\n".join(findings(found, unclear, deals)) + "\n")


def findings(found, unclear, deals):
    """Yield the page of findings, line by line."""
    yield "# What the regional variants do"
    yield ""
    yield (
        f"At least {deals:,} deals of each variant with each number of players, seed {SEED}; made "
        "by `make regional`, which gives the same bytes on every machine. Intervals are of 95 %, "
        "each by itself, over clusters of duplicate sets; `docs/statistics.md` says how. "
        "Everything depends on who plays: "
        + "; ".join(f"*{name}* are {', '.join(who)}" for name, (_, who) in GROUPS.items())
        + ". Every figure stands in the tables beside this page."
    )
    yield ""
    yield "## How long is a match?"
    yield ""
    yield from table(found, "bluffing", "length.deals", "deals a match")
    yield from table(found, "plain", "length.deals", "deals a match")
    yield from lengths(found, "bluffing")
    yield "## Who has the advantage?"
    yield ""
    yield from table(found, "plain", "first_dealer", "matches won by the side that deals first")
    yield from halves(found, "first_dealer", "The side that deals first wins")
    yield from table(found, "plain", "dealer", "deals won by the dealer's side")
    yield from halves(found, "dealer", "The dealer's side wins")
    yield from table(found, "plain", "leader", "deals won by the side that leads first")
    yield from halves(found, "leader", "The side that leads first wins")
    yield "## How much is a bluff worth?"
    yield ""
    yield from bluffs(found)
    yield "## How much is luck?"
    yield ""
    yield from table(found, "bluffing", "skill", "share of the results due to the strategies")
    yield from table(found, "bluffing", "deal_luck", "share due to the deal")
    yield "## When is a match decided?"
    yield ""
    yield from table(
        found,
        "bluffing",
        "decided",
        "share of its deals after which the winner stands better than the other side ever did, "
        "by what is counted first",
    )
    yield from table(
        found, "bluffing", "drama", "how far behind winners were (drama), by what is counted first"
    )
    yield "## Which games order strategies alike?"
    yield ""
    yield from agreements(found)
    yield from table(found, "bluffing", "cyclic", "share of who beats whom that scores do not tell")
    yield "## Which unclear rule matters?"
    yield ""
    yield from readings_of(unclear)


def table(found, group, metric, title):
    """Yield a metric of all variants of a group, a column for each number of players."""
    yield f"{title[0].upper()}{title[1:]} (*{group}*):"
    yield ""
    yield "| variant | " + " | ".join(f"{players} players" for players in PLAYERS) + " |"
    yield "|---" * (1 + len(PLAYERS)) + "|"
    ranked = []
    for where, place, variant in rows_of(found, group):
        cells = []
        for players in PLAYERS:
            metrics = found[where, players]["variants"][place]["metrics"]
            one = next((m for m in metrics if (m["metric"] + ".").startswith(f"{metric}.")), None)
            cells.append("-" if one is None else shown(one))
            if one is not None and players == PLAYERS[0]:
                ranked.append((one["mean"], variant["name"]))
        yield f"| {variant['name']} | {' | '.join(cells)} |"
    (_, low), *_, (_, high) = sorted(ranked)
    yield ""
    yield f"With {PLAYERS[0]} players least in {low}, most in {high}."
    yield ""


def lengths(found, group):
    """Yield how matches of a group differ in length: quantiles with their intervals."""
    yield f"Of 100 matches, 10 are as short as this or shorter, half, 90 (*{group}*):"
    yield ""
    yield "| variant | players | deals: 10 | half | 90 | decisions: 10 | half | 90 |"
    yield "|---" * 8 + "|"
    for players in PLAYERS:
        for variant in found[group, players]["variants"]:
            cells = [
                f"{one['value']:,} ({one['low']:,} to {one['high']:,})"
                for what in ("deals", "decisions")
                for one in variant["lengths"][what]["quantiles"]
            ]
            yield f"| {variant['name']} | {players} | {' | '.join(cells)} |"
    yield ""


def halves(found, metric, what):
    """Yield in words where a share is more or less than a half, beyond its interval."""
    more, less = [], []
    for where, place, variant in rows_of(found, "plain"):
        for players in PLAYERS:
            metrics = found[where, players]["variants"][place]["metrics"]
            one = next(m for m in metrics if m["metric"] == metric)
            name = f"{variant['name']} for {players}"
            if one["low"] > 0.5:
                more.append(name)
            if one["high"] < 0.5:
                less.append(name)
    yield f"{what} more than half in: {', '.join(more) or 'none'}."
    yield (
        f"Less than half in: {', '.join(less) or 'none'}. Elsewhere it may be even; "
        "each is told by itself, so that one of them may be chance."
    )
    yield ""


def rows_of(found, group):
    """Yield the variants of a group, and Tute beside those that the same strategies play."""
    for place, variant in enumerate(found[group, PLAYERS[0]]["variants"]):
        yield group, place, variant
    if group == "plain":
        yield "tute", 1, found["tute", PLAYERS[0]]["variants"][1]


def shown(one):
    """Return an estimate with its interval."""
    scale, unit = (100, " %") if one["kind"] == "share" else (1, "")
    mean, low, high = (scale * one[end] for end in ("mean", "low", "high"))
    digits = next((d for d in range(6) if high - low >= 2 * 10**-d), 6)
    return f"{mean:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def bluffs(found):
    """Yield what is called with the weakest hands, and whether it pays."""
    yield (
        "What is said with a hand that beats fewer than one hand in ten, where it can be said; "
        "the share of these deals that is won; and what the own side had more than the other from "
        "such a deal, by counter:"
    )
    yield ""
    yield "| variant | players | said | how often | deals won | worth |"
    yield "|---|---|---|---|---|---|"
    for players in PLAYERS:
        for variant in found["bluffing", players]["variants"]:
            for row in variant["ledger"]:
                if row["beats"] or row["option"] not in ("trut", "truc", "retruc"):
                    continue
                if not row["wins"]:
                    continue
                worth = [
                    f"{shown({**one, 'kind': 'number'})} {counter}"
                    for counter, one in row["worth"].items()
                ]
                yield (
                    f"| {variant['name']} | {players} | {row['option']} ({row['question']}) | "
                    f"{share(row['rate'])} | {share(row['wins'])} | "
                    f"{', '.join(worth)} |"
                )
    yield ""


def share(one):
    """Return a share with its interval."""
    return shown({**one, "kind": "share"})


def agreements(found):
    """Yield how alike each variant ranks the strategies as the first one does."""
    yield "Kendall's tau of the mean scores, against trut: 1 is the same order (*bluffing*)."
    yield ""
    yield "| variant | " + " | ".join(f"{players} players" for players in PLAYERS) + " |"
    yield "|---" * (1 + len(PLAYERS)) + "|"
    for place, difference in enumerate(found["bluffing", PLAYERS[0]]["differences"]):
        cells = []
        for players in PLAYERS:
            one = found["bluffing", players]["differences"][place]["agreement"]
            text = (
                "-" if one is None else f"{one['mean']:.2f} ({one['low']:.2f} to {one['high']:.2f})"
            )
            cells.append(text)
        yield f"| {difference['variant']} | {' | '.join(cells)} |"
    yield ""


def readings_of(unclear):
    """Yield what each other reading of an unclear rule changes most."""
    yield "| variant | players | reading | instead of | changes most |"
    yield "|---|---|---|---|---|"
    for (variant, players), results in unclear.items():
        rows = {d["variant"]: d["metrics"] for d in results["differences"]}
        for reading in results["readings"]:
            of = rows[reading["name"]]
            clear = [row for row in of if row["verdict"] == "differs"]
            if any(row["verdict"] == "identical" for row in of):
                says = "nothing: not one deal went differently"
            elif not clear:
                says = "nothing that matters was found"
            else:
                most = max(clear, key=weight)
                change = shown({**most["difference"], "kind": most["kind"]})
                says = f"{most['words']}: {change}" + (
                    f", and {len(clear) - 1} more" if len(clear) > 1 else ""
                )
            yield (
                f"| {variant} | {players} | {reading['parameter']} = {reading['value']} | "
                f"{reading['default']} | {says} |"
            )
    yield ""


def say(text):
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
