"""The words of a variant in another language."""

from trutdsl.cli.app import run
from trutdsl.language import speaking
from trutdsl.report.people import People
from trutdsl.variant import list_variants, load_variant, words_of
from trutdsl.variant.check_names import names_in
from trutdsl.variant.model import definitions

HOUSE = """
variant: own
title: Our trut
extends: trut
set: {goal: 5}
rules: |
  replace rule turn(player) "Play a card.": do base

  after rule lay(player, card: card) "Whatever the card is.":
      if size(hand[player]) == 2: do take_card(player)
  after rule lay(player, card: card) "Nothing more.":
      if size(hand[player]) > 3: shuffle stock
words:
  fr:
    title: Notre trut
    counters: {petits: [jeton, jetons]}
    options: {trut: trut !}
    rules: {after lay: [Une carte de plus., Rien de plus.]}
    choices: {fortial: {false: on les garde}}
"""


def load_house(tmp_path):
    (tmp_path / "own.yaml").write_text(HOUSE)
    return load_variant(tmp_path / "own.yaml")


def test_shipped_words_are_in_french():
    words = words_of(load_variant("trut"), "fr")
    assert words.title == "Trut" and words.summary.startswith("Trois cartes")
    assert [words.counter("longs", n) for n in (0, 1, 2)] == ["long", "long", "longs"]
    assert words.counter("longs") == "longs"
    assert words.action("play Kh") == "je joue R♥" and words.action("trut") == "je trute"
    assert words.card("10s") == "10♠" and words.card("owl") == "owl"
    assert words.suit("hearts") == "cœur" and words.rank("Q") == "D"
    assert words.decision("turn") == "à son tour"
    assert words.end("folded") == "l'adversaire s'est couché"
    assert words.choice("leader", "dealer") == "le donneur"


def test_words_of_a_module_apply_to_every_variant():
    assert words_of(load_variant("trut"), "fr").rule("take_card").startswith("La première carte")


def test_a_file_adds_its_own_words_to_those_of_its_base(tmp_path):
    words = words_of(load_house(tmp_path), "fr")
    assert words.title == "Notre trut" and words.counter("petits", 2) == "jetons"
    assert words.action("trut") == "trut !" and words.counter("longs", 2) == "longs"
    assert words.parameter("goal") == "Combien de longs il faut pour gagner la partie."
    fortial = words.variant.parameters["fortial"]
    with speaking("fr"):
        assert [words.value(fortial, value) for value in (True, False)] == ["oui", "on les garde"]


def test_a_card_has_its_own_word_or_its_rank_and_suit(tmp_path, capsys):
    text = HOUSE.replace("    options:", "    cards: {7h: la Manille}\n    options:")
    (tmp_path / "own.yaml").write_text(text)
    variant = load_variant(tmp_path / "own.yaml")
    words = words_of(variant, "fr")
    assert (words.card("7h"), words.face("7h"), words.card("7s")) == ("la Manille", "7♥", "7♠")
    assert words.action("play 7h") == "je joue la Manille"
    assert words_of(variant, "en").card("7h") == "7♥"
    assert run(["--lang", "fr", "show", str(tmp_path / "own.yaml")]) == 0
    assert "Nommées   la Manille (7♥)\n" in capsys.readouterr().out


def test_a_chosen_rank_has_the_word_of_its_cards(tmp_path):
    text = HOUSE.replace("    options:", "    ranks: {Q: D, 10: X}\n    options:")
    (tmp_path / "own.yaml").write_text(text)
    words = words_of(load_variant(tmp_path / "own.yaml"), "fr")
    assert words.action("name Q") == "name D" and words.card("10h") == "X♥"
    assert words.action("raise 10") == "raise 10"  # it may be a number


MOODS = """
variant: own
title: Our trut
extends: trut
rules: |
  deal state:
      mood: one of none | calm | heated
  after rule play_deal:
      ask dealer "mood":
          feel m from {none, calm, heated}: mood = m
      announce mood to all
words:
  fr: {values: {calm: serein, heated: en colère}, options: {feel: je suis}}
"""


def test_named_values_have_words(tmp_path):
    (tmp_path / "own.yaml").write_text(MOODS)
    words = words_of(load_variant(tmp_path / "own.yaml"), "fr")
    assert words.action("feel heated") == "je suis en colère"
    assert words.named_value("calm") == "serein"
    people = People((0, 1), ("A", "B"), words=words)
    assert people.text("calm heated") == "serein en colère"
    assert people.outcome("one of none | calm | heated", "calm") == "serein"
    with speaking("fr"):
        assert words.action("feel none") == "je suis aucun"


