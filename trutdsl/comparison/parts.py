"""Points: the differences of a variant from its base, each alone and all together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from trutdsl.comparison.compare import (
    Families,
    Margins,
    MetricPair,
    estimate_all,
    judge,
    match_metrics,
    read_verdict,
    show_difference,
)
from trutdsl.comparison.measurement import Measurement
from trutdsl.comparison.metrics import Metric
from trutdsl.diagnostics import Rejected
from trutdsl.game import Game
from trutdsl.language import Key, key_of
from trutdsl.report.labels import BASE, DIFFERS, PACK, PARAMETER
from trutdsl.stats.resampling import Influences
from trutdsl.variant import Value, Variant
from trutdsl.variant.dependence import PieceGroup, builds_on, group_pieces, with_pieces
from trutdsl.variant.model import check_once

Pieces = tuple[Mapping[str, str], ...]
THE_PACK: Pieces = ({"how": PACK},)


@dataclass(frozen=True)
class Point:
    """One difference of a game from its base.

    pieces: each with `how` it changes the base (as `Piece.how`, `parameter` or `pack`), its name
            and its value; several ones depend on each other. says: the rule's own help text.
    shared: data that one of these pieces writes and another reads.
    game:  the base with this point alone; None if it cannot be played alone, and why (`key_of`).
    beside_pack: it is played with the new pack, so its base is `THE_PACK`.
    """

    pieces: Pieces
    says: str | None
    game: Game | None
    why_not: Key | None = None
    beside_pack: bool = False
    shared: tuple[str, ...] = ()


def points_of(game: Game, base: Game) -> tuple[Point, ...]:
    """Return the differences of a game from its base; none if it does not build on it.

    A point is a parameter with another value, a rule or `define` that is replaced or extended, or
    the pack. Pieces that share data are one point. Everything else that a variant adds (zones,
    variables, parameters, rules of its own) comes with every point.
    """
    same = game.variant.fingerprint == base.variant.fingerprint
    if not same and not builds_on(game.variant, base.variant):
        return ()
    result = [
        _parameter(base, name, game.parameters[name])
        for name, usual in base.parameters.items()
        if game.parameters.get(name, usual) != usual
    ]
    if not same:
        only_pack = _like_base(with_pieces(game.variant, base.variant, ()), game, base)
        other = only_pack.deck != base.deck
        if other:
            result.append(_point(THE_PACK, None, only_pack))
        groups = group_pieces(game.variant, base.variant)
        result += [replace(_rules(game, base, group), beside_pack=other) for group in groups]
    return tuple(result)


def _parameter(base: Game, name: str, value: Value) -> Point:
    declaration = base.variant.parameters[name]
    values = {**base.parameters, name: value}
    piece = {"how": PARAMETER, "name": name, "value": declaration.text_of(value)}
    game = Game(base.variant, None, base.players, values, base.ref, base.engine)
    return _point((piece,), declaration.help, game)


def _rules(game: Game, base: Game, group: PieceGroup) -> Point:
    variant = with_pieces(game.variant, base.variant, group.pieces)
    pieces = tuple({"how": piece.how, "name": piece.name} for piece in group.pieces)
    says = " ".join(piece.help for piece in group.pieces if piece.help is not None)
    point = _point(pieces, says or None, _like_base(variant, game, base))
    return replace(point, shared=group.shared_names)


def _like_base(variant: Variant, game: Game, base: Game) -> Game:
    """Return a part of a game with the parameters of its base."""
    values = game.parameters | {n: v for n, v in base.parameters.items() if n in game.parameters}
    return Game(variant, None, base.players, values, game.ref, base.engine)


def _point(pieces: Pieces, says: str | None, game: Game) -> Point:
    try:
        check_once(game.variant, lambda _: game.program)
    except Rejected as rejected:
        return Point(pieces, says, None, key_of(rejected.diagnostics[0].message))
    return Point(pieces, says, game)


@dataclass(frozen=True)
class Sum:
    """A metric of the base, the sum of its points' differences, and the variant's difference."""

    metric: Metric
    base: Influences
    of_points: Influences
    of_variant: Influences

    @property
    def interaction(self) -> Influences:
        return self.of_variant - self.of_points


def add_points(
    base: Measurement, whole: Measurement, points: Sequence[tuple[Measurement, Measurement]]
) -> list[Sum]:
    """Return the sums of the points' differences, for every metric that varies in all of them.

    points: each with its base, which can have another pack.
    """
    of_base, of_whole = estimate_all(base), estimate_all(whole)
    of_points = [(estimate_all(one), estimate_all(against)) for one, against in points]
    result = []
    for name, (metric, start) in of_base.items():
        everything = [of_base, of_whole, *(of for two in of_points for of in two)]
        known = all(name in of and of[name][1].spread for of in everything)
        if metric.rest or not known:
            continue
        total = Influences(0.0, (0.0,) * len(start.each))
        for one, against in of_points:
            total += one[name][1] - against[name][1]
        result.append(Sum(metric, start, total, of_whole[name][1] - start))
    return result


def interactions(
    sums: Iterable[Sum], margins: Margins, families: Families
) -> Iterator[dict[str, Any]]:
    """Yield the interactions, each as `Interaction` of `cli.printed` describes.

    The family of others contains `of_points` and `interaction` of each sum.
    """
    family = families.others
    for one in sums:
        metric, interaction = one.metric, one.interaction
        estimate, margin = interaction.estimate(family=family), margins.of(metric, one.base, family)
        yield {
            "metric": metric.name,
            "kind": metric.kind,
            "added": asdict(one.of_points.estimate(family=family)),
            "whole": asdict(show_difference(metric, one.of_variant, families.of(metric))),
            "difference": asdict(estimate),
            "margin": margin,
            "p": interaction.p_zero(family),
            "clear": read_verdict(estimate, margin) == DIFFERS,
        }


class PointResults:
    """The measured points of a variant, each against the base or the new pack.

    matches: of each point; empty for one that cannot be played alone.
    sums:    of all points; empty if one of them cannot be played alone.
    """

    def __init__(
        self,
        base: Measurement,
        whole: Measurement,
        points: Sequence[tuple[Point, Measurement | None]],
    ) -> None:
        packs = [
            influences
            for point, influences in points
            if point.pieces == THE_PACK and influences is not None
        ]
        packed = packs[0] if packs else base
        self._points = [point for point, _ in points]
        self.matches: list[tuple[MetricPair, ...]] = [()] * len(points)
        for against, beside in ((base, False), (packed, True)):
            some = [
                (at, influences)
                for at, (point, influences) in enumerate(points)
                if influences is not None and point.beside_pack is beside
            ]
            pairs = match_metrics(against, [influences for _, influences in some])
            for (at, _), of in zip(some, pairs, strict=True):
                self.matches[at] = of
        alone = [
            (influences, packed if point.beside_pack else base)
            for point, influences in points
            if influences is not None
        ]
        together = len(alone) == len(points) > 1
        self.sums = add_points(base, whole, alone) if together else []

    def show(self, margins: Margins, families: Families) -> dict[str, Any]:
        """Return the effects of each point alone, and the interactions, as JSON."""
        of_points = Families((), families.others, families.others)
        return {
            "points": [
                {
                    "pieces": list(point.pieces),
                    "says": point.says,
                    "shared": list(point.shared),
                    "against": PACK if point.beside_pack else BASE,
                    "why_not": point.why_not,
                    "metrics": [asdict(row) for row in judge(of, margins, of_points)],
                }
                for point, of in zip(self._points, self.matches, strict=True)
            ],
            "together": list(interactions(self.sums, margins, families)),
        }
