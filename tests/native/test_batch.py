"""Matches side by side are the matches that are played one by one, and show no hidden card."""

from pathlib import Path

import numpy as np
import pytest
from side_by_side import side_by_side, summarize_row, summarize_view

from trutdsl.game import HIDDEN, load_game
from trutdsl.native.play import batch as batches
from trutdsl.native.play.batch import Batch
from trutdsl.strategy import load_strategies
from trutdsl.strategy.script import table_with
from trutdsl.streams import Stream


def lowest(legal):
    """Return the number of the lowest legal action of each row."""
    first = np.argmax(legal != 0, axis=1)
    word = legal[np.arange(len(legal)), first]
    return 64 * first + np.bitwise_count((word & (~word + np.uint64(1))) - np.uint64(1))


GOOD = Path(__file__).parents[1] / "good"
TABLES = [("trut", 2), ("trut", 4), ("trut-deluxe", 4), ("truc-catalan", 4), ("tute", 3)]
# What is neither for all nor for one seat alone: shown by rules, done in secret, for a team.
SPECIAL = {
    "trut": set(),
    "trut-deluxe": {"revealed", "secret"},
    "truc-catalan": {"revealed", "secret", "shared"},
    "tute": {"secret"},
}


@pytest.fixture(scope="module", params=TABLES, ids=lambda t: f"{t[0]}-{t[1]}p")
def game(request):
    return load_game(*request.param, engine="native")


def test_the_same_matches_of_which_the_same_is_seen(game):
    steps, special = 0, set()
    for batch, waiting, states in side_by_side(game, 5):
        seen, history = batch.observe(), batch.history()
        assert [states[match] for match in seen.matches] == waiting
        for row, state in enumerate(waiting):
            view = state.view()
            assert summarize_row(seen, history, row, game) == summarize_view(state, view)
            whole = state.to_dict()
            if any(view.seat in seats for p in whole["shown"].values() for seats in p):
                special.add("revealed")
            if len(view.history) < len(whole["history"]):
                special.add("secret")
            if "signal" in view.variables and view.variables["signal"][view.seat - 2] != "none":
                special.add("shared")
        steps += 1
    assert [s.winner if s.winner is not None else -1 for s in states] == list(batch.winner)
    assert [s.deals for s in states] == list(batch.deals)
    assert [s.decisions for s in states] == list(batch.decisions)
    assert steps > 30
    assert special == SPECIAL[game.name]


@pytest.mark.parametrize("room", [batches.FIRST_ROOM, 1])
@pytest.mark.parametrize("name", ["announcements", "passing"])
def test_what_is_told_is_told_to_the_same_seats(name, room, monkeypatch):
    monkeypatch.setattr(batches, "FIRST_ROOM", room)
    game = load_game(GOOD / f"{name}.yaml", 4, engine="native")
    told = 0
    for several, waiting, _ in side_by_side(game, 3, 60):
        seen, history = several.observe(), several.history()
        for row, state in enumerate(waiting):
            assert summarize_row(seen, history, row, game) == summarize_view(state, state.view())
        told += int((history[..., 1] >= len(game.plans)).sum())
    assert told > 300


def arrays(seen):
    """Return every array of an observation, by name."""
    found = {}
    for name, value in vars(seen).items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        found.update({(name, part): array for part, array in parts})
    return found


def test_what_is_hidden_changes_nothing(game):
    """Other hidden cards, values and actions: no bit of what is observed is another one."""
    changed, random = 0, Stream(1)
    for batch, waiting, _ in side_by_side(game, 9, 40):
        seen, history, before = batch.observe(), batch.history(), batch.memory.copy()
        said = batch._history.said.copy()
        for row, match in enumerate(seen.matches):
            disturb(batch, int(match), waiting[row], random)
            hidden = batch._history.said[match, :, 2]
            hidden += ~np.isin(np.arange(len(hidden)), noticed(batch, match, history[row]))
        changed += int((batch.memory != before).sum())
        one, other = arrays(seen), arrays(batch.observe())
        assert one.keys() == other.keys()
        for name, array in one.items():
            assert array.dtype == other[name].dtype and array.shape == other[name].shape
            assert (array == other[name]).all(), name
        assert (batch.history() == history).all()
        batch.memory[:], batch._history.said[:] = before, said
    assert changed > 1000


