"""What commands that play print as JSON: `simulate`, `exact`, `solve`, `exploit`, ..."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from trutdsl.stats.estimate import Estimate
from trutdsl.transcript.replay import EventMismatch


class Frequency(TypedDict):
    """How often something occurs."""

    count: Annotated[int, "how often."]
    share: Annotated[Estimate, "of all cases."]


Answers = dict[str, dict[str, Frequency]]


@dataclass(frozen=True)
class PlayedTable:
    """A table."""

    variant: Annotated[str, "of the table."]
    players: Annotated[int, "of the table."]
    parameters: Annotated[dict[str, str], "of the table."]
    fingerprint: Annotated[str, "a hash of the rules."]


@dataclass(frozen=True)
class Simulation(PlayedTable):
    """The statistics of matches with the same seating."""

    teams: Annotated[list[int], "the team of each seat."]
    strategies: Annotated[list[str], "by seat."]
    seed: Annotated[int, "of the matches."]
    score: Annotated[
        dict[str, list[int]] | None, "where single deals start, by counter; null for matches."
    ]
    matches: Annotated[int, "how many were played."]
    deals: Annotated[int, "how many were played."]
    deals_per_match: Annotated[Estimate, "how long a match is, in deals."]
    decisions_per_match: Annotated[Estimate, "how long a match is, in answers."]
    decisions_per_deal: Annotated[Estimate | None, "how long a deal is, in answers."]
    forced_per_deal: Annotated[Estimate | None, "answers with only one legal action."]
    draws: Annotated[Estimate, "the share of drawn matches."]
    unfinished: Annotated[int, "drawn matches that did not end."]
    wins: Annotated[list[Estimate], "the share of matches that each team wins."]
    deal_ends: Annotated[dict[str, Frequency], "by reason."]
    deal_winners: Annotated[
        dict[str, Frequency], "by the distance of the team's first seat from the dealer."
    ]
    deals_to_some: Annotated[
        bool, "whether the rules deal to some seats only, as after players have dropped out."
    ]
    answers: Annotated[Answers, "by question and answer."]
    answers_by_strategy: Annotated[
        dict[str, Answers], "the same of each strategy, if several play."
    ]
    at_random: Annotated[
        dict[str, dict[str, int]],
        "by strategy and question, the answers that a script leaves to chance.",
    ]


@dataclass(frozen=True)
class PrintedExactResult(PlayedTable):
    """Who wins between two strategies, computed without simulation."""

    strategies: Annotated[list[str], "the two."]
    wins: Annotated[list[float], "the probability for the first, for the second, and of a draw."]
    first_dealer_wins: Annotated[float, "the probability, of matches with a winner."]
    deals_per_match: Annotated[float, "the mean."]
    deals_deviation: Annotated[float, "the standard deviation."]
    lengths: Annotated[list[float], "the probability of each number of deals, from 0 on."]
    classes: Annotated[int, "how many classes of deals differ."]
    scores: Annotated[int, "how many scores a match can reach."]
    proved: Annotated[str, "which differences between cards do not matter."]
    metrics: Annotated[
        dict[str, float], "the expected value of each metric, as in `docs/comparing.md`."
    ]


@dataclass(frozen=True)
class PrintedSolution(PlayedTable):
    """Equilibrium play."""

    value: Annotated[float, "for the first dealer: the chance to win, or the points of the deal."]
    exploitability: Annotated[
        float, "what a perfect opponent gains on average, in matches or points."
    ]
    states: Annotated[int, "how many scores a match can reach; 1 for a deal."]
    public_nodes: Annotated[int, "of the tree of a deal, the largest one in a match."]
    classes: Annotated[int, "how many classes of deals differ."]
    iterations: Annotated[int, "how many were made; of a match, the most for a score."]
    proved: Annotated[str, "which differences between cards do not matter."]
    seconds: Annotated[float, "of processor time."]


@dataclass(frozen=True)
class PrintedSolvedMatch(PrintedSolution):
    """Equilibrium play of a match."""

    can_be_drawn: Annotated[bool, "whether a match can be drawn; it counts as half a win."]
    file: Annotated[str, "the policy."]


@dataclass(frozen=True)
class PrintedSolvedDeal(PrintedSolution):
    """Equilibrium play of one deal for points."""

    deal: Annotated[dict[str, float], "the points of each counter."]
    information_sets: Annotated[int, "of both seats."]
    actions: Annotated[int, "of all information sets."]
    ends: Annotated[int, "of the tree."]


Solved = PrintedSolvedMatch | PrintedSolvedDeal


@dataclass(frozen=True)
class PrintedHabit:
    """A costly choice of a script, with the names of the rules."""

    decision: Annotated[str, "the question."]
    situation: Annotated[str, "the cards that the seat sees."]
    answer: Annotated[str, "what the script chooses, and what is best."]
    costs: Annotated[float, "in matches or points."]


@dataclass(frozen=True)
class PrintedResponse:
    """What a perfect opponent wins against a script."""

    against: Annotated[str, "the script."]
    bound: Annotated[
        Literal["exact", "lower"],
        "whether this is exact, or a lower bound that was learned; exact for a deal.",
    ]
    interval: Annotated[tuple[float, float] | None, "95 %, of a lower bound."]
    note: Annotated[str, "how this was computed."]
    habits: Annotated[list[PrintedHabit], "the costliest choices in the first deal."]


@dataclass(frozen=True)
class MatchResponse(PrintedResponse):
    """What a perfect opponent wins against a script."""

    wins: Annotated[float, "the share of matches that the opponent wins."]
    wins_by_seat: Annotated[
        tuple[float, float] | None, "the share that it wins on each seat; of exact responses."
    ]
    draws: Annotated[float | None, "the share of drawn matches; of exact responses."]


@dataclass(frozen=True)
class PrintedDealResponse(PrintedResponse):
    """What a perfect opponent gains against a script in one deal for points."""

    deal: Annotated[dict[str, float], "the points of each counter."]
    gains: Annotated[float, "what the opponent gains, in points."]


Responses = list[MatchResponse | PrintedDealResponse]


class VerifiedTranscript(TypedDict):
    """A transcript that was played again."""

    file: Annotated[str, "as it was named."]
    matches: Annotated[int, "how many were compared."]
    events: Annotated[int, "how many were compared."]
    difference: Annotated[EventMismatch | None, "null if all is the same."]


@dataclass(frozen=True)
class PrintedChoice:
    """A choice at a question."""

    where: Annotated[str, "the scenario or the deal."]
    strategy: Annotated[str, "its name."]
    seat: Annotated[int, "the asked one."]
    decision: Annotated[str, "the question."]
    hand: Annotated[list[str], "the cards of the seat."]
    done: Annotated[str | None, "what was done there in the transcript."]


class EvaluatedClause(TypedDict):
    """A clause of a script that was evaluated."""

    place: Annotated[str, "FILE:LINE."]
    text: Annotated[str, "its first line."]
    taken: Annotated[bool, "whether it chooses."]
    why: Annotated[list[str], "reasons against it, or the values of its names."]


class AnswerShare(TypedDict):
    """How often luck gives an answer."""

    action: Annotated[str, "the answer."]
    share: Annotated[float, "of repetitions, or the probability."]
    low: Annotated[float | None, "its 95 % interval; null if the share is exact."]
    high: Annotated[float | None, "its 95 % interval; null if the share is exact."]


@dataclass(frozen=True)
class ScriptChoice(PrintedChoice):
    """What a script chooses at a question, and why."""

    chosen: Annotated[str, "the action."]
    clauses: Annotated[list[EvaluatedClause], "those that were evaluated; the last one was taken."]
    shares: Annotated[list[AnswerShare] | None, "of answers by luck; null if they are not known."]


class SearchedAction(TypedDict):
    """What an action is worth by a search."""

    action: Annotated[str, "the action."]
    wins: Annotated[float, "the share of matches that it wins."]
    low: Annotated[float, "its 95 % interval."]
    high: Annotated[float, "its 95 % interval."]


@dataclass(frozen=True)
class SearchedChoice(PrintedChoice):
    """What a search chooses at a question."""

    chosen: Annotated[str, "the action."]
    actions: Annotated[list[SearchedAction], "all that are legal."]
    worlds: Annotated[int, "how many were searched, the same for all actions."]


class PricedChoice(TypedDict):
    """A choice of a policy."""

    actions: Annotated[list[str], "those that are alike."]
    share: Annotated[float, "how likely the policy takes one of them."]
    loses: Annotated[float | None, "what the choice loses, in matches; null if it has no price."]


@dataclass(frozen=True)
class PolicyChoice(PrintedChoice):
    """What a policy does at a question."""

    wins: Annotated[float | None, "the chance to win the match with the best choice."]
    known: Annotated[bool, "whether the policy's own play can come to the question."]
    expected: Annotated[bool, "whether the play of the other seat can."]
    choices: Annotated[list[PricedChoice], "the order is that of the question."]


ExplainedChoices = list[ScriptChoice | SearchedChoice | PolicyChoice]
