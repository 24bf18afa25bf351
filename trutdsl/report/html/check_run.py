"""What must be so in every tournament, whatever the rules: looked at again in its results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

from trutdsl.report.html.blocks import Check
from trutdsl.report.html.check_comparison import EXACT, FAR
from trutdsl.report.language import figure, say
from trutdsl.report.wording import share_with_error
from trutdsl.stats.metric import MATCHES


def check_run(results: Mapping[str, Any], again: bool | None = None) -> Iterator[Check]:
    """Yield the checks of a run.

    again: whether some of it came out the same when it was played again, None if it was not.
    """
    if again is not None:
        told = say("all the same") if again else say("they come out otherwise")
        yield Check(say("sets played again, picked by the seed"), again, told)
    yield from _counts(results)
    run = results["run"]
    if run["metric"] == MATCHES.words:
        yield from _scores(results)
        yield from _seats(run)


def _counts(results: Mapping[str, Any]) -> Iterator[Check]:
    standings, pairs = results["standings"], results["pairs"]
    wrong = [r["strategy"] for r in standings if r["won"] + r["drawn"] + r["lost"] != r["matches"]]
    yield _all(say("won, drawn and lost come to all matches of a strategy"), wrong, len(standings))
    parts = ("won", "lost", "drawn", "others")
    wrong = [_of(p) for p in pairs if sum(p[name] for name in parts) != p["matches"]]
    yield _all(say("won, drawn and lost come to all matches of a pair"), wrong, len(pairs))
    sums = results["sums"]
    rounds = sums.get("rounds", [sums])
    for name, text in (
        ("deals", say("deals of all sums come to all deals")),
        ("decisions", say("decisions of all sums come to all decisions")),
    ):
        found, expected = sum(one[name] for one in rounds), results["run"][name]
        yield Check(
            text,
            found == expected,
            f"{found:d}" if found == expected else f"{found:d} != {expected:d}",
        )


def _scores(results: Mapping[str, Any]) -> Iterator[Check]:
    everyone = results["standings"]
    wrong = [r["strategy"] for r in everyone if not -EXACT <= r["score"]["mean"] <= 1 + EXACT]
    yield _all(say("scores from 0 to 1"), wrong, len(everyone))
    teams = len(results["run"]["team_scores"])
    total = sum(score["mean"] for score in results["run"]["team_scores"])
    forfeits = any(row["forfeited"] for row in everyone)
    if not forfeits:
        text = say("scores of all seats come to 1")
        yield Check(text, isclose(total, 1, abs_tol=EXACT), figure(total, ".6g"))
    if teams == 2:
        both = [(_of(p), p["score"]["mean"] + p["second_score"]["mean"]) for p in results["pairs"]]
        wrong = [name for name, found in both if not isclose(found, 1, abs_tol=EXACT)]
        yield _all(say("what one of a pair scores the other does not"), wrong, len(both))


def _seats(run: Mapping[str, Any]) -> Iterator[Check]:
    first, fair = run["team_scores"][0], 1 / len(run["team_scores"])
    if first["se"] is None:
        return
    text = say("the team of seat 0 wins its share of the matches, as chance has it")
    told = share_with_error(first)
    yield Check(text, abs(first["mean"] - fair) <= FAR * first["se"] + EXACT, told)


def _all(text: str, wrong: list[str], many: int) -> Check:
    return Check(text, not wrong, ", ".join(wrong) or say("all {many}", many=many))


def _of(pair: Mapping[str, Any]) -> str:
    return say("{one} against {other}", one=pair["first"], other=pair["second"])
