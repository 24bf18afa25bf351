"""Two runs of a match that a seat may not be able to distinguish: delimited release, by experiment.

Two positions agree on all that a seat may see, and differ in what it may not see: the hidden cards
are permuted, hidden variables have other values. Both go on with the same public answers and the
same luck (a draw takes the card of the same place in the permuted group). All that the seat can
observe from there on, until it is asked, must be the same: what is asked and answered, how many
cards lie where, which are seen, how tricks and deals end, its view.

What rules release on purpose is taken out (Sabelfeld, Myers: A Model for Delimited Information
Release, 2004). A card that is seen later lies in both positions where it lies in the first, and so
do all cards that lay with it in a place when one of them was picked. If a value of `openly(...)`, a
revealed variable or an answer `openly` differs between the runs, they are not compared.
"""

from itertools import chain
from random import Random

from tests.fuzz.flow.observed import Luck, Observed, compiled, noticed
from trutdsl.game.view import VIEW_FIELDS, make_view
from trutdsl.ir.nodes import Hands, questions_of
from trutdsl.ir.types import Element, Number, OneOf, SetOf
from trutdsl.streams import Stream
from trutdsl.table.faults import RuleError
from trutdsl.table.match import Question

MOST_ANSWERS = 60
EACH = 4  # second runs from a position, where nothing else is said


