"""Random deals of a few cards, in which seats see things that may be hidden again.

A deal moves cards between places with different sight, rolls dice, asks questions, and ends with a
number that decides who wins. Conditions read only what all may see.
"""

from __future__ import annotations

from random import Random

from tests.fuzz.small_games import Lines, SmallWriter, fill, indent

MOST_CHANCES, MOST_QUESTIONS = 3, 3
PLACES = ("hand[dealer]", "hand[other]", "row", "down", "table[dealer]", "stock")
SIGHTS = ("seen by all", "seen by owner", "seen by nobody")
NOTED = "noted = (noted * 3 + {}) mod 97"

HEAD = """\
language: 3
variant: recall
title: Recall
players: [2]
teams: {2: 2}
pack: {suits: {s: s}, ranks: [RANKS]}
counters: {points: {help: One wins.}}
rules: |
"""
RULES = """\
zone stock: pile, starts with pack_cards, seen by nobody
zone hand[seat]: HAND
zone table[seat]: TABLE
zone row: ROW
zone down: DOWN

deal state:
    noted: 0 to 96
    told: 0 to 3, TOLD
    die[seat]: 0 to 3, DIE
    kept[seat]: card?, KEPT
rule match "One deal.":
    repeat at most 1000 times:
        deal:
            do play_deal
        for side in teams where points[side] >= 1: end match won by side
PIECES
rule play_deal "Whoever is lucky wins.":
    gather hand, table, row, down into stock openly
    shuffle stock
    let other = next_seat(dealer)
    BODY
    let own = openly(total strength(c) for c in hand[dealer])
    let others = openly(total strength(c) for c in hand[other])
    let sum = own + 2 * others + 3 * openly(total strength(c) for c in row)
    let more = openly(told) + 2 * openly(die[dealer]) + openly(die[other])
    let kept_value = openly(total strength(c) for c in pack_cards where c == kept[dealer])
    let winner = dealer if (noted + sum + more + kept_value) mod 3 == 0 else other
    points[team(winner)] += 1 + (noted + sum) mod 2
    end deal won by team(winner) because played
"""


def write_game(seed: int) -> str:
    """Return the variant of a seed."""
    return Writer(Random(seed)).game()


