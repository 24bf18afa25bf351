"""Random sentences that move cards, ask a seat, or end a trick, deal or match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .names import SINGLE, Form, Name
from .sentences import NOTES, Inside, Lines, Sentences, indent, note_number
from .tables import DIGITS, MOOD_SET, MOODS, Zone

PLAIN = Inside(gives="")
WORDS = ("accept", "bid", "call", "draw_one")


class Play(Sentences):
    """Writes the sentences of rules.

    questions: how many more questions may be written. asked: the seat of the last one, mostly.
    groups:    the names of option groups, which questions share.
    decision:  of the last question; "" in a group.
    """

    questions = 0
    asked = "dealer"
    decision = ""
    groups: tuple[str, ...] = ()

    def more_kinds(self, inside: Inside) -> list[Callable[[Inside], Lines]]:
        """Return the kinds of sentences of this class."""
        kinds = [self.draw, self.draw, self.move, self.move, self.move_all, self.gather]
        kinds += [self.swap, self.shuffle, self.reveal, self.lay, self.look]
        kinds += [self.take_out, self.lay_down] * (not self.table.hidden)
        if inside.depth < 3 and self.questions > 0:
            kinds += [self.ask, self.ask, self.ask]
        return kinds + [self.end] * self.odds(0.25)

    # ---------------------------------------------------------------- cards

    def guard(self, lines: Lines, *tests: str) -> Lines:
        """Return lines under the conditions that they need; in few cases without these."""
        if not tests or (self.odds(0.07) and not self.avoids()):
            return lines
        return [f"if {' and '.join(tests)}:", *indent(lines)]

    def fits(self, zone: Zone, place: str) -> list[str]:
        """Return the conditions for moving a card to a zone."""
        return [f"size({place}) < {zone.most}"] if zone.most is not None else []

    def card_of(self, zone: Zone, place: str) -> str:
        """Return a card of a zone; of a pile mostly the first in the order of the pack."""
        if zone.pile and self.odds(0.3):
            return self.pick("top", "bottom") + f"({place})"
        items = f"({place} & pack_cards)" if zone.pile else place
        return f"(first {self.fresh('x')} in {items})"

    def draw(self, _inside: Inside) -> Lines:
        """Draw one or several cards from a pile."""
        origin, (zone, target) = self.zone(pile=True)[1], self.zone()
        if self.odds(0.3) and zone.index == "seat":
            name = self.fresh("x")
            lines = [f"draw from {origin} to {zone.name}[{name}]"]
            if self.odds(0.5) and not self.avoids():
                lines = ["repeat 2 times:", *indent(lines)]
            elif self.odds(0.5) or self.avoids():
                lines = self.guard(lines, *self.fits(zone, f"{zone.name}[{name}]"))
            start = self.pick("", " from dealer", " after dealer", f" from {self.one('seat', 1)}")
            lines = [f"for {name} in seats{start}:", *indent(lines)]
            return self.guard(lines, f"size({origin}) >= {2 * self.table.players}")
        shown = " face up" if self.odds(0.2) else ""
        lines = [f"draw from {origin} to {target}{shown}"]
        if self.odds(0.4):
            name = self.fresh("v")
            lines[0] += f" as {name}"
            with self.bind(Name(name, "card")):
                lines += [self.store(where, one) for where, one in self._some_place()]
        return self.guard(lines, f"not empty({origin})", *self.fits(zone, target))

    def _some_place(self) -> list[tuple[str, object]]:
        one = self.random.choice(self.variables)
        return [(self.place(one.name, one.index, 1), one)] * self.odds(0.6)

    def move(self, _inside: Inside) -> Lines:
        """Move one card: of a zone, or bound by a loop."""
        zone, target = self.zone()
        under = zone.pile and self.odds(0.4)
        to = f"{'under' if under else 'to'} {target}"
        taken = [n for n in self.names if n.lies is not None]
        if taken and self.odds(0.7):
            name = self.random.choice(taken)
            tests = [f"{name.text} in {name.lies}"] if self.odds(0.9) or self.avoids() else []
            return self.guard([f"move {name.text} {to}"], *tests, *self.fits(zone, target))
        origin, place = self.zone()
        card = self.card_of(origin, place)
        tests = [f"not empty({place})", *self.fits(zone, target)]
        if self.odds(0.1):
            cards = [n.text for n in self.names if n.kind == "card"]
            card = self.pick(*cards, self.one("card", 1))
            tests[0] = f"{card} in {place}"
        return self.guard([f"move {card} from {place} {to}"], *tests)

    def lay(self, _inside: Inside) -> Lines:
        """Let each seat play a card to its place; then move another card to or from a place."""
        zone = self.random.choice([z for z in self.zones if z.index == "seat" and z.name != "hand"])
        seat, start = self.fresh("x"), self.pick("dealer", "on_lead")
        with self.bind(Name(seat, "seat")):
            own, other = f"{zone.name}[{seat}]", f"{zone.name}[{self.one('seat', 1)}]"
        move = f"move (first {self.fresh('x')} in hand[{seat}]) from hand[{seat}] to {own}"
        lines = self.guard([move], f"not empty(hand[{seat}])", *self.fits(zone, own))
        if self.odds(0.5):
            draw = [f"draw from stock to {other}"]
            lines += self.guard(draw, "not empty(stock)", *self.fits(zone, other))
        else:
            move = f"move {self.card_of(zone, other)} from {other} to hand[{seat}]"
            lines += self.guard([move], f"not empty({other})")
        worth, card = self.pick("size({0})", "(total strength({1}) for {1} in {0})"), "w"
        seen = [note_number(self.publish(worth.format(place, card))) for place in (own, other)]
        lines = [f"for {seat} in seats from {start}:", *indent([*lines, *seen])]
        best = f"first {card} in seats from {start} where not empty({zone.name}[{card}])"
        return [*lines, f"{NOTES['seat?']} = {self.publish(f'({best})')}"]

    def move_all(self, _inside: Inside) -> Lines:
        """Move all cards of a zone."""
        (_, origin), (zone, target) = self.zone(), self.zone()
        way = f"{'under' if zone.pile and self.odds(0.4) else 'to'} {target}"
        turned = " turned over" if self.odds(0.4) else ""
        openly = " openly" if self.table.hidden else ""
        tests = [f"size({origin}) + size({target}) <= {zone.most}"] if zone.most else []
        return self.guard([f"move all from {origin} {way}{turned}{openly}"], *tests)

    def gather(self, _inside: Inside) -> Lines:
        """Gather all cards of some zones."""
        wide = [z for z in self.zones if z.most is None]
        zone = self.random.choice(wide if self.odds(0.95) or self.avoids() else self.zones)
        target = self.place(zone.name, zone.index, 1)
        all_names = [z.name for z in self.zones]
        names = self.random.sample(all_names, self.random.randint(1, len(all_names)))
        start = f" from {self.publish(self.one('seat', 1))}" if self.odds(0.4) else ""
        openly = " openly" if self.table.hidden else ""
        lines = [f"gather {', '.join(names)}{start} into {target}{openly}"]
        return lines + [f"shuffle {target}"] * (zone.pile and self.odds(0.4))

    def swap(self, _inside: Inside) -> Lines:
        """Swap two cards."""
        (one, origin), (two, target) = self.zone(), self.zone()
        cards = self.card_of(one, origin), self.card_of(two, target)
        sentence = f"swap {cards[0]} from {origin} with {cards[1]} from {target}"
        return self.guard([sentence], f"not empty({origin})", f"not empty({target})")

    def shuffle(self, _inside: Inside) -> Lines:
        """Shuffle a pile."""
        return [f"shuffle {self.zone(pile=True)[1]}"]

    def take_out(self, _inside: Inside) -> Lines:
        """Take random cards out of a pile; the others keep their order."""
        piles = [z for z in self.zones if z.pile and z.most is None and z.name != "stock"]
        if not piles:
            return []
        zone = self.random.choice(piles)
        pile, name = self.place(zone.name, zone.index, 1), self.fresh("x")
        out = [f"let {name} = random from {pile}", f"move {name} from {pile} to stock"]
        lines = [f"draw from stock to {pile}", "shuffle stock", f"move all from stock to {pile}"]
        lines += ["repeat 2 times:", *indent(out), f"draw from stock to {pile}"]
        lines += ["repeat 3 times:", *indent(out)]
        lines += [f"repeat size({pile}) times: draw from {pile} to stock"]
        return self.guard(lines, "size(stock) > 4")

    def lay_down(self, _inside: Inside) -> Lines:
        """Move unordered cards onto or under a pile, and note the last one."""
        sets = [z for z in self.zones if not z.pile and (z.most is None or z.most > 1)]
        piles = [z for z in self.zones if z.pile and z.most is None and z.name != "stock"]
        if not sets or not piles:
            return []
        row, zone = self.random.choice(sets), self.random.choice(piles)
        cards, pile = self.place(row.name, row.index, 1), self.place(zone.name, zone.index, 1)
        way, end = self.pick("to top", "under bottom").split()
        turned = self.pick("", " turned over")
        lines = [f"repeat 2 - size({cards}) times: draw from stock to {cards}"]
        lines += [f"move all from {cards} {way} {pile}{turned}"]
        lines += [f"{NOTES['card?']} = {end}({pile})"]
        return self.guard(lines, f"size({cards}) < 2", "size(stock) > 4")

    def reveal(self, _inside: Inside) -> Lines:
        """Reveal a zone or variable to some seats."""
        if self.odds(0.5):
            what = self.zone()[1]
        else:
            one = self.random.choice(self.variables)
            what = self.place(one.name, one.index, 1)
        to = self.publish(self.pick(self.one("seat", 1), self.several("seat", 1)))
        return [f"reveal {what} to {to}"]

    def look(self, _inside: Inside) -> Lines:
        """Show a card to one seat."""
        seat, name = self.publish(self.one("seat", 1)), self.fresh("v")
        zone, place = self.zone()
        card = self.pick(self.card_of(zone, place), f"random from {place}", self.one("card", 1))
        self.names.append(Name(name, "card"))
        tests = [f"not empty({place})"] * (place in card)
        if tests and (self.odds(0.9) or self.avoids()):
            self.names.pop()
            return [f"if {tests[0]}:", f"    look at {card} by {seat}"]
        return [f"look at {card} by {seat} as {name}"]

    # ---------------------------------------------------------------- questions

    def ask(self, inside: Inside) -> Lines:
        """Ask a seat a question with some options."""
        self.questions -= 1
        before = self.asked, self.decision
        names = [n.text for n in self.names if n.kind == "seat"]
        self.asked = self.pick("dealer", "on_lead", *names * 2)
        seat = self.publish(self.one("seat", 1)) if self.odds(0.4) else self.asked
        decision = self.decision = self.pick(self.fresh("q"), "turn", "answer")
        if self.odds(0.1):
            lines = self.ask_any(decision, inside)
            self.asked, self.decision = before
            return lines
        silent = self.table.hidden and self.odds(0.15)
        seen = self.pick(" seen by owner", " seen by team") if silent else ""
        lines = [f'ask {seat} "{decision}"{seen}:']
        for number in range(self.random.randint(1, 4)):
            lines += indent(self.option(number, inside, bool(seen)))
        if self.odds(0.06) and not self.avoids():
            lines += indent(self.alike())
        if self.groups and seat == self.asked and not seen and self.odds(0.4):
            behind = self.pick("", ": again", f": {self.change(PLAIN)[0]}")
            lines.append(f"    options {self.pick(*self.groups)}({seat}){behind}")
        self.asked, self.decision = before
        return lines

    def ask_any(self, decision: str, inside: Inside) -> Lines:
        """Ask any of some seats a question."""
        seats, name = self.publish(self.several("seat", 1)), Name(self.fresh("x"), "seat")
        start = f" {self.pick('from', 'after')} {self.pick('dealer', 'on_lead')}"
        lines = [f'ask any {name.text} in ({seats}){self.pick("", start)} "{decision}":']
        with self.bind(name):
            self.asked = name.text
            for number in range(self.random.randint(1, 3)):
                option = self.option(number, replace(inside, loop=False, shared=True), False)
                one_line = len(option) == 1 and not option[0].endswith(":")
                handed_on = [f"{option[0]}: next"] if one_line else option
                lines += indent(handed_on if self.odds(0.5) else option)
        return lines

    def option(self, number: int, inside: Inside, silent: bool, words: str = "") -> Lines:
        """Return an option of a question; the first one is mostly legal."""
        words = words or WORDS[number]
        binders, names = [], []
        with self.bind():
            choices = self.random.choice([0, 1, 1, 2] if number else [0, 0, 0, 1])
            for _ in range(choices if number or not self.avoids() else 0):
                name, binder = self.binder()
                names.append(name)
                binders.append(binder)
                self.names.append(name)
            behind = tuple("then" if binder.endswith(' "then"') else "" for binder in binders)
            if binders and self.odds(0.07) and not self.avoids():
                words = WORDS[0]  # two options may read the same
            self.forms.append(Form(self.decision, words, tuple(names), behind))
            text = f"{words} {', '.join(binders)}".strip()
            more = [v for v in self.variables if v.kind == "number" and v.high <= 70]
            if number and more and self.odds(0.2):
                one = self.random.choice(more)
                where = self.place(one.name, one.index, 0)
                body = [*self.block(1, inside), f"{where} = min({one.high}, {where} + 1)", "again"]
                return [f"{text} when {self.publish(f'{where} < {one.high}')}:", *indent(body)]
            if (number and self.odds(0.5)) or (names and self.odds(0.3)):
                text += f" when {self.test()}"
            if silent and self.odds(0.9):
                text += " openly"
            text += " as pass" * self.odds(0.06)
            if self.odds(0.2):
                return [text]
            return [f"{text}:", *self.inner_block(inside, asked=True)]

    def alike(self) -> Lines:
        """Return options of which several may read the same."""
        lines, name = [], self.fresh("b")
        for _ in range(3):
            low, test = self.random.randint(0, 3), f"{name} {self.pick('<', '!=', '>')} 2"
            lines.append(
                f"raise {name} from {low} to {low + self.random.randint(0, 2)} when {test}"
            )
        return lines

    def binder(self) -> tuple[Name, str]:
        """Return the name of a choice in an option, and its text."""
        name = self.fresh("b")
        behind = ' "then"' if self.odds(0.1) else ""
        kind = self.pick("card", "card", "card", *SINGLE[:2], *SINGLE[3:], "number", "cards", MOODS)
        if kind == MOODS:
            kind, some = (MOODS, MOOD_SET) if self.odds(0.7) else ("number", DIGITS)
            items = self.publish(self.set_without_context(some, 0 if self.table.hidden else 1))
            kind = "seat" if items == "seats" else kind
            return Name(name, kind), f"{name} from {items}{behind}"
        if kind == "cards":
            low = self.pick("1", "2", f"max(0, min(2, {self.number(1).text}))")
            some = f"{self.publish(low)}{self.pick('', ' to 2')} cards"
            zone, place = self.zone()
            if zone.index == "seat" and self.odds(0.7):
                place = f"{zone.name}[{self.asked}]"
            return Name(name, kind), f"{name} from {some} of {self.publish(place)}{behind}"
        if kind == "number":
            low = self.pick("0", "1", f"max(0, min(3, {self.number(1).text}))")
            high = self.pick("2", "4", f"max(0, min(6, {self.number(1).text}))")
            if self.odds(0.2):
                return Name(name, kind), f"{name} from {self.pick('0', '1')} to 9 by 3{behind}"
            return Name(
                name, kind
            ), f"{name} from {self.publish(low)} to {self.publish(high)}{behind}"
        if kind == "card" and self.odds(0.7):
            zone, place = self.zone()
            if zone.index == "seat" and self.odds(0.7):
                place = f"{zone.name}[{self.asked}]"
            elif self.table.hidden and zone.seen != "all":
                return Name(name, kind), f"{name} from {self.publish(place)}{behind}"
            return Name(name, kind, lies=place), f"{name} from {place}{behind}"
        some = self.publish(self.several(kind, 1))
        if self.odds(0.15):
            return Name(name, f"{kind}?"), f"{name} from ({some}) + {{none}}{behind}"
        return Name(name, kind), f"{name} from {some}{behind}"

    # ---------------------------------------------------------------- ends

    def end(self, inside: Inside) -> Lines:
        """End a trick, deal or match under a condition."""
        why = self.pick("", " because played")
        ends = [
            f"end match won by {self.publish(self.winner('team'))}{why}",
            f"end match drawn{why}",
        ]
        if inside.life != "match":
            ends = [self.end_deal(), self.end_deal(), *ends]
        if inside.life == "trick":
            ends = [self.end_trick(), self.end_trick(), self.end_trick(), *ends]
        return [f"if {self.test()}: {self.pick(*ends)}"]

    def end_deal(self) -> str:
        """Return the end of a deal."""
        won = self.pick(f"won by {self.publish(self.winner('team'))} ", "")
        return f"end deal {won}because {self.pick('played', 'folded')}"

    def end_trick(self) -> str:
        """Return the end of a trick."""
        won = f"end trick won by {self.publish(self.winner('seat'))}"
        return self.pick(won, "end trick tied")

    def winner(self, kind: str) -> str:
        """Return a seat or team, or a value that may be none."""
        return self.pick(self.one(kind, 1), self.first(kind, 1), *self.known_values(f"{kind}?", 1))
