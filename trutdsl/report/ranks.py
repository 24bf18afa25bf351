"""Which of several variants has most, and which least, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trutdsl.report.conclusion import ASKED
from trutdsl.report.language import say, tell_again

SEVERAL = 3  # variants; of two the difference says it all
TITLE = "Which has most? Every order holds, 95 times in 100 for all pairs of a line together"


def tell_ranks(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield who has most and least of what a table asks first; nothing for fewer than three."""
    if len(results["variants"]) < SEVERAL:
        return
    rankings = {ranking["by"]: ranking for ranking in results["ranks"]}
    for name in ASKED:
        ranking = rankings.get(name)
        if ranking is None or len(ranking["variants"]) < SEVERAL:
            continue
        most, least = (_extreme(ranking, end) for end in ("best", "worst"))
        if len(most) == len(least) == len(ranking["variants"]):
            told = say("it may be any of them")
        else:
            told = say("most {most}; least {least}", most=_names(most), least=_names(least))
        yield say("{title}: {told}", title=tell_again(ranking["words"]), told=told)


def _extreme(ranking: Mapping[str, Any], end: str) -> list[str]:
    """Return the variants that can have the first rank (best), or the last (worst)."""
    variants = ranking["variants"]
    place = 1 if end == "best" else len(variants)
    return [variant["name"] for variant in variants if variant[end] == place]


def _names(names: Sequence[str]) -> str:
    return say("one of {names}", names=", ".join(names)) if len(names) > 1 else names[0]
