"""Takes a variant apart: each point in which it differs from its base, alone against the base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Rejected
from trutdsl.game import Game
from trutdsl.report.compared import AND
from trutdsl.variant import Value, Variant
from trutdsl.variant.dependence import Group, group_pieces
from trutdsl.variant.partial import builds_on, with_pieces

THE_PACK = "the pack"


@dataclass(frozen=True)
class Point:
    """One point in which a game differs from its base.

    words: how it is called: `goal = 5`, or `after rule open_play`; of several pieces that depend
           on each other `after rule open_play + replace rule pay`. says: the rule's own help text.
    shared: what such pieces share: one writes what the other reads.
    game:  the base with this point alone; None if it means nothing by itself, and why.
    beside_pack: it is played with the new pack, and so is set against `THE_PACK`, not the base.
    """

    words: str
    says: str | None
    game: Game | None
    why_not: str | None = None
    beside_pack: bool = False
    shared: tuple[str, ...] = ()


def points_of(game: Game, base: Game) -> tuple[Point, ...]:
    """Return the points in which a game differs from its base; none if it does not build on it.

    A point is a parameter with another value, a rule or `define` that is replaced or added to, or
    the pack. Pieces of which one writes what the other reads mean nothing alone: they are one
    point. What else a variant adds (zones, variables, rules of its own) comes with every rule,
    which can use it; so do parameters that it declares itself.
    """
    same = game.variant.fingerprint == base.variant.fingerprint
    if not same and not builds_on(game.variant, base.variant):
        return ()
    found = [_parameter(base, name, value) for name, value in _changed(game, base)]
    if not same:
        only_pack = _like_base(with_pieces(game.variant, base.variant, ()), game, base)
        other = only_pack.deck != base.deck
        if other:
            found.append(_point(THE_PACK, None, only_pack))
        groups = group_pieces(game.variant, base.variant)
        found += [replace(_rules(game, base, group), beside_pack=other) for group in groups]
    return tuple(found)


def _changed(game: Game, base: Game) -> Sequence[tuple[str, Value]]:
    both = [name for name in base.parameters if name in game.parameters]
    return [(n, game.parameters[n]) for n in both if game.parameters[n] != base.parameters[n]]


def _parameter(base: Game, name: str, value: Value) -> Point:
    declared = base.variant.parameters[name]
    values = {**base.parameters, name: value}
    text = declared.text_of(value)
    game = Game(base.variant, None, base.players, values, base.ref, base.engine)
    return _point(f"{name} = {text}", declared.help, game)


def _rules(game: Game, base: Game, group: Group) -> Point:
    variant = with_pieces(game.variant, base.variant, group.pieces)
    words = AND.join(piece.words for piece in group.pieces)
    says = " ".join(piece.help for piece in group.pieces if piece.help is not None)
    point = _point(words, says or None, _like_base(variant, game, base))
    return replace(point, shared=group.shared)


def _like_base(variant: Variant, game: Game, base: Game) -> Game:
    """Return a part of a game with the parameters of its base."""
    values = {
        **game.parameters,
        **{n: v for n, v in base.parameters.items() if n in game.parameters},
    }
    return Game(variant, None, base.players, values, game.ref, base.engine)


def _point(words: str, says: str | None, game: Game) -> Point:
    try:
        _ = game.program
    except Rejected as rejected:
        return Point(words, says, None, rejected.diagnostics[0].message)
    return Point(words, says, game)
