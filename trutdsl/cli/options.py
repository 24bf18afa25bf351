"""Options that several commands share."""

from __future__ import annotations

from secrets import randbits
from typing import Annotated

import typer

from trutdsl.diagnostics import BadUsage
from trutdsl.report.language import ENGLISH, FRENCH

NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Use nothing kept from earlier, and keep nothing.")
]
Variant = Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")]
PrintJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PrintFigures = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
EngineName = Annotated[str, typer.Option(help="What plays the rules.")]
Players = Annotated[
    int | None, typer.Option(metavar="N", help="Seats at the table; default: the fewest.")
]
SeatStrategies = Annotated[
    str,
    typer.Option(metavar="A,B,...", help="One for all, one for each team, or one for each seat."),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Set a variant's parameter; repeatable."),
]
RANDOM = "random"


def read_seed(text: str) -> int:
    """Return a seed; `random` is one of 128 bits that nobody can guess, drawn now."""
    try:
        return randbits(128) if text == RANDOM else int(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is no whole number, and not `{RANDOM}`") from None


Seed = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="What all chance derives from, or `random`; default: 1, or a random one where a "
        "strategy is a program (.py, .bot).",
        parser=read_seed,
    ),
]


def check_language(lang: str) -> None:
    """Refuse a language that nothing is told in."""
    if lang not in (ENGLISH, FRENCH):
        raise BadUsage(f"--lang {lang}: choose {ENGLISH} or {FRENCH}")


# Options that the commands about tournaments share.

Ref = Annotated[
    str,
    typer.Argument(metavar="FILE|VARIANT", help="An experiment file, or a variant as elsewhere."),
]
Strategies = Annotated[
    str | None, typer.Option(metavar="A,B,...", help="Names or files, separated by commas.")
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="round-robin, one-against-all, partnerships, swiss, knock-out or ladder.",
    ),
]
Against = Annotated[
    str | None, typer.Option(metavar="A", help="Who plays all others, one-against-all.")
]
MetricName = Annotated[
    str | None,
    typer.Option(metavar="WHAT", help="Compare counters, not matches: '2 longs + petits'."),
]
Mode = Annotated[
    str | None, typer.Option(metavar="WHAT", help="Play matches or single deals; default: matches.")
]
StartScore = Annotated[
    list[str] | None,
    typer.Option("--score", metavar="NAME=A,B", help="Where single deals start; default: 0."),
]
Engine = Annotated[str | None, typer.Option(help="What plays the rules; default: native.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="Show also how the numbers were worked out.")
]
Language = Annotated[str | None, typer.Option(metavar="LANG", help="Tell the results in en or fr.")]
CsvStyle = Annotated[
    str | None,
    typer.Option(metavar="STYLE", help="CSV as plain, or fr: semicolons, decimal commas."),
]
Parquet = Annotated[
    bool | None,
    typer.Option("--parquet/--no-parquet", help="Write the tables as Parquet, too; takes pyarrow."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print results.json instead of the table.")]
Jobs = Annotated[
    int | None, typer.Option(metavar="J", help="Worker processes, at most 8 per CPU; default: one.")
]
StartMethod = Annotated[
    str | None, typer.Option(metavar="HOW", help="Start workers by fork, forkserver or spawn.")
]
ExecutorName = Annotated[
    str | None, typer.Option("--executor", metavar="WHAT", help="What plays: local, or dask.")
]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Of Dask's scheduler: tcp://HOST:PORT.")
]
Sets = Annotated[
    int | None,
    typer.Option(metavar="N", help="Sets of deals, each played under every seating."),
]
Matches = Annotated[
    int | None, typer.Option(metavar="M", help="Instead: as many sets as make M matches.")
]
Deals = Annotated[
    int | None, typer.Option(metavar="N", help="Instead: as many sets as make N deals.")
]
Time = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Instead: as many sets as can be begun in this time."),
]
ChunkSize = Annotated[
    int | None, typer.Option(metavar="N", help="Sets in a chunk of work; default: by time.")
]
