"""Rulebooks contain every cited rule, and follow settings and house rules."""

import re

import pytest
import yaml

from trutdsl.api.rules import describe
from trutdsl.cli.app import run
from trutdsl.game import load_game
from trutdsl.language import speaking
from trutdsl.report.book import write_book
from trutdsl.report.book_pages import render_book, write_markdown
from trutdsl.report.citations import Citations
from trutdsl.variant import list_variants, load_variant
from trutdsl.variant.model import definitions

RULE_ID = re.compile("[A-Z][0-9]+")
REASONS = {"played", "folded", "void", "conceded", "tied", "tute"}


def make_book(ref, language="en", players=None, parameters=(), example=False):
    with speaking(language):
        return write_book(load_game(ref, players, parameters), players, example)


def cited_ids(variant):
    """Return all rule ids that the rules and parameters of a variant cite."""
    found = {word for p in variant.parameters.values() for word in (p.source or "").split()}
    for layer in variant.layers:
        rules = layer.rules
        for one in (
            () if rules is None else (*rules.rules, *rules.defines, *rules.groups, *rules.additions)
        ):
            found |= {*(one.cites or "").split()}
    return {word for word in found if RULE_ID.fullmatch(word)}


def ids_in(book):
    found = {word for section in book.sections for one in section.sentences for word in one.cites}
    return found | {word for one in book.settings for word in one.cites}


FAMILIES = {"trut": "TCDGL", "truc-catalan": "K", "truc-french": "KF", "tute": "U"}


@pytest.mark.parametrize("name", list_variants())
def test_the_book_has_every_rule_that_a_variant_cites(name):
    variant = load_variant(name)
    bases = [layer.name for layer in variant.layers]
    family = next(letters for base, letters in FAMILIES.items() if base in bases)
    required = {id for id in cited_ids(variant) if id[0] in family}
    assert len(required) > 8
    assert required - ids_in(make_book(name)) - ids_of_other_tables(variant) == set()


def ids_of_other_tables(variant):
    """Return ids of statements about numbers of players that the variant cannot have."""
    return {
        id
        for one in variant.book
        for case in one.cases
        for condition in case.when
        if condition.name.text == "players"
        and not {int(value.text) for value in condition.values} & {*variant.players}
        for id in case.cites
    }


@pytest.mark.parametrize("name", list_variants())
def test_every_statement_has_both_languages_and_existing_rules(name):
    variant = load_variant(name)
    known = {text.rpartition(" ")[2] for text in definitions(variant)} | REASONS
    for one in variant.book:
        for case in one.cases:
            assert {"en", "fr"} <= case.texts.keys(), one.name
            assert {word.text for word in case.tells} - known == set(), one.name


@pytest.mark.parametrize("name", list_variants())
def test_the_book_has_the_rules_of_every_scenario(name, root):
    """A reader of the book alone finds each rule that decides a scenario."""
    text = (root / f"tests/scenarios/{name}.yaml").read_text(encoding="utf-8")
    own = [one for one in yaml.safe_load_all(text) if one and one["variant"] == name]
    required = {id for one in own for id in one.get("rules", ()) if RULE_ID.fullmatch(id)}
    assert required
    assert required - ids_in(make_book(name)) - ids_of_other_tables(load_variant(name)) == set()


def make_text(ref, **settings):
    with speaking(settings.get("language", "en")):
        return write_markdown(make_book(ref, **settings))


def test_a_parameter_changes_the_book():
    usual = make_text("trut")
    other = make_text("trut", parameters=["goal=1", "trut_window=own_turn", "fortial=off"])
    assert "**7 longs**" in usual
    assert "seven longs win" in usual
    assert "seven longs win" not in other
    assert "**1 long**" in other
    assert "The fortial." in usual
    assert "The fortial." not in other
    assert "Out of turn nobody may." in other
    assert "Out of turn nobody may." not in usual
    assert "With three players" not in make_text("trut", players=2)


HOUSE = """\
variant: house
title: Our trut
extends: trut
set: {goal: 5}
rules: |
  replace rule pass_the_deal "The loser deals.":
      if not void: dealer = next_seat(dealer)
  before rule score(winner: team) "The winner says thank you.":
      return
"""


