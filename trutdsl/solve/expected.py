"""Expected counts: the mean of each number of a `CountPlan` over matches.

The questions of a deal are counted during its enumeration. Its ends are counted at each score from
which the deal branches alike. Each deal counts as often as a match is expected to reach its score.
Counts that follow bets or tricks through a deal are unknown: NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from trutdsl.solve.branches import Brancher, Branches
from trutdsl.solve.chain import MatchChain
from trutdsl.solve.deals import DealEnumerator
from trutdsl.solve.lasting import changes_between_deals
from trutdsl.solve.positions import Floats, Masks, Numbers, Positions
from trutdsl.solve.scores import Score
from trutdsl.solve.steps import Deal
from trutdsl.table.counts import LEADS, name_of_option

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
