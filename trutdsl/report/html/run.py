"""A tournament as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from trutdsl.report.csv_files import pairs_csv, standings_csv
from trutdsl.report.figures.charts import ALIKE, CLEAR, UNSURE, Interval, draw_forest, draw_path
from trutdsl.report.forfeits import GivenNames, forfeit_lines
from trutdsl.report.html.again import again_run
from trutdsl.report.html.blocks import (
    EVEN,
    Block,
    Download,
    FigureLegend,
    HtmlTable,
    Items,
    Page,
    Paragraph,
    Section,
    ShellCommand,
    TableCell,
)
from trutdsl.report.html.cells import fingerprints, heat, plot
from trutdsl.report.html.checks import check_run
from trutdsl.report.language import figure, name_metric, say
from trutdsl.report.standings import standings_cells, told_lines
from trutdsl.report.wording import (
    FIELD,
    MEETINGS,
    THE_TWO,
    contrasts_are_of,
    cross_form,
    cross_scores,
    shown,
)

DIFFERENCES = {  # of every two strategies, and of neighbours
    THE_TWO: ("Differences of the two strategies", "Differences of the two strategies"),
    MEETINGS: (
        "Differences of every two strategies in their meetings",
        "Differences of neighbours in the standings, in their meetings",
    ),
    FIELD: (
        "Differences of every two strategies, each against the whole field",
        "Differences of neighbours in the standings, each against the whole field",
    ),
}
MOST_PAIRS = 45  # in a plot; of more strategies only neighbours in the standings stand there


def run_page(
    results: Mapping[str, Any], given: Mapping[str, Any] | None, again: bool | None = None
) -> Page:
    """Return the page of a run, as `results.json` has it.

    given: how things were called; again: see `check_run`.
    """
    variant = results["manifest"]["variant"]
    title = say("{variant}, {players} players", variant=variant["name"], players=variant["players"])
    found: list[tuple[str, str, Sequence[Block]]] = [
        ("summary", "In words", [Items([("", line) for line in told_lines(results, True)])]),
        ("standings", "Standings", list(_standings(results))),
        ("differences", "Who is better than whom", list(_contrasts(results))),
        ("path", "When it ended", list(_path(results))),
        ("pairs", "Each against each", list(_pairs(results))),
        ("faults", "Strategies that failed", list(_faults(results, given))),
        ("made", "How this was made", list(_made(results, given))),
    ]
    sections = [Section(key, say(name), blocks) for key, name, blocks in found if blocks]
    subtitle = ", ".join(row["strategy"] for row in results["standings"])
    return Page(title, subtitle, sections, list(check_run(results, again)))


def _standings(results: Mapping[str, Any]) -> Iterator[Block]:
    columns, rows = standings_cells(results)
    at = columns.index(say("strategy"))
    order = [at, *(n for n in range(len(columns)) if n != at)]  # what a row is of comes first
    cells = [[TableCell(row[n], look="sure" if n == at else "") for n in order] for row in rows]
    caption = say("Standings: a rank is every place that the results leave open")
    yield HtmlTable(caption, [columns[n] for n in order], cells)
    lines = [
        _interval(row["strategy"], row["score"], ALIKE, {"strategy": row["strategy"]})
        for row in results["standings"]
    ]
    axis = say("mean score")
    about = say("the mean score of each strategy with its 95 % interval, as in the table above")
    yield plot("scores", say("Scores"), about, lambda wide: draw_forest(lines, axis, wide))
    yield Download("standings.csv", standings_csv(results))


def _contrasts(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the differences of every two strategies, the better one first."""
    place = {row["strategy"]: n for n, row in enumerate(results["standings"])}
    found = sorted((_turned(c, place) for c in results["contrasts"]), key=lambda c: c[:2])
    if not found:
        return
    of_all, of_neighbours = (say(text) for text in DIFFERENCES[contrasts_are_of(results)])
    chosen, caption = found, of_all
    if len(found) > MOST_PAIRS:
        near = set(pairwise(row["strategy"] for row in results["standings"]))
        chosen = [c for c in found if (c[2]["first"], c[2]["second"]) in near]
        caption = of_neighbours
    lines = [_contrast(contrast) for _, _, contrast in chosen]
    axis = say("{what} more than the other", what=name_metric(results["run"]["metric"]))
    about = say("{many} intervals; the table below has the same numbers", many=len(lines))
    if lines:
        yield FigureLegend([("●", "strong", say("separated")), ("○", "open", say("not separated"))])
        yield plot("contrasts", caption, about, lambda wide: draw_forest(lines, axis, wide))
    rows = [
        [
            TableCell(say("{one} against {other}", one=c["first"], other=c["second"])),
            TableCell(_hundredfold(c["difference"])),
            TableCell(say("none") if c["p_adjusted"] is None else figure(c["p_adjusted"], ".2g")),
            TableCell(say(_verdict(c))),
        ]
        for _, _, c in found
    ]
    columns = ["", axis, say("p, corrected for all"), say("verdict")]
    yield HtmlTable(of_all, columns, rows, (0, 3))