def test_a_house_rule_replaces_the_sentence_and_stands_in_the_box(tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE)
    text = make_text(str(path))
    assert "> - The loser deals." in text
    assert "✻ The loser deals." in text
    assert "> - How many longs win the match. Here: 5, not 7." in text
    assert "whoever won the last trick" not in text
    assert "Nobody called trut" in text
    assert "The winner says thank you." in text


def test_statements_of_a_base_are_no_house_rules_although_it_has_the_same_name(tmp_path):
    books = []
    for name in ("house", "trut"):
        path = tmp_path / f"{name}.yaml"
        path.write_text(HOUSE.replace("variant: house", f"variant: {name}"))
        books.append(make_book(str(path)))
    assert books[0].sections == books[1].sections


ANIMALS = """\
variant: animals
title: Animals
players: [2]
teams: {2: 2}
pack:
  suits: {h: hearts}
  ranks: [A, K]
  special_cards: {owl: {strength: 1}, elk: {strength: 2}}
parameters:
  used: {type: cards, choices: special_pack, default: all, help: H}
rules: |
  zone stock: pile, starts with pack_cards + used
  rule match:
      shuffle stock
      end match drawn
rulebook:
  aim:
    one: [{when: {used: none}, en: none}, {when: {used: owl}, en: owl}, {en: "{used}"}]
    two: [{when: {used: "elk, owl"}, en: both}, {when: {used: all}, en: never}]
"""


@pytest.mark.parametrize(
    ("used", "told"),
    [("none", ["none"]), ("all", ["owl", "both"]), ("owl", ["owl"]), ("elk", ["elk"])],
)
def test_a_condition_on_cards_holds_if_all_are_in_the_set(tmp_path, used, told):
    (tmp_path / "animals.yaml").write_text(ANIMALS)
    book = make_book(tmp_path / "animals.yaml", parameters=[f"used={used}"])
    assert [one.text for one in book.sections[0].sentences] == told


def test_the_base_is_the_nearest_of_several_files_of_one_name(tmp_path):
    for folder, below in (("a", None), ("b", "a"), ("c", "b")):
        (tmp_path / folder).mkdir()
        text = f"variant: animals\ntitle: {folder}\nextends: ../{below}/animals.yaml\n"
        (tmp_path / folder / "animals.yaml").write_text(text if below else ANIMALS)
    assert make_book(tmp_path / "c" / "animals.yaml").base == "b"


def test_a_base_tells_of_cards_that_left_the_pack(tmp_path):
    (tmp_path / "animals.yaml").write_text(ANIMALS)
    pack = "{suits: {h: hearts}, ranks: [A], special_cards: {elk: {strength: 2}}}"
    own = f"variant: own\ntitle: Own\nextends: animals.yaml\npack: {pack}\n"
    (tmp_path / "own.yaml").write_text(own)
    assert make_book(tmp_path / "own.yaml").sections[0].sentences[0].text == "all"


def test_the_example_is_a_deal_with_a_bet_and_an_answer():
    book = make_book("trut", "fr", example=True)
    with speaking("fr"):
        text = write_markdown(book)
        page = render_book(book)
    assert book.example is not None
    assert re.search(r"Joueur \d\u00a0: je trute\.", text)
    assert "remporte la manche" in text
    for outside in ("http://", "https://", "<script"):
        assert outside not in page
    assert page.count("<h2>") == page.count("</h2>") > 8
    assert 'class="face"' in page
    assert 'data-rules="T13"' in page


