"""Tables to play: a variant or the path of a file, with each of its numbers of players.

No rules are parsed for this, because every worker collects every test.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from extent import ALL_CASES, THOROUGH

from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.strategy.script import is_meant_for
from trutdsl.variant import list_variants, load_variant


@cache
def load_unparsed(ref):
    """Return a variant whose rules are parsed only when they are read."""
    return load_variant(ref, known=lambda _variant: True)


def tables_of(refs):
    """Return (ref, players) for each of these variants and each of its numbers of players."""
    return [(ref, players) for ref in refs for players in load_unparsed(ref).players]


@cache
def shipped_scripts():
    """Return all shipped scripts by name."""
    return {name: load_strategy(name) for name in list_strategies()}


def scripts_for(ref):
    """Return the names of the shipped scripts for a variant."""
    return [n for n, spec in shipped_scripts().items() if is_meant_for(spec, load_unparsed(ref))]


def label(table):
    """Return the ID of a table in the name of a test."""
    return f"{Path(table[0]).stem}-{table[1]}p"


SHIPPED = tables_of(list_variants())


def compile_quickly(patch, table, but):
    """Compile the machine code of a table with little optimization, which is faster.

    but: the tables with full optimization.
    """
    if not (THOROUGH or ALL_CASES) and table not in but:
        patch.setenv("TRUTDSL_QUICK", "1")
