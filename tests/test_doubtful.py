"""Warnings: small games with something doubtful, and shipped games without warnings."""

import re
from pathlib import Path

import pytest
from documents import rows

from trutdsl.api.rules import find_doubts
from trutdsl.cli.app import BAD_INPUT, run
from trutdsl.ir import build_program
from trutdsl.ir.check.warn import find_warnings
from trutdsl.variant import load_variant

TESTS = Path(__file__).parent
DOUBTFUL = TESTS / "bad" / "doubtful"
CODE = re.compile(r"^(.*): (?:error|warning): .* \[([a-z-]+)\]$", re.MULTILINE)


def names():
    return sorted(path.stem for path in DOUBTFUL.glob("*.yaml"))


@pytest.mark.parametrize("name", names())
def test_a_doubtful_game_gets_a_warning_and_an_error_with_strict(
    name, expect_file, monkeypatch, capsys
):
    monkeypatch.chdir(DOUBTFUL)
    assert run(["check", f"{name}.yaml", "--strict"]) == BAD_INPUT
    refused = capsys.readouterr()
    assert refused.out == ""
    expect_file(DOUBTFUL / f"{name}.txt", refused.err)
    own = [code for place, code in CODE.findall(refused.err) if place.startswith(name)]
    assert set(own) == {name}
    assert run(["check", f"{name}.yaml"]) == 0
    captured = capsys.readouterr()
    assert captured.err == refused.err.replace(": error: ", ": warning: ")
    assert re.search(r"; \d warnings?\n$", captured.out)


def test_every_warning_has_a_file_and_a_row(root):
    modules = (root / f"trutdsl/ir/check/{name}.py" for name in ("warn", "slips", "dealing"))
    source = "".join(module.read_text(encoding="utf-8") for module in modules)
    codes = set(re.findall(r'\.warn\(\s*"([a-z-]+)"', source))
    assert codes == set(names())
    page = (root / "docs/messages.md").read_text(encoding="utf-8")
    assert codes == set(rows(page, "warnings"))


SIX = """\
variant: six
title: Trut with six cards
extends: trut
pack:
  suits: {c: clubs, d: diamonds}
  ranks: [7, 8, K]
"""


def test_an_own_pack_can_be_too_small_for_the_rules_of_the_base(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("six.yaml").write_text(SIX)
    assert run(["check", "six.yaml"]) == 0
    error = capsys.readouterr().err
    assert error.startswith("six.yaml:5:3: warning: with 3 players 9 cards are drawn from 'stock'")


STRIPPED = """\
variant: stripped
title: Trut with fourteen cards
extends: trut
rules: |
  replace zone stock: starts with pack_cards - {"7c", "7d"} - {LEFT_OUT}
"""


def test_cards_that_stay_out_of_the_pack_cannot_be_dealt(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    left_out = ", ".join(f'"{rank}{suit}"' for rank in "89JQ" for suit in "cdhs")
    Path("stripped.yaml").write_text(STRIPPED.replace("LEFT_OUT", left_out))
    assert run(["check", "stripped.yaml"]) == 0
    error = capsys.readouterr().err
    text = "stripped.yaml:5:35: warning: with 6 players 18 cards are drawn from 'stock', and the"
    assert error.startswith(f"{text} pack has 14 [pack-too-small]")
    Path("stripped.yaml").write_text(STRIPPED.replace("LEFT_OUT", '"8c"'))
    assert find_doubts("stripped.yaml") == ()


FULL = """\
variant: full
title: Limits of zones
players: [3]
teams: {3: 3}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J, 10, 9]}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 2 cards, seen by owner
  zone table[seat]: up to 1 card, seen by all
  zone kept[team]: up to 1 card, seen by nobody
  rule match:
      let lucky = chance 1 out of 2
      if lucky: move all from kept[team(dealer)] to table[dealer] openly
      repeat 2 times:
          for p in seats: draw from stock to hand[p]
      BODY
      end match drawn
"""
DRAW = "for p in seats: draw from stock to hand[p]"
BACK = "gather hand into stock"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ((DRAW,), "9 cards come to 'hand', which has room for 6"),
        ((BACK, DRAW), None),
        ((f"if lucky: {BACK}", DRAW), None),
        ((f"if size(stock) > 11: {BACK}", DRAW), None),
        (("for p in seats where dealer == p: draw from stock to hand[p]", DRAW), "9 cards"),
        (("for p in seats where dealer == p: move all from hand[p] to stock", DRAW), None),
        (("repeat 2 times: move bottom(stock) from stock to table[dealer]",), None),
        (("repeat 4 times: move bottom(stock) from stock to table[dealer]",), "4 cards come to 't"),
        (("repeat 3 times: draw from stock to kept[team(dealer)]",), None),
        (("repeat 4 times: draw from stock to kept[team(dealer)]",), "4 cards come to 'kept'"),
        (("for i in 1 to 9: move top(table[dealer]) from table[dealer] to table[dealer]",), None),
    ],
)
def test_more_cards_come_to_a_zone_than_its_limit(body, found, tmp_path):
    path = tmp_path / "full.yaml"
    path.write_text(FULL.replace("BODY", "\n      ".join(body)))
    doubts = [one.message for one in find_doubts(str(path)) if one.code == "zone-too-small"]
    assert [found in message for message in doubts] == [True] * bool(found)


