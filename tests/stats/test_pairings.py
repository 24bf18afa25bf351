"""Pairs of each round, and tables of knock-outs, Swiss tournaments and ladders."""

from fractions import Fraction
from random import Random

import pytest

from trutdsl.stats.rounds import Meeting, draw_lots, pair_round, rank_standings, rounds_of


def play_out(name, strength, rounds=None, luck=lambda: 0):
    """Return lots and rounds; margins are the differences of strength, with some luck."""
    lots = draw_lots([f"s{i}" for i in range(len(strength))], 3)
    past = []
    for _ in range(rounds_of(name, len(strength), rounds)):
        pairs = pair_round(name, lots, past)
        past.append([Meeting(i, j, strength[i] - strength[j] + luck()) for i, j in pairs])
    return lots, past


def test_lots_are_drawn_by_the_seed_and_the_names():
    names = [f"s{i}" for i in range(20)]
    lots = draw_lots(names, 1)
    assert sorted(lots) == list(range(20)) and lots == draw_lots(names, 1)
    assert lots != draw_lots(names, 2)
    other = draw_lots(names[::-1], 1)
    assert [names[i] for i in lots] == [names[::-1][i] for i in other]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 9, 16])
def test_a_knock_out_finds_the_strongest_and_drops_losers(count):
    strength = list(range(count))
    Random(count).shuffle(strength)
    lots, past = play_out("knock-out", strength)
    assert len(past) == (count - 1).bit_length()
    assert sum(map(len, past)) == count - 1, "each meeting eliminates one"
    out = set()
    for meetings in past:
        seated = [i for m in meetings for i in m[:2]]
        assert len(set(seated)) == len(seated) and not out & set(seated)
        out |= {m.second if m.margin > 0 else m.first for m in meetings}
    table = rank_standings("knock-out", lots, past)
    assert strength[table.order[0]] == count - 1
    assert table.places[0] == 1 and table.places[1] == 2
    if count == 8:
        assert table.places == (1, 2, 3, 3, 5, 5, 5, 5)
        assert table.points == tuple(map(Fraction, (3, 2, 1, 1, 0, 0, 0, 0)))


def test_an_even_meeting_is_decided_by_lot():
    lots = (2, 0, 1, 3)
    past = [[Meeting(0, 2, 0), Meeting(1, 3, 0)]]
    assert pair_round("knock-out", lots, past) == ((1, 2),)


def test_the_last_one_without_a_bye_gets_it_and_a_point():
    lots, past = (0, 1, 2), [[Meeting(0, 1, 3)]]
    assert pair_round("swiss", lots, []) == ((0, 1),)
    table = rank_standings("swiss", lots, past)
    assert (table.order, table.points) == ((0, 2, 1), (1, 1, 0))
    assert pair_round("swiss", lots, past) == ((0, 2),)


def test_points_of_opponents_count_before_margins():
    """The opponents of 1 have 2 + 1/2 points, those of 3 have 1 + 1/2; but 1 has lost by more."""
    past = [[Meeting(0, 1, 20), Meeting(2, 3, 1)], [Meeting(0, 2, 1), Meeting(1, 3, 0)]]
    table = rank_standings("swiss", (3, 2, 1, 0), past)
    assert table.order == (0, 2, 1, 3)
    assert table.points == (2, 1, Fraction(1, 2), Fraction(1, 2))


def test_two_on_a_ladder_meet_in_each_round():
    assert pair_round("ladder", (0, 1), [[Meeting(0, 1, 1)]]) == ((0, 1),)
    assert pair_round("ladder", (0, 1, 2), [[Meeting(0, 1, 1)]]) == ((1, 2),)


