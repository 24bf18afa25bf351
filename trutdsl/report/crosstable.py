"""The crosstable: the mean score of each strategy against each other one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trutdsl.report.rounding import form_of


def cross_scores(results: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """Return the mean score of the first against the second, for all that met, over all rounds."""
    points: dict[tuple[str, str], float] = {}
    matches: dict[tuple[str, str], int] = {}
    for pair in results["pairs"]:
        two, many = (pair["first"], pair["second"]), pair["matches"]
        for key, score in ((two, pair["score"]), (two[::-1], pair["second_score"])):
            points[key] = points.get(key, 0.0) + score["mean"] * many
            matches[key] = matches.get(key, 0) + many
    return {key: points[key] / matches[key] for key in points}


def cross_form(results: Mapping[str, Any]) -> str:
    """Return the form in which the scores of a crosstable are written, all alike."""
    return form_of(pair[of] for pair in results["pairs"] for of in ("score", "second_score"))
