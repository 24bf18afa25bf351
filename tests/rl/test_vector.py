"""The vector environment: arrays that fit the declared spaces, and matches of the seed."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded

from trutdsl import BadUsage, load_game, play_match
from trutdsl.learning import zoo
from trutdsl.learning.vector import SideBySide
from trutdsl.variant import list_variants

GOOD = Path(__file__).parents[1] / "good"
ANNOUNCEMENTS, PASSING = (str(GOOD / f"{name}.yaml") for name in ("announcements", "passing"))


def play_random_actions(environment, steps, seed):
    """Yield the results of steps with random legal actions."""
    random = np.random.default_rng(1)
    seen, _ = environment.reset(seed=seed)
    yield seen, None, np.zeros(environment.num_envs, bool)
    for _ in range(steps):
        mask = seen["action_mask"]
        seen, rewards, over, cut, _ = environment.step((random.random(mask.shape) * mask).argmax(1))
        assert not cut.any()
        yield seen, rewards, over


@pytest.mark.parametrize("name", list_variants())
def test_arrays_fit_their_spaces_and_only_the_agents_seat_is_asked(name):
    environment = SideBySide(name, num_envs=5)
    for seen, _, over in play_random_actions(environment, 12, 7):
        assert environment.observation_space.contains(seen)
        assert (seen["place"][~over, 0] == 0).all()
        assert (seen["action_mask"].any(axis=1) == ~over).all()


def test_new_matches_follow_those_that_end():
    environment, ends = SideBySide("trut", 2, num_envs=8, goal=1), 0
    before = np.zeros(8, bool)
    for _, rewards, over in play_random_actions(environment, 200, 3):
        if rewards is not None:
            assert (np.abs(rewards) == over).all()
            assert not (before & over).any()
        before, ends = over, ends + over.sum()
    assert ends > 16


def test_a_match_that_ends_before_the_agent_is_asked_ends_in_the_step_after_its_start():
    """Seat 1 may fold before seat 0 is asked. Each deal counts, also the first one."""
    environment = SideBySide("trut", 4, num_envs=64, points={"longs": 3, "petits": 1})
    seen, _ = environment.reset(seed=3)
    before, won = np.zeros(64, bool), []
    for step in range(20):
        unasked = ~seen["action_mask"].any(axis=1) & ~before
        assert unasked.any() or step
        seen, rewards, over, _, infos = environment.step(seen["action_mask"].argmax(1))
        assert over[unasked].all() and not (before & over).any()
        outcomes = np.select([rewards > 0, rewards < 0], ["won", "lost"], "drawn")
        assert (infos["reason"] == np.where(over, outcomes, "")).all()
        before = over
        won += rewards[unasked].tolist()
    assert {*won} == {1.0}, "the other team folds"


def test_matches_are_those_of_the_seed_one_after_the_other():
    """Side by side they begin as one after the other; without a seed, `reset` goes on with them."""
    of_seed = SideBySide("trut", 2, num_envs=4, seats=None, goal=1).reset(seed=5)[0]["cards.hand"]
    assert len(np.unique(of_seed, axis=0)) == 4
    environment = SideBySide("trut", 2, num_envs=1, seats=None, goal=1)
    for _ in range(2):
        starts, over = [environment.reset(seed=5)[0]["cards.hand"][0]], np.zeros(1, bool)
        seen, begins = environment.reset(seed=5)[0], False
        while len(starts) < 3:
            seen, _, over, _, _ = environment.step(seen["action_mask"].argmax(1))
            if begins:
                starts.append(seen["cards.hand"][0])
            begins = over[0]
        starts.append(environment.reset()[0]["cards.hand"][0])
        assert (np.array(starts) == of_seed).all()


def test_features_follow_a_single_match_beyond_its_end():
    """No match waits after its end, so there are no features then."""
    environment, ends = SideBySide("trut", 2, num_envs=1, goal=1, features=True), 0
    for seen, _, over in play_random_actions(environment, 60, 3):
        assert seen["features"].any() == (not over[0])
        ends += over[0]
    assert ends > 1


@pytest.mark.parametrize("make", [SideBySide, zoo.env, zoo.parallel_env])
def test_a_game_without_questions_is_refused(make, tmp_path):
    path = tmp_path / "mute.yaml"
    path.write_text(
        "variant: mute\ntitle: Mute\nplayers: [2]\nteams: {2: 2}\n"
        "pack: {suits: {h: hearts}, ranks: [A]}\n"
        "rules: |\n  rule match:\n      end match won by team(dealer)\n"
    )
    with pytest.raises(BadUsage, match="mute asks no questions, so an agent cannot act in it"):
        make(path, 2)


def test_the_same_seed_gives_the_same_arrays():
    for one, two in zip(
        *(play_random_actions(SideBySide("trut", 4, 4), 40, 5) for _ in range(2)), strict=True
    ):
        for name, values in one[0].items():
            assert (values == two[0][name]).all()


def test_the_arrays_contain_announcements():
    """Seats speak in turn from seat 0, and the next seat answers each; no seat hears itself."""
    environment = SideBySide(ANNOUNCEMENTS, 4, num_envs=6, seats=(0, 1, 2, 3))
    asked = 0
    for seen, _, over in play_random_actions(environment, 120, 2):
        for row in np.flatnonzero(~over):
            seat, question = seen["place"][row, :2]
            speaks = environment.game.plans[question].node.decision == "speak"
            spoken = seat if speaks else (seat - 1) % 4 + 1
            assert list(seen["heard.worth"][row]) == [i < spoken for i in range(5)]
            values = seen["announced.worth"][row]
            assert ((values > 0) == (seen["heard.worth"][row] == 1)).all()
            heard = [i in (seat, (seat - 1) % 4) and i < spoken for i in range(5)]
            assert list(seen["heard.first"][row]) == heard
            assert (seen["heard.cards"][row, (1 - seat % 2) :: 2][:2] == 0).all()
            asked += 1
    assert asked > 500


def test_an_action_out_of_range_is_the_first_legal_one():
    for wrong in (-1, -1000, 10**6):
        one, other = (SideBySide("trut", num_envs=2) for _ in range(2))
        first = one.reset(seed=1)[0]["action_mask"].argmax(axis=1)
        other.reset(seed=1)
        found, expected = other.step(np.full(2, wrong))[0], one.step(first)[0]
        assert all((found[name] == expected[name]).all() for name in expected)
    first, illegal = expected["action_mask"].argmax(axis=1), expected["action_mask"].argmin(axis=1)
    found, expected = other.step(illegal)[0], one.step(first)[0]
    assert all((found[name] == expected[name]).all() for name in expected)


@pytest.mark.parametrize("actions", [[0], [[0, 0]], [0.5, 0.5], ["pass", "pass"]])
def test_actions_of_another_shape_or_type_are_refused(actions):
    matches = SideBySide("trut", num_envs=2)
    matches.reset(seed=1)
    with pytest.raises(BadUsage, match="expected 2 whole numbers"):
        matches.step(np.array(actions))


def test_unknown_seats_are_refused():
    with pytest.raises(ValueError, match="seats are from 0 to 1"):
        SideBySide("trut", 2, seats=(2,))


def test_the_arrays_contain_the_visible_cards_that_seats_pass():
    """Each of four seats gives the next one a card, which only these two see."""
    environment = SideBySide(PASSING, 4, num_envs=6, seats=(0, 1, 2, 3))
    cards, checked = environment.encoder.cards, 0
    for seen, _, over in play_random_actions(environment, 60, 2):
        for row in np.flatnonzero(~over):
            seat, question = seen["place"][row, :2]
            if environment.game.plans[question].node.decision != "give":
                continue
            cards_given = np.zeros((4, 4), int)
            cards_given[np.arange(seat), np.arange(seat) + 1] = 1
            assert (seen["went.hand"][row].reshape(4, 4) == cards_given).all()
            known = seen["passed.hand"][row].reshape(4, cards)
            assert [*known.max(axis=1)] == [1 + i + 1 if i + 1 == seat else 0 for i in range(4)]
            got = np.flatnonzero(known[seat - 1])
            assert len(got) == (seat > 0)
            own = seen["cards.hand"][row].reshape(4, cards)[seat]
            assert own[got].all()
            checked += seat > 0
    assert checked > 100


TWICE = """\
variant: twice
title: Two cards go to the next player, one by one
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q, J]}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: up to 4 cards, seen by owner
  rule match:
      deal:
          shuffle stock
          repeat 2 times: draw from stock to hand[dealer]
          repeat 2 times:
              ask dealer "give":
                  give card from hand[dealer]: move card to hand[next_seat(dealer)]
              announce size(hand[dealer]) as "left" by dealer to all
          ask next_seat(dealer) "look":
              look
          end deal because done
      end match drawn
