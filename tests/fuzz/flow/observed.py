"""A match of the reference engine that records what one seat observes, and intended releases."""

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from random import Random
from unittest.mock import patch

from trutdsl.interp import compile_builtins, compile_expressions, compile_program
from trutdsl.interp.machine import Machine
from trutdsl.ir import nodes
from trutdsl.ir.types import Kind
from trutdsl.syntax.ast import Audience
from trutdsl.table.match import Question


class Luck:
    """Chance that gives the same results in two runs.

    The number of a draw decides it. Other chance depends on its bounds and on earlier such chance.
    order: card -> its counterpart in the first run, by which groups are sorted.
    groups: the cards of each draw. first: those of the first run. A draw takes the card at the same
            index; counterparts have the same index in both groups.
    """

    def __init__(self, seed):
        self.seed, self.order, self.groups, self.first = seed, {}, [], []
        self.thrown = {}

    def start(self, _part):
        pass

    def card(self, cards, _draw):
        group = sorted(cards, key=lambda card: self.order.get(card, card))
        if len(self.groups) < len(self.first):
            group = self._align(self.first[len(self.groups)], group)
        self.groups.append(group)
        return group[draw_number(f"{self.seed} card {len(self.groups)}", len(group))]

    def _align(self, first, group):
        """Return a group in the order of the first run's group, as far as counterparts allow."""
        place = {card: at for at, card in enumerate(first)}
        same = {place[old]: card for card in group if (old := self.order.get(card, card)) in place}
        if len(first) != len(group) or len(same) == len(group):
            return group
        others = iter([card for card in group if card not in same.values()])
        return [same[at] if at in same else next(others) for at in range(len(group))]

    def element(self, elements, kind):
        if kind is Kind.CARD:
            return self.card(elements, None)
        return elements[self._draw_index(elements, len(elements))]

    def number(self, low, high):
        return low + self._draw_index((low, high), high - low + 1)

    def yes(self, part, whole):
        return self._draw_index((part, whole), whole) < part

    def _draw_index(self, what, bound):
        thrown = self.thrown[str(what)] = self.thrown.get(str(what), 0) + 1
        return draw_number(f"{self.seed} {what} {thrown}", bound)


@lru_cache(maxsize=4096)
def draw_number(seed, bound):
    """Return a number below a bound, the same for the same seed."""
    return Random(seed).randrange(bound)


@dataclass
class Trace:
    """What a seat observed from some moment on, and what rules released.

    answers: seat, decision, cards, and whether an option `openly` shows the answer to all.
    places:  card -> where it lies.
    companions: card -> all cards that lay in a place with it when one of them was picked, or when
             they were moved from there to a pile in the order of the pack.
    read:    a digest of all values that rules read, in order; if it differs, a run read a secret.
    """

    seen: list = field(default_factory=list)
    released: list = field(default_factory=list)
    shown: set = field(default_factory=set)
    answers: list = field(default_factory=list)
    places: dict = field(default_factory=dict)
    companions: dict = field(default_factory=dict)
    read: int = 0


class WatchedValues(list):
    """Values of a variable; each change of a revealed value is noted as released."""

    def __init__(self, values, name, machine):
        super().__init__(values)
        self.name, self.machine = name, machine

    def __setitem__(self, at, value):
        super().__setitem__(at, value)
        if self.machine.seat in self.machine.grants.get((self.name, at), ()):
            self.machine.trace.released.append((self.name, at, value))


