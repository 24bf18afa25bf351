"""Both engines play the same: every event, every legal action, every view, for every variant.

`DIFFERENTIAL` in the environment sets how many decisions each table plays (make differential).
For each shipped variant and each number of players LLVM does all that it can. For other tables it
does little, because it would take most of the time; in `test_forms` it does all for their files.
Other tables, and other matches of some, are played by machine code that looks at every place and
number before it uses it.
"""

from pathlib import Path

import pytest
from both_engines import assert_same, load_both, play
from extent import ALL_CASES, DEALS, DECISIONS, THOROUGH, covering
from tables import SHIPPED, label, made_soon, tables_of

from trutdsl.variant import list_variants, load_variant

ROOT = Path(__file__).parent.parent
GOOD = sorted((ROOT / "good").glob("*.yaml"))
TRAPS = sorted((ROOT / "traps").glob("*.yaml"))  # rules that are easily made wrong
PASSES = sorted((ROOT / "passes").glob("*.yaml"))  # what passes rewrite
EXAMPLES = sorted((ROOT.parent / "variants" / "examples").glob("*.yaml"))
TABLES = tables_of([*list_variants(), *map(str, [*EXAMPLES, *GOOD, *TRAPS, *PASSES])])
# Without checks: each table of a shipped variant, one of each file. With checks: all others, and
# one of each variant and file that has no others.
COVERING = [t for t in TABLES if ALL_CASES or t in {*SHIPPED, *covering(TABLES)}]
OTHERS = [t for t in TABLES if t not in COVERING]
CHECKED = [*OTHERS, *covering(t for t in TABLES if t[0] not in dict(OTHERS))]
CHECKED = TABLES if ALL_CASES else CHECKED
FIRST_CHECKED = 1_000_000  # the first match that is played with checks


def agree(ref, players, first, share=1):
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
    made_soon(monkeypatch, table)
    agree(*table, 0)


@pytest.mark.parametrize("table", CHECKED, ids=label)
def test_the_engines_agree_with_checks(table, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")
    if not THOROUGH:
        monkeypatch.setenv("TRUTDSL_QUICK", "1")
    agree(*table, FIRST_CHECKED, 1 if ALL_CASES or THOROUGH else 1 / 2)
