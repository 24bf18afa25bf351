"""The command line: exit codes, messages, JSON."""

import json
import os
import shutil

import pytest
from extent import extent
from forked import Forked

import trutdsl
from trutdsl.cli.app import COMMANDS, run
from trutdsl.strategy.count import CLUSTERS
from trutdsl.table.counts import Counts


def test_shipped_variants_check(root, capsys):
    files = [*(root / "variants").glob("*.yaml"), *(root / "variants/lib").glob("*.yaml")]
    assert run(["check", *map(str, files)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == len(files)
    assert all(": ok, " in line for line in out)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_in_its_help(command, root, capsys):
    assert run([command, "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert f"Example: trutdsl {command}" in text
    example = text.partition("Example: ")[2].partition(" Arguments:")[0].partition(" Options:")[0]
    for word in example.split():
        assert not word.startswith("tests/") or (root / word).is_file()
    assert "x>=" not in text and "x<=" not in text


def test_show_and_ambiguities_take_parameters(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["show", "trut", "--param", "goal=3"]) == 0
    assert "goal 3 How many longs" in " ".join(capsys.readouterr().out.split())
    assert run(["show", "trut", "--param", "goal=3", "--json"]) == 0
    goal = json.loads(capsys.readouterr().out)["parameters"]["goal"]
    assert (goal["value"], goal["default"]) == ("3", "7")
    call = ["truc-catalan", "--param", "goal=3", "--param", "responder=all_opponents"]
    play = ["--strategies", "uniform", "--sets", "10", "--jobs", "1", "--json"]
    assert run(["ambiguities", *call, *play]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["variants"][0]["name"] == "truc-catalan:goal=3,responder=all_opponents"
    assert found["readings"][0]["name"] == "truc-catalan:goal=3,responder=next_opponent"


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["check", "nowhere.yaml"], 2, "nowhere.yaml:1:1: error: "),
        (["check", "trud"], 2, "did you mean 'trut'?"),
        (["show", "trud"], 2, "did you mean 'trut'?"),
        (["simulate"], 2, "trutdsl simulate needs VARIANT"),
        (["simulate", "trut", "--plyers", "2"], 2, "--plyers"),
        (["simulate", "trut", "--players", "5"], 2, "error: trut is for 2, 3, 4, 6 players, not 5"),
        (["simulate", "trut", "--players", "x"], 2, "--players x: expected a whole number"),
        (["simulate", "trut", "--param", "gaol=3"], 2, "did you mean 'goal'?"),
        (["simulate", "trut", "--param", "goal=0"], 2, "from 1 to 99"),
        (["simulate", "trut", "--param", "goal"], 2, "NAME=VALUE"),
        (["simulate", "trut", "--param", "goal=2", "--param", "goal=3"], 2, "set twice"),
        (["simulate", "trut", "--matches", "0"], 2, "at least 1"),
        (["simulate", "trut", "--seed", "-1"], 2, "--seed"),
        (["simulate", "trut", "--legal"], 2, "it needs --transcript FILE"),
        (["simulate", "trut", "--transcript", "-", "--json"], 2, "write the transcript to a file"),
        (["simulate", "trut", "--engine", "refrence"], 2, "did you mean 'reference'?"),
        (["simulate", "trut", "--strategies", "uniform,uniform,quiet"], 2, "give 1 or 2"),
        (
            ["simulate", "trut", "--strategies", "steady,,quiet"],
            2,
            "a name is missing between the",
        ),
        (
            ["simulate", "trut", "--strategies", "bluffer:bluff=0,5"],
            2,
            "a point: 'bluffer:bluff=0.5'",
        ),
        (
            ["simulate", "trut", "--transcript", "/nowhere/t.jsonl"],
            2,
            "there is no folder /nowhere",
        ),
        (["bogus"], 2, "bogus"),
    ],
)
def test_bad_usage(args, code, message, capsys):
    assert run(args) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_spaces_around_a_parameter_do_not_matter(capsys):
    """A message that shows the value would not show them."""
    assert run(["simulate", "trut", "--param", " goal = 2", "--matches", "1", "--seed", "1"]) == 0
    assert "Trut, 2 players" in capsys.readouterr().out


def test_list(capsys):
    assert run(["list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "trut" in [v["name"] for v in found["variants"]]
    assert "uniform" in [s["name"] for s in found["strategies"]]
    assert run(["list"]) == 0
    assert "uniform" in capsys.readouterr().out


def test_list_notices_changed_files(root, tmp_path, monkeypatch, capsys):
    for name in ("variants", "strategies"):
        shutil.copytree(root / name, tmp_path / name)
    monkeypatch.setattr(trutdsl, "__file__", str(tmp_path / "trutdsl" / "__init__.py"))
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    titles = []
    for title in ("Trut", "Trut", "Trout"):
        file = tmp_path / "variants" / "trut.yaml"
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("title: Trut\n", f"title: {title}\n"), encoding="utf-8")
        assert run(["list", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        titles += [v["title"] for v in found["variants"] if v["name"] == "trut"]
    assert titles == ["Trut", "Trut", "Trout"]


def test_a_change_of_a_base_repeats_the_check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    base = "variant: base\ntitle: Base\nextends: trut\nrules: |\n  define WORD: yes\n"
    house = "variant: house\ntitle: House\nextends: base.yaml\nrules: |\n"
    house += "  before rule match:\n      if one:\n          do gain_longs(team(dealer), 1)\n"
    (tmp_path / "house.yaml").write_text(house)
    results = []
    for word in ("one", "one", "other"):
        (tmp_path / "base.yaml").write_text(base.replace("WORD", word))
        results.append((run(["check", "house.yaml"]), capsys.readouterr()))
    assert [code for code, _ in results] == [0, 0, 2]
    assert results[0] == results[1] and "1 own, 56 inherited" in results[0][1].out
    assert "there is no name 'one'" in results[2][1].err


def test_show(capsys):
    assert run(["show", "trut"]) == 0
    out = capsys.readouterr().out
    for text in ("7 8 A K Q J 10 9, strongest first", "trut_window", "interrupt", "pass; trut"):
        assert text in out
    assert run(["show", "trut", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["decisions"]["turn"] == ["play CARD", "trut"]
    assert found["parameters"]["goal"]["default"] == "7"


def test_simulate_json(capsys):
    args = ["simulate", "trut", "--matches", "8", "--seed", "4", "--json", "--param", "goal=2"]
    assert run(args) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["matches"] == 8
    assert found["parameters"]["goal"] == "2"
    low, mean, high = (found["deals_per_match"][k] for k in ("low", "mean", "high"))
    assert low < mean < high
    assert mean == found["deals"] / 8
    assert found["deals_per_match"]["method"] == "t"
    shares = [*found["wins"], found["draws"]]
    assert {share["method"] for share in shares} == {"clopper-pearson"}
    assert sum(share["mean"] for share in shares) == 1


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize(
    ("variant", "players"), [("trut", "4"), ("truc-catalan", "2")][: extent(1, None)]
)
def test_simulate_prints_the_same_with_either_engine_or_a_transcript(
    variant, players, form, tmp_path, capsys
):
    args = ["simulate", variant, "--players", players, "--matches", "6", "--seed", "3", *form]
    outputs = []
    for more in ([], ["--engine", "reference"], ["--transcript", str(tmp_path / "log.jsonl")]):
        assert run([*args, *more]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] == outputs[2]


def test_simulate_in_machine_code_does_nothing_in_python_for_each_match(monkeypatch, capsys):
    pieces = []
    add = Counts.__add__
    monkeypatch.setattr(Counts, "__add__", lambda a, b: pieces.append(b) or add(a, b))
    monkeypatch.setattr("trutdsl.strategy.count.play_checked", None)
    monkeypatch.setattr("trutdsl.native.play.runs.RunCode.rows", None)
    monkeypatch.setattr("trutdsl.native.play.runs.PAUSE", 10**9)  # no piece counts as slow
    assert run(["simulate", "trut", "--matches", "50000", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 50000
    assert len(pieces) < 15 * CLUSTERS


def test_a_closed_pipe_ends_the_command_silently(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    play = ["simulate", "trut", "--matches", "30", "--transcript", "-"]
    process = Forked(tmp_path, *play, stdout=pipe)
    with pipe.open() as reader:
        assert reader.readline().startswith('{"event": "match"')
    assert process.communicate()[1] == ""
    assert process.returncode == 1


def test_a_game_without_deals_has_no_figure_per_deal(tmp_path, capsys):
    (tmp_path / "claim.yaml").write_text(
        "variant: claim\ntitle: Claim\nplayers: [2]\nteams: {2: 2}\n"
        "pack: {suits: {h: hearts}, ranks: [A, K]}\nrules: |\n"
        '  rule match:\n      ask dealer "claim":\n'
        "          claim: end match won by team(dealer)\n          pass: end match drawn\n"
    )
    assert run(["simulate", str(tmp_path / "claim.yaml")]) == 0
    out = capsys.readouterr().out
    assert "Length: deals a match: 0.00" in out
    assert "decisions" not in out


def test_a_random_seed_is_printed_and_can_be_repeated(capsys):
    def simulate(seed):
        assert run(["simulate", "trut", "--matches", "3", "--json", "--seed", seed]) == 0
        return json.loads(capsys.readouterr().out)

    first, other = simulate("random"), simulate("random")
    assert first["seed"] != other["seed"] and max(first["seed"], other["seed"]) >> 100
    assert simulate(str(first["seed"])) == first
    assert run(["simulate", "trut", "--seed", "randm"]) == 2
    assert "'randm' is neither a whole number nor `random`" in capsys.readouterr().err


def test_matches_that_reach_the_limit_of_deals_are_counted(root, tmp_path, capsys):
    path = str(root / "tests" / "hostile" / "deals-wrap.yaml")
    assert run(["simulate", path, "--matches", "3"]) == 0
    message = "%); 3 of them as nobody had won after 10,000 deals\n"
    assert message in capsys.readouterr().out
    out = ["--out", str(tmp_path / "run"), "--sets", "2", "--jobs", "1"]
    assert run(["tournament", path, "--strategies", "uniform,quiet", *out]) == 0
    assert "drawn, as nobody had won after 10,000 deals: 4 matches\n" in capsys.readouterr().out


def test_a_transcript_does_not_overwrite_other_files(tmp_path, capsys):
    house, log = tmp_path / "house.jsonl", tmp_path / "log.jsonl"
    house.write_text("variant: house\n", encoding="utf-8")
    play = ["simulate", "trut", "--matches", "1", "--transcript"]
    assert run([*play, str(house)]) == 2
    assert house.read_text(encoding="utf-8") == "variant: house\n"
    message = capsys.readouterr().err
    assert "house.jsonl exists and is not a transcript, so it is not overwritten" in message
    assert "give --transcript the name of a new file" in message
    log.touch()  # holds nothing that could be lost
    assert run([*play, str(log)]) == 0
    assert run([*play, str(log), "--seed", "2"]) == 0
    assert '"seed": 2' in log.read_text(encoding="utf-8")


DELETES = """\
from pathlib import Path

class A:
    def choose(self, view):
        Path("log.jsonl").unlink(missing_ok=True)
        return view.actions[0]
"""


def test_a_transcript_that_is_deleted_meanwhile_is_missed(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(DELETES, encoding="utf-8")
    play = ["simulate", "trut", "--matches", "1", "--strategies", "a.py"]
    assert run([*play, "--transcript", "log.jsonl"]) == 2
    message = "error: log.jsonl cannot be written: No such file or directory\n"
    assert capsys.readouterr().err.endswith(message)


HOUSE = """\
variant: house
title: House
extends: trut
set: {goal: 3}
rules: |
  zone shown[seat]: up to 1 card, seen by all   # what was shown

  deal state:
      told: yes_no

  replace zone table[seat]: up to 2 cards

  before rule settle_trick "An ace counts.":
      told = not told and empty(shown[dealer])
"""
MIX = """\
variant: mix
title: Mix
extends: house.yaml
rules: |
  replace rule settle_trick:
      do base
  after rule play_trick "And is forgotten.":
      told = no
  define twice(n: number): n + n
  rule nothing(n: number):
      if twice(n) > 3: return
  after rule turn(player):
      do nothing(2)
"""


def test_show_lists_each_rule_once_and_every_difference(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "house.yaml").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "mix.yaml").write_text(MIX, encoding="utf-8")
    assert run(["show", "house.yaml"]) == 0
    out = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "Three cards, three tricks and one bluff" not in out  # the base's summary
    for line in (
        "goal 3 instead of 7. How many longs win the match.",
        "before settle_trick An ace counts.",
        "table `zone table[seat]: up to 2 cards`",
        "new: shown What was shown. `zone shown[seat]: up to 1 card, seen by all`",
        "new: told `deal state told: yes_no`",
    ):
        assert line in lines
    assert run(["show", "mix.yaml", "--json"]) == 0
    rules = json.loads(capsys.readouterr().out)["rules"]
    names = [rule["name"] for rule in rules]
    assert len(names) == len(set(names))
    assert not [name for name in names if " of " in name or "itself" in name]
    at = names.index("settle_trick")
    assert names[at - 1] == "before settle_trick"
    assert names[names.index("play_trick") + 1] == "after play_trick"
    assert rules[at]["help"]
    assert run(["check", "mix.yaml"]) == 0
    assert "rules and defines: 5 own, " in capsys.readouterr().out


def test_show_lists_the_additions_of_a_module_and_a_pack(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    assert run(["show", "trut-club-gentiane"]) == 0
    assert run(["show", "trut-club"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert any(
        line.startswith("lib/gatinaise Forced trut and song. Two petits on one side")
        for line in lines
    )
    assert "pack Other suits and ranks, as above." in lines
    assert "new: ace Whether the ace is below the two or above the ten." in lines
    assert "shuffle_pack The pack is shuffled once, before the first deal." in lines


def test_a_missing_file_extension_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text(HOUSE, encoding="utf-8")
    assert run(["simulate", "house"]) == 2
    assert "there is a file of that name: write house.yaml" in capsys.readouterr().err


def test_replay_says_where_it_looks_for_the_rules(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text(HOUSE, encoding="utf-8")
    log = str(tmp_path / "log.jsonl")
    assert run(["simulate", "house.yaml", "--matches", "1", "--transcript", log]) == 0
    assert run(["replay", "--verify", log]) == 0
    assert ": 1 match, " in capsys.readouterr().out
    (tmp_path / "house.yaml").unlink()
    assert run(["replay", "--verify", log]) == 2
    err = capsys.readouterr().err
    assert "there is no file 'house.yaml', which holds this match's rules" in err
    assert f"it is looked for from this folder, {tmp_path}" in err


@pytest.mark.parametrize("stage", ["ast", "ir", "llvm", "asm"])
def test_dump_shows_every_stage(stage, capsys):
    assert run(["dump", "trut", "--stage", stage]) == 0
    out = capsys.readouterr().out
    assert {"ast": "Rule", "ir": "Program", "llvm": "define", "asm": ".globl"}[stage] in out
    assert "certain_winner" in out or stage in ("llvm", "asm")
    assert stage != "llvm" or "; Ask in rule 'turn'" in out
    assert run(["dump", "trut", "--stage", "asn"]) == 2
    assert "did you mean" in capsys.readouterr().err


def test_show_prints_added_options_at_their_question(capsys):
    assert run(["show", "trut-deux-sevres", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["decisions"]["turn"] == ["play CARD", "trut", "trut pair", "trut brelan"]
    names = [rule["name"] for rule in printed["rules"]]
    assert names[-3:] == ["options announced", "add to ask turn", "add to ask interrupt"]
    assert {piece["rule"] for piece in printed["differences"]["pieces"]} == {"turn", "interrupt"}
    assert "options announced" in printed["differences"]["adds"]


def test_show_leaves_out_unused_rules(capsys):
    """Trut draws for the dealer itself, so it never calls the rule of its module."""
    assert run(["show", "trut", "--json"]) == 0
    names = [rule["name"] for rule in json.loads(capsys.readouterr().out)["rules"]]
    assert "choose_dealer" not in names and names.index("draw_for_dealer") < names.index("score")
