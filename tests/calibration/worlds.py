"""Worlds at every table and every question: where the truth lies among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from zlib import crc32

from scipy.stats import kstest

from tests.calibration.battery import places_of_truth
from trutdsl.game import load_game
from trutdsl.variant import list_variants, load_variant

TESTS = Path(__file__).parents[1]
EXAMPLES = sorted((TESTS.parent / "variants/examples").glob("*.yaml"))
# With cards in hands that not all see, in rules that shuffle all of them before each deal.
SMALL = ("dealing-in-turn", "passing", "secrets", "several-cards", "setup-and-again", "chance")
# Worlds of a position; matches played at most for each position that is wanted, and at tables made
# for questions that come seldom.
WORLDS, MATCHES, SELDOM = 7, 5, 25
# Tables at which questions come sooner that come seldom: those of late scores and of few cards.
SOONER = [
    *(("trut", players, ("goal=1",)) for players in (2, 3, 4, 6)),
    ("trut-club", 2, ("goal=1",)),
    ("trut-deluxe", 2, ("goal=1",)),
    ("trut-deluxe", 3, ("special_cards=coypu,magpie,weasel,badger",)),
    ("trut-club-gentiane", 2, ("goal=1",)),
    *(("truc-catalan", players, ("goal=3",)) for players in (2, 4)),
]
EVERY = "all together"


@dataclass(frozen=True)
class Lying:
    """Where the truth lies among worlds drawn at one kind of question of a table.

    places: positions where the worlds are not all alike. given_up: further positions, at which the
    tries did not give enough worlds. p: of one number of each position, uniform where all is well.
    least: the least of all numbers, corrected for how many there are.
    """

    table: str
    question: str
    positions: int
    given_up: int
    places: int
    p: float
    least: float


def tables() -> list[tuple[str, int, tuple[str, ...]]]:
    """Return every table of the shipped variants, of the examples and of some small games."""
    files = [*EXAMPLES, *(TESTS / f"good/{name}.yaml" for name in SMALL)]
    refs = [*list_variants(), *map(str, files)]
    return [*SOONER, *((ref, many, ()) for ref in refs for many in load_variant(ref).players)]


def title_of(ref: str, players: int, params: Sequence[str]) -> str:
    """Return what a table is called in rows."""
    return f"{' '.join((Path(ref).stem, *params))} for {players}"


def worlds_of_table(ref: str, players: int, params: Sequence[str], positions: int) -> list[Lying]:
    """Return a row for each question of a table that was met."""
    game, name = load_game(ref, players, params, engine="reference"), title_of(ref, players, params)
    matches = SELDOM if (ref, players, params) in SOONER else MATCHES
    found = places_of_truth(game, positions, WORLDS, matches * positions, seed=crc32(name.encode()))
    return [
        Lying(name, question, of.positions, of.given_up, len(of.one), of.p, of.least)
        for question, of in found.items()
        if of.positions + of.given_up
    ]


def of_all(rows: Sequence[Lying]) -> Lying:
    """Return the row of all rows: whether their p-values are uniform, and the least of all."""
    values = [row.p for row in rows if not isnan(row.p)]
    least = [row.least for row in rows if not isnan(row.least)]
    return Lying(
        EVERY,
        f"{len(rows)} kinds",
        sum(row.positions for row in rows),
        sum(row.given_up for row in rows),
        sum(row.places for row in rows),
        float(kstest(values, "uniform").pvalue),
        min(1.0, min(least) * len(least)) if least else nan,
    )
