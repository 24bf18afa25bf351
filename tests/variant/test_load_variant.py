"""Loading a variant: the result of a base, its modules and the file itself."""

from __future__ import annotations

import pickle
import shutil
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from trutdsl.diagnostics import Rejected
from trutdsl.variant import BadParameter, Library, Scalar, load_file, load_variant

OWN = "variant: own\ntitle: Own\n"
DERIVED = OWN + "extends: base\n"


def names_of_layers(variant):
    return [layer.name for layer in variant.layers]


def test_a_variant_without_a_base(library):
    base = load_variant("base", library=library)
    assert (base.name, base.title, base.base) == ("base", "Base", None)
    assert base.summary == "A game that others build on."
    assert (base.players, dict(base.teams), base.direction) == ((2, 4), {2: 2, 4: 2}, "clockwise")
    assert [counter.name for counter in base.counters] == ["longs"]
    assert list(base.parameters) == ["goal", "window", "short", "bluff"]
    assert [p.default for p in base.parameters.values()] == [7, "on", False, 250_000]
    goal = base.parameters["goal"]
    assert (goal.least, goal.most, goal.source, goal.is_choice) == (1, 99, "T15 000", True)
    assert str(goal.span) == "library/base.yaml:14:3"
    assert base.sources == {"T": "Rules of the table"}
    (layer,) = base.layers
    assert (layer.name, layer.kind, layer.path, layer.own) == (
        "base",
        "variant",
        "library/base.yaml",
        True,
    )
    assert layer.rules is not None


def test_the_pack_of_a_variant(library):
    pack = load_variant("base", library=library).packs[None]
    assert pack.cards == ("Ac", "Kc", "10c", "7c", "Ah", "Kh", "10h", "7h")
    assert [pack.value("points", card) for card in pack.cards] == [11, 0, 10, 0] * 2
    assert [(suit.letter, suit.name) for suit in pack.suits] == [("c", "clubs"), ("h", "hearts")]
    assert str(pack.ranks[2].span) == "library/base.yaml:9:17"


def test_a_file_that_only_extends_equals_its_base(load, library):
    own, base = load(DERIVED), load_variant("base", library=library)
    assert (own.name, own.title, own.base, own.summary) == ("own", "Own", "base", base.summary)
    assert (own.players, own.teams, own.direction) == (base.players, base.teams, base.direction)
    assert own.packs[None].cards == base.packs[None].cards
    assert names_of_layers(own) == ["base", "own"]
    assert [layer.own for layer in own.layers] == [False, True]
    assert own.differences.changes == ()


def test_layers_are_bases_then_modules_then_the_file(load):
    middle = "variant: middle\ntitle: M\nextends: base\nuses: [lib/owl]\n"
    first = "module: first\nuses: [second.yaml, lib/owl]\n"
    second = "module: second\n"
    own = load(
        OWN + "extends: middle.yaml\nuses: [first.yaml, lib/birds, second.yaml]\n",
        middle=middle,
        first=first,
        second=second,
    )
    assert names_of_layers(own) == ["base", "owl", "middle", "second", "first", "birds", "own"]
    assert own.base == "middle"
    assert own.differences.uses == ("first.yaml", "lib/birds", "second.yaml")
    assert [counter.name for counter in own.counters] == ["longs", "eggs"]
    assert "owl_on" in own.parameters


def test_a_module_that_two_modules_use_is_one_layer(load):
    a = "module: a\nuses: [lib/owl]\n"
    own = load(DERIVED + "uses: [a.yaml, lib/birds, lib/owl]\n", a=a)
    assert names_of_layers(own) == ["base", "owl", "a", "birds", "own"]


def test_two_paths_of_a_file_are_the_same_module(load):
    Path("sub").mkdir()
    own = load(DERIVED + "uses: [a.yaml, sub/../a.yaml]\n", a="module: a\n")
    assert names_of_layers(own) == ["base", "a", "own"]
    assert [layer.path for layer in own.layers] == ["library/base.yaml", "a.yaml", "own.yaml"]


def test_a_file_may_have_the_name_of_the_shipped_one_that_it_extends(load):
    Path("mine").mkdir()
    Path("mine/base.yaml").write_text("variant: base\ntitle: Mine\nextends: base\n")
    own = load(OWN + "extends: mine/base.yaml\n")
    assert names_of_layers(own) == ["base", "base", "own"]
    assert [layer.path for layer in own.layers[:2]] == ["library/base.yaml", "mine/base.yaml"]


