"""What `compare`, `sweep` and `ambiguities` print as JSON; see `docs/comparing.md`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict

from trutdsl.cli.printed.best_play import BestPlay, TextKey
from trutdsl.comparison.compare import Margins, MetricDifference
from trutdsl.stats.estimate import Estimate


@dataclass(frozen=True, kw_only=True)
class MetricValue(Estimate):
    """A metric of a variant: an estimate with its name."""

    metric: Annotated[str, "its name."]
    kind: Annotated[str, "share or number."]


class Quantile(TypedDict):
    """A length that a share of matches does not exceed."""

    share: Annotated[float, "of the matches."]
    value: Annotated[int, "the middle of its bin."]
    low: Annotated[int | None, "its 95 % interval."]
    high: Annotated[int | None, "its 95 % interval."]


class PrintedLengths(TypedDict):
    """Matches by length, in bins."""

    from_: Annotated[list[int], "the shortest and longest length of each bin."]
    to: Annotated[list[int], "the shortest and longest length of each bin."]
    matches: Annotated[list[int], "in each bin."]
    low: Annotated[list[float | None], "the 95 % interval of its share."]
    high: Annotated[list[float | None], "the 95 % interval of its share."]
    quantiles: Annotated[list[Quantile], "of the lengths."]


class ScoreTable(TypedDict):
    """Deals by the score at their start: rows for that of the dealer's side, columns for others.

    The first row and column have score 0 and all below, the last ones 15 and all above.
    """

    least: Annotated[
        NotRequired[int], "the lowest score that the rules allow; the first row has any below 0."
    ]
    deals: Annotated[list[list[int]], "how many."]
    won: Annotated[
        list[list[float | None]],
        "the share whose match the dealer's side wins, with a draw as half a win.",
    ]
    low: Annotated[list[list[float | None]], "its 95 % interval."]
    high: Annotated[list[list[float | None]], "its 95 % interval."]


class SetsNeeded(TypedDict):
    """The sets that tell a typical pair of strategies apart."""

    mean: Annotated[float | None, "null if no number is enough."]
    low: Annotated[float | None, "its 95 % interval."]
    high: Annotated[float | None, "its 95 % interval."]


class BetRow(TypedDict):
    """A bet with hands of one tenth."""

    question: Annotated[str, "the bet."]
    option: Annotated[str, "the bet."]
    beats: Annotated[int, "of ten hands, how many the hand beats at least."]
    offered: Annotated[int, "how often the bet was possible."]
    chosen: Annotated[int, "how often it was made."]
    rate: Annotated[Estimate | None, "the share."]
    wins: Annotated[Estimate | None, "the share of these deals that the own side wins."]
    ends: Annotated[dict[str, int], "deals by reason."]
    won_by: Annotated[
        dict[str, Estimate | None], "the share that the own side wins for each reason."
    ]
    gain: Annotated[
        dict[str, Estimate | None], "by counter, the lead from a deal that the own side wins."
    ]
    loss: Annotated[
        dict[str, Estimate | None], "by counter, the deficit from a deal that another side wins."
    ]
    break_even: Annotated[dict[str, Estimate | None], "the share of wins at which both are equal."]
    worth: Annotated[dict[str, Estimate | None], "by counter, the lead from all these deals."]


class UnknownOptions(TypedDict):
    """New options that scripts never chose."""

    question: Annotated[str, "the answers."]
    options: Annotated[list[str], "the answers."]
    at_random: Annotated[bool, "whether the scripts left the whole question to chance."]
    strategies: Annotated[list[str], "the scripts."]


class RandomAnswers(TypedDict):
    """Answers that a script left to chance."""

    strategy: Annotated[str, "whose, and where."]
    question: Annotated[str, "whose, and where."]
    answers: Annotated[int, "among two legal actions or more."]
    at_random: Annotated[int, "those by a clause `any`."]


class PlayedAgain(TypedDict):
    """Sets that were played again."""

    first: Annotated[int, "the number of the first one."]
    sets: Annotated[int, "how many."]
    same: Annotated[bool, "whether all are the same."]


class ChangedPiece(TypedDict):
    """A part of a difference from the base."""

    how: Annotated[str, "it changes the base."]
    name: Annotated[NotRequired[str], "of the rule or parameter."]
    value: Annotated[NotRequired[str], "of the parameter."]


class PrintedChange(TypedDict):
    """A difference of a variant from the base."""

    pieces: Annotated[list[ChangedPiece], "several ones depend on each other."]
    says: Annotated[str | None, "the text of the rule or parameter."]


class MeasuredVariant(TypedDict):
    """A variant with its own results."""

    name: Annotated[str, "how it is called, and its file."]
    title: Annotated[str, "how it is called, and its file."]
    variant: Annotated[str, "how it is called, and its file."]
    parameters: Annotated[dict[str, str], "how it is called, and its file."]
    fingerprint: Annotated[str, "a hash of the rules."]
    same_pack: Annotated[bool, "whether its pack is that of the base."]
    deals: Annotated[int, "that were played."]
    decisions: Annotated[int, "that were played."]
    matches: Annotated[int, "that were played."]
    metrics: Annotated[list[MetricValue], "all of them."]
    lengths: Annotated[
        dict[Literal["deals", "decisions"], PrintedLengths],
        "of matches, in deals and in decisions.",
    ]
    scores: Annotated[dict[str, ScoreTable], "by counter."]
    sets_needed: Annotated[SetsNeeded | None, "null if it cannot be computed."]
    ledger: Annotated[list[BetRow], "of bets."]
    unknown: Annotated[list[UnknownOptions], "new options that scripts never chose."]
    at_random: Annotated[list[RandomAnswers], "answers that scripts left to chance."]
    payoffs: Annotated[list[list[float]] | None, "of each strategy against each other."]
    again: Annotated[PlayedAgain, "the check of some sets."]
    changes: Annotated[list[PrintedChange], "of the base."]
    names: Annotated[
        dict[str, dict[str, dict[str, str]]], "words in each language of the file, by kind."
    ]


class FamilySize(TypedDict):
    """The family of simultaneous intervals."""

    size: Annotated[int, "how many intervals."]
    critical: Annotated[float, "half an interval, in standard errors."]


class ComparisonSetting(TypedDict):
    """All that determines the results."""

    format: Annotated[int, "versions of the file and of the program."]
    trutdsl: Annotated[str, "versions of the file and of the program."]
    engine: Annotated[str, "what plays the rules."]
    players: Annotated[int, "at the table."]
    tables: Annotated[list[int], "other numbers of players that all variants have."]
    strategies: Annotated[dict[str, str], "with the hash of each."]
    seed: Annotated[int, "of the deals."]
    sets: Annotated[int, "of deals."]
    clusters: Annotated[int, "of sets, over which errors are computed."]
    primary: Annotated[str | None, "the metric that was declared beforehand."]
    screening: Annotated[bool, "whether verdicts control the false discovery rate."]
    margins: Annotated[Margins, "the least differences that matter."]
    family: Annotated[FamilySize, "of the differences."]


class GivenTexts(TypedDict):
    """The texts of the command."""

    variants: Annotated[list[str], "as they were written; null where they were not."]
    players: Annotated[int | None, "as they were written; null where they were not."]
    parameters: Annotated[list[str], "as they were written; null where they were not."]
    strategies: Annotated[list[str] | None, "as they were written; null where they were not."]
    apart: Annotated[bool, "whether variants are taken apart into their points."]
    metrics: Annotated[list[str], "those that the user selected."]


class PointEffects(TypedDict):
    """What one difference from the base does alone."""

    pieces: Annotated[list[ChangedPiece], "of the difference."]
    says: Annotated[str | None, "the text of the rule or parameter."]
    shared: Annotated[list[str], "data that one piece writes and another reads."]
    against: Annotated[str, "the base, or the base with the new pack."]
    why_not: Annotated[TextKey | None, "why it cannot be played alone."]
    metrics: Annotated[list[MetricDifference], "none if it cannot be played alone."]


class Interaction(TypedDict):
    """What all points do together."""

    metric: Annotated[str, "what is measured."]
    kind: Annotated[str, "what is measured."]
    added: Annotated[Estimate, "the sum of the differences of all points."]
    whole: Annotated[Estimate, "the difference of the variant."]
    difference: Annotated[Estimate, "whole less added."]
    margin: Annotated[float | None, "the least difference that matters."]
    p: Annotated[float, "of no interaction, for the whole comparison."]
    clear: Annotated[bool, "whether the interaction is significant and matters."]


class VariantDifferences(TypedDict):
    """A variant against the base."""

    variant: Annotated[str, "its name."]
    metrics: Annotated[list[MetricDifference], "all of them."]
    agreement: Annotated[Estimate | None, "Kendall's tau of the strategies' scores in both."]
    points: Annotated[list[PointEffects], "each difference alone."]
    together: Annotated[list[Interaction], "interactions of the points."]


class RankedVariant(TypedDict):
    """A variant in a ranking."""

    name: Annotated[str, "of the variant."]
    mean: Annotated[float, "the metric, with a simultaneous interval."]
    low: Annotated[float | None, "the metric, with a simultaneous interval."]
    high: Annotated[float | None, "the metric, with a simultaneous interval."]
    best: Annotated[int, "rank that the significant differences allow."]
    worst: Annotated[int, "rank that the significant differences allow."]


class PrintedReach(TypedDict):
    """Half the width of intervals, in standard errors."""

    values: Annotated[float, "of the metric."]
    pairs: Annotated[float, "of its differences."]


class Ranking(TypedDict):
    """The variants by one metric."""

    by: Annotated[str, "the metric, without the name of the first counter."]
    metric: Annotated[str, "its name in the first of the variants."]
    kind: Annotated[str, "share or number."]
    reach: Annotated[PrintedReach, "of the intervals."]
    variants: Annotated[list[RankedVariant], "those that have the metric."]
    above: Annotated[
        list[list[int]], "a row of significant differences for each variant: 1, 0 or -1."
    ]


@dataclass(frozen=True)
class PrintedComparison:
    """Variants that the same strategies played, as in the file `comparison.json`."""

    comparison: Annotated[ComparisonSetting, "all that determines the results."]
    given: Annotated[GivenTexts, "the texts of the command."]
    variants: Annotated[list[MeasuredVariant], "the base first."]
    differences: Annotated[list[VariantDifferences], "of each other variant from the base."]
    ranks: Annotated[list[Ranking], "of the variants by each metric; none in a sweep."]


class Axis(TypedDict):
    """A parameter of a grid."""

    name: Annotated[str, "of the parameter."]
    values: Annotated[list[str], "in their order."]


class GridCell(TypedDict):
    """A cell of a grid."""

    values: Annotated[dict[str, str], "of the parameters."]
    name: Annotated[str, "of the variant that plays it."]


class PrintedGrid(TypedDict):
    """A grid of parameters."""

    axes: Annotated[list[Axis], "the parameters."]
    cells: Annotated[list[GridCell], "every combination of their values."]


@dataclass(frozen=True)
class PrintedSweep(PrintedComparison):
    """Every combination of some parameters, against the variant itself."""

    sweep: Annotated[PrintedGrid, "the grid."]


class PrintedReading(TypedDict):
    """Another reading of an unclear rule."""

    parameter: Annotated[str, "the reading."]
    value: Annotated[str, "the reading."]
    default: Annotated[str, "what the variant plays."]
    help: Annotated[str, "what the parameter decides."]
    name: Annotated[str, "of the variant that plays it."]


@dataclass(frozen=True)
class Ambiguities(PrintedComparison):
    """Every other reading of the unclear rules, against the default."""

    readings: Annotated[list[PrintedReading], "in the order of the variants."]


Compared = PrintedComparison | BestPlay
