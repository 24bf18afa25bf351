"""Random rules with hidden cards, secret questions and places of every visibility.

What they show on purpose (a card that is laid open, `reveal`, `openly`) is noted while they are
played, see `runs`; nothing else may tell a seat of what it may not see.
"""

from random import Random

from tests.fuzz.flow.cards import card_sentence, shown_in_the_end

START = """\
rule match:
    for p in seats:
        repeat 3 times: draw from stock to hand[p]
        draw from stock to kept[p]
        draw from stock to down[p]
        draw from stock to row[p]
    for side in teams: draw from stock to shared[side]
    repeat 2 times:
        draw from stock to crib
        draw from stock to shown
    draw from stock to one
    draw from stock to one
    draw from stock to two
    move top(shown) from shown to one
    move (first c in row[dealer]) from row[dealer] to down[dealer]
    dealer = random from seats
    marked = random from seats
    ask dealer "start":
        begin
"""
DECISIONS = ("hand", "down", "one", "hint", "lost", "q", "r", "s")  # some are called as places are


class Writer:
    """Writes one program; names: seats and numbers that are bound where a sentence stands."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0
        self.rules: list[str] = []
        self.in_deal = False  # the sentences of the rule `match` stand in a deal
        self.secrets = self.pick(1, 1, 1, 2, 3, 50)  # how many more values are secret
        self.cards = self.pick(2, 5, 20)  # how often a sentence is one that moves cards

    def program(self) -> str:
        """Return the rules."""
        callable_rules = [f"part{i}" for i in range(self.pick(0, 0, 1, 2))]
        texts = []
        for i, name in enumerate(callable_rules):
            self.rules = callable_rules[i + 1 :]
            inner = self.block(1, (["p"], ["n"]), 3, rule=True)
            texts.append(f"rule {name}(p, n: number) -> number:\n{inner}    return n\n")
        self.rules = callable_rules
        self.in_deal = deal = self.random.random() < 0.3
        depth = 2 if deal else 1
        pad = "    " * depth
        body = self.block(depth, ([], []), self.pick(1, 1, 2, 2, 3, 6))
        body += "".join(f"{pad}let r{n} = do {n}(dealer, 1)\n" for n in callable_rules)
        if deal:
            end = self.pick("", f"won by team({self.seat(([], []))}) ")
            body = f"    deal:\n{body}        end deal {end}because over\n"
        if self.cards > 2:
            body += "".join(f"    {line}\n" for line in shown_in_the_end(self))
        body += '    for z in seats:\n        ask z "last":\n            pass\n'
        return START + body + "    end match drawn\n" + "".join(texts)

    # -------------------------------------------------------- values

    def name(self, letter: str) -> str:
        """Return a new name."""
        self.count += 1
        return f"{letter}{self.count}"

    def pick(self, *choices):
        """Return one of these."""
        return self.random.choice(choices)

    def seat(self, names) -> str:
        """Return a seat that mostly all know."""
        seats = names[0]
        base = self.pick("dealer", "on_lead", "marked", *seats, *seats, *seats)
        if self.is_secret(0.12):
            base = self.pick("sought", f"picked[{base}]", f"(first x in strong_seats + {base})")
        return self.pick(base, base, base, f"next_seat({base})", f"partner({base})")

    def is_secret(self, chance) -> bool:
        """Tell whether the next value is a secret one."""
        if self.secrets <= 0 or self.random.random() >= chance:
            return False
        self.secrets -= 1
        return True

    def secret(self, names) -> str:
        """Return a number that not all may see."""
        at, other = self.seat(names), self.seat(names)
        zone = self.pick("hand", "hand", "kept", "pool", "down")
        return self.pick(
            f"hint[{at}]",
            f"mates[{at}]",
            f"plan[team({at})]",
            "lost",
            f"none_sees[{at}]",
            f"size(those x in {zone}[{at}] where strength(x) > 4)",
            f"size(those x in {zone}[{at}] where strength(x) > 4)",
            "size(those x in crib where strength(x) > 4)",
            f"size(those x in shared[team({at})] where strength(x) > 4)",
            f"(count q in seats_of(team({at})) where hint[q] > 1)",
            f"luck_of({at})",
            f"(1 if richer({at}, {other}) else 0)",
            f"(total strength(x) for x in kept[{at}])",
            f"(0 if empty(one) else strength(first x in {zone}[{at}] + one))",
        )

    def number(self, names) -> str:
        """Return a number."""
        at = self.seat(names)
        known = [*names[1], *names[1], "known", f"size(hand[{at}])", f"public[{at}]"]
        shown = f"(total strength(x) for x in {self.pick('shown', f'row[{at}]')})"
        found = self.pick(*known, shown, str(self.random.randint(0, 3)))
        if self.is_secret(0.6):
            found = self.secret(names)
        return f"openly({found})" if self.random.random() < 0.02 else found

    def test(self, names) -> str:
        """Return a condition."""
        seat = self.seat(names)
        if self.is_secret(0.8):
            return self.pick(
                f"{self.secret(names)} > {self.random.randint(0, 1)}",
                f"{self.secret(names)} > {self.random.randint(0, 1)}",
                f"good({seat})",
                f"not good({seat})",
                f"{seat} in strong_seats",
                f"good({seat}) and {self.number(names)} > 0",
            )
        return self.pick(
            f"size(hand[{seat}]) > {self.random.randint(0, 3)}",
            f"{self.number(names)} > {self.random.randint(0, 2)}",
            f"{seat} == {self.seat(names)}",
        )

    # -------------------------------------------------------- sentences

    def block(self, depth, names, most, loop=False, asked=False, rule=False, least=1) -> str:
        """Return some sentences, indented."""
        names = (list(names[0]), list(names[1]))
        pad, lines = "    " * depth, []
        for _ in range(self.random.randint(least, most)):
            lines += self.sentence(depth, names, loop, asked, rule)
        lines = lines or ["known += 0"]
        return "".join(
            f"{pad}{line}\n" if not line.startswith("\t") else line[1:] for line in lines
        )

    def inner(self, depth, names, most=0, **inside) -> str:
        """Return a block inside another."""
        return "\t" + self.block(depth + 1, names, most or self.pick(1, 1, 2), **inside)

    def sentence(self, depth, names, loop, asked, rule):
        """Return the lines of a sentence; a line that begins with a tab is indented already."""
        seat, number, test = self.seat(names), self.number(names), self.test(names)
        inside = {"loop": loop, "asked": asked, "rule": rule}
        kinds = ["let", "let seat", "set", "set seat", *["store"] * 4, "store seat", "reveal"]
        kinds += ["cards"] * self.cards + ["dealer"] + ["call"] * bool(self.rules)
        if depth < 4:
            kinds += ["if", "if", "if", "for", "repeat", "ask", "ask", "ask"]
        if depth < 4 and self.cards > 5:
            kinds += ["if"] * 6
        if depth >= 2 and self.in_deal and not rule:
            kinds += ["trick"]
        if loop or asked or rule:
            kinds += ["leave", "leave"]
        match self.pick(*kinds):
            case "let":
                name = self.name("n")
                names[1].append(name)
                return [f"let {name} = {number} + 0"]
            case "let seat":
                name = self.name("p")
                names[0].append(name)
                return [f"let {name} = {seat}"]
            case "set":
                own = [n for n in names[1] if n[0] == "n" and n != "n"]
                return [f"{self.pick(*own)} {self.pick('=', '+=')} {number}"] if own else []
            case "set seat":
                own = [n for n in names[0] if n[0] == "p" and n != "p"]
                return [f"{self.pick(*own)} = {seat}"] if own else []
            case "dealer":
                return [f"{self.pick('dealer', 'on_lead', 'marked')} = {seat}"]
            case "store":
                owned = self.pick("public", "hint", "mates", "none_sees")
                where = self.pick("known", "known", f"{owned}[{seat}]", f"plan[team({seat})]", "lost")
                return [f"{where} {self.pick('=', '=', '+=')} {number}"]
            case "store seat":
                return [f"{self.pick('sought', f'picked[{seat}]')} = {self.seat(names)}"]
            case "cards":
                return card_sentence(self, names)
            case "reveal":
                place = self.pick("hint", "mates", "hand", "kept", "down", "none_sees")
                to = self.pick("seats", f"seats_of(team({self.seat(names)}))", self.seat(names))
                return [f"reveal {place}[{seat}] to {to}"]
            case "call":
                name = self.name("n")
                names[1].append(name)
                return [f"let {name} = do {self.pick(*self.rules)}({seat}, {number})"]
            case "if":
                lines = [f"if {test}:", self.inner(depth, names, **inside)]
                if self.random.random() < 0.4:
                    lines += ["else:", self.inner(depth, names, **inside)]
                return lines
            case "for":
                return self.loop(depth, names, inside)
            case "repeat":
                times = self.pick(
                    "2 times", f"at most 2 times until {test}", f"at most 3 times while {test}"
                )
                return [f"repeat {times}:", self.inner(depth, names, **{**inside, "loop": True})]
            case "ask":
                return self.ask(depth, names, inside)
            case "trick":
                won = self.pick("tied", f"won by {seat}")
                body = self.inner(depth, names, **{**inside, "loop": False, "asked": False})
                return ["trick on row:", body, f"\t{'    ' * (depth + 1)}end trick {won}\n"]
            case _:
                ways = [w for w, ok in (("stop", loop), ("next", loop), ("again", asked)) if ok]
                ways += ["return n", f"return {number}"] if rule else []
                return [f"if {test}: {self.pick(*ways)}"] if ways else []

    def loop(self, depth, names, inside):
        """Return a loop over seats or cards."""
        inside = {**inside, "loop": True}
        if self.random.random() < 0.2:
            card = self.name("c")
            where = self.pick("", f" where strength({card}) > 4")
            zone = self.pick("hand", "kept", "row", "down")
            value = self.name("n")
            body = self.inner(depth, (names[0], [*names[1], value]), 1, **inside)
            first = f"\t{'    ' * (depth + 1)}let {value} = strength({card}) + 0\n"
            return [f"for {card} in {zone}[{self.seat(names)}]{where}:", first, body]
        name = self.name("e")
        where = self.pick(
            "", "", f" where {self.test(names)}", f" where team({name}) == team({self.seat(names)})"
        )
        domain = self.pick("seats", f"seats from {self.seat(names)}", "strong_seats")
        return [
            f"for {name} in {domain}{where}:",
            self.inner(depth, ([*names[0], name], names[1]), **inside),
        ]

    def ask(self, depth, names, inside):
        """Return a question."""
        seen = self.pick("", " seen by owner", " seen by owner", " seen by team")
        asked = self.seat(names)
        pad = "    " * (depth + 1)
        lines = [f'ask {asked} "{self.pick(*DECISIONS)}"{seen}:']
        for i in range(self.pick(1, 2, 2, 3)):
            at, binder, openly = names, "", " openly" if self.random.random() < 0.1 else ""
            moved = ""
            if self.random.random() < 0.4:
                n = self.name("b")
                binder, at = f" {n} from 1 to 3", (names[0], [*names[1], n])
            elif self.random.random() < 0.3:
                to = self.pick("crib", f"row[{asked}]", "one", f"kept[{asked}]", "shown")
                card = self.name("c")
                binder = f" {card} from {self.pick('hand', 'hand', 'kept')}[{asked}]"
                moved = f"move {card} to {to}"
            when = f" when {self.test(at)}" if i and self.random.random() < 0.4 else ""
            body = self.block(depth + 2, at, 2, **{**inside, "asked": True}, least=0)
            if moved:
                body = f"{'    ' * (depth + 2)}{moved}\n" + body
            lines.append(f"\t{pad}{'abc'[i]}{binder}{when}{openly}:\n{body}")
        if self.random.random() < 0.7:
            lines.append(f"\t{pad}pass\n")
        return lines
