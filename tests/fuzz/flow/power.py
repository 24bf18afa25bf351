"""Tries random rules on the information-flow check, and counts the pairs until a mutant is found.

A program that the check accepts must not leak in any pair of runs. A clause is needed if a program
leaks, the check refuses it, and the mutant without the clause accepts it.
"""

import csv
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.flow.clauses import CLAUSES
from tests.fuzz.flow.mutants import load_mutant
from tests.fuzz.flow.runs import try_rules
from tests.fuzz.flow.table import build_unchecked
from tests.fuzz.flow.writer import Writer
from trutdsl.diagnostics import Collector, Rejected
from trutdsl.ir.flow.check import check_visibility

MOST_LEAKS = 3  # of a program that is tried on the mutants; one clause seldom decides about more
TABLE = Path(__file__).with_name("found.csv")
TRIES = 12  # positions of a program from which pairs of runs begin


def count_refusals(check, game):
    """Return the number of places in the rules that a check refuses."""
    errors = Collector()
    check(game.program, errors)
    return len({(d.code, d.span) for d in errors.diagnostics})


def load_mutants():
    """Return the mutants of the check, by the name of the missing clause."""
    return {name: load_mutant(name.replace("-", "_"), [patch]) for name, *patch in CLAUSES}


def generate(seed):
    """Return the rules of a seed and their game; the game is None if the rules are invalid."""
    rules = Writer(seed).write()
    try:
        return rules, build_unchecked(rules)
    except Rejected:
        return rules, None


@dataclass
class Result:
    """The result of a run over seeds.

    found: clause -> the first seed that needs it, and the number of pairs compared until then.
    """

    tried: int = 0
    accepted: int = 0
    refused: int = 0
    leaky: int = 0
    compared: int = 0
    unsound: list[tuple[int, str]] = field(default_factory=list)
    found: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __str__(self) -> str:
        return (
            f"{self.tried} programs, {self.accepted} accepted, {self.refused} refused, "
            f"{self.compared} pairs of runs, {len(self.unsound)} accepted ones show a secret, "
            f"{len(self.found)} of {len(CLAUSES)} clauses are needed by {self.leaky} programs"
        )


def try_seeds(first: int, stop: int, tries: int = TRIES) -> Iterator[Result]:
    """Yield the same updated result after each seed."""
    result, alive = Result(), load_mutants()
    for seed in range(first, stop):
        _, game = generate(seed)
        result.tried += 1
        if game is not None:
            _try_one(game, seed, tries, result, alive)
        yield result


def _try_one(game, seed, tries, result, alive):
    leaks = count_refusals(check_visibility, game)
    result.accepted += not leaks
    result.refused += bool(leaks)
    if leaks > MOST_LEAKS or (leaks and not alive):
        return
    compared, differences = try_rules(game, tries, seed)
    result.compared += compared
    if not differences:
        return
    if not leaks:
        result.unsound.append((seed, differences[0]))
        return
    result.leaky += 1
    for name in [n for n, check in alive.items() if not count_refusals(check, game)]:
        del alive[name]
        result.found[name] = seed, result.compared


def add_options(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--count", type=int, default=10_000, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--keep", action="store_true", help="write down what finds each clause")


def main(options: Namespace) -> int:
    """Try programs and print the progress; return 1 if an accepted program shows a secret."""
    result, left = Result(), 0
    try:
        for result in try_seeds(options.first, options.first + options.count):
            if result.tried % 10 == 0:
                say(f"\r{result}")
    except KeyboardInterrupt:
        left = 130
    say(f"\r{result}\n")
    for seed, why in result.unsound:
        say(f"accepted, and shows a secret: program {seed}, {why}\n{generate(seed)[0]}\n")
    for name, (seed, pairs) in result.found.items():
        say(f"{name}: program {seed}, after {pairs:,} pairs\n")
    for name in sorted(name for name, *_ in CLAUSES if name not in result.found):
        say(f"no program needs the clause '{name}'\n")
    if options.keep:
        write_table(result.found, range(options.first, options.first + options.count))
    return left or int(bool(result.unsound))


def write_table(found: dict[str, tuple[int, int]], seeds: range) -> None:
    """Write the seed that finds each clause; rows of other seeds remain."""
    with TABLE.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    before = {row["clause"]: (int(row["seed"]), int(row["pairs"] or 0)) for row in rows}
    found = found | {name: kept for name, kept in before.items() if kept[0] not in seeds}
    texts = [f"{name},{found[name][0]},{found[name][1]}\n" for name, *_ in CLAUSES if name in found]
    TABLE.write_text("clause,seed,pairs\n" + "".join(texts), encoding="utf-8")


def say(text: str) -> None:
    """Print progress to standard error."""
    sys.stderr.write(text)
    sys.stderr.flush()
