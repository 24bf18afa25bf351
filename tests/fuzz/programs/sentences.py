"""Random sentences: assignments, loops, conditions, chance, calls of rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from .names import KINDS, MOST, SINGLE, Define, Name
from .tables import DIGITS, MOOD_SET, MOODS, Variable
from .values import Values

Lines = list[str]
PROBED_KINDS = ("div", "mod", "total", *("highest", "lowest") * 3, "count", "-", "*")
NOTES = {kind: f"noted_{number}" for number, kind in enumerate(dict.fromkeys([*KINDS, *SINGLE]))}
EMPTY = re.compile(r"random from (?!(?:seats|teams|suits|ranks|pack_cards)$)")  # perhaps
NOTE_VARIABLES = [Variable("noted", None, "number", 0, 9999)]
NOTE_VARIABLES += [
    Variable(name, None, f"{kind}?" if kind in SINGLE else kind)
    for kind, name in NOTES.items()
    if kind != "number"
]


@dataclass(frozen=True)
class Inside:
    """The context of a sentence.

    life:   "match", "deal" or "trick": the innermost that surely runs.
    gives:  the returned type, "" for none; None where `return` is impossible.
    shared: in a question for any of some seats, where `next` passes it on.
    pure:   in a `define`.
    """

    life: str = "match"
    depth: int = 0
    loop: bool = False
    asked: bool = False
    gives: str | None = None
    shared: bool = False
    pure: bool = False


def indent(lines: Lines) -> Lines:
    """Return lines with one more step of indentation."""
    return ["    " + line for line in lines]


def note_number(number: str) -> str:
    """Return a sentence that adds a number to a digest that all seats see."""
    return f"noted = (noted * 3 + {number} mod 101) mod 9973"


class Sentences(Values):
    """Writes blocks of sentences."""

    rules: list[Define]
    bodies: dict[str, Lines]  # of the rules, by name

    def block(self, most: int, inside: Inside) -> Lines:
        """Return some sentences, at least one; their names are local to them."""
        lines: Lines = []
        with self.bind():
            for _ in range(self.random.randint(1, most)):
                lines += self.sentence(inside)
            return lines or self.change(inside) or [f"let {self.fresh('u')} = 1"]

    def inner_block(self, inside: Inside, most: int = 2, **changes: bool) -> Lines:
        """Return an indented block inside a sentence."""
        return indent(self.block(most, replace(inside, depth=inside.depth + 1, **changes)))

    def sentence(self, inside: Inside) -> Lines:
        """Return the lines of a random sentence; none if its kind is impossible here."""
        kinds: list[Callable[[Inside], Lines]] = [self.let, self.let, self.change, self.change]
        if inside.depth < 3:
            kinds += [self.if_, self.if_, self.for_, self.for_, self.repeat]
            kinds += [self.turns, self.turns] * (not inside.pure)
        if inside.loop or inside.asked or inside.shared or inside.gives is not None:
            kinds += [self.leave]
        if not inside.pure:
            kinds += [
                self.probe,
                self.probe,
                self.choose,
                self.change,
                self.change,
                self.chance,
                self.do,
                self.do,
                self.announce,
                self.narrow,
                self.wide,
            ]
            kinds += [self.long] * (self.odds(0.1) and not self.avoids())
            kinds += self.more_kinds(inside)
        return self.random.choice(kinds)(inside)

    def more_kinds(self, _inside: Inside) -> list[Callable[[Inside], Lines]]:
        """Return further kinds of sentences; a subclass has some."""
        return []

    def test(self, depth: int = 2) -> str:
        """Return a condition for sentences."""
        return self.publish(self.yes_no(depth))

    # ---------------------------------------------------------------- names and variables

    def note_value(self, name: str, kind: str, inside: Inside) -> Lines:
        """Return a sentence that mostly stores a name's value in a public variable."""
        if inside.pure or self.odds(0.2):
            return []
        if kind == "number":
            return [note_number(name)]
        return [f"{NOTES[kind]} = {name}"]

    def probe(self, _inside: Inside) -> Lines:
        """Store the value of an expression in a public variable."""
        kind = self.random.choice([*KINDS, "number", "number", "yes_no"])
        if kind == "number":
            number = self.number_of_kind(self.pick(*PROBED_KINDS), 2)
            value = self.publish(number.text if abs(number.low) <= MOST else "noted")
            return [note_number(value)]
        value = self.publish_value(kind)
        return [f"{NOTES[kind]} = {value}"]

    def announce(self, _inside: Inside) -> Lines:
        """Announce something to all, to some seats or to one; half of the time by a seat."""
        kind = self.pick("number", "number", "yes_no", *SINGLE, "cards", "seats")
        by = self.pick("", f" by {self.publish(self.one('seat', 1))}")
        some = self.pick("seat", "team", "seats")
        to = self.several("seat", 1) if some == "seats" else self.one(some, 1)
        to, value = self.pick("all", f"({self.publish(to)})"), self.value(kind)
        value = "1" if value.startswith('"') else value  # the type of a literal is unknown here
        if self.odds(0.15):
            return [f'announce "I say so"{by} to {to}']
        names = [n for n in self.names if n.kind in KINDS and "one of" not in n.kind]
        if names and self.odds(0.3):
            name = self.random.choice(names)
            return [f"announce {name.text}{by} to {to}"]
        kind = "number" if value == "1" else kind
        words = self.pick("this", "that", f"a {kind.replace('_', ' ')}")
        self.said.append((words, kind, bool(by)))
        return [f'announce ({value}) as "{words}"{by} to {to}']

    def let(self, inside: Inside) -> Lines:
        """Bind a name to a value."""
        kind, name = self.random.choice(KINDS), self.fresh("v")
        value = self.publish_value(kind)
        type_text = "" if kind in ("number", "yes_no", *SINGLE) and self.odds(0.7) else f": {kind}"
        if kind == "number" and self.odds(0.4):
            low, high = self.random.choice([-99, 0, 1]), self.random.choice([9, 99])
            fits = f"min({high}, max({low}, {value}))"
            value = value if self.odds(0.1) and not self.avoids() else fits
            type_text = f": {low} to {high}"
        self.names.append(Name(name, kind, settable=True))
        return [f"let {name}{type_text} = {value}", *self.note_value(name, kind, inside)]

    def change(self, inside: Inside) -> Lines:
        """Assign another value to a name, variable or counter."""
        names = [n for n in self.names if n.settable]
        if inside.pure or (names and self.odds(0.25)):
            if not names:
                return []
            name = self.random.choice(names)
            return [self.store(name.text, Variable(name.text, None, name.kind))]
        one = self.random.choice([*self.variables, *self.table.counters])
        where = self.place(one.name, one.index, 2)
        return [self.store(where, one)]

    def store(self, where: str, one: Variable) -> str:
        """Return an assignment; a number is mostly within its bounds."""
        low, high = one.low, one.high
        if one.kind == "number" and self.odds(0.4):
            way, amount = self.pick("+=", "+=", "-="), self.pick("1", "1", "2")
            if high == 10**6 and self.odds(0.5 if low else 1):
                some = f"max(0, min(9, {self.number(1).text}))"
                return f"{where} += {self.publish(self.pick('1', '1', '3', some))}"
            if (self.odds(0.12) and not self.avoids()) or high > 10**6:
                return f"{where} {way} {amount}"
            ends = f"min({high}, {where} + {amount})", f"max({low}, {where} - {amount})"
            return f"{where} = {ends[way == '-=']}"
        if one.kind == "number" and high <= 10**6 and (self.odds(0.92) or self.avoids()):
            least, most = max(low, -9), min(high, 70)
            return f"{where} = max({least}, min({most}, {self.publish(self.number().text)}))"
        if (
            one.kind == "number"
            and one.life == "match"
            and low < 0
            and (self.odds(0.85) or self.avoids())
        ):
            return f"{where} = max(-999, min(999, {self.publish(self.number().text)}))"
        if one.kind in ("seats", "cards", "teams", "suits") and self.odds(0.6):
            some = self.pick(one.kind, one.kind[:-1])
            value = self.value(some)
            value = f"{{{value}}}" if some != one.kind and '"' in value else value
            return f"{where} {self.pick('+=', '-=')} {self.publish(value)}"
        value = self.value(one.kind)
        return f"{where} = {value if one.kind.startswith('one of') else self.publish(value)}"

    def count_on(self) -> Lines:
        """Increase a number by 1, within its bounds."""
        numbers = [v for v in self.variables if v.kind == "number" and 0 < v.high <= 70]
        if not numbers:
            return []
        one = self.random.choice(numbers)
        where = self.place(one.name, one.index, 0)
        return [f"{where} = min({one.high}, {where} + 1)"]

    def chance(self, inside: Inside) -> Lines:
        """Bind or store a random value."""
        low = self.random.randint(0, 2)
        ways = [
            (f"roll {low} to {low + self.random.randint(0, 5)}", "number"),
            (f"chance {self.random.randint(0, 3)} out of {self.random.randint(3, 5)}", "yes_no"),
            *((f"chance {name}", "yes_no") for name in self.table.chances),
            (f"random from {self.pick('seats', 'seats - ' + self.one('seat', 0))}", "seat"),
            ("random from teams", "team"),
            (
                f"random from {self.pick('pack_cards', 'pack_cards', self.several('card', 1))}",
                "card",
            ),
            (f"random from {self.pick('suits', self.several('suit', 1))}", "suit"),
            ("random from ranks", "rank"),
            (f"random from {self.publish(self.set_of(DIGITS, 1))}", "number"),
            (self.pick("chance 0.3", "chance 30 %"), "yes_no"),
        ]
        if self.typed or any(v.kind == MOOD_SET for v in self.variables):
            ways += [
                (f"random from {self.publish(self.set_without_context(MOOD_SET, 1))}", MOODS)
            ] * 3
        if self.avoids():
            ways = [way for way in ways if not EMPTY.match(way[0])]
        elif self.odds(0.15):
            number = self.publish(self.number(1).text)
            ways = [
                (f"roll {number} to {self.publish(self.number(1).text)}", "number"),
                (f"chance {number} out of {self.divisor().text}", "yes_no"),
            ]
        source, kind = self.random.choice(ways)
        places = [v for v in self.variables if v.kind == kind and v.high > 10]
        if places and self.odds(0.2):
            one = self.random.choice(places)
            return [f"{self.place(one.name, one.index, 1)} = {source}"]
        name = self.fresh("v")
        self.names.append(Name(name, kind, settable=True))
        return [f"let {name} = {source}", *self.note_value(name, kind, inside)]

    def note_change(self, change: Callable[[], Lines], one: Variable) -> Lines:
        """Return a change of a number, with notes of its value before and afterwards."""
        seen = note_number(self.publish(self.place(one.name, one.index, 0)))
        return [seen, *change(), seen]

    def turns(self, inside: Inside) -> Lines:
        """Write a loop whose turns change its own condition."""
        numbers = [v for v in self.variables if v.kind == "number" and 3 < v.high <= 70]
        if not numbers:
            return []
        one, name = self.random.choice(numbers), self.fresh("x")
        where = self.place(one.name, one.index, 0)
        least = self.publish(f"{where} < {self.pick('2', '3', '3', '5')}")
        domain = self.pick("seats", "seats after dealer", "1 to 3", "teams", "suits")

        def turn() -> Lines:
            more = self.block(1, replace(inside, depth=3))
            return [f"{where} = min({one.high}, {where} + 1)", *more]

        asked = f"for {name} in {domain} where ({least})"
        head = self.pick(
            *(asked, asked, asked),
            f"for {name} in {domain}",
            f"repeat 3 times {self.pick('while', 'until not')} ({least})",
        )
        return self.note_change(lambda: [f"{head}:", *indent(self.note_change(turn, one))], one)

    def do(self, inside: Inside) -> Lines:
        """Call a rule one or more times, with notes of a number that it changes."""
        if not self.rules:
            return []
        rule = self.random.choice(self.rules)
        text = "\n".join(self.bodies[rule.name])
        numbers = [v for v in self.variables if v.kind == "number" and v.name != "noted"]
        changed = [v for v in numbers if re.search(rf"\b{v.name}\b\S* [-+]?= ", text)]
        if not changed or self.odds(0.15):
            return self.call_rule(rule, inside)
        one, lines = self.random.choice(changed), list[str]()
        for _ in range(self.random.choice([1, 2, 3])):
            lines += self.note_change(lambda: self.call_rule(rule, inside), one)
        return lines

    def long(self, inside: Inside) -> Lines:
        """Write a loop that can take many steps, but seldom does: the step limit may stop it."""
        apart = [f"repeat {self.pick('4000', '9000', '16000')} times: noted = 1"]
        body = ["if noted < 0:", *indent(apart), *self.change(inside)]
        return [f"repeat {self.pick('300', '700', '1500')} times:", *indent(body)]

    def choose(self, _inside: Inside) -> Lines:
        """Note the number or the strengths of the cards that satisfy a condition."""
        card = self.fresh("x")
        items = "(pack_cards + special_pack)" if self.table.birds else "pack_cards"
        items = self.pick(items, self.zone(0)[1], self.several("card", 1))
        items = f"{card} in {items} where {self.condition_on_card(card)}"
        worth = self.pick(f"count {items}", f"total strength({card}) for {items}")
        return [note_number(self.publish(f"({worth})"))]

    def call_rule(self, rule: Define, inside: Inside) -> Lines:
        """Call a rule, and use its result."""
        text = f"do {self.call(rule, 1)}"
        if rule.gives is None:
            return [text]
        if self.odds(0.3):
            same = [v for v in self.variables if v.kind == rule.gives and v.high > 10**6]
            if same:
                one = self.random.choice(same)
                return [f"{self.place(one.name, one.index, 1)} {self.pick('=', '=')} {text}"]
        if inside.gives == rule.gives and self.odds(0.1) and inside.depth:
            return [f"if {self.test(1)}:", f"    return {text}"]
        name = self.fresh("v")
        self.names.append(Name(name, rule.gives, settable=True))
        return [f"let {name}: {rule.gives} = {text}", *self.note_value(name, rule.gives, inside)]

    # ---------------------------------------------------------------- values out of bounds

    def source(self, kind: str, fits: str) -> str:
        """Return an expression of a type, in some cases out of the bounds of its target.

        fits: an expression that is within the bounds.
        """
        if self.avoids():
            return fits
        ways = [fits] * 4
        if kind == "number":
            low = self.random.randint(-1, 2)
            ways += [f"roll {low} to {low + self.random.randint(0, 3)}"] * 2
            ways += [f"random from {self.publish(self.set_of(DIGITS, 0))}", self.number(1).text]
            ways[-1] = self.publish(ways[-1])
        else:
            ways.append(self.publish(self.value(kind + "?" if kind in SINGLE else kind, 1)))
        wanted = (kind, kind + "?")
        done = [r for r in self.rules if r.gives in wanted]
        ways += [f"do {self.call(self.random.choice(done), 1)}"] * 4 if done else []
        return self.pick(*ways)

    def narrow(self, inside: Inside) -> Lines:
        """Store a value in a name, variable or result with narrower bounds."""
        kind = self.pick("number", "number", "number", *SINGLE, DIGITS)
        name, low = self.fresh("v"), self.random.choice([0, 0, 1, -2])
        high = low + self.random.choice([1, 2, 3, 9])
        fits = self.publish(self.one(kind, 1)) if kind in SINGLE else "{0, 1}"
        if kind == "number":
            number = self.publish(self.number(1).text)
            fits = f"min({high}, max({low}, {number}))"
        source = self.source(kind, fits)
        way = self.pick("let", "let", "set", "return")
        if way == "return" and inside.gives == kind:
            return [f"if {self.test(1)}:", f"    return {source}"]
        if way == "set":
            places = [v for v in self.variables if v.kind == kind and v.name != "noted"]
            if places:
                one = self.random.choice(places)
                return [f"{self.place(one.name, one.index, 1)} = {source}"]
        type_text = {"number": f"{low} to {high}", DIGITS: f"set of 0 to {self.pick('3', '9')}"}
        self.names.append(Name(name, kind))
        lines = [f"let {name}: {type_text.get(kind, kind)} = {source}"]
        return [*lines, *self.note_value(name, kind, inside)]

    def wide(self, _inside: Inside) -> Lines:
        """Change a number that needs more than 32 bits."""
        found = [v for v in self.variables if v.high > MOST and v.kind == "number"]
        if not found:
            return []
        one = self.random.choice(found)
        where = self.place(one.name, one.index, 0)
        amount = self.pick("1", "2147483647", "2147483648", "4000000000", "7", "(0 - 3000000000)")
        more = self.pick(
            f"min({one.high}, max({one.low}, {where} {self.pick('+', '-')} {amount}))",
            f"max({one.low}, min({one.high}, {where} * {self.pick('2', '3')}))",
            f"max({one.low}, {where} div {self.pick('2', '3')})",
            str(self.random.choice([one.high, max(one.low, -9), 2147483648])),
        )
        seen = self.publish(f"({where} {self.pick('div 65536', 'mod 89', 'div 3', '- 9')} mod 101)")
        return [f"{where} = {more}", note_number(seen)]

    # ---------------------------------------------------------------- control flow

    def if_(self, inside: Inside) -> Lines:
        """Write a condition with branches."""
        lines = [f"if {self.test()}:", *self.inner_block(inside)]
        if self.odds(0.2):
            lines = self.if_let("if", inside)
        elif self.odds(0.1):
            lines += self.if_let("else if", inside)
        if self.odds(0.2):
            lines += [f"else if {self.test(1)}:", *self.inner_block(inside)]
        if self.odds(0.4):
            lines += ["else:", *self.inner_block(inside)]
        return lines

    def if_let(self, word: str, inside: Inside) -> Lines:
        """Write an `if let`: a branch for an optional value."""
        kind, name = self.pick(*SINGLE), self.fresh("v")
        some = self.publish(self.pick(*self.known_values(f"{kind}?", 1), self.first(kind, 1)))
        rules = [r for r in self.rules if r.gives and r.gives.endswith("?") and not inside.pure]
        if rules and self.odds(0.5):
            rule = self.random.choice(rules)
            kind, some = (rule.gives or "")[:-1], f"do {self.call(rule, 1)}"
        with self.bind(Name(name, kind, settable=True)):
            noted = indent(self.note_value(name, kind, inside))
            return [f"{word} let {name} = {some}:", *noted, *self.inner_block(inside)]

    def for_(self, inside: Inside) -> Lines:
        """Write a loop over some elements."""
        kind = self.pick("seat", "seat", "seat", "team", "card", "suit", "rank", "number", MOODS)
        if kind == "card":
            domain = self.several(kind, 1)
            if self.odds(0.5):
                domain = self.pick(*[z.name for z in self.zones if z.index is None and not z.pile])
            name = self.fresh("x")
            lies = domain if any(z.name == domain for z in self.zones) else None
            with self.bind(Name(name, kind, lies=lies)):
                where = f" where {self.publish(self.yes_no(1))}" if self.odds(0.5) else ""
                body = self.inner_block(inside, loop=True)
            return [f"for {name} in {self.publish(domain)}{where}:", *body]
        with self.bind_domain(kind, 1, shown=True) as (name, domain):
            body = self.inner_block(inside, loop=True)
            return [f"for {name} in {domain}:", *body]

    def repeat(self, inside: Inside) -> Lines:
        """Write a loop with a number of turns."""
        times = self.pick("2", "3", f"min(3, {self.publish(self.number(1).text)})")
        test = f" {self.pick('while', 'until')} {self.test()}" if self.odds(0.5) else ""
        most = "at most " if self.odds(0.4) else ""
        return [f"repeat {most}{times} times{test}:", *self.inner_block(inside, loop=True)]

    def leave(self, inside: Inside) -> Lines:
        """Leave a loop, question or rule under a condition."""
        ways = [
            w for w, ok in (("stop", inside.loop), ("next", inside.loop or inside.shared)) if ok
        ]
        ways += ["again"] if inside.asked and self.odds(0.4) else []
        if inside.gives is not None:
            given = self.publish_value(inside.gives) if inside.gives else ""
            ways.append(f"return {given}".strip())
        return [f"if {self.test()}: {self.pick(*ways)}"] if ways else []

    def publish_value(self, kind: str) -> str:
        """Return a value of a type, public except for named values, which need a known type."""
        value = self.value(kind)
        return value if kind.startswith("one of") else self.publish(value)