def test_none_has_no_word_of_a_variant(tmp_path, capsys):
    (tmp_path / "own.yaml").write_text(MOODS.replace("calm: serein", "none: rien"))
    assert run(["check", str(tmp_path / "own.yaml")]) == 2
    assert "help: known names in 'values': calm, heated" in capsys.readouterr().err


def test_what_the_language_itself_names_has_words(root):
    with speaking("fr"):
        words = words_of(load_variant(root / "variants/examples/mus.yaml"))
        assert (words.action("leave it"), words.announcement("look")) == ("laisse", "regarde")
    names = names_in(load_variant(root / "variants/examples/mus.yaml"))
    assert "leave it" in names["options"] and "match_over" not in names["ends"]
    names = names_in(load_variant(root / "tests/good/hooks.yaml"))
    assert "leave it" not in names["options"] and "look" in names["announcements"]
    assert "match_over" in names_in(load_variant("trut"))["ends"]


def test_a_replaced_rule_does_not_keep_the_text_of_its_base(tmp_path):
    words = words_of(load_house(tmp_path), "fr")
    assert words.rule("turn") == "Play a card."
    pieces = words.texts("after lay")
    assert pieces[-2:] == ["Une carte de plus.", "Rien de plus."]


def test_a_file_has_words_of_its_own_although_its_base_has_its_name(tmp_path):
    (tmp_path / "trut.yaml").write_text(HOUSE.replace("variant: own", "variant: trut"))
    words = words_of(load_variant(tmp_path / "trut.yaml"), "fr")
    assert words.texts("after lay")[-2:] == ["Une carte de plus.", "Rien de plus."]


TWO_PACKS = """
variant: own
title: T
players: [2]
teams: {2: 2}
parameters: {pack: {type: choice, choices: [french, spanish], default: french, help: H}}
pack:
  by: pack
  of:
    french: {suits: {c: clubs}, ranks: [A], special_cards: {owl: {strength: highest}}}
    spanish: {suits: {c: copas}, ranks: [A]}
rules: "own.rules"
words: {xx: {cards: {owl: a bird}}}
"""


def test_a_card_is_called_as_in_the_pack_of_the_table(tmp_path):
    (tmp_path / "own.yaml").write_text(TWO_PACKS)
    (tmp_path / "own.rules").write_text("rule match: end match drawn")
    variant = load_variant(tmp_path / "own.yaml")
    for pack, cards in (("french", ["A♣", "a bird"]), ("spanish", ["A copas", "owl"])):
        words = words_of(variant, "xx", variant.bind({"pack": pack}))
        assert [words.card(card) for card in ("Ac", "owl")] == cards


def test_without_words_names_are_shown_as_written():
    with speaking("en"):
        words = words_of(load_variant("trut"))
    assert words_of(load_variant("trut"), "xx").counter("longs", 1) == "longs"
    assert words.counter("longs", 1) == "long" and words.action("play Kh") == "play K♥"
    assert words.end("folded") == "folded" and words.choice("leader", "left_of_dealer") == (
        "left of dealer"
    )
    assert words_of(load_variant("tute"), "xx").action("sing oros") == "sing oros"


def test_a_name_without_a_word_has_spaces_in_an_answer_and_a_value(root, capsys):
    path = root / "tests/good/sets-and-choices.yaml"
    words = words_of(load_variant(path), "en")
    assert words.action("name_none") == "name none" and words.of_choice("no_bid") == "no bid"
    people = People((0, 1), ("my_bot", "b"), words=words, forms=["pay_back SEAT"])
    assert people.action("pay_back 0") == "pay back player 1 (my_bot)"
    assert run(["show", str(path)]) == 0
    assert " name_none; " in capsys.readouterr().out  # the name of the rules alone


def test_words_do_not_change_the_rules(tmp_path):
    variant = load_house(tmp_path)
    (tmp_path / "own.yaml").write_text(HOUSE.partition("words:")[0])
    plain = load_variant(tmp_path / "own.yaml")
    assert plain.fingerprint == variant.fingerprint
    assert plain.words_fingerprint != variant.words_fingerprint


def test_every_text_of_the_shipped_files_has_a_french_version():
    """No text is the same in both languages, so an equal text counts as missing."""
    missing = []
    for name in list_variants():
        variant = load_variant(name)
        words = words_of(variant, "fr")
        texts = [one for found in definitions(variant).values() for one in found if one.help]
        missing += [(name, one.name, one.help) for one in texts if words.text_of(one) == one.help]
        helps = variant.parameters.values()
        missing += [(name, p.name, p.help) for p in helps if words.parameter(p.name) == p.help]
    assert missing == []
