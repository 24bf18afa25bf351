"""`trutdsl bench`: measures the speed of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.cli.match_progress import EVERY, LiveLine, Pace
from trutdsl.cli.options import NoCache, Parameters, Players, PrintJson
from trutdsl.cli.output import make_console, note, print_json
from trutdsl.diagnostics import BadUsage
from trutdsl.language import figure, mark, say

if TYPE_CHECKING:
    from trutdsl.bench.measure import Figure
    from trutdsl.variant import Variant

READING = mark(
    "Each figure is the fastest of several measurements; their median is in brackets. Other work "
    "of the machine only slows a measurement. The two sides of a ratio are measured in turns."
)


def bench(
    variant: Annotated[
        str | None, typer.Argument(help="A shipped variant's name, or a file.", show_default="trut")
    ] = None,
    players: Players = None,
    param: Parameters = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", help="The approximate time to measure each rate.")
    ] = 0.5,
    whole: Annotated[
        bool,
        typer.Option("--all", help="Leave nothing out; measure all variants, and everything else."),
    ] = False,
    as_json: PrintJson = False,
    no_cache: NoCache = False,
) -> None:
    """Measure how fast a variant is played here: deals per second, compile times, strategies.

    It takes about 20 seconds, and minutes with --all. Variants that are also written in C are
    compared with that. Each figure is the fastest of several measurements on this machine, with
    their median, because other work only slows a measurement. Both sides of a comparison are
    measured in turns.

    Example: trutdsl bench trut --players 4
    """
    from trutdsl.bench import as_numbers

    if not 0 < seconds <= 60:
        raise BadUsage(
            say("--seconds must be above 0 and at most 60, not {seconds}", seconds=seconds)
        )
    if whole and (variant is not None or players is not None or param):
        raise BadUsage(say("--all measures all variants; leave out the variant and its options"))
    if whole:
        title, names, figures = _measure_all(seconds, not no_cache)
    else:
        table = variant or "trut", players, param or []
        title, names, figures = _measure_one(*table, seconds, not no_cache)
    if as_json:
        print_json(as_numbers(figures))
    else:
        _show(title, names, figures)


Measured = tuple[str, Mapping[str, str], dict[str, Any]]  # a title, words for tables, figures


def _measure_all(seconds: float, keep: bool) -> Measured:
    from trutdsl.bench import benchmark
    from trutdsl.bench.measure import benchmark_tables
    from trutdsl.variant import load_variant

    with LiveLine() as line:
        figures = benchmark(seconds, _progress(line), keep)
    names = {}
    for name, (variant, players, pack) in benchmark_tables().items():
        title = _title(load_variant(variant), pack)
        names[name] = say("{variant}, {players} players", variant=title, players=players)
    return "", names, figures


def _measure_one(
    ref: str, players: int | None, parameters: Sequence[str], seconds: float, keep: bool
) -> Measured:
    from trutdsl.bench.one_variant import benchmark_variant, table_name
    from trutdsl.game import load_game

    game = load_game(ref, players, parameters)
    numbers = game.variant.players if players is None else [players]
    with LiveLine() as line:
        figures = benchmark_variant(game, numbers, seconds, _progress(line), keep)
    keys = {text.partition("=")[0] for text in parameters}
    values = {name: text for name, text in game.parameter_texts().items() if name in keys}
    names = {table_name(game, many): say("{many} players", many=many) for many in numbers}
    return _title(game.variant, values), names, figures


def _title(variant: Variant, parameters: Mapping[str, str]) -> str:
    from trutdsl.variant import words_of

    return ", ".join([words_of(variant).title, *map("=".join, parameters.items())])


def _progress(line: LiveLine) -> Callable[[str], None]:
    """Return what shows a step: on a terminal each, elsewhere one in ten seconds."""
    pace, last = Pace(), 0.0

    def show(text: str) -> None:
        nonlocal last
        message = say("bench: {step}", step=text)
        if line.is_live:
            line.show(message)
        elif pace.elapsed - last >= EVERY:
            last = pace.elapsed
            note(message)

    return show


def _show(title: str, names: Mapping[str, str], figures: dict[str, Any]) -> None:
    from rich.table import Table

    console = make_console()
    if title:
        console.print(title)
    table = Table(say("table"), say("deals/s"), say("compiled in, s"), say("from the cache, s"))
    for name, rate in figures["deals_per_second"].items():
        seconds = figures["compile_seconds"][name]
        cache_time = _seconds(seconds["cached"]) if "cached" in seconds else "-"
        table.add_row(names[name], _rate(rate), _seconds(seconds["cold"]), cache_time)
    console.print(table)
    console.print(say(READING))
    for line in _lines(names, figures):
        console.print(line)


RATES = {
    "callback_decisions": mark("decisions/s through a Python callback"),
    "batch_decisions": mark("decisions/s in a batch of 4,096 matches"),
    "function_decisions": mark("decisions/s of a Python function of the view"),
    "view_decisions": mark("decisions/s of a strategy in Python that reads its view"),
    "bot_decisions": mark("decisions/s of a bot at many tables"),
    "playouts": mark("deals/s played on from a question, for monte-carlo"),
}


def _lines(names: Mapping[str, str], figures: dict[str, Any]) -> Iterator[str]:
    for name, ratio in figures.get("native_over_c", {}).items():
        text = "{name}: {both} of the speed of hand-written C, the same matches"
        yield say(text, name=names.get(name, name), both=_both(ratio))
    for name, ratio in figures.get("script_over_c", {}).items():
        text = "scripts {name}: {both} of the speed of C, the same matches of Trut"
        yield say(text, name=name, both=_both(ratio))
    by_ratio = sorted(figures.get("uniform_over_script", {}).items(), key=lambda one: one[1])
    for name, ratio in by_ratio:
        text = "uniform is {both} times as fast as {name}, by deals"
        yield say(text, both=_both(ratio, ".1f"), name=name)
    for name, words in RATES.items():
        if rate := figures.get(f"{name}_per_second"):
            yield f"{_rate(rate)} {say(words)}"
    if "parallel_speedup" in figures:
        speedup = _both(figures["parallel_speedup"])
        yield say("two processes are {speedup} times as fast as one", speedup=speedup)
    if "tournament_seconds" in figures:
        text = (
            "a tournament of a million deals, the whole command: {first} s the first "
            "time, {again} s again"
        )
        first, second = (_both(figures["tournament_seconds"][name]) for name in ("first", "again"))
        yield say(text, first=first, again=second)
    if "runner_over_machine_code" in figures:
        text = (
            "a chunk of a tournament takes {figures} of the time of its matches, "
            "steady and caller, by the median of nine"
        )
        yield say(text, figures=figure(figures["runner_over_machine_code"], ".3f"))


MILLION = 1_000_000


def _rate(rate: Figure) -> str:
    """Return a rate to three digits, such as `18.1 (17.9) million`."""
    if rate.fastest < MILLION:
        fastest, median = (round(one, 3 - len(str(int(one)))) for one in rate)
        return _both((fastest, median), ",.0f")
    fastest, median = (one / MILLION for one in rate)
    form = ".2f" if fastest < 10 else ".1f"
    return say("{number} million", number=_both((fastest, median), form))


def _seconds(seconds: float) -> str:
    return figure(seconds, ".2f")


def _both(both: tuple[float, float], form: str = ".2f") -> str:
    fastest, median = both
    return f"{figure(fastest, form)} ({figure(median, form)})"
