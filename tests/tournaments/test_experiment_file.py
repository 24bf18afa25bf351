"""Experiment files: their keys, mistakes in them, and the schema for editors."""

import inspect

import pytest

import trutdsl
from trutdsl.cli.developers import schema_of
from trutdsl.cli.tournament import tournament
from trutdsl.diagnostics import Rejected, render_all
from trutdsl.game import BadUsage
from trutdsl.options import BUDGETS, LARGEST, OPTIONS, REQUIRED_KEYS, Means, Settings, split
from trutdsl.tournaments.load import is_experiment, read_settings

EXPERIMENT = """\
experiment: evening
variant: trut
players: 2
parameters: {goal: 3, trut_window: own_turn}
strategies: [steady, ./mine.py]
format: one-against-all
against: steady
sets: 50
metric: 2 longs + petits
test: [steady, mine]
margin: 0.5
seed: 7
engine: native
move_timeout: 0.5
on_error: stop
out: somewhere
jobs: 2
start_method: fork
executor: local
chunk: 5
csv_style: fr
parquet: true
lang: fr
shard: 1/2
mode: deals
score: {longs: [1, 0]}
"""


def write_file(tmp_path, text):
    path = tmp_path / "evening.yaml"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("wrong", "help_", "right"),
    [
        ("players: [2]", "write `2`", "players: 2"),
        ("players: two", "write `2`", "players: 2"),
        ("format: swiss system", "write `swiss`", "format: swiss"),
        ("name: evening", "write `experiment`", "experiment: evening"),
    ],
)
def test_what_the_help_names_is_accepted(tmp_path, wrong, help_, right):
    lines = ["experiment: evening", "variant: trut", "players: 2", "strategies: [steady, caller]"]
    others = [line for line in lines if line.partition(":")[0] != right.partition(":")[0]]
    with pytest.raises(Rejected) as refused:
        read_settings(write_file(tmp_path, "\n".join([*others, wrong]) + "\n"))
    assert help_ in render_all(refused.value)
    read_settings(write_file(tmp_path, "\n".join([*others, right]) + "\n"))


def test_every_key_is_read(tmp_path):
    ref = write_file(tmp_path, EXPERIMENT)
    assert is_experiment(ref)
    found = read_settings(ref)
    absent = {"matches", "deals", "time", "precision", "rounds", "scheduler"}
    assert found.keys() == OPTIONS.keys() - absent
    assert split(found) == (
        Settings(
            variant="trut",
            strategies=("steady", str(tmp_path / "mine.py")),
            experiment="evening",
            players=2,
            parameters=("goal=3", "trut_window=own_turn"),
            format="one-against-all",
            against="steady",
            mode="deals",
            score=("longs=1,0",),
            sets=50,
            metric="2 longs + petits",
            test=("steady", "mine"),
            margin=0.5,
            seed=7,
            move_timeout=0.5,
            on_error="stop",
        ),
        Means(
            out="somewhere",
            jobs=2,
            start_method="fork",
            chunk=5,
            shard="1/2",
            csv_style="fr",
            lang="fr",
            parquet=True,
        ),
    )


def test_a_variant_is_no_experiment(root):
    assert not is_experiment("trut")
    assert not is_experiment(str(root / "variants/trut.yaml"))


def change(old, new):
    assert old in EXPERIMENT
    return EXPERIMENT.replace(old, new)


@pytest.mark.parametrize(
    ("text", "place", "messages"),
    [
        (
            change("seed:", "sed:"),
            "12:1",
            ["an experiment has no key 'sed'", "did you mean 'seed'?"],
        ),
        (change("seed: 7", "seed: 7.5"), "12:7", ["`seed` must be a whole number", "'7.5'"]),
        (change("parquet: true", "parquet: 1"), "22:10", ["`parquet` must be true or false"]),
        (change("seed: 7", "seed: -1"), "12:7", ["from 0 to"]),
        (
            change("seed: 7", "seed: [2, 4]"),
            "12:7",
            ["found a list", "write one number, such as `2`"],
        ),
        (change("seed: 7", 'seed: "7"'), "12:7", ["`seed` must be a whole number"]),
        (change("sets: 50", "sets: 0"), "8:7", ["`sets`", "at least 1", "found '0'"]),
        (change("move_timeout: 0.5", "move_timeout: nan"), "14:15", ["`move_timeout`", "'nan'"]),
        (
            change("on_error: stop", "on_error: stopp"),
            "15:11",
            ["one of forfeit, stop", "did you mean 'stop'?"],
        ),
        (change("[steady, ./mine.py]", "steady"), "5:13", ["`strategies` must be a list"]),
        (change("[steady, ./mine.py]", "[]"), "5:13", ["`strategies` must be a list"]),
        (change("variant: trut\n", ""), "1:1", ["an experiment has no 'variant'"]),
        (change("seed: 7", "deals: 7"), "12:8", ["two ways to say how much", "leave one out"]),
        (
            change("seed: 7", "no_cache: true"),
            "12:1",
            ["no key 'no_cache'", "it belongs on the command line: --no-cache"],
        ),
        (change("seed: 7", "json: true"), "12:1", ["it belongs on the command line: --json"]),
        (change("seed: 7", "verbose: true"), "12:1", ["on the command line: --verbose"]),
        (change("seed: 7", "param: a=1"), "12:1", ["`parameters: {NAME: VALUE}`"]),
        (change("seed: 7", "seed: 7\nseed: 8"), "13:1", ["the key 'seed' occurs twice"]),
        (change("{goal: 3,", "{goal: {a: 3},"), "4:20", ["parameter 'goal' must be one value"]),
    ],
)
def test_a_mistake_is_reported_with_its_position(tmp_path, text, place, messages):
    ref = write_file(tmp_path, text)
    with pytest.raises(Rejected) as refused:
        read_settings(ref)
    message_text = render_all(refused.value)
    assert f"{ref}:{place}: error: " in message_text
    for message in messages:
        assert message in message_text


