"""French screens of every command and of many mistakes have no English word."""

import io
import json
import re
from itertools import chain
from shutil import copytree

import pytest
from extent import extent
from french import WORD, find_bad_joins, french_words, words_in

from trutdsl import language
from trutdsl.cli.app import BAD_INPUT, COMMANDS, DONE, FAILED, run
from trutdsl.language import translations
from trutdsl.report.labels import CHOICE_WORDS
from trutdsl.strategy.load import list_strategies
from trutdsl.variant import list_variants, load_variant
from trutdsl.variant.check_names import names_in

# Screens of these contain names from files.
LISTING_COMMANDS = ("list", "show", "diff", "explain", "--help")
TRUT = "trut --engine reference --players 2"
TWO_STRATEGIES = "--sets 8 --strategies steady,quiet --jobs 1"
ONE_STRATEGY = "--sets 8 --strategies uniform --jobs 1"
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
    "format ours.yaml --check",
    "scenario ours-scenarios.yaml --tell",
    f"simulate {TRUT} --strategies steady,caller --matches 3",
    f"simulate {TRUT} --mode deals --matches 3 -o manches.html",
    f"simulate {TRUT} --matches 1 --param goal=1 --transcript match.jsonl",
    "replay match.jsonl",
    "replay match.jsonl --verify",
    "explain-choice caller match.jsonl",
    f"coverage {TRUT} --matches 2",
    "play trut --seed 3",
    f"tournament {TRUT} --strategies steady,quiet --sets 2 --param goal=1 --jobs 1 --out tournoi",
    "results tournoi --verbose",
    "resume tournoi",
    "extend tournoi --sets 3 --jobs 1",
    "verify tournoi --jobs 1",
    "report tournoi -o tournoi.html",
    f"tournament {TRUT} --strategies steady,quiet --sets 2 --jobs 1 --shard 1/2 --out moitié-1",
    f"tournament {TRUT} --strategies steady,quiet --sets 2 --jobs 1 --shard 2/2 --out moitié-2",
    "merge moitié-1 --out tout",
    "merge moitié-1 moitié-2 --out tout",
    f"compare trut trut:goal=1 {TWO_STRATEGIES} --out comparaison",
    f"compare trut trut:goal=1 {TWO_STRATEGIES} --out comparaison --all",
    "report comparaison -o comparaison.html",
    f"compare carte-haute.yaml maison.yaml carte-haute.yaml:goal=1 {ONE_STRATEGY} --out trois",
    f"sweep carte-haute.yaml --param goal=1..2 {ONE_STRATEGY} --out balayage",
    f"sweep carte-haute.yaml --param goal=1..2 --param last=true,false {ONE_STRATEGY} --out deux",
    f"ambiguities carte-haute.yaml {ONE_STRATEGY} --out lectures",
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
WRITES = re.compile(r"^new |--transcript|--out (tournoi|moitié-.|comparaison)$")
FAILING = ("merge moitié-1 --out tout",)
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


