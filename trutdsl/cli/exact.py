"""`trutdsl exact` and `exploit`: results of scripts, computed instead of simulated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.cli.match_progress import LiveLine
from trutdsl.cli.options import NoCache, Parameters, Players, PrintJson, Variant
from trutdsl.cli.output import own_output, print_json, print_lines
from trutdsl.cli.solve import DealPoints, PolicyFile, SolverJobs, count_workers, read_points
from trutdsl.diagnostics import BadUsage, check_output
from trutdsl.files import write_whole
from trutdsl.language import figure, mark, say, say_count, with_title

if TYPE_CHECKING:
    from trutdsl.comparison.metrics import Metric
    from trutdsl.solve.habits import ScriptResponse
    from trutdsl.variant.words import Words

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
    jobs: SolverJobs = None,
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
    from trutdsl.strategy.fitness import load_strategies, split_strategies

    workers = count_workers(jobs)
    game = load_game(variant, 2 if players is None else players, param or [], "native")
    names = split_strategies(strategies)
    if scores is not None:
        check_output("--scores", scores, mark("a table"), (".csv",))
    if len(names) not in (1, 2):
        raise BadUsage(say("--strategies: give one or two, not {number}", number=len(names)))
    first, second = load_strategies(names * (3 - len(names)), game)
    with own_output() as out:
        with LiveLine() as line:
            figures, metrics, table = exact_result(game, first, second, line.show, workers)
        try:
            if scores is not None:
                write_whole(scores, table)
        finally:  # the figures stay if the file cannot be written
            if as_json:
                print_json(figures, out)
            else:
                with in_words_of({"variants": [{"names": words_by_language(game, ())}]}):
                    print_lines(exact_lines(figures, metrics), out)


def exact_lines(figures: dict[str, Any], metrics: Sequence[tuple[Metric, float]]) -> Iterator[str]:
    """Yield the result for reading, to ten digits."""
    from trutdsl.report.labels import metric_words, word_for
    from trutdsl.solve.chain import most_deals

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
            most_deals(figures["lengths"], share),
            "  at least {share} of matches have at most {number} deal",
            "  at least {share} of matches have at most {number} deals",
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


def exploit(
    variant: Variant,
    against: Annotated[
        str, typer.Option(metavar="A,B,...", help="Scripts, or uniform.")
    ] = "uniform",
    players: Players = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COUNTER=A,B", help="Begin at this score; a value for each team. Repeatable."
        ),
    ] = None,
    deal: DealPoints = None,
    choices: Annotated[
        int, typer.Option(metavar="N", help="The number of choices for learning a lower bound.")
    ] = 5_000_000,
    out: PolicyFile = None,
    jobs: SolverJobs = None,
    param: Parameters = None,
    as_json: PrintJson = False,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Compute how often a perfect opponent wins against scripts, and by which of their habits.

    The opponent knows the script, but not the hidden cards. Exact for two players; where that is
    too large, a lower bound is learned. With --deal it plays one deal for points.

    Example: trutdsl exploit trut --players 2 --against caller,steady --param goal=1
    """
    from trutdsl.api.best_play import check_policy_file, respond, response_figures
    from trutdsl.game import load_game
    from trutdsl.strategy.fitness import load_strategies, split_strategies
    from trutdsl.variant import words_of

    check_policy_file(out)
    workers = count_workers(jobs)
    score = read_scores(word for text in at or () for word in text.split())
    points = None if deal is None else read_points(deal)
    game = load_game(variant, 2 if players is None else players, param or [], "native")
    scripts = tuple(dict.fromkeys(load_strategies(split_strategies(against), game)))
    with own_output() as output:
        with (line := LiveLine()):
            kept = out is not None
            found = respond(game, scripts, score, points, kept, choices, workers, line.show)
        responses = [found[script] for script in scripts]
        words = words_of(game.variant, values=game.parameters)
        what = say("one deal") if points is not None else say("a whole match")
        if score:
            begin = ", ".join(f"{name}={','.join(map(str, its))}" for name, its in score.items())
            what = say("{kind}, from {score}", kind=what, score=begin)
        text = "{game}, {players} players, {what}: responses to scripts"
        lines = [say(text, game=words.title, players=game.players, what=what)]
        for response in responses:
            lines += _response_lines(response, points, words, by_seat=bool(score))
        try:
            for save in (response.save for response in responses):
                if out is not None and save is not None:
                    with line:
                        save(out)
                    lines += ["", say("Written: {path}", path=out)]
        finally:  # the figures stay if the file cannot be written
            if as_json:
                print_json([response_figures(response, points) for response in responses], output)
            else:
                print_lines(lines, output)


def read_scores(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the values of each counter, from texts COUNTER=A,B; raises `BadUsage`."""
    from trutdsl.variant.read_values import LONGEST_SHOWN, parse_integer

    scores: dict[str, tuple[int, ...]] = {}
    for text in texts:
        name, _, values = text.partition("=")
        numbers = [parse_integer(value.strip(), LONGEST_SHOWN) for value in values.split(",")]
        if None in numbers:
            raise BadUsage(say("--at {text}: write COUNTER=A,B, such as petits=2,0", text=text))
        if name in scores:
            raise BadUsage(say("--at {text}: '{name}' is given twice", text=text, name=name))
        scores[name] = tuple(number for number in numbers if number is not None)
    return scores


def _response_lines(
    response: ScriptResponse, points: dict[str, float] | None, words: Words, by_seat: bool
) -> Iterator[str]:
    from trutdsl.api.best_play import measured_interval
    from trutdsl.report.rounding import bounded_estimate

    yield ""
    unit, scale = (say("in matches of 100"), 100) if points is None else (say("in points"), 1)
    interval = measured_interval(response)
    if interval is not None:
        low, high = interval
        yield say(
            "{against} loses {what} of 100 matches to the best opponent found, and as many or "
            "more to a perfect one (lower bound, 95 % interval)",
            against=response.against,
            what=bounded_estimate({"mean": response.gains, "low": low, "high": high}, scale=100),
        )
    elif points is None:
        text = "{against} loses {what} of 100 matches (exact)"
        draws = round(100 * (response.draws or 0.0), 4)
        if draws:
            text = "{against} loses {what} of 100 matches and draws {draws} (exact)"
        yield say(
            text,
            against=response.against,
            what=figure(100 * response.gains, ".4f"),
            draws=figure(draws, ".4f"),
        )
        if by_seat and response.by_seat:
            first, second = (figure(100 * gain, ".4f") for gain in response.by_seat)
            text = "  to an opponent on the first seat {first}, on the second {second}"
            yield say(text, first=first, second=second)
    else:
        yield say(
            "{against} loses {gains} points a deal (exact)",
            against=response.against,
            gains=figure(response.gains, ".6f"),
        )
    if response.habits:
        yield say("  its costliest choices in the first deal, {unit}:", unit=unit)
    for habit in response.habits:
        situation = habit.situation_text(words)
        text = "asked '{decision}', {situation}" if situation else "asked '{decision}'"
        question = say(text, decision=words.decision(habit.decision), situation=situation)
        costs = figure(scale * habit.costs, ".4f")
        yield f"  {costs:>8}  {with_title(question, habit.answer_text(words))}"
    yield f"  {response.note}"
