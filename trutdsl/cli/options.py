"""Options of commands: those of the table of options, and those of the command line only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from itertools import zip_longest
from typing import Annotated, Any, NamedTuple

import typer

from trutdsl.diagnostics import BadUsage
from trutdsl.language import (
    ENGLISH,
    choose_language,
    current_language,
    machine_language,
    say,
    translations,
)
from trutdsl.options import OPTIONS, SECONDS, Option

RANDOM = "random"


def read_seed(text: str) -> int:
    """Return a seed; `random` draws one of 128 bits, which nobody can guess."""
    from secrets import randbits  # slow

    try:
        return randbits(128) if text == RANDOM else int(text)
    except ValueError:
        raise typer.BadParameter(
            say("'{text}' is neither a whole number nor `{random}`", text=text, random=RANDOM)
        ) from None


def flag(one: Option) -> Any:
    """Return Typer's form of an option."""
    parser = read_seed if one.name == "seed" else None
    names = [one.flag, one.short] if one.short else [one.flag]
    return typer.Option(*names, metavar=one.metavar, help=one.help, parser=parser)


def switch(name: str, help: str) -> Option:
    """Return an option that is off by default."""
    return Option(name, "boolean", "", help, usual=False)


NO_CACHE = switch("no_cache", "Do not read or write the cache.")
JSON = switch("json", "Print JSON.")
NoCache = Annotated[bool, flag(NO_CACHE)]
Variant = Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")]
PrintJson = Annotated[bool, flag(JSON)]
EngineName = Annotated[str, typer.Option(help="The engine that plays the rules.")]
SeatStrategies = Annotated[
    str,
    typer.Option(
        metavar="A,B,...", help="Who plays; one for all, for each team, or for each seat."
    ),
]
Players = Annotated[int | None, flag(OPTIONS["players"])]
Parameters = Annotated[list[str] | None, flag(OPTIONS["parameters"])]
Seed = Annotated[int | None, flag(OPTIONS["seed"])]
Jobs = Annotated[int | None, flag(OPTIONS["jobs"])]
SecondsPerChoice = Annotated[
    float,
    typer.Option(
        "--seconds-per-choice", metavar="S", help="How long a choice takes.", min=0.1, max=3600
    ),
]
Mode = Annotated[str | None, flag(OPTIONS["mode"])]
StartScore = Annotated[list[str] | None, flag(OPTIONS["score"])]
Ref = Annotated[
    str,
    typer.Argument(metavar="FILE|VARIANT", help="An experiment file, or a variant as elsewhere."),
]

TYPES: dict[str, Any] = {
    "text": str,
    "texts": str,
    "values": list[str],
    "integer": int,
    "number": float,
    "boolean": bool,
}


OF_TOURNAMENTS = {
    **OPTIONS,
    "verbose": switch("verbose", "Show also how the numbers were computed."),
    "json": JSON,
    "seconds_per_choice": Option(
        "seconds_per_choice",
        "number",
        "",
        "How long a choice takes.",
        "S",
        least=0.1,
        most=3600,
        usual=SECONDS,
    ),
    "no_cache": NO_CACHE,
}
TakesOptions = Callable[..., None]


def takes(options: Mapping[str, Option], names: str) -> Callable[[TakesOptions], TakesOptions]:
    """Replace the `**flags` of a command by options with these names, in this order.

    A name can also be one of the command's own parameters; its other parameters come first.
    """

    def give(command: TakesOptions) -> TakesOptions:
        own = dict(signature(command, eval_str=True).parameters)
        del own["flags"]
        parameters = [
            own.pop(name).replace(kind=Parameter.KEYWORD_ONLY)
            if name in own
            else _parameter(options[name])
            for name in names.split()
        ]
        command.__signature__ = Signature([*own.values(), *parameters])  # type: ignore[attr-defined]
        return command

    return give


def _parameter(one: Option) -> Parameter:
    kind = TYPES[one.kind] if one.usual is not None else TYPES[one.kind] | None
    hint: Any = Annotated[kind, flag(one)]
    return Parameter(one.name, Parameter.KEYWORD_ONLY, default=one.usual, annotation=hint)


class DisplayOptions(NamedTuple):
    """The output of results: JSON, or text with more or fewer details in a language.

    seconds: that a choice takes at a table.
    """

    as_json: bool
    verbose: bool
    lang: str
    seconds: float = SECONDS


LANG = "--lang"
_asked: list[str] = []  # the language that the command line names


def settle_language(
    args: Sequence[str], environment: Mapping[str, str], usual: str | None = None
) -> None:
    """Choose the language: that of `--lang`, else the usual one, else the machine's, else English.

    Raises `BadUsage` for an unknown language, or one with a damaged catalogue.
    """
    _asked.clear()
    for text, value in zip_longest(args, args[1:], fillvalue=""):
        if text == LANG and value.strip():
            _asked[:] = [value]
        elif text.startswith(f"{LANG}=") and text.partition("=")[2].strip():
            _asked[:] = [text.partition("=")[2]]
    choose_language(usual or machine_language(environment))
    if _asked:
        OPTIONS["lang"].check(_asked[0])
        choose_language(_asked[0])
    if (language := current_language()) != ENGLISH:
        try:
            translations(language)
        except ValueError as damage:
            choose_language(ENGLISH)
            text = "{path} is damaged; install trutdsl again, or write --lang en"
            raise BadUsage(say(text, path=damage)) from damage


def language_flag() -> list[str]:
    """Return `--lang` as the command line gave it, for a command that is to be typed next."""
    return [LANG, *_asked] if _asked else []
