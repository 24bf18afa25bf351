"""`docs/bots.md`: its bots play whole matches of every shipped variant, reproducibly."""

import json
from itertools import product

import pytest
from documents import blocks
from extent import covering

from trutdsl.cli.app import run
from trutdsl.game import ENGINES, load_game
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.variant import list_variants

COMMANDS = {"python": "python3 bot.py", "sh": "sh bot.sh"}


@pytest.fixture
def bots(root, tmp_path):
    """Write the bots of the page; return their paths by language."""
    folder = tmp_path
    text = (root / "docs" / "bots.md").read_text(encoding="utf-8")
    for language, command in COMMANDS.items():
        ((_, body),) = blocks(text, language)
        assert len(body.splitlines()) <= 30
        (folder / command.split()[1]).write_text(body)
        (folder / f"{language}.bot").write_text(f"# Of the page.\n{command}\n")
    return {language: str(folder / f"{language}.bot") for language in COMMANDS}


@pytest.mark.parametrize("name", ["trut", "truc-catalan"])
def test_the_bots_of_the_page_play_each_other(bots, name, capsys):
    strategies = f"{bots['python']},{bots['sh']}"
    play = ["simulate", name, "--strategies", strategies, "--matches", "2", "--json", "--seed=1"]
    assert run(play) == 0
    first = capsys.readouterr().out
    assert json.loads(first)["matches"] == 2
    assert run(play) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(("engine", "name"), covering(list(product(ENGINES, list_variants()))))
def test_the_bot_in_a_shell_plays_every_variant(bots, name, engine):
    game = load_game(name, engine=engine)
    seating = [load_strategy(bots["sh"]), *[load_strategy("uniform")] * (game.players - 1)]
    events = []
    play_match(game, seating, 1, 0, events.append)
    answers = [e for e in events if e["event"] == "action" and e["seat"] == 0]
    assert len(answers) > 5
    assert {e["action"] for e in answers if "pass" in e["legal"]} <= {"pass"}


def test_both_bots_play_as_described(bots):
    game, events = load_game("trut", 2, engine="native"), []
    seating = [load_strategy(bots["python"]), load_strategy(bots["sh"])]
    play_match(game, seating, 1, 0, events.append)
    by_seat = {0: set(), 1: set()}
    for event in events:
        if event["event"] == "action":
            by_seat[event["seat"]].add(event["action"].split()[0])
    assert by_seat[0] >= {"trut", "play"}
    assert by_seat[1] <= {"pass", "fold", "play"}
