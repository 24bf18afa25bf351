"""Coverage as a person reads it: what was never reached first, each with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trutdsl.diagnostics import Span
from trutdsl.game import Game
from trutdsl.stats.estimate import estimate_share
from trutdsl.strategy.coverage import CANDIDATES, Coverage
from trutdsl.transcript import SEARCHED

Figures = dict[str, Any]


def coverage_figures(
    game: Game,
    strategies: list[str],
    seed: int,
    coverage: Coverage,
    clauses: Mapping[tuple[str, Span], int],
    clause_matches: int,
    in_scenarios: Mapping[str, int],
    scenarios: int,
    deals: Mapping[str, str],
) -> Figures:
    """Return all that was measured as JSON has it, what was never reached first.

    in_scenarios: by part how often it was reached in so many scenarios. deals: by part the file of
    the deal found for it.
    """
    own = _own(game)
    parts: list[Figures] = []
    for name, part in coverage.parts.items():
        share = estimate_share(coverage.in_matches.get(name, 0), max(1, coverage.matches))
        entry = {
            "kind": part.kind,
            "what": part.what,
            "in": part.place,
            "place": str(part.span),
            "times": coverage.times.get(name, 0),
            "matches": coverage.in_matches.get(name, 0),
            "share": {"mean": share.mean, "low": share.low, "high": share.high},
        }
        if scenarios:
            entry["scenarios"] = in_scenarios.get(name, 0)
        if name in deals:
            entry["deal"] = deals[name]
        parts.append(entry)
    parts += [
        {
            "kind": "clause",
            "what": f"`{span.source.line(span.line).strip()}`",
            "in": f"strategy '{strategy}'",
            "place": str(span),
            "times": times,
        }
        for (strategy, span), times in clauses.items()
    ]
    parts.sort(key=lambda one: (_reached(one), _place(one["place"], own)))
    return {
        "variant": game.name,
        "players": game.players,
        "parameters": game.parameter_texts(),
        "strategies": strategies,
        "seed": seed,
        "matches": coverage.matches,
        "deals": coverage.deals,
        "scenarios": scenarios,
        "clause_matches": clause_matches if clauses else 0,
        "parts": parts,
    }


def own_figures(game: Game, figures: Figures) -> Figures:
    """Return of what was measured only the parts that the variant's own file says."""
    own = _own(game)
    parts = [one for one in figures["parts"] if one["place"].rsplit(":", 2)[0] == own]
    return {**figures, "parts": parts}


def _own(game: Game) -> str:
    return next(layer.path for layer in game.variant.layers if layer.own)


def _reached(one: Figures) -> int:
    return int(one["times"]) + int(one.get("scenarios", 0))


def _place(text: str, own: str) -> tuple[bool, str, int, int]:
    """Return by what a place is sorted: the variant's own file comes first."""
    file, line, column = text.rsplit(":", 2)
    return file != own, file, int(line), int(column)


def coverage_lines(figures: Figures) -> Iterator[str]:
    """Yield the lines that tell it."""
    seats = ", ".join(figures["strategies"])
    yield (
        f"{figures['variant']}, {figures['players']} players, {figures['matches']:,} matches, "
        f"{figures['deals']:,} deals, seed {figures['seed']}: {seats}"
    )
    if figures["scenarios"]:
        yield f"and {figures['scenarios']:,} scenarios"
    parts = figures["parts"]
    never = [one for one in parts if not _reached(one)]
    if never:
        yield ""
        yield f"Never reached, {len(never)} of {len(parts)}:"
        yield from (f"  {_line(one)}" for one in never)
    if len(never) < len(parts):
        yield ""
        yield "Reached, the least often first (how often, in which share of matches, where):"
        yield from (f"  {_times(one)}  {_line(one)}" for one in parts if one not in never)
    yield ""
    if never and figures["matches"]:
        most = estimate_share(0, figures["matches"]).high
        assert most is not None
        yield (
            f"What was never reached is reached in at most {most:.2%} of matches between these "
            "strategies (95 %, Clopper and Pearson)."
        )
    if figures["clause_matches"]:
        first = f"the first {figures['clause_matches']:,} matches"
        yield f"Clauses of scripts: how often they were taken in {first}."
    if any("deal" in one for one in parts):
        yield _of_deals(figures["matches"])
    yield "Parameters are as they are at this table; what others would reach stands here as well."


def _of_deals(matches: int) -> str:
    """Return which deals are those named behind the parts."""
    told = "A deal named behind a part is the one with the fewest actions in which it is reached"
    if matches <= SEARCHED:
        return f"{told}."
    return (
        f"{told}, of the first {SEARCHED:,} matches and of the {CANDIDATES} with the fewest "
        "decisions in which it is; there may be a shorter one."
    )


def _times(one: Figures) -> str:
    if "matches" not in one:
        return f"{one['times']:>11,} {'':24}"
    share = one["share"]
    told = f"{share['mean']:.1%} ({share['low']:.1%} to {share['high']:.1%})"
    more = f" {one['scenarios']:>4} in scenarios" if "scenarios" in one else ""
    return f"{one['times']:>11,} {told:>24}{more}"


def _line(one: Figures) -> str:
    found = f"; {one['deal']}" if "deal" in one else ""
    where = f", in {one['in']}" if one["kind"] != "rule" else ""
    return f"{one['place']}: {one['what']}{where}{found}"
