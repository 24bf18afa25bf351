"""Plays pairs of runs that a seat may not distinguish, and compares them on each channel.

Each accepted program starts from pairs of positions that agree on all that a seat may see. A pair
is effective if the rules read different values before the seat is asked.
"""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from tests.fuzz.flow.channels import CHANNELS, Interfaces, Refused, Run
from tests.fuzz.flow.power import count_refusals, generate, say
from tests.fuzz.flow.runs import play_pairs, releases_differ
from tests.fuzz.flow.table import build_unchecked
from tests.fuzz.flow.writer import ANNOUNCE_SEED, LOOK_SEED, PICK_SEED
from trutdsl.ir.flow.check import check_visibility
from trutdsl.table.faults import RuleError

FAMILIES = (0, ANNOUNCE_SEED, PICK_SEED, LOOK_SEED)
SECRETIVE = (PICK_SEED, LOOK_SEED, LOOK_SEED + 500_000)  # families that read many secrets
ENGINE = "engine"  # the questions, their options and all events, as `runs.Base` compares them
CHUNK = 40  # programs that a process plays at a time
# Rules that show a secret on every channel; the check refuses them.
LEAKY_RULES = """\
rule match:
    do begin_table
    ask marked "first":
        a
    known = luck_in(hand[dealer])
    if luck_in(hand[dealer]) > 1:
        ask dealer "hint":
            a
    for z in seats:
        ask z "last":
            pass
            b
    end match drawn
"""
# The same without the question under a secret condition, which some interfaces refuse.
LEAKY_PUBLIC_QUESTIONS = LEAKY_RULES.replace("if luck_in(hand[dealer]) > 1:", "if known >= 0:")


@dataclass
class PairResults:
    """The results of some programs.

    pairs, effective: by channel. refused: effective pairs that a channel does not support.
    found: (channel, seed) -> the difference, and the number of pairs until then.
    """

    programs: int = 0
    accepted: int = 0
    pairs: Counter[str] = field(default_factory=Counter)
    effective: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    found: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)

    def add(self, other: PairResults) -> None:
        """Add the results of later programs."""
        for key, (what, after) in other.found.items():
            self.found[key] = what, after + self.pairs[key[0]]
        self.programs += other.programs
        self.accepted += other.accepted
        self.pairs += other.pairs
        self.effective += other.effective
        self.refused += other.refused


def seeds_of(first: int, stop: int, families=FAMILIES) -> list[int]:
    """Return the seeds of these programs: one of each family in turn."""
    return [families[i % len(families)] + i // len(families) for i in range(first, stop)]


def play_seeds(seeds, bases, each, through, channels) -> PairResults:
    """Play pairs of the programs of these seeds.

    through: the number of effective pairs of a program on each channel.
    """
    results = PairResults()
    for seed in seeds:
        _, game = generate(seed)
        results.programs += 1
        if game is not None and not count_refusals(check_visibility, game):
            results.accepted += 1
            _play(game, seed, bases, each, through, channels, results)
    return results


def _play(game, seed, bases, each, through, channels, results) -> None:
    interfaces = Interfaces(game)
    for base, key, run, difference in play_pairs(game, bases, each, seed):
        effective = base.first_run.trace.read != run.trace.read
        results.pairs[ENGINE] += 1
        results.effective[ENGINE] += effective
        if difference:
            results.found.setdefault((ENGINE, seed), (difference, results.pairs[ENGINE]))
        elif effective and through > 0 and not releases_differ(base.first_run, run):
            through -= 1
            for name in channels:
                one = Run(base, None, base.first_run.answers, interfaces)
                compare(name, one, Run(base, key, run.answers, interfaces), seed, results)


def compare(name, one, other, seed, results) -> None:
    """Compare what a channel gives the seat in two runs; add to the results."""
    try:
        got, other_got = CHANNELS[name](one), CHANNELS[name](other)
    except RuleError:
        return  # such as a look at the order of a shuffled pile
    except Refused:
        results.refused[name] += 1
        return
    results.pairs[name] += 1
    results.effective[name] += 1
    if got != other_got:
        results.found.setdefault((name, seed), (describe(got, other_got), results.pairs[name]))


def describe(got, other_got, where="") -> str:
    """Describe the first difference between two outputs of a channel."""
    if isinstance(got, str) and "\n" in got + other_got:
        got, other_got = got.splitlines(), other_got.splitlines()
    if isinstance(got, dict) and isinstance(other_got, dict):
        got, other_got = list(got.items()), list(other_got.items())
    if isinstance(got, list | tuple) and isinstance(other_got, list | tuple):
        for number, (one, two) in enumerate(zip(got, other_got, strict=False)):
            if one != two:
                return describe(one, two, f"{where}[{number}]")
        return f"{where} has {len(other_got)}, else {len(got)}"
    return f"{where} is {str(other_got)[:60]}, else {str(got)[:60]}"


def count_pairs_until_leak(name, rules):
    """Return the number of pairs until a channel shows a secret of these rules; 0 if never."""
    game, results = build_unchecked(rules), PairResults()
    interfaces = Interfaces(game)
    for base, key, run, _ in play_pairs(game, 6, 4, 1):
        one = Run(base, None, base.first_run.answers, interfaces)
        compare(name, one, Run(base, key, run.answers, interfaces), 1, results)
        for _, after in results.found.values():
            return after
    return 0


# ---------------------------------------------------------------- the command


def play_in_processes(options: Namespace) -> Iterator[PairResults]:
    """Yield the results of each chunk of programs, in order."""
    stop = options.first + options.count
    families = [FAMILIES[int(n)] for n in options.families.split(",")]
    how = options.bases, options.each, options.through, options.channels.split(",")
    chunks = [
        seeds_of(at, min(at + CHUNK, stop), families) for at in range(options.first, stop, CHUNK)
    ]
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        running = [pool.submit(play_seeds, chunk, *how) for chunk in chunks]
        try:
            for future in running:
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def add_options(parser: ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--families", default="0,1,2,3", help="of which kinds; 3: looks, throws")
    parser.add_argument("--bases", type=int, default=6, help="positions of a program")
    parser.add_argument("--each", type=int, default=16, help="pairs of a position")
    parser.add_argument("--through", type=int, default=6, help="effective pairs on all channels")
    parser.add_argument("--channels", default=",".join(CHANNELS))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)


def main(options: Namespace) -> int:
    """Play pairs and print the progress; return 1 if a seat distinguishes two runs."""
    os.environ |= {"TRUTDSL_CACHE": "", "TRUTDSL_QUICK": "1"}  # no program comes again
    total, start, left = PairResults(), time.monotonic(), 0
    try:
        for results in play_in_processes(options):
            before = set(total.found)
            total.add(results)
            for key in total.found.keys() - before:
                what, after = total.found[key]
                when = f"pair {after}, {time.monotonic() - start:.0f} s"
                say(f"\n{key[0]}, program {key[1]}, {when}: {what}\n")
            say(f"\r{total.programs} programs, {total.accepted} accepted, "
                f"{total.pairs[ENGINE]} pairs, {len(total.found)} found")  # fmt: skip
    except KeyboardInterrupt:
        left = 130
    say(f"\n{time.monotonic() - start:.0f} s\n\n")
    say("| channel | pairs | effective | refused | found |\n|---|---|---|---|---|\n")
    for name in (ENGINE, *options.channels.split(",")):
        found = sum(channel == name for channel, _ in total.found)
        pairs_, effective = total.pairs[name], total.effective[name]
        say(f"| {name} | {pairs_} | {effective} | {total.refused[name]} | {found} |\n")
    return left or int(bool(total.found))
