"""A search through the random games of many seeds."""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Search:
    """A search for seeds whose games have two results where there must be one.

    write: returns the variant of a seed. compare: returns the difference for a seed, None if there
    is none; it may write into a folder, and counts the outcomes.
    """

    write: Callable[[int], str]
    compare: Callable[[int, Path, Counter[str]], str | None]

    def try_seeds(self, seeds: Iterable[int], met: Counter[str]) -> dict[int, str]:
        """Return the differences by seed; met: counts the outcomes."""
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            for seed in seeds:
                if why := self.compare(seed, Path(folder), met):
                    found[seed] = why
        return found

    def add_options(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--count", type=int, default=1000, help="how many games")
        parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
        parser.add_argument("--stop", action="store_true", help="stop at the first difference")

    def main(self, options: Namespace) -> int:
        """Compare games, print the progress and the differences; return 1 if there are any."""
        met, found = Counter[str](), 0
        for done in range(options.count):
            for seed, why in self.try_seeds([options.first + done], met).items():
                found += 1
                sys.stderr.write(f"\ngame {seed}: {why}\n{self.write(seed)}\n")
                if options.stop:
                    return 1
            sys.stderr.write(f"\r{done + 1} of {options.count} games: {dict(met)}")
            sys.stderr.flush()
        sys.stderr.write(f"\n{found} differ\n")
        return int(found > 0)
