"""Random tables: packs, players, teams, counters, and parameters with their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "B", "C"]
SUITS = {"h": "hearts", "s": "spades", "c": "clubs", "d": "diamonds"}
BIRDS = ["owl", "stork"]
MOODS = "one of calm | heated | cold"
MOOD_SET = f"set of {MOODS}"
DIGITS = "set of 0 to 9"
CHANCES = ["0", "0.25", "0.5", "0.999999", "1"]


@dataclass(frozen=True)
class Zone:
    """The declaration of a zone."""

    name: str
    index: str | None
    pile: bool
    most: int | None
    seen: str


@dataclass(frozen=True)
class Variable:
    """A variable, counter or parameter; low and high are the bounds of a number."""

    name: str
    index: str | None
    kind: str
    low: int = -(2**31)
    high: int = 2**31 - 1
    life: str = "match"
    seen: str = "all"


@dataclass
class Table:
    """A variant without its rules.

    hidden:   whether some zones, variables and questions are hidden from some seats.
    all_have: the ranks of every pack.
    head:     the lines of the variant's file above its rules.
    row:      the values of the parameters in play.
    """

    random: Random
    hidden: bool = False
    players: int = 2
    teams: int = 2
    suits: list[str] = field(default_factory=list)
    ranks: list[str] = field(default_factory=list)
    all_have: list[str] = field(default_factory=list)
    birds: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    counters: list[Variable] = field(default_factory=list)
    parameters: list[Variable] = field(default_factory=list)
    chances: list[str] = field(default_factory=list)
    row: dict[str, str] = field(default_factory=dict)
    head: list[str] = field(default_factory=list)

    @property
    def cards(self) -> int:
        """The number of cards in the largest pack."""
        return len(self.suits) * len(self.ranks) + len(self.birds)

    @property
    def fewest_cards(self) -> int:
        """The number of cards in the smallest pack."""
        return len(self.suits) * len(self.all_have) + len(self.birds)


def draw_table(random: Random) -> Table:
    """Return a random table."""
    table = Table(random, hidden=random.random() < 0.3)
    table.players = random.choice([*[2] * 12, *[3] * 5, *[4] * 5, 5, 6, 6, 8])
    ways = {2: [2], 3: [3], 4: [2, 4], 5: [5], 6: [2, 3], 8: [2, 4, 8]}
    table.teams = random.choice(ways[table.players])
    table.suits = random.sample(list(SUITS), random.randint(1, 4))
    table.ranks = RANKS[: random.randint(3, 8 if len(table.suits) < 3 else 5)]
    table.birds = random.sample(BIRDS, random.choice([0, 0, 0, 1, 2]))
    if len(table.suits) == 4 and random.random() < 0.1:  # 62 or 64 cards, the most there can be
        table.ranks = RANKS[: 15 if table.birds else 16]
    random.shuffle(table.ranks)
    table.head = [
        f"players: [{table.players}]",
        f"teams: {{{table.players}: {table.teams}}}",
    ]
    _declare_counters(table)
    by = random.random() < 0.15
    _declare_parameters(table, by)
    table.head += _pack(table, by)
    return table


def _declare_counters(table: Table) -> None:
    names = ["points", "debts"][: table.random.choice([1, 1, 2])]
    least = {name: table.random.choice([0, 0, 0, -3, -100_000]) for name in names}
    table.counters = [Variable(name, "team", "number", low, 10**6) for name, low in least.items()]
    more = {0: "", -3: ", min: -3, best: lowest", -100_000: ", min: -100000"}
    inside = ", ".join(f"{name}: {{help: A number.{more[low]}}}" for name, low in least.items())
    table.head.append(f"counters: {{{inside}}}")


def _declare_parameters(table: Table, by: bool) -> None:
    random, lines = table.random, []
    for kind in random.sample(["integer", "boolean", "choice", "probability", "cards"], 3):
        name = f"{kind}_set"
        match kind:
            case "integer":
                low = random.choice([0, 0, 1, -3])
                table.parameters.append(Variable(name, None, "number", low, low + 6))
                table.row[name] = str(random.randint(low, low + 6))
                more = f"min: {low}, max: {low + 6}, default: {low + 1}"
            case "boolean":
                table.parameters.append(Variable(name, None, "yes_no"))
                table.row[name] = random.choice(["true", "false"])
                more = "default: true"
            case "choice":
                table.parameters.append(Variable(name, None, "one of early | late"))
                table.row[name] = random.choice(["early", "late"])
                more = "choices: [early, late], default: early"
            case "probability":
                table.chances.append(name)
                table.row[name] = random.choice(CHANCES)
                more = "default: 0.25"
            case _:
                table.parameters.append(Variable(name, None, "cards"))
                table.row[name] = random.choice(
                    ["all", "none", f"{table.ranks[0]}{table.suits[0]}"]
                )
                more = "choices: pack_cards, default: all"
        lines.append(f"  {name}: {{type: {kind}, {more}, help: It may be set.}}")
    if by:
        table.row["deck"] = random.choice(["long", "short"])
        more = "type: choice, choices: [long, short], default: long"
        lines.append(f"  deck: {{{more}, help: It may be set.}}")
    table.head += ["parameters:", *lines]


def _pack(table: Table, by: bool) -> list[str]:
    random = table.random
    suits = ", ".join(f"{letter}: {SUITS[letter]}" for letter in table.suits)
    table.all_have = table.ranks
    lines = ["pack:", f"  suits: {{{suits}}}"]
    if by:
        table.values = []
        short = table.ranks[: max(2, len(table.ranks) - 2)]
        table.all_have = short
        lines += ["  by: deck", "  of:"]
        for name, ranks in (("long", table.ranks), ("short", short)):
            lines.append(f"    {name}: {{ranks: [{', '.join(ranks)}]}}")
    else:
        lines.append(f"  ranks: [{', '.join(table.ranks)}]")
        if random.random() < 0.5:
            table.values = ["eyes"]
            keys = table.ranks[:3] if random.random() < 0.7 else table.suits[:2]
            keys = [*keys, *(r + table.suits[0] for r in table.ranks if random.random() < 0.3)]
            counted = ", ".join(f"{key}: {random.randint(-2, 11)}" for key in keys)
            lines.append(f"  values:\n    eyes: {{{counted}}}")
            if random.random() < 0.3:
                lines.append(f"    strength: {{{table.ranks[-1]}{table.suits[0]}: 9}}")
    if table.birds:
        ranked = not any("strength:" in line for line in lines)
        ways = (*range(13), *("highest", f"above {table.all_have[-1]}") * ranked)
        inside = ", ".join(f"{b}: {{strength: {random.choice(ways)}}}" for b in table.birds)
        lines.append(f"  special_cards: {{{inside}}}")
    return lines
