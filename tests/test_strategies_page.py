"""`docs/strategies.md`: its scripts give what it shows, and its tables name all that is shipped."""

import pytest
from documents import blocks, rows, run_commands

from trutdsl.strategy import list_strategies, load_strategy
from trutdsl.variant import list_variants, load_variant


@pytest.fixture
def page(root):
    return root / "docs" / "strategies.md"


def test_its_commands_print_what_is_shown(page, tmp_path, monkeypatch, capsys, request):
    assert len(blocks(page.read_text(encoding="utf-8"), "strategy")) >= 5
    update = request.config.getoption("--update")
    run_commands(page, tmp_path, monkeypatch, capsys, update)


def test_the_library_is_listed_with_what_each_does(page):
    listed = rows(page.read_text(encoding="utf-8"), "library")
    assert listed == {name: row_of(load_strategy(name)) for name in list_strategies()}


def row_of(spec):
    """Return whom a script is for, and what it does."""
    meant = ", ".join(f"`{word.text}`" for word in spec.script.meant) or "any"
    return f"{meant} | {spec.summary}"


def vocabularies():
    """Return the vocabulary of each module and variant that has one: name -> help."""
    layers = {layer.name: layer for name in list_variants() for layer in load_variant(name).layers}
    return {
        name: {define.name.text: (define.help or "") for define in layer.vocabulary.defines}
        for name, layer in sorted(layers.items())
        if layer.vocabulary
    }


@pytest.mark.parametrize("layer", vocabularies())
def test_the_vocabulary_is_listed_with_its_units(page, layer):
    listed = rows(page.read_text(encoding="utf-8"), f"vocabulary {layer}")
    assert {n.partition("(")[0]: text for n, text in listed.items()} == vocabularies()[layer]
