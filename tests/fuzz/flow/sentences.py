"""Random sentences: assignments, moves, conditions, loops, calls and questions."""

from tests.fuzz.flow.attempts import write_attempt
from tests.fuzz.flow.cards import write_card_sentence
from tests.fuzz.flow.looks import write_discards, write_look, write_quiet_question

DECISIONS = ("hand", "crib", "one", "hint", "lost", "q", "r")  # some named as places are
WEIGHTS = {  # focus of a program -> the weight of each kind of sentence
    "all": """let:2 let-seat:2 set:2 set-seat:2 store:8 store-seat:2 reveal:2 cards:8 dealer:1
        call:2 if:6 for:2 repeat:2 ask:4 leave:4 trick:3 secret-choice:2 attempt:4""",
    "cards": """let:1 let-seat:1 store:1 cards:20 if:10 for:2 repeat:1 ask:2 secret-choice:3 call:1
        attempt:3""",
    "talk": """let:1 set:1 store:8 if:6 for:2 ask:16 leave:6 secret-choice:4 reveal:4 call:1 trick:3
        attempt:2""",
    "names": """let:4 let-seat:6 set:6 set-seat:6 store:8 store-seat:4 dealer:3 reveal:3 if:6 for:5
        repeat:3 ask:3 leave:2 secret-choice:2 attempt:14""",
    "announcements": """announce:12 let:6 set:2 store:10 reveal:1 if:8 for:2 repeat:1 ask:6
        secret-choice:2 call:1 leave:2 attempt:5""",
    "looks": """look:8 throws:3 quiet-question:2 let:1 store:1 cards:2 call:1 ask:1 secret-choice:1
        attempt:1""",
    "throws": "throws:8 look:1 quiet-question:1 secret-choice:1 call:1 store:1",
    "quiet": "quiet-question:6 throws:1 ask:3 secret-choice:2 store:1 if:1 for:1 cards:2",
    "known ways": "attempt:8 let:1 if:1 cards:1",
    "rules": """let:2 let-seat:2 set:2 store:6 call:10 if:6 for:2 ask:3 leave:8 cards:2 dealer:2
        attempt:2""",
}
PICK_WEIGHTS = " ask-any:4 ask:4 attempt:4"


def block(writer, depth, names, most, loop=False, asked=False, rule=False, least=1) -> str:
    """Return some sentences, indented.

    names: the bound seats and numbers. loop, asked, rule: which of these a sentence may leave.
    """
    names = (list(names[0]), list(names[1]))
    pad, lines = "    " * depth, []
    for _ in range(writer.random.randint(least, most)):
        lines += _Sentence(
            writer, depth, names, {"loop": loop, "asked": asked, "rule": rule}
        ).lines()
    lines = lines or ["known += 0"]
    return "".join(f"{pad}{line}\n" if not line.startswith("\t") else line[1:] for line in lines)