def test_a_path_is_relative_to_the_file_that_names_it(load):
    Path("sub").mkdir()
    Path("sub/a.yaml").write_text("variant: a\ntitle: A\nextends: ../b.yaml\n")
    Path("b.yaml").write_text("variant: b\ntitle: B\nextends: base\n")
    own = load(OWN + "extends: sub/a.yaml\n")
    assert [layer.path for layer in own.layers[1:]] == ["b.yaml", "sub/a.yaml", "own.yaml"]


def test_set_changes_only_the_default(load, library):
    own = load(DERIVED + "set: {goal: 12, window: any_time, short: on, bluff: 0.5}\n")
    assert [p.default for p in own.parameters.values()] == [12, "any_time", True, 500_000]
    assert str(own.parameters["goal"].default_span) == "own.yaml:4:13"
    assert [(c.parameter, c.old, c.new) for c in own.differences.changes] == [
        ("goal", 7, 12),
        ("window", "on", "any_time"),
        ("short", False, True),
        ("bluff", 250_000, 500_000),
    ]
    assert load_variant("base", library=library).parameters["goal"].default == 7


def test_set_may_mark_a_choice_or_take_the_mark_away(load):
    middle = "variant: middle\ntitle: M\nextends: base\nset: {goal: {value: 12, choice: on}}\n"
    own = load(OWN + "extends: middle.yaml\nset: {goal: 13}\n", middle=middle)
    assert (own.parameters["goal"].default, own.parameters["goal"].is_choice) == (13, True)
    own = load(OWN + "extends: middle.yaml\nset: {goal: {value: 12, choice: off}}\n", middle=middle)
    assert not own.parameters["goal"].is_choice


def test_the_last_set_counts(load):
    middle = "variant: middle\ntitle: M\nextends: base\nset: {goal: 12, short: on}\n"
    own = load(OWN + "extends: middle.yaml\nset: {goal: 13}\n", middle=middle)
    assert [p.default for p in own.parameters.values()][:3] == [13, "on", True]
    assert [(c.parameter, c.old, c.new) for c in own.differences.changes] == [("goal", 12, 13)]


def test_a_parameter_of_a_module_can_be_set_by_the_file_that_uses_it(load):
    own = load(DERIVED + "uses: [lib/owl]\nset: {owl_on: off}\n")
    assert own.parameters["owl_on"].default is False


def test_seating_can_be_replaced(load):
    own = load(DERIVED + "players: [4]\ndirection: counter-clockwise\n")
    assert (own.players, own.teams, own.direction) == ((4,), {4: 2}, "counter-clockwise")
    assert own.differences.seating == ("players", "direction")
    own = load(DERIVED + "players: [3, 2]\nteams: {2: 2, 3: 3}\n")
    assert (own.players, own.teams) == ((2, 3), {2: 2, 3: 3})
    own = load(DERIVED + "teams: {2: 2, 4: 4}\n")
    assert (own.players, own.teams) == ((2, 4), {2: 2, 4: 4})


def test_a_counter_of_the_base_may_be_stated_again(load):
    (longs,) = load(DERIVED + "counters: {longs: {help: Again., min: -20}}\n").counters
    assert (longs.help, longs.least, longs.best) == ("Again.", -20, "highest")
    lower = (
        OWN.replace("own", "lower") + "extends: base\ncounters: {longs: {help: L, best: lowest}}\n"
    )
    Path("lower.yaml").write_text(lower)
    again = OWN + "extends: lower.yaml\ncounters: {longs: {help: Again., min: -5}}\n"
    (longs,) = load(again).counters
    assert (longs.least, longs.best) == (-5, "lowest")


def test_a_module_adds_special_cards_and_values(load):
    pack = load(DERIVED + "uses: [lib/birds]\n").packs[None]
    assert pack.cards[-2:] == ("owl", "stork")
    assert pack.values == {
        "points": {"owl": 4, "stork": 1, "A": 11, "10": 10},
        "feathers": {"stork": 3},
    }
    assert (pack.value("feathers", "stork"), pack.value("feathers", "Ac")) == (3, 0)
    assert (pack.value("points", "owl"), pack.value("points", "Ac")) == (4, 11)
    pack = load(DERIVED + "uses: [lib/owl]\n").packs[None]
    assert (pack.value("points", "owl"), pack.value("points", "Ac")) == (4, 11)


