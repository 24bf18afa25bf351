"""What `compare --strategies best-play` prints as JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from trutdsl.solve.describe import AnswerWorth
from trutdsl.solve.policy_run import PlayValue


class TextKey(TypedDict):
    """A text as its key in the catalogues of translations."""

    key: Annotated[str, "the English text, with places in braces."]
    values: Annotated[dict[str, Any], "by place; a value may be such a text itself."]


class AnswerFigures(TypedDict):
    """An answer of a role under best play; shares are from 0 to 1."""

    offered: Annotated[float, "how often a deal, on average."]
    rate: Annotated[float | None, "how often it is given where it is offered."]
    won: Annotated[float | None, "the share of these deals that the own side wins."]
    gain: Annotated[float | None, "what they bring."]
    folded: Annotated[
        float | None, "the share that the other folds at once; null unless it is a bet."
    ]
    bluffs: Annotated[float | None, "the share of bluffs; null unless it is a bet."]
    by_third: Annotated[
        list[float | None], "the rate by the strength of the hand, from the weakest."
    ]
    by_tenth: Annotated[
        list[float | None], "the rate by the strength of the hand, from the weakest."
    ]
    won_by_tenth: Annotated[list[float | None], "the same of the others."]
    gain_by_tenth: Annotated[list[float | None], "the same of the others."]


class BestAnswer(TypedDict):
    """An answer under best play."""

    question: Annotated[str, "the answer."]
    option: Annotated[str, "the answer."]
    bet: Annotated[bool, "whether it is one."]
    fold: Annotated[bool, "whether it is one."]
    both: Annotated[AnswerFigures, "of both roles."]
    dealer: Annotated[AnswerFigures, "of the dealer."]
    other: Annotated[AnswerFigures, "of the other seat."]


class BetFigures(TypedDict):
    """The bets and bluffs of a role."""

    bets: Annotated[float, "in a deal, on average."]
    bluffs: Annotated[float, "in a deal, on average."]
    share: Annotated[float | None, "of bluffs among bets."]
    bets_folded: Annotated[float | None, "the share of bets to which the other folds at once."]
    folded: Annotated[float | None, "the same of bluffs, how many win, and what they bring."]
    won: Annotated[float | None, "the same of bluffs, how many win, and what they bring."]
    gain: Annotated[float | None, "the same of bluffs, how many win, and what they bring."]


class Bluffs(TypedDict):
    """Bluffs under best play."""

    bets: Annotated[
        dict[Literal["both", "dealer", "other"], BetFigures], "of both roles and of each."
    ]
    worth: Annotated[
        dict[Literal["dealer", "other"], AnswerWorth], "of bluffs in the first deal, to each role."
    ]


class BestHand(TypedDict):
    """A hand under best play."""

    hand: Annotated[str, "its cards."]
    chance: Annotated[float, "to be dealt it."]
    won: Annotated[float | None, "the share of deals that it wins."]
    gain: Annotated[float | None, "what it brings."]
    answers: Annotated[dict[str, float | None], "how often each is given where it is offered."]
    bluffs: Annotated[float | None, "in a deal, on average."]


class BestCard(TypedDict):
    """By how much a hand with a card is better than the mean hand."""

    card: Annotated[str, "the card."]
    won: Annotated[float, "in shares of deals."]
    gain: Annotated[float, "in what it brings."]


class MatchDeals(TypedDict):
    """The deals of a match."""

    mean: Annotated[float, "of their number."]
    quantiles: Annotated[list[int], "that a tenth, half and nine tenths of matches do not exceed."]


class SolvedVariant(TypedDict):
    """A variant under best play, or why it cannot be solved."""

    name: Annotated[str, "how it is called."]
    title: Annotated[str, "how it is called."]
    parameters: Annotated[dict[str, str], "how it is called."]
    variant: Annotated[str, "the name of its rules, without parameters."]
    names: Annotated[
        dict[str, dict[str, dict[str, str]]],
        "by language and kind, what the variant calls its things.",
    ]
    fingerprint: Annotated[str, "a hash of the rules."]
    unit: Annotated[Literal["matches", "points"], "of gains."]
    why_not: Annotated[TextKey | None, "null if it is solved; else the keys below are missing."]
    scores: Annotated[NotRequired[int], "that a match can reach."]
    proved: Annotated[NotRequired[TextKey], "which differences between cards do not matter."]
    value: Annotated[
        NotRequired[PlayValue],
        "what the side of the first dealer wins; perfect play lies between the bounds.",
    ]
    exploitability: Annotated[NotRequired[float], "what a perfect opponent gains on average."]
    deals: Annotated[NotRequired[MatchDeals], "of a match."]
    dealer: Annotated[
        NotRequired[float | None], "the share of deals with a winner that the dealer's side wins."
    ]
    nobody: Annotated[NotRequired[float], "the share of deals that nobody wins."]
    leader: Annotated[
        NotRequired[float | None], "the share that the seat wins that leads to the first trick."
    ]
    dealer_gains: Annotated[
        NotRequired[dict[str, float]],
        "by counter, how much the lead of the dealer's side grows in a deal.",
    ]
    answers: Annotated[NotRequired[list[BestAnswer]], "all that are offered."]
    bluffs: Annotated[NotRequired[Bluffs], "of both roles."]
    hands: Annotated[NotRequired[list[BestHand]], "the best one first."]
    cards: Annotated[NotRequired[list[BestCard]], "the best one first."]


class SolverSetting(TypedDict):
    """All that determines the results."""

    format: Annotated[int, "versions of the file and of the program."]
    trutdsl: Annotated[str, "versions of the file and of the program."]
    players: Annotated[int, "always 2."]
    iterations: Annotated[int, "the most for a score."]
    target: Annotated[float, "the exploitability at which a score is solved."]


class SolverTexts(TypedDict):
    """The texts of the command."""

    variants: Annotated[list[str], "as they were written."]
    parameters: Annotated[list[str], "as they were written."]
    deal: Annotated[dict[str, float] | None, "the points of each counter; null for matches."]


class BestPlay(TypedDict):
    """Variants under best play, as in the file `best-play.json`."""

    best_play: Annotated[SolverSetting, "all that determines the results."]
    given: Annotated[SolverTexts, "the texts of the command."]
    variants: Annotated[list[SolvedVariant], "in the order of the command."]