@pytest.mark.parametrize("count", [4, 5, 8, 9, 12])
def test_a_swiss_has_no_rematch_and_drops_nobody(count):
    rng = Random(count)
    strength = [3 * i for i in range(count)]
    lots, past = play_out("swiss", strength, luck=lambda: rng.randrange(-4, 5))
    met = [frozenset(m[:2]) for meetings in past for m in meetings]
    assert len(set(met)) == len(met)
    for meetings in past:
        assert len(meetings) == count // 2
        assert len({i for m in meetings for i in m[:2]}) == 2 * (count // 2)
    if count % 2:
        out = [({*range(count)} - {i for m in ms for i in m[:2]}).pop() for ms in past]
        assert len(set(out)) == len(out), "nobody sits out twice"
    table = rank_standings("swiss", lots, past)
    assert list(table.points) == sorted(table.points, reverse=True)
    assert count - 1 in table.order[:3]


def test_a_swiss_pairs_strategies_with_equal_points():
    lots = (0, 1, 2, 3)
    past = [[Meeting(0, 1, 5), Meeting(2, 3, -5)]]
    assert pair_round("swiss", lots, past) == ((0, 3), (1, 2))
    even = [[Meeting(0, 1, 0), Meeting(2, 3, 0)]]
    assert rank_standings("swiss", lots, even).points == (Fraction(1, 2),) * 4


def first_pairing(order, met):
    """Return the pairs that a search finds first, with the nearest opponents before others."""
    if not order:
        return []
    for other in order[1:]:
        if {order[0], other} not in met:
            rest = first_pairing([i for i in order[1:] if i != other], met)
            if rest is not None:
                return [{order[0], other}, *rest]
    return None


@pytest.mark.parametrize("count", [4, 8])
def test_a_swiss_pairs_as_a_search_does(count):
    rng, lots = Random(count), tuple(range(count))
    for _ in range(4):
        past, met = [], []
        for _ in range(count - 1):
            pairs = pair_round("swiss", lots, past)
            order = list(rank_standings("swiss", lots, past).order)
            expected = first_pairing(order, met) or first_pairing(order, [])
            assert sorted(map(sorted, expected)) == sorted(map(sorted, pairs))
            met += map(set, pairs)
            past.append([Meeting(i, j, i - j + rng.randrange(-5, 6)) for i, j in pairs])


def test_a_swiss_knows_at_once_that_rematches_are_necessary():
    """Each of 21 has met each of 21 others. Among themselves one is left over."""
    past = [[Meeting(i, 21 + (i + r) % 21, 0) for i in range(21)] for r in range(21)]
    pairs = pair_round("swiss", tuple(range(42)), past)
    assert pairs == tuple((i, i + 1) for i in range(0, 42, 2))


def test_a_swiss_with_more_rounds_than_opponents_has_rematches():
    _, past = play_out("swiss", [0, 1], rounds=3)
    assert [m[0][:2] for m in past] == [(0, 1)] * 3


@pytest.mark.parametrize("count", [2, 3, 6, 7])
def test_a_ladder_without_luck_ends_in_order(count):
    """Odd-even transposition sorts in as many rounds as there are rungs, whatever the start."""
    for seed in range(20):
        strength = list(range(count))
        Random(seed).shuffle(strength)
        lots, past = play_out("ladder", strength)
        table = rank_standings("ladder", lots, past)
        assert [strength[i] for i in table.order] == list(range(count))[::-1]
        assert table.points == tuple(Fraction(p) for p in range(count, 0, -1))


def test_without_a_win_the_lower_stays_below():
    assert rank_standings("ladder", (1, 0), [[Meeting(0, 1, 0)]]).order == (1, 0)
    assert rank_standings("ladder", (1, 0), [[Meeting(0, 1, 1)]]).order == (0, 1)
    assert rank_standings("ladder", (0, 1), [[Meeting(0, 1, -1)]]).order == (1, 0)


@pytest.mark.parametrize("name", ["swiss", "knock-out", "ladder"])
def test_pairs_are_in_order_and_of_two(name):
    _, past = play_out(name, list(range(9)))
    for meetings in past:
        assert [m[:2] for m in meetings] == sorted(m[:2] for m in meetings)
        assert all(m.first < m.second for m in meetings)
