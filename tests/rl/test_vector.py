"""The vector environment: arrays of the shapes that it says, matches that are those of the seed."""

from pathlib import Path

import numpy as np
import pytest

from trutdsl.learning.vector import SideBySide
from trutdsl.variant import list_variants

GOOD = Path(__file__).parents[1] / "good"
ANNOUNCEMENTS, PASSING = (str(GOOD / f"{name}.yaml") for name in ("announcements", "passing"))


def played(environment, steps, seed):
    """Yield what comes of steps in which each action is drawn at random from the legal ones."""
    random = np.random.default_rng(1)
    seen, _ = environment.reset(seed=seed)
    yield seen, None, np.zeros(environment.num_envs, bool)
    for _ in range(steps):
        mask = seen["action_mask"]
        seen, rewards, over, cut, _ = environment.step((random.random(mask.shape) * mask).argmax(1))
        assert not cut.any()
        yield seen, rewards, over


@pytest.mark.parametrize("name", list_variants())
def test_arrays_are_of_their_spaces_and_only_our_seat_is_asked(name):
    environment = SideBySide(name, num_envs=5)
    for seen, _, over in played(environment, 12, 7):
        assert environment.observation_space.contains(seen)
        assert (seen["place"][~over, 0] == 0).all()
        assert (seen["action_mask"].any(axis=1) == ~over).all()


def test_matches_end_and_others_follow():
    environment, ended = SideBySide("trut", 2, num_envs=8, goal=1), 0
    before = np.zeros(8, bool)
    for _, rewards, over in played(environment, 200, 3):
        if rewards is not None:
            assert (np.abs(rewards) == over).all()
            assert not (before & over).any()
        before, ended = over, ended + over.sum()
    assert ended > 16


def test_the_same_seed_gives_the_same():
    for one, two in zip(*(played(SideBySide("trut", 4, 4), 40, 5) for _ in range(2)), strict=True):
        for name, values in one[0].items():
            assert (values == two[0][name]).all()


def test_what_is_announced_stands_in_the_arrays():
    """Seats speak in turn from seat 0, and each is answered by the next one; nobody by itself."""
    environment = SideBySide(ANNOUNCEMENTS, 4, num_envs=6, seats=(0, 1, 2, 3))
    asked = 0
    for seen, _, over in played(environment, 120, 2):
        for row in np.flatnonzero(~over):
            seat, question = seen["place"][row, :2]
            speaks = environment.game.plans[question].node.decision == "speak"
            spoken = seat if speaks else (seat - 1) % 4 + 1
            assert list(seen["heard.worth"][row]) == [i < spoken for i in range(5)]
            values = seen["announced.worth"][row]
            assert ((values > 0) == (seen["heard.worth"][row] == 1)).all()
            told = [i in (seat, (seat - 1) % 4) and i < spoken for i in range(5)]
            assert list(seen["heard.first"][row]) == told
            assert (seen["heard.cards"][row, (1 - seat % 2) :: 2][:2] == 0).all()
            asked += 1
    assert asked > 500


def test_seats_that_there_are_not_are_refused():
    with pytest.raises(ValueError, match="seats are from 0 to 1"):
        SideBySide("trut", 2, seats=(2,))


def test_cards_that_pass_stand_in_the_arrays_as_far_as_they_are_seen():
    """Each of four gives the next one a card: the giver and the taker see which."""
    environment = SideBySide(PASSING, 4, num_envs=6, seats=(0, 1, 2, 3))
    cards, looked = environment.encoder.cards, 0
    for seen, _, over in played(environment, 60, 2):
        for row in np.flatnonzero(~over):
            seat, question = seen["place"][row, :2]
            if environment.game.plans[question].node.decision != "give":
                continue
            given = np.zeros((4, 4), int)
            given[np.arange(seat), np.arange(seat) + 1] = 1
            assert (seen["went.hand"][row].reshape(4, 4) == given).all()
            known = seen["passed.hand"][row].reshape(4, cards)
            assert [*known.max(axis=1)] == [1 + i + 1 if i + 1 == seat else 0 for i in range(4)]
            got = np.flatnonzero(known[seat - 1])
            assert len(got) == (seat > 0)
            own = seen["cards.hand"][row].reshape(4, cards)[seat]
            assert own[got].all()
            looked += seat > 0
    assert looked > 100
