"""What `compare`, `sweep` and `ambiguities` print as JSON; see `docs/comparing.md`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from trutdsl.cli.printed.best_play import BestPlay, TextKey
from trutdsl.cli.printed.variants import ChangedPiece, MeasuredVariant
from trutdsl.comparison.compare import Margins, MetricDifference
from trutdsl.stats.estimate import Estimate


class FamilySize(TypedDict):
    """The family of simultaneous intervals.

    size:     how many intervals.
    critical: half an interval, in standard errors.
    """

    size: int
    critical: float


class ComparisonSetting(TypedDict):
    """All that determines the results.

    format, trutdsl: versions of the file and of the program.
    engine:     what plays the rules.
    players:    at the table.
    tables:     other numbers of players that all variants have.
    strategies: with the hash of each.
    seed:       of the deals.
    sets:       of deals.
    clusters:   of sets, over which errors are computed.
    primary:    the metric that was declared beforehand.
    screening:  whether verdicts control the false discovery rate.
    margins:    the least differences that matter.
    family:     of the differences.
    """

    format: int
    trutdsl: str
    engine: str
    players: int
    tables: list[int]
    strategies: dict[str, str]
    seed: int
    sets: int
    clusters: int
    primary: str | None
    screening: bool
    margins: Margins
    family: FamilySize


class GivenTexts(TypedDict):
    """The texts of the command.

    variants, players, parameters, strategies: as they were written; null where they were not.
    apart:   whether variants are taken apart into their points.
    metrics: those that the user selected.
    """

    variants: list[str]
    players: int | None
    parameters: list[str]
    strategies: list[str] | None
    apart: bool
    metrics: list[str]


class PointEffects(TypedDict):
    """What one difference from the base does alone.

    pieces:  of the difference.
    says:    the text of the rule or parameter.
    shared:  data that one piece writes and another reads.
    against: the base, or the base with the new pack.
    why_not: why it cannot be played alone.
    metrics: none if it cannot be played alone.
    """

    pieces: list[ChangedPiece]
    says: str | None
    shared: list[str]
    against: str
    why_not: TextKey | None
    metrics: list[MetricDifference]


class Interaction(TypedDict):
    """What all points do together.

    metric, kind: what is measured.
    added:      the sum of the differences of all points.
    whole:      the difference of the variant.
    difference: whole less added.
    margin:     the least difference that matters.
    p:          of no interaction, for the whole comparison.
    clear:      whether the interaction is significant and matters.
    """

    metric: str
    kind: str
    added: Estimate
    whole: Estimate
    difference: Estimate
    margin: float | None
    p: float
    clear: bool


class VariantDifferences(TypedDict):
    """A variant against the base.

    variant:   its name.
    metrics:   all of them.
    agreement: Kendall's tau of the strategies' scores in both.
    points:    each difference alone.
    together:  interactions of the points.
    """

    variant: str
    metrics: list[MetricDifference]
    agreement: Estimate | None
    points: list[PointEffects]
    together: list[Interaction]


class RankedVariant(TypedDict):
    """A variant in a ranking.

    name:        of the variant.
    mean, low, high: the metric, with a simultaneous interval.
    best, worst: rank that the significant differences allow.
    """

    name: str
    mean: float
    low: float | None
    high: float | None
    best: int
    worst: int


class PrintedReach(TypedDict):
    """Half the width of intervals, in standard errors.

    values: of the metric.
    pairs:  of its differences.
    """

    values: float
    pairs: float


class Ranking(TypedDict):
    """The variants by one metric.

    by:       the metric, without the name of the first counter.
    metric:   its name in the first of the variants.
    kind:     share or number.
    reach:    of the intervals.
    variants: those that have the metric.
    above:    a row of significant differences for each variant: 1, 0 or -1.
    """

    by: str
    metric: str
    kind: str
    reach: PrintedReach
    variants: list[RankedVariant]
    above: list[list[int]]


@dataclass(frozen=True)
class PrintedComparison:
    """Variants that the same strategies played, as in the file `comparison.json`.

    comparison:  all that determines the results.
    given:       the texts of the command.
    variants:    the base first.
    differences: of each other variant from the base.
    ranks:       of the variants by each metric; none in a sweep.
    """

    comparison: ComparisonSetting
    given: GivenTexts
    variants: list[MeasuredVariant]
    differences: list[VariantDifferences]
    ranks: list[Ranking]


class Axis(TypedDict):
    """A parameter of a grid.

    name:   of the parameter.
    values: in their order.
    """

    name: str
    values: list[str]


class GridCell(TypedDict):
    """A cell of a grid.

    values: of the parameters.
    name:   of the variant that plays it.
    """

    values: dict[str, str]
    name: str


class PrintedGrid(TypedDict):
    """A grid of parameters.

    axes:  the parameters.
    cells: every combination of their values.
    """

    axes: list[Axis]
    cells: list[GridCell]


@dataclass(frozen=True)
class PrintedSweep(PrintedComparison):
    """Every combination of some parameters, against the variant itself.

    sweep: the grid.
    """

    sweep: PrintedGrid


class PrintedReading(TypedDict):
    """Another reading of an unclear rule.

    parameter, value: the reading.
    default:   what the variant plays.
    help:      what the parameter decides.
    name:      of the variant that plays it.
    """

    parameter: str
    value: str
    default: str
    help: str
    name: str


@dataclass(frozen=True)
class Ambiguities(PrintedComparison):
    """Every other reading of the unclear rules, against the default.

    readings: in the order of the variants.
    """

    readings: list[PrintedReading]


Compared = PrintedComparison | BestPlay