NARROW = """\
variant: narrow
title: Hands of two in a game of three cards
extends: trut
rules: |
  replace zone hand[seat]: up to 2 cards
"""


def test_a_limit_can_be_too_small_for_the_rules_of_the_base(tmp_path):
    path = tmp_path / "narrow.yaml"
    path.write_text(NARROW)
    (doubt,) = find_doubts(str(path))
    assert (doubt.code, doubt.span.line, doubt.span.text) == ("zone-too-small", 5, "2")


MANY_TURNS = """\
variant: many-turns
title: Loops with many turns
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  zone stock: pile, starts with pack_cards
  zone laid: seen by all
  rule match:
      repeat 3 times: draw from stock to laid
      BODY
      end match drawn
"""
NESTED = "".join("    " * depth + f"      for i{depth} in 1 to 100:\n" for depth in range(4))


@pytest.mark.parametrize(
    "loop",
    [
        "for i in 1 to 1000000000: dealer = dealer",
        "repeat 1000000000 times: dealer = dealer",
        NESTED.strip() + " dealer = dealer",
    ],
    ids=["for", "repeat", "nested"],
)
def test_loops_with_many_turns_are_followed_only_for_some(loop, tmp_path):
    path = tmp_path / "many-turns.yaml"
    path.write_text(MANY_TURNS.replace("BODY", loop))
    assert [one.code for one in find_doubts(str(path))] == ["pack-too-small"]


DEALER_WITHOUT_CARDS = """\
variant: left-out
title: Trut in which the dealer gets no card
extends: trut
rules: |
  replace rule deal_cards(amount: number):
      repeat amount times:
          for player in seats {which}: do {rule}(player)
"""


@pytest.mark.parametrize("rule", ["take_card", "help"])
@pytest.mark.parametrize(
    ("which", "doubtful"), [("after dealer", True), ("from next_seat(dealer)", False)]
)
def test_a_rule_that_is_called_may_leave_out_the_dealer(which, doubtful, rule, tmp_path):
    path = tmp_path / "left-out.yaml"
    help_ = "  rule help(player): do take_card(player)\n" if rule == "help" else ""
    path.write_text(DEALER_WITHOUT_CARDS.format(which=which, rule=rule) + help_)
    found = [one.code for one in find_doubts(str(path)) if one.code == "left-out"]
    assert found == ["left-out"] * doubtful


