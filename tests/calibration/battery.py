"""A battery for worlds: simulation-based calibration of the worlds that a seat draws.

Matches are random: chance follows the rules, and each legal answer is equally likely. The asked
seat draws worlds. Given its observations, the truth has the distribution that the worlds should
have, independently of how worlds are drawn. So the rank of the truth among worlds is uniform, in
any number computed from them (Cook, Gelman, Rubin, Validation of Software for Bayesian Models, JCGS
15(3), 2006; Talts et al., Validating Bayesian Inference Algorithms with Simulation-Based
Calibration, arXiv:1804.06788, 2018).

Worlds have weights. Of N worlds and the truth, each is the truth with a probability of its share of
the weights. So the place of the truth in the weighted distribution, drawn uniformly within its own
share, is uniform for any N. Worlds repeat the given answers, while here each answer is random. So
the weight of each course is divided by the product of the numbers of actions that the others had.
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
from trutdsl.native.play.memory import MatchMemory
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.match_history import MatchHistory, cards_at, visible
from trutdsl.strategy.monte_carlo import request_of
from trutdsl.strategy.script import table_for
from trutdsl.strategy.worlds import Replay, Tries, World, WorldKnowledge, WorldStep
from trutdsl.streams import Stream, mix_in
from trutdsl.table.chance import StreamChance
from trutdsl.table.sight import DRAWN, LAY

UNIFORM = load_strategy("uniform")
MEAN_SKIPS = 1.0  # the mean number of questions of a decision that are skipped in a match
FIRST_DEALS = 3  # the search for a position starts in a random one of the first deals
DEALS = 5  # the most deals of a match: each world is played from the start
ALIKE_POSITIONS = 10  # after so many positions with equal worlds only, no others are expected
LEAST_PLACES = 20  # so many places have an approximately normal mean
TRIES = 20  # for each world; after that a position is given up


class Position:
    """A match at a question.

    seen:    the mask of the cards that the seat saw in earlier deals.
    options: the product of the numbers of actions that the others had.
    seed:    the seed of its worlds.
    """

    def __init__(self, course, seat, seen, options, seed):
        self.course, self.seat, self.seen, self.options = course, seat, seen, options
        self.seed = seed
        self.decision = course.state.pending.decision

    def asking(self):
        return WorldKnowledge(self.course, self.course.noticed[self.seat])


def positions_of(game, number, wanted, seed=1):
    """Yield positions of a match, at most one of each decision, during play.

    wanted: tells whether a decision is wanted. Only the number of the match decides the first deal
    and the skipped questions. So the choice does not depend on the cards of others.
    """
    luck = Random(f"{seed} {number}")
    seat, first, skips = luck.randrange(game.players), luck.randrange(FIRST_DEALS), {}
    table = table_for(game, (UNIFORM,)).compiled_game
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
                if question.decision not in skips:
                    skips[question.decision] = int(luck.expovariate(MEAN_SKIPS))
                if skips[question.decision] == 0 and wanted(question.decision):
                    yield Position(course, seat, seen, options, luck.getrandbits(64))
                skips[question.decision] -= 1
            if question.seat != seat:
                options *= len(question.actions)
            course.apply(luck.randrange(len(question.actions)))


class CountingReplay(Replay):
    """A replay that multiplies the numbers of actions that the others have."""

    options = 1

    def _answer(self, state, question):
        if question.seat != self.asking.noticed.seat:
            self.options *= len(question.actions)
        return super()._answer(state, question)


class TrueReplay(Replay):
    """A replay of the truth as a world, with the actual results of chance and answers."""

    def __init__(self, asking, world):
        super().__init__(asking, world, Stream(0))
        self.values, self.value = iter(asking.course.current), 0

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
    """Return the weight of the truth as a world."""
    world = World(list(range(len(asking.game.deck.texts))), True)
    TrueReplay(asking, world).play()
    return world.weight


def draw_worlds(position, worlds):
    """Return the weights under uniform play and the states of worlds; None if too many tries fail.

    No world is mended.
    """
    asking, found = position.asking(), []
    tries = Tries(1, TRIES * worlds)
    for number in range(worlds):
        stream = Stream(mix_in(position.seed, number))
        world = asking.sample_world(stream, tries)
        if world is None or tries.mends:
            return None
        replay = CountingReplay(asking, world, stream)
        state = replay.play()
        found.append((world.weight / replay.options, state))
    return found


# ------------------------------------------------------------ numbers of a world


def unseen_hands(position, match):
    """Return the mask of each other seat's cards that the seat cannot see."""
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
    """Return the number of cards of others that the seat saw in earlier deals.

    If not all cards are shuffled, worlds ignore earlier deals, so the number is 0.
    """
    if position.course.permutes:
        return 0
    return sum((hand & position.seen).bit_count() for hand in hands)