class Odd(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The two runs cannot be compared."""


class Base:
    """A position of a match, and how it goes on from there until a seat is asked: the first run.

    most:  how many questions are answered at most before the position.
    before: the answers up to the position; one: the first run. Raises `Odd` if there is none.
    """

    def __init__(self, game, code, seed, most):
        self.game, self.code, self.seed = game, code, seed
        self.random = Random(seed)
        self.seat, self.before = self.random.randrange(game.players), []
        self.one = Observed(code, Luck(seed))
        for _ in range(max(0, self.random.randint(-most, most))):
            self.before.append(self.random.randrange(count(self.one)))
            self.one.go_on(self.before[-1])
        question_of(self.one)
        self.one.watch(game, self.seat)
        play(self.one, Random(self.random.random()))

    def again(self, key=None):
        """Return the match at the position, with a key at one that the seat cannot tell from it."""
        run = Observed(self.code, Luck(self.seed))
        for index in self.before:
            run.go_on(index)
        run.watch(self.game, self.seat)
        if key is not None:
            run.first, run.chance.first = self.one.trace, self.one.chance.groups
            disturb(run, Random(key))
        return run

    def other(self, key):
        """Return the second run from the position of a key, and how the seat distinguishes it."""
        run = self.again(key)
        try:
            follow(run, self.one.trace.seen, Random(key + 1))
        except Apart as apart:
            return run, self._unless_released(run, str(apart))
        return run, self._unless_released(run, self._difference(run))

    def _difference(self, run):
        one = self.one
        if one.trace.seen != run.trace.seen:
            return first_difference(one.trace.seen, run.trace.seen)
        if (one.pending is None) != (run.pending is None):
            return "the match is over"
        if one.pending is None:
            return None if one.winner == run.winner else "another team wins"
        return compare_views(self.game, one, run)

    def _unless_released(self, run, difference):
        return difference and compare_released(self.one, run, difference)


def distinguish(game, code, seed, most):
    """Return how a seat distinguishes two runs, or None; raises `Odd` if nothing was compared."""
    base = Base(game, code, seed, most)
    return base.other(base.random.getrandbits(40))[1]


class Apart(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The second run has gone another way."""


def play(run, random):
    """Play on, until the seat is asked."""
    for _ in range(MOST_ANSWERS):
        run.go_on(random.randrange(count(run)))
        if run.pending is None or is_for(run):
            return
        asked(run)
    raise Odd


def follow(run, seen, random):
    """Play on with the same answers as far as the seat notices them."""
    for _ in range(2 * MOST_ANSWERS):
        pending = run.pending
        if isinstance(pending, Question):
            done = len(run.trace.seen)
            if run.trace.seen != seen[:done]:
                raise Apart(first_difference(seen, run.trace.seen))
            due = seen[done] if done < len(seen) else None
            run.go_on(answer(run, pending, due, random))
        else:
            run.go_on(0)
        if run.pending is None or is_for(run):
            return
        asked(run)
    raise Odd


def answer(run, question, due, random):
    """Return the answer that goes with what the seat is to notice next."""
    texts = [action.text for action in question.actions]
    said = (question.seat, question.decision)
    # A card in an answer is seen before the answer itself.
    place = len(run.trace.seen)
    awaited = next((s for s in run.first.seen[place:] if s[0] != "shown"), None)
    if noticed(run.game, question, run.seat):
        if due is None or awaited is None or awaited[:3] != ("answer", *said):
            raise Apart(f"asked {said}, not {awaited}")
        if awaited[3] not in texts:
            raise Odd
        return texts.index(awaited[3])
    openly = awaited is not None and awaited[:3] == ("openly", *said)
    if openly and not _comes_later(run, said):
        if awaited[3] not in texts:
            raise Odd
        return texts.index(awaited[3])
    options = questions_of(run.code.program)[question.number].options
    quiet = [i for i, a in enumerate(question.actions) if not options[a.option].openly]
    picked = _picked(run, question)
    quiet = [i for i in quiet if picked is None or _goes_with(picked, run, question.actions[i])]
    if not quiet:
        raise Odd
    return random.choice(quiet)


def _goes_with(picked, run, action):
    """Tell whether an action may stand for what a seat picked in the first run.

    It takes the same cards; or such as this seat sees anyway; or of several at once another number,
    which is a secret like any other.
    """
    cards = cards_in(run, action)
    if cards == picked or (cards and _sees_all(run, (*cards, *picked))):
        return True
    option = questions_of(run.code.program)[run.pending.number].options[action.option]
    several = any(isinstance(b.items, Hands) for b in option.binders)
    return several and len(cards) != len(picked)


def _comes_later(run, said):
    """Tell whether the seat was asked more often in the first run before it answered `openly`.

    With such an answer it is released when it is given.
    """
    before = [one[3] for one in run.first.said if one[:2] == said]
    now = [one[3] for one in run.trace.said if one[:2] == said]
    places = [place for place, openly in enumerate(before) if openly]
    return len(now) < places[now.count(True)]


def _sees_all(run, cards):
    zones = run.code.program.zones
    return all(run.sees(zones[name], at) for name, at in map(run.trace.lies.get, cards))


def _picked(run, question):
    """Return the cards that go with what this seat picked in the first run, None if it did not."""
    before = [s[2] for s in run.first.said if s[:2] == (question.seat, question.decision)]
    nth = sum(s[:2] == (question.seat, question.decision) for s in run.trace.said)
    if nth < len(before):
        return tuple(sorted(run.turn.get(card, card) for card in before[nth]))
    return None


def cards_in(run, action):
    """Return the cards that an action names."""
    texts = run.game.deck.texts
    return tuple(sorted(texts.index(t) for t in action.text.split() if t in texts))


def asked(run):
    if isinstance(run.pending, Question) and noticed(run.game, run.pending, run.seat):
        run.note("asked", run.pending.seat, run.pending.decision)


def count(run):
    """Return among how many ways to go on there is a choice."""
    if run.pending is None:
        raise Odd
    return len(run.pending.actions) if isinstance(run.pending, Question) else 1


def question_of(run):
    if not isinstance(run.pending, Question):
        raise Odd
    return run.pending


def is_for(run):
    return isinstance(run.pending, Question) and run.pending.seat == run.seat


def first_difference(one, other):
    for a, b in zip(one, other, strict=False):
        if a != b:
            return f"notices {b}, else {a}"
    return f"notices {len(other)} things, else {len(one)}: {(other + one)[-1]}"


def compare_released(one, other, difference):
    """Return the difference, unless rules have released something else before."""
    if released_otherwise(one, other) or "openly" in difference:
        raise Odd
    return difference


def released_otherwise(one, other):
    """Tell whether rules have released another value in the other run."""
    both = zip(one.trace.released, other.trace.released, strict=False)
    return any(a != b for a, b in both)


def compare_views(game, one, other):
    first, second = (make_view(m, game, m.pending, Stream(0)) for m in (one, other))
    for name in VIEW_FIELDS:
        seen, else_seen = getattr(first, name), getattr(second, name)
        if seen != else_seen:
            return f"{name} is {else_seen}, else {seen}"
    return None


def disturb(run, random):
    """Permute the hidden cards and change the hidden values, all but what is released later.

    Cards change places with all others, or with those of the same zone, where fewer things change.
    """
    game, later = run.game, run.first
    known, new = set(), set(later.shown)
    while new:
        known |= new
        new = {c for card in new for c in later.beside.get(card, ())} - known
    hidden = []
    for zone in game.program.zones.values():
        piles = run.zones[zone.name]
        hidden.append([g for i, p in enumerate(piles) if not run.sees(zone, i) for g in p.groups])
    if random.random() < 0.6:
        hidden = [list(chain(*hidden))]
    turn = run.turn = {}
    for groups in hidden:
        cards = [c for group in groups for c in group if c not in known]
        turn |= zip(cards, random.sample(cards, len(cards)), strict=True)
    run.chance.order = {new: old for old, new in turn.items()}
    for group in chain(*hidden):
        group[:] = sorted(turn.get(c, c) for c in group)
    for zone in game.program.zones.values():
        for pile in run.zones[zone.name]:
            if not pile.ordered:
                pile.groups.sort()
    for name, piles in run.zones.items():
        for at, pile in enumerate(piles):
            for card in pile.cards():
                run.trace.lies[card] = name, at
    revealed = {(name, at) for name, at, *_ in later.released if isinstance(at, int)}
    for variable in game.program.variables.values():
        values = run.variables[variable.name]
        for i in range(len(values)):
            if not run.sees(variable, i) and (variable.name, i) not in revealed:
                list.__setitem__(values, i, _any_value(run.code, variable, random))


def _any_value(code, variable, random):
    """Return some value of a variable; of a number that has no bounds, a small one."""
    match variable.type:
        case Number():
            low, high = code.bounds[variable.name]
            return random.randint(max(low, 0), min(high, 3)) if low <= 0 < high else low
        case OneOf(names):
            return random.randrange(len(names))
        case Element(kind, optional):
            count = code.setting.count(kind)
            return random.choice([*range(count), *[None] * optional])
        case SetOf(kind):
            return frozenset(i for i in range(code.setting.count(kind)) if random.random() < 0.5)
    return random.choice([False, True])


def pairs(game, bases, each, seed, most=4):
    """Yield pairs of runs: the first one's base, the key of the second, that one, how it differs.

    bases: from how many positions; each: how many second runs from each of them.
    """
    code = compiled(game)
    for number in range(bases):
        try:
            base = Base(game, code, seed * 1000 + number, most)
        except (Odd, RuleError):
            continue
        for _ in range(each):
            key = base.random.getrandbits(40)
            try:
                run, apart = base.other(key)
            except (Odd, RuleError):
                continue
            yield base, key, run, apart


def try_rules(game, tries, seed, most=4):
    """Return how often two runs were compared, and how they were distinguished.

    tries: from how many positions.
    """
    compared, apart = 0, []
    for _, _, _, found in pairs(game, tries, EACH, seed, most):
        compared += 1
        if found:
            apart.append(found)
    return compared, apart
