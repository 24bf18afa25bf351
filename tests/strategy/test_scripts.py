"""Scripts as files: the check accepts good ones, and refuses bad ones with the expected text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game
from trutdsl.ir import nodes
from trutdsl.ir.nodes import walk
from trutdsl.ir.script import build_policy
from trutdsl.strategy import script
from trutdsl.strategy.fitness import fitness, is_meant_for, variants_of_script
from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.variant import list_variants, load_variant

FOLDER = Path(__file__).parent
GOOD = sorted(path.stem for path in (FOLDER / "good").glob("*.strategy"))
BAD = sorted(path.stem for path in (FOLDER / "bad").glob("*.strategy"))
CODE = re.compile(r": error: .* \[([a-z-]+)\]$", re.MULTILINE)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_script_is_accepted(name, monkeypatch, capsys):
    monkeypatch.chdir(FOLDER / "good")
    assert run(["check", f"{name}.strategy"]) == DONE
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith(f"{name}.strategy: ok, complete on ")


@pytest.mark.parametrize("name", BAD)
def test_a_bad_script_is_refused_with_the_expected_text(name, expect_file, monkeypatch, capsys):
    monkeypatch.chdir(FOLDER / "bad")
    assert run(["check", f"{name}.strategy"]) == BAD_INPUT
    captured = capsys.readouterr()
    assert captured.out == ""
    expect_file(FOLDER / "bad" / f"{name}.txt", captured.err)
    codes = CODE.findall(captured.err)
    assert codes
    if name == "several-mistakes":
        assert len(set(codes)) > 1
    else:
        assert all(f"{name}-".startswith(f"{code}-") for code in codes)


@pytest.mark.parametrize("file", ["bets.yaml", "dealing.yml"])
def test_a_script_for_a_file_is_not_for_the_shipped_module_of_the_same_name(file, tmp_path):
    text = (FOLDER / "good" / "small.yaml").read_text(encoding="utf-8")
    own = text.replace("variant: small", f"variant: {file.partition('.')[0]}")
    (tmp_path / file).write_text(own, encoding="utf-8")
    path = tmp_path / "mine.strategy"
    path.write_text(f'strategy mine for "{file}":\n    otherwise: any\n', encoding="utf-8")
    spec, variant = load_strategy(str(path)), load_variant(str(tmp_path / file))
    assert [v.fingerprint for v in variants_of_script(spec)] == [variant.fingerprint]
    assert is_meant_for(spec, variant)


def test_bad_scripts_and_expected_texts_correspond():
    assert {path.stem for path in (FOLDER / "bad").glob("*.txt")} == set(BAD)


def test_messages_contain_no_programming_terms():
    odd = re.compile(r"\b(None|null|token|parse|AST|exception|Traceback|int|bool|str)\b|\{|\}")
    for path in sorted((FOLDER / "bad").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if ": error: " in line or line.startswith(("  note: ", "  help: ")):
                said = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "", line)
                assert not odd.search(said), f"{path.name}: {line}"


def test_the_good_scripts_cover_every_node_of_strategies():
    game = load_game(FOLDER / "good" / "small.yaml", engine="reference")
    shown = set()
    for name in GOOD:
        spec = load_strategy(str(FOLDER / "good" / f"{name}.strategy"))
        built = build_policy(spec.script, spec.values, spec.name, game.variant, game.program)
        shown |= {type(node) for node in walk(built.program.policies[built.policy])}
    of_strategies = {
        nodes.Legal,
        nodes.LegalAt,
        nodes.Lookup,
        nodes.Remembered,
        nodes.Take,
        nodes.TakeAny,
    }
    assert of_strategies | {nodes.Memory, nodes.Answer, nodes.Policy} <= shown


def test_a_define_gets_memory_as_an_argument():
    """So functions of a program depend only on the match and their arguments."""
    game = load_game(FOLDER / "good" / "small.yaml", engine="reference")
    spec = load_strategy(str(FOLDER / "good" / "everything.strategy"))
    program = build_policy(spec.script, spec.values, spec.name, game.variant, game.program).program
    functions = [f for name, f in program.functions.items() if name.startswith("everything:")]
    assert functions
    assert not any(isinstance(n, nodes.Remembered) for f in functions for n in walk(f.body))


@pytest.mark.parametrize("name", list_strategies())
def test_every_shipped_script_passes_the_check(name, capsys):
    assert run(["check", name]) == DONE
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("bluff=2", "parameter 'bluff' must be a decimal from 0 to 1"),
        ("blufff=0.2", "has no parameter 'blufff'; did you mean 'bluff'?"),
        ("most=9", "parameter 'most' must be a whole number from 1 to 4, found '9'"),
        ("style=hihg", "must be one of high, low, found 'hihg'; did you mean 'high'?"),
        ("bluff", "is set by NAME=VALUE, not by 'bluff'"),
        ("bluff=0.1,bluff=0.2", "the parameter 'bluff' is set twice"),
    ],
)
def test_a_bad_setting_is_refused(setting, message, monkeypatch, capsys):
    monkeypatch.chdir(FOLDER / "good")
    command = ["simulate", "small.yaml", "--strategies", f"everything.strategy:{setting}"]
    assert run(command) == BAD_INPUT
    assert message in capsys.readouterr().err


def test_settings_are_part_of_a_name_and_of_a_fingerprint():
    path = str(FOLDER / "good" / "everything.strategy")
    plain, same = load_strategy(path), load_strategy(f"{path}:bluff=0.125")
    other = load_strategy(f"{path}:style=low,bluff=0.2")
    assert plain.name == same.name == "everything"
    assert plain.fingerprint == same.fingerprint != other.fingerprint
    assert other.name == "everything:bluff=0.2,style=low"


@pytest.mark.parametrize("name", ["hidden-hand", "not-covered", "unknown-name-option"])
def test_a_bad_script_is_refused_before_play(name, monkeypatch, capsys):
    monkeypatch.chdir(FOLDER / "bad")
    command = ["simulate", "../good/small.yaml", "--strategies", f"{name}.strategy"]
    assert run(command) == BAD_INPUT
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{name}.strategy:" in captured.err


def test_a_script_for_another_variant_is_refused(monkeypatch, capsys):
    monkeypatch.chdir(FOLDER / "good")
    assert run(["simulate", "trut", "--strategies", "everything.strategy"]) == BAD_INPUT
    assert "is for small.yaml, and not for 'trut' [not-meant]" in capsys.readouterr().err


def test_a_script_fits_variants_that_extend_its_variant(monkeypatch, tmp_path, capsys):
    (tmp_path / "house.yaml").write_text("variant: house\ntitle: House\nextends: trut\n")
    monkeypatch.chdir(tmp_path)
    assert run(["check", "steady", "--for", "house.yaml"]) == DONE
    assert "complete on house" in capsys.readouterr().out


@pytest.mark.thorough
def test_the_matrix_lists_which_strategy_fits_which_variant(capsys):
    assert run(["list", "--matrix", "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found["strategies"] == [*list_strategies(), "monte-carlo"]
    assert [row["name"] for row in found["variants"]] == list(list_variants())
    for row in found["variants"]:
        variant = load_variant(row["name"])
        assert row["players"] == list(variant.players)
        assert row["fits"].pop("monte-carlo") == "complete"
        for name, fit in row["fits"].items():
            assert fit == ("complete" if is_meant_for(load_strategy(name), variant) else "-")
    assert run(["list", "--matrix"]) == DONE
    output = " ".join(capsys.readouterr().out.split())
    assert "uniform every variant" in output
    assert "reckoner tute " in output


def test_a_strategy_can_be_unfit_or_incomplete_for_a_variant():
    game = load_game(FOLDER / "good" / "small.yaml", engine="reference")
    fits = [
        fitness(load_strategy(str(FOLDER / "bad" / "not-covered.strategy")), game),
        fitness(load_strategy("steady"), game),
        fitness(load_strategy("uniform"), game),
    ]
    assert fits == ["incomplete", "-", "complete"]


def test_an_extended_script_may_be_for_more_games(monkeypatch, tmp_path, capsys):
    """`steady` uses `fortial` and trut, which Truc lacks. Own mistakes are still reported."""
    text = 'strategy narrow extends steady "For one game." for truc-catalan:\n    on respond: {}\n'
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "narrow.strategy"
    path.write_text(text.format("fold"), encoding="utf-8")
    assert run(["check", "narrow.strategy"]) == DONE
    path.write_text(text.format("trut"), encoding="utf-8")
    assert run(["check", "narrow.strategy"]) == BAD_INPUT
    assert "'respond' has no option 'trut'" in capsys.readouterr().err


NAMED = """\
variant: named
title: Named
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K]}
counters: {points: {help: Points.}}
rules: |
  rule match:
      ask dealer "name":
          trump s from suits: points[team(dealer)] += 1
          low n from 1 to 2
      end match won by team(dealer)
