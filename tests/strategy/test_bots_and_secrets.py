"""Secret questions to others do not change the inputs of a strategy, nor their order."""

import io
import json
import sys

import pytest
from extent import extent
from person import sit
from secret_questions import OPEN_GAMES, SECRET_GAMES, WATCHER, write_game

from trutdsl.game import load_game
from trutdsl.strategy.bots import end_bots
from trutdsl.strategy.legs import read_leg
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.spec import person

NAMES = ("if-it-holds", "again", "at-the-end", "each-opponent", "team-answers", "always")
BATCH_NAMES = ("if-it-holds", "for-each-ace", "partner", "each-opponent", "team", "always")
MATCHES = 24
LOGGING_BOT = """\
import json, sys
with open(sys.argv[1] + str(time.time_ns()), "w") as log:
    for line in sys.stdin:
        said = json.loads(line)
        luck = said.pop("luck", 0)
        if "match" not in said or said["match"]["seat"] == 0:
            print(json.dumps(said), file=log, flush=True)
        if "match" not in said:
            actions = said["view"]["actions"]
            action = actions[0 if "look" == said["view"]["decision"] else luck % len(actions)]
            print(json.dumps({"id": said["id"], "action": action}), flush=True)
"""
LOGGING_BATCH = """\
import numpy as np


class Logs:
    def choose(self, view):
        if view.seat == 0:
            with open(PATH, "a") as log:
                print(view.decision, view.zones, view.history, file=log)
        return view.actions[-1]

    def choose_batch(self, seen, names):
        if seen.seat[0] == 0:
            with open(PATH, "a") as log:
                print(seen.matches.tolist(), file=log)
        return np.array([int(legal[0]).bit_length() - 1 for legal in seen.legal])
"""


def play(variant, players, strategy, seed):
    game = load_game(variant, players, engine="native")
    seating = [load_strategy(strategy)] * players
    for _ in read_leg(game, seating, range(players), seed, 0, MATCHES):
        pass


@pytest.mark.parametrize("name", NAMES[:: extent(2, 1)])
def test_secret_questions_do_not_change_the_input_of_a_bot(name, tmp_path):
    (tmp_path / "b.py").write_text("import time\n" + LOGGING_BOT)
    (tmp_path / "b.bot").write_text(f"# A bot.\ntables: 8\n{sys.executable} b.py log-{name}-\n")
    variant, players = write_game(tmp_path, name)
    logs_of_seeds = set()
    for seed in range(3):
        play(variant, players, str(tmp_path / "b.bot"), seed)
        logs = [path.read_text() for path in tmp_path.glob("log-*")]
        logs_of_seeds.add("\n".join(log for log in logs if '{"decision": "look", "actions"' in log))
        for path in tmp_path.glob("log-*"):
            path.unlink()
        end_bots()
    assert len(logs_of_seeds) == 1
    assert json.loads(logs_of_seeds.pop().splitlines()[0])["match"]["seat"] == WATCHER


@pytest.mark.parametrize("name", BATCH_NAMES[1 :: extent(2, 1)])
def test_secret_questions_do_not_change_which_matches_share_a_batch(name, tmp_path):
    log = tmp_path / "log"
    (tmp_path / "p.py").write_text(LOGGING_BATCH.replace("PATH", repr(str(log))))
    variant, players = write_game(tmp_path, name)
    logs_of_seeds = set()
    for seed in range(3):
        play(variant, players, str(tmp_path / "p.py"), seed)
        logs_of_seeds.add(log.read_text())
        log.unlink()
    assert len(logs_of_seeds) == 1


@pytest.mark.parametrize("name", [*SECRET_GAMES, *OPEN_GAMES])
def test_secret_questions_do_not_change_the_screen_of_a_person(name, tmp_path):
    variant, players = write_game(tmp_path, name)
    game, shown = load_game(variant, players, engine="reference"), set()
    for seed in range(MATCHES):
        screen = io.StringIO()
        hand = sit(game, WATCHER, io.StringIO("?\n1\n" * 20), screen)
        seating = [load_strategy("uniform")] * players
        seating[WATCHER] = person("you", hand)
        watch = hand.watch(WATCHER)
        after = lambda state, _q, _a, _any, w=watch: w(state)  # noqa: E731
        play_match(game, seating, seed, 0, hand.follower, after, watch)
        shown.add(screen.getvalue())
    assert len(shown) == 1
    assert "look> " in shown.pop()
