"""Plays pairs of runs that a seat may not distinguish, and compares what each channel gives it.

Every program that the check accepts is started from positions that agree on all that a seat may
see. A pair is effective if rules read, before the seat is asked, something that differs.
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
from tests.fuzz.flow.power import found_by, read, say
from tests.fuzz.flow.runs import pairs, released_otherwise
from tests.fuzz.flow.table import unchecked
from tests.fuzz.flow.writer import LOOKING, PICKING, TELLING
from trutdsl.ir.flow.check import check_visibility
from trutdsl.table.faults import RuleError

FAMILIES = (0, TELLING, PICKING, LOOKING)
SECRETIVE = (PICKING, LOOKING, LOOKING + 500_000)  # families that read many secrets
ENGINE = "engine"  # the questions, their options and all events, as `runs.Base` compares them
CHUNK = 40  # programs that a process plays at a time
# Rules that show a secret in every way, which the check refuses.
SHOWN = """\
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
# The same without the question that is asked in secret, for interfaces that refuse such games.
STORED = SHOWN.replace("if luck_in(hand[dealer]) > 1:", "if known >= 0:")


@dataclass
class Played:
    """What came of some programs.

    pairs, effective: by channel. refused: effective pairs that a channel does not take.
    found: (channel, seed) -> what differs, and after how many pairs.
    """

    programs: int = 0
    accepted: int = 0
    pairs: Counter[str] = field(default_factory=Counter)
    effective: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    found: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)

    def add(self, other: Played) -> None:
        """Add what came of later programs."""
        for key, (what, after) in other.found.items():
            self.found[key] = what, after + self.pairs[key[0]]
        self.programs += other.programs
        self.accepted += other.accepted
        self.pairs += other.pairs
        self.effective += other.effective
        self.refused += other.refused


def seeds_of(first: int, beyond: int, families=FAMILIES) -> list[int]:
    """Return the seeds of these programs: of each family in turn."""
    return [families[i % len(families)] + i // len(families) for i in range(first, beyond)]


def play_seeds(seeds, bases, each, through, channels) -> Played:
    """Play pairs of the programs of these seeds.

    through: how many effective pairs of a program go through each of these channels.
    """
    played = Played()
    for seed in seeds:
        _, game = read(seed)
        played.programs += 1
        if game is not None and not found_by(check_visibility, game):
            played.accepted += 1
            _play(game, seed, bases, each, through, channels, played)
    return played


def _play(game, seed, bases, each, through, channels, played) -> None:
    interfaces = Interfaces(game)
    for base, key, run, apart in pairs(game, bases, each, seed):
        effective = base.one.trace.read != run.trace.read
        played.pairs[ENGINE] += 1
        played.effective[ENGINE] += effective
        if apart:
            played.found.setdefault((ENGINE, seed), (apart, played.pairs[ENGINE]))
        elif effective and through > 0 and not released_otherwise(base.one, run):
            through -= 1
            for name in channels:
                one = Run(base, None, base.one.taken, interfaces)
                compare(name, one, Run(base, key, run.taken, interfaces), seed, played)


def compare(name, one, other, seed, played) -> None:
    """Compare what a channel gives the seat in two runs."""
    try:
        got, else_got = CHANNELS[name](one), CHANNELS[name](other)
    except RuleError:
        return  # such as that it was tried to see the order of a shuffled pile
    except Refused:
        played.refused[name] += 1
        return
    played.pairs[name] += 1
    played.effective[name] += 1
    if got != else_got:
        played.found.setdefault((name, seed), (difference(got, else_got), played.pairs[name]))


def difference(got, else_got, where="") -> str:
    """Return where two things that a seat got differ first, and how."""
    if isinstance(got, str) and "\n" in got + else_got:
        got, else_got = got.splitlines(), else_got.splitlines()
    if isinstance(got, dict) and isinstance(else_got, dict):
        got, else_got = list(got.items()), list(else_got.items())
    if isinstance(got, list | tuple) and isinstance(else_got, list | tuple):
        for number, (one, two) in enumerate(zip(got, else_got, strict=False)):
            if one != two:
                return difference(one, two, f"{where}[{number}]")
        return f"{where} has {len(else_got)}, else {len(got)}"
    return f"{where} is {str(else_got)[:60]}, else {str(got)[:60]}"


def tells(name, rules):
    """Return after how many pairs a channel tells of a secret in rules that are not checked.

    It is 0 if none does.
    """
    game, played = unchecked(rules), Played()
    interfaces = Interfaces(game)
    for base, key, run, _ in pairs(game, 6, 4, 1):
        one = Run(base, None, base.one.taken, interfaces)
        compare(name, one, Run(base, key, run.taken, interfaces), 1, played)
        for _, after in played.found.values():
            return after
    return 0


# ---------------------------------------------------------------- the command


def in_processes(options: Namespace) -> Iterator[Played]:
    """Yield what comes of chunks of programs, in their order."""
    beyond = options.first + options.count
    families = [FAMILIES[int(n)] for n in options.families.split(",")]
    how = options.bases, options.each, options.through, options.channels.split(",")
    chunks = [
        seeds_of(at, min(at + CHUNK, beyond), families)
        for at in range(options.first, beyond, CHUNK)
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
    """Declare what can be asked for."""
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--families", default="0,1,2,3", help="of which kinds; 3: looks, throws")
    parser.add_argument("--bases", type=int, default=6, help="positions of a program")
    parser.add_argument("--each", type=int, default=16, help="pairs of a position")
    parser.add_argument("--through", type=int, default=6, help="effective pairs on all channels")
    parser.add_argument("--channels", default=",".join(CHANNELS))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)


def main(options: Namespace) -> int:
    """Play pairs, say how far it is; returns 1 if a seat can distinguish two runs."""
    os.environ |= {"TRUTDSL_CACHE": "", "TRUTDSL_QUICK": "1"}  # no program comes again
    total, start, left = Played(), time.monotonic(), 0
    try:
        for played in in_processes(options):
            before = set(total.found)
            total.add(played)
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
