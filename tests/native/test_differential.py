"""Both engines have the same events, legal actions and views, for every variant.

`DIFFERENTIAL` in the environment sets how many decisions each table plays (make differential).
The machine code of each shipped variant and each number of players is fully optimized. For other
tables, that would take most of the time; `test_forms` does it for their files. Some tables and some
matches are played with code that checks every value before it uses it.
"""

from pathlib import Path

import pytest
from both_engines import assert_same, load_both, play
from extent import ALL_CASES, DEALS, DECISIONS, THOROUGH, covering
from tables import SHIPPED, compile_quickly, label, tables_of

from trutdsl.variant import list_variants, load_variant

ROOT = Path(__file__).parent.parent
GOOD = sorted((ROOT / "good").glob("*.yaml"))
TRAPS = sorted((ROOT / "traps").glob("*.yaml"))  # rules that are easily compiled wrongly
PASSES = sorted((ROOT / "passes").glob("*.yaml"))  # rules that the passes rewrite
EXAMPLES = sorted((ROOT.parent / "variants" / "examples").glob("*.yaml"))
TABLES = tables_of([*list_variants(), *map(str, [*EXAMPLES, *GOOD, *TRAPS, *PASSES])])
# Without checks: each table of a shipped variant, and one table of each file. With checks: all
# other tables, and one table of each variant and file that has no others.
COVERING = [t for t in TABLES if ALL_CASES or t in {*SHIPPED, *covering(TABLES)}]
OTHERS = [t for t in TABLES if t not in COVERING]
CHECKED = [*OTHERS, *covering(t for t in TABLES if t[0] not in dict(OTHERS))]
CHECKED = TABLES if ALL_CASES else CHECKED
FIRST_CHECKED = 1_000_000  # the number of the first match with checks


def assert_engines_agree(ref, players, first, share=1):
    variant = load_variant(ref)
    games = load_both(variant, players, ref=ref)
    deals, decisions, match = 0, 0, first
    while deals < DEALS * share and decisions < DECISIONS * share:
        views = match % 8 == 0
        (one, length), (two, _) = (play(game, match, views) for game in games)
        assert_same(one, two, f"match {match}")
        deals, decisions = deals + max(1, length.deals), decisions + length.decisions
        match += 1


@pytest.mark.parametrize("table", COVERING, ids=label)
def test_the_engines_agree(table, monkeypatch):
    compile_quickly(monkeypatch, table)
    assert_engines_agree(*table, 0)


@pytest.mark.parametrize("table", CHECKED, ids=label)
def test_the_engines_agree_with_checks(table, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")
    if not THOROUGH:
        monkeypatch.setenv("TRUTDSL_QUICK", "1")
    assert_engines_agree(*table, FIRST_CHECKED, 1 if ALL_CASES or THOROUGH else 1 / 2)
