"""Runs a comparison: loads and measures all variants and points, and joins their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from math import ceil
from pathlib import Path
from typing import Any

from trutdsl.comparison.cell import Cell, compile_ahead, make_cell, measure, play_again
from trutdsl.comparison.compare import (
    Families,
    Margins,
    MetricPair,
    judge,
    judge_families,
    match_metrics,
    rank_variants,
    screen_families,
)
from trutdsl.comparison.measurement import Measurement, cluster_size
from trutdsl.comparison.metrics import SHARE, Metric, metrics_of
from trutdsl.comparison.parts import Point, PointResults, points_of
from trutdsl.comparison.results import agreement, show_variant
from trutdsl.comparison.stored import (
    CELLS,
    SAMPLED,
    ComparisonIdentity,
    check_folder,
    given_of,
    hold_folder,
)
from trutdsl.diagnostics import Rejected, did_you_mean, refuse_os_errors
from trutdsl.files import own_version
from trutdsl.game import BadUsage, Game, load_game
from trutdsl.language import key_of, say
from trutdsl.options import OPTIONS
from trutdsl.report.labels import FORMAT, in_words_of, point_title, words_by_language
from trutdsl.strategy.threads import limit_workers
from trutdsl.tournaments.supervisor import FinishedChunk

DEALS = 200_000  # by default, of the variant that plays fewest
# The default strategies: the first of these that can play everything. The last can play any game.
DEFAULT_PLAYERS = (
    ("actuary", "bluffer", "honest"),
    ("caller", "quiet", "steady"),
    ("caller", "quiet", "uniform"),
    ("uniform",),
)


@dataclass(frozen=True)
class Request:
    """The options of a comparison.

    variants:   names or files, optionally with parameters after a colon; the first is the base.
    parameters: texts NAME=VALUE, for all of them.
    strategies: None for some that can play all variants.
    deals:      the least number for each variant; sets instead, if given.
    apart:      also measure each point of variants that build on the base.
    metrics:    names of metrics that the user selected.
    primary:    the metric that was declared beforehand; it is tested separately.
    screening:  a sweep: verdicts control the false discovery rate, and there are no ranks.
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
    metrics: tuple[str, ...] = ()
    primary: str | None = None
    screening: bool = False


@dataclass(frozen=True)
class ComparedVariant:
    """A variant, with its points: differences from the base.

    points: with the cells that play them, if there are several. changes: all of them.
    """

    cell: Cell
    points: tuple[tuple[Point, Cell | None], ...] = ()
    changes: tuple[Point, ...] = ()


def sets_for(cells: Sequence[Cell], request: Request) -> int:
    """Return the number of sets that gives each cell enough deals."""
    if request.sets is not None:
        return request.sets
    least = min(cell.deals_per_set() for cell in cells)
    sets = max(1, ceil(request.deals / max(least, 1)))
    return cluster_size(sets) * ceil(sets / cluster_size(sets))


def split_variant(text: str) -> tuple[str, tuple[str, ...]]:
    """Split `NAME:PARAMETER=VALUE,...` into the variant and texts for its parameters."""
    ref, colon, rest = text.rpartition(":")
    if not colon or Path(text).exists():
        return text, ()
    if not ref or "=" not in rest:
        raise BadUsage(
            say("{text}: behind a colon stand parameters, such as trut:goal=5", text=text)
        )
    result: list[str] = []
    for part in rest.split(","):
        if "=" in part or not result:
            result.append(part)
        else:
            result[-1] += f",{part}"
    return ref, tuple(result)


def load_all(request: Request) -> list[ComparedVariant]:
    """Return the variants with their cells, all with the same strategies."""
    games = [named_game(text, request) for text in request.variants]
    refuse_equal_labels([label for label, _ in games], request)
    sources = {layer.span.source for _, game in games for layer in game.variant.layers}
    files = [source.name for source in sources]
    for file in files:
        if files.count(file) > 1:
            text = "{file} has changed while it was read; give the command again"
            raise BadUsage(say(text, file=file))
    players = {game.players for _, game in games}
    if len(players) > 1:
        raise BadUsage(say("the variants are for different numbers of players; give --players"))
    names = request.strategies or _able([game for _, game in games])
    result: list[ComparedVariant] = []
    for label, game in games:
        cell = make_cell(label, game, names, request.seed)
        points: list[tuple[Point, Cell | None]] = []
        changes: tuple[Point, ...] = ()
        if request.apart and result:
            differences = points_of(game, result[0].cell.game)
            for point in differences if len(differences) > 1 else ():  # one is the whole variant
                changed_cell = None
                if point.game is not None:
                    title = f"{label}: {_title_of(point, cell.game)}"
                    changed_cell = make_cell(title, point.game, names, request.seed)
                points.append((point, changed_cell))
            changes = differences
        result.append(ComparedVariant(cell, tuple(points), changes))
    return result