def _verdict(contrast: Mapping[str, Any]) -> str:
    """Return whether two are separated: by the interval that stands beside it, or by the test."""
    low, high = contrast["difference"]["low"], contrast["difference"]["high"]
    if not contrast["separated"]:
        return "not separated"
    beside = low is not None and (low > 0 or high < 0)
    return "separated" if beside else "separated by the sequential test"


def _turned(
    contrast: Mapping[str, Any], place: Mapping[str, int]
) -> tuple[int, int, dict[str, Any]]:
    """Return a contrast seen from who stands higher, with the places of both."""
    one, other = contrast["first"], contrast["second"]
    found = dict(contrast)
    if place[one] > place[other]:
        one, other = other, one
        old = contrast["difference"]
        turned = {"mean": -old["mean"], "low": _minus(old["high"]), "high": _minus(old["low"])}
        found |= {"first": one, "second": other, "difference": turned}
    return place[one], place[other], found


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def _contrast(contrast: Mapping[str, Any]) -> Interval:
    label = say("{one} against {other}", one=contrast["first"], other=contrast["second"])
    data = {name: contrast[name] for name in ("first", "second")}
    look = CLEAR if contrast["separated"] else UNSURE
    return _interval(label, contrast["difference"], look, data, 100)


def _hundredfold(found: Mapping[str, Any]) -> str:
    """Return a difference as it is spoken of: of a hundred matches or deals."""
    return shown(found, "+f", 100)


def _interval(
    label: str, found: Mapping[str, Any], look: str, data: Mapping[str, Any], scale: float = 1
) -> Interval:
    """Return a line of a plot; data: what it is of."""
    mean = found["mean"]
    low, high = (mean if found[end] is None else found[end] for end in ("low", "high"))
    numbers = {name: found[name] for name in ("mean", "low", "high")}
    ends = (scale * mean, scale * low, scale * high)
    told = shown(found) if scale == 1 else _hundredfold(found)
    return Interval(label, told, *ends, look, {**data, **numbers})


def _path(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what the rule by which a run was to end saw at each of its looks."""
    stop = results["stop"] or {}
    steps = [(sets, seen) for sets, seen in stop.get("path", ()) if seen is not None]
    if not steps:
        return
    along = say("sets of deals")
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
    about = say("what the rule saw at each of {many} looks, with its bounds", many=len(steps))
    yield plot("path", axis, about, lambda wide: draw_path(steps, bounds, along, axis, wide))
    lines = ["sets,seen", *(f"{sets},{seen}" for sets, seen in steps)]
    yield Download("path.csv", "".join(f"{line}\n" for line in lines))


def _pairs(results: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the score of each strategy against each other one."""
    names, found = [row["strategy"] for row in results["standings"]], cross_scores(results)
    form, mean = cross_form(results), sum(found.values()) / max(1, len(found))
    most = max((abs(x - mean) for x in found.values()), default=0)
    rows = [
        [
            TableCell(one),
            *(
                TableCell(
                    figure(found[one, other], form),
                    heat(found[one, other], mean - most, mean + most),
                )
                if (one, other) in found
                else TableCell("", EVEN)
                for other in names
            ),
        ]
        for one in names
    ]
    caption = say("Mean score of the strategy of the row against that of the column, head to head")
    yield HtmlTable(caption, ["", *names], rows, matrix=True)
    yield Download("pairs.csv", pairs_csv(results))


def _faults(results: Mapping[str, Any], given: Mapping[str, Any] | None) -> Iterator[Block]:
    called = None
    if given is not None:
        called = GivenNames(
            given["variant"], tuple(given["parameters"]), tuple(given["strategies"])
        )
    for line in forfeit_lines(results, called):
        yield ShellCommand(line.strip()) if line.startswith("  ") else Paragraph(line)


def _made(results: Mapping[str, Any], given: Mapping[str, Any] | None) -> Iterator[Block]:
    manifest = results["manifest"]
    variant = manifest["variant"]
    yield Paragraph(say("The command that makes it again:"))
    yield ShellCommand(again_run(results, given))
    text = ", ".join(f"{name} = {x}" for name, x in variant["parameters"].items())
    if text:
        yield Items([(variant["name"], text)])
    yield fingerprints(manifest, {variant["name"]: variant["fingerprint"]}, results)
