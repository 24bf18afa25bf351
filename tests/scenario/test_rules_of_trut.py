"""Every rule of the Trut family has a scenario for each number of players with which it differs."""

from collections import defaultdict

import pytest

from trutdsl.scenario.read import read_scenarios

# Every id of the rule table, with the numbers of players that need a scenario.
REQUIRED = """
T1 2; T2 4 6; T3 2 3 4; T4 2 4; T5 2 4; T6 2 3 4 6; T7 2 4; T8 2 3 4; T9 2 3 4; T10 2 3 4
T11 2 4; T12 2 4 6; T13 2 4 6; T14 2 3; T15 2 3; T16 2 3 4 6
T20 3; T21 3; T22 3; T23 3; T24 3; T30 6; T31 4 6
G1 2 3; G2 2 3 4 6; G3 2 3 4 6; G4 2 3 6; G5 2 3 4; G6 2 3
C1 2; C2 2 6; C3 2 4; C4 2 4 6; C5 2 3 6; C6 2 3 4 6
D1 2 4; D2 2 4; D3 2 4; D4 2; D5 2 4; D6 2 4
L1 2 3 6; L2 2; L3 2; L4 2 4; L5 2 3; L6 2 4 6; L7 2; L8 2 3; L9 2 3 4 6; L10 2 4; L11 2 4
L12 2; L13 2; L14 2; L15 2 3; L16 2 4; L17 2 3 4; L18 2; L19 2 3 4; L20 2 4; L21 3 4 6
"""
RULES = {
    words[0]: {int(n) for n in words[1:]}
    for entry in REQUIRED.replace("\n", ";").split(";")
    if (words := entry.split())
}
SPECIAL = [f"L{n}" for n in range(2, 20)]  # one for each card


@pytest.fixture(scope="module")
def players_by_rule(request):
    """Return the numbers of players of the scenarios of each rule."""
    found = defaultdict(list)
    for path in sorted((request.config.rootpath / "tests" / "scenarios").glob("*.yaml")):
        for scenario in read_scenarios(path, path.name):
            for rule in scenario.rules:
                found[rule].append(scenario.players)
    return found


def test_every_rule_has_a_scenario_with_each_required_number_of_players(players_by_rule):
    missing = {rule: required - set(players_by_rule[rule]) for rule, required in RULES.items()}
    assert {rule: players for rule, players in missing.items() if players} == {}


def test_every_special_card_has_two_scenarios(players_by_rule):
    assert [rule for rule in SPECIAL if len(players_by_rule[rule]) < 2] == []


def test_every_face_of_the_weasels_die_has_a_scenario(request):
    texts = [p.read_text() for p in (request.config.rootpath / "tests/scenarios").glob("*.yaml")]
    for face in range(1, 7):
        assert any(f"scenario: weasel-{face}-" in text for text in texts), face


def test_scenarios_cite_existing_rules(players_by_rule):
    assert {rule for rule in players_by_rule if rule[0] in "TGCDL"} <= RULES.keys()