def refuse_equal_labels(labels: Sequence[str], request: Request) -> None:
    """Raise `BadUsage` if two variants of a comparison have the same label."""
    for label in labels:
        if labels.count(label) > 1 and len(set(request.variants)) == len(request.variants):
            raise BadUsage(
                say("two of the variants are called {label}; give one another name", label=label)
            )
        if labels.count(label) > 1:
            text = (
                "{label} is given twice; to compare it under other parameters, write them "
                "behind a colon, such as trut:goal=5"
            )
            raise BadUsage(say(text, label=label))


def _title_of(point: Point, game: Game) -> str:
    """Return a point in the words of its variant."""
    names = words_by_language(game, point.pieces)
    with in_words_of({"variants": [{"names": names}]}):
        return point_title({"pieces": point.pieces, "says": point.says})


def check_metrics(cells: Sequence[Cell], request: Request) -> None:
    """Reject names of metrics that no difference shows, and margins above a whole share."""
    of_cells = [metrics_of(cell.game.count_plan, cell.experiment(1).design) for cell in cells]
    known: dict[str, Metric] = {}
    for one in of_cells:
        known |= one
    metrics = [("--metric", name) for name in request.metrics]
    metrics += [("--primary", request.primary)] if request.primary is not None else []
    metrics += [("--margin", name) for name in request.margins.by_name or ()]
    for flag, name in metrics:
        if name not in known:
            near = did_you_mean(name, tuple(known)) or say(
                "choose from {names}", names=", ".join(known)
            )
            text = "{flag} {name}: there is no such metric; {near}"
            raise BadUsage(say(text, flag=flag, name=name, near=near))
        if flag != "--metric" and all(name in of and of[name].rest for of in of_cells):
            question = name.rpartition(".")[0]
            other = next(n for n in of_cells[0] if n.rpartition(".")[0] == question and n != name)
            text = "{flag} {name}: the other of two answers has the figure; write {other}"
            raise BadUsage(say(text, flag=flag, name=name, other=other))
    for name, margin in (request.margins.by_name or {}).items():
        if known[name].kind == SHARE and margin > 1:
            text = (
                "--margin {name}={margin}: this metric is a share; expected at most 1, such as "
                "{name}=0.02"
            )
            raise BadUsage(say(text, name=name, margin=f"{margin:g}"))


def named_game(text: str, request: Request) -> tuple[str, Game]:
    """Return a variant of a comparison with its name."""
    ref, own = split_variant(text)
    own_names = {one.partition("=")[0] for one in own}
    other_texts = [one for one in request.parameters if one.partition("=")[0] not in own_names]
    game = load_game(ref, request.players, [*other_texts, *own], request.engine)
    return ":".join([game.name, ",".join(own)]) if own else game.name, game


def _able(games: Sequence[Game]) -> tuple[str, ...]:
    *choices, last = DEFAULT_PLAYERS
    for names in choices:
        with suppress(Rejected, BadUsage):
            for game in games:
                make_cell("", game, names, 0)
            return names
    return last


class ComparisonWatcher:
    """Receives the progress of a comparison; this one ignores it."""

    def count_compiled(self, done: int, of: int) -> None:
        """Receive the number of compiled variants and points, and of all."""

    def begin(self, name: str, number: int, of: int) -> None:
        """Receive the next variant or point before it is measured; the first is number 1."""

    def add_chunk(self, finished: FinishedChunk) -> None:
        """Receive a finished chunk."""

    def say(self, text: str) -> None:
        """Receive a sentence for the user."""


def compare(
    request: Request,
    root: Path,
    jobs: int | None = None,
    watcher: ComparisonWatcher | None = None,
    scheduler: str | None = None,
) -> dict[str, Any]:
    """Run a comparison and return its results as JSON.

    root: the folder of measurements, which are not repeated. scheduler: the address of a cluster
    that plays, instead of `jobs` processes here; the results are the same.

    Raises `Rejected` or `BadUsage` for options that cannot be compared, `RunStopped` or `Failure`
    if it cannot continue; finished chunks are kept.
    """
    watcher = watcher or ComparisonWatcher()
    OPTIONS["jobs"].check(jobs)
    jobs = limit_workers(jobs, watcher.say)
    variants = load_all(request)
    check_metrics([variant.cell for variant in variants], request)
    for name in check_folder(root, SAMPLED, _identity(request, variants)):
        text = "{name} has changed since the comparison in {folder}, which is replaced"
        watcher.say(say(text, name=name, folder=root))
    points = (cell for variant in variants for _, cell in variant.points if cell is not None)
    compile_ahead([*(variant.cell for variant in variants), *points], jobs, watcher.count_compiled)
    sets = sets_for([variant.cell for variant in variants], request)
    numbers, many = count(1), sum(1 + len(variant.points) for variant in variants)
    with refuse_os_errors(root):
        root.mkdir(parents=True, exist_ok=True)
    with hold_folder(root) as refuse_another:

        def play(cell: Cell) -> Measurement:
            refuse_another()
            watcher.begin(cell.name, next(numbers), many)
            folder = root / CELLS
            return measure(cell, sets, folder, jobs, watcher.add_chunk, watcher.say, scheduler)

        results = _measure_all(request, variants, sets, play)
        refuse_another()
    return results


