"""Scripts do not peek: a script chooses the same if all hidden cards and values differ.

Both engines are tested: the interpreter of scripts, and the machine code of policies on a copy of
the match's memory. `PAIRS` is the number of pairs of states for each script, variant and engine.
Without it, each script and each variant is tested, but not each pair of both, and machine code is
compiled for two variants only, with little optimization. Optimization does not change what a
script reads, and `test_play_of_scripts` tests optimized code.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from random import Random

import pytest
from altered_match import AlteredMatch
from extent import THOROUGH, covering
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tables import scripts_for

from trutdsl.game import DealStart, load_game
from trutdsl.ir import script
from trutdsl.native.abi import AHEAD, FAULT, STREAM
from trutdsl.native.play.memory import MatchMemory
from trutdsl.strategy.legs import UNIFORM, compile_for
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream
from trutdsl.variant import list_variants, load_variant

PAIRS = int(os.environ.get("PAIRS", "30"))
PAIRS_OF_A_MATCH = 50  # the limit of pairs; a match has at least 20 questions
FOLDER = Path(__file__).parent
SMALL = str(FOLDER / "good" / "small.yaml")
GOOD = [str(path) for path in sorted((FOLDER / "good").glob("*.strategy"))]
SCRIPTS_BY_VARIANT = {variant: scripts_for(variant) for variant in list_variants()}
SHIPPED = [(variant, name) for variant, names in SCRIPTS_BY_VARIANT.items() for name in names]
SHIPPED = SHIPPED if "PAIRS" in os.environ else covering(SHIPPED)
PEEKING_SCRIPTS = {
    way: str(FOLDER / "bad" / f"hidden-{way}.strategy")
    for way in (
        "hand",
        "stock-content",
        "by-define",
        "variable",
        "secret-of-another",
        "sign",
    )
}
POLICY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


@pytest.fixture(autouse=True)
def _quick_compilation(monkeypatch):
    if not THOROUGH and "PAIRS" not in os.environ:
        monkeypatch.setenv("TRUTDSL_QUICK", "1")


# ---------------------------------------------------------------- both engines


def interpreted_choices(game, spec, match, random):
    """Yield the choices of a script in a match, each with its choice for other hidden values."""
    table = table_for(game, (spec,))
    state = table.game.start(5, match)
    seats = range(game.players)
    players, others = (
        [table.player(spec, state, seat, Stream(seat)) for seat in seats] for _ in range(2)
    )
    for seat in questions(state):
        others[seat].match = AlteredMatch(state.match, table.game, seat, random)
        chosen = players[seat].choose(state.pending)
        yield chosen, others[seat].choose(state.pending)
        state.apply(chosen)


def compiled_choices(game, spec, match, random):
    """Yield the same for the machine code of the policy; the game is compiled with the script."""
    policy, size = POLICY(game.runs.address(f"policy.{spec.name}")), game.runs.facts.entry
    state = game.start(5, match)
    entries = [[(ctypes.c_uint64 * size)() for _ in range(game.players)] for _ in range(2)]
    for both in entries:
        for seat, entry in enumerate(both):
            entry[STREAM], entry[AHEAD] = seat, Stream(seat).next64()
    for seat in questions(state):
        memories = state.match.memory, altered_memory(state.match, game, seat, random)
        legal = len(state.pending.actions)
        chosen = [
            policy(ctypes.addressof(both[seat]), ctypes.addressof(memory), legal)
            for both, memory in zip(entries, memories, strict=True)
        ]
        assert not any(both[seat][FAULT] for both in entries)
        yield chosen
        state.apply(chosen[0])


def questions(state):
    """Yield the asked seat until the match is over; the caller answers in between."""
    while state.pending is not None:
        if isinstance(state.pending, DealStart):
            state.next_deal()
        else:
            yield state.pending.seat


def altered_memory(match, game, seat, random):
    """Return a copy of a match's memory with other values wherever a seat may not see."""
    other = AlteredMatch(match, game, seat, random)
    copy = MatchMemory(
        type(match.memory).from_buffer_copy(match.memory), match.unit, match.program, match.setting
    )
    for name, zone in game.program.zones.items():
        for at in range(game.setting.count(zone.index)):
            groups = copy.groups(name, at)
            copy._set_groups(
                name, at, [[other.exchange.get(c, c) for c in some] for some in groups]
            )
    for name in game.program.variables:
        for at, value in enumerate(other.values(name)):
            copy.write(name, at, as_number(value))
    for name in ("#chance", "#key", "#next_deal"):
        copy.write(name, 0, random.getrandbits(64))
    return copy.memory


