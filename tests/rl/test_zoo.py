"""PettingZoo's own tests on every shipped variant, and the contents of the arrays."""

import warnings
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.utils import parallel_to_aec

from trutdsl.diagnostics import BadUsage, Rejected
from trutdsl.game import load_game
from trutdsl.learning import encoding, zoo
from trutdsl.learning.encoding import Encoder
from trutdsl.learning.vector import SideBySide
from trutdsl.variant import list_variants, load_variant

FIRST = {"seat_0": 0, "seat_1": 0}
PASSING = Path(__file__).parents[1] / "good" / "passing.yaml"
TABLES = [
    (name, players)
    for name in list_variants()
    for players in {load_variant(name).players[0], load_variant(name).players[-1]}
]
# Tute secretly asks who sings, and who exchanges the trump card.
VARIANTS_WITH_SECRET_QUESTIONS = {"tute"}


@pytest.fixture(autouse=True)
def no_warnings():
    """Ignore the warnings of these tests, such as on rendering; failures are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_environment_in_turn_passes_the_tests_of_pettingzoo(name, players):
    api_test(zoo.env(name, players), num_cycles=60)
    seed_test(lambda: zoo.env(name, players), num_cycles=20)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_parallel_environment_passes_the_tests_of_pettingzoo(name, players):
    if load_game(name, players, engine="reference").secret_questions:
        assert name in VARIANTS_WITH_SECRET_QUESTIONS
        with pytest.raises(Rejected, match="not all seats can tell"):
            zoo.parallel_env(name, players)
        return
    parallel_api_test(zoo.parallel_env(name, players), num_cycles=60)
    max_cycles_test(
        SimpleNamespace(
            parallel_env=lambda max_cycles: zoo.parallel_env(name, players, max_cycles),
            env=lambda max_cycles: parallel_to_aec(zoo.parallel_env(name, players, max_cycles)),
        )
    )


@pytest.mark.parametrize("make", [zoo.env, zoo.parallel_env])
@pytest.mark.parametrize("most", [0, -1, 1.5, "x", True])
def test_an_impossible_number_of_cycles_is_refused(make, most):
    with pytest.raises(BadUsage, match="for max_cycles, expected"):
        make("trut", 2, max_cycles=most)


@pytest.mark.parametrize(("make", "first"), [(zoo.env, 0), (zoo.parallel_env, FIRST)])
def test_calls_before_reset_and_after_close_raise_errors_of_gymnasium(make, first):
    environment = make("trut", 2, max_cycles=1)
    with pytest.raises(ResetNeeded, match=r"step\(\) before reset\(\)"):
        environment.step(first)
    for agent in ("seat_2", 0):
        with pytest.raises(BadUsage, match=r"there is no agent .*; .*seat_"):
            environment.action_space(agent)
    environment.reset(seed=1)
    for wrong in ("x", 0.5, None, {}, [0], {"seat_0": None, "seat_1": "x"}):
        with pytest.raises(BadUsage, match="found the action"):
            environment.step(wrong)
    environment.step(first)
    environment.close()
    for call in (environment.reset, partial(environment.step, first)):
        with pytest.raises(ClosedEnvironmentError, match=r"after close\(\)"):
            call()


def test_nothing_of_a_match_can_be_read_before_reset():
    environment = zoo.env("trut", 2)
    with pytest.raises(ResetNeeded):
        environment.observe("seat_0")
    with pytest.raises(
        AttributeError, match=r"agent_selection cannot be accessed before reset\(\)"
    ):
        environment.last()
    assert not hasattr(environment, "nothing")


def test_a_parallel_match_that_is_cut_off_takes_no_more_steps():
    environment = zoo.parallel_env("trut", 2, max_cycles=1)
    environment.reset(seed=1)
    environment.step(FIRST)
    assert not environment.agents
    with pytest.raises(ResetNeeded):
        environment.step(FIRST)


def test_a_match_is_truncated_after_max_cycles():
    environment = zoo.env("trut", 2, max_cycles=7)
    environment.reset(seed=1)
    for _ in range(7):
        assert not any(environment.truncations.values())
        environment.step(int(environment.last()[0]["action_mask"].argmax()))
    assert all(environment.truncations.values())
    assert not any(environment.terminations.values())


def test_legal_actions_end_the_match_with_a_reward_for_each_seat():
    environment, random = zoo.env("trut", 4, goal=1), np.random.default_rng(1)
    for seed in range(5):
        environment.reset(seed=seed)
        rewards = dict.fromkeys(environment.possible_agents, 0)
        for agent in environment.agent_iter():
            seen, reward, ended, cut, info = environment.last()
            assert not cut
            assert bool(info) == ended
            rewards[agent] += reward
            mask = seen["action_mask"]
            environment.step(None if ended else int(random.choice(np.flatnonzero(mask))))
        assert [*rewards.values()] in ([1, -1, 1, -1], [-1, 1, -1, 1])


def test_an_illegal_action_is_replaced_and_reported():
    one, two = zoo.env("trut", 2), zoo.env("trut", 2)
    one.reset(seed=3)
    two.reset(seed=3)
    mask = one.last()[0]["action_mask"]
    agent, wrong = one.agent_selection, int(np.flatnonzero(mask == 0)[0])
    one.step(wrong)
    two.step(int(mask.argmax()))
    assert one.infos[agent] == {"illegal": wrong}
    assert (one.last()[0]["observation"] == two.last()[0]["observation"]).all()


@pytest.mark.parametrize("name", list_variants())
def test_features_contain_visible_cards_and_nothing_hidden(name):
    """An exchange of hidden cards in a copy changes no number; own cards are marked."""
    game = load_game(name, engine="native")
    encoder, state, exchanged, marked = Encoder(game), game.start(1, 0), 0, 0
    while state.pending is not None and state.decisions < 25:
        if not hasattr(state.pending, "seat"):
            state.next_deal()
            continue
        view, seat, twin = state.view(), state.pending.seat, state.clone()
        before = encoder.features(state, seat)
        assert before.shape == (encoder.size,)
        assert encoder.mask(state, seat).sum() == len(state.pending.actions)
        assert not encoder.mask(state, 1 - seat).any()
        hidden = [
            (zone, at, card)
            for zone, places in view.zones.items()
            for at, seen in enumerate(places)
            if not isinstance(seen, tuple)
            for card in twin._machine.cards(zone, at)
        ]
        for (zone, at, _), (_, _, card) in zip(hidden, reversed(hidden), strict=True):
            twin._machine.lay(card, zone, at)
        exchanged += len(hidden) > 1
        assert (encoder.features(twin, seat) == before).all()
        hand = before[encoder.parts["hand"]].reshape(game.players, -1)[seat]
        marked += (hand[: len(game.deck.texts)] > 0).sum() == len(view.cards("hand"))
        state.apply(state.decisions % len(state.pending.actions))
    assert exchanged > 10
    assert marked == state.decisions


def test_features_have_their_places():
    """The latest answer comes first; each place has its cards, their number, and if it is seen."""
    game = load_game("trut", 2, engine="native")
    encoder, state, answers = Encoder(game), game.start(1, 0), []
    while len(answers) < 3:
        if not hasattr(state.pending, "seat"):
            state.next_deal()
            answers = []
        answers.append((1 + state.pending.seat, encoder.names[encoder.legal(state)[0]]))
        state.apply(0)
    seat, view = state.pending.seat, state.view()
    features = encoder.features(state, seat)
    heard = features[encoder.parts["heard"]].reshape(-1, 2)
    named = [(who, encoder.names[int(action) - 1]) for who, action in heard[:3].tolist()]
    assert named == answers[::-1]
    assert not heard[3:].any()
    for zone, places in view.zones.items():
        rows = features[encoder.parts[zone]].reshape(len(places), -1)
        for seen, row in zip(places, rows, strict=True):
            cards = seen if isinstance(seen, tuple) else ()
            assert row[-1] == isinstance(seen, tuple)
            assert (row[:-2] > 0).sum() == len(cards)
            assert row[-2] == len(cards) or row[-1] == 0
    for counter in game.count_plan.counters:
        rows = features[encoder.parts[counter]].reshape(2, 2)
        assert rows[:, 1].tolist() == [1, 1], "both teams' scores are seen"


VALUES = """\
variant: values
title: Values of each type
players: [4]
teams: {4: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q]}
rules: |
  zone shown: pile, starts with pack_cards, seen by all
  match state:
      numbers: set of 0 to 12
      sides: teams
      speakers: seats
      last: 0 to 12
      debt: -12 to 0
      speaker: seat?
      side: team?
      nobody: seat?
      secret[seat]: seat?, seen by owner
      secrets[seat]: 0 to 12, seen by owner
  rule match:
      for p in seats:
          ask p "greet":
              hello
              good_day
          ask p "say":
              one n from 0 to 12:
                  announce numbers as "said" by p to all
                  numbers += n
                  sides += team(p)
                  speakers += p
                  last = n
                  debt = 0 - n
                  speaker = p
                  side = team(p)
                  secret[next_seat(p)] = p
                  secrets[next_seat(p)] = n
          announce last as "table" to all
      if nobody == none and 12 in numbers: end match won by first t in sides
      nobody = first p in speakers
      end match won by team(dealer) if empty(shown) else none
