"""What commands that play print as JSON: `simulate`, `exact`, `solve`, `exploit`, ..."""

from __future__ import annotations

from typing import Literal, TypedDict

from trutdsl.stats.estimate import Estimate


class Counted(TypedDict):
    """How often something occurs.

    count: how often.
    share: of all cases.
    """

    count: int
    share: Estimate


Answers = dict[str, dict[str, Counted]]


class Simulation(TypedDict):
    """The statistics of matches with the same seating.

    variant, players, parameters: the table.
    teams:               the team of each seat.
    strategies:          by seat.
    seed:                of the matches.
    fingerprint:         a hash of the rules.
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

    variant: str
    players: int
    parameters: dict[str, str]
    teams: list[int]
    strategies: list[str]
    seed: int
    fingerprint: str
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


class PrintedExactResult(TypedDict):
    """Who wins between two strategies, computed without simulation.

    variant, players, parameters: the table.
    fingerprint:       a hash of the rules.
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

    variant: str
    players: int
    parameters: dict[str, str]
    fingerprint: str
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


class PrintedSolvedMatch(TypedDict):
    """Equilibrium play of a match.

    variant, players, parameters: the table.
    fingerprint:    a hash of the rules.
    file:           the policy.
    value:          the chance of the first dealer to win.
    exploitability: what a perfect opponent gains on average, in matches.
    states:         how many scores a match can reach.
    public_nodes:   of the largest tree of a deal.
    classes:        how many classes of deals differ.
    iterations:     the most for a score.
    proved:         which differences between cards do not matter.
    seconds:        of processor time.
    """

    variant: str
    players: int
    parameters: dict[str, str]
    fingerprint: str
    file: str
    value: float
    exploitability: float
    states: int
    public_nodes: int
    classes: int
    iterations: int
    proved: str
    seconds: float


class PrintedSolvedDeal(TypedDict):
    """Equilibrium play of one deal for points.

    variant, players, parameters: the table.
    fingerprint:      a hash of the rules.
    deal:             the points of each counter.
    value:            of the deal for the dealer, in points.
    exploitability:   what a perfect opponent gains on average, in points.
    states:           always 1.
    public_nodes:     of the tree.
    classes:          how many classes of deals differ.
    information_sets: of both seats.
    actions:          of all information sets.
    ends:             of the tree.
    iterations:       how many were made.
    proved:           which differences between cards do not matter.
    seconds:          of processor time.
    """

    variant: str
    players: int
    parameters: dict[str, str]
    fingerprint: str
    deal: dict[str, float]
    value: float
    exploitability: float
    states: int
    public_nodes: int
    classes: int
    information_sets: int
    actions: int
    ends: int
    iterations: int
    proved: str
    seconds: float


Solved = PrintedSolvedMatch | PrintedSolvedDeal


class PrintedHabit(TypedDict):
    """A costly choice of a script.

    decision:  the question.
    situation: what the seat sees.
    answer:    what the script chooses.
    costs:     in matches or points.
    """

    decision: str
    situation: str
    answer: str
    costs: float


class MatchResponse(TypedDict):
    """What a perfect opponent wins against a script.

    against:  the script.
    wins:     the share of matches that the opponent wins.
    bound:    whether this is exact, or a lower bound that was learned.
    interval: 95 %, of a lower bound.
    note:     how this was computed.
    habits:   the costliest choices in the first deal.
    """

    against: str
    wins: float
    bound: Literal["exact", "lower"]
    interval: tuple[float, float] | None
    note: str
    habits: list[PrintedHabit]


class PrintedDealResponse(TypedDict):
    """What a perfect opponent gains against a script in one deal for points.

    against:  the script.
    deal:     the points of each counter.
    gains:    what the opponent gains, in points.
    bound:    always exact.
    interval: always null.
    note:     how this was computed.
    habits:   the costliest choices.
    """

    against: str
    deal: dict[str, float]
    gains: float
    bound: Literal["exact", "lower"]
    interval: tuple[float, float] | None
    note: str
    habits: list[PrintedHabit]


Responses = list[MatchResponse | PrintedDealResponse]


class ReplayDifference(TypedDict):
    """The first event of a transcript that differs when it is played again.

    line:   in the transcript.
    found:  the event there; null if it has ended.
    played: the event now; null if nothing more happens.
    """

    line: int
    found: str | None
    played: str | None


class VerifiedTranscript(TypedDict):
    """A transcript that was played again.

    file:            as it was named.
    matches, events: how many were compared.
    difference:      null if all is the same.
    """

    file: str
    matches: int
    events: int
    difference: ReplayDifference | None


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


class ScriptChoice(TypedDict):
    """What a script chooses at a question, and why.

    where:    the scenario or the deal.
    strategy: its name.
    seat:     the asked one.
    decision: the question.
    hand:     the cards of the seat.
    done:     what was done there in the transcript.
    chosen:   the action.
    clauses:  those that were evaluated; the last one was taken.
    shares:   of answers by luck; null if they are not known.
    """

    where: str
    strategy: str
    seat: int
    decision: str
    hand: list[str]
    done: str | None
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


class SearchedChoice(TypedDict):
    """What a search chooses at a question.

    where:    the scenario or the deal.
    strategy: its name.
    seat:     the asked one.
    decision: the question.
    hand:     the cards of the seat.
    done:     what was done there in the transcript.
    chosen:   the action.
    actions:  all that are legal.
    worlds:   how many were searched, the same for all actions.
    """

    where: str
    strategy: str
    seat: int
    decision: str
    hand: list[str]
    done: str | None
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


class PolicyChoice(TypedDict):
    """What a policy does at a question.

    where:    the scenario or the deal.
    strategy: its name.
    seat:     the asked one.
    decision: the question.
    hand:     the cards of the seat.
    done:     what was done there in the transcript.
    wins:     the chance to win the match with the best choice.
    known:    whether the policy's own play can come to the question.
    expected: whether the play of the other seat can.
    choices:  the order is that of the question.
    """

    where: str
    strategy: str
    seat: int
    decision: str
    hand: list[str]
    done: str | None
    wins: float | None
    known: bool
    expected: bool
    choices: list[PricedChoice]


ExplainedChoices = list[ScriptChoice | SearchedChoice | PolicyChoice]
