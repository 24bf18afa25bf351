"""Mistakes in a variant's file: one message, and what its help names is accepted."""

import os

import pytest
from applied_help import assert_help_is_accepted

from trutdsl.cli.app import run

HEAD = "variant: ours\ntitle: Ours\nextends: trut\n"
FULL = """\
variant: ours
title: Ours
players: [2]
teams: {2: 2}
uses: [lib/truc]
pack:
  suits: {h: hearts, s: spades}
  ranks: [A, K, Q, J, 10, 9, 8, 7]
"""
FIVE = HEAD + "players: [5]\n"
PRICED = FULL + "  values: {price: {h: 1, Qs: 13}}\n"
BONUS = HEAD + "counters:\n  bonus: {help: Points, all of them., min: -9}\n"
LUCK = (
    HEAD
    + """\
parameters:
  luck: {type: probability, default: 0.3, help: How often more is given.}
rules: |
  after rule score(winner: team) "x":
      let lucky = chance luck
      if lucky: petits[winner] += 1
"""
)
ACE = "  special_cards:\n    owl: {strength: above A}\n"


@pytest.mark.parametrize(
    ("wrong", "help_", "right"),
    [
        (
            HEAD + "set: {goal: 5 leader: dealer}\n",
            "write a comma between: `5, leader`",
            HEAD + "set: {goal: 5, leader: dealer}\n",
        ),
        (
            HEAD + "set: {goal: 5; leader: dealer}\n",
            "write a comma between: `5, leader`",
            HEAD + "set: {goal: 5, leader: dealer}\n",
        ),
        (
            HEAD + "set: {goal: 5}\nset: {leader: dealer}\n",
            "write the entries of both below one `set:`",
            HEAD + "set:\n  goal: 5\n  leader: dealer\n",
        ),
        (HEAD + "direction: left\n", "write `clockwise`", HEAD + "direction: clockwise\n"),
        (
            HEAD + "direction: anticlockwise\n",
            "write `counter-clockwise`",
            HEAD + "direction: counter-clockwise\n",
        ),
        (
            HEAD.replace("extends: trut", "extends: trut, truc-catalan"),
            "name one variant",
            HEAD,
        ),
        (HEAD.replace("variant:", "variant"), "1:1: error: found a line without ':'", HEAD),
        (HEAD.replace("variant:", "variant"), "write `variant: ours`", HEAD),
        (HEAD + "parameters: {goal: {default: 5}}\n", "`set: {goal: 5}`", HEAD + "set: {goal: 5}"),
        (FIVE, "write `teams: {5: 5}`", FIVE + "teams: {5: 5}\n"),
        (
            FULL.replace("players: [2]", "players: 2 to 3").replace("2: 2", "2: 2, 3: 3"),
            "write [2, 3]",
            FULL.replace("players: [2]", "players: [2, 3]").replace("2: 2", "2: 2, 3: 3"),
        ),
        (FULL.replace("{2: 2}", "2"), "write `teams: {2: 2}`", FULL),
        (FULL.replace("[lib/truc]", "lib/truc"), "write [lib/truc]", FULL),
        (FULL + "  special_cards: {owl: 9}\n", "write `owl: {strength: 9}`", FULL + ACE),
        (PRICED.replace("h: 1", "hearts: 1"), "write `h`", PRICED),
        (PRICED.replace("Qs", "sQ"), "write `Qs`", PRICED),
        (PRICED.replace("Qs", "Queen"), "write `Q`", PRICED),
        (PRICED.replace("Qs", "lady"), "or both, as in `Ah`", PRICED),
        (PRICED.replace("h: 1", "h=1"), "write `h: 1`", PRICED),
        (
            FULL.replace("s: spades", "ep: épées"),
            "write `e: épées`",
            FULL.replace("s: spades", "e: épées"),
        ),
        (
            BONUS,
            "put a text with a comma in quotes",
            BONUS.replace("Points, all of them.", "Points."),
        ),
        (
            FULL + "words: {en: {cards: {hA: the bull}}}\n",
            "known names in 'cards': 10h,",
            FULL + "words: {en: {cards: {Ah: the bull}}}\n",
        ),
        (FULL + ACE.replace("above A", "above ace"), "write `above A`", FULL + ACE),
        (
            HEAD + "players: 2 or 4\n",
            "write [2, 4]",
            HEAD + "players: [2, 4]\n",
        ),
        (FULL.replace("[A, K, Q, J, 10, 9, 8, 7]", "A > K > Q"), "write [A, K, Q]", FULL),
        (FULL.replace("10, 9, 8, 7]", "10-7]"), "one by one: `10, 9, 8, 7`", FULL),
        (FULL.replace("A, K", "A, King"), "write a short form, such as `Q`", FULL),
        (
            FULL + "  values: {A: 11}\n",
            "`values: {price: {A: 11}}`",
            FULL + "  values: {price: {A: 11}}\n",
        ),
        (HEAD + "set: {goal: five}\n", "write `5`", HEAD + "set: {goal: 5}\n"),
        (HEAD + "set: {fortial: oui}\n", "write true", HEAD + "set: {fortial: true}\n"),
        *(
            (
                LUCK.replace("0.3", share),
                f"found '{share}'; write {decimal}",
                LUCK.replace("0.3", decimal),
            )
            for share, decimal in (("30 %", "0.3"), ("2.5%", "0.025"), ("1/8", "0.125"))
        ),
        (
            HEAD + "vocabulary: |\n  strong: 3\n",
            "write `define` before `strong`",
            HEAD + "vocabulary: |\n  define strong: 3\n",
        ),
        (
            HEAD + "rulebook: {aim: Seven longs win.}\n",
            "write `aim: {won: {en: TEXT}}`",
            HEAD + "rulebook: {aim: {won: {en: Seven longs win.}}}\n",
        ),
        (HEAD.replace("ours", "our game", 1), "write `our-game`", HEAD),
        (HEAD + "players: [" + "9" * 21 + "]\n", "from 2 to 8, found '9999", HEAD),
    ],
)
def test_the_help_for_a_file_is_accepted(tmp_path, capsys, wrong, help_, right):
    assert_help_is_accepted(tmp_path / "ours.yaml", capsys, wrong, help_, right)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("extends: pipe.yaml\n", "found a device or pipe, expected a file"),
        ("extends: folder.yaml\n", "found a folder, expected a file"),
        ("extends: nothing.yaml\n", "there is no file 'nothing.yaml'"),
        ("rules: pipe.rules\n", "found a device or pipe, expected a file"),
        ("rules: nothing.rules\n", "there is no file 'nothing.rules' beside this one"),
    ],
)
def test_what_stands_in_the_place_of_a_file_is_named(tmp_path, monkeypatch, capsys, lines, found):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.yaml")
    os.mkfifo("pipe.rules")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "ours.yaml").write_text(HEAD.replace("extends: trut\n", "") + lines)
    assert run(["check", "ours.yaml"]) == 2
    assert f"ours.yaml:3:{lines.index(' ') + 2}: error: {found}" in capsys.readouterr().err
