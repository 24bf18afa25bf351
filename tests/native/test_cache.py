"""The cache of machine code: an entry is used without reading the rules, for the same game only."""

import json

import pytest

from trutdsl.cli.app import run
from trutdsl.diagnostics import Rejected
from trutdsl.files import write_cache
from trutdsl.game import load_game
from trutdsl.native import jit
from trutdsl.native.abi import PLAIN
from trutdsl.native.jit import Facts, key_of, read_code, write_code
from trutdsl.native.play.batch import Batch
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.table.faults import RuleError
from trutdsl.table.setting import SeatedPlayer

TEXT = """\
variant: race
title: A race
players: [2, 3]
teams: {2: 2, 3: 3}
pack: {suits: {h: hearts}, ranks: [A, K]}
counters: {points: {help: Points.}}
parameters:
  goal: {type: integer, min: 1, max: 9, default: 3, help: Points to win.}
rules: |
  rule match:
      repeat at most 9 times:
          deal:
              ask dealer "run":
                  walk: points[team(dealer)] += 1
                  jump: points[team(dealer)] += 2
              end deal because run
          if points[team(dealer)] >= goal:
              end match won by team(dealer)
      end match drawn
"""


OTHER = """\
class Other:
    def choose(self, view):
        return view.actions[view.random.below(len(view.actions))]
"""


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def race(tmp_path):
    path = tmp_path / "race.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def rows_of(game):
    parts = game.runs.rows([SeatedPlayer("uniform")] * game.players, 1, 0, 20)
    return [record for rows in parts for record in rows.records().tolist()]


def counts_of(game):
    return game.count([SeatedPlayer("uniform")] * game.players, 1, 0, 20)


def events_of(game):
    events = []
    play_match(game, [load_strategy("uniform")] * game.players, 1, 0, events.append)
    return events


def fail_if_called(*_args):
    pytest.fail("this work should come from the cache")


@pytest.mark.usefixtures("cache_folder")
def test_a_cached_game_is_neither_parsed_nor_checked_nor_compiled(race, monkeypatch):
    first, counts = (
        rows_of(load_game(race, engine="reference")),
        counts_of(load_game(race, engine="reference")),
    )
    monkeypatch.setattr("trutdsl.syntax.parse.parse_rules", fail_if_called)
    monkeypatch.setattr("trutdsl.game.game.build_program", fail_if_called)
    monkeypatch.setattr(jit, "optimize", fail_if_called)
    assert (
        rows_of(load_game(race, engine="reference")) == first
        and counts_of(load_game(race, engine="reference")) == counts
    )
    with pytest.raises(pytest.fail.Exception):
        load_game(race, 3, engine="native").start(1, 0)


@pytest.mark.usefixtures("cache_folder")
def test_cached_steps_are_not_compiled(race, monkeypatch):
    first = events_of(load_game(race, engine="native"))
    monkeypatch.setattr(jit.StepCode, "_make", fail_if_called)
    assert events_of(load_game(race, engine="native")) == first


def test_compilation_is_deterministic(race, tmp_path, monkeypatch):
    entries = []
    for name in ("one", "two"):
        monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / name))
        game = load_game(race, engine="reference")
        assert game.runs and game.counting and game.steps
        entries.append({p.name: p.read_bytes() for p in (tmp_path / name).iterdir()})
    assert entries[0] == entries[1]


def keys_of(game):
    return {key_of(form, game.fingerprint) for form in ("matches", "counted", "steps")}


def test_another_game_has_another_key(race, monkeypatch):
    found = [
        keys_of(load_game(race, engine="reference")),
        keys_of(load_game(race, 3, engine="reference")),
        keys_of(load_game(race, None, ["goal=4"], engine="reference")),
    ]
    race.write_text(TEXT.replace("+= 2", "+= 3"), encoding="utf-8")
    found.append(keys_of(load_game(race, engine="reference")))
    monkeypatch.setattr(jit, "source_hash", lambda *_names: "an edited program")
    found.append(keys_of(load_game(race, engine="reference")))
    monkeypatch.setattr(jit.llvm, "get_host_cpu_name", lambda: "another processor")
    found.append(keys_of(load_game(race, engine="reference")))
    assert len(set().union(*found)) == 3 * len(found)


