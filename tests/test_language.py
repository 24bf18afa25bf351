"""`docs/language.md`: its examples are valid, its outputs correct, and its tables complete."""

import re

import pytest
from documents import blocks, rows, run_commands

from trutdsl.diagnostics import Excerpt, Source
from trutdsl.game import ENGINES, load_game
from trutdsl.ir import build_program
from trutdsl.ir.lower.scope import RESERVED_WORDS
from trutdsl.ir.types import FUNCTIONS, NAMES, NUMBERS_OF, PARTNERS, VARIABLES
from trutdsl.strategy.play import play_match
from trutdsl.syntax.parse import parse_rules
from trutdsl.variant import load_variant

ARGUMENTS_BY_TYPE = {"seat": "dealer", "team": "team(dealer)", "number": "1", "cards": "pack_cards"}
VARIANT = """\
variant: around
title: What stands around an example
players: [2, 4]
teams: {2: 2, 4: 2}
uses: [example.yaml]
pack:
  suits: {h: hearts, s: spades}
  ranks: [A, K, Q, J, 10, 9]
counters:
  points: {help: Points.}
rules: |
  zone turned: up to 1 card, seen by all

  rule match:
      deal:
"""


@pytest.fixture(scope="module")
def text(request):
    path = request.config.rootpath / "docs" / "language.md"
    return path.read_text(encoding="utf-8")


@pytest.fixture
def messages(root):
    return (root / "docs" / "messages.md").read_text(encoding="utf-8")


def indent_by(text, by):
    return "".join(" " * by + line if line.strip() else line for line in text.splitlines(True))


def test_examples_are_well_formed(text, tmp_path):
    """Each block of rules is a module. A variant that uses it calls all of its rules."""
    snippets = blocks(text, "rules")
    assert len(snippets) >= 8
    for _, snippet in snippets:
        module = f"module: example\nuses: [lib/three-tricks]\nrules: |\n{indent_by(snippet, 2)}"
        (tmp_path / "example.yaml").write_text(module, encoding="utf-8")
        rules = parse_rules(Excerpt(Source("example", snippet), snippet)).rules
        lines = []
        for number, rule in enumerate(rules):
            args = [ARGUMENTS_BY_TYPE[p.type.name if p.type else "seat"] for p in rule.params]
            do = f"do {rule.name.text}({', '.join(args)})"
            lines.append(f"let r{number} = {do}" if rule.result else do)
        lines += ["gather turned into turned", "end deal because played"]
        body = indent_by("\n".join(lines) + "\n", 10) + "      end match drawn\n"
        (tmp_path / "around.yaml").write_text(VARIANT + body, encoding="utf-8")
        build_program(load_variant(tmp_path / "around.yaml"))


def test_each_variant_of_the_page_plays(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {head.removeprefix("file="): body for head, body in blocks(text, "yaml")}
    for name, body in files.items():
        (tmp_path / name).write_text(body, encoding="utf-8")
    variants = [name for name, body in files.items() if body.startswith("variant: ")]
    assert len(variants) >= 7
    for name in variants:
        for engine in ENGINES:
            game, events = load_game(name, engine=engine), []
            play_match(game, "uniform", 1, 0, events.append)
            assert events[-1]["event"] == "match_end"


def test_commands_print_the_shown_output(root, tmp_path, monkeypatch, capsys, request):
    update = request.config.getoption("--update")
    run_commands(root / "docs" / "language.md", tmp_path, monkeypatch, capsys, update)


def test_the_put_of_the_page_is_the_shipped_one(text, root):
    files = dict(blocks(text, "yaml"))
    shipped = (root / "variants" / "examples" / "put.yaml").read_text(encoding="utf-8")
    assert files["file=put.yaml"] == shipped


def test_every_function_and_name_has_its_row(text):
    functions = rows(text, "functions")
    assert {n.split("(")[0]: h for n, h in functions.items()} == {
        name: signature.help for name, signature in FUNCTIONS.items()
    }
    assert rows(text, "partners") == {
        f"{name}({kind})": help for name, forms in PARTNERS.items() for kind, help in forms.items()
    }
    assert (
        rows(text, "names") == {n: h for n, (_, h) in {**NAMES, **VARIABLES}.items()} | NUMBERS_OF
    )


def test_every_reserved_word_is_listed(text):
    ((_, words),) = blocks(text, "words")
    assert set(words.split()) == RESERVED_WORDS


def test_every_code_is_explained(messages, root):
    """These are the codes of errors in rules and scripts."""
    code = re.compile(r'\b(?:error|reject|Diagnostic|LayoutError)\(\s*"([a-z-]+)"')
    sources = [
        p for f in ("syntax", "ir", "interp") for p in (root / "trutdsl" / f).glob("**/*.py")
    ]
    sources += [root / "trutdsl" / "strategy" / name for name in ("fitness.py", "script.py")]
    found = {c for p in sources for c in code.findall(p.read_text(encoding="utf-8"))}
    assert found == set(rows(messages, "codes")) | set(rows(messages, "script codes"))


def test_every_code_of_yaml_files_is_explained(messages, root):
    calls = re.compile(r'(?:(?:error|fail|reject)\(\s*f?|CODE = |errors, )"([a-z0-9{}-]+)"')
    sources = (root / "trutdsl" / "variant").glob("*.py")
    found = {c for p in sources for c in calls.findall(p.read_text(encoding="utf-8"))}
    found -= {"{verb}-cycle", "unknown-{kind}"}
    found |= {"extends-cycle", "uses-cycle", "unknown-variant", "unknown-module"}
    assert found == set(rows(messages, "file codes")) | {"tab", "too-deep", "too-large"}
