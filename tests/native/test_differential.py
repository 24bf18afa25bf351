"""Both engines have the same events, legal actions and views, for every variant.

Whole matches in machine code end in the same state as those played step by step. The form for whole
matches leaves out what nobody can see, and stores intermediate values. Compared are winner,
counters, cards, variables, and the states of all streams.

`DIFFERENTIAL` in the environment sets how many decisions each table plays (make differential). At
50,000 or more, each table is played with every two parameters, else with one combination. Some
tables are played with code that checks every value before it uses it. Except in a thorough run,
LLVM optimizes only the steps of every third table, the whole matches of every other third, and the
whole matches of some small games. Of half of the small games, only a thorough run compares whole
matches.
"""

from pathlib import Path

import pytest
from both_engines import assert_same, load_both, play
from both_forms import StepwiseMatches, WholeMatches, common_fields
from extent import ALL_CASES, DEALS, DECISIONS, THOROUGH, covering, extent
from pairwise import all_pairs, values_of
from tables import SHIPPED, compile_quickly, label, tables_of

from trutdsl.game import load_game
from trutdsl.variant import list_variants, load_variant

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(map(str, (ROOT.parent / "variants/examples").glob("*.yaml")))
# Traps are rules that are easily compiled wrongly. Passes rewrite the rules in `passes`.
FOLDERS = [ROOT / "good", ROOT / "traps", ROOT / "passes"]
GAMES = [str(path) for folder in FOLDERS for path in sorted(folder.glob("*.yaml"))]
FAULTY = [str(path) for path in sorted((ROOT / "bad/runtime").glob("*.yaml"))][:: extent(8, 1)]
# LLVM takes most of the time. Of the small games, it optimizes the whole matches of these.
OPTIMIZED_GAMES = GAMES[::8]
TABLES = tables_of([*list_variants(), *EXAMPLES, *GAMES])
COVERING = TABLES if ALL_CASES else covering(TABLES)
OTHERS = [table for table in TABLES if table not in COVERING]
# The last other table of every third variant and file; the others are checked in the first test.
CHECKED = TABLES if ALL_CASES or THOROUGH else list(dict(OTHERS).items())[::3]
STEPS_OPTIMIZED = covering(SHIPPED)[::3]
MATCHES_OPTIMIZED = covering(SHIPPED)[1::3]
# Small games of which only the steps are compared.
STEPS_ONLY = extent(GAMES[1::2], [])
FIRST_CHECKED = 1_000_000  # the number of the first match with checks


def rows_for(number, variant):
    """Return the parameters for a table: the defaults, other ones in turn, or all combinations."""
    rows = all_pairs(values_of(variant)) or [{}]
    return rows if ALL_CASES else [rows[number % len(rows) if number % 2 else 0]]


def assert_engines_agree(games, first, share=1):
    deals, decisions, match = 0, 0, first
    while deals < DEALS * share and decisions < DECISIONS * share:
        views = match % 8 == 0
        (one, length), (two, _) = (play(game, match, views) for game in games)
        assert_same(one, two, f"match {match}")
        deals, decisions = deals + max(1, length.deals), decisions + length.decisions
        match += 1


def assert_forms_agree(whole, steps):
    fields = common_fields(whole.code)
    deals, decisions, match = 0, 0, 0
    while deals < DEALS and decisions < DECISIONS:
        whole.play(match)
        steps.play(match)
        assert whole.mistake() == steps.mistake(), f"match {match}"
        if whole.mistake() is None:
            assert whole.shown(fields) == steps.shown(fields), f"match {match}"
        deals, decisions = deals + max(1, whole.match.deals), decisions + whole.match.decisions
        match += 1


@pytest.mark.parametrize("number", range(len(COVERING)), ids=lambda n: label(COVERING[n]))
def test_engines_and_forms_agree(number, monkeypatch):
    ref, players = COVERING[number]
    variant = load_variant(ref)
    for row in rows_for(number, variant):
        games = load_both(variant, players, row, ref)
        with monkeypatch.context() as patch:
            compile_quickly(patch, COVERING[number], STEPS_OPTIMIZED)
            if ref not in dict(CHECKED):
                patch.setenv("TRUTDSL_CHECKED", "1")
            assert_engines_agree(games, 0)
            steps = StepwiseMatches(games[1])
        with monkeypatch.context() as patch:
            if ref not in OPTIMIZED_GAMES:
                compile_quickly(patch, COVERING[number], MATCHES_OPTIMIZED)
            if ref not in STEPS_ONLY:
                assert_forms_agree(WholeMatches(games[1]), steps)


@pytest.mark.parametrize("table", CHECKED, ids=label)
def test_the_engines_agree_with_checks(table, monkeypatch):
    ref, players = table
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")
    if not THOROUGH:
        monkeypatch.setenv("TRUTDSL_QUICK", "1")
    games = load_both(load_variant(ref), players, ref=ref)
    assert_engines_agree(games, FIRST_CHECKED, 1 if ALL_CASES or THOROUGH else 1 / 2)


@pytest.mark.parametrize("ref", FAULTY, ids=lambda ref: Path(ref).stem)
def test_both_forms_report_the_same_errors(ref, monkeypatch):
    if not (THOROUGH or ALL_CASES):
        monkeypatch.setenv("TRUTDSL_QUICK", "1")
    game = load_game(ref, engine="native")
    assert_forms_agree(WholeMatches(game), StepwiseMatches(game))