def as_number(value):
    if isinstance(value, frozenset):
        return sum(1 << one for one in value)
    return -1 if value is None else int(value)


def compile_game(variant, players, refs):
    """Return a game that is compiled with all these scripts."""
    game = load_game(variant, players, engine="native")
    return compile_for(game, [load_strategy(ref) for ref in refs])


@cache
def compile_peeking():
    """Return a game that is compiled with all scripts that peek, while none is refused."""
    return compile_game(SMALL, 4, PEEKING_SCRIPTS.values())


def assert_no_peeking(choices, game, spec, pairs):
    """Raise AssertionError if a script chooses differently in a pair of states."""
    done = 0

    @settings(
        max_examples=pairs // 20,
        phases=[Phase.generate],
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**40), st.integers(0, 2**40))
    def look(match, seed):
        nonlocal done
        pairs_of_match = zip(
            choices(game, spec, match, Random(seed)), range(PAIRS_OF_A_MATCH), strict=False
        )
        for (chosen, other), _ in pairs_of_match:
            assert chosen == other
            done += 1

    look()
    assert done >= pairs


# ---------------------------------------------------------------- scripts


@pytest.mark.parametrize(("variant", "name"), SHIPPED)
def test_shipped_scripts_do_not_depend_on_hidden_values(variant, name):
    game = load_game(variant, max(load_variant(variant).players), engine="reference")
    assert_no_peeking(interpreted_choices, game, load_strategy(name), PAIRS)


COMPILED_VARIANTS = list(SCRIPTS_BY_VARIANT) if THOROUGH or "PAIRS" in os.environ else ["tute"]


@pytest.mark.parametrize("variant", COMPILED_VARIANTS)
def test_compiled_shipped_scripts_do_not_depend_on_hidden_values(variant):
    refs = tuple(SCRIPTS_BY_VARIANT[variant])
    game = compile_game(variant, max(load_variant(variant).players), refs)
    for spec in map(load_strategy, refs):
        if spec.native_on(0) != UNIFORM:  # `uniform` reads nothing, and is no script in this case
            assert_no_peeking(compiled_choices, game, spec, PAIRS)


@pytest.mark.parametrize("path", GOOD)
@pytest.mark.parametrize("players", [2, 4])
def test_a_script_with_every_feature_does_not_depend_on_hidden_values(path, players):
    assert_no_peeking(
        interpreted_choices,
        load_game(SMALL, players, engine="reference"),
        load_strategy(path),
        PAIRS,
    )


@pytest.mark.thorough
def test_compiled_scripts_with_every_feature_do_not_depend_on_hidden_values():
    game = compile_game(SMALL, 4, GOOD)
    for spec in map(load_strategy, GOOD):
        assert_no_peeking(compiled_choices, game, spec, PAIRS)


@pytest.mark.parametrize("way", PEEKING_SCRIPTS)
@pytest.mark.parametrize("choices", [interpreted_choices, compiled_choices])
def test_a_script_that_peeks_is_found(way, choices, monkeypatch):
    """Scripts that the check refuses are accepted here, and this test finds each of them."""
    monkeypatch.setattr(script, "check_policy", lambda *_: None)
    compiled = choices is compiled_choices
    game = compile_peeking() if compiled else load_game(SMALL, 4, engine="reference")
    spec = load_strategy(PEEKING_SCRIPTS[way])
    with pytest.raises(AssertionError, match="assert"):
        assert_no_peeking(choices, game, spec, 4000)
