"""Nobody peeks: where all that a seat may not see is otherwise, its script chooses the same.

Both engines are asked: the one that interprets scripts, and the machine code of policies, which is
given a copy of the match's memory. `PAIRS` is how many pairs of states are made for each script,
variant and engine; without it each script and each variant is met, not each of both, and machine
code is made for three of the variants only, with little effort: what a script looks at is in its
instructions before LLVM makes them fast, and play as shipped is compared in `test_play_of_scripts`.
"""

from __future__ import annotations

import ctypes
import os
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
from trutdsl.native.play import MatchMemory
from trutdsl.strategy import load_strategy
from trutdsl.strategy.legs import UNIFORM, compile_for
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream
from trutdsl.variant import list_variants, load_variant

PAIRS = int(os.environ.get("PAIRS", "30"))
OF_A_MATCH = 50  # at most; a match has 20 questions and more
HERE = Path(__file__).parent
SMALL = str(HERE / "good" / "small.yaml")
GOOD = [str(path) for path in sorted((HERE / "good").glob("*.strategy"))]
MEANT = {variant: scripts_for(variant) for variant in list_variants()}
SHIPPED = [(variant, name) for variant, names in MEANT.items() for name in names]
SHIPPED = SHIPPED if "PAIRS" in os.environ else covering(SHIPPED)
PEEKING = {
    way: str(HERE / "bad" / f"hidden-{way}.strategy")
    for way in (
        "hand",
        "stock",
        "stock-content",
        "by-define",
        "variable",
        "secret-of-another",
        "sign",
    )
}
POLICY = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


@pytest.fixture(autouse=True)
def _soon_made(monkeypatch):
    if not THOROUGH and "PAIRS" not in os.environ:
        monkeypatch.setenv("TRUTDSL_QUICK", "1")


# ---------------------------------------------------------------- both engines


def interpreted(game, spec, match, random):
    """Yield what a script chooses in a match, and where what it may not see is otherwise."""
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


def compiled(game, spec, match, random):
    """Yield the same of the policy's machine code; game: compiled with the script."""
    policy, size = POLICY(game.runs.address(f"policy.{spec.name}")), game.runs.facts.entry
    state = game.start(5, match)
    entries = [[(ctypes.c_uint64 * size)() for _ in range(game.players)] for _ in range(2)]
    for both in entries:
        for seat, entry in enumerate(both):
            entry[STREAM], entry[AHEAD] = seat, Stream(seat).next64()
    for seat in questions(state):
        memories = state.match.memory, disturbed_memory(state.match, game, seat, random)
        legal = len(state.pending.actions)
        chosen = [
            policy(ctypes.addressof(both[seat]), ctypes.addressof(memory), legal)
            for both, memory in zip(entries, memories, strict=True)
        ]
        assert not any(both[seat][FAULT] for both in entries)
        yield chosen
        state.apply(chosen[0])


def questions(state):
    """Yield who is asked, until the match is over; the question is answered in between."""
    while state.pending is not None:
        if isinstance(state.pending, DealStart):
            state.next_deal()
        else:
            yield state.pending.seat


def disturbed_memory(match, game, seat, random):
    """Return a copy of a match's memory in which all is otherwise that a seat may not see."""
    other = AlteredMatch(match, game, seat, random)
    copy = MatchMemory(
        type(match.memory).from_buffer_copy(match.memory), match.unit, match.program, match.setting
    )
    for name, zone in game.program.zones.items():
        for at in range(game.setting.count(zone.index)):
            groups = copy._groups(name, at)
            copy._set_groups(name, at, [[other.turn.get(c, c) for c in some] for some in groups])
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


def compiled_for(variant, players, refs):
    """Return a game compiled with all these scripts."""
    game = load_game(variant, players, engine="native")
    return compile_for(game, [load_strategy(ref) for ref in refs])


def find_peeking(choices, game, spec, pairs):
    """Raise AssertionError for a pair of which a script chooses differently."""
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
        made = zip(choices(game, spec, match, Random(seed)), range(OF_A_MATCH), strict=False)
        for (chosen, other), _ in made:
            assert chosen == other
            done += 1

    look()
    assert done >= pairs


# ---------------------------------------------------------------- scripts


@pytest.mark.parametrize(("variant", "name"), SHIPPED)
def test_what_a_shipped_script_may_not_see_does_not_matter(variant, name):
    game = load_game(variant, max(load_variant(variant).players), engine="reference")
    find_peeking(interpreted, game, load_strategy(name), PAIRS)


COMPILED = list(MEANT) if THOROUGH or "PAIRS" in os.environ else ["trut", "truc-catalan", "tute"]


@pytest.mark.parametrize("variant", COMPILED)
def test_what_shipped_policies_may_not_see_does_not_matter(variant):
    refs = tuple(MEANT[variant])
    game = compiled_for(variant, max(load_variant(variant).players), refs)
    for spec in map(load_strategy, refs):
        if spec.native_on(0) != UNIFORM:  # which looks at nothing, and is not a script then
            find_peeking(compiled, game, spec, PAIRS)


@pytest.mark.parametrize("path", GOOD)
@pytest.mark.parametrize("players", [2, 4])
def test_what_a_script_with_everything_may_not_see_does_not_matter(path, players):
    find_peeking(
        interpreted, load_game(SMALL, players, engine="reference"), load_strategy(path), PAIRS
    )


@pytest.mark.parametrize("path", GOOD)
def test_what_a_policy_with_everything_may_not_see_does_not_matter(path):
    find_peeking(compiled, compiled_for(SMALL, 4, (path,)), load_strategy(path), PAIRS)


@pytest.mark.parametrize("way", PEEKING)
@pytest.mark.parametrize("choices", [interpreted, compiled])
def test_this_would_notice_a_script_that_peeks(way, choices, monkeypatch):
    """Each of the scripts that are refused is let through, and found out."""
    monkeypatch.setattr(script, "check_policy", lambda *_: None)
    spec = load_strategy(PEEKING[way])
    game = load_game(SMALL, 4, engine="reference")
    if choices is compiled:
        game = compile_for(game.in_engine("native"), [spec])
    with pytest.raises(AssertionError, match="assert"):
        find_peeking(choices, game, spec, 4000)
