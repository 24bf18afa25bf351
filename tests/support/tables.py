"""Tables to play at: a variant, or a file's path, with each number of players that it is for.

Nobody's rules are parsed for this: every worker collects every test.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from extent import EVERYTHING, THOROUGH, covering

from trutdsl.strategy import list_strategies, load_strategy
from trutdsl.strategy.script import is_meant_for
from trutdsl.variant import list_variants, load_variant


@cache
def declared(ref):
    """Return a variant whose rules are parsed only when they are looked at."""
    return load_variant(ref, known=lambda _variant: True)


def tables_of(refs):
    """Return (ref, players) for each number of players of each of these variants."""
    return [(ref, players) for ref in refs for players in declared(ref).players]


@cache
def shipped_scripts():
    """Return every shipped script by its name."""
    return {name: load_strategy(name) for name in list_strategies()}


def scripts_for(ref):
    """Return the names of the shipped scripts that are meant for a variant."""
    return [n for n, spec in shipped_scripts().items() if is_meant_for(spec, declared(ref))]


def label(table):
    """Return what a table is called in the name of a test."""
    return f"{Path(table[0]).stem}-{table[1]}p"


SHIPPED = tables_of(list_variants())


def made_soon(patch, table, but=()):
    """Have LLVM do little for the machine code of a table.

    but: not for these; else each shipped variant and each number of players, by `covering`.
    """
    if not (THOROUGH or EVERYTHING) and table not in (but or covering(SHIPPED)):
        patch.setenv("TRUTDSL_QUICK", "1")