def strength_beside(position, _match, hands):
    """Return the sum of the indices of the next seat's cards; weak cards have high indices."""
    next_seat = (position.seat + 1) % len(hands)
    return sum(card for card in range(64) if hands[next_seat] >> card & 1)


def pairs_of_a_rank(position, _match, hands):
    """Return the number of pairs of one rank within hands."""
    return sum(_pairs(position, hand, lambda text: text[:-1]) for hand in hands)


def pairs_of_a_suit(position, _match, hands):
    """Return the number of pairs of one suit within hands."""
    return sum(_pairs(position, hand, lambda text: text[-1:]) for hand in hands)


def place_of_a_card(position, _match, hands):
    """Return the seat that holds one card; each position has another card."""
    cards = len(position.course.game.deck.texts)
    card = position.course.state.decisions * 7 % cards
    return next((at for at, hand in enumerate(hands) if hand >> card & 1), -1)


def secrets(position, match, _hands):
    """Return the sum of all variables, hidden or not."""
    total = 0
    for name in position.course.game.program.variables:
        for value in match.values(name):
            total += value if isinstance(value, int) else len(str(value))
    return total


def _pairs(position, hand, part):
    texts = position.course.game.deck.texts
    parts = [part(texts[card]) for card in range(len(texts)) if hand >> card & 1]
    return sum(a == b for i, a in enumerate(parts) for b in parts[:i])


NUMBERS = (
    cards_seen_before, strength_beside, pairs_of_a_rank, pairs_of_a_suit, place_of_a_card, secrets,
)  # fmt: skip


# ------------------------------------------------------------ the battery


def place_of_truth(weight, value, others, luck):
    """Return the place, from 0 to 1, of a value in the weighted distribution of all values."""
    whole = weight + sum(w for w, _ in others)
    below = sum(w for w, other in others if other < value)
    equal = weight + sum(w for w, other in others if other == value)
    return (below + luck.random() * equal) / whole


@dataclass
class TruthPlaces:
    """The places of the truth among worlds, over positions of one decision.

    of:       number -> its places. one: the place in one random number of each position.
    given_up: the number of further positions without enough worlds.
    """

    of: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    one: list[float] = field(default_factory=list)
    positions: int = 0
    given_up: int = 0

    def is_done(self, positions):
        """Tell whether there are enough positions, or more are useless."""
        hides = bool(self.one) or self.positions < ALIKE_POSITIONS
        return not hides or self.positions >= positions or self.given_up >= positions / 2

    @property
    def moments(self):
        """The mean and the spread of the places in `one`, see `p_of_moments`."""
        return moments_of(self.one) if self.one else (nan, nan)

    @property
    def least(self):
        """The least p-value of all numbers, with Bonferroni's correction."""
        values = [
            p
            for places in self.of.values()
            if len(places) >= LEAST_PLACES
            for p in p_values(places)
        ]
        return min(1.0, min(values) * len(values)) if values else nan

    @property
    def p(self):
        """The p-value of the places in `one`: uniform if the worlds are right."""
        return p_even(self.one)


def p_even(places):
    """Return the p-value of a Kolmogorov-Smirnov test for uniform places; NaN without places."""
    return float(kstest(places, "uniform").pvalue) if places else nan