class Writer(SmallWriter):
    """Writes one game."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.questions = self.chances = 0

    def game(self) -> str:
        """Return a variant."""
        body = ["draw from stock to hand[dealer]"] * self.odds(0.8)
        body += ["draw from stock to hand[other]"] * self.odds(0.8)
        body += self.part(0)
        for _ in range(self.random.randint(2, 5)):
            body += self.part(0)
        if not self.questions or self.odds(0.5):
            body += self.ask(0)
        body += self.ask(0)
        traits = {
            "HAND": self.pick("", "pile, ") + self.pick(*SIGHTS[:2], SIGHTS[1]),
            "TABLE": self.pick(*SIGHTS),
            "ROW": self.pick("", "pile, ") + self.pick(SIGHTS[0], SIGHTS[0], SIGHTS[2]),
            "DOWN": "pile, " + self.pick(SIGHTS[2], SIGHTS[2], SIGHTS[0]),
            "TOLD": self.pick(SIGHTS[0], SIGHTS[2]),
            "KEPT": self.pick(*SIGHTS),
            "DIE": self.pick(SIGHTS[1], *SIGHTS[1:]),
        }
        rules = fill(RULES, {"BODY": body, "PIECES": self.pieces})
        text = "".join(f"  {line}\n" for line in rules)
        for name, trait in traits.items():
            text = text.replace(f" {name}\n", f" {trait}\n")
        ranks = self.pick("A, K, Q", "A, K, Q, J", "A, K, Q, J")
        suits = "s: s, h: h" if ranks == "A, K, Q" and self.odds(0.3) else "s: s"
        return HEAD.replace("RANKS", ranks).replace("s: s", suits) + text

    def part(self, depth: int) -> Lines:
        """Return some sentences."""
        kinds = [self.draw, self.carry, self.carry, self.roll, self.note, self.ask, self.gather]
        kinds += [self.keep, self.reveal, self.lead]
        if depth < 2:
            kinds += [self.branch, self.loop, self.piece, self.luck]
        return self.random.choice(kinds)(depth)

    def seat(self) -> str:
        return self.pick("dealer", "other")

    def draw(self, _depth: int) -> Lines:
        """Draw a card from a pile."""
        self.chances += 1
        pile, target = self.pick("stock", "stock", "stock", "down"), self.pick(*PLACES[:5])
        if self.chances > MOST_CHANCES or pile == target:
            return self.note(0)
        face = " face up" if self.odds(0.15) else ""
        return [f"if size({pile}) > 0:", f"    draw from {pile} to {target}{face}"]

    def carry(self, _depth: int) -> Lines:
        """Move cards from a place to another one."""
        origin, target = self.random.sample(PLACES, 2)
        openly = self.pick("", " openly", " openly")
        match self.random.randint(0, 4):
            case 0:
                return [f"move all from {origin} to {target}{openly}"]
            case 1:
                return [f"for c in {origin}: move openly(c) from {origin} to {target}"]
        self.chances += 1
        if self.chances > MOST_CHANCES:
            return [f"move all from {origin} to {target}{openly}"]
        card = self.fresh()
        if self.odds(0.3):
            other = self.fresh()
            return [
                f"if size({origin}) > 0 and size({target}) > 0:",
                f"    let {card} = random from {origin}",
                f"    let {other} = random from {target}",
                f"    swap {card} from {origin} with {other} from {target}",
            ]
        return [
            f"if size({origin}) > 0:",
            f"    let {card} = random from {origin}",
            f"    move {card} from {origin} to {target}",
        ]

    def roll(self, _depth: int) -> Lines:
        """Change a variable by chance or by a number."""
        name, target = self.fresh(), self.pick("told", f"die[{self.seat()}]", f"die[{self.seat()}]")
        if self.odds(0.2):
            held = f"openly(total strength(c) for c in {self.pick(*PLACES)})"
            return [f"{target} = min(3, {held})"]
        self.chances += 1
        if self.chances > MOST_CHANCES or self.odds(0.3):
            return [f"{target} = {self.random.randint(0, 2)}"]
        return [f"let {name} = roll 1 to 2", f"{target} = {name}"]

    def keep(self, _depth: int) -> Lines:
        """Remember a card, or forget it."""
        place, seat, card = self.pick(*PLACES), self.seat(), self.fresh()
        self.chances += 1
        if self.chances > MOST_CHANCES or self.odds(0.2):
            return [f"kept[{seat}] = none"]
        lines = [f"let {card} = random from {place}"]
        lines += [f"kept[{seat}] = {self.pick(card, f'openly({card})')}"]
        return [f"if size({place}) > 0:", *indent(lines)]

    def reveal(self, _depth: int) -> Lines:
        """Show cards or a number to all, or to one seat."""
        what = self.pick("down", *PLACES[:3], f"die[{self.seat()}]", f"kept[{self.seat()}]", "told")
        return [f"reveal {what} to {self.pick('seats', '{dealer}', '{other}')}"]

    def lead(self, _depth: int) -> Lines:
        """Change who leads."""
        return [f"on_lead = {self.seat()}"]

    def note(self, _depth: int) -> Lines:
        """Change the public number."""
        place = self.pick(*PLACES)
        values = (
            f"size({place})",
            "1",
            f"openly(total strength(c) for c in {place})",
            "openly(told)",
        )
        return [NOTED.format(self.pick(*values, f"openly(die[{self.seat()}])"))]

    def gather(self, _depth: int) -> Lines:
        """Put cards under the stock, and shuffle it."""
        zone, target = self.pick("row", "table", "hand", "down"), self.pick("stock", "down")
        if zone == target:
            return self.note(0)
        return [f"gather {zone} into {target} openly", *[f"shuffle {target}"] * self.odds(0.7)]

    def ask(self, depth: int) -> Lines:
        """Ask a seat."""
        self.questions += 1
        if self.questions > MOST_QUESTIONS:
            return self.note(0)
        seat, name = self.seat(), f"q{self.questions}"
        origin = f"hand[{seat}]"
        target = self.pick("row", "down", "stock", f"table[{seat}]", "hand[dealer]")
        moved = self.pick("c", "c", "openly(c)")
        play = f"play c from {origin}: move {moved} from {origin} to {target}"
        if target == origin:
            play = f"play c from {origin}: die[{seat}] = {self.random.randint(0, 2)}"
        if self.odds(0.3):
            return self.ask_in_secret(seat, name, play)
        options = ["pass", *[play] * self.odds(0.5)]
        if self.odds(0.6) or len(options) == 1:
            options += [f"add: {self.effect(seat)}"]
        if depth == 0 and self.odds(0.3):
            options += ["then do:", *indent(self.part(1))]
        return [f'ask {seat} "{name}":', *indent(options)]

    def ask_in_secret(self, seat: str, name: str, play: str) -> Lines:
        """Ask a seat for a card or a number, so that the other one does not know the answer."""
        question = f'ask {seat} "{name}" seen by owner:'
        if self.odds(0.5):
            return [f"if size(hand[{seat}]) > 0:", *indent([question, f"    {play}"])]
        first, second = self.random.sample(range(4), 2)
        return [question, f"    one: die[{seat}] = {first}", f"    two: die[{seat}] = {second}"]

    def effect(self, seat: str) -> str:
        """Return what an answer changes."""
        return self.pick(NOTED.format(1), NOTED.format(2), f"die[{seat}] = 3", "told = 3")

    def test(self) -> str:
        """Return a condition that all may know."""
        place = self.pick(*PLACES)
        return self.pick("noted mod 2 == 0", f"size({place}) > 1", f"size({place}) == 0")

    def branch(self, depth: int) -> Lines:
        """Do something on a condition."""
        lines = [f"if {self.test()}:", *indent(self.part(depth + 1))]
        if self.odds(0.5):
            lines += ["else:", *indent(self.part(depth + 1))]
        return lines

    def luck(self, depth: int) -> Lines:
        """Do something or not, by chance."""
        self.chances += 1
        if self.chances > MOST_CHANCES:
            return self.branch(depth)
        name = self.fresh()
        lines = [f"let {name} = chance 1 out of 2", f"if {name}:", *indent(self.part(depth + 1))]
        return [*lines, "else:", *indent(self.part(depth + 1))] if self.odds(0.3) else lines

    def loop(self, depth: int) -> Lines:
        """Do something more than once."""
        body = self.part(depth + 1)
        if self.odds(0.5):
            return ["repeat 2 times:", *indent(body)]
        seat = self.fresh()
        body = [line.replace("[dealer]", f"[{seat}]") for line in body]
        return [f"for {seat} in seats from dealer:", *indent(body)]

    def piece(self, depth: int) -> Lines:
        """Do something in a rule of its own."""
        name = self.fresh()
        body = self.part(depth + 1)
        self.pieces += [f"rule {name}(other):", *indent(body)]
        return [f"do {name}(other)"]
