"""Exact evaluation: the results of two strategies, summed over all deals instead of sampled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import sqrt

import numpy as np

from trutdsl.diagnostics import BadUsage
from trutdsl.game import Game
from trutdsl.ir.script.record import asks_of_match
from trutdsl.language import say
from trutdsl.solve.branches import Brancher, Branches
from trutdsl.solve.chain import MatchChain, solve_chain
from trutdsl.solve.classes import CardClasses, find_classes
from trutdsl.solve.deals import DealEnumerator
from trutdsl.solve.fresh import Start, with_start
from trutdsl.solve.players import SolvedPlayer, player_for
from trutdsl.solve.positions import Floats, Masks, Numbers, Positions, Stepper
from trutdsl.solve.scores import Score, changes_between_deals
from trutdsl.solve.steps import Deal
from trutdsl.solve.workers import fork_workers
from trutdsl.table.counts import LEADS, name_of_option

# Expected counts: the mean of each number of a `CountPlan` over matches.
#
# The questions of a deal are counted during its enumeration. Its ends are counted at each score
# from which the deal branches alike. Each deal counts as often as a match is expected to reach its
# score. Counts that follow bets or tricks through a deal are unknown: NaN.

ROUNDING = 1e-12  # of a mean; a smaller deviation is an error of rounding
MOST_DEFICITS = 100  # that are told apart; each needs a sum over the match


class DealCounter(DealEnumerator):
    """Enumerates deals and counts what happens in them.

    expected: for each score, the expected counts of a deal from there.
    """

    least = 1e-30  # so that loops end in which chance or a mixed answer begins a deal again

    def __init__(
        self, brancher: Brancher, start: Sequence[str], show: Callable[[str], None], jobs: int
    ) -> None:
        super().__init__(brancher, start, show, jobs)
        self.plan = self.stepper.game.count_plan
        self.expected: dict[Score, Floats] = {}
        size = 64 * max((plan.words for plan in self.stepper.code.plans), default=0)
        self._options = np.zeros((len(self.stepper.code.plans), size), np.int64)
        for plan in self.stepper.code.plans:
            for node, option in zip(plan.node.options, plan.options, strict=True):
                place = self.plan.options[plan.node.decision, name_of_option(node)]
                self._options[plan.number, option.first : option.first + option.size] = place

    def note_branches(
        self, deal: Deal, positions: Positions, branches: Branches, chance: bool
    ) -> None:
        """Count the questions in these positions, and their answers."""
        if deal.counts is None:
            deal.counts = np.zeros(self.plan.size)
        if chance:
            return
        legal, decisions = self.brancher.legal(positions)
        many = np.bitwise_count(legal).sum(axis=1) > 1
        self.plan.part("decisions", deal.counts)[()] += positions.weight[many].sum()
        self.plan.part("forced", deal.counts)[()] += positions.weight[~many].sum()
        some = many[branches.rows]
        rows, weight = branches.rows[some], (positions.weight[branches.rows] * branches.share)[some]
        seats = self.stepper.number(positions.memory, "#seat")[rows]
        places = self._options[decisions[rows], branches.answers[some]]
        np.add.at(self.plan.part("chosen", deal.counts), (seats, places), weight)

    def last_steps(self, deal: Deal, score: Score) -> Iterator[tuple[Masks, Positions]]:
        """Yield the last steps at a score, and count the ends."""
        assert deal.counts is not None
        counts = deal.counts.copy()
        for kinds, ends in super().last_steps(deal, score):
            self._count_ends(counts, score, ends)
            yield kinds, ends
        self.expected[score] = counts

    def _count_ends(self, counts: Floats, score: Score, ends: Positions) -> None:
        teams, number = self.plan.teams, self.stepper.number
        winner, reason = (number(ends.memory, f"#deal_{n}") for n in ("winner", "reason"))
        whose = np.where(winner < 0, teams, winner)
        np.add.at(self.plan.part("ended", counts), (reason, whose), ends.weight)
        won = winner >= 0
        after = (winner[won] - score.start[0]) % teams
        np.add.at(self.plan.part("after_dealer", counts), after, ends.weight[won])
        before = self.codec.begin(score)
        for place, name in enumerate(self.plan.counters):
            values, start = (self.stepper.values(p.memory, name) for p in (ends, before))
            most = np.maximum((values - start).max(axis=1), 0)
            self.plan.part("gained", counts)[place] += (most * ends.weight).sum()


def expected_counts(deals: DealCounter, chain: MatchChain, first: Score) -> Floats:
    """Return the expected counts of a match from this score; NaN where unknown."""
    plan = deals.plan
    result, of_deals = np.full(plan.size, np.nan), np.zeros(plan.size)
    scores, visits = list(chain.scores), chain.visits(first)
    for score, visit in zip(scores, visits, strict=True):
        of_deals += visit * deals.expected[score]
    for name in ("decisions", "forced", "chosen", "ended", "after_dealer"):
        plan.part(name, result)[...] = plan.part(name, of_deals)
    if not changes_between_deals(deals.stepper.program) & {*plan.counters}:
        plan.part("gained", result)[...] = plan.part("gained", of_deals)
    wins = chain.wins[chain.scores[first]]
    plan.part("matches", result)[...] = 1
    plan.part("deals", result)[...] = visits.sum()
    plan.part("winners", result)[...] = wins
    behind = [(first.start[0] + distance) % plan.teams for distance in range(plan.teams)]
    plan.part("first_dealer", result)[...] = wins[[*behind, plan.teams]]
    for place, name in enumerate(plan.counters):
        values = np.array([score.values for score in scores], np.int64)[:, deals.codec.places[name]]
        values *= deals.stepper.program.variables[name].sign
        ahead, lead = values.argmax(axis=1), np.abs(values[:, 0] - values[:, 1])
        led = plan.part("led", result)[place]
        leads = plan.part("held", result)[place]
        led[:], leads[:] = 0, 0
        np.add.at(led, np.minimum(lead, LEADS - 1), visits)
        won = np.where(lead > 0, visits * chain.wins[np.arange(len(scores)), ahead], 0.0)
        np.add.at(leads, np.minimum(lead, LEADS - 1), won)
        leader = np.where(lead > 0, ahead, -1)
        plan.part("lead_changes", result)[place] = chain.lead_changes(first, leader)
        behind_by, mean = _deficits(chain, first, values)
        plan.part("behind", result)[place] = behind_by
        plan.part("deficits", result)[place] = mean
    return result


def _deficits(chain: MatchChain, first: Score, values: Numbers) -> tuple[Floats, float]:
    """Return the chance of each greatest deficit of the winner at the start of a deal, (LEADS,).

    Also return the mean of these deficits over all matches, 0 if nobody wins. It is NaN if more
    than `MOST_DEFICITS` are possible. values: int64 (scores, teams), a counter.
    """
    chances, mean = np.zeros(LEADS), 0.0
    for team in (0, 1):
        deficit = values[:, 1 - team] - values[:, team]
        start = max(0, int(deficit[chain.scores[first]]))
        possible = np.unique(np.maximum(deficit, start))
        if len(possible) > MOST_DEFICITS:
            possible, mean = np.append(possible[possible < LEADS - 1], possible[-1]), np.nan
        within = 0.0  # the chance to win, and never to be further behind
        for most in possible.tolist():
            before = within
            if most == possible[-1]:
                within = float(chain.wins[chain.scores[first], team])
            else:
                within = chain.wins_within(first, team, deficit <= most)
            chances[min(most, LEADS - 1)] += within - before
            mean += most * (within - before)
    return chances, mean


WHOLE = 10_000  # of which the chances of a table are parts
Chances = Mapping[tuple[int, ...], float]  # by the own counters, then those of the other side


@dataclass(frozen=True)
class ExactResult:
    """The exact results of two strategies, A and B.

    Each figure is the mean over both seatings, and over the first dealers if chance picks one.
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

    first: the scores at which a match starts, with their probabilities. counts: from each of these,
    see `ExactResult`. places: where the values of each counter stand in a score. classes: of deals.
    """

    first: Mapping[Score, float]
    chain: MatchChain
    counts: Floats
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
        first = deals.first_scores()
        chain = solve_chain(first, deals.outcomes)
        each = [expected_counts(deals, chain, score) for score in first]
        counts = np.average(each, axis=0, weights=[*first.values()])
        places = [range(*deals.codec.places[name].indices(10**6)) for name in deals.plan.counters]
        return Seating(first, chain, counts, places, deals.classes)

    return with_start(play)


def check_memory(game: Game) -> None:
    """Raise `BadUsage` if a policy of the program has a memory, or reads the past of the match."""
    for policy in game.program.policies.values():
        name = policy.name
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
    wins, dealer, draws, expected = np.zeros(2), 0.0, 0.0, 0.0
    for (turn, chain), (score, chance) in product(enumerate(chains), first.items()):
        share = chance / len(chains)
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
    deviation = sqrt((lengths * (number - expected) ** 2).sum())
    return ExactResult(
        (float(wins[0]), float(wins[1]), float(draws)),
        float(dealer / (1 - draws)) if draws < 1 else 0.0,
        float(expected),
        deviation if deviation > ROUNDING * expected else 0.0,
        tuple(lengths.tolist()),
        len(chains[0].scores),
        seatings[0].classes,
        classes.sentence(),
        chances_by_score(seatings),
        np.mean([seating.counts for seating in seatings], axis=0),
    )


def chances_by_score(seatings: Sequence[Seating]) -> Chances:
    """Return the probability that the first strategy wins, by score.

    seatings: only one if both strategies are the same. Other lasting state, such as the dealer, is
    averaged, weighted by its expected number of visits.
    """
    sums: dict[tuple[int, ...], tuple[float, float]] = {}
    for turn, seating in enumerate(seatings):
        chain = seating.chain
        visits = np.sum([share * chain.visits(s) for s, share in seating.first.items()], axis=0)
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
