"""Whole matches in machine code end as those played step by step do, with all that is kept of them.

Both forms are made from the same rules, but the one for whole matches leaves out what nobody can
see and remembers what it has worked out. Here each match of the one is set against the other's:
who won, what was counted, where chance and every strategy's luck stand, and what lies where.
`DIFFERENTIAL` sets how many decisions a table plays; at 50,000 or more every number of players of
every variant, with every two parameters, else each variant and each number. LLVM does all that it
can for whole matches of rules that are right, and little for the other form.
"""

from pathlib import Path

import pytest
from both_forms import StepwiseMatches, WholeMatches, common_fields
from extent import ALL_CASES, DEALS, DECISIONS, THOROUGH, covering
from pairwise import all_pairs, values_of
from tables import label, tables_of

from trutdsl.game import Game
from trutdsl.ir import build_program
from trutdsl.variant import list_variants, load_variant

ROOT = Path(__file__).parent.parent
FOLDERS = [ROOT.parent / "variants/examples", ROOT / "good", ROOT / "traps"]
FILES = [path for folder in FOLDERS for path in folder.glob("*.yaml")]
FAULTY = [str(path) for path in sorted((ROOT / "bad/runtime").glob("*.yaml"))]
REFS = [*list_variants(), *map(str, sorted(FILES)), *FAULTY]
TABLES = tables_of(REFS)
TABLES = TABLES if ALL_CASES else covering(TABLES)


def rows_for(number, variant):
    """Return the parameters to play a table with: its own, or others in turn, or all of them."""
    rows = all_pairs(values_of(variant)) or [{}]
    return rows if ALL_CASES else [rows[number % len(rows) if number % 2 else 0]]


@pytest.mark.parametrize("number", range(len(TABLES)), ids=lambda n: label(TABLES[n]))
def test_both_forms_come_to_the_same(number, monkeypatch):
    ref, players = TABLES[number]
    variant = load_variant(ref)
    program = build_program(variant)
    for row in rows_for(number, variant):
        game = Game(variant, program, players, variant.bind(row), ref, "native")
        with monkeypatch.context() as patch:
            if ref in FAULTY and not (THOROUGH or ALL_CASES):
                patch.setenv("TRUTDSL_QUICK", "1")
            whole = WholeMatches(game)
            if not ALL_CASES:
                patch.setenv("TRUTDSL_QUICK", "1")
            steps = StepwiseMatches(game)
        fields = common_fields(whole.code)
        deals, decisions, match = 0, 0, 0
        while deals < DEALS and decisions < DECISIONS:
            whole.play(match)
            steps.play(match)
            assert whole.mistake() == steps.mistake(), f"match {match} with {row}"
            if whole.mistake() is None:
                assert whole.shown(fields) == steps.shown(fields), f"match {match} with {row}"
            deals, decisions = deals + max(1, whole.match.deals), decisions + whole.match.decisions
            match += 1
