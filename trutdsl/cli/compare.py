"""`trutdsl compare`, `sweep` and `ambiguities`: what does it change to play by other rules?"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.cli.defaults import override_file
from trutdsl.cli.options import JSON, NO_CACHE, Parameters, SecondsPerChoice, language_flag, takes
from trutdsl.cli.output import own_output, print_json, print_lines, stopped_code, tell_stopped
from trutdsl.diagnostics import BadUsage, Failure, RunStopped
from trutdsl.language import say
from trutdsl.options import NATIVE, OPTIONS, SECONDS, Option, means_of

if TYPE_CHECKING:
    from trutdsl.cli.progress import CellProgress
    from trutdsl.comparison.compare import Margins
    from trutdsl.comparison.run_comparison import Request


def _no_key(name: str, **changes: Any) -> Option:
    """Return an option of tournaments that is no key of a comparison's file."""
    return replace(OPTIONS[name], about="", **changes)


# Options of comparisons. Some are those of tournaments with another help text.

TABLE = {
    one.name: one
    for one in (
        OPTIONS["experiment"],
        OPTIONS["players"],
        OPTIONS["parameters"],
        replace(OPTIONS["strategies"], help="Who plays; default: some that can play them all."),
        replace(OPTIONS["sets"], help="Sets of deals to play; by each variant."),
        replace(OPTIONS["deals"], help="Deals to play; default: 200000 of each variant."),
        OPTIONS["seed"],
        Option("variants", "texts", "names or paths relative to this file; the first is the base"),
        Option(
            "primary",
            "text",
            "the primary metric, which is tested by itself",
            "The primary metric; it is tested by itself.",
            "METRIC",
        ),
        Option(
            "margin",
            "texts",
            "the smallest differences that matter: X of shares, METRIC=X of a metric",
            "The smallest difference that matters: of shares (0.01), or of a metric by its name; "
            "repeatable.",
            "[METRIC=]X",
        ),
        Option(
            "whole",
            "boolean",
            "do not measure each point of a variant alone",
            "Do not measure each point of a variant alone.",
            usual=False,
        ),
        Option(
            "deal", "text", "", "Play one deal for points; with best-play.", "COUNTER=POINTS,..."
        ),
        _no_key("jobs"),
        _no_key("executor"),
        _no_key("scheduler"),
        _no_key("out", help="The folder of the results; default: one in reports/."),
        _no_key("engine", help="The engine that plays the rules.", usual=NATIVE),
    )
}
REQUIRED_KEYS = ("experiment", "variants")

REPORTS = "reports"
KEYS = {name: one for name, one in TABLE.items() if one.about}
OF_COMPARISONS = {
    **TABLE,
    "margin": replace(TABLE["margin"], kind="values"),  # repeated on the command line
    "json": JSON,
    "no_cache": NO_CACHE,
}
OF_COMMANDS = ("all", "json", "no_cache", *(TABLE.keys() - KEYS.keys()))

Ref = Annotated[str, typer.Argument(metavar="VARIANT", help="A shipped variant's name, or a file.")]
SHARED_OPTIONS = (
    "players strategies deals sets margin seed jobs executor scheduler out json engine no_cache"
)
Results = Mapping[str, Any]


