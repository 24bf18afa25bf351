"""Two runs of a match that a seat may not be able to tell apart: delimited release, by experiment.

Two positions agree on all that a seat may see, and differ in what it may not see: the hidden cards
are permuted, hidden variables have other values. Both go on with the same public answers and the
same luck (a draw takes the card of the same place in the permuted group). All that the seat can
observe from there on, until it is asked, must be the same: what is asked and answered, how many
cards lie where, which are seen, how tricks and deals end, its view.

What rules release on purpose is taken out (Sabelfeld, Myers: A Model for Delimited Information
Release, 2004). A card that is seen later lies in both positions where it lies in the first, and so
do all cards that lay with it in a place when one of them was picked. If a value of `openly(...)`, a revealed
variable or an answer `openly` differs between the runs, they are not compared.
"""

from dataclasses import dataclass, field
from random import Random
from unittest.mock import patch

from trutdsl.game.view import make_view
from trutdsl.interp import compile_expressions, compile_program
from trutdsl.interp.machine import Machine
from trutdsl.ir.types import Kind
from trutdsl.streams import Stream
from trutdsl.syntax.ast import Audience
from trutdsl.table import Question, RuleError

MOST_ANSWERS = 60


class Odd(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The two runs cannot be compared."""


class Luck:
    """Luck that goes on alike in two runs: draws by their number, dice by what is thrown."""

    def __init__(self, seed):
        self.seed, self.draws, self.order = seed, 0, {}

    def start(self, _part, _dealer):
        pass

    def card(self, cards, _target, _index, _face_up):
        self.draws += 1
        index = Random(f"{self.seed} card {self.draws}").randrange(len(cards))
        return sorted(cards, key=lambda card: self.order.get(card, card))[index]

    def element(self, elements, _kind):
        return elements[Random(f"{self.seed} {elements} {self.draws}").randrange(len(elements))]


@dataclass
class Trace:
    """What a seat observed since a moment, and what rules released.

    lies:   where each card lies.
    beside: card -> all that lay in a place with it when one of them was picked, or when they were
            laid from there upon a pile in the order of the pack.
    """

    seen: list = field(default_factory=list)
    released: list = field(default_factory=list)
    shown: set = field(default_factory=set)
    lies: dict = field(default_factory=dict)
    beside: dict = field(default_factory=dict)


class Watched(list):
    """Values of a variable; those that were revealed are noted as released when they change."""

    def __init__(self, values, name, machine):
        super().__init__(values)
        self.name, self.machine = name, machine

    def __setitem__(self, at, value):
        super().__setitem__(at, value)
        if self.machine.grants.get((self.name, at)):
            self.machine.trace.released.append((self.name, at, value))


class Observed(Machine):
    """A match in the reference engine, as one seat observes it."""

    drawing = False

    def watch(self, game, seat):
        """Begin to note what a seat observes."""
        self.game, self.seat, self.trace = game, seat, Trace()
        for name, piles in self.zones.items():
            for at, pile in enumerate(piles):
                for card in pile.cards():
                    self.trace.lies[card] = name, at
                    if self.sees(self.game.program.zones[name], at):
                        self.trace.shown.add(card)
        for name, values in self.variables.items():
            self.variables[name] = Watched(values, name, self)

    @property
    def watching(self):
        return hasattr(self, "trace")

    def sees(self, place, at):
        """Tell whether the seat sees a zone or variable."""
        if self.seat in self.grants.get((place.name, at), ()) or place.audience is Audience.ALL:
            return True
        if place.audience is Audience.NOBODY:
            return False
        if place.index is Kind.TEAM:
            return at == self.game.teams[self.seat]
        if place.audience is Audience.TEAM:
            return self.game.teams[at] == self.game.teams[self.seat]
        return at == self.seat

    def note(self, *what):
        if self.watching:
            self.trace.seen.append(what)

    def draw(self, origin, at, target, index, face_up, span):
        self.drawing = True
        card = super().draw(origin, at, target, index, face_up, span)
        self.drawing = False
        if face_up and self.watching:
            self.show(card)
        return card

    def show(self, card):
        self.trace.shown.add(card)
        self.note("shown", card)

    def put(self, groups, name, at, under, span):
        super().put(groups, name, at, under, span)
        if self.watching:
            self.arrived([c for group in groups for c in group], name, at)

    def arrived(self, cards, name, at):
        lies = self.trace.lies
        origin = lies[cards[0]] if cards else None
        zones = self.code.program.zones
        if origin and not self.drawing:
            self.looked_at(*origin, all_of_it=zones[origin[0]].ordered)
        for card in cards:
            lies[card] = name, at
        self.note("put", origin, name, at, len(cards))
        if self.sees(self.code.program.zones[name], at):
            for card in cards:
                self.show(card)

    def looked_at(self, name, at, all_of_it=False):
        """Note that a card was picked by what lies in a place, unless a pile is moved as it is."""
        held = {card for card, place in self.trace.lies.items() if place == (name, at)}
        if not (all_of_it and held and not self.zones[name][at].cards()):
            for card in held:
                self.trace.beside.setdefault(card, set()).update(held)

    def swap(self, card, origin, at, other, target, index, span):
        super().swap(card, origin, at, other, target, index, span)
        if self.watching:
            for place in ((origin, at), (target, index)):
                self.looked_at(*place)
            for one, (name, i) in ((card, (target, index)), (other, (origin, at))):
                self.trace.lies[one] = name, i
                if self.sees(self.code.program.zones[name], i):
                    self.show(one)

    def grant(self, name, index, seats):
        super().grant(name, index, seats)
        if self.watching:
            self.note("revealed", name, index, frozenset(seats))
            if name in self.zones:
                if self.seat in self.grants[name, index]:
                    for card in self.zones[name][index].cards():
                        self.show(card)
            else:
                self.trace.released.append((name, index, self.variables[name][index]))

    def _start_variables(self, lifetime):
        super()._start_variables(lifetime)
        if self.watching:
            for name, values in self.variables.items():
                self.variables[name] = Watched(values, name, self)

    def note_action(self, question, action, audience):
        super().note_action(question, action, audience)
        if self.watching and noticed(self.game, question, self.seat, audience):
            for text in action.text.split():
                if text in self.game.deck.texts:
                    self.show(self.game.deck.texts.index(text))
            said = question.seat, question.decision, action.text
            openly = audience is not question.audience
            self.note("openly" if openly else "answer", *said)

    def emit(self, event, **fields):
        if event in ("deal", "deal_end", "match_end", "counter"):
            self.note(event, repr(fields))
        elif event == "trick":
            self.note(event, fields["winner"])


def noticed(game, question, seat, audience=None):
    """Tell whether a seat notices a question, or its answer if its audience is given."""
    audience = audience or question.audience
    return (
        question.seat == seat
        or audience is Audience.ALL
        or (audience is Audience.TEAM and game.teams[question.seat] == game.teams[seat])
    )


def compiled(game):
    """Return the game's code, in which values of `openly` are noted as released."""
    plain = compile_expressions._compile_builtin

    def noting(node, name, args, code):
        value = plain(node, name, args, code)
        if name != "openly":
            return value

        def released(m, f):
            found = value(m, f)
            if m.watching:
                m.trace.released.append((str(node.span), found))
            return found

        return released

    with patch.object(compile_expressions, "_compile_builtin", noting):
        return compile_program(game.program, game.setting)


def told_apart(game, code, seed, most):
    """Return how a seat tells two runs apart, or None; raises `Odd` if nothing was compared.

    most: how many questions are answered at most before the two runs part.
    """
    random = Random(seed)
    seat, chosen = random.randrange(game.players), []
    one = Observed(code, Luck(seed))
    for _ in range(max(0, random.randint(-most, most))):
        chosen.append(random.randrange(count(one)))
        one.go_on(chosen[-1])
    question_of(one)
    other = Observed(code, Luck(seed))
    for index in chosen:
        other.go_on(index)
    for run in (one, other):
        run.watch(game, seat)
    play(one, Random(random.random()))
    try:
        disturb(other, one.trace, random)
        follow(other, one.trace.seen, random)
    except Apart as apart:
        return compare_released(one, other, str(apart))
    difference = None
    if one.trace.seen != other.trace.seen:
        difference = first_difference(one.trace.seen, other.trace.seen)
    elif (one.pending is None) != (other.pending is None):
        difference = "the match is over"
    elif one.pending is None:
        difference = None if one.winner == other.winner else "another team wins"
    else:
        difference = compare_views(game, one, other)
    return difference and compare_released(one, other, difference)


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
    if awaited is not None and awaited[:3] == ("openly", *said):
        if awaited[3] not in texts:
            raise Odd
        return texts.index(awaited[3])
    options = options_of(run.code.program, question.number)
    quiet = [i for i, a in enumerate(question.actions) if not options[a.option].openly]
    known = {run.game.deck.texts[card] for card in run.known}
    quiet = [i for i in quiet if not known & set(texts[i].split())]
    if not quiet:
        raise Odd
    return random.choice(quiet)


def options_of(program, number):
    from trutdsl.table.questions import questions_of

    return questions_of(program)[number].options


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
    for a, b in zip(one.trace.released, other.trace.released, strict=False):
        if a != b:
            raise Odd
    if "openly" in difference:
        raise Odd
    return difference


def compare_views(game, one, other):
    views = [vars(make_view(m, game, m.pending, Stream(0))) for m in (one, other)]
    for name, value in views[0].items():
        if name != "random" and value != views[1][name]:
            return f"{name} is {views[1][name]}, else {value}"
    return None


def disturb(run, later, random):
    """Permute the hidden cards and change the hidden values, all but what is released later.

    later: what the seat observes of the first run.
    """
    game = run.game
    run.first = later
    known, new = set(), set(later.shown)
    while new:
        known |= new
        new = {c for card in new for c in later.beside.get(card, ())} - known
    run.known = known
    hidden = []
    for zone in game.program.zones.values():
        for i, pile in enumerate(run.zones[zone.name]):
            if not run.sees(zone, i):
                hidden += pile.groups
    cards = [c for group in hidden for c in group if c not in known]
    mixed = random.sample(cards, len(cards))
    turn = dict(zip(cards, mixed, strict=True))
    run.chance.order = {new: old for old, new in turn.items()}
    for group in hidden:
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
        most = game.players - 1 if not hasattr(variable.type, "low") else 3
        for i in range(len(values)):
            if not run.sees(variable, i) and (variable.name, i) not in revealed:
                list.__setitem__(values, i, random.randint(0, most))


def try_rules(game, tries, seed, most=4):
    """Return how often two runs were compared, and how they were told apart."""
    code, compared, apart = compiled(game), 0, []
    for i in range(tries):
        try:
            found = told_apart(game, code, seed * 1000 + i, most)
        except (Odd, RuleError):
            continue
        compared += 1
        if found:
            apart.append(found)
    return compared, apart
