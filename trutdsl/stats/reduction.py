"""Reduction: the results of a block of sets as sums, in whole numbers, which a tally holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.stats.design import Design, Ints
from trutdsl.stats.metric import Outcome
from trutdsl.stats.tally import GROUPS, Tally, freeze

EXACT = 2.0**53  # up to here every whole number is a float

Whole = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.float64]
# Which rows add up to which groups: one row of each, then a second one of those that have it, ...
Groups = tuple[tuple[Ints, Ints], ...]


@dataclass(frozen=True)
class Block:
    """The results of some sets that follow each other, as arrays of whole numbers.

    What all matches of a set come to has to have room in the types of deals and points.

    first:            the first one's number.
    winners:          team, or -1 for a draw, of shape (combinations, orders, sets).
    deals, decisions: of the same shape.
    points:           of each team, of shape (combinations, orders, teams, sets).
    forfeited:        team that forfeited, or -1, of the shape of winners; None: none did.
    unfinished:       how many matches came to no end.
    """

    first: int
    winners: Whole
    deals: Whole
    decisions: Whole
    points: Whole
    forfeited: Whole | None = None
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
    return tally_blocks(design, [block])


def tally_blocks(design: Design, blocks: Iterable[Block]) -> Tally:
    """Return what the sets of some blocks give together, of which there is at least one.

    Raises `OverflowError` where sums of squares over a block are not exact as floats.
    """
    who, total = _who(design), dict[str, Any]()
    for block in blocks:
        sums = _reduce(who, block)
        for name, value in (sums | _reduce_clean(who, block, sums)).items():
            total[name] = total.get(name, 0) + np.asarray(value).astype(np.int64)
    return _tally(who, total)


def _reduce(who: _Who, block: Block) -> dict[str, Any]:
    """Return sums over the sets of a block, of which `_tally` says what they are.

    What a set comes to is added up in the narrow types of the block. Squares are added as floats,
    which is faster, and exact as long as their sum is; then all else of the same rows is, too.
    """
    points, teams, count = block.points, who.teams, block.winners.shape[-1]
    length = block.deals.sum(axis=1, dtype=block.deals.dtype)
    members, of_members = who.members(points), length.repeat(len(teams), axis=0)
    by_team = points.reshape(-1, len(teams), count).sum(axis=0, dtype=points.dtype)
    score = who.by_strategy(members).astype(np.float64)
    apart = points[:, :, who.facing[0]] - points[:, :, who.facing[1]]
    return {
        "sets": count,
        "unfinished": block.unfinished,
        "wins": _count(block.winners[:, :, None] == teams[:, None]),
        "draws": _count(block.winners < 0),
        "decisions": block.decisions.sum(axis=-1, dtype=np.int64),
        "score": score.sum(axis=-1),
        "cross": _exact(score @ score.T),
        "apart_sq": _squares(apart.astype(np.float64)),
        **_sums_and_squares("deals", length.sum(axis=0, dtype=length.dtype)),
        **_sums_and_squares("deals_by", who.by_match(of_members)),
        **_sums_and_squares("team_score", by_team),
        **_reduce_pairs(who.by_pair(members).astype(np.float64), block.first),
    }


def _reduce_pairs(pairs: Floats, first: int) -> dict[str, Any]:
    """Return sums over the points of each two, of shape (pairs, 2, sets), and of how many sets."""
    return {
        "pair_sq": _squares(pairs),
        "pair_product": _products(pairs[:, 0], pairs[:, 1]),
        "pairs": _by_group(pairs, first),
        "held": _by_group(np.ones(pairs.shape[-1], np.int64), first),
    }


def _reduce_clean(who: _Who, block: Block, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what strategies forfeited, and their points and matches where nobody did.

    found: sums over all matches.
    """
    if block.forfeited is None:
        matches = who.by_match(np.full(who.seats, who.orders))
        return {
            "forfeited": np.zeros_like(matches),
            "clean_score": found["score"],
            "clean_matches": matches * found["sets"],
            "clean_score_sq": np.diagonal(found["cross"]),
            "clean_matches_sq": matches**2 * found["sets"],
            "clean_product": matches * found["score"],
        }
    forfeited = block.forfeited[:, :, None]
    clean = np.broadcast_to(forfeited < 0, block.points.shape).astype(block.points.dtype)
    score, matches = (
        who.by_strategy(who.members(values)).astype(np.float64)
        for values in (block.points * clean, clean)
    )
    return {
        "forfeited": who.by_strategy(who.members(_count(forfeited == who.teams[:, None]))),
        "clean_score": score.sum(axis=-1),
        "clean_matches": matches.sum(axis=-1),
        "clean_score_sq": _squares(score),
        "clean_matches_sq": _squares(matches),
        "clean_product": _products(score, matches),
    }