CARDS = """\
uses: [lib/birds]
parameters:
  nests: {type: cards, choices: special_pack, default: [stork, owl, stork], help: Which nest here.}
  wild: {type: cards, choices: pack_cards, default: "7h, Ac", help: Which are wild.}
"""


def test_a_parameter_can_be_a_set_of_cards(load):
    """Its choices are those of the whole pack, and its value has one normal form."""
    nests, wild = (load(DERIVED + CARDS).parameters[name] for name in ("nests", "wild"))
    assert (nests.default, nests.choices) == ("all", ("owl", "stork"))
    assert (wild.default, len(wild.choices)) == ("Ac,7h", 8)
    assert wild.cards_in("Ac,7h") == ("Ac", "7h")
    assert nests.cards_in("all") == ("owl", "stork")
    assert nests.cards_in("none") == ()


def test_a_set_of_cards_can_be_set(load):
    middle = "variant: middle\ntitle: Middle\nextends: base\n" + CARDS
    own = load(
        OWN + "extends: middle.yaml\nset: {nests: [owl], wild: []}\n"
        "pack: {special_cards: {crow: {}}}\n",
        middle=middle,
    )
    assert own.parameters["nests"].default == "owl"
    assert own.parameters["nests"].choices == ("owl", "stork", "crow")
    changes = {c.parameter: (c.old, c.new) for c in own.differences.changes}
    assert changes == {"nests": ("owl,stork", "owl"), "wild": ("Ac,7h", "none")}
    assert own.bind({"wild": "Kh, 7c,Kh"})["wild"] == "7c,Kh"
    with pytest.raises(BadParameter, match="found 'oul'; did you mean 'owl'"):
        own.bind({"nests": "stork,oul"})


def test_a_part_of_a_pack_can_be_replaced(load):
    own = load(DERIVED + "pack: {ranks: [7, 10, K, A, J], values: {points: {J: 2}}}\n")
    pack = own.packs[None]
    assert pack.cards[:5] == ("7c", "10c", "Kc", "Ac", "Jc")
    assert pack.values == {"points": {"A": 11, "10": 10, "J": 2}}
    assert own.differences.pack == ("ranks", "values")
    pack = load(DERIVED + "pack: {suits: {o: oros}}\n").packs[None]
    assert pack.cards == ("Ao", "Ko", "10o", "7o")


def test_a_set_of_cards_can_be_set_where_the_old_cards_left_the_pack(load):
    middle = "variant: middle\ntitle: Middle\nextends: base\n" + CARDS
    own = load(
        OWN + "extends: middle.yaml\nset: {wild: [Kc]}\npack: {ranks: [K, 10]}\n", middle=middle
    )
    assert own.parameters["wild"].default == "Kc"
    assert [(c.old, c.new) for c in own.differences.changes] == [("7h,Ac", "Kc")]


def test_a_value_of_a_card_overrides_those_of_rank_and_suit(load):
    said = "points: {7: 1, Kc: 5}, order: {c: 3, 7: 2, 7c: 9}"
    pack = load(DERIVED + f"pack: {{values: {{{said}}}}}\n").packs[None]
    assert pack.values["points"] == {"A": 11, "10": 10, "7": 1, "Kc": 5}
    assert pack.cards == ("Ac", "Kc", "10c", "7c", "Ah", "Kh", "10h", "7h")
    assert [pack.value("points", card) for card in pack.cards] == [11, 5, 10, 1, 11, 0, 10, 1]
    assert [pack.value("order", card) for card in pack.cards] == [3, 3, 3, 9, 0, 0, 0, 2]
    assert pack.declared_amount("order", "Ah") is None


def test_values_of_removed_suits_are_removed(load):
    middle = "variant: middle\ntitle: M\nextends: base\npack: {values: {order: {c: 3, 7h: 2}}}\n"
    own = load(OWN + "extends: middle.yaml\npack: {suits: {h: hearts}}\n", middle=middle)
    assert own.packs[None].values["order"] == {"7h": 2}


def test_a_pack_may_have_64_cards(load):
    ranks = ", ".join(str(rank) for rank in range(1, 17))
    suits = "{a: as, b: bs, c: cs, d: ds}"
    pack = load(DERIVED + f"pack: {{suits: {suits}, ranks: [{ranks}]}}\n").packs[None]
    assert len(pack.cards) == 64


