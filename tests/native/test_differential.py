"""Both engines play the same: every event, every legal action, every view, for every variant.

`DIFFERENTIAL` in the environment sets how many deals each table plays (make differential).
"""

import os
from pathlib import Path

import pytest

from trutdsl.game import DealStart, Game
from trutdsl.ir import build_program
from trutdsl.streams import Stream, stream_key
from trutdsl.table import RuleError
from trutdsl.variant import list_variants, load_variant

DEALS = int(os.environ.get("DIFFERENTIAL", "2000"))
ROOT = Path(__file__).parent.parent
GOOD = sorted((ROOT / "good").glob("*.yaml"))
EXAMPLES = sorted((ROOT.parent / "variants" / "examples").glob("*.yaml"))


def tables():
    for ref in [*list_variants(), *map(str, EXAMPLES), *map(str, GOOD)]:
        for players in load_variant(ref).players:
            yield pytest.param(ref, players, id=f"{Path(ref).stem}-{players}p")


def play(game, match, views):
    """Play a match at random; return everything that shows, and how many deals there were."""
    shown = []
    random = Stream(stream_key(8, match))
    try:
        state = game.start(3, match, shown.append)
        while (pending := state.pending) is not None:
            if isinstance(pending, DealStart):
                state.next_deal()
                continue
            shown.append((pending.seat, pending.decision, [a.text for a in pending.actions]))
            if views:
                view = state.view()
                shown.append((view.zones, view.variables, view.history, view.counters))
            state.apply(random.below(len(pending.actions)))
        shown.append((state.winner, state.deals, state.decisions, state.counters()))
    except RuleError as wrong:
        shown.append((wrong.diagnostic.code, str(wrong.diagnostic.span)))
    return shown, state.deals


@pytest.mark.parametrize(("ref", "players"), list(tables()))
def test_the_engines_agree(ref, players):
    variant = load_variant(ref)
    program = build_program(variant)
    games = [
        Game(variant, program, players, variant.bind({}), ref, engine)
        for engine in ("reference", "native")
    ]
    deals = match = 0
    while deals < DEALS:
        views = match % 8 == 0
        (one, count), (two, _) = (play(game, match, views) for game in games)
        for number, (left, right) in enumerate(zip(one, two, strict=False)):
            assert left == right, f"match {match}, item {number}"
        assert len(one) == len(two)
        deals += max(1, count)
        match += 1
