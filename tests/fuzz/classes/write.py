"""Random games of six cards, in which something may depend on the order of the pack.

A deal names some cards, moves cards about, takes one of several equal cards, and looks where the
named cards are. Or it lays cards on a pile and looks at the ends of this. A script plays a card.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from tests.fuzz.small_games import Lines, SmallWriter, fill, indent

PLACES = ("row", "hand[dealer]", "hand[next_seat(dealer)]")  # where cards are dealt
TARGETS = ("heap", "table[dealer]", *PLACES)
STATE = ("kept: card?", "some: cards", "marked[card]: yes_no", "turns: 0 to 9")

HEAD = """\
variant: small
title: Small
players: [2]
teams: {{2: 2}}
pack:
  suits: {{{suits}}}
  ranks: [{ranks}]
  values: {{figure: {{{figures}}}}}
counters:
  points: {{help: Goal points win.}}
rules: |
"""
RULES = """\
zone stock: pile, starts with pack_cards, seen by nobody
zone row: seen by all
zone heap: pile, seen by all
zone hand[seat]: seen by all
zone table[seat]: seen by all

deal state:
    noted: 0 to 96
    STATE
rule match "Deal after deal.":
    setup dealer: dealer = random from seats
    repeat at most 100000 times:
        deal:
            do play_deal
        for side in teams where points[side] >= 1: end match won by side
        dealer = next_seat(dealer)
PIECES
rule play_deal "Two cards each and two in the row; an even number is good for the dealer.":
    gather hand, table, row, heap into stock openly
    shuffle stock
    repeat 2 times:
        draw from stock to row
        for p in seats from dealer: draw from stock to hand[p]
    BODY
    noted = (noted * 3 + (total strength(c) for c in row)) mod 97
    let winner = dealer if noted mod 2 == 0 else next_seat(dealer)
    points[team(winner)] += 1
    end deal won by team(winner) because played
"""
SCRIPT = """\
strategy plays "Plays by a key.":
    deal memory:
        mine: card? = none
        at_first: cards = hand[me]
    on turn:
        play c {clause}
    otherwise: any
