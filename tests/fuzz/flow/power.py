"""Tries random rules on the information-flow check, and measures how soon a missing clause shows.

A program that the check accepts must show nothing in any pair of runs. A program that it refuses,
that shows something, and that a mutant of the check accepts, tells that mutant's clause is needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.fuzz.flow.clauses import CLAUSES
from tests.fuzz.flow.mutants import checker
from tests.fuzz.flow.runs import try_rules
from tests.fuzz.flow.table import unchecked
from tests.fuzz.flow.writer import Writer
from trutdsl.diagnostics import Collector, Rejected
from trutdsl.ir.flow.check import check_visibility

MOST_LEAKS = 3  # of a program that is tried on the mutants; with more, one clause seldom decides
TRIES = 12  # pairs of runs a program


def found_by(check, game):
    """Return how many places of the rules a check refuses."""
    errors = Collector()
    check(game.program, errors)
    return len({(d.code, d.span) for d in errors.diagnostics})


def mutants():
    """Return the check without each of its clauses, by the clause's name."""
    return {name: checker(name.replace("-", "_"), [patch]) for name, *patch in CLAUSES}


def read(seed):
    """Return the rules of a seed and their game; no game for rules that mean nothing."""
    rules = Writer(seed).program()
    try:
        return rules, unchecked(rules)
    except Rejected:
        return rules, None


@dataclass
class Result:
    """What a run over seeds has come to; found: clause -> (seed, how a seat notices)."""

    tried: int = 0
    accepted: int = 0
    refused: int = 0
    leaky: int = 0
    compared: int = 0
    unsound: list[tuple[int, str]] = field(default_factory=list)
    found: dict[str, tuple[int, str]] = field(default_factory=dict)


def try_seeds(first: int, beyond: int, tries: int = TRIES) -> Iterator[Result]:
    """Yield the same result again after each seed."""
    result, alive = Result(), mutants()
    for seed in range(first, beyond):
        _, game = read(seed)
        result.tried += 1
        if game is not None:
            _try_one(game, seed, tries, result, alive)
        yield result


def _try_one(game, seed, tries, result, alive):
    leaks = found_by(check_visibility, game)
    result.accepted += not leaks
    result.refused += bool(leaks)
    if leaks > MOST_LEAKS or (leaks and not alive):
        return
    compared, apart = try_rules(game, tries, seed)
    result.compared += compared
    if not apart:
        return
    if not leaks:
        result.unsound.append((seed, apart[0]))
        return
    result.leaky += 1
    for name in [n for n, check in alive.items() if not found_by(check, game)]:
        del alive[name]
        result.found[name] = seed, apart[0]


if __name__ == "__main__":
    import sys

    done = {}
    for r in try_seeds(int(sys.argv[1]), int(sys.argv[2])):
        for k in [k for k in r.found if k not in done]:
            done[k] = r.found[k]
            print(f"{r.tried:6d} {k:20s} {done[k][1][:70]}", flush=True)
        for u in r.unsound:
            print("UNSOUND", u)
        r.unsound.clear()
        if r.tried % 250 == 0:
            print(r.tried, r.accepted, r.refused, r.leaky, r.compared, len(r.found), flush=True)
    print("alive", sorted({c[0] for c in CLAUSES} - set(done)))
