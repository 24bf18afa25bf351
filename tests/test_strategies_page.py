"""`docs/strategies.md`: its scripts give the shown output, and its tables are complete.

Each script plays the tables of its variants.
"""

import re
from functools import cache
from itertools import product

import pytest
from documents import blocks, rows, run_commands
from extent import covering, extent
from tables import tables_of

from trutdsl.cli.app import DONE, run
from trutdsl.game import ENGINES, load_game
from trutdsl.strategy.fitness import variants_of_script
from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.variant import list_variants, load_variant

FAULTY_SCRIPTS = {"forgetful.strategy", "peeping.strategy"}  # the page shows their errors
CHANCES = "longs,petits,their_longs,their_petits,chance\n0,0,0,0,5000\n1,0,0,0,6000\n"
TRUTS = tables_of(name for name in list_variants() if "trut" in name)


@pytest.fixture
def page(root):
    return root / "docs" / "strategies.md"


def test_commands_print_the_shown_output(page, tmp_path, monkeypatch, capsys, request):
    assert len(blocks(page.read_text(encoding="utf-8"), "strategy")) >= 5
    update = request.config.getoption("--update")
    run_commands(page, tmp_path, monkeypatch, capsys, update)


@pytest.fixture
def scripts(page, tmp_path, monkeypatch):
    """Write the files of the page; return its scripts without the faulty ones."""
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    for kind in ("strategy", "csv"):
        for name, body in blocks(text, kind):
            (tmp_path / name.removeprefix("file=")).write_text(body, encoding="utf-8")
    (tmp_path / "chances.csv").write_text(CHANCES, encoding="utf-8")
    names = {path.name for path in tmp_path.glob("*.strategy")} - FAULTY_SCRIPTS
    assert len(names) >= 8
    return [load_strategy(name) for name in sorted(names)]


@pytest.mark.parametrize(
    ("ref", "players", "engine"),
    covering([(*table, engine) for engine, table in product(ENGINES[::-1], TRUTS)])[
        :: extent(4, 1)
    ],
)
def test_each_script_plays_every_table_of_its_variants(ref, players, engine, scripts):
    game = load_game(ref, players, engine=engine)
    for first in range(0, len(scripts), players):
        seats = [scripts[(first + seat) % len(scripts)] for seat in range(players)]
        events = []
        play_match(game, seats, 1, 0, events.append)
        assert events[-1]["event"] == "match_end"


def test_the_scripts_are_for_all_variants_of_trut(scripts):
    assert {tuple(v.name for v in variants_of_script(spec)) for spec in scripts} == {
        tuple(dict.fromkeys(ref for ref, _ in TRUTS))
    }


def examples(text, mark):
    """Return the code in the second cell of each row below a mark, without fragments."""
    part = text.split(f"<!-- {mark} -->\n")[1].split("\n\n")[0]
    cells = [line.strip("|").split(" | ")[mark == "questions"] for line in part.splitlines()]
    return [code for cell in cells for code in re.findall("`([^`]+)`", cell) if "..." not in code]


@pytest.mark.parametrize("name", ["trut", "truc-french", "truc-catalan", "tute"])
def test_the_examples_in_the_tables_are_valid(name, page, tmp_path, monkeypatch, capsys):
    text = page.read_text(encoding="utf-8")
    assert len(examples(text, "hands")) >= 2
    known = {define for layer in load_variant(name).layers for define in words_of(layer)}
    codes = [*examples(text, "hands"), *examples(text, "questions")]
    codes = [code for code in codes if words_needed_by(code) <= known]
    assert len(codes) >= 4
    monkeypatch.chdir(tmp_path)
    for code in codes:
        test = f"with highest {code}" if "(card)" in code else f"when 0 < ({code})"
        clause = code if code.startswith("play ") else f"play card {test}"
        script = f"strategy example for {name}:\n    on turn: {clause}\n    otherwise: any\n"
        (tmp_path / "example.strategy").write_text(script, encoding="utf-8")
        assert run(["check", "example.strategy"]) == DONE, capsys.readouterr().err


def words_of(layer):
    """Return the names in the vocabulary of a file."""
    return [define.name.text for define in layer.vocabulary.defines] if layer.vocabulary else []


def words_needed_by(code):
    """Return the words of vocabularies that an example uses."""
    words = {word for vocabulary in vocabularies().values() for word in vocabulary}
    return words & set(re.findall(r"\w+", code))


def test_the_table_of_shipped_scripts_is_complete(page):
    listed = rows(page.read_text(encoding="utf-8"), "library")
    assert listed == {name: row_of(load_strategy(name)) for name in list_strategies()}


def row_of(spec):
    """Return the row of a script: its variants and its summary."""
    meant = ", ".join(f"`{word.text}`" for word in spec.script.variants) or "any"
    return f"{meant} | {spec.summary}"


@cache
def vocabularies():
    """Return for each module and variant with a vocabulary its words with their help."""
    layers = {layer.name: layer for name in list_variants() for layer in load_variant(name).layers}
    return {
        name: {define.name.text: (define.help or "") for define in layer.vocabulary.defines}
        for name, layer in sorted(layers.items())
        if layer.vocabulary
    }


@pytest.mark.parametrize("layer", vocabularies())
def test_the_tables_of_vocabularies_are_complete(page, layer):
    listed = rows(page.read_text(encoding="utf-8"), f"vocabulary {layer}")
    assert {n.partition("(")[0]: text for n, text in listed.items()} == vocabularies()[layer]
