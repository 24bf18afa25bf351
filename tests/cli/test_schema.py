"""JSON Schemas of YAML files: shipped files are valid, and common mistakes are not."""

import json
import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from trutdsl.cli.app import run
from trutdsl.cli.developers import DIALECT, SCHEMAS
from trutdsl.scenario.read import SCENARIO_KEYS
from trutdsl.variant.manifest import VARIANT_KEYS

ROOT = Path(__file__).parents[2]
VARIANTS = [*ROOT.glob("variants/**/*.yaml"), *ROOT.glob("tests/good/**/*.yaml")]
VALIDATORS = {name: Draft202012Validator(shape()) for name, shape in SCHEMAS.items()}
CORE_TYPES = {  # YAML 1.2, which editors read
    "bool": "true|false",
    "int": "-?[0-9]+",
    "float": r"-?[0-9]+\.[0-9]+",
    "null": "null|~|",
}


class CoreLoader(yaml.CSafeLoader):
    """Reads YAML as editors do, with texts as keys."""

    def construct_mapping(self, node, _deep=False):
        return {
            str(key.value): self.construct_object(value, deep=True) for key, value in node.value
        }


CoreLoader.yaml_implicit_resolvers = {}
for kind, pattern in CORE_TYPES.items():
    CoreLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{kind}", re.compile(f"^(?:{pattern})$"), None
    )
CoreLoader.add_constructor("tag:yaml.org,2002:map", CoreLoader.construct_mapping)


def find_mistakes(name, text):
    documents = yaml.load_all(text, CoreLoader)
    return [e.message for one in documents for e in VALIDATORS[name].iter_errors(one)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_command_prints_a_schema(capsys, name):
    assert run(["schema", name]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == {"$schema": DIALECT, **SCHEMAS[name]()}
    Draft202012Validator.check_schema(printed)


def test_variants_and_modules_are_valid():
    assert len(VARIANTS) > 60
    assert {
        p.name: found for p in VARIANTS if (found := find_mistakes("variant", p.read_text()))
    } == {}


def test_scenarios_are_valid():
    files = [*ROOT.glob("tests/scenarios/*.yaml")]
    assert len(files) > 20
    assert {
        p.name: found for p in files if (found := find_mistakes("scenario", p.read_text()))
    } == {}


TOURNAMENT = "experiment: e\nvariant: trut\nstrategies: [steady, ./mine.py]\n"
SCENARIO = (
    "scenario: s\nvariant: trut\nplayers: 2\nactions: [0: play 7h]\nexpect: {deal_over: on}\n"
)


@pytest.mark.parametrize(
    ("name", "right", "wrong", "message"),
    [
        ("variant", "variant: a\ntitle: A\n", "plyers: [2]", "'plyers' was unexpected"),
        ("variant", "variant: a\ntitle: A\n", "players: 2", "2 is not of type 'array'"),
        ("variant", "variant: a\ntitle: A\n", "players: [9]", "9 is greater than the maximum of 8"),
        ("variant", "variant: a\nsummary: A\n", "", "'title' is a required property"),
        ("variant", "variant: a\ntitle: A\n", "direction: left", "'left' is not one of"),
        ("variant", "variant: a\ntitle: A\n", "pack: {suit: {}}", "'suit' was unexpected"),
        ("variant", "variant: a\ntitle: A\n", "counters: {n: {min: 0}}", "'help' is a required"),
        ("variant", "variant: a\ntitle: A\n", "words: {fr: {rule: {}}}", "'rule' was unexpected"),
        ("variant", "variant: A b\ntitle: A\n", "", "'A b' does not match"),
        ("variant", "module: a\n", "players: [2]", "'players' was unexpected"),
        ("scenario", SCENARIO, "start: {hand: {}}", "'hand' was unexpected"),
        ("scenario", SCENARIO, "start: {hands: {16: []}}", "'16' does not match"),
        ("scenario", SCENARIO.replace("players: 2\n", ""), "", "'players' is a required"),
        ("scenario", SCENARIO.replace("on}", "1}"), "", "1 is not one of"),
        ("tournament", TOURNAMENT, "format: swis", "'swis' is not one of"),
        ("tournament", TOURNAMENT, "sets: 0", "0 is less than the minimum of 1"),
        ("tournament", TOURNAMENT, "sets: 1\ndeals: 4", "should not be valid under"),
        ("comparison", "experiment: e\nvariants: [trut]\n", "json: true", "'json' was unexpected"),
    ],
)
def test_common_mistakes_are_not_valid(name, right, wrong, message):
    assert not find_mistakes(name, right) or not wrong
    found = find_mistakes(name, right + wrong)
    assert len(found) == 1
    assert message in found[0]


def test_each_key_has_its_description():
    """The descriptions come from the tables that the readers use."""
    whole = SCHEMAS["variant"]()["else"]["properties"]
    assert {name: one["description"] for name, one in whole.items()} == {
        name: key.help for name, key in VARIANT_KEYS.items()
    }
    expected = SCHEMAS["scenario"]()["properties"]["start"]["properties"]["hands"]
    assert expected["title"] == "hands"
    assert expected["description"] == "the cards that each seat is dealt"
    assert SCHEMAS["scenario"]()["required"] == [n for n, k in SCENARIO_KEYS.items() if k.required]


def test_an_unknown_format_is_refused(capsys):
    assert run(["schema", "varient"]) == 2
    assert (
        capsys.readouterr().err == "error: there is no format 'varient'; did you mean 'variant'?\n"
    )
