"""Small games that each show a feature of the language: they pass the check and can be played."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from extent import covering, extent
from random_play import play
from tables import load_unparsed

from trutdsl.cli.app import DONE, run
from trutdsl.game import load_game
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk

GOOD = Path(__file__).parent / "good"
NAMES = sorted(path.stem for path in GOOD.glob("*.yaml"))
LEAST, MOST = extent((2, 8), (20, 20))  # matches of a table; it stops when two teams have won


def tables():
    """Yield every game with each number of players and each value of a parameter with choices."""
    for name in NAMES:
        variant = load_unparsed(GOOD / f"{name}.yaml")
        choices = [f"{p.name}={c}" for p in variant.parameters.values() for c in p.choices]
        yield from product([name], variant.players, choices or [""])


@pytest.mark.parametrize("name", NAMES)
def test_a_good_file_is_accepted(name, monkeypatch, capsys):
    monkeypatch.chdir(GOOD)
    assert run(["check", f"{name}.yaml"]) == DONE
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith(f"{name}.yaml: ok, ")


@pytest.mark.parametrize(("name", "players", "parameter"), covering(tables())[:: extent(3, 1)])
def test_a_good_game_plays_to_its_end(name, players, parameter):
    game = load_game(GOOD / f"{name}.yaml", players, parameter.split(), engine="reference")
    all_cards = list(range(len(game.deck.texts)))
    winners, asked = set(), 0
    for match in range(MOST):
        if match >= LEAST and len(winners) > 1:
            break
        state, chosen = play(game, match, most=20_000)
        assert state.pending is None
        asked += len(chosen)
        winners.add(state.winner)
        piles = [pile for zone in state._machine.zones.values() for pile in zone]
        cards = sorted(card for pile in piles for card in pile.cards())
        assert cards in (all_cards, all_cards[: game.deck.regular], [])
    assert asked >= LEAST
    assert len(winners) > 1
    assert winners <= {None, *range(game.team_count)}


def test_the_good_games_cover_every_node():
    """Every node of the intermediate representation occurs in a good game or in `trut`.

    Exceptions are nodes that only passes create (see `tests/passes`) or only strategies use.
    """
    shown = set()
    for name in [*(GOOD / f"{name}.yaml" for name in NAMES), "trut"]:
        program = load_game(name, engine="reference").program
        for part in (program.zones, program.variables, program.functions, program.rules):
            shown |= {type(node) for thing in part.values() for node in walk(thing)}
    kinds = {
        kind
        for kind in vars(nodes).values()
        if isinstance(kind, type) and issubclass(kind, nodes.Node)
    }
    of_strategies = {
        nodes.Legal,
        nodes.LegalAt,
        nodes.Lookup,
        nodes.Remembered,
        nodes.Take,
        nodes.TakeAny,
    }
    of_strategies |= {nodes.Memory, nodes.Answer, nodes.Policy}
    of_passes = {nodes.Selection, nodes.Image}
    assert kinds - shown - {nodes.Node, nodes.Expression} == of_passes | of_strategies
