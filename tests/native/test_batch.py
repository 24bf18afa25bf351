"""A batch plays the same matches as single play, and its observations show no hidden card."""

from pathlib import Path

import numpy as np
import pytest
from extent import extent
from side_by_side import side_by_side, summarize_row, summarize_view

from trutdsl.game import HIDDEN, load_game
from trutdsl.native.play import batch as batches
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.observation import legal_actions, ranks_of
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.script import table_with
from trutdsl.streams import Stream


def lowest_action(legal):
    """Return the number of the lowest legal action of each row."""
    first = np.argmax(legal != 0, axis=1)
    word = legal[np.arange(len(legal)), first]
    return 64 * first + np.bitwise_count((word & (~word + np.uint64(1))) - np.uint64(1))


GOOD = Path(__file__).parents[1] / "good"
TABLES = [("trut", 2), ("trut", 4), ("trut-deluxe", 4), ("truc-catalan", 4), ("tute", 3)]
# Information that is neither public nor of one seat: revealed, secret, shared by a team.
SPECIAL = {
    "trut": set(),
    "trut-deluxe": {"revealed", "secret"},
    "truc-catalan": {"revealed", "secret", "shared"},
    "tute": {"secret"},
}


@pytest.fixture(scope="module", params=TABLES[:: extent(2, 1)], ids=lambda t: f"{t[0]}-{t[1]}p")
def game(request):
    return load_game(*request.param, engine="native")


def test_a_batch_plays_and_shows_the_same_as_single_matches(game):
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
def test_messages_reach_the_same_seats_in_a_batch(name, room, monkeypatch):
    monkeypatch.setattr(batches, "FIRST_ROOM", room)
    game = load_game(GOOD / f"{name}.yaml", 4, engine="native")
    messages = 0
    for several, waiting, _ in side_by_side(game, 3, 60):
        seen, history = several.observe(), several.history()
        for row, state in enumerate(waiting):
            assert summarize_row(seen, history, row, game) == summarize_view(state, state.view())
        messages += int((history[..., 1] >= len(game.plans)).sum())
    assert messages > 300


def arrays_of(seen):
    """Return every array of an observation, by name."""
    found = {}
    for name, value in vars(seen).items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        found.update({(name, part): array for part, array in parts})
    return found


def test_hidden_values_do_not_change_an_observation(game):
    """With other hidden cards, values and actions, no bit of an observation differs."""
    changed, random = 0, Stream(1)
    for batch, waiting, _ in side_by_side(game, 9, 40):
        seen, history, before = batch.observe(), batch.history(), batch.memory.copy()
        said = batch._history.entries.copy()
        for row, match in enumerate(seen.matches):
            alter_hidden(batch, int(match), waiting[row], random)
            hidden = batch._history.entries[match, :, 2]
            hidden += ~np.isin(np.arange(len(hidden)), noticed(batch, match, history[row]))
        changed += int((batch.memory != before).sum())
        one, other = arrays_of(seen), arrays_of(batch.observe())
        assert one.keys() == other.keys()
        for name, array in one.items():
            assert array.dtype == other[name].dtype and array.shape == other[name].shape
            assert (array == other[name]).all(), name
        assert (batch.history() == history).all()
        batch.memory[:], batch._history.entries[:] = before, said
    assert changed > 1000


def noticed(batch, match, rows):
    """Return the places of the noticed actions of a match in its history."""
    left, found = [tuple(row) for row in rows if row[0] >= 0], []
    for place, said in enumerate(batch._history.entries[match]):
        if left and tuple(said[:3]) == left[0]:
            found.append(place)
            left.pop(0)
    assert not left
    return found


def alter_hidden(batch, match, state, random):
    """Change all cards and values of a match that the asked seat may not see."""
    view, program = state.view(), state.game.program
    cards = len(state.game.deck.texts)

    def other(mask):
        """Return another mask with the same number of cards."""
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
    """Replace the number at a place of a field."""
    field = batch.layout.fields[name]
    at = field.offset + field.size * place
    old = int.from_bytes(batch.memory[match, at : at + field.size].tobytes(), "little")
    raw = np.frombuffer(new(old).to_bytes(field.size, "little"), np.uint8)
    batch.memory[match, at : at + field.size] = raw


def test_an_observation_has_only_the_requested_names(game):
    batch = Batch(game.steps, 1, 0, 2)
    whole = arrays_of(batch.observe())
    names = {"hand", "tricks"} & {name for _, name in whole}
    part = arrays_of(batch.observe(names))
    assert part.keys() < whole.keys()
    assert {name for _, name in part} == {"", *names}
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


def test_actions_of_an_earlier_question_are_not_legal(tmp_path):
    (tmp_path / "wide.yaml").write_text(WIDE, encoding="utf-8")
    batch = Batch(load_game(tmp_path / "wide.yaml", engine="native").steps, 1, 0, 1)
    assert batch.observe().legal.tolist() == [[2**64 - 1, 2**36 - 1]]
    batch.answer(np.array([80]))
    assert batch.observe().legal.tolist() == [[3, 0]]
    with pytest.raises(ValueError):
        batch.answer(np.array([80]))


def test_an_illegal_answer_is_refused():
    game = load_game("trut", 2, engine="native")
    batch = Batch(game.steps, 1, 0, 3)
    actions = lowest_action(batch.observe().legal)
    for wrong in (actions[:2], np.array([-1, 0, 0]), np.array([10**6, 0, 0]), actions + 60):
        before = batch.memory.copy()
        with pytest.raises(ValueError):
            batch.answer(wrong)
        assert (batch.memory == before).all()


def test_advice_is_what_the_script_itself_would_play():
    """Seats that follow the advice of a script play the same matches as the script."""
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


def test_the_rank_of_an_action_is_its_place_among_the_legal_ones():
    legal = np.array([[1 << 63 | 5, 0, 2**64 - 1], [0, 1 << 63 | 1, 1]], np.uint64)
    rows, numbers = legal_actions(legal)
    assert numbers.tolist() == [0, 2, 63, *range(128, 192), 64, 127, 128]
    assert ranks_of(legal[rows], numbers).tolist() == [*range(67), 0, 1, 2]


def test_observations_have_no_variables_of_the_program_itself():
    """Hooks and scripts add such variables; `sharper` counts what the others answer."""
    hooks = load_game(GOOD / "hooks.yaml", 2, engine="native")
    assert "deal:open" in hooks.program.variables
    trut = load_game("trut", 2, engine="native")
    table, (name,) = table_with(trut, load_strategies(("sharper",), trut))
    code = table.steps
    assert any(name.startswith("history:") for name in code.program.variables)
    for batch in (Batch(hooks.steps, 1, 0, 2), Batch(code, 1, 0, 2, {1: name})):
        seen = batch.observe()
        assert [name for name in (*seen.variables, *seen.seen) if ":" in name] == []
