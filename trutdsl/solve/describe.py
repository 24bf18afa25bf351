"""A game under best play: who wins, what each hand does, and how much it gains.

All deals of a match are summed, each with its expected number of occurrences. Two kinds of answers
follow from the tree, for any game:

- A fold: the deal is over, and the other side wins it, with any hand.
- A bet: the other seat may fold at its next choice. An answer after a fold is no bet.

A bet is a bluff if its side would lose more deals than it wins, not counting those in which the
other seat folds at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from trutdsl.solve.chain import find_visits, solve_chain
from trutdsl.solve.equilibrium import DealSolver, gains_of, plans_of, solve_deal
from trutdsl.solve.labels import KindResults, LabelledTrees, SeatLabels
from trutdsl.solve.policy_run import PlayValue, SolvedMatch
from trutdsl.solve.positions import Floats, Numbers
from trutdsl.solve.scores import Outcome, Score
from trutdsl.solve.tree import DealTree, SeatTree
from trutdsl.solve.trees import ScoreEnds

# The worth of an answer: the value of a deal with it, less that of the same deal without it.

ITERATIONS = 200
ROUNDING = 1e-9  # the tolerance of sums of probabilities, as a share of them
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class AnswerWorth:
    """The worth of some choices to a seat; the true value lies between the bounds.

    value: the estimate.
    low, high: the bounds.
    """

    value: float
    low: float
    high: float


def worth_of(
    tree: DealTree,
    gains: Floats,
    plans: tuple[Floats, Floats],
    seat: int,
    forbidden: NDArray[np.bool_],
) -> AnswerWorth:
    """Return the loss of a seat if these choices are forbidden, and the other seat knows that.

    gains: of each kind of end to the first seat. plans: play of the whole deal, close to an
    equilibrium. forbidden: bool (sequences,).
    """
    whole, part = DealSolver(tree), DealSolver(without(tree, seat, forbidden))
    whole.set_gains(gains)
    part.set_gains(gains)
    for _ in range(ITERATIONS):
        part.iterate()
    side = 1 if seat == 0 else -1
    (one, low, high), (other, least, most) = (
        (side * solver.value(of), *sorted(side * value for value in _bounds(solver, of)))
        for solver, of in ((whole, plans), (part, part.average()))
    )
    return AnswerWorth(one - other, low - most, high - least)


def _bounds(solver: DealSolver, plans: tuple[Floats, Floats]) -> tuple[float, float]:
    """Return bounds of the value of the deal to the first seat."""
    best = solver.best_values(plans)
    return -best[1], best[0]


def without(tree: DealTree, seat: int, forbidden: NDArray[np.bool_]) -> DealTree:
    """Return a tree without some choices of a seat; a set keeps them if it has no others."""
    own = tree.seats[seat]
    every = np.logical_and.reduceat(forbidden[1:], own.starts)
    allowed = ~forbidden | np.append(True, every[own.owner])
    stays = own.plan_of(allowed.astype(np.float64)) > 0
    sets = stays[own.parents]
    number = np.cumsum(stays) - 1
    left = np.add.reduceat(stays[1:], own.starts, dtype=np.int64)[sets]
    restricted = replace(
        own,
        keys=own.keys[sets],
        decisions=own.decisions[sets],
        parents=number[own.parents[sets]],
        first=np.append(1, 1 + np.cumsum(left)),
        cuts=tuple(sorted({int(sets[:cut].sum()) for cut in own.cuts})),
    )
    rows = stays[tree.ends[seat]]
    ends = tree.ends[:, rows]
    ends[seat] = number[ends[seat]]
    seats = (restricted, tree.seats[1]) if seat == 0 else (tree.seats[0], restricted)
    return replace(tree, seats=seats, ends=ends, chance=tree.chance[rows], kind=tree.kind[rows])


# Sums over all deals of a match.

DEALER, OTHER = 0, 1  # roles in a deal


@dataclass(frozen=True)
class PlayedDeal:
    """A deal under some play.

    dealer: the side that deals. plans: of both seats. gains: float64 (kinds,), the gain of the
    first side from each kind of end. often: the expected number of these deals in a match. chance:
    float64 (ends,), how likely each end is.
    """

    tree: DealTree
    labels: tuple[SeatLabels, SeatLabels]
    dealer: int
    plans: tuple[Floats, Floats]
    gains: Floats
    results: KindResults
    chance: Floats
    often: float = 1.0


@dataclass(frozen=True)
class AnswerKinds:
    """Which answers are folds, and which are bets, bool (options,)."""

    folds: Flags
    bets: Flags


def kinds_of_answers(deals: LabelledTrees, scores: Mapping[Score, ScoreEnds]) -> AnswerKinds:
    """Return which answers are folds or bets at these scores."""
    count = len(deals.options)
    words, bets = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    words[list(deals.without_card)] = True
    folds, last = words.copy(), dict[tuple[DealTree, int], tuple[NDArray[np.int64], ...]]()
    for tree in deals.trees.values():
        for seat, labels in enumerate(deals.labels[tree]):
            after = labels.options[tree.seats[seat].parents]
            folds[after[after >= 0]] = False
            pairs = np.stack([labels.options[tree.ends[seat]], tree.kind])
            option, kind = np.unique(pairs[:, pairs[0] >= 0], axis=1)
            last[tree, seat] = option, kind
    for score, ends in scores.items():
        for seat, side in ((0, 1), (1, -1)):
            option, kind = last[ends.tree, seat]
            folds[option[deals.results[score].winner[kind] != -side]] = False
    for tree in deals.trees.values():
        of = [labels.options[tree.ends[s]] for s, labels in enumerate(deals.labels[tree])]
        for seat, own in enumerate(tree.seats):
            by_fold, last = (of[1 - seat] >= 0) & folds[of[1 - seat]], tree.ends[seat]
            bet = choices_before_folds(own, last, by_fold)[last[by_fold]]
            bets[deals.labels[tree][seat].options[bet[bet > 0]]] = True
    return AnswerKinds(folds, bets & words)


def choices_before_folds(own: SeatTree, last: NDArray[np.int32], by_fold: Flags) -> Numbers:
    """Return, for each choice of a seat, itself or the last one before the other seat has folded.

    The choices are int64 (sequences,). last: the last choice of the seat before each end. It may
    come after the fold: then all ends of its information set come from folds. by_fold: bool
    (ends,), whether the other seat folds.
    """
    others = np.bincount(last, ~by_fold, own.sequences).astype(np.float64)
    _, counts = own.worth_of_play(others, np.ones(own.sequences))
    later = np.append(False, counts[own.owner] == 0)
    before = np.arange(own.sequences)
    for level in own.levels:
        some = level.sequences
        before[some] = np.where(later[some], before[own.previous[some]], before[some])
    return before


class PlaySums:
    """Sums over deals of what happens in them.

    answers: by name float64 (roles, hands, options): `offered`, `given`, and of these `won`,
    `gain`, `folded` (the other folds at once); the same of `bluffs`. hands: by name float64 (roles,
    hands): `deals`, `won`, `gain`. deals, dealer, nobody, leader: deals, and how many the side of
    each wins. changes: float64 (counters,), how much the lead of the dealer's side grows.
    """

    def __init__(self, deals: LabelledTrees, kinds: AnswerKinds) -> None:
        self._kinds = kinds
        size = 2, len(deals.hands), len(deals.options)
        names = "offered", "given", "won", "gain", "folded"
        self.answers = {name: np.zeros(size) for name in names}
        self.bluffs = {name: np.zeros(size) for name in names[1:]}
        self.hands = {name: np.zeros(size[:2]) for name in ("deals", "won", "gain")}
        self.deals = self.dealer = self.nobody = 0.0
        self.changes = np.zeros(len(deals.counters))

    def add(self, deal: PlayedDeal) -> None:
        tree, mass = deal.tree, deal.often * deal.chance
        by_kind = np.bincount(tree.kind, mass, len(tree.kinds))
        side = 1 if deal.dealer == 0 else -1
        self.deals += by_kind.sum()
        self.dealer += by_kind[deal.results.winner == side].sum()
        self.nobody += by_kind[deal.results.winner == 0].sum()
        self.changes += side * (by_kind[:, None] * deal.results.changes).sum(axis=0)
        for seat in (0, 1):
            self._add_seat(deal, seat, mass)

    def _add_seat(self, deal: PlayedDeal, seat: int, mass: Floats) -> None:
        tree, labels, kind = deal.tree, deal.labels[seat], deal.tree.kind
        own, last = tree.seats[seat], tree.ends[seat]
        role, side = DEALER if seat == deal.dealer else OTHER, 1 if seat == 0 else -1
        count, winner = own.sequences, side * deal.results.winner[kind]
        by_fold = self._ends_by_fold(deal, seat)
        bets_of_ends = choices_before_folds(own, last, by_fold)[last]
        every = np.ones(count)

        def through(values: Floats) -> Floats:
            """Return the sum of all ends that come after each choice."""
            sums = np.bincount(last, values, count).astype(np.float64)
            return own.worth_of_play(sums, every)[0]

        totals = {
            "given": through(mass),
            "won": through(mass * (winner > 0)),
            "gain": through(mass * (side * deal.gains)[kind]),
            "folded": np.bincount(bets_of_ends, mass * by_fold, count).astype(np.float64),
        }
        weights = np.add.reduceat(totals["given"][1:], own.starts)
        offered: Floats = np.append(0.0, weights[own.owner]) * labels.first
        size = self.answers["given"].shape[1:]
        places = (labels.hands * size[1] + labels.options)[1:]
        lost = through(mass * (winner < 0))
        bets = self._kinds.bets[labels.options]
        bluff = bets & _loses(totals["won"] - totals["folded"] - lost, totals["given"])

        def put(into: dict[str, Floats], name: str, values: Floats) -> None:
            into[name][role] += np.bincount(places, values[1:], size[0] * size[1]).reshape(size)

        put(self.answers, "offered", offered)
        for name, values in totals.items():
            put(self.answers, name, values)
            put(self.bluffs, name, np.where(bluff, values, 0.0))
        hands = labels.hands[last]
        some = hands >= 0
        parts = mass, mass * (winner > 0), mass * (side * deal.gains)[kind]
        for name, values in zip(self.hands, parts, strict=True):
            self.hands[name][role] += np.bincount(hands[some], values[some], size[0])

    def _ends_by_fold(self, deal: PlayedDeal, seat: int) -> Flags:
        """Tell which ends come from a fold of the other seat."""
        options = deal.labels[1 - seat].options[deal.tree.ends[1 - seat]]
        folds: Flags = (options >= 0) & self._kinds.folds[options]
        return folds

    def worth_of_bluffs(self, deal: PlayedDeal, seat: int) -> AnswerWorth:
        """Return the value of bluffs in a deal to a seat, including those that it never makes."""
        tree, own, last = deal.tree, deal.tree.seats[seat], deal.tree.ends[seat]
        side, count, plan = 1 if seat == 0 else -1, own.sequences, deal.plans[seat]
        mass = tree.chance * deal.plans[1 - seat][tree.ends[1 - seat]]
        # Where the plan never comes, it is continued as well as possible.
        worth = np.bincount(last, mass * (side * deal.gains)[tree.kind], count).astype(np.float64)
        strategy = own.best_response(worth)[1]
        before = plan[own.previous]
        strategy = np.where(before > 0, plan / np.where(before > 0, before, 1.0), strategy)
        won = np.bincount(last, mass * (side * deal.results.winner)[tree.kind], count)
        ahead, _ = own.worth_of_play(won.astype(np.float64), strategy)
        by_fold = self._ends_by_fold(deal, seat)
        bets = choices_before_folds(own, last, by_fold)
        after_bet = own.plan_of(np.where(bets == np.arange(count), 1.0, strategy))
        ahead -= np.bincount(bets[last], mass * by_fold * after_bet[last], count)
        options = deal.labels[seat].options
        deals, _ = own.worth_of_play(np.bincount(last, mass, count).astype(np.float64), strategy)
        forbidden = (options >= 0) & self._kinds.bets[options] & _loses(ahead, deals)
        return worth_of(tree, deal.gains, deal.plans, seat, forbidden)


def _loses(ahead: Floats, deals: Floats) -> Flags:
    """Tell whether more deals are lost than won; `ahead` is the difference, up to rounding."""
    result: Flags = ahead < -ROUNDING * deals
    return result


@dataclass(frozen=True)
class DescribedPlay:
    """Matches or single deals under best play.

    exploitability: the mean gain of a perfect opponent. sums: of all deals. bluffing: the value of
    bluffs in the first deal, to the dealer and to the other side. deals: the mean number of deals;
    lengths: the probability of each number, from 0 up.
    """

    value: PlayValue
    exploitability: float
    sums: PlaySums
    kinds: AnswerKinds
    bluffing: tuple[AnswerWorth, AnswerWorth]
    deals: float
    lengths: Sequence[float]


def describe_match(match: SolvedMatch, deals: LabelledTrees) -> DescribedPlay:
    """Return what happens in a match that was solved on these trees."""
    solver = match.solver
    kinds = kinds_of_answers(deals, solver.scores)
    sums, outcomes = PlaySums(deals, kinds), dict[Score, Mapping[Outcome, float]]()
    first = list[tuple[float, PlayedDeal]]()
    for deal, score, leads_to in _deals_of(match, deals):
        sums.add(deal)
        outcomes[score] = leads_to
        if share := solver.first.get(score):
            first.append((share, deal))
    chain = solve_chain(solver.first, outcomes.__getitem__)
    length = sum(share * chain.deals[chain.scores[score]] for score, share in solver.first.items())
    return DescribedPlay(
        match.value, match.exploitability, sums, kinds, _worths_of_bluffs(sums, first),
        length, tuple(chain.lengths.tolist()),
    )  # fmt: skip


def describe_deal(
    deals: LabelledTrees, worth: Mapping[str, float], show: Callable[[str], None]
) -> DescribedPlay:
    """Solve the first deal of a match for points, and return what happens in it.

    worth: points of each counter.
    """
    one = solve_deal(deals, worth, ITERATIONS, show=show)
    score, tree, dealer = one.score, one.tree, one.dealer
    kinds = kinds_of_answers(deals, {score: deals.ends_at(score)})
    deal = PlayedDeal(
        tree, deals.labels[tree], dealer, one.plans, one.gains, deals.results[score],
        tree.chance_of_ends(one.plans),
    )  # fmt: skip
    sums = PlaySums(deals, kinds)
    sums.add(deal)
    return DescribedPlay(
        PlayValue(one.value, -one.best[1 - dealer], one.best[dealer]), one.exploitability, sums,
        kinds, _worths_of_bluffs(sums, [(1.0, deal)]), 1.0, (0.0, 1.0),
    )  # fmt: skip


def _worths_of_bluffs(
    sums: PlaySums, first: Sequence[tuple[float, PlayedDeal]]
) -> tuple[AnswerWorth, AnswerWorth]:
    """Return the value of bluffs to the dealer and to the other side.

    first: the first deals, each with its probability.
    """

    def mean(role: int) -> AnswerWorth:
        each = [astuple(sums.worth_of_bluffs(deal, (deal.dealer + role) % 2)) for _, deal in first]
        return AnswerWorth(*np.average(each, 0, [share for share, _ in first]).tolist())

    return mean(DEALER), mean(OTHER)


def _deals_of(
    match: SolvedMatch, deals: LabelledTrees
) -> Iterator[tuple[PlayedDeal, Score, Mapping[Outcome, float]]]:
    """Yield the deal of each score, and what it leads to, from the start of a match on."""
    solver = match.solver
    often = dict.fromkeys(solver.order, 0.0) | solver.first
    values = {score: one.value for score, one in match.scores.items()}
    for group in reversed(solver.groups):
        leads_to, played = dict[Score, Mapping[Outcome, float]](), dict[Score, PlayedDeal]()
        for score in group:
            ends, tree = solver.scores[score], solver.scores[score].tree
            plans = plans_of(tree.seats, match.scores[score].play)
            chance = tree.chance_of_ends(plans)
            leads_to[score] = ends.outcome_chances(chance)
            gains = gains_of(ends, 0, values) + 0.5 - values[score]
            played[score] = PlayedDeal(
                tree, deals.labels[tree], score.start[0] % 2, plans, gains,
                deals.results[score], chance,
            )  # fmt: skip
        often |= _visits(leads_to, often)
        for score in group:
            for outcome, share in leads_to[score].items():
                if outcome.score is not None and outcome.score not in leads_to:
                    often[outcome.score] += often[score] * share
            yield replace(played[score], often=often[score]), score, leads_to[score]


def _visits(
    leads_to: Mapping[Score, Mapping[Outcome, float]], begin: Mapping[Score, float]
) -> dict[Score, float]:
    """Return the mean number of deals at scores that lead to each other.

    leads_to: their outcomes with their probabilities. begin: the mean number of deals at each score
    to which others lead.
    """
    moves = [
        [outcomes.get(Outcome(to, None), 0.0) for to in leads_to] for outcomes in leads_to.values()
    ]
    visits = find_visits(csr_matrix(moves), np.array([begin[score] for score in leads_to]))
    return dict(zip(leads_to, visits.tolist(), strict=True))