@pytest.mark.usefixtures("cache_folder")
def test_changed_rules_are_checked_again(race):
    load_game(race, engine="reference")
    race.write_text(TEXT.replace("+= 2", "+= two"), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(Rejected, match="two"):
            load_game(race, engine="reference")


FACTS = {
    "size": 8, "entry": PLAIN, "counters": [], "reasons": [], "decisions": [], "bets": [],
    "tricks": False, "frame": "",
}  # fmt: skip


def entry_of(code=b"\ncode", without="", **changed):
    facts = {name: value for name, value in {**FACTS, **changed}.items() if name != without}
    return json.dumps(facts).encode() + code


@pytest.mark.usefixtures("cache_folder")
@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"{}\ncode",
        b"[]\ncode",
        b"no json\ncode",
        b"[" * 100_000 + b"\ncode",
        entry_of(code=b"\n"),
        entry_of(code=b""),
        entry_of(size=0),
        entry_of(size=True),
        entry_of(size=2_000_000),
        entry_of(entry=PLAIN - 1),
        entry_of(entry=5000),
        entry_of(counters="ab"),
        entry_of(reasons=[1]),
        entry_of(more=1),
        entry_of(without="decisions"),
        entry_of(decisions={}),
        entry_of(decisions=["turn"]),
        entry_of(decisions=[[1, []]]),
        entry_of(decisions=[["a", [1]]]),
        entry_of(bets=1),
        entry_of(tricks=1),
        entry_of(without="tricks"),
        entry_of(frame=1),
    ],
)
def test_an_entry_with_invalid_facts_is_ignored(entry):
    key = key_of("matches", "game")
    turn = (("turn", ("play CARD", "pass")),)
    facts = Facts(8, PLAIN, ("points",), (), turn, (("turn", ("pass",)),), True, "nc")
    write_code(key, facts, b"code\n\x00")
    assert read_code(key) == (facts, b"code\n\x00")
    write_cache(key, entry_of())
    assert read_code(key) is not None
    write_cache(key, entry)
    assert read_code(key) is None


def errors_of(path):
    found = []
    game = load_game(path, engine="native")
    for play in (rows_of, counts_of, events_of, lambda g: Batch(g.steps, 1, 0, 4)):
        with pytest.raises(RuleError) as raised:
            play(game)
        found.append((raised.value.diagnostic, str(raised.value.diagnostic.span)))
    return [(d.code, d.message, d.notes, where) for d, where in found]


@pytest.mark.usefixtures("cache_folder")
def test_an_error_has_the_same_message_from_cached_code(root, monkeypatch):
    path = root / "tests/bad/runtime/no-option.yaml"
    first = errors_of(path)
    monkeypatch.setattr(jit, "optimize", fail_if_called)
    assert errors_of(path) == first


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "FILE", "--json"],
        ["simulate", "FILE", "--transcript", "-"],
        [
            "tournament",
            "FILE",
            "--strategies",
            "uniform,OTHER",
            "--jobs",
            "2",
            "--sets",
            "2",
            "--seed",
            "1",
        ],
    ],
)
def test_commands_print_the_same_with_and_without_the_cache(
    command, race, cache_folder, tmp_path, monkeypatch, capsys
):
    other = tmp_path / "other.py"
    other.write_text(OTHER, encoding="utf-8")
    command = [word.replace("FILE", str(race)).replace("OTHER", str(other)) for word in command]
    shown = []
    for number, more in enumerate((["--no-cache"], [], [])):
        monkeypatch.setenv("TRUTDSL_CACHE", str(cache_folder))
        out = ["--out", str(tmp_path / str(number))] if command[0] == "tournament" else []
        assert run([*command, *out, *more]) == 0
        shown.append(capsys.readouterr().out.replace(str(tmp_path / str(number)), "DIR"))
        assert cache_folder.exists() == (number > 0)
    assert len(set(shown)) == 1
