"""The corpus that the changes start from: shipped files, files of the tests, and results."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import chdir
from functools import cache
from hashlib import sha256
from pathlib import Path
from textwrap import dedent

from trutdsl.comparison.run_comparison import Request, compare
from trutdsl.files import MAGIC, canonical_json, hash_of
from trutdsl.game import load_game
from trutdsl.options import Means, Settings
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.tournaments.journal import Journal
from trutdsl.tournaments.load import Run
from trutdsl.tournaments.play import count_faults, count_sets, play_sets
from trutdsl.tournaments.results import collect
from trutdsl.tournaments.schedule import Chunk, Experiment, chunk_key, plan_experiment
from trutdsl.transcript.events import Event, Recorder, event_line, match_event

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "tests/strategy"
NAME = re.compile(r"^(variant|module): [^\n]*", re.MULTILINE)
RECORDED_VARIANTS = ("good/chance.yaml", "good/words-as-options.yaml", "good/base/high-card.yaml")
TRANSCRIPT_LINES = 40
SETS = 5
KEY = hash_of("fuzz")

EXTENDING_VARIANT = """\
variant: above
title: Built on the input
extends: input.yaml
rules: |
  replace define worth(player): total strength(card) for card in hand[player]
"""
USING_VARIANT = """\
variant: around
title: Uses the input
extends: base/high-card.yaml
uses: [input.yaml]
"""
VARIANT_WITH_RULES_FILE = """\
variant: in-two-files
title: Its rules are the input
players: [2, 3, 4]
teams: {2: 2, 3: 3, 4: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J, 10, 7]}
counters: {wins: {help: Deals.}, points: {help: Points.}}
rules: input.rules
"""
SCENARIO = """\
scenario: the-stronger-card-wins
rules: [H1]
variant: base/high-card.yaml
players: 2
parameters: {goal: 2}
start:
  dealer: 0
  counters: {wins: [1, 0]}
  stock: [Ah, Ks]
actions:
  - 0: turn
  - 1: turn
expect:
  match_winner: 0
  counters: {wins: [2, 0]}
---
scenario: a-question-is-open
variant: good/chance.yaml
players: 2
actions: []
expect: {next_dealer: 1}
"""


EXPERIMENT = """\
experiment: evening
variant: trut
players: 2
parameters: {goal: 3, trut_window: own_turn}
strategies: [steady, ./mine.py, "bluffer:bluff=0.2,enough=70"]
matches: 50
seed: 7
engine: native
move_timeout: 0.5
on_error: stop
out: somewhere
jobs: 2
start_method: fork
chunk: 5
shard: 1/2
"""
MINIMAL_STRATEGY = b"""class Plain:
    def choose(self, view):
        return view.actions[0]
"""


def fill_folder(folder: Path) -> None:
    """Put the files that inputs may name into a folder, and some paths that are no files."""
    shutil.copytree(ROOT / "tests/good", folder / "good")
    shutil.copytree(ROOT / "tests/good/base", folder / "base")
    shutil.copytree(ROOT / "tests/good/base", folder, dirs_exist_ok=True)
    for name, text in {
        "above": EXTENDING_VARIANT,
        "around": USING_VARIANT,
        "in-two-files": VARIANT_WITH_RULES_FILE,
    }.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    for end in (".yaml", ".py"):
        (folder / f"folder{end}").mkdir()
        (folder / f"loop{end}").symlink_to(f"loop{end}")
        os.mkfifo(folder / f"pipe{end}")
    (folder / "closed.yaml").symlink_to("/proc/1/mem")
    shutil.copy(ROOT / "trutdsl/bench/steady.py", folder / "steady.py")
    shutil.copy(ROOT / "strategies/bluffer.strategy", folder / "bluffer.strategy")
    shutil.copytree(SCRIPTS / "good", folder, dirs_exist_ok=True)


@cache
def work_folder() -> Path:
    """Return a temporary folder of this process."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    fill_folder(folder)
    return folder


def variants() -> list[bytes]:
    """Return small variants, valid and invalid, each renamed to `input`."""
    good, bad = ("good", "traps", "bad/runtime"), ("bad", "variant/bad")
    places = (*good * 6, *bad)
    return _read_renamed(
        path for place in places for path in (ROOT / "tests" / place).glob("*.yaml")
    )


