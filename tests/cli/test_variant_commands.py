"""Shipped files, the text of a rule, differences in words, new house rules, formats of `check`."""

import json
from pathlib import Path

import pytest
from extent import extent

from trutdsl.cli.app import run
from trutdsl.language import languages
from trutdsl.variant import list_variants, load_variant


def run_and_read(capsys, *args, code=0):
    assert run(list(args)) == code
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["trut", "lib/bets", "steady", "uniform"])
def test_where_names_a_file(name, capsys):
    assert Path(run_and_read(capsys, "where", name).strip()).is_file()


@pytest.mark.parametrize(
    ("name", "meant"),
    [("truco-argentino", "examples/truco-argentino"), ("steddy", "steady"), ("trutt", "trut")],
)
def test_where_suggests_a_name(name, meant, capsys):
    assert run(["where", name]) == 2
    assert f"is shipped; did you mean '{meant}'?" in capsys.readouterr().err


@pytest.mark.thorough
def test_check_cuts_a_long_title(tmp_path, capsys):
    path = tmp_path / "ours.yaml"
    path.write_text(f"variant: ours\ntitle: {'x' * 900_000}\nextends: trut\n")
    assert run(["check", str(path)]) == 0
    assert len(capsys.readouterr().out) < len(str(path)) + 300


MARKED = """\
variant: ours
title: "A [/b] game :smile:"
summary: "[red]x[/x]"
extends: trut
sources: {a: "see [/] here"}
parameters:
  p: {type: boolean, default: true, help: "a [/z] b"}
words:
  en: {options: {trut: "[/trut]"}, suits: {hearts: "[/h]"}}
rules: |
  before rule open_play "[/zz]" [a 000]:
      if p: return
"""

WITHOUT_PARAMETERS = """\
variant: one
title: One question
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  rule match:
      ask dealer "go":
          go
          stay
      end match drawn
"""


def test_texts_of_a_variant_are_no_markup(tmp_path, capsys):
    path = tmp_path / "ours.yaml"
    path.write_text(MARKED)
    shown = run_and_read(capsys, "show", str(path))
    for text in ("A [/b] game :smile:", "[red]x[/x]", "see [/] here", "a [/z] b", "[/h]", "[/zz]"):
        assert text in shown
    assert "A [/b] game :smile:" in run_and_read(capsys, "diff", "trut", str(path))


