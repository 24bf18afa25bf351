"""`python -m fuzz programs`: random whole programs in both engines; `mutants`: are they found?"""

from __future__ import annotations

import argparse
import os
import sys

from fuzz.power import table_of_mutants
from fuzz.search import search


def main() -> int:
    """Do what the command line says; return 1 if something was found."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    programs = commands.add_parser("programs", help="play random programs in both engines")
    programs.add_argument("--count", type=int, default=10_000)
    programs.add_argument("--first", type=int, default=0, help="the seed of the first one")
    programs.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    mutants = commands.add_parser("mutants", help="look for known mistakes put into the engines")
    mutants.add_argument("names", nargs="*", help="which; all if none is named")
    options = parser.parse_args()
    os.environ["TRUTDSL_CACHE"] = ""  # a program does not come again
    if options.command == "programs":
        return int(bool(search(options.first, options.count, options.processes).differing))
    return table_of_mutants(options.names)


if __name__ == "__main__":
    sys.exit(main())
