"""`TRUTDSL_CHECKED=1`: machine code checks each value of a match before it uses it."""

import pytest
from whole_runs import results_of_runs

from trutdsl.game import load_game
from trutdsl.native.jit import StepCode, assembly_of, module_of
from trutdsl.native.play import NativeMatch
from trutdsl.table.chance import StreamChance
from trutdsl.table.faults import RuleError
from trutdsl.table.setting import SeatedPlayer


@pytest.fixture
def checked(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")


def start_match(name, players):
    match = NativeMatch(StepCode(load_game(name, players, engine="reference")), StreamChance(1, 0))
    match.go_on(0)
    return match


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize(
    ("name", "at", "value", "message"),
    [
        ("on_lead", 0, 77, "'on_lead' holds what is not from 0 to 1"),
        ("caller", 0, -5, "'caller' holds what is not from -1 to 1"),
        ("petits", 0, 2**30, "'petits' holds what is not from 0 to 1000000"),
        ("hand", 0, 2**40 + 7, "'hand' holds what is not from 0 to 4294967295"),
        ("hand", 1, 2**40 + 7, "'hand' holds what is not from 0 to 4294967295"),
    ],
)
def test_an_impossible_value_is_reported_with_rule_and_line(name, at, value, message):
    match = start_match("trut", 2)
    match.write(name, at, value)
    with pytest.raises(RuleError) as wrong:
        for _ in range(40):
            match.go_on(0)
    found = wrong.value.diagnostic
    assert (found.code, found.message) == ("engine", message)
    assert found.span.source.name.endswith(".yaml")
    assert found.place


@pytest.mark.thorough
def test_checks_do_not_change_matches(monkeypatch):
    names = [SeatedPlayer("uniform")] * 3
    plain = results_of_runs(load_game("trut-club", 3, engine="reference"), names, 5, 0, 200)
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")
    checked = results_of_runs(load_game("trut-club", 3, engine="reference"), names, 5, 0, 200)
    assert checked == plain


def test_code_has_checks_only_on_request(monkeypatch):
    game = load_game("trut", 2, engine="reference")
    plain = module_of(game.program, game.setting)
    assert "!range" in plain
    assert "holds what" not in plain
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")
    guarded = module_of(game.program, game.setting)
    assert "!range" not in guarded
    assert len(guarded) > 1.5 * len(plain)


def test_instructions_have_comments_with_rule_and_line():
    game = load_game("trut", 2, engine="reference")
    text = module_of(game.program, game.setting)
    span = game.program.rules["match"].body.statements[0].span
    assert f"; Perform in rule 'match' [T15 000], {span.source.name}:{span.line}" in text
    assert assembly_of(game.program, game.setting)
