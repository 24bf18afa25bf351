"""Sufficient statistics of the sets played: integers that add up in any order to the same sums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import reduce
from operator import add
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.design import Design, Ints
from trutdsl.stats.metric import Outcome

GROUPS = 64  # of sets, for what needs more than sums: set i belongs to group i mod 64
LARGEST = 2**63 - 1
EXACT = 2.0**53  # up to here every whole number is a float

Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]
Group = tuple[int, int, Matrix]


@dataclass(frozen=True)
class Tally:
    """Sums over sets.

    With x[i] the points (`Metric`) of strategy i over all matches of one set, and p[i][j] its part
    from those matches in which j plays too, a sum is over the sets, `_sq` the sum of squares of
    what one set gives (`docs/statistics.md`).

    sets:          how many sets.
    drawn:         drawn matches; unfinished: those of them that came to no end.
    deals, decisions: of all matches.
    team_score:    per place at the table (team 0 holds the first seat), over all matches.
    score:         sum of x[i].
    cross:         sum of x[i] x[k], K x K.
    won, drawn_by, deals_by, decisions_by: per strategy, over the matches it plays in.
    forfeited:     per strategy, matches that it forfeited.
    clean_score:   sum of c[i], the part of x[i] from matches that nobody forfeited; clean_matches:
                   sum of the number n[i] of these; clean_score_sq, clean_matches_sq,
                   clean_product: of c[i] c[i], n[i] n[i] and c[i] n[i].
    pair_score:    sum of p[i][j], K x K, not symmetric.
    pair_sq:       sum of p[i][j] squared.
    pair_product:  sum of p[i][j] p[j][i].
    pair_legs_sq:  sum over single matches with i and j of (points of i - points of j) squared.
    pair_won:      matches with i and j that i wins.
    pair_drawn:    matches with i and j that are drawn.
    groups:        (group, sets, sum of p) for each group of sets in which one was played.
    """

    sets: int
    drawn: int
    unfinished: int
    deals: int
    deals_sq: int
    decisions: int
    team_score: Vector
    team_score_sq: Vector
    score: Vector
    cross: Matrix
    won: Vector
    drawn_by: Vector
    deals_by: Vector
    deals_by_sq: Vector
    decisions_by: Vector
    forfeited: Vector
    clean_score: Vector
    clean_matches: Vector
    clean_score_sq: Vector
    clean_matches_sq: Vector
    clean_product: Vector
    pair_score: Matrix
    pair_sq: Matrix
    pair_product: Matrix
    pair_legs_sq: Matrix
    pair_won: Matrix
    pair_drawn: Matrix
    groups: tuple[Group, ...]

    def merge(self, other: Self) -> Self:
        """Return the tally of both; associative and commutative."""
        one, two = vars(self), vars(other)
        sums = {name: _add(one[name], two[name]) for name in one if name != "groups"}
        return type(self)(**sums, groups=_merge_groups(self.groups, other.groups))

    def to_counts(self) -> dict[str, Any]:
        """Return the tally as JSON has it."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_counts(cls, counts: Mapping[str, Any]) -> Self:
        """Return the tally that `to_counts` gave, before or after JSON."""
        return cls(**{f.name: _freeze(counts[f.name]) for f in fields(cls)})


def merge_all(parts: Iterable[Tally]) -> Tally:
    """Return the tally of all parts, of which there is at least one."""
    return reduce(Tally.merge, parts)


def is_tally(design: Design, counts: Any) -> bool:
    """Tell whether something has the shape of a tally of this design, as JSON has it."""
    if not isinstance(counts, dict) or counts.keys() != {f.name for f in fields(Tally)}:
        return False
    of_teams, everyone = (design.teams,), design.strategies
    shapes = {"int": (), "Vector": (everyone,), "Matrix": (everyone, everyone)}
    shaped = {f.name: shapes[str(f.type)] for f in fields(Tally) if f.name != "groups"}
    shaped |= {"team_score": of_teams, "team_score_sq": of_teams}
    whole = all(_has_shape(counts[name], shape) for name, shape in shaped.items())
    return whole and _are_groups(counts["groups"], counts["sets"], shapes["Matrix"])


def _are_groups(value: Any, sets: int, shape: Vector) -> bool:
    """Tell whether these are groups in order that hold so many sets together."""
    if not isinstance(value, list) or not all(isinstance(g, list) and len(g) == 3 for g in value):
        return False
    if not all(_has_shape(g[:2], (2,)) and _has_shape(g[2], shape) for g in value):
        return False
    numbers = [g[0] for g in value]
    in_order = numbers == sorted(set(numbers)) and all(0 <= n < GROUPS for n in numbers)
    return in_order and all(g[1] > 0 for g in value) and sum(g[1] for g in value) == sets


