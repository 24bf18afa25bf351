"""A tournament as blocks: its tables on a terminal, and its page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from rich.console import Console

from trutdsl.language import figure, say, say_count
from trutdsl.options import SECONDS
from trutdsl.report.blocks import (
    ALIKE,
    CLEAR,
    EVEN,
    UNSURE,
    Block,
    Download,
    FigureLegend,
    Forest,
    Interval,
    Items,
    Page,
    Paragraph,
    Plot,
    Section,
    ShellCommand,
    StoppingPath,
    TableBlock,
    TableCell,
    ends_of,
    heat,
    matrix,
    text_rows,
)
from trutdsl.report.checks import check_run, command_of_run, made_blocks
from trutdsl.report.csv_files import csv_text, run_csv
from trutdsl.report.labels import variant_title, who_played
from trutdsl.report.rounding import (
    format_estimate,
    format_of,
    limits,
    name_metric,
    round_up,
    shorter,
)
from trutdsl.report.terminal import print_blocks
from trutdsl.report.tournament_answers import (
    AGAINST,
    FIELD,
    MEETINGS,
    THE_TWO,
    contrasts_are_of,
    is_significant,
    tournament_answers,
    tournament_tiles,
)
from trutdsl.report.tournament_text import forfeit_lines, lines_below_tables

MOST_CROSSED = 12  # strategies in a crosstable on a terminal; all pairs are in pairs.csv
MOST_PAIRS = 45  # in a plot; with more strategies only neighbours in the standings
NO_ESTIMATE = {"low": None}
DIFFERENCES = {  # captions for every two strategies, and for neighbours
    THE_TWO: ("Differences of the two strategies", "Differences of the two strategies"),
    MEETINGS: (
        "Differences of every two strategies in their meetings",
        "Differences of neighbours in the standings, in their meetings",
    ),
    FIELD: (
        "Differences of every two strategies, each against the whole field",
        "Differences of neighbours in the standings, each against the whole field",
    ),
    AGAINST: (
        "Differences of every two strategies, by meetings or against the common opponent",
        "Differences of neighbours in the standings, by meetings or against the common opponent",
    ),
}


def show_standings(
    results: Mapping[str, Any],
    folder: str | None,
    console: Console,
    verbose: bool = False,
    seconds: float = SECONDS,
) -> None:
    """Print the answers, the tables and the small print; verbose: also the methods."""
    blocks: list[Block] = [
        Paragraph(title(results)),
        Items([("", text) for text in tournament_answers(results, seconds)]),
        _standings(results, say("standings")),
    ]
    if 2 < len(results["standings"]) <= MOST_CROSSED:
        blocks += _crosstable_blocks(results, say("scores head to head"))
    if verbose:
        blocks.append(_pair_table(results["pairs"]))
    lines = lines_below_tables(results, verbose)
    lines += [] if folder is None else [say("files: {folder}", folder=folder)]
    print_blocks([*blocks, *map(Paragraph, lines)], console)


def run_page(
    results: Mapping[str, Any],
    names: Mapping[str, Any] | None,
    same: bool | None = None,
    seconds: float = SECONDS,
) -> Page:
    """Return the page of a run, from `results.json`.

    names: names on the command line; same: see `check_run`; seconds: that a choice takes.
    """
    caption = say("Mean score of the strategy of the row against that of the column, head to head")
    manifest = results["manifest"]
    variant = manifest["variant"]
    name, again_by = variant["name"], command_of_run(results, names)
    of_pairs = Download("pairs.csv", run_csv(results, "pairs"))
    method = made_blocks(
        results, again_by, manifest, {name: variant["parameters"]}, {name: variant["fingerprint"]}
    )
    parts: list[tuple[str, str, Sequence[Block]]] = [
        ("summary", "In words", list(_summary(results, seconds))),
        ("standings", "Standings", list(_standings_blocks(results))),
        ("differences", "Who is better than whom", list(_contrasts(results))),
        ("path", "When it ended", list(_path(results))),
        ("pairs", "Each against each", [*_crosstable_blocks(results, caption), of_pairs]),
        ("faults", "Strategies that failed", list(_faults(results, names))),
        (
            "made",
            "How this was made",
            [*map(Paragraph, lines_below_tables(results, True)), *method],
        ),
    ]
    sections = [Section(key, say(name), blocks) for key, name, blocks in parts if blocks]
    subtitle = ", ".join(row["strategy"] for row in results["standings"])
    return Page(title(results), subtitle, sections, list(check_run(results, same)))


def _summary(results: Mapping[str, Any], seconds: float) -> Iterator[Block]:
    yield Items([("", text) for text in tournament_answers(results, seconds)], large=True)
    yield tournament_tiles(results)
    yield from who_played(row["strategy"] for row in results["standings"])


def title(results: Mapping[str, Any]) -> str:
    manifest = results["manifest"]
    variant = manifest["variant"]
    name = variant_title(variant["name"], manifest["title"])
    return say("{variant}, {players} players", variant=name, players=variant["players"])


def _standings(results: Mapping[str, Any], caption: str) -> TableBlock:
    rows = results["standings"]
    in_rounds = "rounds" in results["manifest"]["meetings"]
    failed = any(row["forfeited"] for row in rows)
    form, clean = (format_of(row[of] for row in rows) for of in ("score", "without_forfeits"))
    cells = []
    for row in rows:
        best, worst = row["ranks"]
        entry = {
            "rank": str(best) if best == worst else f"{best}-{worst}",
            "strategy": row["strategy"],
            "score": _number(row["score"] and row["score"]["mean"], form),
            "95 % interval": limits(row["score"] or NO_ESTIMATE, form),
            **{name: str(row[name]) for name in ("won", "drawn", "lost")},
        }
        if in_rounds:
            places = {"place": str(row["place"]), "points": figure(row["points"], "g")}
            entry = places | entry
        if failed:
            score = row["without_forfeits"]
            entry["forfeited"] = str(row["forfeited"])
            entry["score without forfeits"] = _number(score and score["mean"], clean)
        cells.append(entry)
    columns = list(cells[0])
    return TableBlock(
        caption,
        [say(name) for name in columns],
        [
            [TableCell(text, look="sure" if n == "strategy" else "") for n, text in row.items()]
            for row in cells
        ],
        (columns.index("strategy"),),
    )


def _crosstable_blocks(results: Mapping[str, Any], caption: str) -> Iterator[Block]:
    """Yield the scores of all pairs, and how far they may be from the true ones."""
    yield _crosstable(results, caption)
    scores = [pair[of] for pair in results["pairs"] for of in ("score", "second_score")]
    if all(score["low"] is not None for score in scores):
        # A pair that met in several rounds has the mean of its scores, which lies between them.
        most = max(max(s["high"] - s["mean"], s["mean"] - s["low"]) for s in scores)
        text = (
            "Each score head to head is within {most} of the true one (95 % intervals that hold "
            "all together)."
        )
        if most > 0:
            yield Paragraph(say(text, most=round_up(most)))


def _crosstable(results: Mapping[str, Any], caption: str) -> TableBlock:
    names, scores = [row["strategy"] for row in results["standings"]], cross_scores(results)
    form = format_of(pair[of] for pair in results["pairs"] for of in ("score", "second_score"))
    mean = sum(scores.values()) / max(1, len(scores))
    most = max((abs(x - mean) for x in scores.values()), default=0)

    def cell(row: str, column: str) -> TableCell:
        score = scores.get((row, column))
        if score is None:
            return TableCell("", EVEN)
        colour = heat(score, mean - most, mean + most)
        return TableCell(figure(score, form), colour, short=figure(score, shorter(form)))

    return matrix(caption, ["", *names], [(one, [cell(one, n) for n in names]) for one in names])


Both = tuple[str, str]


def cross_scores(results: Mapping[str, Any]) -> dict[Both, float]:
    """Return the mean score of the first against the second, for all pairs that met."""
    points, matches = defaultdict[Both, float](float), Counter[Both]()
    for pair in results["pairs"]:
        two, many = (pair["first"], pair["second"]), pair["matches"]
        for key, score in ((two, pair["score"]), (two[::-1], pair["second_score"])):
            points[key] += score["mean"] * many
            matches[key] += many
    return {key: points[key] / matches[key] for key in points}


def _pair_table(pairs: Sequence[Mapping[str, Any]]) -> TableBlock:
    form = format_of(row["score"] for row in pairs)
    rows = [
        [
            say("{one} against {other}", one=row["first"], other=row["second"]),
            figure(row["score"]["mean"], form),
            limits(row["score"], form),
            _gain(row),
            _number(row["correlation"]),
        ]
        for row in pairs
    ]
    columns = ("", "score", "95 % interval", "gain", "correlation")
    caption = say("pairs, on the same deals")
    return TableBlock(caption, [say(name) for name in columns], text_rows(rows))


def _gain(row: Mapping[str, Any]) -> str:
    if row["gain_low"] is None or row["gain_high"] is None:
        return _number(row["gain"])
    ends = {name: row[f"gain_{name}"] for name in ("low", "high")}
    return f"{_number(row['gain'])} ({limits(ends, '.2f')})"


def _number(value: float | None, form: str = ".2f") -> str:
    return say("none") if value is None else figure(value, form)


def _standings_blocks(results: Mapping[str, Any]) -> Iterator[Block]:
    table = _standings(results, say("Standings: a rank is every place that the results leave open"))
    at = table.words[0]  # the strategy comes first, because it names the row
    order = [at, *(n for n in range(len(table.columns)) if n != at)]
    rows = [[row[n] for n in order] for row in table.rows]
    yield TableBlock(table.caption, [table.columns[n] for n in order], rows)
    lines = [
        _interval(row["strategy"], row["score"], ALIKE, {"strategy": row["strategy"]})
        for row in results["standings"]
        if row["score"]
    ]
    description = say(
        "the mean score of each strategy, with its 95 % interval if it has one, as in the table "
        "above"
    )
    yield Plot("scores", say("Scores"), description, Forest(lines, say("mean score")))
    yield Download("standings.csv", run_csv(results, "standings"))


def _contrasts(results: Mapping[str, Any]) -> Iterator[Block]:
    place = {row["strategy"]: n for n, row in enumerate(results["standings"])}
    contrasts = sorted(
        (_from_the_higher(c, place) for c in results["contrasts"]), key=lambda c: c[:2]
    )
    if not contrasts:
        return
    of_all, of_neighbours = (say(text) for text in DIFFERENCES[contrasts_are_of(results)])
    selection, caption = contrasts, of_all
    if len(contrasts) > MOST_PAIRS:
        neighbours = set(pairwise(row["strategy"] for row in results["standings"]))
        selection = [c for c in contrasts if (c[2]["first"], c[2]["second"]) in neighbours]
        caption = of_neighbours
    lines = [
        _interval(
            say("{one} against {other}", one=c["first"], other=c["second"]),
            c["difference"],
            CLEAR if c["separated"] else UNSURE,
            {name: c[name] for name in ("first", "second")},
            100,
        )
        for _, _, c in selection
    ]
    axis = say("{what} more than the other", what=name_metric(results["manifest"]))
    description = say_count(
        len(lines),
        "{number} difference; the table below has the same numbers",
        "{number} differences; the table below has the same numbers",
    )
    if lines:
        unsure = "not significant"
        if any(is_significant(c) is None for _, _, c in selection):
            unsure = "not significant, or no interval"
        yield FigureLegend([("●", "strong", say("significant")), ("○", "open", say(unsure))])
        yield Plot("contrasts", caption, description, Forest(lines, axis))
    rows = [
        [
            TableCell(say("{one} against {other}", one=c["first"], other=c["second"])),
            TableCell(_hundredfold(c["difference"])),
            TableCell(say("none") if c["p_adjusted"] is None else figure(c["p_adjusted"], ".2g")),
            TableCell(say(_verdict(c))),
        ]
        for _, _, c in contrasts
    ]
    columns = ["", axis, say("p, corrected for all"), say("verdict")]
    yield TableBlock(of_all, columns, rows, (0, 3))


def _verdict(contrast: Mapping[str, Any]) -> str:
    """Return whether a difference is significant: by its interval, or by the sequential test."""
    low, high = contrast["difference"]["low"], contrast["difference"]["high"]
    separated = is_significant(contrast)
    if not separated:
        return "no interval" if separated is None else "not significant"
    excludes_zero = low is not None and (low > 0 or high < 0)
    return "significant" if excludes_zero else "significant by the sequential test"


def _from_the_higher(
    contrast: Mapping[str, Any], place: Mapping[str, int]
) -> tuple[int, int, dict[str, Any]]:
    """Return a contrast as seen from the higher strategy, with the places of both."""
    one, other = contrast["first"], contrast["second"]
    result = dict(contrast)
    if place[one] > place[other]:
        one, other = other, one
        old = contrast["difference"]
        ends = {"mean": "mean", "low": "high", "high": "low"}
        difference = {end: None if old[of] is None else -old[of] for end, of in ends.items()}
        result |= {"first": one, "second": other, "difference": difference}
    return place[one], place[other], result


def _interval(
    label: str, estimate: Mapping[str, Any], look: str, data: Mapping[str, Any], scale: float = 1
) -> Interval:
    numbers = {name: estimate[name] for name in ("mean", "low", "high")}
    text = format_estimate(estimate) if scale == 1 else _hundredfold(estimate)
    mean, low, high = (scale * end for end in ends_of(estimate))
    return Interval(label, text, mean, low, high, look, {**data, **numbers})


def _hundredfold(estimate: Mapping[str, Any]) -> str:
    """Return a difference for a hundred matches or deals, in words."""
    return format_estimate(estimate, "+f", 100)


def _path(results: Mapping[str, Any]) -> Iterator[Block]:
    stop = results["stop"] or {}
    steps = [(sets, seen) for sets, seen in stop.get("path", ()) if seen is not None]
    if not steps:
        return
    label = say("sets of deals")
    if "test" in stop:
        first, second = stop["test"]
        low, high = stop["bounds"]
        axis = say("log-likelihood ratio of the sequential test")
        better = say("{first} is better than {second}", first=first, second=second)
        text = "{first} is not better than {second} by {margin}"
        not_better = say(text, first=first, second=second, margin=figure(stop["margin"], "g"))
        bounds = [(high, better), (low, not_better)]
    else:
        axis = say("half the width of the widest interval of a difference")
        bounds = [(stop["precision"], say("narrow enough"))]
    description = say_count(
        len(steps),
        "what the rule saw at {number} look, with its bounds",
        "what the rule saw at each of {number} looks, with its bounds",
    )
    yield Plot("path", axis, description, StoppingPath(steps, bounds, label, axis))
    yield Download("path.csv", csv_text([("sets", "seen"), *steps]))


def _faults(results: Mapping[str, Any], names: Mapping[str, Any] | None) -> Iterator[Block]:
    for line in forfeit_lines(results, names):
        yield ShellCommand(line.strip()) if line.startswith("  ") else Paragraph(line)
