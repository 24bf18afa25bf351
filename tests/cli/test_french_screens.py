"""Screens in French: every command, and many mistakes, without an English word."""

import io
import json
from itertools import chain

import pytest
from french import WORD, badly_joined, french_words, words_in

from trutdsl.cli.app import COMMANDS, DONE, FAILED, run
from trutdsl.language import translations
from trutdsl.report.labels import CHOICE_WORDS
from trutdsl.strategy import list_strategies
from trutdsl.variant import list_variants, load_variant
from trutdsl.variant.words import names_in

LISTED = ("list", "show", "diff", "explain", "--help")  # screens with names from files
SMALL = "trut --engine reference --players 2"
QUICK = "--sets 8 --strategies steady,quiet --jobs 1"
ALONE = "--sets 8 --strategies uniform --jobs 1"
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
    f"simulate {SMALL} --mode deals --matches 3 -o manches.html",
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
    "report tournoi -o tournoi.html",
    f"tournament {SMALL} --strategies steady,quiet --sets 2 --jobs 1 --shard 1/2 --out moitié-1",
    f"tournament {SMALL} --strategies steady,quiet --sets 2 --jobs 1 --shard 2/2 --out moitié-2",
    "merge moitié-1 --out tout",
    "merge moitié-1 moitié-2 --out tout",
    f"compare trut trut:goal=1 {QUICK} --out comparaison",
    f"compare trut trut:goal=1 {QUICK} --out comparaison --all",
    "report comparaison -o comparaison.html",
    f"compare carte-haute.yaml maison.yaml carte-haute.yaml:goal=1 {ALONE} --out trois",
    f"sweep carte-haute.yaml --param goal=1..2 {ALONE} --out balayage",
    f"sweep carte-haute.yaml --param goal=1..2 --param last=true,false {ALONE} --out deux",
    f"ambiguities carte-haute.yaml {ALONE} --out lectures",
    "show truc-catalan",
    "show truc-french",
    "show trut-club",
    "show trut-deluxe",
    "show tute",
    "exact carte-haute.yaml --strategies uniform",
    "solve carte-haute.yaml --deal points=1 --iterations 20",
    "solve carte-haute.yaml -o haute.policy --iterations 20",
    "exploit carte-haute.yaml --against uniform",
    "exploit carte-haute.yaml --against uniform --deal points=1",
    "compare carte-haute.yaml carte-haute.yaml:goal=3 --strategies best-play --out meilleur",
]
UNDONE = ("merge moitié-1 --out tout",)
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


# A whole game, with French words for all its things.
SMALLEST = """
variant: carte-haute
title: High card
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q, J]}
counters: {points: {help: "The first to have enough wins."}}
parameters:
  goal: {type: integer, min: 1, max: 5, default: 2, help: How many points win.}
  last: {type: boolean, default: true, choice: true, help: Whether the last may double.}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: pile, up to 1 card, seen by owner
  deal state:
      stake: 1 to 2 = 1
  rule match:
      repeat at most 100000 times:
          deal:
              do play_deal
          for side in teams where points[side] >= goal:
              end match won by side
  rule play_deal:
      gather hand into stock
      shuffle stock
      for player in seats:
          draw from stock to hand[player]
      for player in seats:
          ask player "double":
              pass
              double when last or player != dealer: stake = 2
      let best = openly(first player in seats with highest strength(top(hand[player])))
      points[team(best)] += stake
      end deal won by team(best) because played
words:
  fr:
    title: La carte haute
    counters: {points: [point, points]}
    options: {double: je double, pass: je passe}
    decisions: {double: avant de jouer}
    ends: {played: la manche a été jouée}
    parameters:
      goal: Combien de points il faut pour gagner.
      last: Si le dernier peut doubler.
    suits: {hearts: cœur}
    ranks: {K: R, Q: D, J: V}
    rules: {match: On joue manche après manche., play_deal: Une carte chacun.}
    zones: {hand: main}
"""
HOUSE = """
variant: maison
title: High card at home
extends: carte-haute.yaml
set: {goal: 3}
rules: |
  before rule play_deal "The deal passes to the left.":
      dealer = next_seat(dealer)
words:
  fr:
    title: La carte haute de la maison
    rules: {before play_deal: La donne passe à gauche.}
"""
KEYS = set()
# Names in files, and engines, that stand for themselves.
OWN_NAMES = {
    "b", "c", "d", "e", "h", "i", "o", "s",
    "lib", "special-cards", "carte-haute", "haute", "doubler", "maison",
    "reference", "one-against", "compare-trut-trut-gatinaise",
    "a-deal-by-chance", "jh", "js",
    "carlo", "monte", "qd", "q", "tab-in-rules-file", "sqlite",
    "ah", "kh", "ks", "qh", "qs", "hearts", "clubs", "spades",
    "diamonds", "longer", "mine", "ours", "yours",
}  # fmt: skip


