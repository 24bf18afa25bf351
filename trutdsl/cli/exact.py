"""`trutdsl exact`: the result of two strategies, computed instead of simulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.cli.match_progress import LiveLine
from trutdsl.cli.options import NoCache, Parameters, Players, PrintJson, Variant
from trutdsl.cli.output import own_output, print_json, print_lines
from trutdsl.diagnostics import BadUsage, check_output
from trutdsl.language import figure, mark, say, say_count

if TYPE_CHECKING:
    from trutdsl.comparison.metrics import Metric

ABOVE = ("length.deals", "draws", "first_dealer")  # metrics that have their own lines
SHARES = (0.05, 0.5, 0.95)  # of all matches, for which the length is printed


def exact(
    variant: Variant,
    players: Players = None,
    strategies: Annotated[
        str, typer.Option(metavar="A,B", help="Who plays; two scripts, solved policies or uniform.")
    ] = "uniform",
    scores: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the chance to win from each score to this CSV file."
        ),
    ] = None,
    param: Parameters = None,
    as_json: PrintJson = False,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Compute who wins, how long matches last and what happens in them, without simulation.

    For two players. All distinct deals are enumerated, with all outcomes of chance and of mixed
    answers. This takes from seconds to minutes; a game that is too large is refused. A script can
    read the file of --scores as a table.

    Example: trutdsl exact trut --players 2 --strategies caller,steady
    """
    from trutdsl.api.best_play import exact_result
    from trutdsl.game import load_game
    from trutdsl.report.labels import in_words_of, words_by_language
    from trutdsl.strategy import load_strategies, split_strategies

    game = load_game(variant, 2 if players is None else players, param or [], "native")
    names = split_strategies(strategies)
    if scores is not None:
        check_output("--scores", scores, mark("a table"), (".csv",))
    if len(names) not in (1, 2):
        raise BadUsage(say("--strategies: give one or two, not {number}", number=len(names)))
    first, second = load_strategies(names * (3 - len(names)), game)
    with own_output() as out:
        with LiveLine() as line:
            figures, metrics = exact_result(game, first, second, line.show, scores)
        if as_json:
            print_json(figures, out)
            return
        with in_words_of({"variants": [{"names": words_by_language(game, ())}]}):
            print_lines(exact_lines(figures, metrics), out)


def exact_lines(figures: dict[str, Any], metrics: Sequence[tuple[Metric, float]]) -> Iterator[str]:
    """Yield the result for reading, to ten digits."""
    from trutdsl.report.labels import metric_words, word_for

    names = figures["strategies"]
    yield say(
        "{variant}, 2 players, {first} against {second}: computed exactly",
        variant=word_for("titles", figures["variant"]),
        first=names[0],
        second=names[1],
    )
    yield ""
    rows = list(zip((*names, say("nobody")), figures["wins"], strict=True))
    width = max(len(name) for name, _ in rows)
    for name, share in rows:
        yield say("  {name} wins {share} of matches", name=f"{name:{width}}", share=_share(share))
    if sum(figures["wins"][:2]):
        yield say(
            "  the first dealer wins {share} of those with a winner",
            share=_share(figures["first_dealer_wins"]),
        )
    mean, deviation = figures["deals_per_match"], figures["deals_deviation"]
    yield say(
        "  deals a match: mean {mean}, standard deviation {deviation}",
        mean=figure(mean, ".10g"),
        deviation=figure(deviation, ".10g"),
    )
    for share in SHARES:
        yield say_count(
            _deals_of(figures["lengths"], share),
            "  {share} of matches have at most {number} deal",
            "  {share} of matches have at most {number} deals",
            share=figure(share, ".0%"),
        )
    yield ""
    pairs = [(m, value) for m, value in metrics if not m.rest and m.name not in ABOVE]
    width = max((len(metric_words(metric.name)) for metric, _ in pairs), default=0)
    for metric, value in pairs:
        text = _share(value) if metric.kind == "share" else figure(value, ".10g")
        yield f"  {metric_words(metric.name):{width}}  {text}"
    yield ""
    yield say(
        "From {classes} at {scores}, mean of both seatings. Nothing was sampled, so there is no "
        "interval.",
        classes=say_count(
            figures["classes"], "{number} class of deals", "{number} classes of deals"
        ),
        scores=say_count(figures["scores"], "{number} score", "{number} scores"),
    )
    yield say("Proved: {what}.", what=figures["proved"])


def _share(share: float) -> str:
    return say("{share} %", share=figure(100 * share, ".8f"))


def _deals_of(lengths: list[float], share: float) -> int:
    """Return the smallest number of deals that so large a share of matches does not exceed."""
    total = 0.0
    for deals, chance in enumerate(lengths):
        total += chance
        if total >= share:
            return deals
    return len(lengths) - 1