@takes(
    OF_COMPARISONS,
    "players strategies parameters deal deals sets margin primary whole every seed jobs executor "
    "scheduler out json engine no_cache",
)
def compare_variants(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="BASE OTHER...|FILE",
            help="Variants, shipped or files, such as trut:goal=5; or an experiment file.",
        ),
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Leave nothing out; show every metric with its figures.")
    ] = False,
    seconds: SecondsPerChoice = SECONDS,
    **flags: Any,
) -> None:
    """Let the same strategies play the same deals by other rules, and say what differs.

    The first variant is the base. For a variant that builds on it, each of its rules and
    parameters is also measured alone. An experiment file can hold all these settings; an option
    overrides it. With the strategies `best-play`, each variant for two is solved, and described
    without scripts.

    Example: trutdsl compare trut trut-gatinaise --players 4
    """
    from trutdsl.cli.solve import is_best_play, show_best_play
    from trutdsl.comparison.run_comparison import compare
    from trutdsl.report.comparison import comparison_lines
    from trutdsl.tournaments.load import is_experiment
    from trutdsl.variant.source import VALUE, kind_of

    names = variants
    if len(variants) == 1 and is_experiment(variants[0]):
        name, variants, flags = _read_experiment(variants[0], flags)
        names = [name]
    if is_best_play(flags["strategies"]):
        short = _short_name(names)
        show_best_play(variants, flags, Path(REPORTS) / f"compare-{short}-best-play")
        return
    if flags["deal"] is not None:
        raise BadUsage(say("--deal is for --strategies best-play; scripts play whole matches here"))
    if len(variants) == 1 and re.fullmatch(r"[\w./-]+(?:,[\w./-]+)+,?", variants[0]):
        spaced = " ".join(filter(None, variants[0].split(",")))
        raise BadUsage(say("name the variants with spaces between them: {names}", names=spaced))
    if values := [one for one in variants[1:] if kind_of(one) == VALUE]:
        named = " ".join(one for one in variants if one not in values)
        together = f"{named if ' ' in named else f'{named} {named}'}:{','.join(values)}"
        text = "a parameter stands behind its variant: write {names}"
        raise BadUsage(say(text, names=together))
    if len(variants) < 2:
        text = (
            "there is nothing to compare with: name two variants or more, or one under "
            "other parameters, such as trut trut:goal=5"
        )
        raise BadUsage(say(text))
    request = _request(variants, flags)
    lines = partial(comparison_lines, every=every, seconds=seconds)
    _play_and_show("compare", names, request, flags, partial(compare, request), lines)


@takes(OF_COMPARISONS, f"param metric {SHARED_OPTIONS}")
def sweep_parameters(
    variant: Ref,
    param: Annotated[
        list[str],
        typer.Option(metavar="NAME=VALUES", help="goal=3..9, or leader=A,B; several make a grid."),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A metric to show, by its name in metrics.csv; repeatable."
        ),
    ] = None,
    **flags: Any,
) -> None:
    """Play a variant with every combination of some parameters, and say what each changes.

    Finished play in the same folder is not repeated.

    Example: trutdsl sweep trut --param goal=3..9
    """
    from trutdsl.comparison.sweep import sweep
    from trutdsl.report.sweep import sweep_lines

    request = replace(_request([variant], flags), metrics=tuple(metric or ()))
    play = partial(sweep, request, param)
    _play_and_show("sweep", [variant, *param], request, flags, play, sweep_lines)


@takes(OF_COMPARISONS, f"param {SHARED_OPTIONS}")
def list_ambiguities(variant: Ref, param: Parameters = None, **flags: Any) -> None:
    """Play every other reading of what the sources leave open, and say which of them matters.

    These are the parameters that a variant marks as a choice, each against its default.

    Example: trutdsl ambiguities truc-catalan
    """
    from trutdsl.comparison.sweep import ambiguities
    from trutdsl.report.sweep import ambiguity_lines

    if param:  # part of the variant's name, so that another reading can replace a value
        variant += ("," if ":" in variant else ":") + ",".join(param)
    request = _request([variant], flags)
    play = partial(ambiguities, request)
    _play_and_show("ambiguities", [variant], request, flags, play, ambiguity_lines)


def _read_experiment(ref: str, flags: Mapping[str, Any]) -> tuple[str, list[str], dict[str, Any]]:
    """Return the name, the variants and the flags of a comparison; flags override the file.

    Raises `Rejected` with every mistake in the file.
    """
    from trutdsl.tournaments.load import beside, read_keys

    content = read_keys(ref, "a comparison", KEYS, REQUIRED_KEYS, OF_COMMANDS)
    name = content.pop("experiment")
    variants = [beside(ref, one) for one in content.pop("variants")]
    in_file: dict[str, Any] = {
        **content,
        "parameters": list(content.get("parameters", ())),
        "margin": list(content.get("margin", ())),
        "strategies": ",".join(beside(ref, one) for one in content.get("strategies", ())) or None,
    }
    overrides = {f: one for f, one in override_file(flags, content).items() if one is not False}
    if overrides.keys() & {"sets", "deals"}:
        in_file |= {"sets": None, "deals": None}
    amounts = dict.fromkeys(("sets", "deals"))  # those of `trutdsl.toml` give way to the file's
    return name, variants, {**flags, **amounts, **in_file, **overrides}


