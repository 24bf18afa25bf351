"""The cookbook: the scenario of each recipe passes, and it fails without the house rule."""

import re

import pytest

from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game
from trutdsl.language import speaking
from trutdsl.report.book import write_book
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.run import run_scenario

FILE = re.compile(r"```yaml file=(\S+)\n(.*?)```", re.DOTALL)


@pytest.fixture
def folder(root, tmp_path):
    page = (root / "docs/cookbook.md").read_text(encoding="utf-8")
    for name, text in FILE.findall(page):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def recipes(folder):
    found = sorted(path.stem for path in folder.glob("*.yaml") if "scenario" not in path.stem)
    assert len(found) >= 30
    return found


def test_every_recipe_passes_its_scenario(folder):
    for name in recipes(folder):
        path = folder / f"{name}-scenario.yaml"
        (scenario,) = read_scenarios(path, str(path))
        outcome = run_scenario(scenario, path)
        assert outcome.passed, (name, [one.text for one in outcome.mismatches])


def test_no_scenario_passes_without_its_house_rule(folder):
    for name in recipes(folder):
        base = re.search(r"(?m)^extends: (.*)$", (folder / f"{name}.yaml").read_text())[1]
        text = (folder / f"{name}-scenario.yaml").read_text(encoding="utf-8")
        text = re.sub(r"(?m)^parameters: .*\n", "", text)
        path = folder / f"{name}-base-scenario.yaml"
        path.write_text(re.sub(r"(?m)^variant: .*$", f"variant: {base}", text), encoding="utf-8")
        try:
            (scenario,) = read_scenarios(path, str(path))
            assert not run_scenario(scenario, path).passed, name
        except Rejected:  # it uses a name that the base does not have
            continue


def test_the_rulebook_of_a_recipe_lists_its_difference(folder):
    for name in ("loser-deals", "joker", "doubles", "capot", "shorter-match"):
        game = load_game(str(folder / f"{name}.yaml"))
        with speaking("en"):
            book = write_book(game, None, example=False)
        assert book.differences, name