def _has_shape(value: Any, shape: Vector) -> bool:
    """Tell whether a value is a number or lists of numbers, so many of each, none too large."""
    if not shape:
        return type(value) is int and -LARGEST <= value <= LARGEST
    inner = isinstance(value, list) and len(value) == shape[0]
    return inner and all(_has_shape(one, shape[1:]) for one in value)


@dataclass(frozen=True)
class Block:
    """The results of some sets that follow each other, as arrays of integers.

    first:            the first one's number.
    winners:          team, or -1 for a draw, of shape (combinations, orders, sets).
    deals, decisions: of the same shape.
    points:           of each team, of shape (combinations, orders, teams, sets).
    forfeited:        team that forfeited, or -1, of the shape of winners; None: none did.
    unfinished:       how many matches came to no end.
    """

    first: int
    winners: Ints
    deals: Ints
    decisions: Ints
    points: Ints
    forfeited: Ints | None = None
    unfinished: int = 0


def block_of(design: Design, number: int, results: Sequence[Sequence[Outcome]]) -> Block:
    """Return one set as a block; results[combination][order]."""

    def gather(name: str) -> Ints:
        return np.array([[[getattr(r, name)] for r in legs] for legs in results], np.int64)

    winners = [[[-1 if r.winner is None else r.winner] for r in legs] for legs in results]
    points = [[design.metric.points(r, design.teams) for r in legs] for legs in results]
    return Block(
        number,
        np.array(winners, np.int64),
        gather("deals"),
        gather("decisions"),
        np.array(points, np.int64)[..., None],
    )


def tally_block(design: Design, block: Block) -> Tally:
    """Return what the sets of a block give."""
    everyone, teams = design.strategies, design.teams
    count = block.winners.shape[-1]
    of_one, of_two, of_leg = _incidence(design)
    by_leg = (-1, count)  # a row for each (combination, order); of points for each team of these
    points, winners = block.points.reshape(by_leg), block.winners.reshape(by_leg)
    deals, decisions = block.deals.reshape(by_leg), block.decisions.reshape(by_leg)
    wins = np.stack([np.count_nonzero(winners == team, axis=1) for team in range(teams)], axis=1)
    draws = np.count_nonzero(winners < 0, axis=1)

    def square(of_pairs: Ints) -> Matrix:
        return _matrix(of_pairs.reshape(everyone, everyone))

    score, pairs = np.split(_product(np.concatenate([of_one, of_two]), points), [everyone])
    turned = pairs.reshape(everyone, everyone, count).swapaxes(0, 1).reshape(pairs.shape)
    deals_by, team_score = _product(of_leg, deals), points.reshape(-1, teams, count).sum(axis=0)
    deals_of_set = deals.sum(axis=0)
    lost, clean_score, clean_matches = _clean(design, block, of_one, score)
    of_groups, held = (x.tolist() for x in _by_group(pairs, block.first, everyone))
    return Tally(
        sets=count,
        drawn=int(draws.sum()),
        unfinished=block.unfinished,
        deals=int(deals_of_set.sum()),
        deals_sq=int(deals_of_set @ deals_of_set),
        decisions=int(decisions.sum()),
        team_score=_vector(team_score.sum(axis=1)),
        team_score_sq=_vector(_dots(team_score, team_score)),
        score=_vector(score.sum(axis=1)),
        cross=_matrix(_products(score)),
        won=_vector(of_one @ wins.reshape(-1)),
        drawn_by=_vector(of_leg @ draws),
        deals_by=_vector(deals_by.sum(axis=1)),
        deals_by_sq=_vector(_dots(deals_by, deals_by)),
        decisions_by=_vector(of_leg @ decisions.sum(axis=1)),
        forfeited=_vector(lost),
        clean_score=_vector(clean_score.sum(axis=1)),
        clean_matches=_vector(clean_matches.sum(axis=1)),
        clean_score_sq=_vector(_dots(clean_score, clean_score)),
        clean_matches_sq=_vector(_dots(clean_matches, clean_matches)),
        clean_product=_vector(_dots(clean_score, clean_matches)),
        pair_score=square(pairs.sum(axis=1)),
        pair_sq=square(_dots(pairs, pairs)),
        pair_product=square(_dots(pairs, turned)),
        pair_legs_sq=_matrix(_legs_squared(design, block)),
        pair_won=square(of_two @ wins.reshape(-1)),
        pair_drawn=square(of_two @ draws.repeat(teams)),
        groups=tuple(
            (group, sets, tuple(map(tuple, sums)))
            for group, (sets, sums) in enumerate(zip(held, of_groups, strict=True))
            if sets
        ),
    )