def test_values_of_removed_ranks_are_removed(load):
    pack = load(DERIVED + "pack: {ranks: [7, A]}\n").packs[None]
    assert pack.values == {"points": {"A": 11}}


def test_new_suits_and_ranks_keep_the_special_cards_of_modules(load):
    middle = (
        "variant: middle\ntitle: M\nextends: base\nuses: [lib/owl]\n"
        "pack: {special_cards: {crow: {points: 9}}}\n"
    )
    assert load(OWN + "extends: middle.yaml\n", middle=middle).packs[None].cards[-2:] == (
        "owl",
        "crow",
    )
    pack = load(
        OWN + "extends: middle.yaml\npack: {suits: {o: oros}, ranks: [1, 7], "
        "values: {points: {1: 5}}}\n",
        middle=middle,
    ).packs[None]
    assert pack.cards == ("1o", "7o", "owl")
    assert pack.values == {"points": {"owl": 4, "1": 5}}


def test_a_parameter_can_choose_the_pack(library):
    decks = load_variant("decks", library=library)
    assert decks.pack_by == "deck"
    assert {choice: len(pack.cards) for choice, pack in decks.packs.items()} == {"8": 8, "10": 10}
    assert decks.packs["10"].values == {"points": {"A": 11, "10": 10}}
    assert len(decks.pack_for(decks.bind()).cards) == 8
    assert len(decks.pack_for(decks.bind({"deck": "10"})).cards) == 10


def test_a_variant_can_change_packs_that_a_parameter_chooses(load):
    decks = OWN + "extends: decks\n"
    packs = load(decks + "uses: [lib/owl]\n").packs
    assert [pack.cards[-1] for pack in packs.values()] == ["owl", "owl"]
    packs = load(decks + "pack: {by: deck, of: {10: {ranks: [Q, K, A, 10, 7, 2]}}}\n").packs
    assert {choice: len(pack.cards) for choice, pack in packs.items()} == {"8": 8, "10": 12}
    packs = load(decks + "pack: {suits: {o: oros}}\n").packs
    assert {choice: pack.cards[0] for choice, pack in packs.items()} == {"8": "Ao", "10": "Ao"}
    own = load(decks + "pack: {suits: {o: oros}, ranks: [1]}\n")
    assert (own.pack_by, list(own.packs), own.pack_for(own.bind()).cards) == (None, [None], ("1o",))


def test_packs_of_a_parameter_can_share_a_part(load):
    own = load(
        DERIVED + "pack:\n  suits: {o: oros}\n  by: window\n"
        "  of: {any_time: {ranks: [1]}, before: {ranks: [1, 2]}, on: {ranks: [1, 2, 3]}}\n"
    )
    assert [len(pack.cards) for pack in own.packs.values()] == [1, 2, 3]
    assert own.pack_for(own.bind({"window": "before"})).cards == ("1o", "2o")


def test_a_choice_may_have_hyphens(load):
    own = load(
        DERIVED + "parameters:\n"
        "  deck: {type: choice, choices: [8-low, 8-high], default: 8-low, help: Which.}\n"
        "pack:\n  suits: {o: oros}\n  by: deck\n"
        "  of: {8-low: {ranks: [1, 8]}, 8-high: {ranks: [8, 1]}}\n"
    )
    assert own.pack_for(own.bind()).cards == ("1o", "8o")
    assert own.pack_for(own.bind({"deck": "8-high"})).cards == ("8o", "1o")


def test_sources_are_merged(load):
    own = load(DERIVED + "sources: {T: Rules of the table, U: Another book}\n")
    assert own.sources == {"T": "Rules of the table", "U": "Another book"}


def test_rules_can_be_in_a_separate_file(load):
    Path("own.rules").write_text("deal state:\n    winner: team?\n")
    own = load(DERIVED + "rules: own.rules\n")
    assert own.layers[-1].rules is not None
    assert own.layers[0].rules is not None
    assert load(DERIVED).layers[-1].rules is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("rules: |\n\n\n    # two lines down\n    deal state:\n        9\n", "own.yaml:9:9"),
        ("rules: |2\n      # deep\n  deal state:\n      9\n", "own.yaml:7:7"),
        ("rules: own.rules\n", "own.rules:2:5"),
    ],
)
def test_a_mistake_in_rules_has_its_position_in_the_file(text, place, load, refusal):
    Path("own.rules").write_text("deal state:\n    9\n")
    assert refusal(load, DERIVED + text).startswith(place + ": error: ")


