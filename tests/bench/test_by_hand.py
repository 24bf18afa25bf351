"""The C programs play the same matches as the native engine, number by number."""

import shutil
from functools import cache
from importlib.resources import files
from itertools import product

import numpy as np
import pytest
from extent import extent

from trutdsl.bench.against_c import HEADER_FILE, SCRIPTS, TABLES, ByHand, compile_by_hand
from trutdsl.game import load_game
from trutdsl.strategy.legs import native_seating
from trutdsl.strategy.load import load_strategy
from trutdsl.table.setting import SeatedPlayer

SEED = 7
# Mistakes in rules in C: (variant, right text, wrong text).
WRONG_RULES = {
    "trut, conversion clears one's own petits only": (
        "trut",
        "m->petits[side] = m->petits[side ^ 1] = 0;",
        "m->petits[side] = 0;",
    ),
    "trut, the last opponent is not asked": (
        "trut",
        "for (uint32_t i = 1; i < players; i += 2)",
        "for (uint32_t i = 1; i < 2; i += 2)",
    ),
    "truc, no retruc as the answer": ("truc-catalan", "RESPOND, 3);", "RESPOND, 2);"),
    "truc, who deals wins where all tricks were tied": (
        "truc-catalan",
        "on_lead = other(m->dealer), winner = on_lead;",
        "on_lead = other(m->dealer), winner = m->dealer;",
    ),
    "truc, bets near the goal": ("truc-catalan", "m->may_bet = 0;\n    if (first", "if (first"),
    "truc, no bet after the second card": (
        "truc-catalan",
        "if (tricks_left && !after_card(m, second))",
        "if (0)",
    ),
    "tute, nobody has to beat": ("tute", "choose(higher, higher, following)", "following"),
    "tute, suit is followed after a ruff": (
        "tute",
        "choose(trick & plain, 0, playable)",
        "playable",
    ),
    "tute, trump brings no more than others": ("tute", "m->trump ? 40 : 20", "m->trump ? 20 : 20"),
    "tute, four knights are nothing": ("tute", " || !(KNIGHTS & ~hand)", ""),
    "tute, the partner does not sing": (
        "tute",
        "sing(m, winner) && sing(m, partner)",
        "sing(m, winner)",
    ),
    "tute, a suit may be sung again": ("tute", "m->unsung ^= song;", ""),
}


def native_rows(variant, players, matches):
    code = load_game(variant, players, engine="reference").runs
    return np.concatenate(
        [r.records() for r in code.rows([SeatedPlayer("uniform")] * players, SEED, 0, matches)]
    )


@pytest.fixture(scope="module")
def compile_library(tmp_path_factory):
    """Return a function that compiles a shipped C program, once."""
    folder = tmp_path_factory.mktemp("made")
    return cache(lambda variant: compile_by_hand(variant, folder))


def rows_by_hand(variant, players, matches, library):
    """Return the records, or None without a C compiler."""
    if library is None:
        assert not (shutil.which("cc") or shutil.which("gcc"))
        return None
    width = len(load_game(variant, players, engine="reference").runs.fields)
    rows = ByHand(library, players, width).rows(SEED, 0, matches)
    return np.concatenate([part.copy() for part in rows])


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_every_match_is_the_same(variant, players, compile_library):
    found = rows_by_hand(variant, players, 20_000, compile_library(variant))
    if found is not None:
        assert np.array_equal(found, native_rows(variant, players, 20_000))


def script_rows(names, matches):
    game, seating = load_game("trut", 2, engine="native"), [load_strategy(name) for name in names]
    played = native_seating(game, seating)
    rows = played.game.runs.rows(played.seats, SEED, 0, matches)
    return np.concatenate([some.records() for some in rows])


def scripts_by_hand(names, matches, library):
    """Return the records of two scripts in C, or None without a C compiler."""
    if library is None:
        assert not (shutil.which("cc") or shutil.which("gcc"))
        return None
    parts = ByHand(library, 2, 7).rows_of_scripts(names, SEED, 0, matches)
    return np.concatenate([part.copy() for part in parts])


@pytest.mark.parametrize("names", list(product(SCRIPTS, repeat=2)), ids=" ".join)
def test_every_match_of_scripts_is_the_same(names, compile_library):
    found = scripts_by_hand(names, 10_000, compile_library("trut"))
    if found is not None:
        assert np.array_equal(found, script_rows(names, 10_000))


def compile_with_mistake(variant, right, wrong, folder):
    """Compile a shipped C program with one text replaced, with little optimization."""
    sources, compiled = folder / "sources", folder / "made"
    sources.mkdir()
    compiled.mkdir()
    shipped = files("trutdsl.bench").joinpath("reference")
    text = shipped.joinpath(f"{variant}.c").read_text(encoding="utf-8")
    assert text.count(right) == 1
    (sources / HEADER_FILE).write_bytes(shipped.joinpath(HEADER_FILE).read_bytes())
    (sources / f"{variant}.c").write_text(text.replace(right, wrong), encoding="utf-8")
    return compile_by_hand(variant, compiled, sources, effort="-O1")


@pytest.mark.parametrize(
    "mistake",
    extent(
        [
            "trut, the last opponent is not asked",
            "truc, bets near the goal",
            "tute, trump brings no more than others",
        ],
        WRONG_RULES,
    ),
)
def test_a_wrong_rule_is_detected(mistake, tmp_path):
    variant, right, wrong = WRONG_RULES[mistake]
    players = max(n for name, n in TABLES if name == variant)
    found = rows_by_hand(
        variant, players, 2000, compile_with_mistake(variant, right, wrong, tmp_path)
    )
    if found is not None:
        assert not np.array_equal(found, native_rows(variant, players, 2000))


# Mistakes in strategies in C: (right text, wrong text).
WRONG_SCRIPTS = {
    "steady never takes a trick": ("hand & better ? hand & better : hand", "hand"),
    "steady counts two alike once": ("alike ? best : others", "others"),
    "steady forgets the tricks": ("team(me) ? -m->ahead : m->ahead", "0"),
    "steady sees as it calls": ("SEE = 55", "SEE = 80"),
    "a card of the last deal is remembered": (
        "m->ahead = 0;\n        memset(m->table, 0, sizeof m->table);",
        "m->ahead = 0;",
    ),
    "caller plays its first card": ("count - 1 : uniform(seat, match, count)", "count - 1 : 0"),
}


@pytest.mark.parametrize(
    "mistake", extent(["steady sees as it calls", "caller plays its first card"], WRONG_SCRIPTS)
)
def test_a_wrong_strategy_is_detected(mistake, tmp_path):
    right, wrong = WRONG_SCRIPTS[mistake]
    names = ("caller", "caller") if wrong.startswith("count") else ("steady", "steady")
    found = scripts_by_hand(names, 4000, compile_with_mistake("trut", right, wrong, tmp_path))
    if found is not None:
        assert not np.array_equal(found, script_rows(names, 4000))