"""


@pytest.fixture
def values(tmp_path):
    """Return the path of a game; after four answers seat 2 is asked to greet."""
    path = tmp_path / "values.yaml"
    path.write_text(VALUES)
    return path


ANSWERS = (1, 2 + 12, 0, 2 + 5)  # of seats 0 and 1; the second question's actions begin at 2


def test_only_the_latest_answers_are_features(values, monkeypatch):
    monkeypatch.setattr(encoding, "LATEST_ANSWERS", 2)
    environment = zoo.env(values, 4)
    environment.reset(seed=1)
    for action in ANSWERS:
        environment.step(action)
    features, parts = environment.observe("seat_0")["observation"], environment.table.encoder.parts
    assert features[parts["heard"]].tolist() == [2, 8, 2, 1]
    assert features[parts["decision"]].tolist() == [0, 0], "another seat is asked"


def test_a_set_has_a_feature_for_each_element(values):
    environment = zoo.env(values, 4)
    environment.reset(seed=1)
    for action in ANSWERS:
        environment.step(action)
    features, parts = environment.observe("seat_2")["observation"], environment.table.encoder.parts
    expected = {"numbers": [5, 12], "sides": [0, 1], "speakers": [0, 1]}
    found = {name: np.flatnonzero(features[parts[name]][:-1]).tolist() for name in expected}
    assert found == expected
    assert features[parts["last"]].tolist() == [5, 1], "no set reaches into other features"
    assert features[parts["secret"]].reshape(4, 2).tolist() == [[0, 0], [0, 0], [1, 1], [0, 0]]
    assert features[parts["nobody"]].tolist() == [-1, 1]
    said = features[parts["announced said"]].reshape(5, 14)
    assert [np.flatnonzero(row).tolist() for row in said[:3]] == [[13], [12, 13], []]
    assert features[parts["announced table"]].reshape(5, 2)[4].tolist() == [5, 1], "by nobody"
    assert features[parts["shown"]].tolist() == [1, 2, 3, 3, 1], "the lowest card is 1"
    assert features[parts["deal"]].tolist() == [-1]
    assert features[parts["heard"]][:10].tolist() == [2, 8, 2, 1, 1, 15, 1, 2, 0, 0]
    assert features[parts["decision"]].tolist() == [1, 0]


def test_features_of_values_of_each_type(values):
    """Seats are counted from seat 2, teams from its team; numbers are logarithms."""
    matches = SideBySide(values, 4, 1, seats=None, features=True)
    matches.reset(seed=1)
    for action in ANSWERS:
        seen = matches.step(np.array([action]))[0]
    features, parts = seen["features"][0], matches.feature_map.parts
    expected = {
        "question": [0],
        "numbers": [5, 12],
        "sides": [0, 1],
        "speakers": [2, 3],
        "speaker": [3],
        "side": [1],
        "nobody": [4],
        "secret": [3],  # seat 1; the other places are hidden
        "secrets": [0],
        "answers": [2 * 15 + 1, 2 * 15 + 14, 3 * 15 + 0, 3 * 15 + 7],
    }
    assert {name: np.flatnonzero(features[parts[name]]).tolist() for name in expected} == expected
    five = pytest.approx(np.log(6) / 4)
    assert [features[parts[name]][0] for name in ("last", "secrets")] == [five, five]
    assert -features[parts["debt"]][0] == five
    assert seen["history"][0, :5].tolist() == [[4, 8], [4, 1], [3, 15], [3, 2], [0, 0]]
    cut = matches.feature_map.recent(matches._batch.observe(), matches._batch.history(), 2)
    assert cut.tolist() == [[[4, 8], [4, 1]]]


def test_passed_cards_are_features_of_the_seats_that_see_them():
    game = load_game(PASSING, engine="native")
    encoder, state = Encoder(game), game.start(3, 0)
    state.next_deal()
    cards = len(game.deck.texts)
    passed_cards = []
    for seat in range(2):
        passed_cards.append(game.deck.texts.index(state.pending.actions[0].text.split()[1]))
        assert state.pending.seat == seat
        state.apply(0)
    for seat in range(4):
        features = encoder.features(state, seat)[encoder.parts["passed hand"]]
        assert [*np.flatnonzero(features[4 * cards :])] == [0 * 4 + 1, 1 * 4 + 2]
        known = [
            (int(at) // cards, int(at) % cards) for at in np.flatnonzero(features[: 4 * cards])
        ]
        assert known == [(who, passed_cards[who]) for who in range(2) if seat in (who, who + 1)]
        assert all(features[who * cards + card] == 1 + who + 1 for who, card in known)


def test_the_space_contains_numbers_of_more_than_32_bits():
    wide = Path(__file__).parents[1] / "good" / "wide-numbers.yaml"
    environment = zoo.env(str(wide), 2)
    environment.reset(seed=1)
    space = environment.observation_space("seat_0")["observation"]
    most = Encoder(load_game(wide, 2, engine="reference")).largest
    assert most > 9_000_000_000
    assert (space.low.min(), space.high.max()) == (-most, most)
    assert zoo.env("trut", 2).observation_space("seat_0")["observation"].high.max() == 2.0**31
    for _ in range(8):
        seen = environment.last()[0]
        assert space.contains(seen["observation"])
        environment.step(int(seen["action_mask"].argmax()))


MAYBE = """\
variant: maybe
title: A match that may end before any question
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A]}
rules: |
  rule match:
      let luck = roll 1 to 2
      if luck == 1: end match won by team(dealer)
      ask dealer "say":
          yes: end match won by team(next_seat(dealer))
