"""What `compare`, `sweep` and `ambiguities` print of each variant by itself, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from trutdsl.stats.estimate import Estimate


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
