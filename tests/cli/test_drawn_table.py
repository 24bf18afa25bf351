"""The drawn table at a terminal: its title, and where it is not drawn."""

import os

import pytest
from at_a_terminal import shown, terminal

from trutdsl.cli.screen import can_draw

SCENARIO = """\
scenario: fourth
variant: {variant}
players: 2
start:
  at: deal 4
  dealer: 0
  hands: {{0: [8c, 8d, Kc], 1: [7h, Ad, Ah]}}
actions: []
expect: {{deal_over: false}}
"""
CALL = ["play", "fourth.yaml", "--scenario", "fourth"]
EDGE = "╭────╮"


def first_screen(folder, columns=80, variant="trut"):
    (folder / "fourth.yaml").write_text(SCENARIO.format(variant=variant))
    return [line.rstrip() for line in shown(columns, *CALL, folder=folder).splitlines()]


def test_the_title_has_the_number_of_the_deal(tmp_path):
    lines = first_screen(tmp_path)
    assert "Deal 4. Player 1 (steady) deals." in lines
    assert " Trut" + " " * 66 + "Deal 4" in lines


def test_a_long_title_has_lines_of_its_own(tmp_path):
    title = " ".join(["Trut of the long evenings"] * 4)
    (tmp_path / "house.yaml").write_text(f"variant: house\ntitle: {title}\nextends: trut\n")
    lines = first_screen(tmp_path, variant="house.yaml")
    assert " " * 71 + "Deal 4" in lines
    assert title in " ".join(" ".join(lines[lines.index("─" * 78) :]).split())


@pytest.mark.parametrize(("columns", "drawn"), [(78, True), (77, False)])
def test_cards_are_drawn_where_there_is_room(columns, drawn, tmp_path):
    lines = first_screen(tmp_path, columns)
    assert any(EDGE in line for line in lines) == drawn
    assert "Deal 4. Player 1 (steady) deals." in lines


@pytest.mark.parametrize(("encoding", "drawn"), [("utf-8", True), ("latin-1", False)])
def test_cards_are_drawn_with_signs_of_the_encoding(encoding, drawn):
    with terminal(80) as (_, its), os.fdopen(os.dup(its), "w", encoding=encoding) as output:
        assert can_draw(output) == drawn
