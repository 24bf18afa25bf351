"""CONTRIBUTING.md: what its recipes name is there."""

import re

from trutdsl.cli.app import COMMANDS


def test_every_place_is_there(root):
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:trutdsl|tests|docs|variants)/[\w./-]+)`", text))
    places = {name for name in named if "NAME" not in name}
    assert len(places) > 40
    assert [name for name in sorted(places) if not (root / name).exists()] == []


def test_every_table_of_names_is_in_its_module(root):
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.findall(r"`([A-Z]\w+)` (?:of|in)\s+`([\w/]+\.py)`", " ".join(text.split()))
    assert len(found) >= 4
    for name, module in found:
        source = (root / module).read_text(encoding="utf-8")
        assert re.search(rf"^(class )?{name}\b", source, re.MULTILINE), f"{name} in {module}"


def test_every_command_has_a_row_in_the_readme(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert COMMANDS.keys() - set(re.findall(r"^\| `trutdsl ([a-z-]+)", text, re.MULTILINE)) == set()
