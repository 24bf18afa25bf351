"""Exact evaluation: the results of two strategies, summed over all deals instead of sampled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np

from trutdsl.diagnostics import BadUsage
from trutdsl.game import Game
from trutdsl.ir.script.record import asks_of_match
from trutdsl.language import say
from trutdsl.solve.branches import Brancher
from trutdsl.solve.chain import MatchChain, solve_chain
from trutdsl.solve.classes import CardClasses, find_classes
from trutdsl.solve.expected import DealCounter, expected_counts
from trutdsl.solve.fresh import Start, with_start
from trutdsl.solve.players import SolvedPlayer, player_for
from trutdsl.solve.positions import Floats, Stepper
from trutdsl.solve.scores import Score
from trutdsl.solve.workers import fork_workers

WHOLE = 10_000  # of which the chances of a table are parts
Chances = Mapping[tuple[int, ...], float]  # by the own counters, then those of the other side


@dataclass(frozen=True)
class ExactResult:
    """The exact results of two strategies, A and B.

    Each figure is the mean over both seatings, and over both first dealers if chance picks one.
    wins: the probability that A wins, that B does, that nobody does. first_dealer_wins: the
    share of decided matches that the first dealer's side wins. deals_per_match, deviation: mean and
    standard deviation of the number of deals. lengths: the probability of each number of deals,
    from 0 up. scores: the number of scores that a match can reach; classes: the number of different
    deals. proved: a sentence on the differences between cards that do not matter. chances: the
    probability that A wins from each score. counts: the expected counts of a match in the game's
    `CountPlan`; NaN where unknown.
    """

    wins: tuple[float, float, float]
    first_dealer_wins: float
    deals_per_match: float
    deviation: float
    lengths: tuple[float, ...]
    scores: int
    classes: int
    proved: str
    chances: Chances
    counts: Floats


@dataclass(frozen=True)
class Seating:
    """All matches of two players on certain seats.

    first: the scores at which a match starts, equally often. counts: from each of these, see
    `ExactResult`. places: where the values of each counter stand in a score. classes: of deals.
    """

    first: Sequence[Score]
    chain: MatchChain
    counts: Sequence[Floats]
    places: Sequence[range]
    classes: int


def evaluate(
    table: Game,
    players: tuple[str | SolvedPlayer, str | SolvedPlayer],
    show: Callable[[str], None] = lambda _text: None,
    jobs: int = 1,
) -> ExactResult:
    """Return the exact result of two players.

    players: policies of the program, by name, or `UNIFORM`; or players from a policy file.
    show: receives the progress, as a text. jobs: processes; the result is the same for any number.
    Raises `BadUsage` for what cannot be evaluated exactly, with the reason.
    """
    if table.players != 2 or table.team_count != 2:
        raise BadUsage(
            say("exact evaluation is for two players, not {players}", players=table.players)
        )
    check_memory(table)
    classes = find_classes(table.program, table.setting)
    for player in players:
        if not isinstance(player, str):
            classes = player.refine_classes(classes)
    stepper = Stepper(table, classes)
    one, two = (player_for(stepper, p) if isinstance(p, str) else p for p in players)
    brancher = Brancher(stepper, (one, two))
    if players[0] == players[1]:
        return _result([_play_matches(brancher, show, jobs)], classes)
    other = Brancher(stepper, (two, one))
    if jobs == 1:
        return _result([_play_matches(each, show, 1) for each in (brancher, other)], classes)
    with fork_workers(other, 1) as workers:
        workers.submit(other, partial(_play_matches, jobs=jobs // 2))
        results = [_play_matches(brancher, show, jobs - jobs // 2)]
        results += [result for _, result in workers.receive()]
    return _result(results, classes)


def _play_matches(
    brancher: Brancher, show: Callable[[str], None] = lambda _text: None, jobs: int = 1
) -> Seating:
    def play(start: Start) -> Seating:
        deals = DealCounter(brancher, start, show, jobs)
        first = deals.codec.first_scores()
        chain = solve_chain(first, deals.outcomes)
        counts = [expected_counts(deals, chain, score) for score in first]
        places = [range(*deals.codec.places[name].indices(10**6)) for name in deals.plan.counters]
        return Seating(first, chain, counts, places, deals.classes)

    return with_start(play)


def check_memory(game: Game) -> None:
    """Raise `BadUsage` if a policy of the program has a memory, or reads the past of the match."""
    for name, policy in game.program.policies.items():
        for memory in policy.memory:
            if memory.lifetime == "match":
                text = (
                    "'{name}' remembers '{memory}' for the match: "
                    "exact evaluation goes deal by deal"
                )
                raise BadUsage(say(text, name=name, memory=memory.name))
        if asks_of_match(game.program, policy):
            text = (
                "'{name}' asks for the past of the match, as by `rate of` or `after deal`: "
                "exact evaluation goes deal by deal"
            )
            raise BadUsage(say(text, name=name))


def _result(seatings: Sequence[Seating], classes: CardClasses) -> ExactResult:
    first, chains = seatings[0].first, [seating.chain for seating in seatings]
    counts = [count for seating in seatings for count in seating.counts]
    ways = [(chain, score, turn) for turn, chain in enumerate(chains) for score in first]
    share = 1 / len(ways)
    wins, dealer, draws, expected = np.zeros(2), 0.0, 0.0, 0.0
    for chain, score, turn in ways:
        row = chain.wins[chain.scores[score]]
        wins += share * (row[:2] if turn == 0 else row[1::-1])
        draws += share * row[2]
        dealer += share * row[score.start[0] % 2]
        expected += share * chain.deals[chain.scores[score]]
    if len(chains) == 1:  # the same on both seats
        wins[:] = wins.mean()
    longest = max(len(chain.lengths) for chain in chains)
    padded = [np.pad(chain.lengths, (0, longest - len(chain.lengths))) for chain in chains]
    lengths = np.mean(padded, axis=0)
    number = np.arange(longest)
    spread = float((lengths * (number - expected) ** 2).sum())
    return ExactResult(
        (float(wins[0]), float(wins[1]), float(draws)),
        float(dealer / (1 - draws)) if draws < 1 else 0.0,
        float(expected),
        sqrt(max(spread, 0.0)),
        tuple(lengths.tolist()),
        len(chains[0].scores),
        seatings[0].classes,
        classes.sentence(),
        chances_by_score(seatings),
        np.mean(counts, axis=0),
    )


def chances_by_score(seatings: Sequence[Seating]) -> Chances:
    """Return the probability that the first strategy wins, by score.

    seatings: only one if both strategies are the same. Other lasting state, such as the dealer, is
    averaged, weighted by its expected number of visits.
    """
    sums: dict[tuple[int, ...], tuple[float, float]] = {}
    for turn, seating in enumerate(seatings):
        chain = seating.chain
        visits = np.sum([chain.visits(first) for first in seating.first], axis=0)
        for own in (0, 1) if len(seatings) == 1 else (turn,):
            for score, row in chain.scores.items():
                sides = (own, 1 - own)
                key = tuple(score.values[place[side]] for side in sides for place in seating.places)
                weight, won = sums.get(key, (0.0, 0.0))
                visit = float(visits[row])
                sums[key] = weight + visit, won + visit * float(chain.wins[row, own])
    return {key: won / weight for key, (weight, won) in sorted(sums.items()) if weight > 0}


def table_text(counters: Sequence[str], chances: Chances) -> str:
    """Return the table as CSV: the counters of both sides, and parts of 10,000."""
    lines = [",".join([*counters, *(f"their_{name}" for name in counters), "chance"])]
    lines += [",".join(map(str, (*key, round(WHOLE * won)))) for key, won in chances.items()]
    return "\n".join(lines) + "\n"
