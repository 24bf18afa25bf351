"""Comparisons of variants told in words: what differs, what is the same, what is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from trutdsl.report.wording import counted

DIFFERS, LITTLE, SAME, OPEN = "differs", "differs a little", "the same", "not told apart"
IDENTICAL, ABSENT = "identical", "only there"
MOST = 12  # metrics that are told one by one
WIDTH = 100
NOWHERE = 5e-6  # of a share: so seldom that it is not worth a line


def comparison_lines(results: Mapping[str, Any], every: bool = False) -> Iterator[str]:
    """Yield a comparison as lines to read; every: all metrics one by one."""
    asked, variants = results["comparison"], results["variants"]
    base = variants[0]["name"]
    names = ", ".join(asked["strategies"])
    yield (
        f"{' against '.join([base, _listed([v['name'] for v in variants[1:]])])}: "
        f"{asked['players']} players, {names}; {asked['sets']:,} sets of deals, "
        f"seed {asked['seed']}"
    )
    for variant in variants:
        pack = "" if variant["same_pack"] else "; another pack, so that its deals are others"
        yield (
            f"  {variant['name']}: {variant['matches']:,} matches, {variant['deals']:,} deals{pack}"
        )
    for difference in results["differences"]:
        yield ""
        yield from _difference_lines(difference, base, every)
    yield ""
    yield from wrap(how_made(asked), WIDTH)


def _difference_lines(difference: Mapping[str, Any], base: str, every: bool) -> Iterator[str]:
    """Yield what is said of one variant."""
    name, rows = difference["variant"], difference["metrics"]
    by = {verdict: [r for r in rows if r["verdict"] == verdict] for verdict in _VERDICTS}
    if by[IDENTICAL]:
        yield f"{name}: not one deal goes differently than in {base}"
        return
    clear = sorted(by[DIFFERS], key=weight, reverse=True)
    yield f"{name}: {counted(len(clear), 'thing differs', 'things differ')} from {base}"
    yield from _table(clear if every else clear[:MOST])
    if len(clear) > MOST and not every:
        yield from _also("and", [row["words"] for row in clear[MOST:]])
    for verdict, title in (
        (LITTLE, "differs, but by less than matters"),
        (SAME, "the same, as far as it matters"),
        (OPEN, "not told apart; more deals may do it"),
    ):
        if every and by[verdict]:
            yield f"  {title}:"
            yield from _table(by[verdict])
        else:
            yield from _also(title, [r["words"] for r in by[verdict] if not _is_nowhere(r)])
    for side, what in (("base", base), ("other", name)):
        here = dict.fromkeys(row["about"] for row in by[ABSENT] if row[side])
        yield from _also(f"only in {what}", list(here))
    if difference["agreement"] is not None:
        found = difference["agreement"]
        yield (
            f"  the strategies are ranked alike: {found['mean']:.2f} "
            f"({found['low']:.2f} to {found['high']:.2f}), 1 in the same order, -1 reversed"
        )
    yield from _points(difference)


_VERDICTS = (DIFFERS, LITTLE, SAME, OPEN, IDENTICAL, ABSENT)


def _points(difference: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each point of the variant does alone."""
    points = difference["points"]
    if not points:
        return
    yield ""
    yield f"  Which rule does it? Each point of {difference['variant']} alone:"
    for point in points:
        says = f", {point['says'].rstrip('.')}" if point["says"] else ""
        against = "" if point["against"] == "the base" else f" (against {point['against']})"
        yield from wrap(f"{point['point']}{says}{against}", WIDTH, initial_indent="    ",
                        subsequent_indent="      ")  # fmt: skip
        if point["why_not"]:
            yield f"      means nothing alone: {point['why_not']}"
            continue
        rows = point["metrics"]
        if all(row["verdict"] in (IDENTICAL, ABSENT) for row in rows):
            yield "      never acted: not one deal went differently"
            continue
        clear = sorted((r for r in rows if r["verdict"] == DIFFERS), key=weight, reverse=True)
        if not clear:
            yield "      changes nothing that matters, as far as these deals tell"
        for row in clear[:3]:
            yield f"      {row['words']}: {change(row)}"
        if len(clear) > 3:
            yield f"      and {len(clear) - 3} more"


def _table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    width = max([len(row["words"]) for row in rows], default=0)
    for row in rows:
        both = f"{_value(row, row['base'])} -> {_value(row, row['other'])}"
        yield f"    {row['words']:{width}}  {both:19}  {change(row)}"


def _also(title: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the words of metrics behind a title, in lines."""
    if words:
        text = f"{title}: {'; '.join(words)}"
        yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def weight(row: Mapping[str, Any]) -> float:
    """Return how far a difference is beyond what matters."""
    return abs(row["difference"]["mean"]) / row["margin"] if row["margin"] else float("inf")


def _is_nowhere(row: Mapping[str, Any]) -> bool:
    """Tell whether a share is next to nothing in both variants."""
    values = [row[side]["mean"] for side in ("base", "other") if row[side]]
    return row["kind"] == "share" and all(min(v, 1 - v) < NOWHERE for v in values)


def _value(row: Mapping[str, Any], estimate: Mapping[str, Any]) -> str:
    return f"{estimate['mean']:.1%}" if row["kind"] == "share" else number(estimate["mean"])


def number(value: float) -> str:
    """Return a number in three figures."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def change(row: Mapping[str, Any]) -> str:
    """Return a difference with its interval."""
    found = row["difference"]
    scale, unit = (100, " points") if row["kind"] == "share" else (1, "")
    digits = _digits(found, scale)
    mean, low, high = (
        None if found[name] is None else f"{scale * found[name]:+.{digits}f}"
        for name in ("mean", "low", "high")
    )
    return f"{mean}{unit}" if low is None else f"{mean}{unit} ({low} to {high})"


def _digits(found: Mapping[str, Any], scale: int) -> int:
    """Return how many decimals tell the interval's ends apart."""
    if found["low"] is None:
        return 2
    width = scale * (found["high"] - found["low"])
    return next((d for d in range(6) if width >= 2 * 10**-d), 6)


def how_made(asked: Mapping[str, Any]) -> str:
    """Return in words how intervals and verdicts were made."""
    margins = asked["margins"]
    return (
        "Intervals: 95 %, each by itself, of differences on the same sets of deals, in "
        f"{asked['clusters']} clusters. A verdict allows for the number of things that are looked "
        "at (Holm): that something differs is wrong for none of them, 95 times in 100. What "
        f"matters: {100 * margins['shares']:g} in 100 for shares, {100 * margins['numbers']:g} in "
        "100 of the base's value for other numbers."
    )


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