def noticed(batch, match, rows):
    """Return the places at which the noticed actions of a match are kept."""
    left, found = [tuple(row) for row in rows if row[0] >= 0], []
    for place, said in enumerate(batch._history.said[match]):
        if left and tuple(said[:3]) == left[0]:
            found.append(place)
            left.pop(0)
    assert not left
    return found


def disturb(batch, match, state, random):
    """Let other cards lie and other values be at all places where the asked seat may not look."""
    view, program = state.view(), state.game.program
    cards = len(state.game.deck.texts)

    def other(mask):
        """Return another mask of as many cards."""
        turn = random.below(cards)
        return (mask << turn | mask >> (cards - turn)) & ((1 << cards) - 1)

    for name, zone in program.zones.items():
        masks = [f"{name}.all", f"{name}.top"] if zone.ordered else [name]
        for place, shown in enumerate(view.zones[name]):
            if shown is HIDDEN:
                for mask in masks:
                    change(batch, match, mask, place, other)
    for name in program.variables:
        for place, shown in enumerate(view.variables.get(name, ())):
            if shown is HIDDEN:
                change(batch, match, name, place, lambda value: value ^ 1)


def change(batch, match, name, place, new):
    """Put another number at a place of a field."""
    field = batch.layout.fields[name]
    at = field.offset + field.size * place
    old = int.from_bytes(batch.memory[match, at : at + field.size].tobytes(), "little")
    raw = np.frombuffer(new(old).to_bytes(field.size, "little"), np.uint8)
    batch.memory[match, at : at + field.size] = raw


def test_what_is_not_asked_for_is_not_observed(game):
    batch = Batch(game.steps, 1, 0, 2)
    whole, part = arrays(batch.observe()), arrays(batch.observe(["hand", "tricks"]))
    assert part.keys() < whole.keys()
    assert {name for _, name in part} == {"", "hand", "tricks"} & {n for _, n in whole}
    assert all((whole[name] == array).all() for name, array in part.items())


WIDE = """\
variant: wide
title: Many numbers, then few
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points.}}
rules: |
  rule match:
      deal:
          ask dealer "first":
              bid n from 1 to 100: points[team(dealer)] += n
          ask dealer "second":
              accept
              fold
          end deal because played
      end match drawn
"""


def test_numbers_of_another_question_are_not_legal(tmp_path):
    (tmp_path / "wide.yaml").write_text(WIDE, encoding="utf-8")
    batch = Batch(load_game(tmp_path / "wide.yaml", engine="native").steps, 1, 0, 1)
    assert batch.observe().legal.tolist() == [[2**64 - 1, 2**36 - 1]]
    batch.answer(np.array([80]))
    assert batch.observe().legal.tolist() == [[3, 0]]
    with pytest.raises(ValueError):
        batch.answer(np.array([80]))


def test_what_is_not_legal_is_refused():
    game = load_game("trut", 2, engine="native")
    batch = Batch(game.steps, 1, 0, 3)
    actions = lowest(batch.observe().legal)
    for wrong in (actions[:2], np.array([-1, 0, 0]), np.array([10**6, 0, 0]), actions + 60):
        before = batch.memory.copy()
        with pytest.raises(ValueError):
            batch.answer(wrong)
        assert (batch.memory == before).all()


def test_advice_is_the_play_of_the_adviser():
    """Seats that follow the advice of a script play the matches that the script plays itself."""
    game = load_game("trut", 4, {"goal": "2"}, "native")
    (spec,) = load_strategies(("patient",), game)
    table, (name,) = table_with(game, (spec,))
    scripts = dict.fromkeys(range(4), name)
    whole = Batch(table.steps, 7, 0, 40, scripts)
    own = {seat: scripts.pop(seat) for seat in (0, 2)}
    batch = Batch(table.steps, 7, 0, 40, scripts, own)
    while len(batch.waiting):
        legal = np.ascontiguousarray(batch.observe(()).legal).view(np.uint8)
        bits = np.unpackbits(legal, axis=1, bitorder="little").astype(np.int64)
        batch.answer(np.argmax(np.cumsum(bits, axis=1) == 1 + batch.advice()[:, None], axis=1))
    assert np.array_equal(batch.rows(), whole.rows())
    assert len({*whole.deals.tolist()}) > 3
