"""Random matches: the dealer hides a coin or none, and the other guesses.

Points or the match follow. A tie may pass the deal, points may be lost, and what follows may depend
on the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.fuzz.small_games import Lines, indent

SIDES = {"dealer": "dealer", "other": "next_seat(dealer)"}
DEALERS = {
    "passes": ["dealer = next_seat(dealer)"],
    "stays": [],
    "leader": [
        "if points[team(dealer)] > points[team(next_seat(dealer))]: dealer = next_seat(dealer)"
    ],
}
Parts = tuple["Outcome", "Outcome"] | tuple[()]


@dataclass(frozen=True)
class Outcome:
    """What follows a guess.

    kind: `wins` and `loses` (number: points of the side), `match` (won by the side), `void`,
    `both` (a point for each), `drawn`; or one of the two `parts`: `chance` (number of 4), `score`
    (the side has as many points as the number) or `ahead` (the dealer's side is).
    """

    kind: str
    side: str = "dealer"
    number: int = 1
    parts: Parts = ()

    @property
    def depth(self) -> int:
        """How many conditions are inside of each other."""
        return 1 + max(part.depth for part in self.parts) if self.parts else 0

    def lines(self) -> Lines:
        """Return its sentences."""
        points = f"points[team({SIDES[self.side]})]"
        match self.kind:
            case "wins":
                return [f"{points} += {self.number}", "end deal because won"]
            case "loses":
                lose = f"if {points} >= {self.number}: {points} -= {self.number}"
                return [lose, "end deal because lost"]
            case "match":
                return [f"end match won by team({SIDES[self.side]})"]
            case "void":
                return ["end deal because void"]
            case "both":
                return ["for side in teams: points[side] += 1", "end deal because both"]
            case "drawn":
                return ["end match drawn"]
            case "chance":
                test = f"luck_{self.depth}"
                before = [f"let {test} = chance {self.number} out of 4"]
            case "score":
                before, test = [], f"{points} == {self.number}"
            case _:
                before, test = [], "points[team(dealer)] > points[team(next_seat(dealer))]"
        one, other = (indent(part.lines()) for part in self.parts)
        return [*before, f"if {test}:", *one, "else:", *other]


@dataclass(frozen=True)
class RandomMatch:
    """A match to so many points.

    dealer: who deals next, a key of `DEALERS`. outcomes: by whether the coin is hidden, and whether
    the other guesses so.
    """

    goal: int
    dealer: str
    outcomes: dict[tuple[bool, bool], Outcome]


def draw_match(seed: int) -> RandomMatch:
    """Return the match of a seed; most need mixed answers, because a right guess is good."""
    random = Random(seed)
    outcomes = {}
    for hidden in (False, True):
        for guessed in (False, True):
            better = ("dealer", "other")[hidden != guessed]
            choice = random.random()
            if choice < 0.5:
                outcome = Outcome("wins", better, random.choice((1, 1, 2)))
            elif choice < 0.7:
                outcome = Outcome(random.choice(("void", "match")), better)
            else:
                outcome = _draw_outcome(random, 2)
            outcomes[hidden, guessed] = outcome
    return RandomMatch(random.choice((1, 2, 2, 3)), random.choice([*DEALERS]), outcomes)


def _draw_outcome(random: Random, depth: int) -> Outcome:
    kinds = ("wins", "wins", "void", "void", "loses", "match", "both", "drawn")
    kind = random.choice((*kinds, *("chance", "score", "ahead") * bool(depth)))
    parts: Parts = ()
    if kind in ("chance", "score", "ahead"):
        parts = _draw_outcome(random, depth - 1), _draw_outcome(random, depth - 1)
    return Outcome(kind, random.choice(("dealer", "other")), random.randint(1, 2), parts)


def write_game(seed: int) -> str:
    """Return the variant of a seed."""
    match = draw_match(seed)

    def outcome(hidden: bool, guessed: bool) -> str:
        return "\n".join(" " * 18 + line for line in match.outcomes[hidden, guessed].lines())

    dealer = "\n".join(" " * 10 + line for line in DEALERS[match.dealer])
    return f"""\
variant: matches
title: Coins
players: [2]
teams: {{2: 2}}
pack: {{suits: {{h: hearts}}, ranks: [A, K]}}
counters: {{points: {{help: They win the match.}}}}
rules: |
  deal state:
      coin[seat]: yes_no, seen by owner

  rule match "Deals until a side has {match.goal} points.":
      repeat at most 100000 times:
          deal: do play_deal
          for side in teams where points[side] >= {match.goal}: end match won by side
{dealer}

  rule play_deal "The dealer hides a coin or none, and the other guesses which.":
      coin[dealer] = no
      ask dealer "hide" seen by owner:
          coin: coin[dealer] = yes
          none: coin[dealer] = no
      ask next_seat(dealer) "guess":
          coin:
              if openly(coin[dealer]):
{outcome(True, True)}
              else:
{outcome(False, True)}
          none:
              if openly(coin[dealer]):
{outcome(True, False)}
              else:
{outcome(False, False)}
"""