class ObservedMatch(Machine):
    """A match that notes what one seat observes.

    first:   the trace of the first run. counterparts: card -> its counterpart in this run.
    chosen:  the cards in the last answer until they move: a seat picked them, not a rule.
    answers: the indices of the answers.
    """

    drawing = False
    first, counterparts, chosen = None, {}, frozenset()

    def watch(self, game, seat):
        """Start to note what a seat observes."""
        self.game, self.seat, self.trace, self.answers = game, seat, Trace(), []
        for name, piles in self.zones.items():
            for at, pile in enumerate(piles):
                for card in pile.cards():
                    self.trace.places[card] = name, at
                    if self.sees(self.game.program.zones[name], at):
                        self.trace.shown.add(card)
        for name, values in self.variables.items():
            self.variables[name] = WatchedValues(values, name, self)

    @property
    def watching(self):
        return hasattr(self, "trace")

    def go_on(self, index):
        if self.watching and isinstance(self.pending, Question):
            self.answers.append(index)
        super().go_on(index)

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
            self.note_arrival([c for group in groups for c in group], name, at)

    def note_arrival(self, cards, name, at):
        places = self.trace.places
        origin = places[cards[0]] if cards else None
        zones = self.code.program.zones
        if len(cards) == 1 and cards[0] in self.chosen:
            self.chosen -= {cards[0]}  # a later move may be by a rule that looked at it
        elif origin and not self.drawing:
            self.note_pick(*origin, whole_pile=zones[origin[0]].ordered)
        for card in cards:
            places[card] = name, at
        self.note("put", origin, name, at, len(cards))
        if self.sees(self.code.program.zones[name], at):
            for card in cards:
                self.show(card)

    def note_pick(self, name, at, whole_pile=False):
        """Note that the contents of a place decided a pick; a pile that moves whole is no pick."""
        held = {card for card, place in self.trace.places.items() if place == (name, at)}
        if not (whole_pile and held and not self.zones[name][at].cards()):
            for card in held:
                self.trace.companions.setdefault(card, set()).update(held)

    def swap(self, card, origin, at, other, target, index, span):
        super().swap(card, origin, at, other, target, index, span)
        if self.watching:
            for place in ((origin, at), (target, index)):
                self.note_pick(*place)
            for one, (name, i) in ((card, (target, index)), (other, (origin, at))):
                self.trace.places[one] = name, i
                if self.sees(self.code.program.zones[name], i):
                    self.show(one)

    def grant(self, name, index, seats):
        super().grant(name, index, seats)
        if self.watching and self.seat in seats:
            self.note("revealed", name, index)
            if name in self.variables:
                self.trace.released.append((name, index, self.variables[name][index]))
            else:
                for card in self.zones[name][index].cards():
                    self.show(card)

    def _start_variables(self, lifetime):
        super()._start_variables(lifetime)
        if self.watching:
            for name, values in self.variables.items():
                self.variables[name] = WatchedValues(values, name, self)

    def note_action(self, question, action, audience):
        super().note_action(question, action, audience)
        texts = self.code.setting.deck.texts
        self.chosen = {texts.index(t) for t in action.text.split() if t in texts}
        if self.watching:
            cards, openly = tuple(sorted(self.chosen)), audience is not question.audience
            self.trace.answers.append((question.seat, question.decision, cards, openly))
        if self.watching and notices(self.game, question, self.seat, audience):
            for card in sorted(self.chosen):
                self.show(card)
            said = question.seat, question.decision, action.text
            openly = audience is not question.audience
            self.note("openly" if openly else "answer", *said)

    def announce(self, words, reading, speaker, value, seats):
        super().announce(words, reading, speaker, value, seats)
        if self.watching and (self.seat in seats or self.seat == speaker):
            self.note("told", words, speaker)
            self.trace.released.append(("told", words, value))

    def emit(self, event, **fields):
        super().emit(event, **fields)
        if event in ("deal", "deal_end", "match_end", "counter"):
            self.note(event, repr(fields))
        elif event == "trick":
            self.note(event, fields["winner"])


def notices(game, question, seat, audience=None):
    """Tell whether a seat notices a question, or its answer if its audience is given."""
    audience = audience or question.audience
    return (
        question.seat == seat
        or audience is Audience.ALL
        or (audience is Audience.TEAM and game.teams[question.seat] == game.teams[seat])
    )


def compile_observed(game):
    """Compile a game so that a match notes the values of `openly` as released, and all reads."""
    builtin, elements = compile_expressions.compile_builtin, compile_builtins._compile_elements
    expression = compile_expressions.compile_expression

    def openly(node, code):
        value = builtin(node, code)
        if node.name != "openly":
            return with_note(value) if node.name in ("top", "bottom") else value

        def released(m, f):
            found = value(m, f)
            if m.watching:
                m.trace.released.append((str(node.span), found))
            return found

        return released

    def read(node, code):
        value = expression(node, code)
        return with_note(value) if isinstance(node, nodes.Var | nodes.ZoneCards) else value

    def compile_elements(domain, code, ordered):
        found = elements(domain, code, ordered)
        return with_note(found) if isinstance(domain.items, nodes.ZoneCards) else found

    with ExitStack() as stack:
        stack.enter_context(patch.object(compile_expressions, "compile_builtin", openly))
        stack.enter_context(patch.object(compile_builtins, "_compile_elements", compile_elements))
        for module in (compile_expressions, import_module("trutdsl.interp.compile_program")):
            stack.enter_context(patch.object(module, "compile_expression", read))
        return compile_program(game.program, game.setting)


def with_note(value):
    """Return a function that evaluates a value and adds it to the digest of reads."""

    def evaluate(m, f):
        found = value(m, f)
        if m.watching:
            m.trace.read = hash((m.trace.read, tuple(found) if type(found) is list else found))
        return found

    return evaluate