"""


def test_a_match_without_a_question_ends_with_its_rewards(tmp_path):
    """Agents in turn are over from the reset on; all at once, after a step that nobody answers."""
    path = tmp_path / "maybe.yaml"
    path.write_text(MAYBE)
    turns, together = zoo.env(path, 2), zoo.parallel_env(path, 2)
    for match in range(4):
        turns.reset(seed=1 if match == 0 else None)
        seen, _ = together.reset(seed=1 if match == 0 else None)
        asked = bool(seen["seat_0"]["action_mask"][0])
        assert any(turns.terminations.values()) != asked
        if asked:
            turns.step(0)
        won = -1 if asked else 1
        ends = together.step({"seat_0": 0, "seat_1": 1})
        assert (ends[1], ends[2]) == ({"seat_0": won, "seat_1": -won}, turns.terminations)
        assert turns.rewards == ends[1] and ends[4] == turns.infos and not together.agents
        assert [turns.last()[1], turns.agent_selection] == [won, "seat_0"]
        assert match or not asked, "nobody is asked in the first match of this seed"


def test_infos_say_why_a_match_ends():
    found = set()
    for cycles, goal in ((None, 1), (7, 7)):
        turns, together = (
            make("trut", 2, cycles, goal=goal) for make in (zoo.env, zoo.parallel_env)
        )
        turns.reset(seed=1)
        while not any([*turns.terminations.values(), *turns.truncations.values()]):
            assert turns.infos == {"seat_0": {}, "seat_1": {}}
            turns.step(int(turns.observe(turns.agent_selection)["action_mask"].argmax()))
        seen, infos = together.reset(seed=1)
        while together.agents:
            assert infos == {"seat_0": {}, "seat_1": {}}
            acts = {agent: int(seen[agent]["action_mask"].argmax()) for agent in together.agents}
            seen, rewards, _, _, infos = together.step(acts)
        assert infos == turns.infos
        reasons = [infos[agent]["reason"] for agent in rewards]
        assert reasons == [
            {1: "won", -1: "lost", 0: "cut off"}[reward] for reward in rewards.values()
        ]
        found.update(reasons)
    assert found == {"won", "lost", "cut off"}
