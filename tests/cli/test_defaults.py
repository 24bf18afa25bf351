"""`trutdsl.toml` sets defaults of options. Arguments override them; mistakes have a position."""

import json
from pathlib import Path

import pytest

from trutdsl.cli.app import run
from trutdsl.cli.defaults import find_defaults


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "repository" / "rules"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LC_ALL", "C")
    return folder


def simulate(capsys, *args):
    capsys.readouterr()
    assert run(["simulate", "trut", "--json", *args]) == 0
    return json.loads(capsys.readouterr().out)


def run_and_read_manifest(*args):
    assert run(["tournament", *args, "-q", "--jobs", "1", "--out", "run"]) == 0
    return json.loads(Path("run/manifest.json").read_text())


def test_the_command_line_overrides_the_file(folder, capsys):
    (folder / "trutdsl.toml").write_text(
        "[simulate]\nmatches = 3\nseed = 5\nstrategies = 'steady'\nparam = ['goal=2']\n"
    )
    found = simulate(capsys)
    assert (found["matches"], found["seed"], found["strategies"]) == (3, 5, ["steady"] * 2)
    assert found["parameters"]["goal"] == "2"
    found = simulate(capsys, "--matches", "4", "--param", "goal=3")
    assert (found["matches"], found["seed"], found["parameters"]["goal"]) == (4, 5, "3")


def test_keys_at_the_top_apply_to_every_command(folder, capsys):
    (folder / "trutdsl.toml").write_text("lang = 'fr'\nquiet = true\nno-cache = true\n")
    assert run(["rules", "trut", "-o", "trut.md"]) == 0
    assert capsys.readouterr().err == ""
    assert run(["simulate", "trut", "--matches", "0"]) == 2
    assert capsys.readouterr().err.startswith("erreur")
    assert run(["simulate", "trut", "--matches", "0", "--lang", "en"]) == 2
    assert capsys.readouterr().err.startswith("error")


def test_another_amount_overrides_that_of_the_file(folder):
    (folder / "trutdsl.toml").write_text("[tournament]\nsets = 8\nstrategies = 'uniform,quiet'\n")
    assert run_and_read_manifest("trut")["sets"] == 8
    (folder / "run").rename("first")
    assert run_and_read_manifest("trut", "--matches", "12")["sets"] == 6


@pytest.mark.parametrize("amount", ["sets: 5", "matches: 10"])
def test_an_experiment_overrides_the_file(folder, amount):
    (folder / "trutdsl.toml").write_text("[tournament]\nsets = 8\nseed = 9\nmove-timeout = 5\n")
    text = f"experiment: e\nvariant: trut\nstrategies: [uniform, quiet]\nseed: 3\n{amount}\n"
    (folder / "e.yaml").write_text(text)
    found = run_and_read_manifest("e.yaml")
    assert (found["sets"], found["seed"], found["move_timeout"]) == (5, 3, 5.0)


def test_the_command_line_overrides_an_experiment_and_the_file(folder):
    (folder / "trutdsl.toml").write_text("[tournament]\nseed = 9\nmove-timeout = 5\n")
    text = "experiment: e\nvariant: trut\nstrategies: [uniform, quiet]\nseed: 3\nsets: 2\n"
    (folder / "e.yaml").write_text(text)
    assert run_and_read_manifest("e.yaml", "--seed", "7")["seed"] == 7


