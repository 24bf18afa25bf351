"""Random programs, rules and files for the engines, the checks and the readers."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from tests.fuzz.classes import search as classes
from tests.fuzz.flow import pairs
from tests.fuzz.flow import power as flow
from tests.fuzz.matches import search as matches
from tests.fuzz.nodes import table
from tests.fuzz.programs import power, search
from tests.fuzz.readers import run as readers
from tests.fuzz.recall import search as recall

COMMANDS = {
    "programs": search,
    "classes": classes,
    "recall": recall,
    "matches": matches,
    "flow": flow,
    "pairs": pairs,
    "table": table,
    "mutants": power,
    "readers": readers,
}


def main() -> int:
    """Run one command; return 0 if nothing was found, 1 if something was, 130 if interrupted."""
    parser = ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        first, _, rest = module.__doc__.partition("\n")
        module.add_options(commands.add_parser(name, help=first, description=f"{first} {rest}"))
    options = parser.parse_args()
    return COMMANDS[options.command].main(options)


if __name__ == "__main__":
    sys.exit(main())
