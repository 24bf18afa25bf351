"""The past of a match that a scenario gives: match memory of scripts, and rates of options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trutdsl.diagnostics import Rejected, did_you_mean, reject
from trutdsl.game import Game, State
from trutdsl.interp.policy import Player
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.script.history import Words
from trutdsl.ir.script.names import place_of
from trutdsl.ir.script.record import MOST_ANSWERS, rate_names
from trutdsl.ir.types import Kind, Number
from trutdsl.language import say
from trutdsl.scenario.model import Start
from trutdsl.scenario.places import places_of, value_of
from trutdsl.strategy import ScriptSpec
from trutdsl.variant import Node, Scalar, Sequence, YamlMapping
from trutdsl.variant.read_values import parse_integer


def check_memory(start: Start) -> None:
    """Raise `Rejected` if the memory of a script is no mapping, also if nothing asks the script."""
    for _, node in start.memory:
        if not isinstance(node, YamlMapping):
            help_ = say("write NAME: VALUE lines below it, as in `{folds: 3}`")
            message = say("the memory of a script is a value for each name")
            raise reject("bad-scenario", message, node.span, help=help_)


def give_memory(game: Game, start: Start, spec: ScriptSpec, player: Player) -> None:
    """Give a player the match memory of its script that a scenario names; raises `Rejected`."""
    for script, node in start.memory:
        if script.text not in (spec.name, spec.script.name):
            continue
        assert isinstance(node, YamlMapping)
        for name, value in node.entries:
            for place, given in _read_memory(game, spec, player, name, value):
                player.remember(place, given)


def _read_memory(
    game: Game, spec: ScriptSpec, player: Player, name: Scalar, node: Node
) -> Iterator[tuple[str, Any]]:
    """Yield each place of a match memory with its value."""
    declared = spec.script.memory
    known = [n for n, one in declared.items() if one.lifetime == "match"]
    if name.text not in known:
        names = ", ".join(known) or say("none")
        message = say(
            "'{script}' has no match memory '{name}'; it has {names}",
            script=spec.name,
            name=name.text,
            names=names,
        )
        raise reject("unknown-name", message, name.span, help=did_you_mean(name.text, known))
    index = declared[name.text].index
    kind = None if index is None else Kind(index.text)
    for at, where, part in places_of(game, name, kind, node):
        place = name.text if kind is None else place_of(name.text, at)
        type_ = player.code.memory[place].type
        value = value_of(game, where, type_, part)
        if isinstance(type_, Number) and not type_.low <= value <= type_.high:
            wanted = say(
                "'{where}' is from {low} to {high}", where=where, low=type_.low, high=type_.high
            )
            raise _wrong(part, wanted)
        yield place, value


def give_rates(game: Game, start: Start, state: State) -> None:
    """Record how often seats have chosen options in the match; raises `Rejected`."""
    for words, node in start.rates:
        option, at, decision = words.text.partition(" at ")
        decision = decision.strip() if at else ""
        _check_asked(game, words, tuple(option.split()), decision)
        names = rate_names(tuple(option.split()), decision)
        chose, could = ([0] * game.players for _ in names)
        for seat, where, part in places_of(game, words, Kind.SEAT, node):
            items = part.items if isinstance(part, Sequence) else ()
            numbers = [parse_integer(one.text) for one in items if isinstance(one, Scalar)]
            match numbers:
                case [int(many), int(of)] if 0 <= many <= of <= MOST_ANSWERS:
                    chose[seat], could[seat] = many, of
                case _:
                    wanted = say(
                        "'{where}' is how often it was chosen, and how often it could be, "
                        "as in `[3, 10]`",
                        where=where,
                    )
                    raise _wrong(part, wanted)
        for name, values in zip(names, (chose, could), strict=True):
            if name in game.program.variables:  # some script asks for it
                state.match.set_values(name, values)


def _check_asked(game: Game, words: Scalar, option: Words, decision: str) -> None:
    """Raise `Rejected` if no question has an option; decision: empty for any."""
    known = [
        (" ".join(one.words), ask.decision)
        for ask in questions_of(game.program)
        for one in ask.options
    ]
    if not any(" ".join(option) == one and decision in ("", where) for one, where in known):
        message = say("{game} has no option '{words}'", game=game.name, words=words.text)
        texts = [*dict.fromkeys(one for one, _ in known), *(f"{o} at {d}" for o, d in known)]
        raise reject("unknown-name", message, words.span, help=did_you_mean(words.text, texts))


def _wrong(node: Node, message: str) -> Rejected:
    return reject("bad-scenario", message, node.span)
