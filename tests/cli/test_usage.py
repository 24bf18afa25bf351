"""Mistakes on the command line and in file names: each message says what to write."""

import pytest

from trutdsl.cli.app import run

VARIANT = "variant: ours\ntitle: Ours\nextends: trut\n"
SCENARIO = """scenario: one
variant: trut
players: 2
start: {dealer: 0}
actions: []
expect: {deal_over: false}
"""


@pytest.mark.parametrize(
    ("args", "call"),
    [
        (
            "-q tournament trut --strategies steady,caller",
            "tournament trut --strategies steady,caller -q",
        ),
        ("--json exact trut", "exact trut --json"),
        ("--lang en --jobs 2 tournament trut", "tournament trut --lang en --jobs 2"),
    ],
)
def test_an_option_of_a_command_follows_it(args, call, capsys):
    assert run(args.split()) == 2
    message = capsys.readouterr().err
    assert "follows the command" in message and f"`trutdsl {call}`" in message
    assert run(["-q", "tuornament"]) == 2
    assert "trutdsl has no option -q" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "message", "advice"),
    [
        (
            "compare trut trut-club --matches 3",
            "no option --matches",
            "write --deals N or --sets N",
        ),
        ("verifier trut", "no such command 'verifier'", "write trutdsl check"),
        ("simulate trut --param goal:3", "not by 'goal:3'", "write goal=3"),
        ("simulate trut --strategies=steady+quiet", "no strategy 'steady+quiet'", "steady,quiet"),
        ("new Ma-Règle", "cannot be the name of a variant", "write ma-regle"),
        ("simulate trut --deals 3", "no option --deals", "write --matches N"),
        ("simulate trut --mathces 3", "no option --mathces", "did you mean '--matches'?"),
        ("simulate trut --matches 1,5", "--matches 1,5", "expected a whole number"),
        ("simulate trut --matches 5,000", "--matches 5,000", "write --matches 5000"),
        ("tournament trut --margin 0,025", "--margin 0,025", "with a point for decimals"),
        ("play trut --deal 0", "--deal must be at least 1", "not 0"),
        ("simulate trut --seconds-per-choice 4000", "must be from 0.1 to 3600", "not 4000.0"),
        ("play trut --deal 1'000", "--deal 1'000", "write --deal 1000"),
        ("play trut --seed", "option '--seed' requires an argument", "trutdsl play --help"),
        ("simulate trut steady", "does not expect steady", "--strategies steady"),
        ("tournament trut steady caller", "does not expect steady caller", "steady,caller"),
        ("exploit trut steady", "does not expect steady", "write --against steady"),
        ("exploit trut --strategies steady", "no option --strategies", "write --against A,B,..."),
        ("simulate trut --strategies steady, quiet", "expect quiet", "steady,quiet"),
        ("simulate trut --param goal 5", "does not expect 5", "write --param goal=5"),
        ("simulate trut goal=5", "does not expect goal=5", "write --param goal=5"),
        ("sweep trut goal=3..7", "needs --param NAME=VALUES", "; write --param goal=3..7"),
        ("simulate trut --goal 5", "no option --goal", "write --param goal=VALUE"),
        (
            "simulate trut --param fortial=no,goal=5",
            "one by one",
            "--param fortial=no --param goal",
        ),
        ("simulate trut 4", "does not expect 4", "write --players 4"),
        ("simulate trut --strategies ours,quiet", "no strategy 'ours'", "write ours.strategy"),
        ("play trut --against steady", "no option --against", "write --strategies A,B,..."),
        ("play trut --name Anna", "no option --name", "see `trutdsl play --help`"),
        ("show trut --rule turn", "no option --rule", "write --source RULE"),
        ("show steady", "there is no variant 'steady'", "that is a strategy"),
        ("new ours --base trut", "no option --base", "write --from VARIANT"),
        ("new aux", "cannot be the name of a file on Windows", "choose another name"),
        ("new lpt1", "cannot be the name of a file on Windows", "choose another name"),
        ("new theirs.yaml", "cannot be the name of a variant", "write theirs\n"),
        ("new ours --from truc", "no variant 'truc'", "did you mean 'truc-catalan'?"),
        ("where turn", "nothing named 'turn'", "`trutdsl list` shows"),
        ("help check", "no such command 'help'", "write trutdsl check --help"),
        ("check ours.yml", "there is no such file", "did you mean 'ours.yaml'?"),
        ("check ours", "there is no variant 'ours'", "write ours.yaml"),
        ("check theirs", "there is no variant 'theirs'", "write theirs.strategy"),
        ("check folder", "there is no variant 'folder'", "as in folder/FILE.yaml"),
        ("diff trut", "needs B", "trutdsl diff --help"),
        ("sow trut", "no such command 'sow'", "did you mean 'show'?"),
        ("new ours --set gaol=3", "no parameter 'gaol'", "did you mean 'goal'?"),
        ("new Ours", "'Ours' cannot be the name", "a small letter"),
        ("new trut", "a shipped variant is called 'trut'", "choose another name"),
        ("where trutt", "nothing named 'trutt'", "did you mean 'trut'?"),
        ("show trut --source turm", "no rule of this name", "did you mean 'turn'?"),
        ("show trut --source turn --json", "not JSON", "leave --json out"),
        ("check ours.yaml --output-format xml", "xml", "choose text, json, github, sarif"),
        ("check trut.yaml", "there is no such file", "write trut: it is shipped"),
        ("check our.yaml", "there is no such file", "did you mean 'ours.yaml'?"),
        ("check nowhere/our.yaml", "there is no such file", "there is no folder 'nowhere'"),
        ("check some.yaml", "a file of scenarios, not", "`trutdsl scenario some.yaml`"),
        ("play some.yaml", "a file of scenarios", "`trutdsl play some.yaml --scenario one`"),
        ("play trut --scenario one", "needs a file of scenarios", "`trutdsl play FILE.yaml"),
        ("exact some.yaml", "a file of scenarios", "name a variant here"),
        ("check two.yaml", "found a second document", "`trutdsl scenario two.yaml`"),
        ("scenario ours.yaml", "this is a variant, not", "`trutdsl check ours.yaml`"),
        ("scenario game.jsonl", "this is a transcript, not", "`trutdsl replay game.jsonl`"),
        ("scenario evening.yaml", "this is an experiment, not", "name a file of scenarios here"),
        ("scenario steady", "there is no such file", "that is a strategy: name a file here"),
        ("check evening.yaml", "this is an experiment, not", "`trutdsl tournament evening.yaml`"),
        ("check run", "no variant 'run'", "a folder of results: name a variant here"),
        ("check game.jsonl", "no variant 'game.jsonl'", "`trutdsl replay game.jsonl`"),
        ("simulate steady,quiet", "no variant 'steady,quiet'", "that is a strategy"),
        ("simulate trut --strategies some.yaml", "no strategy 'some.yaml'", "a file of scenarios"),
        ("simulate trut --strategies a.strategy", "no such file", "this folder has ours.strategy"),
        ("simulate trut --strategies trut", "no strategy 'trut'", "name a strategy here"),
        ("explain-choice some.yaml steady", "stands first", "explain-choice steady some.yaml`"),
        ("explain-choice trut some.yaml", "no strategy 'trut'", "that is a variant"),
        ("explain-choice steady trut", "no transcript or file of scenarios 'trut'", "a variant"),
        ("explain-choice steady gam", "No such file", "did you mean 'game.jsonl'?"),
        ("explain-choice steady some.yaml one", "expect one", "write --scenario one"),
        ("replay some.yaml", "no transcript 'some.yaml'", "that is a file of scenarios"),
        ("replay game.jsonl 2", "does not expect 2", "write --deal 2"),
        ("results trut", "there is no folder trut", "name a folder of results here"),
        ("merge game.jsonl run -o x", "game.jsonl is a file", "that is a transcript"),
        ("compare trut goal=5", "a parameter stands behind", "write trut trut:goal=5"),
        ("compare trut trut goal=5", "a parameter stands behind", "write trut trut:goal=5"),
        ("compare goal=5 trut", "no variant 'goal=5'", "VARIANT:goal=5 in comparisons"),
        ("diff trut goal=5", "no variant 'goal=5'", "that is the value of a parameter"),
        ("simulate steady trut", "expect trut", "trutdsl simulate trut --strategies steady"),
        ("exploit steady quiet", "quiet here", "trutdsl exploit VARIANT --against steady,quiet"),
        ("simulate trut 100", "does not expect 100", "write --matches 100"),
        ("rules trut a.html", "does not expect a.html", "write --out a.html"),
        ("rules trut fr", "does not expect fr", "write --lang fr"),
        ("solve trut a.policy", "does not expect a.policy", "write --out a.policy"),
        ("show trut turn", "does not expect turn", "write --source turn"),
        ("new house trut", "does not expect trut", "write --from trut"),
        ("new our own rules", "does not expect own rules", "write our-own-rules"),
        ("format trut", "'trut' is not the path", "that is a variant: name a file here"),
        ("migrate ours", "'ours' is not the path", "did you mean 'ours.yaml'?"),
        ("check comma.yaml", "no key '25'", "decimals with a point"),
    ],
)
def test_each_message_says_what_to_write(args, message, advice, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours.yaml").write_text(VARIANT)
    for name in ("ours", "theirs"):
        script = f'strategy {name} "x" for trut:\n    otherwise: any\n'
        (tmp_path / f"{name}.strategy").write_text(script)
    (tmp_path / "folder").mkdir()
    (tmp_path / "some.yaml").write_text(SCENARIO)
    (tmp_path / "two.yaml").write_text(f"{SCENARIO}---\n{SCENARIO}")
    (tmp_path / "game.jsonl").write_text('{"event": "match"}\n')
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "journal.sqlite").touch()
    (tmp_path / "evening.yaml").write_text("experiment: evening\nvariant: trut\nsets: 2\n")
    odds = "parameters: {odds: {type: probability, default: 0,25, help: Odds.}}\n"
    (tmp_path / "comma.yaml").write_text(VARIANT.replace("ours", "comma") + odds)
    assert run(args.split()) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert message in found.err
    assert advice in found.err
    assert found.err.count("error:") == 1


def test_a_similar_extension_alone_suggests_no_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s1.yaml").write_text("variant: s1\n", encoding="utf-8")
    assert run(["check", "pas-la.yaml"]) == 2
    message = capsys.readouterr().err
    assert "did you mean" not in message and "this folder has s1.yaml" in message


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("rulebook", "il n'y a pas de commande « rulebook » ; écrivez trutdsl rules"),
        ("comparre", "il n'y a pas de commande « comparre » ; vouliez-vous dire « compare » ?"),
        ("jouer trut", "il n'y a pas de commande « jouer » ; écrivez trutdsl play"),
        ("simulate trut --mathces 3", "pas d'option --mathces ; vouliez-vous dire « --matches » ?"),
        ("simulate trut --param fortial=Yes", " ; écrivez yes"),
        ("play trut --deal 0", "--deal doit être d'au moins 1, pas 0"),
    ],
)
def test_a_french_message_has_french_signs(args, message, capsys):
    assert run([*args.split(), "--lang", "fr"]) == 2
    assert message in capsys.readouterr().err.translate({0xA0: " ", 0x202F: " "})