def _by_group(pairs: Ints, first: int, everyone: int) -> tuple[Ints, Ints]:
    """Return the sums over each group of sets, of shape (groups, K, K), and its number of sets.

    pairs: of shape (rows, sets); the sets follow each other from `first` on.
    """
    before, count = first % GROUPS, pairs.shape[1]
    behind = -(before + count) % GROUPS
    filled = np.pad(pairs, ((0, 0), (before, behind)))
    held = np.pad(np.ones(count, np.int64), (before, behind)).reshape(-1, GROUPS).sum(axis=0)
    sums = filled.reshape(len(pairs), -1, GROUPS).sum(axis=1)
    return sums.T.reshape(GROUPS, everyone, everyone), held


def _incidence(design: Design) -> tuple[Ints, Ints, Ints]:
    """Return who has each place (K x places), and who has it where j plays too (K K x places).

    And who plays in each leg (K x legs).
    """
    everyone = np.arange(design.strategies)
    seated = design.seated
    here = seated[None] == everyone[:, None, None, None]
    there = here.any(axis=3)
    both = here[:, None] & there[None, :, :, :, None]
    both[everyone, everyone] = False
    found = ((here, seated.size), (both, seated.size), (there, seated[..., 0].size))
    one, two, leg = (which.reshape(-1, size).astype(np.int64) for which, size in found)
    return one, two, leg


def _clean(design: Design, block: Block, of_one: Ints, score: Ints) -> tuple[Ints, Ints, Ints]:
    """Return matches that each strategy forfeited; by set its points and matches without forfeit.

    of_one: who has each place; score: points by set of all matches.
    """
    count = block.winners.shape[-1]
    if block.forfeited is None or (block.forfeited < 0).all():
        matches = np.array([design.matches_of(i) for i in range(design.strategies)], np.int64)
        every = np.broadcast_to(matches[:, None], (len(matches), count))
        return np.zeros_like(matches), score, every
    team = block.forfeited[:, :, None, :]
    lost = (team == np.arange(design.teams)[:, None]).sum(axis=-1, dtype=np.int64)
    clean = np.broadcast_to(team < 0, block.points.shape).astype(np.int64)
    return (
        _product(of_one, lost.reshape(-1, 1))[:, 0],
        _product(of_one, (block.points * clean).reshape(-1, count)),
        _product(of_one, clean.reshape(-1, count)),
    )


def _legs_squared(design: Design, block: Block) -> Ints:
    """Return the squared differences of any two strategies, summed over all single matches."""
    found = np.zeros((design.strategies, design.strategies), np.int64)
    products = _products(block.points)
    own = np.diagonal(products, axis1=2, axis2=3)
    apart = own[..., :, None] + own[..., None, :] - 2 * products
    rows = np.broadcast_to(design.seated[:, :, :, None], apart.shape)
    np.add.at(found, (rows, rows.swapaxes(2, 3)), apart)
    return found


def _product(left: Ints, right: Ints) -> Ints:
    """Return a matrix product of integers, as fast as that of floats and as exact."""
    _refuse_large(_largest(left) * _largest(right) * left.shape[-1])
    return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)


def _products(rows: Ints) -> Ints:
    """Return the product of every two rows of each matrix, likewise."""
    _refuse_large(_largest(rows) ** 2 * rows.shape[-1])
    numbers = rows.astype(np.float64)
    return (numbers @ numbers.swapaxes(-1, -2)).astype(np.int64)


def _refuse_large(most: int) -> None:
    if most >= EXACT:
        raise OverflowError("a block of sets is too large to be summed exactly")


def _largest(values: Ints) -> int:
    """Return the largest absolute value."""
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))


def _dots(left: Ints, right: Ints) -> Ints:
    """Return the dot product of each two rows."""
    found: Ints = np.einsum("ij,ij->i", left, right)
    return found


def _vector(values: NDArray[np.int64]) -> Vector:
    return tuple(values.tolist())


def _matrix(values: NDArray[np.int64]) -> Matrix:
    return tuple(tuple(row) for row in values.tolist())


def _merge_groups(one: tuple[Group, ...], other: tuple[Group, ...]) -> tuple[Group, ...]:
    found = {number: (sets, sums) for number, sets, sums in one}
    for number, sets, sums in other:
        there = found.get(number)
        found[number] = (sets, sums) if there is None else (there[0] + sets, _add(there[1], sums))
    return tuple((number, *found[number]) for number in sorted(found))


def _add(one: Any, other: Any) -> Any:
    if isinstance(one, int):
        return one + other
    if isinstance(one[0], int):
        return tuple(map(add, one, other))
    return tuple(map(_add, one, other))


def _freeze(value: Any) -> Any:
    return value if isinstance(value, int) else tuple(map(_freeze, value))
