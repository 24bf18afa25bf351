"""Self-checks of results, and the commands that repeat them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from math import isclose
from typing import Any

from trutdsl.files import canonical_json
from trutdsl.language import figure, say, with_title
from trutdsl.options import NATIVE, OPTIONS, Settings, settings_of
from trutdsl.report.answers import titles_of
from trutdsl.report.blocks import Block, Paragraph, SelfCheck, ShellCommand, TableBlock, TableCell
from trutdsl.report.labels import IDENTICAL, word_for
from trutdsl.report.pictures import drawing_version
from trutdsl.stats.design import MATCHES

USUAL_SHARES = 0.01  # the default of `trutdsl compare --margin`


def command_of_comparison(results: Mapping[str, Any]) -> str:
    """Return the command that repeats a comparison, a sweep or `ambiguities`."""
    comparison, request = results["comparison"], results["given"]
    strategies = request["strategies"] or list(comparison["strategies"])
    parts = ["trutdsl", *_asked_for(results), "--players", str(comparison["players"])]
    parts += ["--strategies", ",".join(strategies)]
    parts += ["--sets", str(comparison["sets"]), "--seed", str(comparison["seed"])]
    margins = comparison["margins"]
    own = [f"{name}={x}" for name, x in margins["by_name"].items()]
    if margins["shares"] != USUAL_SHARES:
        own.insert(0, str(margins["shares"]))
    parts += each_flag("--margin", own)
    parts += [] if comparison["primary"] is None else ["--primary", comparison["primary"]]
    parts += [] if comparison["engine"] == NATIVE else ["--engine", comparison["engine"]]
    return shlex.join(parts)


def _asked_for(results: Mapping[str, Any]) -> Iterator[str]:
    request = results["given"]
    if "sweep" in results:
        yield from ("sweep", request["variants"][0])
        axes = results["sweep"]["axes"]
        yield from each_flag("--param", [f"{axis['name']}={_swept(axis)}" for axis in axes])
        yield from each_flag("--metric", request["metrics"])
    elif "readings" in results:
        yield from ("ambiguities", request["variants"][0])
    else:
        yield from ("compare", *request["variants"], *each_flag("--param", request["parameters"]))
        if not request["apart"]:
            yield "--whole"


def _swept(axis: Mapping[str, Any]) -> str:
    """Return the values of a parameter; a `;` parts sets of cards, which may have commas."""
    values = axis["values"]
    numbers = all(text.strip("-").replace(".", "").isdigit() for text in values)
    return ("," if numbers else ";").join(values)


def command_of_run(results: Mapping[str, Any], names: Mapping[str, Any] | None) -> str:
    """Return the command that repeats a tournament.

    names: the names of variant and strategies on the command line; by default those of the results.
    """
    manifest = results["manifest"]
    variant = manifest["variant"]
    request = names or {
        "variant": variant["name"],
        "parameters": [f"{name}={value}" for name, value in variant["parameters"].items()],
        "strategies": list(manifest["strategies"]),
    }
    settings = settings_of({**manifest, "given": request})
    if not (settings.sets or settings.deals or manifest["stop"]):
        settings = replace(settings, sets=results["run"]["sets"], time=None)
    return shlex.join(["trutdsl", "tournament", settings.variant, *_flags(settings)])


def each_flag(flag: str, values: Iterable[object]) -> Iterator[str]:
    """Yield an option of a command line with each of these values."""
    for value in values:
        yield from (flag, str(value))


# The order of options in the command line of a tournament.

IN_ORDER = (
    "players", "parameters", "strategies", "format", "against", "rounds", "mode", "score", "metric",
    "test", "margin", "precision", "sets", "deals", "move_timeout", "on_error", "seed", "engine",
)  # fmt: skip


def _flags(settings: Settings) -> Iterator[str]:
    """Yield the options of `trutdsl tournament` for settings that differ from their defaults."""
    for name in IN_ORDER:
        one, value = OPTIONS[name], getattr(settings, name)
        if one.kind == "values":
            yield from each_flag(one.flag, value)
        elif value != one.default:
            yield from (one.flag, ",".join(value) if one.kind == "texts" else str(value))


# Equations that hold in every comparison for any rules, checked in its results.

EXACT = 1e-6
# These are corrected for bias, so chance can make them negative.
METRICS_WITH_CORRECTION = ("skill", "deal_luck")


def check_comparison(results: Mapping[str, Any]) -> Iterator[SelfCheck]:
    titles = titles_of(results)
    for entry in results["variants"]:
        variant = {**entry, "name": titles[entry["name"]]}
        yield from _counts(variant)
        yield from _shares(variant)
        yield from _scores(variant)
        yield from _payoffs(variant)
        repeat = variant["again"]
        text = say("{variant}: sets played again, picked by the seed", variant=variant["name"])
        span = say("sets {first} to {last}", first=repeat["first"],
                   last=repeat["first"] + repeat["sets"] - 1)  # fmt: skip
        yield SelfCheck(text, repeat["same"], with_title(span, _again(repeat["same"])))
    yield from _differences(results)


def _again(same: bool) -> str:
    return say("all the same") if same else say("they give another result")


def _counts(variant: Mapping[str, Any]) -> Iterator[SelfCheck]:
    name = variant["name"]
    texts = {
        "deals": (
            "{variant}: matches by their deals add up to all matches",
            "{variant}: deals by the length of matches add up to all deals",
        ),
        "decisions": (
            "{variant}: matches by their decisions add up to all matches",
            "{variant}: decisions by the length of matches add up to all decisions",
        ),
    }
    for what, (of_matches, of_all) in texts.items():
        lengths = variant["lengths"][what]
        yield _equal(say(of_matches, variant=name), sum(lengths["matches"]), variant["matches"])
        least, most = (
            sum(length * n for length, n in zip(lengths[end], lengths["matches"], strict=True))
            for end in ("from", "to")
        )
        total = f"{least:d} <= {variant[what]:d} <= {most:d}"
        yield SelfCheck(say(of_all, variant=name), least <= variant[what] <= most, total)


def _shares(variant: Mapping[str, Any]) -> Iterator[SelfCheck]:
    name, metrics = variant["name"], variant["metrics"]
    groups: dict[str, float] = {}
    several: dict[str, int] = {}
    for metric in metrics:
        head, *rest = metric["metric"].split(".", 2)
        if head == "ends" or (head == "answer" and len(rest) > 1):
            key = head if head == "ends" else rest[0]
            groups[key] = groups.get(key, 0.0) + metric["mean"]
            several[key] = several.get(key, 0) + 1
    for key, total in groups.items():
        # A question with two answers has one metric; the other answer is the rest.
        if key == "ends":
            yield near(say("{variant}: shares of how deals end", variant=name), total, 1.0)
        elif several[key] > 1:
            text = "{variant}: shares of answers where {decision} is asked"
            values = {"variant": name, "decision": word_for("decisions", key)}
            yield near(say(text, **values), total, 1.0)
    wrong = [
        metric["metric"]
        for metric in metrics
        if metric["metric"] not in METRICS_WITH_CORRECTION
        and (
            (metric["kind"] == "share" and not -EXACT <= metric["mean"] <= 1 + EXACT)
            or not _holds(metric)
        )
    ]
    text = say("{variant}: shares from 0 to 1, each value within its interval", variant=name)
    yield _all(text, wrong, len(metrics))


def _holds(estimate: Mapping[str, Any]) -> bool:
    low, high = estimate["low"], estimate["high"]
    return low is None or low - EXACT <= estimate["mean"] <= high + EXACT


def _scores(variant: Mapping[str, Any]) -> Iterator[SelfCheck]:
    for counter, table in variant["scores"].items():
        cells = [
            both
            for rows in zip(table["deals"], table["won"], strict=True)
            for both in zip(*rows, strict=True)
        ]
        wrong = sum((share is None) != (not n) or not 0 <= (share or 0) <= 1 for n, share in cells)
        text = say("{variant}: shares won from each score in {counter} from 0 to 1",
                   variant=variant["name"], counter=word_for("counters", counter))  # fmt: skip
        yield _equal(text, wrong, 0)
        total = sum(n for n, _ in cells)
        text = say("{variant}: deals by score in {counter} are at most all deals",
                   variant=variant["name"], counter=word_for("counters", counter))  # fmt: skip
        yield SelfCheck(text, total <= variant["deals"], f"{total:d} <= {variant['deals']:d}")


def _payoffs(variant: Mapping[str, Any]) -> Iterator[SelfCheck]:
    payoffs = variant["payoffs"]
    if payoffs is None:
        return
    text = say("{variant}: what one strategy has more the other has less", variant=variant["name"])
    most = max(abs(x + payoffs[j][i]) for i, row in enumerate(payoffs) for j, x in enumerate(row))
    yield near(text, most, 0.0)


def _differences(results: Mapping[str, Any]) -> Iterator[SelfCheck]:
    titles = titles_of(results)
    for difference in results["differences"]:
        rows = [row for row in difference["metrics"] if row["difference"] is not None]
        wrong = [row["metric"] for row in rows if not _is_difference(row)]
        text = "{variant}: differences are those of the values"
        text = say(text, variant=titles[difference["variant"]])
        yield _all(text, wrong, len(difference["metrics"]))


def _is_difference(row: Mapping[str, Any]) -> bool:
    result = row["difference"]["mean"]
    expected = row["other"]["mean"] - row["base"]["mean"]
    same = isclose(expected, result, rel_tol=EXACT, abs_tol=EXACT)
    return same and _holds(row["difference"]) and (row["verdict"] != IDENTICAL or not result)


def _equal(text: str, value: int, expected: int) -> SelfCheck:
    holds = value == expected
    return SelfCheck(text, holds, f"{value:d}" if holds else f"{value:d} != {expected:d}")


def near(text: str, value: float, expected: float) -> SelfCheck:
    """Return the check that a number is as expected, apart from rounding."""
    return SelfCheck(text, abs(value - expected) <= EXACT, figure(value, ".6g"))


# Equations that hold in every tournament for any rules, checked in its results.


def check_run(results: Mapping[str, Any], same: bool | None = None) -> Iterator[SelfCheck]:
    """Yield the checks of a run.

    same: whether repeated sets gave the same results, None if none were repeated.
    """
    if same is not None:
        yield SelfCheck(say("sets played again, picked by the seed"), same, _again(same))
    yield from _run_counts(results)
    if results["manifest"]["metric"] == MATCHES.name:
        yield from _run_scores(results)


def _run_counts(results: Mapping[str, Any]) -> Iterator[SelfCheck]:
    standings, pairs = results["standings"], results["pairs"]
    wrong = [r["strategy"] for r in standings if r["won"] + r["drawn"] + r["lost"] != r["matches"]]
    yield _all(
        say("won, drawn and lost add up to all matches of a strategy"), wrong, len(standings)
    )
    parts = ("won", "lost", "drawn", "others")
    wrong = [_of(p) for p in pairs if sum(p[name] for name in parts) != p["matches"]]
    yield _all(say("won, drawn and lost add up to all matches of a pair"), wrong, len(pairs))
    sums = results["sums"]
    rounds = sums.get("rounds", [sums])
    for name, text in (
        ("deals", say("deals of all sums add up to all deals")),
        ("decisions", say("decisions of all sums add up to all decisions")),
    ):
        yield _equal(text, sum(one[name] for one in rounds), results["run"][name])


def _run_scores(results: Mapping[str, Any]) -> Iterator[SelfCheck]:
    everyone = results["standings"]
    scores = [(r["strategy"], r["score"]["mean"]) for r in everyone if r["score"]]
    wrong = [name for name, score in scores if not -EXACT <= score <= 1 + EXACT]
    yield _all(say("scores from 0 to 1"), wrong, len(scores))
    teams = len(results["run"]["team_scores"])
    total = sum(score["mean"] for score in results["run"]["team_scores"])
    forfeits = any(row["forfeited"] for row in everyone)
    if not forfeits:
        text = say("scores of all seats add up to 1")
        yield SelfCheck(text, isclose(total, 1, abs_tol=EXACT), figure(total, ".6g"))
    if teams == 2:
        both = [(_of(p), p["score"]["mean"] + p["second_score"]["mean"]) for p in results["pairs"]]
        wrong = [name for name, value in both if not isclose(value, 1, abs_tol=EXACT)]
        yield _all(say("what one of a pair scores the other does not"), wrong, len(both))


def _all(text: str, wrong: list[str], many: int) -> SelfCheck:
    return SelfCheck(text, not wrong, ", ".join(wrong) or say("all {many}", many=many))


def _of(pair: Mapping[str, Any]) -> str:
    return say("{one} against {other}", one=pair["first"], other=pair["second"])


def made_blocks(
    results: Mapping[str, Any],
    command: str,
    settings: Mapping[str, Any],
    parameters: Mapping[str, Mapping[str, str]],
    variants: Mapping[str, str],
    drawn: bool = True,
) -> Iterator[Block]:
    """Yield the command that repeats the results, parameters by variant, and fingerprints.

    drawn: Matplotlib drew figures of the page.
    """
    yield Paragraph(say("The command that makes it again:"))
    yield ShellCommand(command)
    set_to = [
        [TableCell(name), TableCell(" ".join(f"{n}={x}" for n, x in values.items()), look="code")]
        for name, values in parameters.items()
        if values
    ]
    if set_to:
        yield TableBlock(say("Parameters"), [say("variant"), say("values")], set_to, (0, 1))
    content = sha256(canonical_json(results).encode()).hexdigest()
    rows = [
        ("trutdsl", settings["trutdsl"]),
        (say("engine"), settings["engine"]),
        (say("seed"), str(settings["seed"])),
        *(
            (say("variant {name}", name=name), fingerprint)
            for name, fingerprint in variants.items()
        ),
        *(
            (say("strategy {name}", name=n), fingerprint)
            for n, fingerprint in settings["strategies"].items()
        ),
        (say("all these results"), content),
        *([(say("figures drawn by"), f"Matplotlib {drawing_version()}")] if drawn else []),
    ]
    caption = say("Versions, seed and fingerprints (SHA-256)")
    cells = [[TableCell(name), TableCell(text, look="code")] for name, text in rows]
    yield TableBlock(caption, [say("what"), say("which")], cells, (0, 1))
