"""Chunks of sets: division, shards and keys."""

from dataclasses import replace

import pytest
from fake_game import FOUR, FakeGame, FakeStrategy, experiment
from hypothesis import given
from hypothesis import strategies as st

from trutdsl.game import BadUsage
from trutdsl.tournaments.schedule import (
    Chunk,
    MissingSets,
    chunk_key,
    contiguous,
    most_sets,
    overlapping,
    shard,
)

sizes = st.integers(1, 9)


def hand_out(missing, most):
    chunks_out = []
    while (chunk := missing.take(most(len(chunks_out)))) is not None:
        chunks_out.append(chunk)
    return chunks_out


def list_sets(chunks):
    return [index for chunk in chunks for index in range(chunk.first, chunk.end)]


@given(
    st.integers(0, 5), st.integers(1, 60), st.sets(st.integers(0, 70)), st.lists(sizes, min_size=1)
)
def test_missing_sets_are_handed_out_once_and_in_order(first, sets, done, cuts):
    span = Chunk(first, sets)
    missing = MissingSets(span, [Chunk(index, 1) for index in done])
    expected = [index for index in range(first, first + sets) if index not in done]
    assert missing.left == len(expected)
    chunks_out = hand_out(missing, lambda n: cuts[n % len(cuts)])
    assert list_sets(chunks_out) == expected
    assert missing.left == 0


@given(st.integers(1, 60), sizes, sizes)
def test_no_chunk_crosses_a_place_where_the_run_may_stop(sets, most, every):
    chunks_out = hand_out(MissingSets(Chunk(0, sets), every=every), lambda _: most)
    assert all(c.first // every == (c.end - 1) // every for c in chunks_out)
    assert list_sets(chunks_out) == list(range(sets))


def test_the_contiguous_part_is_measured():
    assert contiguous([]) == 0
    assert contiguous([Chunk(3, 2), Chunk(0, 3)]) == 5
    assert contiguous([Chunk(0, 3), Chunk(4, 2)]) == 3
    assert contiguous([Chunk(4, 2)], 4) == 6


def test_the_chunks_with_the_most_sets_are_chosen():
    whole, parts = [Chunk(0, 4), Chunk(4, 4)], [Chunk(2, 3), Chunk(7, 3)]
    for chunks in (whole + parts, parts + whole):
        assert most_sets(chunks) == {*whole}
    assert most_sets([*parts, Chunk(4, 4)]) == {*parts}
    assert most_sets([Chunk(0, 1), Chunk(0, 1), Chunk(1, 1)]) == {Chunk(0, 1), Chunk(1, 1)}
    assert most_sets([]) == set()


def test_overlapping_chunks_are_found():
    assert overlapping([Chunk(0, 3), Chunk(2, 1)])
    assert not overlapping([Chunk(3, 1), Chunk(0, 3)])


@pytest.mark.parametrize("sets", [1, 7, 8, 100, 12345])
@pytest.mark.parametrize("parts", [1, 3, 8])
def test_shards_add_up_to_the_whole(sets, parts):
    cut = [shard(sets, f"{k}/{parts}") for k in range(1, parts + 1)]
    assert list_sets(cut) == list(range(sets))
    assert max(c.sets for c in cut) - min(c.sets for c in cut) <= 1


@pytest.mark.parametrize(
    "text", ["", "3", "3/", "/8", "0/8", "9/8", "a/b", "-1/8", "1/8/2", "1.5/8"]
)
def test_a_bad_shard_is_refused(text):
    with pytest.raises(BadUsage, match="--shard"):
        shard(100, text)


def test_the_key_of_a_chunk_depends_on_all_its_inputs_only():
    plan, chunk = experiment(), Chunk(0, 3)
    others = [
        chunk_key(experiment(seed=2), chunk),
        chunk_key(experiment(game=FakeGame(fingerprint="0")), chunk),
        chunk_key(experiment((*FOUR[:3], FakeStrategy("d", 0.9))), chunk),
        chunk_key(plan, chunk._replace(first=1)),
        chunk_key(plan, chunk._replace(sets=4)),
    ]
    assert len({chunk_key(plan, chunk), *others}) == 6
    assert chunk_key(experiment(sets=4000), chunk) == chunk_key(plan, chunk)
    assert chunk_key(replace(plan, play=None), chunk) == chunk_key(plan, chunk)