def _request(variants: list[str], flags: Mapping[str, Any]) -> Request:
    from trutdsl.comparison.run_comparison import DEALS, Request
    from trutdsl.comparison.stored import stored_seed
    from trutdsl.strategy.fitness import split_strategies
    from trutdsl.strategy.load import load_strategy, settle_seed

    deals, sets, names = flags["deals"], flags["sets"], flags["strategies"]
    if deals is not None and sets is not None:
        raise BadUsage(say("--deals and --sets are two ways to say how much is played; give one"))
    for name in ("deals", "sets"):
        TABLE[name].check(flags[name])
    means_of({name: flags[name] for name in ("jobs", "executor", "scheduler")})
    strategies = None if names is None else tuple(split_strategies(names))
    seed = stored_seed(flags["out"]) if flags["seed"] is None else flags["seed"]
    return Request(
        variants=tuple(variants),
        players=flags["players"],
        parameters=tuple(flags.get("parameters") or ()),
        strategies=strategies,
        deals=deals or DEALS,
        sets=sets,
        seed=settle_seed(seed, map(load_strategy, strategies or ())),
        margins=_read_margins(flags["margin"] or []),
        engine=flags["engine"],
        apart=not flags.get("whole", True),
        primary=flags.get("primary"),
    )


def _read_margins(texts: list[str]) -> Margins:
    from trutdsl.comparison.compare import OF_SHARES, Margins

    by_name = dict[str, float]()  # "" for all shares
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        nameless = text.startswith("=") or (value > 1 and not name)
        if nameless or not 0 < value < float("inf"):
            raise BadUsage(
                say(
                    "--margin {text}: expected a number above 0 and at most 1, such as 0.02, or "
                    "one for a metric, such as length.deals=0.5",
                    text=text,
                )
            )
        if name in by_name:
            what = f"{name}=" if name else ""
            raise BadUsage(
                say(
                    "--margin {what}{number}: there are two such margins; keep one",
                    what=what,
                    number=number,
                )
            )
        by_name[name] = value
    shares = by_name.pop("", OF_SHARES)
    return Margins(shares, by_name=by_name)


def _play_and_show(
    command: str,
    names: list[str],
    request: Request,
    flags: Mapping[str, Any],
    play: Callable[[Path, int | None, CellProgress, str | None], Results],
    lines: Callable[[Results], Iterable[str]],
) -> None:
    """Play a comparison, write its files, and print it as text or as JSON.

    Raises `Failure` if a repeated set has another result.
    """
    from trutdsl.cli.progress import CellProgress

    folder = _folder(flags["out"], command, names, request)
    with own_output() as own:
        try:
            with CellProgress() as progress:
                results = play(folder, flags["jobs"], progress, flags["scheduler"])
        except RunStopped as stopped:
            text = "{stopped} in {folder}; the same command with --seed {seed} goes on from there"
            tell_stopped(say(text, stopped=stopped, folder=folder, seed=request.seed))
            raise typer.Exit(128 + stopped.signal) from None
        except KeyboardInterrupt:
            text = "stopped; what is finished is kept in {folder}"
            tell_stopped(say(text, folder=folder))
            raise typer.Exit(stopped_code()) from None
        from trutdsl.report.csv_files import write_comparison

        write_comparison(folder, results)
        if flags["json"]:
            print_json(results, own)
        else:
            print_lines(lines(results), own)
            typer.echo(say("Every figure: {file}", file=folder / "metrics.csv"), own)
            page = ["trutdsl", "report", str(folder), *language_flag()]
            typer.echo(say("As a page with figures: {command}", command=shlex.join(page)), own)
        wrong = [one["name"] for one in results["variants"] if not one["again"]["same"]]
        if wrong:
            text = (
                "{names}: some sets give another result when they are replayed; do not "
                "rely on these results"
            )
            raise Failure(say(text, names=", ".join(wrong)))


def _folder(out: str | None, command: str, names: list[str], request: Request) -> Path:
    """Return the folder of a comparison; its default depends on the question.

    It does not depend on the number of deals, so that a longer run continues a shorter one.
    """
    if out is not None:
        return Path(out)
    question = json.dumps([command, names, asdict(replace(request, deals=0, sets=None))])
    digest = sha256(question.encode()).hexdigest()[:6]
    return Path(REPORTS) / f"{command}-{_short_name(names)}-{digest}"


def _short_name(names: list[str]) -> str:
    return "-".join(Path(v).name.replace(".yaml", "").replace(":", "-") for v in names)[:80]
