"""Exact results of uniform play of Trut: all deals by rank, then a Markov chain over scores.

This module uses no engine. Seats are counted from the dealer, who leads; the even seats are the
dealer's team. The code of a trick has two parts: the first place, counted from the leader, with the
strongest card, and whether another team has an equal card.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import product

import numpy as np

RANKS, SUITS, TRICKS, GOAL, PETITS = 8, 4, 3, 7, 3
Code = tuple[int, bool]


def trick_codes(players: int) -> tuple[np.ndarray, list[Code]]:
    """Return the ranks of all tricks, and the code of each."""
    plays = np.array(list(product(range(RANKS), repeat=players)))
    codes = []
    for ranks in plays.tolist():
        first = ranks.index(min(ranks))
        tied = any(r == min(ranks) and (p - first) % 2 for p, r in enumerate(ranks))
        codes.append((first, tied))
    return plays, codes


def pattern_chances(players: int) -> dict[tuple[Code, ...], float]:
    """Return the chance of each sequence of codes, for a shuffled pack."""
    plays, codes = trick_codes(players)
    names = sorted(set(codes))
    code = np.array([names.index(c) for c in codes])
    seen = np.array([[(row == r).sum() for r in range(RANKS)] for row in plays])
    earlier = np.array([[(row[:p] == row[p]).sum() for p in range(players)] for row in plays])

    def ways(played: np.ndarray) -> np.ndarray:
        """Return the chance of each trick after these numbers of cards of each rank."""
        left = SUITS - played[plays] - earlier
        cards = RANKS * SUITS - played.sum() - np.arange(players)
        return np.prod(np.maximum(left, 0) / cards, axis=1)

    kinds, kind = np.unique(seen, axis=0, return_inverse=True)
    shape = (len(kinds), len(names))
    states: dict[tuple[int, ...], np.ndarray] = {(0,) * RANKS: np.ones(1)}  # by the played ranks
    for _ in range(TRICKS - 1):
        following: dict[tuple[int, ...], np.ndarray] = {}
        for played, before in states.items():
            flat = np.bincount(
                kind.ravel() * shape[1] + code, ways(np.array(played)), np.prod(shape)
            )
            for more, chance in zip(kinds, flat.reshape(shape), strict=True):
                if chance.any():
                    after = tuple(np.add(played, more).tolist())
                    following[after] = following.get(after, 0) + np.outer(before, chance).ravel()
        states = following
    total = sum(
        np.outer(before, np.bincount(code, ways(np.array(played)), shape[1]))
        for played, before in states.items()
    )
    patterns = product(names, repeat=TRICKS)
    return {pattern: p for pattern, p in zip(patterns, np.ravel(total).tolist(), strict=True) if p}


@dataclass
class Deal:
    """The chances of the results of a deal, and its expected number of questions.

    ends:   (result, team that gains, next dealer) -> chance.
    forced: the expected number of questions with a single legal action.
    """

    ends: dict[tuple[str, int, int], float]
    questions: float
    forced: float


def play_deal(players: int, patterns: dict[tuple[Code, ...], float], first_caller: int | None,
              may_call: bool) -> Deal:  # fmt: skip
    """Return the results of a deal; first_caller: the team that called before the first card."""
    deal = Deal(defaultdict(float), 0.0, 0.0)
    opponents = players // 2
    refused = 0.5**opponents
    asked = sum(0.5**k for k in range(opponents))  # expected number, until one accepts
    for pattern, chance in patterns.items():
        winner, tricks, leaders = play_pattern(pattern, players)
        free, called = (chance, 0.0) if first_caller is None else (0.0, chance)
        last, lead = 0, 0
        for trick in range(tricks):
            cards = TRICKS - trick
            for place in range(players):
                seat = (lead + place) % players
                if may_call:
                    others = [(seat + j) % players for j in range(1, players)]
                    for other in others:
                        deal.questions += free
                        free, called = call(deal, free, called, 0.5, other, last, refused, asked)
                    deal.questions += free
                    free, called = call(
                        deal, free, called, 1 / (cards + 1), seat, last, refused, asked
                    )
                    deal.questions += called
                    deal.forced += called * (cards == 1)
                else:
                    deal.questions += free + called
                    deal.forced += (free + called) * (cards == 1)
            first, tied = pattern[trick]
            lead = (lead + first) % players
            if not tied:
                last = lead
        assert leaders == lead
        if winner is None:
            deal.ends["void", 0, 0] += free + called
        else:
            deal.ends["petit", winner, last] += free
            deal.ends["long", winner, last] += called
    return deal


def call(deal: Deal, free: float, called: float, chance: float, caller: int, last: int,
         refused: float, asked: float) -> tuple[float, float]:  # fmt: skip
    """Let a seat call with a chance; return the chances of no call and of an accepted call."""
    calls = free * chance
    deal.questions += calls * asked
    deal.ends["petit", caller % 2, last] += calls * refused
    return free - calls, called + calls * (1 - refused)


def play_pattern(pattern: tuple[Code, ...], players: int) -> tuple[int | None, int, int]:
    """Return the winning team, the number of tricks, and the next leader."""
    lead, ahead, earliest = 0, 0, None
    for trick, (first, tied) in enumerate(pattern):
        lead = (lead + first) % players
        if not tied:
            ahead += -1 if lead % 2 else 1
            earliest = lead % 2 if earliest is None else earliest
        left = TRICKS - 1 - trick
        for side, by in ((0, ahead), (1, -ahead)):
            if by > left or (by == left and earliest == side):
                return side, trick + 1, lead
    return None, TRICKS, lead


Score = tuple[tuple[int, int], tuple[int, int]]


def kind_of(score: Score) -> str:
    """Return the kind of a deal at this score: a team may need only one petit to win the match."""
    at = [side == (GOAL - 1, PETITS - 1) for side in score]
    if not any(at):
        return "plain"
    return "last stand" if all(at) else f"fortial {at.index(True)}"


def score_after(score: Score, result: str, side: int) -> Score:
    """Return the score after a deal."""
    longs, petits = [s[0] for s in score], [s[1] for s in score]
    if result == "petit":
        petits[side] += 1
        if petits[side] == PETITS:
            petits = [0, 0]
            longs[side] += 1
    elif result == "long":
        petits[1 - side] = 0
        longs[side] += 1
    return (longs[0], petits[0]), (longs[1], petits[1])


@dataclass
class Answers:
    """The exact answers.

    deals, deviation: mean and standard deviation of the number of deals in a match.
    questions:        questions for each deal.
    dealer_wins:      the chance that the first dealer's team wins.
    forced:           questions with one legal action for each deal; the others are decisions.
    """

    deals: float
    deviation: float
    questions: float
    dealer_wins: float
    forced: float

    @property
    def decisions(self) -> float:
        """The number of decisions for each deal."""
        return self.questions - self.forced


def solve(players: int) -> Answers:
    """Return the exact answers."""
    patterns = pattern_chances(players)
    seats = players // 2
    kinds = {
        "plain": play_deal(players, patterns, None, True),
        "last stand": play_deal(players, patterns, None, False),
    }
    for side in (0, 1):
        called = play_deal(players, patterns, side, False)
        gives, stays = 0.5**seats, 1 - 0.5**seats
        ends = {key: stays * p for key, p in called.ends.items()}
        ends["petit", 1 - side, 0] = ends.get(("petit", 1 - side, 0), 0.0) + gives
        asked = sum(0.5**k for k in range(seats))
        kinds[f"fortial {side}"] = Deal(
            defaultdict(float, ends), asked + stays * called.questions, stays * called.forced
        )
    scores = list(product(product(range(GOAL), range(PETITS)), repeat=2))
    place = {score: i for i, score in enumerate(scores)}  # of the dealer's team, of the others
    same_dealer, other_dealer = (np.zeros((len(scores), len(scores))) for _ in range(2))
    wins, questions_of, forced_of = (np.zeros(len(scores)) for _ in range(3))
    for score, i in place.items():
        deal = kinds[kind_of(score)]
        questions_of[i], forced_of[i] = deal.questions, deal.forced
        for (result, side, dealer), p in deal.ends.items():
            own, other = score_after(score, result, side)
            if GOAL in (own[0], other[0]):
                wins[i] += p * (own[0] == GOAL)
            elif dealer % 2:  # the other team deals, and its win is a loss
                other_dealer[i, place[other, own]] += p
            else:
                same_dealer[i, place[own, other]] += p
    moves = same_dealer + other_dealer
    one = np.eye(len(scores))
    deals = np.linalg.solve(one - moves, np.ones(len(scores)))
    squares = np.linalg.solve(one - moves, 2 * deals - 1)
    # W = wins + same_dealer W + other_dealer (1 - W)
    won = np.linalg.solve(one - same_dealer + other_dealer, wins + other_dealer.sum(axis=1))
    questions = np.linalg.solve(one - moves, questions_of)
    forced = np.linalg.solve(one - moves, forced_of)
    start = place[(0, 0), (0, 0)]
    return Answers(
        deals[start],
        float(np.sqrt(squares[start] - deals[start] ** 2)),
        questions[start] / deals[start],
        won[start],
        forced[start] / deals[start],
    )
