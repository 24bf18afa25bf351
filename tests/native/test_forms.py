"""Whole matches in machine code end in the same state as those played step by step.

Both forms are compiled from the same rules. The form for whole matches leaves out what nobody can
see, and stores intermediate values. Each match is compared: winner, counters, cards, variables, and
the states of all streams. `DIFFERENTIAL` sets how many decisions a table plays. At 50,000 or more,
every number of players of every variant is played with every two parameters, else each variant and
each number. The code for whole matches is fully optimized, except for faulty rules.
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
    """Return the parameters for a table: the defaults, other ones in turn, or all combinations."""
    rows = all_pairs(values_of(variant)) or [{}]
    return rows if ALL_CASES else [rows[number % len(rows) if number % 2 else 0]]


@pytest.mark.parametrize("number", range(len(TABLES)), ids=lambda n: label(TABLES[n]))
def test_both_forms_give_the_same_result(number, monkeypatch):
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