def places_of_truth(game, positions, worlds, matches, seed=1):
    """Return the places of the truth at each decision, over a number of positions.

    matches: the most matches for one decision. Each match is played for one decision and gives at
    most one position: positions of one match share hidden cards. So all places are independent.
    """
    found, numbers = {plan.node.decision: TruthPlaces() for plan in game.plans}, count()
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
    """Draw worlds at a position, and note the place of the truth."""
    drawn = draw_worlds(position, worlds)
    if drawn is None:
        placed.given_up += 1
        return
    placed.positions += 1
    weight = true_weight(position.asking()) / position.options
    truth = position.course.state.match
    hands = unseen_hands(position, truth)
    worlds_and_hands = [(w, state.match, unseen_hands(position, state.match)) for w, state in drawn]
    places = []
    for compute in NUMBERS:
        value = compute(position, truth, hands)
        others = [(w, compute(position, match, of)) for w, match, of in worlds_and_hands]
        if any(other != value for _, other in others):
            places.append(place_of_truth(weight, value, others, luck))
            placed.of[compute.__name__].append(places[-1])
    if places:
        placed.one.append(luck.choice(places))


def moments_of(places):
    """Return the mean of places, and their spread: twelve times their mean square from 1/2."""
    many = len(places)
    return sum(places) / many, 12 * sum((place - 0.5) ** 2 for place in places) / many


def p_values(places):
    """Return the p-values of the mean and of the spread, for uniform places."""
    return [erfc(abs(z) / sqrt(2)) for z in _scores(len(places), *moments_of(places))]


def p_of_moments(many, mean, spread):
    """Return the joint p-value of the mean and the spread of uniform places."""
    return float(chi2.sf(sum(z**2 for z in _scores(many, mean, spread)), 2))


def _scores(many, mean, spread):
    """Return the z-scores of the mean and the spread, for uniform places.

    The mean has the variance 1 / 12, and the spread 4 / 5. They are uncorrelated.
    """
    return (mean - 0.5) * sqrt(12 * many), (spread - 1) * sqrt(many / 0.8)


# ------------------------------------------------------------ exact distributions


def chi_square_of_cards(sets, cards, many):
    """Return chi-square, with its degrees of freedom, for random sets of `many` of these cards.

    All such sets should be equally likely. Each card is then in a set with the chance many / cards.
    The size of a set is fixed, so the sum is (cards - 1) / cards of that of independent counts.
    """
    size = len(cards)
    share = many / size
    spread = len(sets) * share * (1 - share) * size / (size - 1)
    counts = [sum(of >> card & 1 for of in sets) for card in cards]
    return sum((seen - len(sets) * share) ** 2 for seen in counts) / spread, size - 1


def chi_square_of_pairs(sets, cards, many, parts):
    """Return chi-square, with its degrees of freedom, for the number of pairs with the same part.

    The expected numbers come from all sets of `many` of these cards. A number that is expected
    less than five times is merged with the one before.
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
    """Draw worlds with the engine of the position; return the cards of each seat in each world.

    All weights must be equal. The list is empty if too many tries fail.
    """
    course = position.course
    if course.game.engine == "reference":
        drawn = draw_worlds(position, worlds) or []
        weights = [weight for weight, _ in drawn]
        found = [unseen_hands(position, state.match) for _, state in drawn]
    else:
        code, weights, found = course.game.steps, [], []
        for number in range(worlds):
            wanted = request_of(
                course, position.seat, UNIFORM.name, mix_in(position.seed, number), 1
            )
            drawn = code.search(wanted)[0].tolist()
            if not drawn:
                return []
            weights += drawn
            world = MatchMemory(code.world, code.unit, code.program, code.setting)
            found.append(unseen_hands(position, world))
    if len(weights) < worlds:
        return []
    assert max(weights) < 1.000001 * min(weights)
    return found


def p_values_by_formula(position, worlds):
    """Return p-values of the places of unseen cards, if no answer depends on hidden cards.

    Then all arrangements of the cards that the seat has not noticed are equally likely.
    """
    game, course = position.course.game, position.course
    marks = course.noticed[position.seat].marks
    noticed = {mark.two for mark in marks if mark.kind in (DRAWN, LAY)}
    unseen = [card for card in range(len(game.deck.texts)) if card not in noticed]
    found, hands = [], hands_of_worlds(position, worlds)
    if not hands:
        return found
    texts = game.deck.texts
    for seat, hand in enumerate(unseen_hands(position, course.state.match)):
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