"""


@pytest.mark.parametrize(
    ("clause", "numbers", "is_complete"),
    [
        ("trump s with highest points[team(me)]", "1 to 2", True),
        ('trump s where s == "h"', "1 to 2", False),
        ("low n", "1 to 2", True),
        ("low n", "1 to points[team(dealer)]", False),  # there may be none
    ],
)
def test_a_clause_for_an_option_that_is_always_offered_is_enough(
    clause, numbers, is_complete, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("named.yaml").write_text(NAMED.replace("1 to 2", numbers))
    lines = f'strategy one for "named.yaml":\n    on name:\n        {clause}\n'
    Path("one.strategy").write_text(lines)
    assert (run(["check", "one.strategy"]) == DONE) == is_complete
    assert ("[not-covered]" in capsys.readouterr().err) != is_complete


def test_a_policy_has_a_list_of_its_gaps():
    game = load_game(FOLDER / "good" / "small.yaml", engine="reference")
    spec = load_strategy(str(FOLDER / "bad" / "not-covered.strategy"))
    built = build_policy(spec.script, spec.values, spec.name, game.variant, game.program)
    assert {gap.decision: gap.is_bare for gap in built.gaps} == {
        "turn": False,
        "raise": False,
        "note": True,
    }


def test_a_cached_script_is_parsed_only_on_use(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    parsed = []
    monkeypatch.setattr(script, "_parse", lambda s, was=script._parse: parsed.append(s) or was(s))
    base, own = tmp_path / "base.strategy", tmp_path / "own.strategy"
    text = 'strategy base "Chooses anything.":\n    otherwise:\n        any\n'
    base.write_text(text)
    own.write_text('strategy own extends "base.strategy" "The same.":\n    define x: 1\n')
    first = load_strategy(str(own))
    assert parsed
    parsed.clear()
    again = load_strategy(str(own))
    assert not parsed
    for name in ("name", "summary", "path", "fingerprint", "variants", "uniform"):
        assert getattr(again, name) == getattr(first, name)
    assert [s.text for s in again.sources] == [own.read_text(), text]
    assert again.uniform and again.script.defines.keys() == {"x"} and not again.values and parsed
    # The extended script has changed, so everything is read again.
    base.write_text(f"{text}# changed\n")
    parsed.clear()
    assert load_strategy(str(own)).fingerprint != first.fingerprint and parsed
    base.write_text(text.replace("base", "other"))
    with pytest.raises(Rejected):
        load_strategy(str(own))
    base.unlink()
    with pytest.raises(Rejected, match="there is no strategy"):
        load_strategy(str(own))