def test_show_leaves_out_an_empty_section(capsys, tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text(WITHOUT_PARAMETERS)
    shown = run_and_read(capsys, "show", str(path))
    assert "Questions" in shown
    assert "Rules" not in shown
    assert "Parameters" not in shown


def test_source_prints_all_texts_of_a_rule(root, capsys):
    out = run_and_read(capsys, "show", "trut-deux-sevres", "--source", "win_trut")
    first, second = out.split("\n\n")
    assert first.startswith("variants/trut.yaml:")
    assert second.startswith("variants/trut-deux-sevres.yaml:")
    for text in (first, second):
        at, _, body = text.partition("\n")
        file, line = at.split(":")
        lines = (root / file).read_text().splitlines()[int(line) - 1 :]
        assert body.splitlines() == [one[2:] for one in lines[: len(body.splitlines())]]


def test_differences_in_words(capsys):
    found = json.loads(run_and_read(capsys, "diff", "trut", "trut-deux-sevres", "--json"))
    assert found["parameters"]["leader"] == (
        "dealer in trut, left_of_dealer in trut-deux-sevres. Who leads the first trick."
    )
    assert set(found["parameters_of_b"]) == {"trut_prize", "announcements"}
    assert set(found["rules"]) == {"win_trut", "worth_in_draw"}
    assert "pack" not in found
    assert "trut pair" in found["questions"]["turn"]
    back = json.loads(run_and_read(capsys, "diff", "trut-deux-sevres", "trut", "--json"))
    assert set(back["rules"]) == set(found["rules"])
    assert back["rules_of_a"] == found["rules_of_b"]
    out = run_and_read(capsys, "diff", "trut", "truc-catalan")
    assert "3 2 1 12 11 10 7 6 5 4, strongest first" in " ".join(out.split())


def test_the_order_of_ranks_is_no_strength_where_values_give_it(capsys):
    argentine = "variants/examples/truco-argentino.yaml"
    out = " ".join(run_and_read(capsys, "show", argentine).split())
    assert "Ranks 3 2 1 12 11 10 7 6 5 4 Values strength: 1 espadas 14" in out
    assert "strongest first" not in out
    assert "strongest first" in run_and_read(capsys, "show", "trut-deluxe")
    assert "5 4, strongest first" not in run_and_read(capsys, "diff", "trut", argentine)


def test_the_keys_of_differences_are_the_same_in_each_language(capsys):
    pairs = ("trut", "truc-catalan"), ("trut", "trut-deluxe"), ("trut", "tute")
    for one, two in pairs:
        found = [
            json.loads(run_and_read(capsys, "diff", one, two, "--json", "--lang", lang))
            for lang in ("en", "fr")
        ]
        assert list(found[0]) == list(found[1])
        assert [list(rows) for rows in found[0].values()] == [
            list(rows) for rows in found[1].values()
        ]


@pytest.mark.parametrize("name", list_variants())
def test_a_variant_does_not_differ_from_itself(name, capsys):
    assert run_and_read(capsys, "diff", name, name) == f"{name} and {name} have the same rules.\n"


def test_a_rule_with_another_text_is_a_difference(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = "variant: ours\ntitle: Ours\nextends: trut\nrules: |\n"
    text += '  replace define can_call "Trut is called once a deal.": base and tricks_left < 3\n'
    Path("ours.yaml").write_text(text)
    found = json.loads(run_and_read(capsys, "diff", "trut", "ours.yaml", "--json"))
    assert found == {"rules": {"can_call": "Trut is called once a deal. (written otherwise)"}}


def test_a_counter_that_a_variant_states_again_is_a_difference(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    head = "variant: own\ntitle: Own\nextends: trut\n"
    Path("own.yaml").write_text(head + "counters: {petits: {help: Small ones., min: -9}}\n")
    assert run(["show", "own.yaml"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Differs from trut petits Small ones. `min: -9, best: highest`" in shown
    assert "new: petits" not in shown


def test_each_of_several_packs_is_named_by_its_choice(capsys):
    assert run(["show", "truc-french"]) == 0
    shown = capsys.readouterr().out
    assert "\nPack (32) 32 cards: clubs" in shown
    assert "\nPack (32-eight-high) 32 cards: clubs" in shown
    assert run(["show", "trut"]) == 0
    assert "\nPack      32 cards: clubs" in capsys.readouterr().out


def test_a_summary_that_could_contradict_the_rules_is_not_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    house = "variant: house\ntitle: House\nextends: trut\nset: {goal: 5}\n"
    Path("house.yaml").write_text(house)
    for variant, shown in (
        (["trut"], True),
        (["trut", "--param", "goal=5"], False),
        (["house.yaml"], False),
    ):
        assert run(["show", *variant]) == 0
        assert ("seven longs win" in " ".join(capsys.readouterr().out.split())) == shown, variant
        assert run(["show", *variant, "--json"]) == 0
        assert bool(json.loads(capsys.readouterr().out)["summary"]) == shown, variant
    Path("house.yaml").write_text(house + "summary: Five longs win.\n")
    assert run(["show", "house.yaml"]) == 0
    assert "\nFive longs win.\n" in capsys.readouterr().out


def test_a_module_is_checked_in_french(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("part.yaml").write_text("module: part\ntitle: Part\n")
    assert run(["check", "part.yaml", "--lang", "fr"]) == 0
    assert capsys.readouterr().out.startswith("part.yaml: bon, un module\u00a0;")


@pytest.mark.parametrize("base", extent(["trut-club-gentiane", "tute"], list_variants()))
def test_a_new_house_rule_passes_its_checks(base, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name, one = next((n, p) for n, p in load_variant(base).parameters.items() if p.most)
    value = one.least if one.default != one.least else one.most
    out = run_and_read(capsys, "new", "ours", "--from", base, "--set", f"{name}={value}")
    assert "trutdsl scenario ours-scenarios.yaml" in out
    assert "ours.yaml: ok" in run_and_read(capsys, "check", "ours.yaml", "--strict")
    assert "1 passed, 0 failed" in run_and_read(capsys, "scenario", "ours-scenarios.yaml")
    found = json.loads(run_and_read(capsys, "diff", base, "ours.yaml", "--json"))
    assert set(found) == {"parameters"}
    assert set(found["parameters"]) == {name}
    before = Path("ours.yaml").read_text()
    assert run(["new", "ours"]) == 2
    assert Path("ours.yaml").read_text() == before


@pytest.mark.parametrize("language", languages())
def test_the_commented_lines_of_a_new_file_are_valid(tmp_path, monkeypatch, capsys, language):
    """Uncomment all settings and the example of a rule, and check them."""
    monkeypatch.chdir(tmp_path)
    run_and_read(capsys, "new", "ours", "--from", "trut", "--lang", language)
    text = Path("ours.yaml").read_text() + Path("ours-scenarios.yaml").read_text()
    assert ("Who leads the first trick." in text) is (language == "en")
    assert ("Trut is called once a deal." in text) is (language == "en")
    assert ("A scenario is" in text) is (language == "en")
    lines = Path("ours.yaml").read_text().splitlines()
    settings = [line[2:] for line in lines if line.startswith("#   ") and ": " in line]
    rules = [line[2:] for line in lines[lines.index("# rules: |") :]]
    settings = [line for line in settings if line not in rules]
    head = [line for line in lines if not line.startswith("#")]
    Path("ours.yaml").write_text("\n".join([*head, "set:", *settings, *rules]) + "\n")
    assert "rules and defines: 1 own" in run_and_read(capsys, "check", "ours.yaml")


WRONG = """variant: wrong
title: Wrong
extends: trut
rules: |
  replace define can_call "Not: 100 %, before.": base et trick_left < 3
"""


def test_formats_of_check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("wrong.yaml").write_text(WRONG)
    (one,) = json.loads(
        run_and_read(capsys, "check", "trut", "wrong.yaml", "--output-format=json", code=2)
    )
    column = WRONG.splitlines()[4].index(" et ") + 2
    assert one == {
        "file": "wrong.yaml", "line": 5, "column": column, "end_line": 5, "end_column": column + 2,
        "severity": "error", "code": "syntax", "help": "write `and`",
        "message": "found 'et', expected an operator or the end of the line",
    }  # fmt: skip
    out = run_and_read(capsys, "check", "wrong.yaml", "--output-format", "github", code=2)
    where = f"file=wrong.yaml,line=5,endLine=5,col={column},endColumn={column + 2},title=syntax"
    assert out == f"::error {where}::{one['message']}%0Ahelp: write `and`\n"
    log = json.loads(
        run_and_read(capsys, "check", "wrong.yaml", "--output-format", "sarif", code=2)
    )
    (result,) = log["runs"][0]["results"]
    (place,) = result["locations"]
    assert place["physicalLocation"]["region"]["startColumn"] == column
    assert (result["ruleId"], result["level"], log["version"]) == ("syntax", "error", "2.1.0")


def test_formats_of_check_without_findings_and_with_warnings(root, capsys):
    assert json.loads(run_and_read(capsys, "check", "trut", "--output-format", "json")) == []
    assert run_and_read(capsys, "check", "trut", "--output-format", "github") == ""
    log = json.loads(run_and_read(capsys, "check", "trut", "--output-format", "sarif"))
    assert log["runs"][0]["results"] == []
    doubtful = min((root / "tests/bad/doubtful").glob("*.yaml"))
    found = json.loads(run_and_read(capsys, "check", str(doubtful), "--output-format", "json"))
    assert {one["severity"] for one in found} == {"warning"}
    args = ["check", str(doubtful), "--strict", "--output-format", "json"]
    found = json.loads(run_and_read(capsys, *args, code=2))
    assert {one["severity"] for one in found} == {"error"}


# ---------------------------------------------------------------- a game that asks nothing

WAR = """\
variant: war
title: War
players: [2]
teams: {2: 2}
pack: {suits: {s: spades}, ranks: [K, Q, J]}
counters:
  points: {help: Goal points win.}
rules: |
  zone stock: pile, starts with pack_cards, seen by nobody
  zone hand[seat]: up to 1 card, seen by all
  rule match "Deal after deal.":
      repeat at most 1000 times:
          deal:
              gather hand into stock
              shuffle stock
              for p in seats: draw from stock to hand[p]
              let w = first p in seats with highest strength(top(hand[p]))
              points[team(w)] += 1
              end deal won by team(w) because played
          for side in teams where points[side] >= 2: end match won by side
"""


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("exact WAR --players 2 --strategies uniform", "deals a match: mean 2.5,"),
        ("play WAR --seed 1", "The same cards again"),
        ("bench WAR --seconds 0.001", "2 players"),
        ("bench tests/good/packs-by-parameter.yaml --seconds 0.001", "2 players"),
        ("solve WAR --players 2 --deal points=1", "there is nothing to solve"),
        ("solve WAR --players 2 -o war.policy", "there is nothing to solve"),
        ("exploit WAR --players 2 --against uniform --deal points=1", "there is nothing to solve"),
        ("exploit WAR --players 2 --against uniform", "there is no play to learn"),
    ],
)
def test_a_game_may_leave_nobody_a_choice(command, text, tmp_path, capsys):
    (tmp_path / "war.yaml").write_text(WAR)
    args = command.replace("WAR", str(tmp_path / "war.yaml")).split()
    code = run(args)
    done = capsys.readouterr()
    assert (code, text in done.out + done.err) == (2 if "there is" in text else 0, True)