@pytest.mark.parametrize("sentence", ["move all from", "gather"])
def test_a_dealer_who_gets_cards_otherwise_is_not_left_out(sentence, tmp_path):
    text = DEALER_WITHOUT_CARDS.format(which="after dealer", rule="take_card")
    zone = "face_down[dealer] to" if sentence == "move all from" else "face_down into"
    path = tmp_path / "left-out.yaml"
    path.write_text(f"{text}      {sentence} {zone} hand[dealer] openly\n")
    assert [one.code for one in find_doubts(str(path)) if one.code == "left-out"] == []


def test_shipped_files_have_no_warnings(root):
    """This includes modules and bases, whose files no other test checks."""
    shipped = sorted((root / "variants").glob("*.yaml"))
    shipped += sorted((root / "variants/examples").glob("*.yaml"))
    for path in shipped:
        variant = load_variant(path)
        files = frozenset(one.path for one in variant.layers)
        assert find_warnings(build_program(variant), variant, files) == (), path


def test_good_games_have_no_warnings():
    for path in sorted((TESTS / "good").glob("*.yaml")):
        assert find_doubts(str(path)) == (), path


GUARDED = """\
variant: guarded
title: Points are lost, and something sees to it that they are there
extends: {base}
rules: |
  after rule turn(player):
      {body}
"""


@pytest.mark.parametrize(
    ("body", "doubtful"),
    [
        ("wins[team(player)] -= 1", True),
        ("wins[team(player)] -= min(1, wins[team(player)])", False),
        ("if wins[team(player)] > 0: wins[team(player)] -= 1", False),
        ("for side in teams where has_won(side): wins[side] -= 1", False),
        ("for side in teams where side == team(player): wins[side] -= 1", True),
        ('ask player "pay":\n          pay n from 1 to 2: wins[team(player)] -= n', True),
        (
            'ask player "pay":\n          pay n from 0 to wins[team(player)]: '
            "wins[team(player)] -= n",
            False,
        ),
        ("if wins[team(player)] == 0: return\n      wins[team(player)] -= 1", False),
        ("do lose(team(player))", True),
        ("if has_won(team(player)): do lose(team(player))", False),
    ],
)
def test_a_condition_can_guard_a_counter(body, doubtful, tmp_path):
    text = GUARDED.format(base=TESTS / "good/base/high-card.yaml", body=body)
    if "has_won" in body:
        text += "\n  define has_won(side: team): wins[side] > 0\n"
    if "do lose" in body:
        text += "\n  rule lose(side: team): wins[side] -= 1\n"
    path = tmp_path / "guarded.yaml"
    path.write_text(text, encoding="utf-8")
    found = [one.code for one in find_doubts(str(path))]
    assert found == ["out-of-bounds"] * doubtful


HOOK = """\
variant: ours
language: 3
title: Ours
extends: trut
rules: |
  when a deal is over:
      {line}
"""


@pytest.mark.parametrize(
    ("line", "warned"),
    [
        ("petits[winner] += 1", True),
        ("do gain_petits(winner, 1)", True),
        ("if winner != none: petits[winner] += 1", False),
        ("if let side = winner: petits[side] += 1", False),
        ("if reason == played: petits[winner] += 1", False),
        ("petits[team(dealer)] += 1", False),
    ],
)
def test_a_winner_that_may_be_none_is_looked_at(tmp_path, capsys, line, warned):
    """A void deal of Trut has no winner."""
    path = tmp_path / "ours.yaml"
    path.write_text(HOOK.format(line=line))
    assert run(["check", str(path)]) == 0
    found = capsys.readouterr().err
    assert found.count("'winner' may be none, but a value is required here") == warned
    assert found.count("warning") == warned


def test_a_part_of_several_rules_is_warned_of_once(tmp_path, capsys):
    path = tmp_path / "ours.yaml"
    option = 'add to ask player "turn":\n      kneel: petits[team(player)] -= 1'
    path.write_text(HOOK.partition("  when")[0] + f"  {option}\n")
    assert run(["check", str(path)]) == 0
    assert capsys.readouterr().err.count("'petits' is never below 0") == 1
