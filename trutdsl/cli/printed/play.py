"""What commands that play print as JSON: `simulate`, `exact`, `solve`, `exploit`, ..."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict

from trutdsl.solve.habits import Habit
from trutdsl.stats.estimate import Estimate
from trutdsl.transcript.replay import EventMismatch


class Counted(TypedDict):
    """How often something occurs.

    count: how often.
    share: of all cases.
    """

    count: int
    share: Estimate


Answers = dict[str, dict[str, Counted]]


@dataclass(frozen=True)
class PlayedTable:
    """A table.

    variant, players, parameters: of the table.
    fingerprint: a hash of the rules.
    """

    variant: str
    players: int
    parameters: dict[str, str]
    fingerprint: str


@dataclass(frozen=True)
class Simulation(PlayedTable):
    """The statistics of matches with the same seating.

    teams:               the team of each seat.
    strategies:          by seat.
    seed:                of the matches.
    score:               where single deals start, by counter; null for matches.
    matches, deals:      how many were played.
    deals_per_match:     how long a match is, in deals.
    decisions_per_match: how long a match is, in answers.
    decisions_per_deal:  how long a deal is, in answers.
    forced_per_deal:     answers with only one legal action.
    draws:               the share of drawn matches.
    unfinished:          drawn matches that did not end.
    wins:                the share of matches that each team wins.
    deal_ends:           by reason.
    deal_winners:        by the distance of the team's first seat from the dealer.
    answers:             by question and answer.
    answers_by_strategy: the same of each strategy, if several play.
    at_random:           by strategy and question, the answers that a script leaves to chance.
    """

    teams: list[int]
    strategies: list[str]
    seed: int
    score: dict[str, list[int]] | None
    matches: int
    deals: int
    deals_per_match: Estimate
    decisions_per_match: Estimate
    decisions_per_deal: Estimate | None
    forced_per_deal: Estimate | None
    draws: Estimate
    unfinished: int
    wins: list[Estimate]
    deal_ends: dict[str, Counted]
    deal_winners: dict[str, Counted]
    answers: Answers
    answers_by_strategy: dict[str, Answers]
    at_random: dict[str, dict[str, int]]


@dataclass(frozen=True)
class PrintedExactResult(PlayedTable):
    """Who wins between two strategies, computed without simulation.

    strategies:        the two.
    wins:              the probability for the first, for the second, and of a draw.
    first_dealer_wins: the probability, of matches with a winner.
    deals_per_match:   the mean.
    deals_deviation:   the standard deviation.
    lengths:           the probability of each number of deals, from 0 on.
    classes:           how many classes of deals differ.
    scores:            how many scores a match can reach.
    proved:            which differences between cards do not matter.
    metrics:           the expected value of each metric, as in `docs/comparing.md`.
    """

    strategies: list[str]
    wins: list[float]
    first_dealer_wins: float
    deals_per_match: float
    deals_deviation: float
    lengths: list[float]
    classes: int
    scores: int
    proved: str
    metrics: dict[str, float]


@dataclass(frozen=True)
class PrintedSolution(PlayedTable):
    """Equilibrium play.

    value:          for the first dealer: the chance to win, or the points of the deal.
    exploitability: what a perfect opponent gains on average, in matches or points.
    states:         how many scores a match can reach; 1 for a deal.
    public_nodes:   of the tree of a deal, the largest one in a match.
    classes:        how many classes of deals differ.
    iterations:     how many were made; of a match, the most for a score.
    proved:         which differences between cards do not matter.
    seconds:        of processor time.
    """

    value: float
    exploitability: float
    states: int
    public_nodes: int
    classes: int
    iterations: int
    proved: str
    seconds: float


@dataclass(frozen=True)
class PrintedSolvedMatch(PrintedSolution):
    """Equilibrium play of a match.

    file: the policy.
    """

    file: str


@dataclass(frozen=True)
class PrintedSolvedDeal(PrintedSolution):
    """Equilibrium play of one deal for points.

    deal:             the points of each counter.
    information_sets: of both seats.
    actions:          of all information sets.
    ends:             of the tree.
    """

    deal: dict[str, float]
    information_sets: int
    actions: int
    ends: int


Solved = PrintedSolvedMatch | PrintedSolvedDeal


@dataclass(frozen=True)
class PrintedResponse:
    """What a perfect opponent wins against a script.

    against:  the script.
    bound:    whether this is exact, or a lower bound that was learned; exact for a deal.
    interval: 95 %, of a lower bound.
    note:     how this was computed.
    habits:   the costliest choices in the first deal.
    """

    against: str
    bound: Literal["exact", "lower"]
    interval: tuple[float, float] | None
    note: str
    habits: list[Habit]


@dataclass(frozen=True)
class MatchResponse(PrintedResponse):
    """What a perfect opponent wins against a script.

    wins: the share of matches that the opponent wins.
    """

    wins: float


@dataclass(frozen=True)
class PrintedDealResponse(PrintedResponse):
    """What a perfect opponent gains against a script in one deal for points.

    deal:  the points of each counter.
    gains: what the opponent gains, in points.
    """

    deal: dict[str, float]
    gains: float


Responses = list[MatchResponse | PrintedDealResponse]


class VerifiedTranscript(TypedDict):
    """A transcript that was played again.

    file:            as it was named.
    matches, events: how many were compared.
    difference:      null if all is the same.
    """

    file: str
    matches: int
    events: int
    difference: EventMismatch | None


@dataclass(frozen=True)
class PrintedChoice:
    """A choice at a question.

    where:    the scenario or the deal.
    strategy: its name.
    seat:     the asked one.
    decision: the question.
    hand:     the cards of the seat.
    done:     what was done there in the transcript.
    """

    where: str
    strategy: str
    seat: int
    decision: str
    hand: list[str]
    done: str | None


class EvaluatedClause(TypedDict):
    """A clause of a script that was evaluated.

    place: FILE:LINE.
    text:  its first line.
    taken: whether it chooses.
    why:   reasons against it, or the values of its names.
    """

    place: str
    text: str
    taken: bool
    why: list[str]


class AnswerShare(TypedDict):
    """How often luck gives an answer.

    action:    the answer.
    share:     of repetitions, or the probability.
    low, high: its 95 % interval; null if the share is exact.
    """

    action: str
    share: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ScriptChoice(PrintedChoice):
    """What a script chooses at a question, and why.

    chosen:   the action.
    clauses:  those that were evaluated; the last one was taken.
    shares:   of answers by luck; null if they are not known.
    """

    chosen: str
    clauses: list[EvaluatedClause]
    shares: list[AnswerShare] | None


class SearchedAction(TypedDict):
    """What an action is worth by a search.

    action:    the action.
    wins:      the share of matches that it wins.
    low, high: its 95 % interval.
    """

    action: str
    wins: float
    low: float
    high: float


@dataclass(frozen=True)
class SearchedChoice(PrintedChoice):
    """What a search chooses at a question.

    chosen:   the action.
    actions:  all that are legal.
    worlds:   how many were searched, the same for all actions.
    """

    chosen: str
    actions: list[SearchedAction]
    worlds: int


class PricedChoice(TypedDict):
    """A choice of a policy.

    actions: those that are alike.
    share:   how likely the policy takes one of them.
    loses:   what the choice loses, in matches; null if it has no price.
    """

    actions: list[str]
    share: float
    loses: float | None


@dataclass(frozen=True)
class PolicyChoice(PrintedChoice):
    """What a policy does at a question.

    wins:     the chance to win the match with the best choice.
    known:    whether the policy's own play can come to the question.
    expected: whether the play of the other seat can.
    choices:  the order is that of the question.
    """

    wins: float | None
    known: bool
    expected: bool
    choices: list[PricedChoice]


ExplainedChoices = list[ScriptChoice | SearchedChoice | PolicyChoice]