@pytest.mark.thorough
def test_a_comparison_overrides_the_file(folder, capsys):
    (folder / "trutdsl.toml").write_text("[compare]\nsets = 8\nseed = 9\njobs = 1\n")
    rest = {"variants": ["trut", "trut:goal=6"], "strategies": ["uniform"], "deals": 600}
    text = json.dumps({"experiment": "e", "seed": 3, **rest})  # JSON is also YAML
    (folder / "e.yaml").write_text(text)
    assert run(["compare", "e.yaml", "--json", "-q"]) == 0
    found = json.loads(capsys.readouterr().out)["comparison"]
    assert (found["sets"] > 8, found["seed"]) == (True, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lang = 'de'", "1:1: error: found 'de', expected one of en, fr"),
        ("jobs = 3", "1:1: error: 'jobs' has no meaning here; expected lang, quiet, no-cache"),
        ("[tornament]", "1:2: error: there is no command 'tornament'"),
        ("\n[simulate]\nmaches = 3", "3:1: error: simulate has no option --maches"),
        ("simulate.maches = 3", "1:1: error: simulate has no option --maches"),
        ("[simulate]\nlang = 'fr'", "2:1: error: 'lang' is for all commands"),
        ("[simulate]\nmatches = 'x'", "2:1: error: found 'x', expected a whole number"),
        ("[simulate]\nmatches = true", "2:1: error: found true, expected a whole number"),
        ("[simulate]\n  legal = 1", "2:3: error: found 1, expected true or false"),
        ("[simulate]\nstrategies = ''", "2:1: error: found '', expected a text"),
        ("[simulate]\nparam = [[1]]", "2:1: error: found [[1]], expected a list of texts"),
        ("[simulate]\nmatches = ", "2:9: error: this is not TOML [syntax]"),
        ("[simulate", "1:9: error: this is not TOML [syntax]"),
        ("x = " + "[" * 3_000, "1:45: error: found more than 40 lists and mappings one inside"),
        ("x = 1\ny = " + "{a=" * 3_000, "2:125: error: found more than 40 lists and mappings"),
        ("lang = fr", "1:8: error: this is not TOML [syntax]"),
        ("quiet = true\nquiet = true", "2:12: error: a key or table occurs twice [syntax]"),
        ("lang = 'fr'\n\0", "2:1: error: found the character U+0000, expected text"),
        ("lang = 'fr' # \udce9", "1:15: error: found the byte 0xE9, expected text in UTF-8"),
    ],
)
def test_a_mistake_has_a_position(folder, capsys, text, message):
    (folder / "trutdsl.toml").write_text(text, "utf-8", "surrogateescape")
    assert run(["simulate", "trut", "--matches", "2"]) == 2
    assert capsys.readouterr().err.startswith(f"trutdsl.toml:{message}")


def test_a_value_that_the_command_refuses_is_traced_to_the_file(folder, capsys):
    (folder / "trutdsl.toml").write_text("[simulate]\nplayers = 7\nmatches = 2\n")
    assert run(["simulate", "trut"]) == 2
    assert capsys.readouterr().err == (
        "error: trut is for 2, 3, 4, 6 players, not 7\n"
        "  note: trutdsl.toml sets --matches, --players\n"
    )
    assert run(["simulate", "trut", "--players", "5"]) == 2
    assert capsys.readouterr().err.endswith("not 5\n  note: trutdsl.toml sets --matches\n")


def test_a_mistake_in_french_has_no_english_words(folder, capsys):
    (folder / "trutdsl.toml").write_text("lang = fr\n")
    assert run(["list", "--lang", "fr"]) == 2
    assert capsys.readouterr().err == (
        "trutdsl.toml:1:8: erreur\u00a0: ce n'est pas du TOML [syntax]\n"
        "    1 | lang = fr\n"
        "      |        ^\n"
        "  conseil\u00a0: écrivez `[tournament]`, `jobs = 4` ou `lang = 'fr'`, les textes entre "
        "guillemets droits\n"
    )


def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(folder, capsys):
    (folder / "trutdsl.toml").write_bytes(b"\xef\xbb\xbf[simulate]\r\nmatches = 3\r\n")
    assert simulate(capsys)["matches"] == 3


def test_a_table_of_another_command_is_ignored(folder, capsys):
    (folder / "trutdsl.toml").write_text("[tournament]\nmaches = 3\n")
    assert simulate(capsys)["matches"] == 10


def test_the_nearest_file_up_to_the_repository_root_applies(folder, tmp_path):
    outside, inside = tmp_path / "trutdsl.toml", folder.parent / "trutdsl.toml"
    outside.touch()
    inside.touch()
    elsewhere = tmp_path / "home"
    assert find_defaults(folder, elsewhere) is None, (
        "neither in a repository nor in the home folder"
    )
    assert find_defaults(folder, folder.parent) == inside
    (folder.parent / ".git").mkdir()
    assert find_defaults(folder, elsewhere) == inside
    inside.unlink()
    assert find_defaults(folder, tmp_path) is None
    (folder / "trutdsl.toml").touch()
    assert find_defaults(folder, elsewhere) == folder / "trutdsl.toml"