# A complete game with French words for everything in it.
HIGH_CARD = """
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
    state: {stake: la mise}
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
# Names from files and of engines, which nobody translates.
OWN_NAMES = {
    "b", "c", "d", "e", "h", "i", "o", "s",
    "lib", "special-cards", "carte-haute", "haute", "doubler", "maison",
    "reference", "one-against", "compare-trut-trut-gatinaise",
    "a-deal-by-chance", "jh", "js",
    "carlo", "monte", "qd", "q", "tab-in-rules-file", "sqlite",
    "ah", "kh", "ks", "qh", "qs", "hearts", "clubs", "spades",
    "diamonds", "longer", "mine", "ours", "yours", "cards_of", "has_few",
}  # fmt: skip


@pytest.fixture(scope="module")
def names():
    """Return the words in names of strategies, variants and commands, and in variants."""
    found = {*list_strategies(), *list_variants(), *COMMANDS, *map(str.lower, CHOICE_WORDS)}
    for variant in map(load_variant, list_variants()):
        found |= set().union(*names_in(variant).values())
        found |= {choice for one in variant.parameters.values() for choice in one.choices}
    return {word for name in found for word in WORD.findall(name.lower())}


def read_screen(call, capsys, code=None):
    """Return the output of a command in French; code: the expected exit code."""
    found = run([*call.split(), "--lang", "fr"])
    assert code in (None, found), f"{call}: {capsys.readouterr().err}"
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    return printed.out + printed.err


def find_unknown_words(call, capsys, code=None):
    """Return the words on a screen that no French text contains."""
    return drop_known_words(call, read_screen(call, capsys, code))


def drop_known_words(call, screen):
    return words_in(screen) - french_words() - words_in(call) - OWN_NAMES - set(COMMANDS)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_text(""),
        lambda file: file.write_bytes(b"\xff"),
        lambda file: file.write_text(file.read_text("utf-8").replace('msgstr "', r'msgstr "\q')),
        lambda file: file.write_text(
            file.read_text("utf-8").replace('msgstr "{path}', 'msgstr "{paths}')
        ),
        lambda file: (file.unlink(), file.mkdir()),
    ],
)
def test_a_damaged_catalogue_is_told_in_english(damage, root, tmp_path, monkeypatch, capsys):
    copytree(root / "trutdsl" / "translations", tmp_path / "translations")
    damage(tmp_path / "translations" / "fr.po")
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    language._catalogue.cache_clear()
    language.texts.cache_clear()
    try:
        assert run(["list", "--lang", "fr"]) == BAD_INPUT
        assert capsys.readouterr().err == (
            f"error: {tmp_path}/translations/fr.po is damaged; install trutdsl again, or write "
            "--lang en\n"
        )
    finally:
        language._catalogue.cache_clear()


def test_an_english_word_is_found():
    words = words_in("Le gagnant du pli: the winner of a deal, gibberish")
    assert {"winner", "deal", "gibberish"} <= words - french_words()
    assert {"le", "gagnant", "pli"} <= french_words()


def some_screens():
    """Return every other screen, and those that write what others read."""
    some = {*SCREENS[:: extent(2, 1)]}
    return [call for call in SCREENS if call in some or WRITES.search(call)]


def test_no_command_has_an_english_word(names, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "carte-haute.yaml").write_text(HIGH_CARD, encoding="utf-8")
    (tmp_path / "maison.yaml").write_text(HOUSE, encoding="utf-8")
    assert len(french_words()) > 1500
    found, bad_joins = {}, {}
    for call in chain(some_screens(), MISTAKES):
        monkeypatch.setattr("sys.stdin", io.StringIO("?\n1\nq\n"))
        code = None if call in MISTAKES else FAILED if call in FAILING else DONE
        screen = read_screen(call, capsys, code)
        unknown = drop_known_words(call, screen)
        found[call] = unknown - names if any(one in call for one in LISTING_COMMANDS) else unknown
        bad_joins[call] = find_bad_joins(screen)
    assert {call: unknown for call, unknown in found.items() if unknown} == {}
    assert {call: wrong for call, wrong in bad_joins.items() if wrong} == {}


def test_bad_joins_are_found():
    wrong = "caller à à son tour ; jeu de actuary ; le donneur de le jeu, que il dit, de de la main"
    assert find_bad_joins(wrong) == ["à à", "de actuary", "de le jeu", "que il", "de de"]
    right = (
        "au jeu d'actuary, de le jouer, le onzième, le « à » à son tour, à `à` à lui, ce qu'il a"
    )
    assert find_bad_joins(right) == []


def test_no_french_text_has_a_bad_join():
    texts = [
        text
        for one in translations("fr").values()
        for text in ([one] if isinstance(one, str) else one)
    ]
    assert {text: wrong for text in texts if (wrong := find_bad_joins(text))} == {}


def test_no_schema_has_an_english_sentence(capsys):
    for name in ("variant", "scenario", "tournament", "comparison"):
        texts = [*descriptions_in(json.loads(read_screen(f"schema {name}", capsys)))]
        assert len(texts) > 10
        assert words_in("\n".join(texts)) - french_words() - OWN_NAMES == set(), name


def descriptions_in(schema):
    """Yield the descriptions of a JSON Schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "description" and isinstance(value, str):
                yield value
            else:
                yield from descriptions_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from descriptions_in(value)


def test_messages_about_files_have_no_english_word(root, monkeypatch, capsys):
    bad = root / "tests" / "bad"
    monkeypatch.chdir(bad)
    found = {}
    for path in sorted(bad.glob("*.yaml"))[:: extent(4, 1)]:
        found[path.stem] = find_unknown_words(f"check {path.name}", capsys)
    monkeypatch.setattr("trutdsl.interp.machine.MOST_STEPS", 10_000)  # the message comes sooner
    monkeypatch.chdir(bad / "runtime")
    for path in sorted((bad / "runtime").glob("*.yaml"))[:: extent(4, 1)]:
        call = f"simulate {path.name} --matches 1 --seed 1 --engine reference"
        quoted = WORD.findall(path.read_text(encoding="utf-8").lower())
        found[path.stem] = find_unknown_words(call, capsys) - set(quoted)
    assert {name: unknown for name, unknown in found.items() if unknown} == {}