def _measure_all(
    request: Request,
    variants: Sequence[ComparedVariant],
    sets: int,
    play: Callable[[Cell], Measurement],
) -> dict[str, Any]:
    """Return the results of a comparison; play: measures a cell."""
    measurements = [(variant, play(variant.cell)) for variant in variants]
    base = measurements[0][1]
    parts = [
        PointResults(base, result, _measure_points(of, play)) for of, result in measurements[1:]
    ]
    matches = match_metrics(base, [result for _, result in measurements[1:]])
    families = _families(request, [one for of in matches for one in of], parts)
    family = families.own if request.metrics else families.others
    return {
        "comparison": {
            **_describe(request, variants, sets, base),
            "family": {"size": family.size, "critical": family.critical},
        },
        "given": {  # the texts of the command that are not in `comparison`
            "variants": list(request.variants),
            "players": request.players,
            "parameters": list(request.parameters),
            "strategies": None if request.strategies is None else list(request.strategies),
            "apart": request.apart,
            "metrics": list(request.metrics),
        },
        "variants": [
            show_variant(v.cell, variants[0].cell, m)
            | {"again": play_again(v.cell, m, sets), **_in_words(v)}
            for v, m in measurements
        ],
        "differences": [
            {
                "variant": variant.cell.name,
                "metrics": [asdict(row) for row in judge(of, request.margins, families)],
                "agreement": (agreed := agreement(base, result)) and asdict(agreed),
                **part.show(request.margins, families),
            }
            for (variant, result), of, part in zip(measurements[1:], matches, parts, strict=True)
        ],
        "ranks": []
        if request.screening
        else rank_variants([(v.cell.name, m) for v, m in measurements]),
    }


def _identity(request: Request, variants: Sequence[ComparedVariant]) -> ComparisonIdentity:
    cells = [variant.cell for variant in variants]
    strategies = {spec.name: spec.fingerprint for spec in cells[0].strategies}
    given = given_of(
        request.screening,
        players=cells[0].game.players,
        seed=request.seed,
        parameters=",".join(request.parameters) or None,
        strategies=",".join(strategies),
    )
    rules = {cell.name: cell.game.fingerprint for cell in cells}
    return ComparisonIdentity(tuple(rules), given, {**rules, **strategies})


def _in_words(variant: ComparedVariant) -> dict[str, Any]:
    """Return the changes of the base, and the words of the variant in each language."""
    pieces = [piece for change in variant.changes for piece in change.pieces]
    return {
        "changes": [{"pieces": list(c.pieces), "says": c.says} for c in variant.changes],
        "names": words_by_language(variant.cell.game, pieces),
    }


def _describe(
    request: Request, variants: Sequence[ComparedVariant], sets: int, base: Measurement
) -> dict[str, Any]:
    """Return everything that determines the results."""
    cell, margins = variants[0].cell, request.margins
    tables = set.intersection(*(set(one.cell.game.variant.players) for one in variants))
    return {
        "format": FORMAT,
        "trutdsl": own_version(),
        "engine": request.engine,
        "players": cell.game.players,
        "tables": [] if request.players is not None else sorted(tables - {cell.game.players}),
        "strategies": {spec.name: spec.fingerprint for spec in cell.strategies},
        "seed": request.seed,
        "sets": sets,
        "clusters": base.clusters,
        "primary": request.primary,
        "screening": request.screening,
        "margins": {**asdict(margins), "by_name": dict(margins.by_name or {})},
    }


def _families(
    request: Request, matches: Sequence[MetricPair], parts: Sequence[PointResults]
) -> Families:
    if request.screening:
        return screen_families(matches, request.metrics)
    sums = [one for part in parts for one in part.sums]
    return judge_families(
        matches,
        request.margins,
        request.primary,
        [one for part in parts for of in part.matches for one in of],
        [result for one in sums for result in (one.of_points, one.interaction)],
    )


def _measure_points(
    variant: ComparedVariant, play: Callable[[Cell], Measurement]
) -> list[tuple[Point, Measurement | None]]:
    """Measure each point; None for rules that cannot be played to the end."""
    result = list[tuple[Point, Measurement | None]]()
    for point, cell in variant.points:
        try:
            result.append((point, None if cell is None else play(cell)))
        except Rejected as rejected:
            result.append((replace(point, why_not=key_of(rejected.diagnostics[0].message)), None))
    return result
