"""Kuhn poker in plain Python: chances, lengths and metrics of its matches, as exact fractions."""

from fractions import Fraction
from functools import cache
from itertools import permutations

from trutdsl import load_game
from trutdsl.solve.exact import evaluate
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_with

KUHN = "variants/examples/kuhn-poker.yaml"
HALF = Fraction(1, 2)


def evaluate_exactly(variant, *strategies, **parameters):
    game = load_game(variant, 2, parameters, "native")
    return evaluate(*table_with(game, load_strategies(strategies, game)))


def kuhn_deal(open_bets, speak_bets, calls):
    """Return the probability of each (winner, chips), the dealer as 0.

    The arguments are probabilities for each card.
    """
    found = {}

    def add(winner, chips, chance):
        found[winner, chips] = found.get((winner, chips), 0) + chance

    for mine, theirs in permutations(range(3), 2):  # cards by strength
        best, chance = int(theirs > mine), Fraction(1, 6)
        bet, spoken = open_bets[mine], speak_bets[theirs]
        add(best, 2, chance * bet * calls[theirs])
        add(0, 1, chance * bet * (1 - calls[theirs]))
        add(best, 2, chance * (1 - bet) * spoken * calls[mine])
        add(1, 1, chance * (1 - bet) * spoken * (1 - calls[mine]))
        add(best, 1, chance * (1 - bet) * (1 - spoken))
    return found


def kuhn_match(goal, deals, own=0, their=0):
    """Return the probability that seat 0, which deals first, wins, and the mean length.

    deals: the outcomes of a deal by dealer. own, their: the chips at the start.
    """

    @cache
    def after(first, second, dealer):
        if first >= goal or second >= goal:
            return Fraction(first >= goal), Fraction(0)
        wins, length = Fraction(0), Fraction(1)
        for (winner, chips), chance in deals[dealer].items():
            to_first = chips * (winner == dealer)
            to_second = chips - to_first
            won, more = after(first + to_first, second + to_second, 1 - dealer)
            wins, length = wins + chance * won, length + chance * more
        return wins, length

    return after(own, their, 0)


def deal_of(open_bets, speak_bets, second_calls, first_calls):
    """Return a deal of Kuhn poker with separate probabilities to call for dealer and opponent."""
    found = {}
    for part in (
        (open_bets, [Fraction(0)] * 3, second_calls, True),
        (open_bets, speak_bets, first_calls, False),
    ):
        opens, speaks, calls, bets = part
        for mine, theirs in permutations(range(3), 2):
            best, chance = int(theirs > mine), Fraction(1, 6)
            if bets:
                bet = chance * opens[mine]
                ways = [((best, 2), bet * calls[theirs]), ((0, 1), bet * (1 - calls[theirs]))]
            else:
                spoken = chance * (1 - opens[mine]) * speaks[theirs]
                ways = [
                    ((best, 2), spoken * calls[mine]),
                    ((1, 1), spoken * (1 - calls[mine])),
                    ((best, 1), chance * (1 - opens[mine]) * (1 - speaks[theirs])),
                ]
            for key, share in ways:
                found[key] = found.get(key, 0) + share
    return found


def kuhn_lead_metrics(goal, deals):
    """Return three means of a match: lead changes, deals with a leader, those whose leader wins."""

    @cache
    def wins(chips, dealer):
        """Return the probability that seat 0 wins."""
        if max(chips) >= goal:
            return Fraction(chips[0] >= goal)
        return sum(chance * wins(after, 1 - dealer) for after, chance in ways(chips, dealer))

    def ways(chips, dealer):
        for (winner, won), chance in deals[dealer].items():
            seat = winner if dealer == 0 else 1 - winner
            yield (chips[0] + won * (seat == 0), chips[1] + won * (seat == 1)), chance

    @cache
    def leads(chips, dealer, before):
        if max(chips) >= goal:
            return Fraction(0), Fraction(0), Fraction(0)
        leader = None if chips[0] == chips[1] else int(chips[1] > chips[0])
        changes = Fraction(leader is not None and before is not None and leader != before)
        ahead = Fraction(leader is not None)
        share = wins(chips, dealer)
        held = Fraction(0) if leader is None else share if leader == 0 else 1 - share
        found = [changes, ahead, held]
        for after, chance in ways(chips, dealer):
            more = leads(after, 1 - dealer, before if leader is None else leader)
            found = [a + chance * b for a, b in zip(found, more, strict=True)]
        return tuple(found)

    return leads((0, 0), 0, None)
