"""Pairs of runs of a match that a seat may not distinguish: a test of delimited release.

Two positions agree on all that a seat may see, and differ in what it may not see: the hidden cards
are permuted, and hidden variables have other values. Both continue with the same public answers and
the same luck (a draw takes the card at the same index of the permuted group). The seat must observe
the same until it is asked: questions and answers, the number of cards in each place, visible cards,
the ends of tricks and deals, its view.

Intended releases are excluded (Sabelfeld, Myers: A Model for Delimited Information Release, 2004).
A card that is seen later lies at the same place in both positions. So do all cards that lay with it
in a place when one of them was picked. If a value of `openly(...)`, a revealed variable or an
answer `openly` differs between the runs, they are not compared.
"""

from itertools import chain
from random import Random

from tests.fuzz.flow.observed import Luck, ObservedMatch, compile_observed, notices
from trutdsl.game.view import VIEW_FIELDS, make_view
from trutdsl.ir.nodes import Hands, questions_of
from trutdsl.ir.types import Element, Number, OneOf, SetOf
from trutdsl.streams import Stream
from trutdsl.table.faults import RuleError
from trutdsl.table.match import Question

MOST_ANSWERS = 60
EACH = 4  # second runs from a position, by default


class NotComparable(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The two runs cannot be compared."""


class Base:
    """A position of a match, and the first run: from there until a seat is asked.

    most:   the most questions that are answered before the position.
    before: the indices of the answers up to the position. first_run: the run from there.

    Raises `NotComparable` if there is no such position.
    """

    def __init__(self, game, code, seed, most):
        self.game, self.code, self.seed = game, code, seed
        self.random = Random(seed)
        self.seat, self.before = self.random.randrange(game.players), []
        self.first_run = ObservedMatch(code, Luck(seed))
        for _ in range(max(0, self.random.randint(-most, most))):
            self.before.append(self.random.randrange(count_choices(self.first_run)))
            self.first_run.go_on(self.before[-1])
        require_question(self.first_run)
        self.first_run.watch(game, self.seat)
        play(self.first_run, Random(self.random.random()))

    def replay(self, key=None):
        """Return the match at the position; with a key, at one that the seat cannot distinguish."""
        run = ObservedMatch(self.code, Luck(self.seed))
        for index in self.before:
            run.go_on(index)
        run.watch(self.game, self.seat)
        if key is not None:
            run.first, run.chance.first = self.first_run.trace, self.first_run.chance.groups
            disturb(run, Random(key))
        return run

    def play_second(self, key):
        """Return the second run from the position of a key, and its difference to the first run."""
        run = self.replay(key)
        try:
            follow(run, self.first_run.trace.seen, Random(key + 1))
        except Diverged as error:
            return run, self._unless_released(run, str(error))
        return run, self._unless_released(run, self._difference(run))

    def _difference(self, run):
        one = self.first_run
        if one.trace.seen != run.trace.seen:
            return first_difference(one.trace.seen, run.trace.seen)
        if (one.pending is None) != (run.pending is None):
            return "the match is over"
        if one.pending is None:
            return None if one.winner == run.winner else "another team wins"
        return compare_views(self.game, one, run)

    def _unless_released(self, run, difference):
        return difference and compare_released(self.first_run, run, difference)


def distinguish(game, code, seed, most):
    """Return how a seat distinguishes two runs, or None. May raise `NotComparable`."""
    base = Base(game, code, seed, most)
    return base.play_second(base.random.getrandbits(40))[1]


class Diverged(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The second run has taken another course."""


def play(run, random):
    """Continue until the seat is asked."""
    for _ in range(MOST_ANSWERS):
        run.go_on(random.randrange(count_choices(run)))
        if run.pending is None or is_asked(run):
            return
        note_question(run)
    raise NotComparable


def follow(run, seen, random):
    """Continue until the seat is asked, with the same answers where the seat notices them."""
    for _ in range(2 * MOST_ANSWERS):
        pending = run.pending
        if isinstance(pending, Question):
            done = len(run.trace.seen)
            if run.trace.seen != seen[:done]:
                raise Diverged(first_difference(seen, run.trace.seen))
            due = seen[done] if done < len(seen) else None
            run.go_on(answer(run, pending, due, random))
        else:
            run.go_on(0)
        if run.pending is None or is_asked(run):
            return
        note_question(run)
    raise NotComparable


def answer(run, question, due, random):
    """Return the answer that produces the event that the seat must notice next."""
    texts = [action.text for action in question.actions]
    said = (question.seat, question.decision)
    # A card in an answer is seen before the answer itself.
    place = len(run.trace.seen)
    awaited = next((s for s in run.first.seen[place:] if s[0] != "shown"), None)
    if notices(run.game, question, run.seat):
        if due is None or awaited is None or awaited[:3] != ("answer", *said):
            raise Diverged(f"asked {said}, not {awaited}")
        if awaited[3] not in texts:
            raise NotComparable
        return texts.index(awaited[3])
    openly = awaited is not None and awaited[:3] == ("openly", *said)
    if openly and not _comes_later(run, said):
        if awaited[3] not in texts:
            raise NotComparable
        return texts.index(awaited[3])
    options = questions_of(run.code.program)[question.number].options
    quiet = [i for i, a in enumerate(question.actions) if not options[a.option].openly]
    picked = _counterpart_cards(run, question)
    quiet = [
        i for i in quiet if picked is None or _is_counterpart(picked, run, question.actions[i])
    ]
    if not quiet:
        raise NotComparable
    return random.choice(quiet)


def _is_counterpart(picked, run, action):
    """Tell whether an action may take the place of a seat's pick in the first run.

    It picks the same cards, or cards that this seat sees anyway. A choice of several cards may pick
    another number of them, because the number is a secret, too.
    """
    cards = cards_in(run, action)
    if cards == picked or (cards and _sees_all(run, (*cards, *picked))):
        return True
    option = questions_of(run.code.program)[run.pending.number].options[action.option]
    several = any(isinstance(b.items, Hands) for b in option.binders)
    return several and len(cards) != len(picked)


def _comes_later(run, said):
    """Tell whether the seat answered `openly` later in the first run: after more questions.

    Such an answer also releases its time.
    """
    before = [one[3] for one in run.first.answers if one[:2] == said]
    now = [one[3] for one in run.trace.answers if one[:2] == said]
    places = [place for place, openly in enumerate(before) if openly]
    return len(now) < places[now.count(True)]


def _sees_all(run, cards):
    zones = run.code.program.zones
    return all(run.sees(zones[name], at) for name, at in map(run.trace.places.get, cards))


def _counterpart_cards(run, question):
    """Return the counterparts of the cards in this seat's answer in the first run, or None."""
    before = [s[2] for s in run.first.answers if s[:2] == (question.seat, question.decision)]
    nth = sum(s[:2] == (question.seat, question.decision) for s in run.trace.answers)
    if nth < len(before):
        return tuple(sorted(run.counterparts.get(card, card) for card in before[nth]))
    return None


def cards_in(run, action):
    """Return the cards that an action names."""
    texts = run.game.deck.texts
    return tuple(sorted(texts.index(t) for t in action.text.split() if t in texts))


def note_question(run):
    if isinstance(run.pending, Question) and notices(run.game, run.pending, run.seat):
        run.note("asked", run.pending.seat, run.pending.decision)


def count_choices(run):
    """Return the number of ways to continue."""
    if run.pending is None:
        raise NotComparable
    return len(run.pending.actions) if isinstance(run.pending, Question) else 1


def require_question(run):
    if not isinstance(run.pending, Question):
        raise NotComparable
    return run.pending


def is_asked(run):
    return isinstance(run.pending, Question) and run.pending.seat == run.seat


def first_difference(one, other):
    for a, b in zip(one, other, strict=False):
        if a != b:
            return f"notices {b}, else {a}"
    return f"notices {len(other)} things, else {len(one)}: {(other + one)[-1]}"


def compare_released(one, other, difference):
    """Return the difference, unless rules released different values before."""
    if releases_differ(one, other) or "openly" in difference:
        raise NotComparable
    return difference


def releases_differ(one, other):
    """Tell whether the rules released different values in the two runs."""
    both = zip(one.trace.released, other.trace.released, strict=False)
    return any(a != b for a, b in both)


def compare_views(game, one, other):
    first, second = (make_view(m, game.legends, m.pending, Stream(0)) for m in (one, other))
    for name in VIEW_FIELDS:
        seen, other_seen = getattr(first, name), getattr(second, name)
        if seen != other_seen:
            return f"{name} is {other_seen}, else {seen}"
    return None


def disturb(run, random):
    """Permute the hidden cards and change the hidden values, except those released later.

    Cards are permuted among all zones, or within each zone, which changes less.
    """
    game, first_trace = run.game, run.first
    known, new = set(), set(first_trace.shown)
    while new:
        known |= new
        new = {c for card in new for c in first_trace.companions.get(card, ())} - known
    hidden = []
    for zone in game.program.zones.values():
        piles = run.zones[zone.name]
        hidden.append([g for i, p in enumerate(piles) if not run.sees(zone, i) for g in p.groups])
    if random.random() < 0.6:
        hidden = [list(chain(*hidden))]
    counterparts = run.counterparts = {}
    for groups in hidden:
        cards = [c for group in groups for c in group if c not in known]
        counterparts |= zip(cards, random.sample(cards, len(cards)), strict=True)
    run.chance.order = {new: old for old, new in counterparts.items()}
    for group in chain(*hidden):
        group[:] = sorted(counterparts.get(c, c) for c in group)
    for zone in game.program.zones.values():
        for pile in run.zones[zone.name]:
            if not pile.ordered:
                pile.groups.sort()
    for name, piles in run.zones.items():
        for at, pile in enumerate(piles):
            for card in pile.cards():
                run.trace.places[card] = name, at
    revealed = {(name, at) for name, at, *_ in first_trace.released if isinstance(at, int)}
    for variable in game.program.variables.values():
        values = run.variables[variable.name]
        for i in range(len(values)):
            if not run.sees(variable, i) and (variable.name, i) not in revealed:
                list.__setitem__(values, i, _any_value(run.code, variable, random))


def _any_value(code, variable, random):
    """Return a random value of a variable; a small one for a number without bounds."""
    match variable.type:
        case Number():
            low, high = code.bounds[variable.name]
            return random.randint(max(low, 0), min(high, 3)) if low <= 0 < high else low
        case OneOf(names):
            return random.randrange(len(names))
        case Element(kind, optional):
            elements = range(code.setting.count(kind))
            return random.choice([*elements, *[None] * optional])
        case SetOf(kind):
            return frozenset(i for i in range(code.setting.count(kind)) if random.random() < 0.5)
    return random.choice([False, True])


def play_pairs(game, bases, each, seed, most=4):
    """Yield pairs of runs: the base of the first, the key of the second, that run, its difference.

    bases: the number of positions. each: the number of second runs from each position.
    """
    code = compile_observed(game)
    for number in range(bases):
        try:
            base = Base(game, code, seed * 1000 + number, most)
        except (NotComparable, RuleError):
            continue
        for _ in range(each):
            key = base.random.getrandbits(40)
            try:
                run, difference = base.play_second(key)
            except (NotComparable, RuleError):
                continue
            yield base, key, run, difference


def try_rules(game, tries, seed, most=4):
    """Return the number of compared pairs, and the differences between their runs.

    tries: the number of positions.
    """
    compared, differences = 0, []
    for _, _, _, difference in play_pairs(game, tries, EACH, seed, most):
        compared += 1
        if difference:
            differences.append(difference)
    return compared, differences
