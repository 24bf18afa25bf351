"""Screens in French: every command, and many mistakes, without an English word."""

import io
import re
from itertools import chain

import pytest

from trutdsl.cli.app import COMMANDS, run
from trutdsl.language import translations
from trutdsl.strategy import list_strategies
from trutdsl.variant import list_variants, load_variant
from trutdsl.variant.words import names_in

WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:[-_][^\W\d_]+)*(?!\w)")
# What stands for itself: code, quotations, options, files, sources, lines of a file.
VERBATIM = re.compile(
    r"`[^`]*`|«[^»]*»|(?<!\w)'[^'\n]*'|\S+\.strategy:\d+: .*|Robin Red Games|--[\w-]+"
    r"|\S*[\w-]+\.(?:yaml|strategy|jsonl|py|html|policy|md)\S*|\[[\w ,-]+\]"
    r"|^ *\d+ \| .*|^ +\| .*|trutdsl [\w -]*|\w+=\S+",
    re.MULTILINE,
)
LISTED = ("list", "show", "diff", "explain", "--help")  # screens with names from files
SMALL = "trut --engine reference --players 2"
SCREENS = [
    "--help",
    *(f"{command} --help" for command in COMMANDS),
    "list",
    "check trut caller",
    "show trut",
    "show trut-deux-sevres",
    "diff trut trut-deux-sevres",
    "rules trut-club",
    "new ours --from trut --set goal=1",
    "check ours.yaml",
    "migrate ours.yaml",
    "scenario ours-scenarios.yaml --tell",
    f"simulate {SMALL} --strategies steady,caller --matches 3",
    f"simulate {SMALL} --mode deals --matches 3",
    f"simulate {SMALL} --matches 1 --param goal=1 --transcript match.jsonl",
    "replay match.jsonl",
    "replay match.jsonl --verify",
    "explain-choice caller match.jsonl",
    f"coverage {SMALL} --matches 2",
    "play trut --seed 3",
    f"tournament {SMALL} --strategies steady,quiet --sets 2 --param goal=1 --jobs 1 --out tournoi",
    "results tournoi --verbose",
    "resume tournoi",
    "extend tournoi --sets 3 --jobs 1",
    "verify tournoi --jobs 1",
]
MISTAKES = [
    "",
    "sow trut",
    "check",
    "diff trut",
    "check trutt",
    "check nowhere.yaml",
    "check trut.yaml",
    "show trut --param gaol=3",
    "show trut --source turm",
    "where trutt",
    "new trut",
    "new Ours",
    "rules trut --players 5",
    "compare trut trut-club --matches 3",
    "simulate trut --matches x",
    "simulate trut --matches 0",
    "simulate trut --mathces 3",
    "simulate trut --mode xyz",
    "simulate trut --players 5",
    "simulate trut --param goal=0",
    "simulate trut --strategies stedy",
    "simulate trut steady",
    "simulate trut --strategies=",
    "play trut --seat 4",
    "replay nowhere.jsonl",
    "replay match.jsonl --deal 99",
    "results nowhere",
    "tournament trut --strategies steady",
    "tournament trut --strategies steady,caller --format cup",
    "tournament trut --strategies steady,caller --sets 0",
    "plan trut --strategies steady,caller",
    "scenario match.jsonl",
    "explain-choice uniform match.jsonl",
]


# Names in files, and engines, that stand for themselves.
OWN_NAMES = {
    "h", "i", "reference", "one-against", "compare-trut-trut-gatinaise", "a-deal-by-chance",
    "carlo", "monte", "qd", "q", "tab-in-rules-file", "sqlite",
    "ah", "kh", "ks", "qh", "qs", "hearts", "clubs", "spades",
    "diamonds", "longer", "mine", "yours",
}  # fmt: skip


def words_in(text):
    return {word.lower() for word in WORD.findall(re.sub(r"\{[^}]*\}", "", VERBATIM.sub("", text)))}


@pytest.fixture(scope="module")
def french():
    """Return the words of all French texts: of the catalogue, and of the shipped variants."""
    found = set()
    for said in translations("fr").values():
        found |= words_in(said if isinstance(said, str) else " ".join(said))
    for layer in (layer for name in list_variants() for layer in load_variant(name).layers):
        if own := layer.words.get("fr"):
            texts = [own.title, own.summary]
            texts += [
                text for _, of in own.choices.values() for one in of.values() for text in one.texts
            ]
            texts += [
                text for of in own.names.values() for one in of.values() for text in one.texts
            ]
            found |= words_in(" ".join(filter(None, texts)))
    books = (one for name in list_variants() for one in load_variant(name).book)
    told = [case.texts["fr"] for one in books for case in one.cases]
    return found | words_in(" ".join(told))


@pytest.fixture(scope="module")
def names():
    """Return the names of strategies, and those in variants."""
    found = {*list_strategies(), *list_variants(), *COMMANDS, "card", "number"}
    for variant in map(load_variant, list_variants()):
        found |= set().union(*names_in(variant).values())
        found |= {choice for one in variant.parameters.values() for choice in one.choices}
    return {word for name in found for word in WORD.findall(name.lower())}


def left_in(call, capsys, french):
    """Return the words on a screen that are in no French text."""
    run([*call.split(), "--lang", "fr"])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return (
        words_in(said.out + said.err)
        - french
        - words_in(call)
        - OWN_NAMES
        - {*list_strategies(), *list_variants(), *COMMANDS}
    )


def test_a_word_of_no_catalogue_is_found(french):
    words = words_in("Le gagnant du pli: the winner of a deal, gibberish")
    assert {"winner", "deal", "gibberish"} <= words - french
    assert {"le", "gagnant", "pli"} <= french


def test_no_command_has_an_english_word(french, names, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    assert len(french) > 1500
    found = {}
    for call in chain(SCREENS, MISTAKES):
        monkeypatch.setattr("sys.stdin", io.StringIO("?\n1\nq\n"))
        left = left_in(call, capsys, french)
        found[call] = left - names if any(one in call for one in LISTED) else left
    assert {call: left for call, left in found.items() if left} == {}


def test_messages_about_files_have_no_english_word(french, root, monkeypatch, capsys):
    bad = root / "tests" / "bad"
    monkeypatch.chdir(bad)
    found = {}
    for path in sorted(bad.glob("*.yaml")):
        found[path.stem] = left_in(f"check {path.name}", capsys, french)
    assert {name: left for name, left in found.items() if left} == {}
