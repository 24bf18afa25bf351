"""Random rules with hidden cards, secret questions and places of every visibility.

During play, intended releases are noted (a card that is laid open, `reveal`, `openly`), see `runs`.
Nothing else may show a seat what it may not see.
"""

from random import Random

from tests.fuzz.flow.cards import write_final_reveals
from tests.fuzz.flow.sentences import block

# From each of these seeds on, programs also contain:
ANNOUNCE_SEED = 1_000_000  # announcements
PICK_SEED = 2_000_000  # highest and lowest, several cards at once, any of several seats
LOOK_SEED = 3_000_000  # stale looks, discards, questions that one seat notices
HOOK_SEED = 4_000_000  # a hook after each deal, and looks at cards
START = "rule match:\n    do begin_table\n"


class Writer:
    """Writes one program; focus: the main subject of its sentences.

    names: the seats and numbers that are bound at a sentence.
    takers: rules whose arguments are a seat and cards of its hand.
    """

    takers = ("throw_out", "count_out")

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = 0
        self.rules: list[str] = []
        self.favourite = self.pick("dealer", "on_lead", "marked")  # used more often than others
        self.in_deal = False  # the sentences of the rule `match` stand in a deal
        self.secrets = self.pick(1, 1, 1, 2, 3, 50)  # how many more values are secret
        self.focus = self.pick("all", "cards", "cards", "talk", "names", "rules", "known ways")
        self.picking = seed >= PICK_SEED
        if ANNOUNCE_SEED <= seed < PICK_SEED:
            self.focus = "announcements"
        self.ending = seed >= HOOK_SEED
        if self.ending:
            self.focus = self.pick("all", "announcements", "announcements")
        elif seed >= LOOK_SEED:
            self.focus = self.pick("looks", "looks", "throws", "quiet")

    def write(self) -> str:
        """Return the rules."""
        callable_rules = [
            f"part{i}" for i in range(self.pick(*(1, 2) if self.focus == "rules" else (0, 0, 1)))
        ]
        texts = []
        for i, name in enumerate(callable_rules):
            self.rules = callable_rules[i + 1 :]
            inner = block(self, 1, (["p"], ["n"]), 3, rule=True)
            result = self.pick("n", self.number((["p"], ["n"])))
            texts.append(f"rule {name}(p, n: number) -> number:\n{inner}    return {result}\n")
        self.rules = callable_rules
        self.in_deal = deal = self.random.random() < 0.3 or self.ending
        depth = 2 if deal else 1
        pad = "    " * depth
        body = block(self, depth, ([], []), self.pick(1, 1, 2, 2, 3, 6))
        body += "".join(f"{pad}let r{n} = do {n}(dealer, 1)\n" for n in callable_rules)
        if deal:
            end = self.pick("", f"won by team({self.seat(([], []))}) ")
            body = f"    deal:\n{body}        end deal {end}because over\n"
        if self.ending:
            self.in_deal = False  # a deal that is over cannot end again
            inner = block(self, 1, ([], []), 2)
            texts.append(f"when a deal is over:\n{inner}")
        if self.focus not in ("talk", "known ways"):
            body += "".join(f"    {line}\n" for line in write_final_reveals(self))
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
        """Return a seat; most of them are public."""
        seats = names[0]
        if self.random.random() < 0.4:
            return self.favourite
        base = self.pick("dealer", "on_lead", "marked", *seats, *seats, *seats)
        if self.is_secret(0.2):
            ways = ["sought", f"picked[{base}]", f"(first x in strong_seats + {base})"]
            if self.picking:
                ways += [
                    f"(first x in seats from {base} with {self.pick_order()} luck_in(hand[x]))"
                ] * 2
            base = self.pick(*ways)
        return self.pick(base, base, base, f"next_seat({base})", f"partner({base})")

    def pick_order(self) -> str:
        """Return `highest` or `lowest`."""
        return self.pick("highest", "lowest")

    def is_secret(self, chance) -> bool:
        """Tell whether the next value is a secret one."""
        if self.secrets <= 0 or self.random.random() >= chance:
            return False
        self.secrets -= 1
        return True

    def secret(self, names) -> str:
        """Return a number that some seats may not see."""
        at, other = self.seat(names), self.seat(names)
        zone = self.pick("hand", "hand", "kept", "pool", "down")
        if self.picking and self.random.random() < 0.3:
            return self.pick(
                f"size(those x in seats with {self.pick_order()} luck_in({zone}[x]))",
                f"size(those x in {zone}[{at}] with {self.pick_order()} (strength(x) mod 3))",
                f"(0 if empty({zone}[{at}]) else "
                f"strength(first x in {zone}[{at}] with {self.pick_order()} strength(x)))",
            )
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
            "(total hint[q] for q in seats)",
            f"(highest hint[q] for q in seats_of(team({at})))",
            f"(0 if empty(one) else strength(first x in {zone}[{at}] + one))",
        )

    def number(self, names) -> str:
        """Return a number."""
        at = self.seat(names)
        known = [
            *names[1],
            *names[1],
            "known",
            f"size({self.pick('hand', 'down', 'row')}[{at}])",
            f"public[{at}]",
        ]
        shown = f"(total strength(x) for x in {self.pick('shown', f'row[{at}]')})"
        found = self.pick(*known, shown, str(self.random.randint(0, 3)))
        if self.is_secret(0.6):
            found = self.secret(names)
        return f"openly({found})" if self.random.random() < 0.02 else found

    def test(self, names) -> str:
        """Return a condition."""
        seat = self.seat(names)
        if self.is_secret(0.8):
            match self.pick("number", "number", "good", "not good", "in", "and"):
                case "number":
                    return f"{self.secret(names)} > {self.random.randint(0, 1)}"
                case "in":
                    return f"{seat} in strong_seats"
                case "and":
                    return f"good({seat}) and {self.number(names)} > 0"
                case how:
                    return f"{how}({seat})"
        match self.pick("size", "number", "seat"):
            case "size":
                return f"size(hand[{seat}]) > {self.random.randint(0, 3)}"
            case "number":
                return f"{self.number(names)} > {self.random.randint(0, 2)}"
            case _:
                return f"{seat} == {self.seat(names)}"
