"""A battery on worlds: the truth has to be one among worlds that nothing distinguishes from them.

Matches are played by chance: the luck of the rules, and each legal answer as likely as any other.
The seat that is asked draws worlds. Given what it noticed, the truth comes from the distribution
that the worlds should have, and nothing of how they are drawn is used to make it. So the rank of
the truth among worlds, in any number that can be told of them, is uniform (Cook, Gelman, Rubin,
Validation of Software for Bayesian Models, JCGS 15(3), 2006; Talts et al., Validating Bayesian
Inference Algorithms with Simulation-Based Calibration, arXiv:1804.06788, 2018).

Worlds have weights: of N worlds and the truth, each is the truth with the share of its weight, so
that the place of the truth in the weighted distribution, drawn evenly within its own share, is
uniform for any N. Worlds take answers as they were, while here each answer is by chance; so the
weight of each course is divided by the product of how many actions the others had.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations, count, islice
from math import erfc, nan, sqrt
from random import Random

from scipy.stats import chi2, kstest

from trutdsl.game import DealStart
from trutdsl.ir.types import Kind
from trutdsl.native.play import MatchMemory
from trutdsl.strategy import load_strategy
from trutdsl.strategy.match_history import MatchHistory, cards_at, visible
from trutdsl.strategy.monte_carlo import wanted_of
from trutdsl.strategy.script import table_for
from trutdsl.strategy.worlds import Replay, Tries, World, WorldKnowledge, WorldStep
from trutdsl.streams import Stream, mixed
from trutdsl.table.chance import StreamChance
from trutdsl.table.sight import DRAWN, LAY

UNIFORM = load_strategy("uniform")
PASSED_OVER = 1.0  # of a decision: as many again and again, one on average
FROM = 3  # in one of so many deals a position is looked for at first
DEALS = 5  # no match is followed further: each world is played from its start
NOTHING_HIDDEN = 10  # positions at which all worlds are alike: there are no others
FEW = 20  # places from which on their mean is about normal
TRIES = 20  # for each world; a position is given up where they do not suffice


class Position:
    """A match at a question.

    seen: the mask of the cards that the seat has seen in earlier deals. options: the product of how
    many actions the others had. seed: where the streams of its worlds start from.
    """

    def __init__(self, course, seat, seen, options, seed):
        self.course, self.seat, self.seen, self.options = course, seat, seen, options
        self.seed = seed
        self.decision = course.state.pending.decision

    def asking(self):
        return WorldKnowledge(self.course, self.course.noticed[self.seat])


def positions_of(game, number, wanted, seed=1):
    """Yield positions of a match, at most one of each decision, while it stands there.

    wanted: whether a decision is wanted. In which deal, and how often its seat passes over it
    there, rests on the number alone; so what others hold has no part in the choice.
    """
    luck = Random(f"{seed} {number}")
    seat, first, passes = luck.randrange(game.players), luck.randrange(FROM), {}
    table = table_for(game, (UNIFORM,)).compiled
    course, seen, options = MatchHistory(table, [seat], StreamChance(seed, number)), 0, 1
    state = course.state
    while state.pending is not None:
        if isinstance(state.pending, DealStart):
            if state.deals == DEALS:
                return
            for mark in course.noticed[seat].marks:
                seen |= 1 << mark.two if mark.kind in (DRAWN, LAY) else 0
            course.next_deal()
            options = 1
        else:
            question = state.pending
            if question.seat == seat and state.deals > first:
                if question.decision not in passes:
                    passes[question.decision] = int(luck.expovariate(PASSED_OVER))
                if passes[question.decision] == 0 and wanted(question.decision):
                    yield Position(course, seat, seen, options, luck.getrandbits(64))
                passes[question.decision] -= 1
            if question.seat != seat:
                options *= len(question.actions)
            course.apply(luck.randrange(len(question.actions)))


class CountingReplay(Replay):
    """A replay that multiplies how many actions the others have."""

    options = 1

    def _answer(self, state, question):
        if question.seat != self.asking.noticed.seat:
            self.options *= len(question.actions)
        return super()._answer(state, question)


class TrueReplay(Replay):
    """The truth as a world: the steps are what came."""

    def __init__(self, asking, world):
        super().__init__(asking, world, Stream(0))
        self.values, self.value = iter(asking.course.now), 0

    def card(self, cards, draw):
        self._next()
        return super().card(cards, draw)

    def _luck(self, what, draw, is_card=False):
        self._next()
        return super()._luck(what, draw, is_card)

    def _answer(self, state, question):
        plan = self.asking.game.plans[question.number]
        self._next()
        if self.value is not None:
            action = question.actions[self.value]
            self.number_of = plan.options[action.option].number_of(action.values)
        return super()._answer(state, question)

    def _step(self, what, draw):
        value = self.number_of if isinstance(what, tuple) else self.value
        self.world.steps.append(WorldStep(value, 0, what == "card", what))
        return super()._step(what, draw)

    def _next(self):
        if self.at == len(self.before):
            self.value = next(self.values, None)


def true_weight(asking):
    """Return the weight that the truth has as a world."""
    world = World(list(range(len(asking.game.deck.texts))), True)
    TrueReplay(asking, world).play()
    return world.weight


def draw_worlds(position, worlds):
    """Return weights and states of so many worlds, the weights of uniform play; None if not found.

    None of them is mended.
    """
    asking, found = position.asking(), []
    tries = Tries(1, TRIES * worlds)
    for number in range(worlds):
        stream = Stream(mixed(position.seed, number))
        world = asking.draw_world(stream, tries)
        if world is None or tries.mends:
            return None
        replay = CountingReplay(asking, world, stream)
        state = replay.play()
        found.append((world.weight / replay.options, state))
    return found


# ------------------------------------------------------------ what is told of a world


def held(position, match):
    """Return for each other seat the mask of the cards that it holds where the seat cannot look."""
    course = position.course
    zones, unseen = (
        course.game.program.zones,
        ~visible(course.state.match, position.seat, course.places),
    )
    found = [0] * course.game.players
    for (zone, at), cards in zip(course.places.zones, cards_at(match, course.places), strict=True):
        if zones[zone].index is Kind.SEAT and at != position.seat:
            found[at] |= cards & unseen
    return found


def cards_seen_before(position, _match, hands):
    """How many cards that were seen in earlier deals others hold now.

    Where not all cards are shuffled, worlds do not tell: they remember nothing of earlier deals.
    """
    if position.course.permutes:
        return 0
    return sum((hand & position.seen).bit_count() for hand in hands)


def strength_beside(position, _match, hands):
    """How low the cards are that the next seat holds."""
    next_seat = (position.seat + 1) % len(hands)
    return sum(card for card in range(64) if hands[next_seat] >> card & 1)


def pairs_of_a_rank(position, _match, hands):
    """How many pairs of a rank are in one hand."""
    return sum(_pairs(position, hand, lambda text: text[:-1]) for hand in hands)


def pairs_of_a_suit(position, _match, hands):
    """How many pairs of a suit are in one hand."""
    return sum(_pairs(position, hand, lambda text: text[-1:]) for hand in hands)


def place_of_a_card(position, _match, hands):
    """Where one of the cards that others may hold lies, another one in each position."""
    cards = len(position.course.game.deck.texts)
    card = position.course.state.decisions * 7 % cards
    return next((at for at, hand in enumerate(hands) if hand >> card & 1), -1)


def secrets(position, match, _hands):
    """What variables hold, in sight or not, added up."""
    told = 0
    for name in position.course.game.program.variables:
        for value in match.values(name):
            told += value if isinstance(value, int) else len(str(value))
    return told


def _pairs(position, hand, part):
    texts = position.course.game.deck.texts
    parts = [part(texts[card]) for card in range(len(texts)) if hand >> card & 1]
    return sum(a == b for i, a in enumerate(parts) for b in parts[:i])


NUMBERS = (
    cards_seen_before, strength_beside, pairs_of_a_rank, pairs_of_a_suit, place_of_a_card, secrets,
)  # fmt: skip


# ------------------------------------------------------------ the battery


def place_of_truth(weight, value, others, luck):
    """Return the place, from 0 to 1, of a value in the weighted distribution of all of them."""
    whole = weight + sum(w for w, _ in others)
    below = sum(w for w, other in others if other < value)
    equal = weight + sum(w for w, other in others if other == value)
    return (below + luck.random() * equal) / whole


@dataclass
class Placed:
    """Where the truth lies among worlds, over positions of one decision.

    of: its places in each number. one: its place in one number of each position, by luck.
    given_up: at so many more positions no worlds were found.
    """

    of: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    one: list[float] = field(default_factory=list)
    positions: int = 0
    given_up: int = 0

    def is_done(self, positions):
        """Tell whether so many positions are enough, or no more use."""
        hides = bool(self.one) or self.positions < NOTHING_HIDDEN
        return not hides or self.positions >= positions or self.given_up >= positions / 2

    @property
    def moments(self):
        """The mean and the spread of one number a position, see `p_of_moments`."""
        return moments_of(self.one) if self.one else (nan, nan)

    @property
    def least(self):
        """The least p-value of all numbers, times how many there are: at most 1."""
        values = [p for places in self.of.values() if len(places) >= FEW for p in p_values(places)]
        return min(1.0, min(values) * len(values)) if values else nan

    @property
    def p(self):
        """The p-value of one number a position: uniform where all is well."""
        return p_even(self.one)


def p_even(places):
    """Return the p-value of even places by Kolmogorov and Smirnov, NaN without places."""
    return float(kstest(places, "uniform").pvalue) if places else nan


def places_of_truth(game, positions, worlds, matches, seed=1):
    """Return by decision where the truth lies, over so many positions of each.

    matches: how many are played for a decision at the most. Each match is played for one decision
    and gives one position at most. So all places are independent, also of different decisions:
    those of one match rest on the same hidden cards.
    """
    found, numbers = {plan.node.decision: Placed() for plan in game.plans}, count()
    for decision, placed in found.items():
        luck = Random(f"{seed} {decision}")
        for number in islice(numbers, matches):
            if placed.is_done(positions):
                break
            asked = positions_of(game, number, decision.__eq__, seed)
            for position in islice(asked, 1):
                add_place(placed, position, worlds, luck)
    return found


def add_place(placed, position, worlds, luck):
    """Draw worlds at a position, and note where the truth lies."""
    drawn = draw_worlds(position, worlds)
    if drawn is None:
        placed.given_up += 1
        return
    placed.positions += 1
    weight = true_weight(position.asking()) / position.options
    truth = position.course.state.match
    hands = held(position, truth)
    told = [(w, state.match, held(position, state.match)) for w, state in drawn]
    places = []
    for tell in NUMBERS:
        value = tell(position, truth, hands)
        others = [(w, tell(position, match, of)) for w, match, of in told]
        if any(other != value for _, other in others):
            places.append(place_of_truth(weight, value, others, luck))
            placed.of[tell.__name__].append(places[-1])
    if places:
        placed.one.append(luck.choice(places))


def moments_of(places):
    """Return the mean of places, and their spread: twelve times their mean square from 1/2."""
    many = len(places)
    return sum(places) / many, 12 * sum((place - 0.5) ** 2 for place in places) / many


def p_values(places):
    """Return the p-values of even places, for their mean and their spread."""
    return [erfc(abs(z) / sqrt(2)) for z in _scores(len(places), *moments_of(places))]


def p_of_moments(many, mean, spread):
    """Return the p-value of the mean and the spread of so many even places together."""
    return float(chi2.sf(sum(z**2 for z in _scores(many, mean, spread)), 2))


def _scores(many, mean, spread):
    """Return how many standard errors the mean and the spread of even places are off.

    The mean has the variance 1 / 12, and the spread 4 / 5. They are not correlated.
    """
    return (mean - 0.5) * sqrt(12 * many), (spread - 1) * sqrt(many / 0.8)


# ------------------------------------------------------------ an exact answer, by a formula


def chi_square_of_cards(sets, cards, many):
    """Return chi-square, and its degrees of freedom, of sets of so many cards from these.

    All such sets should be equally likely. Each card is then in a set with the chance many / cards;
    as a set has so many cards, the sum has (cards - 1) / cards of what independent counts have.
    """
    size = len(cards)
    share = many / size
    spread = len(sets) * share * (1 - share) * size / (size - 1)
    counts = [sum(of >> card & 1 for of in sets) for card in cards]
    return sum((seen - len(sets) * share) ** 2 for seen in counts) / spread, size - 1


def chi_square_of_pairs(sets, cards, many, parts):
    """Return chi-square, and its degrees of freedom, of how many pairs have the same part.

    All sets of so many of these cards are gone through. Numbers that are expected less than five
    times are taken together with the one before.
    """
    expected, seen = defaultdict(int), defaultdict(int)
    for hand in combinations(cards, many):
        expected[sum(parts[a] == parts[b] for a, b in combinations(hand, 2))] += 1
    for of in sets:
        hand = [card for card in cards if of >> card & 1]
        seen[sum(parts[a] == parts[b] for a, b in combinations(hand, 2))] += 1
    assert set(seen) <= set(expected)
    every, cells = sum(expected.values()), []
    for pairs in sorted(expected):
        mean = expected[pairs] * len(sets) / every
        if mean < 5 and cells:
            cells[-1] = cells[-1][0] + seen[pairs], cells[-1][1] + mean
        else:
            cells.append((seen[pairs], mean))
    return sum((n - mean) ** 2 / mean for n, mean in cells), len(cells) - 1


def hands_of_worlds(position, worlds):
    """Return for each world the cards of each seat, as the engine of the position draws them.

    All weights have to be equal. None are returned where the tries did not give so many.
    """
    course = position.course
    if course.game.engine == "reference":
        drawn = draw_worlds(position, worlds) or []
        weights = [weight for weight, _ in drawn]
        found = [held(position, state.match) for _, state in drawn]
    else:
        code, weights, found = course.game.steps, [], []
        for number in range(worlds):
            wanted = wanted_of(course, position.seat, UNIFORM, mixed(position.seed, number), 1)
            drawn = code.search(wanted)[0].tolist()
            if not drawn:
                return []
            weights += drawn
            world = MatchMemory(code.world, code.unit, code.program, code.setting)
            found.append(held(position, world))
    if len(weights) < worlds:
        return []
    assert max(weights) < 1.000001 * min(weights)
    return found


def p_values_by_formula(position, worlds):
    """Return p-values of where unseen cards lie, where every answer is legal whatever one holds.

    Then all ways in which the cards that the seat has not noticed can lie are equally likely.
    """
    game, course = position.course.game, position.course
    marks = course.noticed[position.seat].marks
    noticed = {mark.two for mark in marks if mark.kind in (DRAWN, LAY)}
    unseen = [card for card in range(len(game.deck.texts)) if card not in noticed]
    found, hands = [], hands_of_worlds(position, worlds)
    if not hands:
        return found
    texts = game.deck.texts
    for seat, hand in enumerate(held(position, course.state.match)):
        many = hand.bit_count()
        if many == 0:
            continue
        sets = [of[seat] for of in hands]
        found.append(float(chi2.sf(*chi_square_of_cards(sets, unseen, many))))
        for part in (0, -1) if many > 1 else ():
            parts = [text[part] for text in texts]
            value, free = chi_square_of_pairs(sets, unseen, many, parts)
            if free:
                found.append(float(chi2.sf(value, free)))
    return found