@pytest.fixture(scope="module")
def names():
    """Return the names of strategies, and those in variants."""
    found = {*list_strategies(), *list_variants(), *COMMANDS, *map(str.lower, CHOICE_WORDS)}
    for variant in map(load_variant, list_variants()):
        found |= set().union(*names_in(variant).values())
        found |= {choice for one in variant.parameters.values() for choice in one.choices}
    return {word for name in found for word in WORD.findall(name.lower())}


def screen_of(call, capsys, code=None):
    """Return all that a command prints in French; code: with which it exits."""
    found = run([*call.split(), "--lang", "fr"])
    assert code in (None, found), f"{call}: {capsys.readouterr().err}"
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return said.out + said.err


def left_in(call, capsys, code=None):
    """Return the words on a screen that are in no French text."""
    return unknown_in(call, screen_of(call, capsys, code))


def unknown_in(call, screen):
    return words_in(screen) - french_words() - words_in(call) - OWN_NAMES - set(COMMANDS)


def test_a_word_of_no_catalogue_is_found():
    words = words_in("Le gagnant du pli: the winner of a deal, gibberish")
    assert {"winner", "deal", "gibberish"} <= words - french_words()
    assert {"le", "gagnant", "pli"} <= french_words()


def test_no_command_has_an_english_word(names, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "carte-haute.yaml").write_text(SMALLEST, encoding="utf-8")
    (tmp_path / "maison.yaml").write_text(HOUSE, encoding="utf-8")
    assert len(french_words()) > 1500
    found, joined = {}, {}
    for call in chain(SCREENS, MISTAKES):
        monkeypatch.setattr("sys.stdin", io.StringIO("?\n1\nq\n"))
        code = None if call in MISTAKES else FAILED if call in UNDONE else DONE
        screen = screen_of(call, capsys, code)
        left = unknown_in(call, screen)
        found[call] = left - names if any(one in call for one in LISTED) else left
        joined[call] = badly_joined(screen)
    assert {call: left for call, left in found.items() if left} == {}
    assert {call: wrong for call, wrong in joined.items() if wrong} == {}


def test_words_that_are_badly_joined_are_found():
    wrong = "caller à à son tour ; jeu de actuary ; le donneur de le jeu, que il dit, de de la main"
    assert badly_joined(wrong) == ["à à", "de actuary", "de le jeu", "que il", "de de"]
    right = (
        "au jeu d'actuary, de le jouer, le onzième, le « à » à son tour, à `à` à lui, ce qu'il a"
    )
    assert badly_joined(right) == []


def test_no_french_text_is_badly_joined():
    said = [
        text
        for one in translations("fr").values()
        for text in ([one] if isinstance(one, str) else one)
    ]
    assert {text: wrong for text in said if (wrong := badly_joined(text))} == {}


def test_no_schema_has_an_english_sentence(capsys):
    for name in ("variant", "scenario", "tournament", "comparison"):
        told = [text for _, text in sentences_in(json.loads(screen_of(f"schema {name}", capsys)))]
        assert len(told) > 10
        assert words_in("\n".join(told)) - french_words() - OWN_NAMES - KEYS == set(), name


def sentences_in(schema):
    """Yield the descriptions of a JSON Schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "description" and isinstance(value, str):
                yield key, value
            else:
                yield from sentences_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from sentences_in(value)


def test_messages_about_files_have_no_english_word(root, monkeypatch, capsys):
    bad = root / "tests" / "bad"
    monkeypatch.chdir(bad)
    found = {}
    for path in sorted(bad.glob("*.yaml")):
        found[path.stem] = left_in(f"check {path.name}", capsys)
    monkeypatch.chdir(bad / "runtime")
    for path in sorted((bad / "runtime").glob("*.yaml")):
        call = f"simulate {path.name} --matches 1 --seed 1 --engine reference"
        quoted = WORD.findall(path.read_text(encoding="utf-8").lower())
        found[path.stem] = left_in(call, capsys) - set(quoted)
    assert {name: left for name, left in found.items() if left} == {}