class _Sentence:
    """One sentence; a line that starts with a tab is already indented."""

    def __init__(self, writer, depth, names, inside):
        self.writer, self.depth, self.names, self.inside = writer, depth, names, inside
        self.pick, self.pad = writer.pick, "    " * (depth + 1)

    def seat(self):
        return self.writer.seat(self.names)

    def number(self):
        return self.writer.number(self.names)

    def test(self):
        return self.writer.test(self.names)

    def inner(self, names=None, **inside):
        """Return a block inside this sentence."""
        most, inside = self.pick(1, 1, 2), {**self.inside, **inside}
        return "\t" + block(self.writer, self.depth + 1, names or self.names, most, **inside)

    def weights(self):
        """Return the weight of each kind of sentence."""
        return WEIGHTS[self.writer.focus] + PICK_WEIGHTS * self.writer.picking

    def lines(self):
        """Return the lines of a random sentence; none if its kind is impossible here."""
        kinds, weights = zip(*(w.split(":") for w in self.weights().split()), strict=True)
        kind = self.writer.random.choices(kinds, [int(w) for w in weights])[0]
        if kind in ("if", "for", "repeat", "ask", "ask-any", "trick") and self.depth >= 4:
            return []
        return getattr(self, kind.replace("-", "_") + "_" * (kind in ("if", "for")))()

    # -------------------------------------------------------- names and places

    def let(self):
        value, name = self.number(), self.writer.name("n")
        self.names[1].append(name)
        return [f"let {name} = {value} + 0"]

    def let_seat(self):
        value, name = self.seat(), self.writer.name("p")
        self.names[0].append(name)
        return [f"let {name} = {value}"]

    def set(self):
        own = [n for n in self.names[1] if n[0] == "n" and n != "n"]
        return [f"{self.pick(*own)} {self.pick('=', '+=')} {self.number()}"] if own else []

    def set_seat(self):
        own = [n for n in self.names[0] if n[0] == "p" and n != "p"]
        return [f"{self.pick(*own)} = {self.seat()}"] if own else []

    def dealer(self):
        return [f"{self.pick('dealer', 'on_lead', 'marked')} = {self.seat()}"]

    def store(self):
        owned = f"{self.pick('public', 'hint', 'mates', 'none_sees')}[{self.seat()}]"
        where = self.pick("known", "known", owned, owned, f"plan[team({self.seat()})]", "lost")
        return [f"{where} {self.pick('=', '=', '+=')} {self.number()}"]

    def store_seat(self):
        return [f"{self.pick('sought', f'picked[{self.seat()}]')} = {self.seat()}"]

    def attempt(self):
        """Return a known attempt to leak a secret; the check should refuse most of them."""
        return write_attempt(self.writer, self.names, self.pad)

    def look(self):
        return write_look(self.writer, self.names, self.pad)

    def throws(self):
        return write_discards(self.writer, self.names, self.pad)

    def quiet_question(self):
        return write_quiet_question(self.writer, self.names, self.pad)

    def cards(self):
        return write_card_sentence(self.writer, self.names, self.pad)

    def reveal(self):
        place = self.pick("hint", "mates", "hand", "kept", "down", "none_sees")
        to = self.pick("seats", f"seats_of(team({self.seat()}))", self.seat(), "{{{}, {}}}")
        to = to.format(self.seat(), self.seat())
        return [f"reveal {place}[{self.seat()}] to {to}"]

    def announce(self):
        """Announce a number, often a named one, to all or some seats; half of them by a seat."""
        if self.writer.ending and self.writer.random.random() < 0.5:
            return self.look_at_card()
        names = [n for n in self.names[1] if n != "n"]
        value = f"{self.number()} + 0"
        if names and self.writer.random.random() < 0.8:
            value = self.pick(*names)
        by = self.pick("", f" by {self.seat()}")
        some = f"(those q in seats where {self.test()})"
        to = self.pick("all", self.seat(), self.seat(), f"team({self.seat()})", some)
        return [f'announce {value} as "number"{by} to {to}']

    def look_at_card(self):
        """Let a seat look at a card of another, then do something that depends on it."""
        place, card = f"hand[{self.seat()}]", self.writer.name("c")
        which = self.pick("random from {}", "(first z in {} with highest strength(z))")
        looker = self.seat()
        use = self.pick(
            f"known = strength({card})",
            f"known = strength(openly({card}))",
            f"hint[{looker}] = strength({card})",
            f'if strength({card}) > 2: ask {looker} "seen" seen by owner: pass',
            f"if strength({card}) > 2: reveal hand[dealer] to {looker}",
        ).replace(": pass", ":\n            pass")
        lines = [f"look at {which.format(place)} by {looker} as {card}", *use.split("\n")]
        return [f"if not empty({place}):", *("    " + line for line in lines)]

    # -------------------------------------------------------- calls, conditions, loops

    def call(self):
        if not self.writer.rules:
            return []
        done = f"{self.pick(*self.writer.rules)}({self.seat()}, {self.number()})"
        if self.writer.random.random() < 0.5:
            return [f"do {done}"]
        name = self.writer.name("n")
        self.names[1].append(name)
        return [f"let {name} = do {done}"]

    def if_(self):
        lines = [f"if {self.test()}:", self.inner()]
        if self.writer.random.random() < 0.4:
            lines += ["else:", self.inner()]
        return lines

    def repeat(self):
        times = self.pick("2 times", "at most 2 times until {}", "at most 3 times while {}")
        return [f"repeat {times.format(self.test())}:", self.inner(loop=True)]

    def for_(self):
        seats, numbers = self.names
        if self.writer.random.random() < 0.2:
            card, value = self.writer.name("c"), self.writer.name("n")
            where = self.pick("", f" where strength({card}) > 4")
            place = f"{self.pick('hand', 'kept', 'row', 'down')}[{self.seat()}]"
            body = self.inner((seats, [*numbers, value]), loop=True)
            first = f"\t{self.pad}let {value} = strength({card}) + 0\n"
            return [f"for {card} in {place}{where}:", first, body]
        name = self.writer.name("e")
        where = self.pick("", "", " where {test}", f" where team({name}) == team({{seat}})")
        where = where.format(test=self.test(), seat=self.seat()) if where else ""
        domain = self.pick("seats", "seats", f"seats from {self.seat()}", "strong_seats")
        if domain == "strong_seats" and not self.writer.is_secret(1):
            domain = "seats"
        return [f"for {name} in {domain}{where}:", self.inner(([*seats, name], numbers), loop=True)]

    def trick(self):
        if self.depth < 2 or not self.writer.in_deal or self.inside["rule"]:
            return []
        won = self.pick("tied", f"won by {self.seat()}")
        body = self.inner(loop=False, asked=False)
        return ["trick on row:", body, f"\t{self.pad}end trick {won}\n"]

    def leave(self):
        inside = self.inside
        ways = [
            w
            for w, what in (("stop", "loop"), ("next", "loop"), ("again", "asked"))
            if inside[what]
        ]
        if inside["rule"]:
            ways += ["return n", f"return {self.number()}"]
        ways = ways * 3 + ["end match drawn", f"end match won by team({self.seat()})"]
        if self.writer.in_deal and not inside["rule"]:
            ways += ["end deal because left", f"end deal won by team({self.seat()}) because left"]
        return [f"if {self.test()}: {self.pick(*ways)}"]

    # -------------------------------------------------------- questions

    def secret_choice(self):
        """Return a secret choice of a number, which later sentences use."""
        name, seen = self.writer.name("n"), self.pick("owner", "owner", "team")
        asked = f'ask {self.seat()} "{self.pick(*DECISIONS)}" seen by {seen}:'
        self.names[1].extend([name] * 3)
        if self.pick(True, False):
            options = f"\t{self.pad}a\n\t{self.pad}b: {name} = 4\n"
            return [f"let {name} = 1", asked, *options.splitlines(keepends=True)]
        chosen = self.writer.name("b")
        return [
            f"let {name} = 1",
            asked,
            f"\t{self.pad}a {chosen} from 1 to 5: {name} = {chosen}\n",
        ]

    def seen(self):
        return self.pick("", " seen by owner", " seen by owner", " seen by team")

    def ask(self):
        seen, asked = self.seen(), self.seat()
        return self.question(asked, seen, asked, self.names, self.inside)

    def ask_any(self):
        """Ask any of some seats, mostly of a public set."""
        who, seat = self.writer.name("e"), self.seat()
        some = self.pick("seats", f"seats_of(team({seat}))", f"seats_of(team({seat}))")
        if self.writer.is_secret(0.5):
            some = self.pick("strong_seats", f"(those q in seats where {self.test()})")
        names = ([*self.names[0], who], self.names[1])
        some += self.pick("", "", f" from {self.seat()}")
        return self.question(
            f"any {who} in {some}", self.seen(), who, names, {"rule": self.inside["rule"]}
        )

    def question(self, whom, seen, asked, names, inside):
        """Return a question; asked: the expression for the asked seat in its options."""
        random = self.writer.random
        lines = [f'ask {whom} "{self.pick(*DECISIONS)}"{seen}:']
        for i in range(self.pick(1, 2, 2, 3)):
            (seats, numbers), binder, moved = names, "", ""
            openly = " openly" if random.random() < 0.1 else ""
            if random.random() < 0.4:
                bound = self.writer.name("b")
                last = f"min(3, max(1, {self.number()}))" if random.random() < 0.2 else "3"
                binder, numbers = f" {bound} from 1 to {last}", [*numbers, bound]
            elif self.writer.picking and random.random() < 0.5:
                binder, moved = self.several(asked)
            elif random.random() < 0.3:
                to = self.pick("crib", f"row[{asked}]", "one", f"kept[{asked}]", "shown")
                card, whose = self.writer.name("c"), self.pick(asked, asked, asked, self.seat())
                binder = f" {card} from {self.pick('hand', 'hand', 'kept', 'row', 'pool')}[{whose}]"
                moved = f"{self.pad}    move {card} to {to}\n"
            known = (seats, numbers)
            when = f" when {self.writer.test(known)}" if i and random.random() < 0.4 else ""
            within = {**inside, "asked": True}
            body = block(self.writer, self.depth + 2, known, 2, **within, least=0)
            lines.append(f"\t{self.pad}{'abc'[i]}{binder}{when}{openly}:\n{moved}{body}")
        if random.random() < 0.7:
            lines.append(f"\t{self.pad}pass\n")
        return lines

    def several(self, asked):
        """Return a choice of several cards at once, and the sentence that moves them."""
        cards, card, whose = self.writer.name("c"), self.writer.name("c"), asked
        if self.writer.random.random() < 0.2:
            whose = self.seat()
        place = f"{self.pick('hand', 'hand', 'hand', 'kept', 'row')}[{whose}]"
        many = self.pick("1", "1", "2", f"min(2, max(0, {self.number()}))")
        many += self.pick("", "", " to 2") if many == "1" else ""
        to = self.pick("crib", f"row[{asked}]", "one", f"kept[{asked}]", "shown")
        moved = f"{self.pad}    for {card} in {cards}: move {card} from {place} to {to}\n"
        return f" {cards} from {many} cards of {place}", moved
