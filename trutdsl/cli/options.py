"""Options of commands: those of the table, and those that only the command line has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import Parameter, Signature, signature
from secrets import randbits
from typing import Annotated, Any

import typer

from trutdsl.diagnostics import BadUsage
from trutdsl.options import COMPARISON, OPTIONS, Option
from trutdsl.report.language import ENGLISH, FRENCH

RANDOM = "random"


def read_seed(text: str) -> int:
    """Return a seed; `random` is one of 128 bits that nobody can guess, drawn now."""
    try:
        return randbits(128) if text == RANDOM else int(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is no whole number, and not `{RANDOM}`") from None


def flag(one: Option) -> Any:
    """Return an option of the table as Typer takes it."""
    parser = read_seed if one.name == "seed" else None
    return typer.Option(one.flag, metavar=one.metavar, help=one.help, parser=parser)


NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Use nothing kept from earlier, and keep nothing.")
]
Variant = Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")]
PrintJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PrintFigures = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
EngineName = Annotated[str, typer.Option(help="What plays the rules.")]
SeatStrategies = Annotated[
    str,
    typer.Option(metavar="A,B,...", help="One for all, one for each team, or one for each seat."),
]
Players = Annotated[int | None, flag(OPTIONS["players"])]
Parameters = Annotated[list[str] | None, flag(OPTIONS["parameters"])]
Seed = Annotated[int | None, flag(OPTIONS["seed"])]
Mode = Annotated[str | None, flag(OPTIONS["mode"])]
StartScore = Annotated[list[str] | None, flag(OPTIONS["score"])]
Ref = Annotated[
    str,
    typer.Argument(metavar="FILE|VARIANT", help="An experiment file, or a variant as elsewhere."),
]

# Options of the commands about tournaments, and of those that compare variants.

TYPES: dict[str, Any] = {
    "text": str,
    "texts": str,
    "values": list[str],
    "integer": int,
    "number": float,
    "boolean": bool,
}


def _switch(name: str, help: str) -> Option:
    return Option(name, "boolean", "", help, flag="--" + name.replace("_", "-"), usual=False)


NO_CACHE = _switch("no_cache", "Use nothing kept from earlier, and keep nothing.")
OF_TOURNAMENTS = {
    **OPTIONS,
    "verbose": _switch("verbose", "Show also how the numbers were worked out."),
    "json": _switch("json", "Print results.json instead of the table."),
    "no_cache": NO_CACHE,
}
OF_COMPARISONS = {
    **COMPARISON,
    "margin": replace(COMPARISON["margin"], kind="values"),  # given again and again
    "json": _switch("json", "Print everything as JSON."),
    "no_cache": NO_CACHE,
}
TakesOptions = Callable[..., None]


def takes(options: Mapping[str, Option], names: str) -> Callable[[TakesOptions], TakesOptions]:
    """Give a command options in place of its `**given`: these names, in this order.

    A name can also be that of one of its own parameters; those that are not named stand first.
    """

    def give(command: TakesOptions) -> TakesOptions:
        own = dict(signature(command, eval_str=True).parameters)
        del own["given"]
        listed = [
            own.pop(name).replace(kind=Parameter.KEYWORD_ONLY)
            if name in own
            else _parameter(options[name])
            for name in names.split()
        ]
        command.__signature__ = Signature([*own.values(), *listed])  # type: ignore[attr-defined]
        return command

    return give


def _parameter(one: Option) -> Parameter:
    kind = TYPES[one.kind] if one.usual is not None else TYPES[one.kind] | None
    hint: Any = Annotated[kind, flag(one)]
    return Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.usual, annotation=hint)


def check_language(lang: str) -> None:
    """Refuse a language that nothing is told in."""
    if lang not in (ENGLISH, FRENCH):
        raise BadUsage(f"--lang {lang}: choose {ENGLISH} or {FRENCH}")
