"""Options that all commands have which compare variants."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trutdsl.arena.errors import RunStopped
from trutdsl.game import BadUsage
from trutdsl.streams import LARGEST_SEED

if TYPE_CHECKING:
    from trutdsl.comparison.asked import Asked
    from trutdsl.comparison.compare import Margins

REPORTS = "reports"

Players = Annotated[
    int | None, typer.Option(metavar="N", help="Seats at the table; default: the fewest.")
]
Strategies = Annotated[
    str | None,
    typer.Option(metavar="A,B,...", help="Who plays; default: some that can play them all."),
]
Deals = Annotated[
    int | None, typer.Option(metavar="N", help="Deals of each variant, at least; 200000.")
]
Sets = Annotated[
    int | None, typer.Option(metavar="N", help="Sets of deals that each plays, instead.")
]
Margin = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[METRIC=]X",
        help="Which difference matters: of shares (0.01), or of a metric by its name.",
    ),
]
Jobs = Annotated[
    int | None, typer.Option(metavar="N", help="Worker processes; default: one a CPU.")
]
Out = Annotated[
    str | None, typer.Option(metavar="FOLDER", help="Where it is kept; in reports/ by default.")
]
Json = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
Engine = Annotated[str, typer.Option(metavar="ENGINE", help="native, or reference.")]
Parameters = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="A parameter of every variant; can be repeated."),
]


def asked_for(variants: list[str], flags: dict[str, Any]) -> Asked:
    """Return what is asked for; raises `BadUsage` for flags that cannot be."""
    from trutdsl.comparison.asked import DEALS, Asked
    from trutdsl.strategy import split_strategies

    deals, sets, names = flags["deals"], flags["sets"], flags["strategies"]
    if deals is not None and sets is not None:
        raise BadUsage("--deals and --sets are two ways to say how much is played; give one")
    if not 0 <= flags["seed"] <= LARGEST_SEED:
        raise BadUsage(f"--seed must be from 0 to 2**128-1, not {flags['seed']}")
    for flag in ("deals", "sets", "jobs"):
        number = flags[flag]
        if number is not None and number < 1:
            raise BadUsage(f"--{flag} must be at least 1, not {number}")
    return Asked(
        variants=tuple(variants),
        players=flags["players"],
        parameters=tuple(flags.get("param") or ()),
        strategies=None if names is None else tuple(split_strategies(names)),
        deals=deals or DEALS,
        sets=sets,
        seed=flags["seed"],
        margins=read_margins(flags["margin"] or []),
        engine=flags["engine"],
        apart=not flags.get("whole", True),
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


def folder_for(out: str | None, what: str, variants: list[str], asked: Asked) -> Path:
    """Return where the files of a comparison lie: by default another place for other questions."""
    if out is not None:
        return Path(out)
    names = "-".join(Path(v).name.replace(".yaml", "").replace(":", "-") for v in variants)
    digest = sha256(repr((what, variants, asked)).encode()).hexdigest()[:6]
    return Path(REPORTS) / f"{what}-{names[:80]}-{digest}"


@contextmanager
def stoppable(folder: Path) -> Iterator[None]:
    """Say what is kept where the block is stopped, and end the program."""
    try:
        yield
    except RunStopped as stopped:
        typer.echo(f"{stopped} in {folder}; the same command goes on from there", err=True)
        raise typer.Exit(128 + stopped.signal) from None
    except KeyboardInterrupt:
        typer.echo(f"stopped; what is finished is kept in {folder}", err=True)
        raise typer.Exit(130) from None
