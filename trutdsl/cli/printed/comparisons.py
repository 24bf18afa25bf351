"""What `compare`, `sweep` and `ambiguities` print as JSON; see `docs/comparing.md`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from trutdsl.cli.printed.best_play import BestPlay, TextKey
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


@dataclass(frozen=True, kw_only=True)
class MetricValue(Estimate):
    """A metric of a variant: an estimate with its name.

    metric: its name.
    kind:   share or number.
    """

    metric: str
    kind: str


class Quantile(TypedDict):
    """A length that a share of matches does not exceed.

    share:     of the matches.
    value:     the middle of its bin.
    low, high: its 95 % interval.
    """

    share: float
    value: int
    low: int | None
    high: int | None


class PrintedLengths(TypedDict):
    """Matches by length, in bins.

    from_, to: the shortest and longest length of each bin.
    matches:   in each bin.
    low, high: the 95 % interval of its share.
    quantiles: of the lengths.
    """

    from_: list[int]
    to: list[int]
    matches: list[int]
    low: list[float | None]
    high: list[float | None]
    quantiles: list[Quantile]


class ScoreTable(TypedDict):
    """Deals by the score at their start: a row for that of the dealer's side, a column for others.

    deals:     how many.
    won:       the share that the dealer's side wins.
    low, high: its 95 % interval.
    """

    deals: list[list[int]]
    won: list[list[float | None]]
    low: list[list[float | None]]
    high: list[list[float | None]]


class SetsNeeded(TypedDict):
    """The sets that tell a typical pair of strategies apart.

    mean:      null if no number is enough.
    low, high: its 95 % interval.
    """

    mean: float | None
    low: float | None
    high: float | None


class BetRow(TypedDict):
    """A bet with hands of one tenth.

    question, option: the bet.
    beats:      of ten hands, how many the hand beats at least.
    offered:    how often the bet was possible.
    chosen:     how often it was made.
    rate:       the share.
    wins:       the share of these deals that the own side wins.
    ends:       deals by reason.
    won_by:     the share that the own side wins for each reason.
    gain:       by counter, the lead from a deal that the own side wins.
    loss:       by counter, the deficit from a deal that another side wins.
    break_even: the share of wins at which both are equal.
    worth:      by counter, the lead from all these deals.
    """

    question: str
    option: str
    beats: int
    offered: int
    chosen: int
    rate: Estimate | None
    wins: Estimate | None
    ends: dict[str, int]
    won_by: dict[str, Estimate | None]
    gain: dict[str, Estimate | None]
    loss: dict[str, Estimate | None]
    break_even: dict[str, Estimate | None]
    worth: dict[str, Estimate | None]


class UnknownOptions(TypedDict):
    """New options that scripts never chose.

    question, options: the answers.
    at_random:  whether the scripts left the whole question to chance.
    strategies: the scripts.
    """

    question: str
    options: list[str]
    at_random: bool
    strategies: list[str]


class RandomAnswers(TypedDict):
    """Answers that a script left to chance.

    strategy, question: whose, and where.
    answers:   among two legal actions or more.
    at_random: those by a clause `any`.
    """

    strategy: str
    question: str
    answers: int
    at_random: int


class PlayedAgain(TypedDict):
    """Sets that were played again.

    first: the number of the first one.
    sets:  how many.
    same:  whether all are the same.
    """

    first: int
    sets: int
    same: bool


class ChangedPiece(TypedDict):
    """A part of a difference from the base.

    how:   it changes the base.
    name:  of the rule or parameter.
    value: of the parameter.
    """

    how: str
    name: NotRequired[str]
    value: NotRequired[str]


class PrintedChange(TypedDict):
    """A difference of a variant from the base.

    pieces: several ones depend on each other.
    says:   the text of the rule or parameter.
    """

    pieces: list[ChangedPiece]
    says: str | None


class MeasuredVariant(TypedDict):
    """A variant with its own results.

    name, title, variant, parameters: how it is called, and its file.
    fingerprint: a hash of the rules.
    same_pack:   whether its pack is that of the base.
    deals, decisions, matches: that were played.
    metrics:     all of them.
    lengths:     of matches, in deals and in decisions.
    scores:      by counter.
    sets_needed: null if it cannot be computed.
    ledger:      of bets.
    unknown:     new options that scripts never chose.
    at_random:   answers that scripts left to chance.
    payoffs:     of each strategy against each other.
    again:       the check of some sets.
    changes:     of the base.
    names:       words in each language of the file, by kind.
    """

    name: str
    title: str
    variant: str
    parameters: dict[str, str]
    fingerprint: str
    same_pack: bool
    deals: int
    decisions: int
    matches: int
    metrics: list[MetricValue]
    lengths: dict[Literal["deals", "decisions"], PrintedLengths]
    scores: dict[str, ScoreTable]
    sets_needed: SetsNeeded | None
    ledger: list[BetRow]
    unknown: list[UnknownOptions]
    at_random: list[RandomAnswers]
    payoffs: list[list[float]] | None
    again: PlayedAgain
    changes: list[PrintedChange]
    names: dict[str, dict[str, dict[str, str]]]


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
