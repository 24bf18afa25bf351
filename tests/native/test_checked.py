"""`TRUTDSL_CHECKED=1`: what lies in a match is looked at before it is used."""

import pytest

from trutdsl.game import load_game
from trutdsl.native.jit import StepCode, assembly_of, module_of
from trutdsl.native.play import NativeMatch
from trutdsl.native.play.runs import RunCode
from trutdsl.table.chance import StreamChance
from trutdsl.table.faults import RuleError
from trutdsl.table.setting import SeatedPlayer


@pytest.fixture
def checked(monkeypatch):
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")


def started(name, players):
    match = NativeMatch(StepCode(load_game(name, players, engine="reference")), StreamChance(1, 0))
    match.go_on(0)
    return match


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize(
    ("name", "at", "value", "told"),
    [
        ("on_lead", 0, 77, "'on_lead' holds what is not from 0 to 1"),
        ("caller", 0, -5, "'caller' holds what is not from -1 to 1"),
        ("petits", 0, 2**30, "'petits' holds what is not from 0 to 1000000"),
        ("hand", 0, 2**40 + 7, "'hand' holds what is not from 0 to 4294967295"),
        ("hand", 1, 2**40 + 7, "'hand' holds what is not from 0 to 4294967295"),
    ],
)
def test_what_cannot_be_is_told_with_rule_and_line(name, at, value, told):
    match = started("trut", 2)
    match.write(name, at, value)
    with pytest.raises(RuleError) as wrong:
        for _ in range(40):
            match.go_on(0)
    found = wrong.value.diagnostic
    assert (found.code, found.message) == ("engine", told)
    assert found.span.source.name.endswith(".yaml")
    assert found.place


def test_the_same_matches_are_played(monkeypatch):
    names = [SeatedPlayer("uniform")] * 3
    plain = list(RunCode(load_game("trut-club", 3, engine="reference")).run(names, 5, 0, 200))
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")
    assert (
        list(RunCode(load_game("trut-club", 3, engine="reference")).run(names, 5, 0, 200)) == plain
    )


def test_the_checks_are_there_only_if_asked_for(monkeypatch):
    game = load_game("trut", 2, engine="reference")
    plain = module_of(game.program, game.setting)
    assert "!range" in plain
    assert "holds what" not in plain
    monkeypatch.setenv("TRUTDSL_CHECKED", "1")
    guarded = module_of(game.program, game.setting)
    assert "!range" not in guarded
    assert len(guarded) > 1.5 * len(plain)


def test_instructions_stand_beside_rule_and_line():
    game = load_game("trut", 2, engine="reference")
    text = module_of(game.program, game.setting)
    span = game.program.rules["match"].body.statements[0].span
    assert f"; Perform in rule 'match' [T15 000], {span.source.name}:{span.line}" in text
    assert assembly_of(game.program, game.setting)
