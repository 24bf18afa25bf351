"""What `compare --strategies best-play` prints as JSON."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from trutdsl.solve.policy_run import PlayValue
from trutdsl.solve.restrict import AnswerWorth


class TextKey(TypedDict):
    """A text as its key in the catalogues of translations.

    key:    the English text, with places in braces.
    values: by place; a value may be such a text itself.
    """

    key: str
    values: dict[str, Any]


class AnswerFigures(TypedDict):
    """An answer of a role under best play; shares are from 0 to 1.

    offered: how often a deal, on average.
    rate:    how often it is given where it is offered.
    won:     the share of these deals that the own side wins.
    gain:    what they bring.
    folded:  the share that the other folds at once; null unless it is a bet.
    bluffs:  the share of bluffs; null unless it is a bet.
    by_third, by_tenth: the rate by the strength of the hand, from the weakest.
    won_by_tenth, gain_by_tenth: the same of the others.
    """

    offered: float
    rate: float | None
    won: float | None
    gain: float | None
    folded: float | None
    bluffs: float | None
    by_third: list[float | None]
    by_tenth: list[float | None]
    won_by_tenth: list[float | None]
    gain_by_tenth: list[float | None]


class BestAnswer(TypedDict):
    """An answer under best play.

    question, option: the answer.
    bet, fold: whether it is one.
    both:      of both roles.
    dealer:    of the dealer.
    other:     of the other seat.
    """

    question: str
    option: str
    bet: bool
    fold: bool
    both: AnswerFigures
    dealer: AnswerFigures
    other: AnswerFigures


class BetFigures(TypedDict):
    """The bets and bluffs of a role.

    bets, bluffs: in a deal, on average.
    share:       of bluffs among bets.
    bets_folded: the share of bets to which the other folds at once.
    folded, won, gain: the same of bluffs, how many win, and what they bring.
    """

    bets: float
    bluffs: float
    share: float | None
    bets_folded: float | None
    folded: float | None
    won: float | None
    gain: float | None


class Bluffs(TypedDict):
    """Bluffs under best play.

    bets:  of both roles and of each.
    worth: of bluffs in the first deal, to each role.
    """

    bets: dict[Literal["both", "dealer", "other"], BetFigures]
    worth: dict[Literal["dealer", "other"], AnswerWorth]


class BestHand(TypedDict):
    """A hand under best play.

    hand:    its cards.
    chance:  to be dealt it.
    won:     the share of deals that it wins.
    gain:    what it brings.
    answers: how often each is given where it is offered.
    bluffs:  in a deal, on average.
    """

    hand: str
    chance: float
    won: float | None
    gain: float | None
    answers: dict[str, float | None]
    bluffs: float | None


class BestCard(TypedDict):
    """By how much a hand with a card is better than the mean hand.

    card: the card.
    won:  in shares of deals.
    gain: in what it brings.
    """

    card: str
    won: float
    gain: float


class MatchDeals(TypedDict):
    """The deals of a match.

    mean:      of their number.
    quantiles: that a tenth, half and nine tenths of matches do not exceed.
    """

    mean: float
    quantiles: list[int]


class SolvedVariant(TypedDict):
    """A variant under best play, or why it cannot be solved.

    name, title, parameters: how it is called.
    variant:        the name of its rules, without parameters.
    names:          by language and kind, what the variant calls its things.
    fingerprint:    a hash of the rules.
    unit:           of gains.
    why_not:        null if it is solved; else the keys below are missing.
    scores:         that a match can reach.
    proved:         which differences between cards do not matter.
    value:          what the side of the first dealer wins; perfect play lies between the bounds.
    exploitability: what a perfect opponent gains on average.
    deals:          of a match.
    dealer:         the share of deals with a winner that the dealer's side wins.
    nobody:         the share of deals that nobody wins.
    leader:         the share that the seat wins that leads to the first trick.
    dealer_gains:   by counter, how much more the dealer's side gains in a deal.
    answers:        all that are offered.
    bluffs:         of both roles.
    hands:          the best one first.
    cards:          the best one first.
    """

    name: str
    title: str
    parameters: dict[str, str]
    variant: str
    names: dict[str, dict[str, dict[str, str]]]
    fingerprint: str
    unit: Literal["matches", "points"]
    why_not: TextKey | None
    scores: NotRequired[int]
    proved: NotRequired[TextKey]
    value: NotRequired[PlayValue]
    exploitability: NotRequired[float]
    deals: NotRequired[MatchDeals]
    dealer: NotRequired[float | None]
    nobody: NotRequired[float]
    leader: NotRequired[float | None]
    dealer_gains: NotRequired[dict[str, float]]
    answers: NotRequired[list[BestAnswer]]
    bluffs: NotRequired[Bluffs]
    hands: NotRequired[list[BestHand]]
    cards: NotRequired[list[BestCard]]


class SolverSetting(TypedDict):
    """All that determines the results.

    format, trutdsl: versions of the file and of the program.
    players:    always 2.
    iterations: the most for a score.
    target:     the exploitability at which a score is solved.
    """

    format: int
    trutdsl: str
    players: int
    iterations: int
    target: float


class SolverTexts(TypedDict):
    """The texts of the command.

    variants, parameters: as they were written.
    deal: the points of each counter; null for matches.
    """

    variants: list[str]
    parameters: list[str]
    deal: dict[str, float] | None


class BestPlay(TypedDict):
    """Variants under best play, as in the file `best-play.json`.

    best_play: all that determines the results.
    given:     the texts of the command.
    variants:  in the order of the command.
    """

    best_play: SolverSetting
    given: SolverTexts
    variants: list[SolvedVariant]
