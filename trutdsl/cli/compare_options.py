"""Options that all commands have which compare variants."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from trutdsl.cli.exits import stopped_code
from trutdsl.cli.options import check_language
from trutdsl.diagnostics import Failure, RunStopped
from trutdsl.game import BadUsage
from trutdsl.report.language import ENGLISH, say

if TYPE_CHECKING:
    from trutdsl.comparison.compare import Margins
    from trutdsl.comparison.request import Request

REPORTS = "reports"


def asked_for(variants: list[str], flags: dict[str, Any]) -> Request:
    """Return what is asked for; raises `BadUsage` for flags that cannot be."""
    from trutdsl.comparison.request import DEALS, Request
    from trutdsl.strategy import load_strategy, settle_seed, split_strategies

    check_language(flags["lang"])
    deals, sets, names = flags["deals"], flags["sets"], flags["strategies"]
    if deals is not None and sets is not None:
        raise BadUsage("--deals and --sets are two ways to say how much is played; give one")
    for flag in ("deals", "sets", "jobs"):
        number = flags[flag]
        if number is not None and number < 1:
            raise BadUsage(f"--{flag} must be at least 1, not {number}")
    given = None if names is None else tuple(split_strategies(names))
    return Request(
        variants=tuple(variants),
        players=flags["players"],
        parameters=tuple(flags.get("parameters") or ()),
        strategies=given,
        deals=deals or DEALS,
        sets=sets,
        seed=settle_seed(flags["seed"], map(load_strategy, given or ())),
        margins=read_margins(flags["margin"] or []),
        engine=flags["engine"],
        apart=not flags.get("whole", True),
        primary=flags.get("primary"),
    )


def finish(
    results: Mapping[str, Any],
    folder: Path,
    flags: Mapping[str, Any],
    lines: Callable[[Mapping[str, Any]], Iterable[str]],
    own: TextIO,
) -> None:
    """Write the files of a comparison, and tell it as it was asked for: in words or as JSON.

    Raises `Failure` if something came out otherwise when it was played again.
    """
    from trutdsl.report.csv_files import write_comparison

    write_comparison(folder, results)
    if flags["json"]:
        typer.echo(json.dumps(results, indent=2, sort_keys=True), own)
    else:
        for line in lines(results):
            typer.echo(line, own)
        typer.echo(say("Every figure: {file}", file=folder / "metrics.csv"), own)
        command = ["trutdsl", "report", str(folder)]
        command += ["--lang", flags["lang"]] if flags["lang"] != ENGLISH else []
        text = "As a page with figures: {command}"
        typer.echo(say(text, command=shlex.join(command)), own)
    wrong = [variant["name"] for variant in results["variants"] if not variant["again"]["same"]]
    if wrong:
        raise Failure(
            f"{', '.join(wrong)}: some sets come out otherwise when they are played again; do not "
            "rely on these results"
        )


def read_margins(texts: list[str]) -> Margins:
    """Return which differences matter; raises `BadUsage` for what cannot be read."""
    from trutdsl.comparison.compare import OF_SHARES, Margins

    shares, by_name = OF_SHARES, dict[str, float]()
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 < value < float("inf"):
            raise BadUsage(
                f"--margin {text}: expected a number above 0, such as 0.02, or one for a metric, "
                "such as length.deals=0.5"
            )
        if name:
            by_name[name] = value
        else:
            shares = value
    return Margins(shares, by_name=by_name)


def folder_for(out: str | None, what: str, variants: list[str], asked: Request) -> Path:
    """Return where the files of a comparison lie: by default another place for other questions.

    The same one however much is played, so that more goes on with what is there.
    """
    if out is not None:
        return Path(out)
    names = "-".join(Path(v).name.replace(".yaml", "").replace(":", "-") for v in variants)
    question = json.dumps([what, variants, asdict(replace(asked, deals=0, sets=None))])
    digest = sha256(question.encode()).hexdigest()[:6]
    return Path(REPORTS) / f"{what}-{names[:80]}-{digest}"


@contextmanager
def stoppable(folder: Path, seed: int) -> Iterator[None]:
    """Say what is kept where the block is stopped, and end the program."""
    try:
        yield
    except RunStopped as stopped:
        text = "{stopped} in {folder}; the same command with --seed {seed} goes on from there"
        typer.echo(say(text, stopped=stopped, folder=folder, seed=seed), err=True)
        raise typer.Exit(128 + stopped.signal) from None
    except KeyboardInterrupt:
        text = "stopped; what is finished is kept in {folder}"
        typer.echo(say(text, folder=folder), err=True)
        raise typer.Exit(stopped_code()) from None