"""
NAME = re.compile(r"\w+")
CLAUSES = (
    "with highest strength(c)", "with lowest figure(c)", "where strength(c) > 1",
    "with highest strength(c): mine = c", "when size(at_first & hand[me]) > 1",
    "where c in at_first with lowest strength(c)", 'where suit(c) == "c"', "at random",
)  # fmt: skip


@dataclass(frozen=True)
class SmallGame:
    """The texts of a variant and of a script for it."""

    variant: str
    script: str


def write_game(seed: int) -> SmallGame:
    """Return the game of a seed."""
    return Writer(Random(seed)).game()


class Writer(SmallWriter):
    """Writes one game."""

    def game(self) -> SmallGame:
        """Return a game and its script."""
        suits, ranks = self.random.choice([("cdh", "KQ"), ("cdh", "KQ"), ("cd", "KQJ")])
        alike = self.odds(0.4)  # cards of several ranks have one figure
        head = HEAD.format(
            suits=", ".join(f"{letter}: {letter}" for letter in suits),
            ranks=", ".join(ranks),
            figures=", ".join(f"{rank}: {0 if alike else at}" for at, rank in enumerate(ranks)),
        )
        parts = [self.wrap(self.risk()), self.turn()]
        self.random.shuffle(parts)
        body = [line for part in parts for line in part]
        blocks = {"BODY": body, "PIECES": self.pieces, "STATE": self.state_of(body)}
        rules = fill(RULES, blocks)
        if self.odds(0.05):
            rules.remove("    shuffle stock")
        text = head + "".join(f"  {line}\n" for line in rules)
        return SmallGame(text, SCRIPT.format(clause=self.pick(*CLAUSES)))

    def state_of(self, body: Lines) -> Lines:
        """Return the declarations of the variables that the rules use."""
        used = "\n".join([*body, *self.pieces])
        return [one for one in STATE if NAME.match(one)[0] in NAME.findall(used)]

    def test(self, card: str) -> str:
        """Return a condition on a card that reads nothing else."""
        return self.pick(f"strength({card}) > 1", f"strength({card}) == 1", f"figure({card}) == 0")

    def best(self, place: str) -> str:
        """Return one of the cards in a place, with a key by which some are equal."""
        card = self.fresh()
        where = f" where {self.test(card)}" if self.odds(0.3) else ""
        key = self.pick("strength", "figure")
        order = f" with {self.pick('highest', 'lowest')} {key}({card})" * self.odds(0.95)
        return f"first {card} in {place}{where}{order}"

    # ---------------------------------------------------------------- parts of a deal

    def risk(self) -> Lines:
        """Return sentences in which the order of the pack may matter."""
        ways = (self.refer, self.refer, self.refer, self.pile, self.loop, self.mark, self.suits)
        return self.random.choice(ways)()

    def turn(self) -> Lines:
        """Return a question for a card."""
        seat = self.pick("dealer", "next_seat(dealer)")
        place = f"hand[{seat}]" if self.odds(0.8) else self.pick(f"(hand[{seat}] + row)", "heap")
        play = f"play c from {place}: noted = (noted * 3 + strength(c)) mod 97"
        if place.startswith("hand"):
            play = f"play c from {place}: move c from {place} to table[{seat}]"
        return [f'ask {seat} "turn":', f"    {play}", "    pass"]

    def wrap(self, lines: Lines) -> Lines:
        """Return the same sentences, perhaps in a loop, a branch, or a rule of their own."""
        match self.random.randint(0, 5):
            case 0:
                return ["repeat 2 times:", *indent(lines)]
            case 1:
                return ["for p in seats from dealer:", *indent(lines)]
            case 2:
                head = ["if noted mod 2 == 0:", *indent(lines), "else:"]
                return [*head, "    noted = (noted * 3 + size(row)) mod 97"]
            case 3:
                name = self.fresh()
                self.pieces += [f"rule {name}():", *indent(lines)]
                return [f"do {name}()"]
        return lines

    def refer(self) -> Lines:
        """Name cards, move some of them, take one, and look where the named ones are."""
        place = self.pick(*PLACES)
        other = self.pick(*(one for one in TARGETS[1:] if one[:3] != place[:3]))
        lines, look = self.name_cards(place)
        at = self.pick(place, other, other)
        if self.odds(0.6):
            lines += self.carry(other if at == place else place, at)
        target, card = self.pick(*TARGETS), self.fresh()
        lines += [f"if let {card} = {self.best(at)}:", f"    move {card} from {at} to {target}"]
        look = look.format(self.pick(target, target, at))
        seen = f"if {look}: noted = (noted * 3 + 1) mod 97"
        if look.startswith("size(some") and self.odds(0.3):
            name = self.fresh()
            self.pieces += [f"rule {name}(q: cards):", f"    {seen.replace('some', 'q', 1)}"]
            seen = f"do {name}(some)"
        return [*lines, seen]

    def name_cards(self, place: str) -> tuple[Lines, str]:
        """Return sentences that name cards of a place, and a condition on where these are."""
        name, card = self.fresh(), self.fresh()
        match self.random.randint(0, 5):
            case 0:
                return [f"some = {place}"], "size(some & {}) > 0"
            case 1:
                return [f"if size({place}) > 0: kept = random from {place}"], "kept in {}"
            case 2:
                some = self.pick(place, f"those {card} in {place} where {self.test(card)}")
                return [f"let {name} = {some}"], f"size({name} & {{}}) > 0"
            case 3:
                lines = [f"draw from stock to {place} as {name}", f"kept = {name}"]
                return ["if size(stock) > 0:", *indent(lines)], "kept in {}"
            case 4:
                lines = [f"    mark {name} from {place}: some += {{{name}}}", "    pass"]
                return ['ask dealer "mark":', *lines], "size(some & {}) > 0"
        turned = f"if turns == 0: some = {place}"  # in a loop, before the cards of the next turn
        return [turned, "turns = min(9, turns + 1)"], "size(some & {}) > 0"

    def carry(self, origin: str, target: str) -> Lines:
        """Return a sentence that moves cards from one place to another."""
        card = self.fresh()
        where = f" where {self.test(card)}" if self.odds(0.4) else ""
        one = f"if let {card} = {self.best(origin)}: move {card} from {origin} to {target}"
        lay = f"for {card} in {origin}{where}: move {card} from {origin} to {target}"
        whole = f"move all from {origin} to {target} openly"
        return [self.pick(one, lay, whole, f"gather {origin.split('[')[0]} into {target} openly")]

    def pile(self) -> Lines:
        """Lay cards on a pile, and look at its ends."""
        place, target, card = self.pick(*PLACES), self.pick(*PLACES), self.fresh()
        lines = self.carry(place, "heap") + ["shuffle heap"] * self.odds(0.5)
        end = f"{self.pick('top', 'bottom')}(heap)"
        looks = [f"draw from heap to {target}"]
        if "shuffle heap" not in lines:
            looks += [f"noted = (noted * 3 + strength({end})) mod 97"]
            looks += [f"move {end} from heap to {target}"]
        seen = f"noted = (noted * 3 + (total strength({card}) for {card} in {target})) mod 97"
        return [*lines, "if size(heap) > 0:", "    " + self.pick(*looks), seen]

    def loop(self) -> Lines:
        """Move cards in a loop whose turns may depend on each other."""
        place, target = self.random.sample(PLACES, 2)
        card, other = self.fresh(), self.fresh()
        same = f"any {other} in {target} has strength({other}) == strength({card})"
        test = self.pick(f"size({target}) < 3", f"size({place}) > 1", f"not ({same})", "noted < 50")
        bodies = [[f"move {card} from {place} to {target}"]]
        bodies += [[f"noted = (noted * 3 + strength({card})) mod 97"]]
        name = self.fresh()
        moved = f"move {name} from {target} to heap"
        bodies += [[f"if let {name} = {self.best(target)}:", f"    {moved}"]]
        return [f"for {card} in {place} where {test}:", *indent(self.random.choice(bodies))]

    def mark(self) -> Lines:
        """Use a variable for each card."""
        place, target, card = self.pick(*PLACES), self.pick(*PLACES), self.fresh()
        lines = [f"if size({place}) > 0:", f"    let {card} = random from {place}"]
        lines += [f"    marked[{card}] = yes", *self.carry(place, target)]
        return [*lines, f"if any c in {target} has marked[c]: noted = (noted * 3 + 1) mod 97"]

    def suits(self) -> Lines:
        """Read suits, a card by its text, or nothing but ranks."""
        place, name = self.pick(*PLACES), self.fresh()
        tests = 'suit(c) == "c"', 'c == "Kc"', 'rank(c) == "K"', f"{name}({place}) > 2"
        test = self.pick(*tests)
        if name in test:
            value = self.pick("strength(x)", "figure(x)", '(1 if suit(x) == "d" else 2)')
            self.pieces.append(f"define {name}(q: cards) -> number: total {value} for x in q")
        return [f"if any c in {place} has {test}: noted = (noted * 3 + 1) mod 97"]