"""


def test_cards_that_go_the_same_way_twice_count_twice(tmp_path):
    path = tmp_path / "twice.yaml"
    path.write_text(TWICE)
    turns, environment = zoo.env(path, 2), SideBySide(path, 2, 1, seats=None)
    environment.reset(seed=1)
    turns.reset(seed=1)
    for _ in range(2):
        turns.step(-1)
        seen = environment.step(np.array([-1]))[0]
    taker, _, _, giver, _ = seen["place"][0]
    assert taker == 1 - giver
    assert (seen["went.hand"][0].reshape(2, 2)[giver] == [2 * (giver == 1), 2 * (giver == 0)]).all()
    passed = seen["passed.hand"][0].reshape(2, 4)
    assert (passed[giver] == (1 + taker) * seen["cards.hand"][0].reshape(2, 4)[taker]).all()
    assert passed.sum() == 2 * (1 + taker)
    assert (seen["heard.left"][0][giver], seen["announced.left"][0][giver]) == (1, 0)
    features = turns.observe(f"seat_{taker}")["observation"]
    counts = features[turns.table.encoder.parts["passed hand"]][2 * 4 :]
    assert (counts == seen["went.hand"][0]).all()


class First:
    """Takes the first legal action, in many matches at once."""

    def choose(self, view):
        return view.actions[0]

    def choose_batch(self, seen, _names):
        legal = seen.legal[:, 0]
        return np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1)).astype(int)


@pytest.mark.parametrize("opponents", ["steady", "sharper", First, {1: "steady"}])
def test_opponents_play_by_name_or_class(opponents):
    environment, ends = SideBySide("trut", 2, num_envs=16, opponents=opponents, goal=1), 0
    for seen, _, over in play_random_actions(environment, 60, 3):
        assert (seen["place"][~over, 0] == 0).all()
        ends += over.sum()
    assert ends > 10


def test_an_opponent_plays_as_in_a_match():
    """If the agent takes its first action, the winners are those of matches of both strategies."""
    environment = SideBySide("trut", 2, num_envs=20, opponents="steady", goal=1)
    seen, _ = environment.reset(seed=9)
    found = np.zeros(20)
    done = np.zeros(20, bool)
    while not done.all():
        seen, rewards, over, _, infos = environment.step(seen["action_mask"].argmax(1))
        found = np.where(done, found, rewards)
        assert (infos["reason"][over & (rewards > 0)] == "won").all()
        done |= over
    game = load_game("trut", 2, {"goal": 1})
    for match in range(20):
        result = play_match(game, [First, "steady"], environment.np_random_seed, match)
        assert found[match] == (1 if result.winner == 0 else -1)


def test_strategies_that_play_one_match_at_a_time_are_refused():
    with pytest.raises(BadUsage, match="'lambda' plays one match at a time"):
        SideBySide("trut", 2, opponents=lambda view: view.actions[0])
    with pytest.raises(BadUsage, match="no counter 'lomgs'; did you mean 'longs'"):
        SideBySide("trut", 2, points={"lomgs": 1})


def test_single_deals_give_points():
    environment = SideBySide(
        "trut", 2, num_envs=32, seats=None, points={"longs": 3, "petits": 1}, features=True
    )
    seen, _ = environment.reset(seed=4)
    rewards = set()
    for _ in range(60):
        seen, won, over, _, infos = environment.step(seen["action_mask"].argmax(1))
        assert environment.observation_space.contains(seen)
        assert (infos["rewards"].sum(axis=1) == 0).all() and (infos["deals"][over] == 1).all()
        rewards |= set(won[over].tolist())
    assert {1.0, -1.0} & rewards or {3.0, -3.0} & rewards


def test_points_of_three_teams_are_less_the_mean_of_the_others():
    wide = str(GOOD / "wide-numbers.yaml")
    environment = SideBySide(wide, 3, num_envs=8, points={"points": 1})
    seen, _ = environment.reset(seed=1)
    gains = []
    for _ in range(12):
        seen, _, over, _, infos = environment.step(seen["action_mask"].argmax(1))
        gains += [*map(sorted, infos["rewards"][over].tolist())]
    assert gains and all(2 * sum(one) == 0 and one[0] == one[1] == -one[2] / 2 for one in gains)
    assert any(one[2] for one in gains)


def test_random_opponents_take_all_their_actions():
    environment = SideBySide("trut", 2, num_envs=64, features=True)
    seen, _ = environment.reset(seed=1)
    latest = environment.step(seen["action_mask"].argmax(1))[0]["history"][:, 0]
    answers = {environment.action_names[action - 1] for who, action in latest if who == 2}
    assert {"interrupt: pass", "interrupt: trut"} <= answers


def test_features_begin_with_the_own_seat():
    """The own hand comes first, and the dealer is counted from the own seat; arrays are by seat."""
    with_features, with_arrays = (
        SideBySide("trut", 2, num_envs=8, seats=None, features=features)
        for features in (True, False)
    )
    parts, cards, asked = with_features.feature_map.parts, with_features.encoder.cards, 0
    ours, theirs = (
        play_random_actions(with_features, 60, 5),
        play_random_actions(with_arrays, 60, 5),
    )
    for (seen, _, over), (exact, _, _) in zip(ours, theirs, strict=True):
        assert (seen["action_mask"] == exact["action_mask"]).all()
        for row in np.flatnonzero(~over):
            seat, _, _, dealer, _ = exact["place"][row]
            hands = exact["cards.hand"][row].reshape(2, cards)
            turned = seen["features"][row, parts["hand"]].reshape(2, cards + 1)
            assert (turned[:, :cards] == [hands[seat], hands[1 - seat]]).all()
            sizes = exact["sizes.hand"][row][[seat, 1 - seat]]
            assert turned[:, cards] == pytest.approx(sizes / cards)
            assert exact["seen.hand"][row].tolist() == [seat == 0, seat == 1]
            places = seen["features"][row, parts["dealer"]]
            assert places.argmax() == ((dealer - seat) % 2 if dealer >= 0 else 2)
            assert seen["seat"][row] == seat
            asked += seat
    assert asked > 50


def test_actions_have_the_same_names_in_a_family():
    trut, house = (SideBySide("trut", 2, num_envs=1, **more) for more in ({}, {"goal": 3}))
    other = SideBySide("trut-deux-sevres", 2, num_envs=1)
    assert trut.action_names == house.action_names
    assert {"turn: play 7h", "turn: trut"} <= {*trut.action_names} & {*other.action_names}


@pytest.mark.parametrize(
    "wrong",
    [
        {"num_envs": 0},
        {"num_envs": -1},
        {"num_envs": 1.5},
        {"num_envs": 10**12},
        {"points": {"petits": float("nan")}},
        {"points": {"nothing": 1}},
        {"points": {}},
        {"points": 5},
        {"seats": 0},
        {"seats": (0, 0)},
        {"seats": (0.5,)},
        {"features": "x"},
        {"opponents": {"1": "steady"}},
    ],
)
def test_a_wrong_setting_is_refused(wrong):
    with pytest.raises(BadUsage):
        SideBySide("trut", 2, **{"num_envs": 2} | wrong)


def test_calls_before_reset_and_after_close_raise_errors_of_gymnasium():
    environment, actions = SideBySide("trut", 2, num_envs=2), np.zeros(2, int)
    with pytest.raises(ResetNeeded, match=r"step\(\) before reset\(\)"):
        environment.step(actions)
    environment.reset(seed=1)
    environment.step(actions)
    environment.close()
    for call in (environment.reset, partial(environment.step, actions)):
        with pytest.raises(ClosedEnvironmentError, match=r"after close\(\)"):
            call()