def test_every_flag_has_its_key():
    flags = inspect.signature(tournament).parameters.keys() - {
        "json",
        "no_cache",
        "seconds_per_choice",
        "verbose",
    }
    assert flags == OPTIONS.keys() - {"experiment"}


def test_every_keyword_in_python_has_its_default():
    keywords = {
        name: None if one.default is one.empty else one.default
        for name, one in inspect.signature(trutdsl.tournament).parameters.items()
    }
    assert {name: OPTIONS[name].default or None for name in keywords} == keywords


@pytest.mark.parametrize("name", [n for n, k in OPTIONS.items() if k.kind in ("integer", "number")])
def test_the_reader_has_the_bounds_of_the_schema(tmp_path, name):
    shape = schema_of("", OPTIONS, REQUIRED_KEYS)["properties"][name]
    text = "".join(line for line in EXPERIMENT.splitlines(True) if not line.startswith(f"{name}:"))
    if name in BUDGETS:
        text = text.replace("sets: 50\n", "")

    def reads(value):
        try:
            return read_settings(write_file(tmp_path, f"{text}{name}: {value}\n"))[name] == value
        except Rejected:
            return False

    for bound, beyond in ((shape["minimum"], -1), (shape.get("maximum", LARGEST), 1)):
        assert reads(bound) and not reads(bound + beyond)


@pytest.mark.parametrize("name", [n for n, k in OPTIONS.items() if k.choices])
def test_the_reader_has_the_choices_of_the_schema(tmp_path, name):
    text = "".join(line for line in EXPERIMENT.splitlines(True) if not line.startswith(f"{name}:"))
    for choice in schema_of("", OPTIONS, REQUIRED_KEYS)["properties"][name]["enum"]:
        assert read_settings(write_file(tmp_path, f"{text}{name}: {choice}\n"))[name] == choice


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"matches": 3, "deals": 4}, "--matches and --deals each say how much"),
        ({"format": "swis"}, "did you mean 'swiss'?"),
        ({"format": "one-against-all"}, "--format one-against-all and --against A go together"),
        ({"rounds": 3}, "--rounds is for --format swiss and ladder, not round-robin"),
        ({"format": "swiss", "deals": 3}, "swiss takes --sets, for each round, and no --deals"),
        ({"time": 3, "sets": 4}, "--sets and --time each say how much"),
        ({"test": ("a", "b")}, "--test A,B and --margin go together"),
        (
            {"test": ("a", "b"), "margin": 0.1, "format": "partnerships"},
            "--test is for two strategies that meet",
        ),
        ({"margin": 0.1}, "--test A,B and --margin go together"),
        ({"test": ("a", "b"), "margin": 5}, "--margin 5 is more than all matches, which are 1"),
        ({"precision": 2}, "--precision 2 is more than all matches, which are 1"),
        ({"test": ("a", "a"), "margin": 0.1}, "--test needs two strategies, not 'a,a'"),
        ({"test": ("a", "b"), "margin": 0.1, "precision": 0.1}, "two rules for when to stop"),
        ({"move_timeout": 0}, "--move-timeout must be from 0.1 to 86400, not 0"),
        ({"on_error": "forefit"}, "did you mean 'forfeit'?"),
        ({"deals": 0}, "--deals must be at least 1"),
    ],
)
def test_bad_flags_are_refused(options, message):
    with pytest.raises(BadUsage, match=message.replace("?", r"\?")):
        split({"variant": "trut", "strategies": ("a", "b"), **options})