def test_a_title_is_no_html(tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text("variant: house\ntitle: Trut <b>at home</b>\nextends: trut\n")
    book = make_book(path)
    assert write_markdown(book).startswith("# Trut &lt;b>at home&lt;/b>\n")
    assert "<h1>Trut &lt;b&gt;at home&lt;/b&gt;</h1>" in render_book(book)


def test_the_command_writes_both_forms(tmp_path, capsys):
    for name, start in (("a.html", "<!DOCTYPE html>"), ("a.md", "# Tute")):
        assert run(["rules", "tute", "--players", "2", "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert run(["rules", "tute", "-o", str(tmp_path / "a.pdf")]) == 2
    assert "ends in .html, .md or .htm; write -o " in capsys.readouterr().err


def test_a_book_lists_only_questions_and_settings_that_can_come_up():
    questions = {
        name: dict(make_book(name).questions) for name in ("trut", "trut-gatinaise", "trut-club")
    }
    assert questions["trut"].keys() - questions["trut-gatinaise"].keys() == {"fortial"}
    assert questions["trut"].keys() - questions["trut-club"].keys() == {"out of turn"}
    assert questions["trut-gatinaise"]["cards"] == "a number"
    helps = [one.help for one in make_book("trut").settings]
    about_three = "Whether there is a fortial, too, when three play, each alone."
    assert about_three in helps
    for name, parameters in (("trut-deux-sevres", ()), ("trut", ["fortial=off"])):
        assert about_three not in [
            one.help for one in make_book(name, parameters=parameters).settings
        ]


def test_each_special_card_has_its_points_in_the_book():
    text = make_text("trut-deluxe", parameters=["bonus=on"])
    assert text.count(" Points: ") == 18
    assert re.search(r"\*\*Wolf\.\*\*.* Points: 10\.", text)


def test_a_setting_that_another_one_overrides_is_left_out():
    words = "Whose petits go when three petits of a team become a long"
    helps_by_settings = {
        settings: [one.help for one in make_book("trut-club", parameters=settings).settings]
        for settings in ((), ("long_clears=losers",))
    }
    assert not any(help_text.startswith(words) for help_text in helps_by_settings[()])
    assert any(
        help_text.startswith(words) for help_text in helps_by_settings["long_clears=losers",]
    )
    snake = "Whether the snake brings its long only after a trut, or always."
    helps = [
        one.help for one in make_book("trut-deluxe", parameters=["special_cards=owl"]).settings
    ]
    assert snake not in helps
    assert snake in [one.help for one in make_book("trut-deluxe").settings]


@pytest.mark.parametrize("name", [n for n in list_variants() if load_variant(n).base])
def test_each_entry_of_the_box_has_a_value_or_a_rule(name):
    """`Other numbers of players.` alone would tell the reader nothing."""
    entries = make_book(name).differences
    assert entries
    for entry in entries:
        assert re.search(r" Here: |\d|^\*\*", entry), entry


def reason_for(name, counter, rules):
    """Return the statement about a change of a counter after these rules."""
    program = load_game(name, 4).program
    known = {}
    for rule in program.rules.values():
        known.setdefault(re.search("'(.*)'", rule.heading)[1], []).append(rule.heading)
    reached = []
    for rule in rules.split():
        words, _, id = rule.replace("_of_", " ").partition("@")
        reached += [heading for heading in known[words] if f"[{id} " in heading or not id]
    statements = [ids_in for section in make_book(name).sections for ids_in in section.sentences]
    statement = Citations(program, statements).of_score(counter, reached)
    return statement.text if statement else ""


@pytest.mark.parametrize(
    ("name", "counter", "rules", "words"),
    [
        # The hedgehog is put aside on the way, but that brings no long.
        ("trut-deluxe", "longs", "win_trut put_hedgehog_aside gain_longs", "Trut, and “Play!”"),
        ("trut-deluxe", "petits", "score win_trut lose_petits", "Trut, and “Play!”"),
        ("trut-deluxe", "petits", "take_trick after_of_take_trick@L2 gain_petits", "**Owl.**"),
        # A long clears all petits afterwards; it is not what brings the long.
        ("trut-club", "longs", "score win_trut lose_petits gain_longs", "Trut, and “Play!”"),
        ("trut-club", "petits", "after_of_gain_longs lose_petits", "Any long gained"),
        ("trut", "longs", "score gain_petits convert gain_longs", "Three petits together"),
        ("trut", "petits", "finish_deal score gain_petits", "Nobody called trut"),
        # A refusal scores by the rule of all scores.
        ("truc-french", "points", "offer give_up score", "A bet, or “my rest”"),
        ("truc-french", "points", "play_tricks score", "The deal is won"),
        ("truc-catalan", "points", "offer give_up score", "Truc refused"),
        ("tute", "points", "play_trick settle_trick", "A trick |"),
    ],
)  # fmt: skip
def test_an_example_cites_the_rule_that_decided(name, counter, rules, words):
    assert reason_for(name, counter, rules).startswith(words)


def make_steps(name, **settings):
    with speaking(settings.get("language", "en")):
        example = make_book(name, players=4, example=True, **settings).example
    return example, [f"{step} ({reason})" for step, reason in example.steps]


@pytest.mark.parametrize(
    ("name", "rule", "define"),
    [
        ("put", "Play any card, or put first.", None),  # its modules have statements
        ("thirty-one", "Thirty-one wins the deal at once.", "The best suit of a hand."),
    ],
)
def test_a_game_without_statements_tells_its_rules_and_defines(name, rule, define):
    sections = make_book(f"variants/examples/{name}.yaml").sections
    (tricks,) = (one.sentences for one in sections if one.key == "tricks")
    texts = [one.text for one in tricks]
    assert texts.count(rule) == 1 and (define is None or define in texts)


def test_in_an_example_chance_comes_after_its_cause():
    _, steps = make_steps("trut-deluxe")
    for place in (i for i, step in enumerate(steps) if step.startswith("Chance: die")):
        assert re.search(r"target player|\[(jay|badger|crow|coypu)\]\. ", steps[place - 1])
    assert any(step.startswith("Chance: die") for step in steps)
    long = next(step for step in steps if "gains 1 long" in step)
    assert long.endswith("(Trut, and “Play!”: The winner of the deal, caller or not, gains 1 long)")


@pytest.mark.parametrize(("language", "sentence"), [("en", ": sing;"), ("fr", ": je chante")])
def test_an_example_shows_what_a_variant_adds(language, sentence):
    """No first deal has a song, so the example starts when all have two petits."""
    example, steps = make_steps("trut-gatinaise", language=language)
    assert example.score.count("2 petits") == 2
    assert any(sentence in step for step in steps)
    assert not make_book("trut", example=True).example.score


def test_cards_that_stay_out_of_the_pack_are_named(tmp_path):
    """The first suit shows a rank by another card where its own stays out."""
    path = tmp_path / "house.yaml"
    path.write_text(
        "variant: house\ntitle: House\nextends: trut\nrules: |\n"
        '  replace zone stock: starts with pack_cards - {"7c", "8c", "8d", "8h", "8s"}\n'
    )
    with speaking("en"):
        [pack] = describe(path)["packs"].values()
    assert (pack["cards"], pack["absent"]) == (32, ["7c", "8c", "8d", "8h", "8s"])
    text = write_markdown(make_book(path))
    assert "27 cards: clubs, diamonds, hearts, spades, without 7♣, 8♣, 8♦, 8♥, 8♠. From" in text
    assert "\n7♦ A♣ K♣ Q♣ J♣ 10♣ 9♣\n" in text
    assert "32 cards: clubs, diamonds, hearts, spades. From" in write_markdown(make_book("trut"))


def test_cards_of_one_rank_with_several_strengths_are_all_drawn(tmp_path):
    """The seven of cups counts what its rank does, and a strength of 0 is below all others."""
    text = write_markdown(make_book("variants/examples/truco-argentino.yaml"))
    assert "\n1 espadas 1 bastos 7 espadas 7 oros 3 espadas 2 espadas 1 oros 12 espadas " in text
    assert " 10 espadas 7 bastos 6 espadas 5 espadas 4 espadas\n" in text
    path = tmp_path / "house.yaml"
    path.write_text(
        "variant: house\ntitle: House\nextends: trut\npack:\n"
        "  suits: {c: clubs, d: diamonds, h: hearts, s: spades}\n"
        "  ranks: [7, 8, A, K, Q, J, 10, 9]\n"
        "  values: {strength: {7: 0}, figure: {K: 3, Q: 2, J: 1}}\n"
    )
    assert "\n8♣ A♣ K♣ Q♣ J♣ 10♣ 9♣ 7♣\n" in write_markdown(make_book(path))


def test_a_game_without_cards_has_no_chapter_on_them(root):
    book = make_book(root / "tests/good/without-cards.yaml", players=2)
    assert "cards" not in [section.key for section in book.sections]


@pytest.mark.thorough
def test_the_points_of_animals_agree_with_the_pack():
    variant = load_variant("trut-deluxe")
    sentence = next(one for one in variant.book if one.name == "animals").cases[0].texts["en"]
    listed = {}
    for names, points in re.findall(r"([a-z, ]+) (\d+)", sentence):
        listed |= {card: int(points) for card in re.split(", | and ", names.strip(", "))}
    pack = variant.pack_for({})
    regular = [card.name for card in pack.special_cards if not pack.value("extra", card.name)]
    assert listed == {card: pack.value("strength", card) for card in regular}


def test_an_example_names_the_partners_of_three_teams(root):
    book = make_book(root / "tests/good/partners.yaml", players=6, example=True)
    assert "players 1 + 4 against players 2 + 5 against players 3 + 6." in book.example.seats


@pytest.mark.parametrize(
    ("name", "step"),
    [("hooks", r"Chance: card ..\."), ("wide-numbers", r"Chance: die -\d+\.")],
)
def test_an_example_tells_chances_other_than_dice(root, name, step):
    example = make_book(root / f"tests/good/{name}.yaml", example=True).example
    assert any(re.fullmatch(step, text) for text, _ in example.steps)


TABLE = """\
variant: table
title: At a table
players: [2, 3]
teams: {2: 2, 3: 3}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K]}
parameters:
  trump: {type: choice, choices: [hearts, spades], default: hearts, help: Trump | or not.}
words:
  fr: {suits: {hearts: cœur, spades: pique}}
rulebook:
  players:
    many: {en: "{players} play, {players - 1|one|some} against each."}
rules: |
  rule match "It is one draw.":
      if trump == hearts: end match drawn
      end match won by team(dealer)
"""


def test_a_book_for_several_tables_names_them_all_and_its_cells_keep_their_bars(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(TABLE, encoding="utf-8")
    text = make_text(path)
    assert "- 2 or 3 play, some against each.\n" in text
    assert "| Trump \\| or not. | hearts |" in text
    assert "- 2 play, one against each.\n" in make_text(path, players=2)


def test_a_choice_that_reads_like_a_suit_keeps_its_name_in_another_language(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(TABLE, encoding="utf-8")
    house = tmp_path / "house.yaml"
    house.write_text("variant: house\ntitle: House\nextends: table.yaml\nset: {trump: spades}\n")
    for command in (["show", str(house)], ["diff", str(path), str(house)]):
        assert run([*command, "--lang", "fr"]) == 0
    with speaking("fr"):
        told = describe(house)
    assert told["parameters"]["trump"]["value"] == "spades"
    assert [*told["packs"][""]["suits"].values()] == ["cœur", "pique"]


BASE = """\
variant: base
title: Base
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  rule match "One deal.":
      deal:
          do bid(dealer)
          end deal because played
      end match drawn
  rule bid(player) "A bid below nothing.":
      ask player "bid":
          n from -3 to -1
"""
OWN = """\
variant: own
title: Own
extends: base.yaml
uses: [parts/luck.yaml]
rules: |
  after rule bid(player):
      do try_luck(player)
"""
LUCK = """\
module: luck
title: Luck
summary: It is tried.
rules: |
  rule try_luck(player) "One more question.":
      ask player "luck":
          try
"""


def test_a_module_by_its_path_is_told_and_so_is_what_a_negative_number_answers(tmp_path):
    (tmp_path / "parts").mkdir()
    for name, text in (("base", BASE), ("own", OWN), ("parts/luck", LUCK)):
        (tmp_path / f"{name}.yaml").write_text(text)
    book = make_book(tmp_path / "own.yaml", example=True)
    assert book.differences == ("**Luck.** It is tried.",)
    steps = [step for step, _ in book.example.steps]
    assert re.fullmatch(r"Player 1: bid: -\d\.", steps[0])


@pytest.mark.parametrize(
    ("pack", "told"),
    [
        ("special_cards: {joker: {strength: highest}}", "Another pack: 3 cards."),
        ("values: {strength: {A: 0}}", "The cards have other values."),
    ],
)
def test_the_box_tells_special_cards_and_values_apart_from_another_pack(tmp_path, pack, told):
    (tmp_path / "base.yaml").write_text(BASE)
    own = tmp_path / "own.yaml"
    own.write_text(f"variant: own\ntitle: Own\nextends: base.yaml\npack: {{{pack}}}\n")
    assert make_book(own).differences == (told,)