def test_mistakes_of_declarations_and_of_rules_are_reported_together(load, refusal):
    shown = refusal(load, DERIVED + "player: [2]\nrules: |\n  deal state:\n      9\n")
    assert [line.split(": ")[0] for line in shown.split("\n") if ": error: " in line] == [
        "own.yaml:4:1",
        "own.yaml:7:7",
    ]


def test_the_fingerprint_depends_only_on_the_texts(load, library, tmp_path):
    first = load(DERIVED + "uses: [lib/owl]\n").fingerprint
    assert len(first) == 64
    assert load(DERIVED + "uses: [lib/owl]\n").fingerprint == first
    assert load(DERIVED + "uses: [lib/owl] \n").fingerprint != first

    copy = Library(Path(shutil.copytree(library.folder, tmp_path / "copy")), "other")
    folder = tmp_path / "far" / "away"
    folder.mkdir(parents=True)
    (folder / "own.yaml").write_bytes(
        (DERIVED + "uses: [lib/owl]\n").encode().replace(b"\n", b"\r\n")
    )
    assert load_variant(folder / "own.yaml", library=copy).fingerprint == first

    owl = copy.folder / "lib" / "owl.yaml"
    owl.write_text(owl.read_text() + "# changed\n")
    assert load_variant(folder / "own.yaml", library=copy).fingerprint != first


def test_the_fingerprint_includes_the_file_of_rules(load):
    Path("own.rules").write_text("deal state:\n    winner: team?\n")
    first = load(DERIVED + "rules: own.rules\n").fingerprint
    Path("own.rules").write_text("deal state:\n    victor: team?\n")
    assert load(DERIVED + "rules: own.rules\n").fingerprint != first


def test_a_variant_can_be_pickled(load):
    own = load(OWN + "extends: decks\nuses: [lib/birds]\nset: {goal: 3}\n")
    again = pickle.loads(pickle.dumps(own))
    assert again.bind() == own.bind()
    assert again.fingerprint == own.fingerprint
    assert again.packs["10"].cards == own.packs["10"].cards
    assert str(again.layers[-1].span) == "own.yaml:1:10"


def test_a_variant_is_immutable(load):
    own = load(DERIVED)
    with pytest.raises(FrozenInstanceError):
        own.name = "other"


def test_a_name_is_searched_in_the_library_and_a_path_is_not(library, refusal, monkeypatch):
    assert refusal(lambda: load_variant("bese", library=library)) == (
        "bese:1:1: error: there is no variant 'bese' [unknown-variant]\n"
        "  help: did you mean 'base'?"
    )
    assert refusal(lambda: load_variant("../../x", library=library)) == (
        "../../x:1:1: error: there is no variant '../../x' [unknown-variant]\n"
        "  help: known: base, decks; the path of a file ends in .yaml"
    )
    assert refusal(lambda: load_variant("base:a=1,b=2", library=library)).endswith(
        "; commands that play take --param a=1 --param b=2"
    )
    monkeypatch.chdir(library.folder)
    assert load_variant("./base.yaml", library=library).layers[0].path == "./base.yaml"
    assert load_variant(Path("base.yaml"), library=library).layers[0].path == "base.yaml"


def test_a_single_file_can_be_loaded(library, refusal):
    manifest, rules = load_file("lib/birds", library=library)
    assert (manifest.kind, manifest.name, rules) == ("module", "birds", None)
    assert [(ref.text, str(ref.span)) for ref in manifest.uses] == [
        ("lib/owl", "library/lib/birds.yaml:2:8")
    ]
    assert isinstance(manifest.uses[0], Scalar)
    assert "[unknown-variant]" in refusal(lambda: load_file("lib/none", library=library))


def test_a_file_of_the_library_is_parsed_once_for_all_variants(library, tmp_path):
    copy = Library(Path(shutil.copytree(library.folder, tmp_path / "copy")))
    first, second = (load_variant("base", library=copy) for _ in range(2))
    assert first.layers[0].rules is second.layers[0].rules
    path = copy.folder / "base.yaml"
    path.write_text(path.read_text() + "# changed\n")
    changed = load_variant("base", library=copy)
    assert changed.fingerprint != first.fingerprint
    assert changed.layers[0].rules is not first.layers[0].rules
    path.write_text("variant: base\nodd: 1\n")
    for _ in range(2):
        with pytest.raises(Rejected):
            load_variant("base", library=copy)