def shipped_variants() -> list[bytes]:
    """Return the shipped variants."""
    return _read_renamed((ROOT / "variants").glob("*.yaml"))


def modules() -> list[bytes]:
    """Return the shipped modules and those of the tests."""
    found = [*(ROOT / "variants/lib").glob("*.yaml"), *(ROOT / "tests/variant/library").rglob("*")]
    return [
        *_read_renamed(p for p in found if p.suffix == ".yaml"),
        *_read_renamed([_base("fresh-pack")]),
    ]


def bases() -> list[bytes]:
    """Return variants that others extend."""
    return _read_renamed([_base("high-card"), ROOT / "tests/bad/base/one-way.yaml"])


def rules() -> list[bytes]:
    """Return rules without a variant."""
    texts = [data.decode("utf-8", "replace").split("\nrules: |\n") for data in variants()]
    return [dedent(text[1]).encode() for text in texts if len(text) == 2]


def documents() -> list[bytes]:
    """Return YAML without rules."""
    texts = [data.split(b"\nrules: |")[0] + b"\n" for data in (*variants(), *modules())]
    return [*texts, *scenarios()]


def scenarios() -> list[bytes]:
    """Return single scenarios of the shipped files, and a file with two scenarios."""
    files = sorted((ROOT / "tests/scenarios").glob("*.yaml"))
    texts = [one for path in files for one in path.read_text(encoding="utf-8").split("\n---\n")]
    few = texts[:: max(1, len(texts) // 60)]
    return [SCENARIO.encode()] * len(few) + [text.encode() for text in few]


def transcripts() -> list[bytes]:
    """Return the first lines of recorded matches of every shipped variant."""
    files = sorted((ROOT / "tests/golden").glob("*.jsonl"))
    return [b"\n".join(path.read_bytes().split(b"\n")[:TRANSCRIPT_LINES]) + b"\n" for path in files]


@cache
def replays() -> list[bytes]:
    """Record matches of small variants, and return their transcripts."""
    results = []
    for ref in RECORDED_VARIANTS:
        game = load_game(work_folder() / ref, engine="reference")
        game.ref = ref
        seating = [load_strategy("uniform")] * game.players
        for legal in (False, True):
            events: list[Event] = []
            recorder = Recorder(events.append, legal)
            recorder(match_event(game, ["uniform"] * game.players, 3, 0))
            play_match(game, seating, 3, 0, recorder)
            recorder.flush()
            results.append("".join(map(event_line, events)).encode())
    return results


def strategies() -> list[bytes]:
    """Return strategies in Python."""
    return [(ROOT / "trutdsl/bench/steady.py").read_bytes(), MINIMAL_STRATEGY]


def scripts() -> list[bytes]:
    """Return the shipped scripts, each renamed to `input`."""
    texts = [path.read_bytes() for path in sorted((ROOT / "strategies").glob("*.strategy"))]
    return [re.sub(rb"(?m)^strategy \S+", b"strategy input", text) for text in texts]


def answers() -> list[bytes]:
    """Return scripts for a small game, valid and invalid, each renamed to `input`."""
    found = [*(SCRIPTS / "good").glob("*.strategy"), *(SCRIPTS / "bad").glob("*.strategy")]
    texts = [path.read_bytes() for path in sorted(found)]
    texts += [path.read_bytes() for path in sorted((SCRIPTS / "good").glob("*.strategy"))] * 6
    return [re.sub(rb"(?m)^strategy \S+", b"strategy input", text) for text in texts]


def experiments() -> list[bytes]:
    """Return experiment files."""
    return [EXPERIMENT.encode(), b"experiment: short\nvariant: trut\nstrategies: [a, b.py]\n"]


def bots() -> list[bytes]:
    """Return bot files: a command among comments, with paths that are no files."""
    return [
        b"# Plays.\npython steady.py\n", b"# A pipe.\n./pipe.py --of 'two words' < x\n",
        b"cat /dev/zero /dev/stdin folder.py loop.py closed.yaml\n",
    ]  # fmt: skip


def names() -> list[bytes]:
    """Return names and paths that a user may enter."""
    return [
        b"trut", b"lib/signals", b"steady", b"good/loops.yaml", b"./good/../good/loops.yaml",
        b"steady.py", b"folder.yaml", b"folder.py", b"pipe.yaml", b"pipe.py", b"loop.yaml",
        b"loop.py", b"closed.yaml", b".yaml", b".py", b"", b"..", b"/", b"~", b"~root/x.yaml",
        b"../" * 60 + b"x.yaml", b"x" * 300 + b".yaml", b"x/" * 3_000 + b".yaml", b"nul\0.yaml",
        b"\xff\xfe.yaml", b"\x1b[2J.yaml", "é.yaml".encode(), b"con.yaml", b"a,b", b"-",
    ]  # fmt: skip


@cache
def experiment() -> Experiment:
    """Return a small tournament."""
    other = shutil.copy(ROOT / "trutdsl/bench/steady.py", work_folder() / "other.py")
    game = load_game(work_folder() / "base/high-card.yaml", engine="reference")
    strategies = [load_strategy("uniform"), load_strategy(str(other))]
    return plan_experiment(game, strategies, 7, SETS)


def settings() -> Settings:
    """Return the settings of the small tournament."""
    return Settings(
        variant="base/high-card.yaml", strategies=("uniform", "other.py"), sets=SETS, seed=7
    )


@cache
def manifest() -> Mapping[str, object]:
    """Return the manifest of the small tournament."""
    return Run(settings(), experiment(), Means()).manifest


@cache
def journal(sets: int) -> bytes:
    """Return the journal of the small tournament after a number of sets."""
    plan, path = experiment(), work_folder() / f"{sets}.sqlite"
    with Journal(path, canonical_json(_stored_manifest())) as results:
        for index in range(sets):
            chunk = Chunk(index, 1)
            played, faults = play_sets(plan, chunk)
            kept = {"counts": count_sets(plan, played), "faults": count_faults(plan, faults)}
            results.add(chunk_key(plan, chunk), chunk, kept)
    return path.read_bytes()


@cache
def journals() -> list[bytes]:
    """Return journals of the small tournament: complete, partial, empty."""
    return [*([journal(SETS)] * 2), journal(2), journal(0)]


def manifests() -> list[bytes]:
    """Return the manifest of the small tournament as a file."""
    return [canonical_json(manifest()).encode()]


@cache
def comparisons() -> list[bytes]:
    """Return the results of a small comparison."""
    variants = ("base/high-card.yaml", "base/high-card.yaml:goal=3")
    asked = Request(variants, players=2, strategies=("uniform",), sets=2, engine="reference")
    with chdir(work_folder()):
        return [_to_json_file(compare(asked, work_folder() / "comparison", 1))]


@cache
def standings() -> list[bytes]:
    """Return the results of the small tournament."""
    journal(SETS)
    with Journal(work_folder() / f"{SETS}.sqlite", canonical_json(_stored_manifest())) as results:
        return [_to_json_file(collect(experiment(), settings(), manifest(), results))]


def _stored_manifest() -> Mapping[str, object]:
    """Return the manifest as the journal of the small tournament stores it."""
    return {**manifest(), "given": None}


def _to_json_file(results: Mapping[str, object]) -> bytes:
    return f"{json.dumps(results, indent=2, ensure_ascii=False)}\n".encode()


def entries() -> list[bytes]:
    """Return cache entries: machine code with its facts, and other payloads."""
    facts = b'{"size": 8, "counters": ["wins"], "reasons": ["played"], "decisions": [["t", ["a"]]]}'
    payloads = (facts + b"\n" + bytes(range(256)) * 8, b"right", b"[{}, {}]", b"")
    return [MAGIC + bytes.fromhex(KEY) + sha256(data).digest() + data for data in payloads]


def _base(name: str) -> Path:
    return ROOT / f"tests/good/base/{name}.yaml"


def _read_renamed(paths: Iterable[Path]) -> list[bytes]:
    """Return the texts of files in the order of their paths, each renamed to `input`."""
    texts = [path.read_bytes().decode("utf-8", "surrogateescape") for path in sorted(paths)]
    named = [NAME.sub(r"\1: input", text, count=1) for text in texts]
    return [text.encode("utf-8", "surrogateescape") for text in named]
