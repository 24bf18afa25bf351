"""Reduction: the results of a block of sets as the integer sums of a tally."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.design import GROUPS, Design, Ints, Tally, freeze

CLEAN = ("clean_score", "clean_matches", "clean_score_sq", "clean_matches_sq", "clean_product")
EACH_GROUP = np.arange(GROUPS)
EXACT = 2.0**53  # up to here every whole number is a float
AT_ONCE = 96 * 1024  # floats: few enough to stay in the cache

Integers = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.float64]
# The rows of groups: the first row of each group, then the second row of groups with two, ...
Groups = tuple[tuple[Ints, Ints], ...]


@dataclass(frozen=True)
class SetBlock:
    """The results of consecutive sets, as arrays of whole numbers.

    The types of deals and points must have room for the sum of all matches of a set.

    first:            the number of the first set.
    winners:          team, or -1 for a draw, of shape (combinations, orders, sets).
    deals, decisions: of the same shape.
    points:           of each team, of shape (combinations, orders, teams, sets).
    forfeited:        team that forfeited, or -1, of the shape of winners; None: none did.
    unfinished:       matches that did not end.
    """

    first: int
    winners: Integers
    deals: Integers
    decisions: Integers
    points: Integers
    forfeited: Integers | None = None
    unfinished: int = 0


def sets_at_once(design: Design) -> int:
    """Return the number of sets in a block that is fastest to reduce."""
    return max(1, AT_ONCE // _who(design).height // GROUPS) * GROUPS


def tally_blocks(design: Design, blocks: Iterable[SetBlock]) -> Tally:
    """Return the tally of one block or more.

    Raises `OverflowError` if sums of squares over a block are not exact as floats.
    """
    who, total = _who(design), dict[str, Any]()
    for block in blocks:
        for name, value in _reduce(who, block).items():
            total[name] = total.get(name, 0) + np.asarray(value).astype(np.int64)
    return _tally(who, total)


def _reduce(who: _Who, block: SetBlock) -> dict[str, Any]:
    """Return sums over the sets of a block.

    Sums over a set have the narrow types of the block. Squares are summed as floats, which is
    faster. If their sums are exact, all other sums of the same rows are, too.

    held:          the number of sets in each group.
    sums:          of each row of `_Who.rows`, by group; squares: of its squares.
    cross:         of the products of any two scores; products: of the points of both of each pair;
                   first: of the products of a score and the points of team 0.
    wins:          of each combination, order and team; decisions: of each combination and order.
    lost:          see `_reduce_lost`; only of blocks with a forfeit.
    """
    first, count = block.first % GROUPS, block.winners.shape[-1]
    rounds = -(-(first + count) // GROUPS)
    rows = np.empty((who.height, rounds * GROUPS))  # set i has a column of group i mod 64
    rows[:, :first] = rows[:, first + count :] = 0
    np.concatenate(who.rows(block), out=rows[:, first : first + count])
    score, pairs = rows[who.places["score"]], rows[who.places["pair"]]
    return {
        "held": (count - 1 - (EACH_GROUP - first) % GROUPS) // GROUPS + 1,
        "unfinished": block.unfinished,
        "wins": _count(block.winners[:, :, None] == who.teams[:, None]),
        "decisions": block.decisions.sum(axis=-1, dtype=np.int64),
        "sums": np.ones(rounds) @ rows.reshape(-1, rounds, GROUPS),
        "squares": _exact(np.vecdot(rows, rows)),
        "cross": np.vecdot(score[:, None], score),
        "first": np.vecdot(score, rows[who.places["team"]][0]),
        "products": np.vecdot(pairs[::2], pairs[1::2]),
    } | ({} if block.forfeited is None else _reduce_lost(who, block, block.forfeited))


def _reduce_lost(who: _Who, block: SetBlock, forfeited: Integers) -> dict[str, Any]:
    """Return the forfeits of each strategy, and the parts of its sums that such matches add.

    lost: these parts of its points in a set, of its matches, of the squares of both, and of their
    products.
    """
    clean = np.broadcast_to(forfeited[:, :, None] < 0, block.points.shape).astype(np.int64)
    ours = forfeited[:, :, None] == who.teams[:, None]

    def sums(count: Ints) -> Any:
        score = who.by_strategy(who.members(block.points * count)).astype(np.float64)
        matches = who.by_match(who.members(count)).astype(np.float64)
        squares = (_exact(np.vecdot(of, of)) for of in (score, matches))
        return np.stack(
            [score.sum(axis=-1), matches.sum(axis=-1), *squares, np.vecdot(score, matches)]
        )

    return {
        "forfeited": who.by_strategy(who.members(_count(ours))),
        "lost": sums(np.ones_like(clean)) - sums(clean),
    }


def _tally(who: _Who, total: Mapping[str, Any]) -> Tally:
    leads, sets = total["held"].tolist(), total["held"].sum()
    sums = {name: total["sums"][place].sum(axis=-1) for name, place in who.places.items()}
    squares = {f"{name}_sq": total["squares"][place] for name, place in who.places.items()}
    wins, score = who.members(total["wins"]), sums["score"]
    draws_by_order = sets - total["wins"].sum(axis=-1)
    draws, decisions = (
        of.sum(axis=1).repeat(len(who.teams)) for of in (draws_by_order, total["decisions"])
    )
    matches = who.by_match(np.full(who.seats, who.orders))
    clean = [score, matches * sets, squares["score_sq"], matches**2 * sets, matches * score]
    by_strategy = {
        "score": score,
        "first_product": total["first"],
        "deals_by": sums["deals_by"],
        "deals_by_sq": squares["deals_by_sq"],
        "won": who.by_strategy(wins),
        "drawn_by": who.by_match(draws),
        "decisions_by": who.by_match(decisions),
        "forfeited": total.get("forfeited", np.zeros_like(score)),
        **dict(zip(CLEAN, np.stack(clean) - total.get("lost", 0), strict=True)),
    }
    by_pair = {
        "pair_score": sums["pair"].reshape(-1, 2),
        "pair_sq": squares["pair_sq"].reshape(-1, 2),
        "pair_product": total["products"].repeat(2).reshape(-1, 2),
        "pair_won": who.by_pair(wins),
        "pair_drawn": who.by_pair(draws),
    }
    result = (
        {"sets": sets, "unfinished": total["unfinished"]}
        | {"deals": sums["deals"][0], "deals_sq": squares["deals_sq"][0]}
        | {"team_score": sums["team"], "team_score_sq": squares["team_sq"]}
        | {"drawn": draws_by_order.sum(), "decisions": total["decisions"].sum()}
        | {name: who.vector(values) for name, values in by_strategy.items()}
        | {name: who.matrix(values) for name, values in by_pair.items()}
        | {"cross": who.square(total["cross"])}
        | {"pair_legs_sq": who.facing_matrix(squares["apart_sq"])}
    )
    pairs = total["sums"][who.places["pair"]].reshape(-1, 2, GROUPS)
    of_groups = enumerate(np.moveaxis(who.matrix(pairs), -1, 0).tolist())
    groups = tuple((i, leads[i], tuple(map(tuple, of))) for i, of in of_groups if leads[i])
    return Tally(
        groups=groups, **{name: freeze(np.asarray(of).tolist()) for name, of in result.items()}
    )


class _Who:
    """The meetings of a set, and the sums from matches to strategies.

    The members of a set are the strategies of all combinations, in order. A strategy that meets
    itself is a member for each team.

    seats:  the number of members.
    places: the slices of `rows`: points of strategies, deals of their matches, points of teams,
            deals, points of both of each pair, and differences of two teams in a match.
    height: the number of rows.
    """

    def __init__(self, design: Design) -> None:
        members = np.array(design.combinations, np.int64)
        self.teams = np.arange(design.teams, dtype=np.int8)
        self.orders = len(design.orders)
        self.seats = members.size
        self._facing = np.array(np.triu_indices(design.teams, 1))
        self._everyone, self._seated = design.strategies, design.seatings
        self._team_of = np.argsort(design.orders, axis=1)
        players, self._of_player = _grouping(members.reshape(-1, 1), np.arange(self.seats))
        self._players = players[:, 0]
        again = np.tril(members[:, :, None] == members[:, None, :], -1).any(axis=2).reshape(-1)
        once = np.flatnonzero(~again)
        self._of_match = _grouping(members.reshape(-1, 1)[once], once)[1]
        seats, opponents = np.nonzero(self.teams[:, None] != self.teams)
        one, other = members[:, seats].reshape(-1), members[:, opponents].reshape(-1)
        places = (np.arange(len(members))[:, None] * design.teams + seats).reshape(-1)
        order = one > other
        meetings = np.stack([np.minimum(one, other), np.maximum(one, other), order, places], axis=1)
        meetings = np.unique(meetings[one != other], axis=0)
        pairs, self._of_pair = _grouping(meetings[:, :3], meetings[:, 3])
        self._one, self._other = pairs[::2, 0], pairs[::2, 1]
        facing = len(members) * self.orders * len(self._facing[0])
        sizes = (len(players), len(players), design.teams, 1, len(pairs), facing)
        names = ("score", "deals_by", "team", "deals", "pair", "apart")
        *begin, self.height = accumulate(sizes, initial=0)
        self.places = {n: slice(b, b + s) for n, b, s in zip(names, begin, sizes, strict=True)}

    def rows(self, block: SetBlock) -> list[Integers]:
        """Return the sums over each set, in parts of shape (some rows, sets)."""
        points, count = block.points, block.points.shape[-1]
        members = self.members(points)
        length = block.deals.sum(axis=1, dtype=block.deals.dtype)
        return [
            self.by_strategy(members),
            self.by_match(length.repeat(len(self.teams), axis=0)),
            points.reshape(-1, len(self.teams), count).sum(axis=0, dtype=points.dtype),
            length.sum(axis=0, dtype=length.dtype)[None],
            self.by_pair(members).reshape(-1, count),
            (points[:, :, self._facing[0]] - points[:, :, self._facing[1]]).reshape(-1, count),
        ]

    def members(self, values: Any) -> Any:
        """Return the sum of each member over all orders, of shape (members, ...).

        values: of each team, of shape (combinations, orders, teams, ...).
        """
        by_member = values[:, np.arange(self.orders)[:, None], self._team_of]
        return by_member.sum(axis=1, dtype=values.dtype).reshape(self.seats, *values.shape[3:])

    def by_strategy(self, values: Any) -> Any:
        """Return the sums of the strategies that play; values: of members."""
        return _sum_groups(values, self._of_player)

    def by_match(self, values: Any) -> Any:
        """Return such sums of values that count once if a strategy meets itself."""
        return _sum_groups(values, self._of_match)

    def by_pair(self, values: Any) -> Any:
        """Return the sums for both of each pair, of shape (pairs, 2, ...); values: of members."""
        result = _sum_groups(values, self._of_pair)
        return result.reshape(len(result) // 2, 2, *result.shape[1:])

    def vector(self, values: Ints) -> Ints:
        """Spread values of the strategies that play over a row of all strategies."""
        result = np.zeros(self._everyone, np.int64)
        result[self._players] = values
        return result

    def square(self, values: Ints) -> Ints:
        """Spread values of any two that play over a matrix of all strategies."""
        result = np.zeros((self._everyone, self._everyone), np.int64)
        result[np.ix_(self._players, self._players)] = values
        return result

    def matrix(self, values: Ints) -> Ints:
        """Spread values of pairs, of shape (pairs, 2, ...), over a matrix of all strategies."""
        result = np.zeros((self._everyone, self._everyone, *values.shape[2:]), np.int64)
        result[self._one, self._other] = values[:, 0]
        result[self._other, self._one] = values[:, 1]
        return result

    def facing_matrix(self, values: Ints) -> Ints:
        """Spread values of two teams in a match, one for each row `apart`, over such a matrix."""
        result = np.zeros((self._everyone, self._everyone), np.int64)
        one, other = (self._seated[:, :, teams] for teams in self._facing)
        np.add.at(result, (one, other), values.reshape(one.shape))
        return result + result.T


@lru_cache(maxsize=4)
def _who(design: Design) -> _Who:
    return _Who(design)


def _grouping(keys: Ints, rows: Ints) -> tuple[Ints, Groups]:
    """Return the different keys, ascending, and the rows of each.

    keys: of each row, of shape (rows, parts of a key).
    """
    result, of_row, many = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    in_order, begin = rows[np.argsort(of_row, kind="stable")], np.cumsum(many) - many
    rounds = (np.flatnonzero(many > at) for at in range(many.max(initial=0)))
    return result, tuple((groups, in_order[begin[groups] + at]) for at, groups in enumerate(rounds))


def _sum_groups(values: Any, groups: Groups) -> Any:
    if not groups:
        return values[:0]
    first, *more = groups
    result = values[first[1]]
    for group, rows in more:
        result[group] += values[rows]
    return result


def _count(flags: NDArray[np.bool]) -> Ints:
    result: Ints = np.bitwise_count(np.packbits(flags, axis=-1)).sum(axis=-1, dtype=np.int64)
    return result


def _exact(squares: Floats) -> Floats:
    """Return sums of squares if they are exact, else raise OverflowError.

    A sum of squares only grows, so it is exact if its end is below the limit. Other products of the
    same rows are not larger.
    """
    if squares.max(initial=0) >= EXACT:
        raise OverflowError("a block of sets is too large to be summed exactly")
    return squares
