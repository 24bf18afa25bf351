"""The page of `trutdsl simulate`: its contents, and its command, which reproduces it."""

import json
import shlex
from copy import deepcopy

import pytest
from french import find_bad_joins, text_on
from pages import Page
from test_pages_in_french import find_unknown_words

from trutdsl import simulate
from trutdsl.cli.app import run
from trutdsl.game import load_game
from trutdsl.report.blocks import Tiles
from trutdsl.report.simulation_page import check_simulation, simulation_page
from trutdsl.strategy.fitness import seat_all
from trutdsl.variant import words_of

CALLS = {
    "match": "simulate trut --players 4 --strategies bluffer,steady --matches 30 --seed 3",
    "first": "simulate trut --players 2 --strategies steady --matches 9 --first 4 --seed 3",
    "deals": "simulate trut-gatinaise --players 2 --matches 40 --seed 3 --mode deals "
    "--score longs=2,0 --param goal=3",
}


def make_page(call, folder, capsys, *more):
    """Return the page of a call, and the figures that it prints as JSON."""
    file = folder / "page.html"
    assert run([*shlex.split(call), "--json", "-o", str(file), *more]) == 0
    return file.read_text(encoding="utf-8"), json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("kind", CALLS)
def test_the_command_on_the_page_reproduces_it(kind, tmp_path, capsys):
    page, figures = make_page(CALLS[kind], tmp_path, capsys)
    command = next(Page(page).root.all("code")).text
    second_page, second_figures = make_page(command.removeprefix("trutdsl "), tmp_path, capsys)
    assert (second_page, second_figures) == (page, figures)


def test_a_page_has_answers_tiles_groups_rules_and_strategies(tmp_path, capsys):
    page, _ = make_page(CALLS["match"], tmp_path, capsys)
    root = Page(page).root
    assert 2 <= len(list(next(root.all("ul", **{"class": "answers"})).all("li"))) <= 5
    assert len(list(root.all("div", **{"class": "tile clear level"}))) == 4
    summaries = [one.text for one in root.all("summary")]
    assert [text.partition(":")[0] for text in summaries[:4]] == [
        "Length", "Fairness", "Luck and skill", "Boldness",
    ]  # fmt: skip
    assert "Aim of the game" in summaries and "Be the first team to own 7" in root.text
    assert "Calls on strong hands" in root.text, "a sentence on bluffer"
    assert "All 7 hold." in root.text


def test_a_dealer_who_wins_no_deal_has_the_tile():
    game = load_game("trut", 2)
    figures = deepcopy(dict(simulate("trut", "steady", matches=2, players=2)))
    figures["deal_winners"]["dealer"] = {
        "count": 0, "share": {"mean": 0.0, "low": 0.0, "high": 0.1},
    }  # fmt: skip
    page = simulation_page(figures, game, seat_all(game, "steady"), "")
    (tile,) = (
        tile for block in page.sections[0].blocks if isinstance(block, Tiles)
        for tile in block.tiles if tile.title == "Deals won by the dealer's side"
    )  # fmt: skip
    assert tile.figure == "0%" and next(name for name, *_ in tile.bars) == "dealer's side"


def test_the_page_of_a_house_rule_lists_its_changes(tmp_path, capsys):
    page, _ = make_page("simulate trut-gatinaise --matches 3 --seed 1", tmp_path, capsys)
    assert "What Trut in the manner of the Gatine changes" in Page(page).root.text


def test_a_page_in_french_has_no_english_word(tmp_path, capsys):
    for call in CALLS.values():
        page, _ = make_page(call, tmp_path, capsys, "--lang", "fr")
        assert find_unknown_words(page) == set()
        assert find_bad_joins(text_on(Page(page).root)) == []
        assert '<html lang="fr">' in page


def test_figures_have_the_same_keys_in_every_language(tmp_path, capsys):
    _, english = make_page(CALLS["match"], tmp_path, capsys)
    options = ("--lang", "fr", "--seconds-per-choice", "2.5")
    page, french = make_page(CALLS["match"], tmp_path, capsys, *options)
    assert english == french and "1 seat on" in english["deal_winners"]
    assert "Minutes, à 2,5 s par choix" in Page(page).root.text


def test_python_gives_the_same_page(tmp_path, capsys):
    for language in ("en", "fr"):
        page, figures = make_page(CALLS["match"], tmp_path, capsys, "--lang", language)
        result = simulate("trut", ["bluffer", "steady"], matches=30, players=4, seed=3)
        assert result == figures
        assert result.to_html(language) == page


def test_the_page_of_a_call_names_scripts_by_their_paths(tmp_path):
    path = tmp_path / "mine.strategy"
    path.write_text("strategy mine:\n    otherwise: any\n")
    page = simulate("trut", [path, "uniform"], matches=1, players=2).to_html()
    assert f"--strategies {path},uniform " in page


def test_contradictions_are_found():
    figures = simulate("trut", "steady", matches=5, players=2, seed=1)
    words = words_of(load_game("trut", engine="reference").variant)
    assert all(check.holds for check in check_simulation(figures, words))
    for path in (("deal_ends", "played", "count"), ("deal_winners", "dealer", "count")):
        wrong = deepcopy(dict(figures))
        wrong[path[0]][path[1]][path[2]] += 1
        assert sum(not check.holds for check in check_simulation(wrong, words)) == 1
    wrong = deepcopy(dict(figures))
    wrong["wins"][0]["mean"] += 0.1
    assert sum(not check.holds for check in check_simulation(wrong, words)) == 1


def test_a_bad_path_is_refused_before_play(tmp_path, capsys):
    for place, message in (
        (tmp_path, "is a folder"),
        (tmp_path / "no" / "x.html", "there is no folder"),
    ):
        assert run(["simulate", "trut", "--matches", str(10**12), "-o", str(place)]) == 2
        assert message in capsys.readouterr().err