def _tally(who: _Who, sums: dict[str, Any]) -> Tally:
    """Return a tally of these sums.

    wins, draws, decisions: of each combination and order; wins of each team, too.
    pairs: the points of each two, (pairs, 2, groups); pair_sq, pair_product: of shape (pairs, 2)
    and (pairs,).
    apart_sq: squared differences of the points of any two teams, of shape (combinations, orders,
    two teams). held: how many sets are in each group.
    All else as in `Tally`, but only of strategies that play.
    """
    wins, pairs = who.members(sums["wins"]), sums["pairs"]
    drawn, decisions = (
        sums[name].sum(axis=1).repeat(len(who.teams)) for name in ("draws", "decisions")
    )
    by_strategy = {
        name: sums[name]
        for name in (
            *("score", "deals_by", "deals_by_sq", "forfeited", "clean_score", "clean_matches"),
            *("clean_score_sq", "clean_matches_sq", "clean_product"),
        )
    } | {
        "won": who.by_strategy(wins),
        "drawn_by": who.by_match(drawn),
        "decisions_by": who.by_match(decisions),
    }
    by_pair = {
        "pair_score": pairs.sum(axis=-1),
        "pair_sq": sums["pair_sq"],
        "pair_product": sums["pair_product"].repeat(2).reshape(-1, 2),
        "pair_won": who.by_pair(wins),
        "pair_drawn": who.by_pair(drawn),
    }
    found = (
        {name: sums[name] for name in ("sets", "unfinished", "deals", "deals_sq")}
        | {name: sums[name] for name in ("team_score", "team_score_sq")}
        | {"drawn": sums["draws"].sum(), "decisions": sums["decisions"].sum()}
        | {name: who.vector(values) for name, values in by_strategy.items()}
        | {name: who.matrix(values) for name, values in by_pair.items()}
        | {"cross": who.square(sums["cross"]), "pair_legs_sq": who.facing_matrix(sums["apart_sq"])}
    )
    held, of_groups = sums["held"].tolist(), np.moveaxis(who.matrix(pairs), -1, 0).tolist()
    groups = tuple((i, held[i], freeze(of_groups[i])) for i in range(GROUPS) if held[i])
    return Tally(
        groups=groups, **{name: freeze(np.asarray(of).tolist()) for name, of in found.items()}
    )


