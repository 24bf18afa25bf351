"""Options that differ only in words after the choice: `name hearts`, `name hearts alone`."""

import json

import pytest

from trutdsl.cli.app import BAD_INPUT, DONE, run

GAME = """\
variant: naming
title: Naming a suit
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q]}
counters: {points: {help: Who names scores.}}
rules: |
  rule match:
      repeat 3 times:
          deal:
              ask dealer "name":
                  pass
                  name s from suits: points[team(dealer)] += 1
                  name s from suits "alone": points[team(dealer)] += 2
              end deal won by team(dealer) because named
          dealer = next_seat(dealer)
      end match drawn
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "naming.yaml").write_text(GAME, encoding="utf-8")
    return tmp_path


def write_script(folder, name, clause):
    text = (
        f'strategy {name} "Names." for "naming.yaml":\n    on name: {clause}\n    otherwise: any\n'
    )
    (folder / f"{name}.strategy").write_text(text, encoding="utf-8")
    return f"{name}.strategy"


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(
    ("clause", "option"),
    [
        ("name s at random", "name SUIT"),
        ("name s alone", "name SUIT alone"),
        ('name s "alone" where s == "h"', "name SUIT alone"),
    ],
)
def test_a_clause_names_either_option(clause, option, engine, folder, capsys):
    path = write_script(folder, "chooser", clause)
    command = ["simulate", "naming.yaml", "--strategies", path, "--matches", "5", "--json"]
    assert run([*command, "--engine", engine]) == DONE
    chosen = json.loads(capsys.readouterr().out)["answers"]["name"]
    assert {name: one["count"] for name, one in chosen.items()} == {
        "pass": 0, "name SUIT": 0, "name SUIT alone": 0, option: 15,
    }  # fmt: skip


def test_an_unknown_word_after_the_choice_is_refused(folder, capsys):
    assert run(["check", write_script(folder, "wrong", "name s solo")]) == BAD_INPUT
    error = capsys.readouterr().err
    assert "'name' is an option with 1 choice to be named" in error
    assert "write `name x` or `name x alone`" in error


@pytest.mark.parametrize("clause", ["bid n points, s alone", "bid n points s alone"])
def test_words_stand_behind_each_of_several_choices(clause, folder, capsys):
    path = folder / "naming.yaml"
    option = 'bid n from 1 to 2 "points", s from suits "alone"'
    path.write_text(GAME.replace('name s from suits "alone"', option), encoding="utf-8")
    assert run(["check", write_script(folder, "bidder", clause)]) == DONE
    assert "ok, complete on naming" in capsys.readouterr().out
