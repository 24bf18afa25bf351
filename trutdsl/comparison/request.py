"""What a comparison is asked for, and the cells that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path

from trutdsl.comparison.cell import Cell, make_cell
from trutdsl.comparison.compare import Margins
from trutdsl.comparison.measured import cluster_size
from trutdsl.comparison.metrics import metrics_of
from trutdsl.comparison.parts import Point, points_of
from trutdsl.diagnostics import Rejected, did_you_mean
from trutdsl.files import list_scripts
from trutdsl.game import BadUsage, Game, load_game

DEALS = 200_000  # of the variant that plays fewest, if nothing else is said
# Who plays if nobody is named: the first if they can play everything, else the others.
PLAYERS_OF_TRICKS = ("bluffer", "steady", "tight")
PLAYERS_OF_ALL = ("caller", "quiet", "steady")


@dataclass(frozen=True)
class Request:
    """What a comparison is asked for.

    variants:   names or files, each perhaps with parameters behind a colon; the first is the base.
    parameters: texts NAME=VALUE, for all of them.
    strategies: None for some that can play all variants.
    deals:      at least so many of each variant; sets instead, if given.
    apart:      a variant that builds on the base is taken apart.
    wanted:     metrics that are asked for by name.
    primary:    the metric that was declared beforehand; it is tested by itself.
    screening:  many variants are looked through for what matters, as in a sweep; verdicts control
                the false discovery rate, and there are no ranks.
    """

    variants: tuple[str, ...]
    players: int | None = None
    parameters: tuple[str, ...] = ()
    strategies: tuple[str, ...] | None = None
    deals: int = DEALS
    sets: int | None = None
    seed: int = 1
    margins: Margins = field(default_factory=Margins)
    engine: str = "native"
    apart: bool = True
    wanted: tuple[str, ...] = ()
    primary: str | None = None
    screening: bool = False


@dataclass(frozen=True)
class ComparedVariant:
    """A variant that was asked for, with the points in which it differs from the base."""

    label: str
    cell: Cell
    points: tuple[tuple[Point, Cell | None], ...] = ()


def sets_for(cells: Sequence[Cell], asked: Request) -> int:
    """Return how many sets are played: so many that each cell comes to so many deals."""
    if asked.sets is not None:
        return asked.sets
    least = min(cell.deals_per_set() for cell in cells)
    sets = max(1, ceil(asked.deals / max(least, 1)))
    return cluster_size(sets) * ceil(sets / cluster_size(sets))


def split_variant(text: str) -> tuple[str, tuple[str, ...]]:
    """Return what `NAME:PARAMETER=VALUE,...` says: the variant, and texts for its parameters."""
    ref, colon, rest = text.rpartition(":")
    if not colon or Path(text).exists():
        return text, ()
    if not ref or "=" not in rest:
        name = ref or "trut"
        raise BadUsage(f"{text}: behind a colon stand parameters, such as {name}:goal=5")
    found: list[str] = []
    for part in rest.split(","):
        if "=" in part or not found:
            found.append(part)
        else:
            found[-1] += f",{part}"
    return ref, tuple(found)


def load_all(asked: Request) -> list[ComparedVariant]:
    """Return the variants with their cells, all with the same strategies."""
    games = [_game(text, asked) for text in asked.variants]
    labels = [label for label, _ in games]
    for label in labels:
        if labels.count(label) > 1 and len(set(asked.variants)) == len(asked.variants):
            raise BadUsage(f"two of the variants are called {label}; give one another name")
        if labels.count(label) > 1:
            raise BadUsage(
                f"{label} is given twice; to compare it under other parameters, write them "
                f"behind a colon, such as {label}:goal=5"
            )
    players = {game.players for _, game in games}
    if len(players) > 1:
        raise BadUsage("the variants are for different numbers of players; give --players")
    names = asked.strategies or _able([game for _, game in games])
    found: list[ComparedVariant] = []
    for label, game in games:
        cell = make_cell(label, game, names, asked.seed)
        points: list[tuple[Point, Cell | None]] = []
        if asked.apart and found:
            for point in _worth_it(points_of(game, found[0].cell.game)):
                made = None
                if point.game is not None:
                    title = f"{label}: {point.words}"
                    made = make_cell(title, point.game, names, asked.seed)
                points.append((point, made))
        found.append(ComparedVariant(label, cell, tuple(points)))
    return found


def other_tables(variants: Sequence[ComparedVariant]) -> list[int]:
    """Return for how many other players all variants are, too."""
    games = [variant.cell.game for variant in variants]
    both = set.intersection(*(set(game.variant.players) for game in games))
    return sorted(both - {games[0].players})


def check_metrics(cells: Sequence[Cell], asked: Request) -> None:
    """Refuse names of metrics that none of the games has."""
    known: dict[str, None] = {}
    for cell in cells:
        known |= dict.fromkeys(metrics_of(cell.game.count_plan, cell.experiment(1).design))
    named = [("--metric", name) for name in asked.wanted]
    named += [("--primary", asked.primary)] if asked.primary is not None else []
    named += [("--margin", name) for name in asked.margins.by_name or ()]
    for flag, name in named:
        if name not in known:
            near = did_you_mean(name, tuple(known)) or f"choose from {', '.join(known)}"
            raise BadUsage(f"{flag} {name}: there is no such metric; {near}")


def _worth_it(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return points if there are two or more: a single one is all there is to know."""
    return points if len(points) > 1 else ()


def _game(text: str, asked: Request) -> tuple[str, Game]:
    ref, own = split_variant(text)
    named = {one.partition("=")[0] for one in own}
    shared = [one for one in asked.parameters if one.partition("=")[0] not in named]
    game = load_game(ref, asked.players, [*shared, *own], asked.engine)
    return ":".join([game.name, ",".join(own)]) if own else game.name, game


def _able(games: Sequence[Game]) -> tuple[str, ...]:
    """Return strategies that can play all games."""
    known = set(list_scripts())
    able = all(
        name in known and all(_can_play(name, game) for game in games) for name in PLAYERS_OF_TRICKS
    )
    return PLAYERS_OF_TRICKS if able else PLAYERS_OF_ALL


def _can_play(name: str, game: Game) -> bool:
    try:
        make_cell("", game, [name], 0)
    except Rejected:
        return False
    return True