class _Who:
    """Who meets whom in a set, and how what matches give adds up to what strategies have.

    A member is one of those who meet in a combination: combination by combination, in the order
    in which they are named there. One who meets itself is a member for each team.

    facing: each two teams, as two rows. seats: how many members there are.
    """

    def __init__(self, design: Design) -> None:
        members = np.array(design.combinations, np.int64)
        self.teams, self.orders, self.seats = (
            np.arange(design.teams),
            len(design.orders),
            members.size,
        )
        self.facing = np.array(np.triu_indices(design.teams, 1))
        self._everyone, self._seated = design.strategies, design.seated
        self._team_of = np.argsort(design.orders, axis=1)
        players, self._of_player = _grouping(members.reshape(-1, 1), np.arange(self.seats))
        self._players = players[:, 0]
        again = np.tril(members[:, :, None] == members[:, None, :], -1).any(axis=2).reshape(-1)
        once = np.flatnonzero(~again)
        self._of_match = _grouping(members.reshape(-1, 1)[once], once)[1]
        here, there = np.nonzero(self.teams[:, None] != self.teams)
        one, other = members[:, here].reshape(-1), members[:, there].reshape(-1)
        places = (np.arange(len(members))[:, None] * design.teams + here).reshape(-1)
        order = one > other
        met = np.stack([np.minimum(one, other), np.maximum(one, other), order, places], axis=1)
        met = np.unique(met[one != other], axis=0)
        pairs, self._of_pair = _grouping(met[:, :3], met[:, 3])
        self._one, self._other = pairs[::2, 0], pairs[::2, 1]

    def members(self, values: Any) -> Any:
        """Return what each member has in all orders together, of shape (members, ...).

        values: of each team, of shape (combinations, orders, teams, ...).
        """
        taken = values[:, np.arange(self.orders)[:, None], self._team_of]
        return taken.sum(axis=1, dtype=values.dtype).reshape(self.seats, *values.shape[3:])

    def by_strategy(self, values: Any) -> Any:
        """Return what each strategy has that plays, of shape (those, ...); values: of members."""
        return _added(values, self._of_player)

    def by_match(self, values: Any) -> Any:
        """Return likewise what is once in a match, also where a strategy meets itself."""
        return _added(values, self._of_match)

    def by_pair(self, values: Any) -> Any:
        """Return what each of two has from where both play, (pairs, 2, ...); values: of members."""
        found = _added(values, self._of_pair)
        return found.reshape(len(found) // 2, 2, *found.shape[1:])

    def vector(self, values: Ints) -> Ints:
        """Return what those who play have as a row of all strategies."""
        found = np.zeros(self._everyone, np.int64)
        found[self._players] = values
        return found

    def square(self, values: Ints) -> Ints:
        """Return what any two who play have as a matrix of all strategies."""
        found = np.zeros((self._everyone, self._everyone), np.int64)
        found[np.ix_(self._players, self._players)] = values
        return found

    def matrix(self, values: Ints) -> Ints:
        """Return what pairs have, of shape (pairs, 2, ...), as a matrix of all strategies."""
        found = np.zeros((self._everyone, self._everyone, *values.shape[2:]), np.int64)
        found[self._one, self._other] = values[:, 0]
        found[self._other, self._one] = values[:, 1]
        return found

    def facing_matrix(self, values: Ints) -> Ints:
        """Return what two teams have in a match, (combinations, orders, two teams), likewise."""
        found = np.zeros((self._everyone, self._everyone), np.int64)
        one, other = (self._seated[:, :, teams] for teams in self.facing)
        np.add.at(found, (one, other), values)
        return found + found.T


@lru_cache(maxsize=4)
def _who(design: Design) -> _Who:
    return _Who(design)


def _grouping(keys: Ints, rows: Ints) -> tuple[Ints, Groups]:
    """Return the different keys, ascending, and which rows have each of them.

    keys: of each row, of shape (rows, parts of a key).
    """
    found, of_row, many = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    in_order, begin = rows[np.argsort(of_row, kind="stable")], np.cumsum(many) - many
    rounds = (np.flatnonzero(many > at) for at in range(many.max(initial=0)))
    return found, tuple((groups, in_order[begin[groups] + at]) for at, groups in enumerate(rounds))


def _added(values: Any, groups: Groups) -> Any:
    """Return the sums of the values of each group."""
    if not groups:
        return values[:0]
    first, *more = groups
    found = values[first[1]]
    for group, rows in more:
        found[group] += values[rows]
    return found


def _by_group(values: Any, first: int) -> Ints:
    """Return the sums over each group of sets, which the last axis has, from number `first` on."""
    count = values.shape[-1]
    whole = count - count % GROUPS
    rounds = values[..., :whole].reshape(*values.shape[:-1], whole // GROUPS, GROUPS)
    sums = rounds.sum(axis=-2)
    sums[..., : count - whole] += values[..., whole:]
    return np.roll(sums, first % GROUPS, axis=-1)


def _count(flags: NDArray[np.bool]) -> Ints:
    """Return how many flags are up along the last axis."""
    found: Ints = np.bitwise_count(np.packbits(flags, axis=-1)).sum(axis=-1, dtype=np.int64)
    return found


def _sums_and_squares(name: str, rows: Whole) -> dict[str, Any]:
    """Return the sum of each row, and that of its squares."""
    numbers = rows.astype(np.float64)
    return {name: numbers.sum(axis=-1), f"{name}_sq": _squares(numbers)}


def _squares(rows: Floats) -> Floats:
    """Return the sum of the squares of each row."""
    return _exact(_products(rows, rows))


def _products(rows: Floats, others: Floats) -> Floats:
    """Return the sum of the products of each two rows."""
    found: Floats = np.einsum("...i,...i->...", rows, others)
    return found


def _exact(squares: Floats) -> Floats:
    """Return sums of squares, if they are exact.

    They grow with every addition, and those that were too large stay so; those of rows that were
    too large to become floats are. Other products of the same rows have no larger parts.
    """
    if squares.max(initial=0) >= EXACT:
        raise OverflowError("a block of sets is too large to be summed exactly")
    return squares
